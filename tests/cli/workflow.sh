# SPDX-License-Identifier: MIT
# docs/nightly.yml as GitHub would refuse it, and the commands of docs/ci.md, which are its own, as they
# stand there. What its steps do is in check.sh.
. "$2/tests/support/cli.sh"
mkdir steps
cat >look.py <<'EOT'
import json, os, re, shlex, sys, yaml

source = sys.argv[1]
faults = []


class Strict(yaml.BaseLoader):
    """Every scalar is a text, as a key "on" must be, and no key comes twice."""


def mapping(loader, node, deep=False):
    keys = [loader.construct_object(key, deep=True) for key, _ in node.value]
    faults.extend("key '%s' comes twice" % key for key in set(keys) if keys.count(key) > 1)
    return yaml.BaseLoader.construct_mapping(loader, node, deep=True)


Strict.add_constructor("tag:yaml.org,2002:map", mapping)
text = open(os.path.join(source, "docs/nightly.yml")).read()
flow = yaml.load(text, Strict)


def only(where, given, known):
    faults.extend("%s has '%s'" % (where, key) for key in given if key not in known)


def wanted(good, what):
    if not good:
        faults.append(what)


only("the workflow", flow, {"name", "on", "permissions", "concurrency", "jobs"})
only("on", flow["on"], {"schedule", "workflow_dispatch"})
ends = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))
for entry in flow["on"]["schedule"]:
    fields = entry["cron"].split()
    wanted(len(fields) == 5, "a cron of %d fields" % len(fields))
    for field, (low, high) in zip(fields, ends):
        wanted(field == "*" or low <= int(field) <= high, "a cron with '%s'" % field)
wanted(flow["permissions"] == {"contents": "read"}, "more rights than to read")

inputs = {"actions/checkout": set(),
          "actions/cache/restore": {"path", "key", "restore-keys"},
          "actions/cache/save": {"path", "key"},
          "actions/upload-artifact": {"name", "path"}}
presets = json.load(open(os.path.join(source, "CMakePresets.json")))
scripts = {}
for name, job in flow["jobs"].items():
    only(name, job, {"runs-on", "container", "timeout-minutes", "defaults", "steps"})
    wanted(job["defaults"] == {"run": {"shell": "bash"}}, "another shell than bash, which the steps are for")
    for number, step in enumerate(job["steps"]):
        title = step.get("name", str(number))
        only(title, step, {"name", "uses", "with", "if", "run"})
        wanted(("uses" in step) != ("run" in step), "step '%s' does not do one thing" % title)
        if "uses" in step:
            action, _, version = step["uses"].partition("@")
            wanted(re.fullmatch(r"v\d+", version), "'%s' has no version" % step["uses"])
            wanted(action in inputs, "'%s' is not known here" % action)
            only(title, step.get("with", {}), inputs.get(action, set()))
        else:
            wanted(title not in scripts, "two steps '%s'" % title)
            scripts[title] = step["run"]
            open("steps/%s" % title, "w").write(step["run"])
for preset in re.findall(r"--preset (\S+)", scripts["Build"]):
    for kind in ("configurePresets", "buildPresets"):
        wanted(preset in [p["name"] for p in presets[kind]], "no preset '%s' in %s" % (preset, kind))
for word in scripts["Build"].split():
    if word.startswith("scripts/"):
        wanted(os.access(os.path.join(source, word), os.X_OK), "'%s' is no script" % word)

# Expressions: closed, and of names that there are.
wanted(text.count("${{") == text.count("}}"), "an expression that is not closed")
for expression in re.findall(r"\$\{\{(.*?)\}\}", text):
    for word in re.findall(r"[A-Za-z_.]+", re.sub(r"'[^']*'", "", expression)):
        wanted(word in {"github.run_id", "github.run_attempt", "cancelled", "hashFiles"}, "'%s' in an expression" % word)

# The commands of docs/ci.md, each in the step that bears its name.
block = re.search(r"\n\n((?:    .*\n)+)", open(os.path.join(source, "docs/ci.md")).read()).group(1)
commands = re.sub(r"\\\n", " ", block).strip().splitlines()
wanted(len(commands) == 3, "docs/ci.md begins with %d commands" % len(commands))
with open("commands", "w") as out:
    for command in commands:
        words = shlex.split(command)
        out.write(" ".join(words) + "\n")
        script = scripts[words[1].capitalize()].split()
        for word in words:
            bare = [w.strip("()") for w in script]
            wanted(word == "-q" or word in script or word in bare or "(" + word in script or "nights=(" + word in script,
                   "docs/ci.md has '%s' for '%s', the workflow has not" % (word, words[1]))
for fault in faults:
    print(fault)
sys.exit(bool(faults))
EOT
/usr/bin/python3 look.py "$SOURCE" >out 2>err || fail "docs/nightly.yml is not what a workflow is"
for step in steps/*; do
  bash -n "$step" 2>err || fail "'$step' is no script"
done

# Each fault of a kind is seen: the look is not for show.
mkdir -p other/docs
ln -s "$SOURCE/CMakePresets.json" "$SOURCE/scripts" other/
cp "$SOURCE/docs/ci.md" other/docs
for fault in 's/^permissions:/name: again\n&/' 's/17 3/77 3/' 's/run: |/runs: |/' 's/@v4$//' 's/restore-keys/restore-key/' \
  's/github.run_id/github.runid/' 's/--preset release/--preset fast/' 's/--strict-baseline/--strict/' 's/shell: bash/shell: sh/'; do
  sed "$fault" "$SOURCE/docs/nightly.yml" >other/docs/nightly.yml
  ! cmp -s other/docs/nightly.yml "$SOURCE/docs/nightly.yml" || fail "'$fault' changes nothing"
  ! /usr/bin/python3 look.py other >out 2>err || fail "'$fault' was not seen"
done
/usr/bin/python3 look.py "$SOURCE" >/dev/null

# The three commands, as they stand.
ln -s "$SOURCE/experiments" experiments
while read -r _ line; do
  eval "run 0 $line"
done <commands
grep -q "^## Nights" reports/nightly/report.md || fail "the commands of docs/ci.md draw no nights"
exit $FAILED
