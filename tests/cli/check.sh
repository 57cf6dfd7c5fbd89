# SPDX-License-Identifier: MIT
# The gate: the nightly sweep against its baseline, every verdict, its documents and the history.
. "$2/tests/support/cli.sh"
PYTHON=/usr/bin/python3
NIGHTLY=$SOURCE/experiments/nightly

# json CODE: Python over the verdict `d`; change FILE CODE: over the open results file `f`.
json() { $PYTHON -c "import json; d = json.load(open('gate.json')); $1" || fail "gate.json: not $1"; }
# HDF5 1.10 forgets that a chunk is compressed now where it was not and keeps its size: all are written in another size first.
change() {
  $PYTHON - "$1" <<EOT || fail "cannot change $1"
import sys, h5py, numpy
f = h5py.File(sys.argv[1], "r+")
for column in f.values():
    if isinstance(column, h5py.Dataset) and column.chunks and column.id.get_chunk_info(0).filter_mask:
        values = column[...]
        column[...] = numpy.zeros_like(values)
        f.flush()
        column[...] = values
        f.flush()
$2
EOT
}
lines() { [ "$(grep -c "^$1	" out)" = "$2" ] || fail "not $2 lines of '$1'"; }

# This project's own night: the numbers of this machine against the committed ones.
run 0 run "$SOURCE/experiments/nightly.yaml" -o night.h5 -q
run 0 check night.h5 --against "$NIGHTLY/baseline.h5" --tolerance "$NIGHTLY/tolerance.yaml" \
  --fail-on-improvement --strict-baseline --min-compared 64
prints "compared 64 runs, "
prints ": 0 regressions, 0 improvements, 0 new, 0 missing, 0 failed in both: pass"
[ "$(wc -l <out)" = 1 ] || fail "a pass is one line"

run 0 run small.yaml -o base.h5 -q
run 0 check base.h5 --against base.h5 --json gate.json --junit gate.xml --strict-host --strict-baseline
[ ! -s err ] || fail "the same file differs from itself"
json 'assert d["verdict"] == "pass" and d["exit"] == 0 and d["reasons"] == [] and d["differs"] == []'
json 'assert d["counts"]["runs_compared"] == 16 and d["results"] == "base.h5" and d["steps"] is None'

# Worse is 1, and the line says which run, measure, numbers and direction.
cp base.h5 worse.h5
change worse.h5 'f["row_max_mean"][5] += 0.015625'
run 1 check worse.h5 --against base.h5 --json gate.json --junit gate.xml
one_line && says "rowmax check: measures left their tolerance"
lines regression 1
$PYTHON - <<'EOT' || fail "the line of the regression is not what it should be"
import h5py
head, line, total = open("out").read().splitlines()
cells = dict(zip(head.split("\t"), line.split("\t")))
old, new = (h5py.File(name)["row_max_mean"][5] for name in ("base.h5", "worse.h5"))
assert (cells["verdict"], cells["run"], cells["measure"]) == ("regression", "5", "row_max_mean"), cells
assert (float(cells["baseline"]), float(cells["now"])) == (old, new), cells
assert float(cells["delta"]) == new - old and float(cells["allowed"]) == 1e-10 + 1e-8 * old, cells
key = int(h5py.File("base.h5")["run_key"][5]) % 2**64
assert cells["key"] == "%016x" % key and cells["direction"] == "lower is better", cells
assert cells["where"] == "seed=2 guards=scale", cells
EOT
json 'assert d["verdict"] == "fail" and d["exit"] == 1 and d["reasons"] == ["regression"]'
json 'assert [r["measure"] for r in d["regressions"]] == ["row_max_mean"] and d["improvements"] == []'

# Better is 0 with another word, and 1 if asked.
run 0 check base.h5 --against worse.h5 --json gate.json
lines improved 1
lines regression 0
json 'assert d["verdict"] == "pass" and d["improvements"][0]["run"] == 5 and d["regressions"] == []'
run 1 check base.h5 --against worse.h5 --fail-on-improvement --json gate.json && says "--fail-on-improvement"
json 'assert d["reasons"] == ["improvement"]'
# A spread has no better side.
cp base.h5 spread.h5
change spread.h5 'f["score_std"][0] *= 1 - 1e-6'
run 1 check spread.h5 --against base.h5
run 1 check base.h5 --against spread.h5

# A baseline of 0: within atol, and not.
cp base.h5 zero.h5
cp base.h5 tiny.h5
cp base.h5 large.h5
change zero.h5 'f["jacobian_norm_mean"][0] = 0'
change tiny.h5 'f["jacobian_norm_mean"][0] = 1e-12'
change large.h5 'f["jacobian_norm_mean"][0] = -1e-3'
run 0 check tiny.h5 --against zero.h5 --fail-on-improvement
run 1 check large.h5 --against zero.h5

# NaN equals NaN only.
cp base.h5 nan.h5
change nan.h5 'f["entropy_mean"][2] = float("nan")'
run 0 check nan.h5 --against nan.h5
run 1 check nan.h5 --against base.h5 --json gate.json
json 'r, = d["regressions"]; assert r["now"] is None and r["now_status"] == "nan" and r["baseline_status"] == "number"'
run 1 check base.h5 --against nan.h5

# Runs that one of the two lacks are listed; another sweep is no pass.
run 0 run small.yaml -o more.h5 -q --set 'seed=[1, 2, 3]'
run 0 check more.h5 --against base.h5 --json gate.json && says "8 runs without a baseline"
lines new 8
json 'assert len(d["new"]) == 8 and d["counts"]["runs_compared"] == 16 and d["counts"]["runs_new"] == 8'
run 0 check base.h5 --against more.h5 --json gate.json && says "8 runs of the baseline missing"
lines missing 8
json 'assert len(d["missing"]) == 8 and d["missing"][0]["where"] == "seed=3 guards=none"'
run 1 check more.h5 --against base.h5 --strict-baseline && says "--strict-baseline"
run 1 check base.h5 --against more.h5 --strict-baseline
run 0 run small.yaml -o other.h5 -q --set 'seed=[8, 9]'
run 4 check other.h5 --against base.h5 --json gate.json --junit gate.xml && says "nothing was compared"
prints "compared 0 runs, " && prints ": nothing compared"
json 'assert d["verdict"] == "nothing compared" and d["exit"] == 4 and d["reasons"] == ["too few compared"]'
lines new 16
says "no run is in both: seed is 1–2 in the baseline and 8–9 now"
json 'assert d["fields"] == [{"name": "seed", "baseline": "1–2", "now": "8–9"}] and d["warnings"][0].startswith("no run is in both: seed")'
# A changed setting is named, a value or the lack of one; where runs are shared, nothing is.
run 0 run "$SOURCE/experiments/nightly.yaml" -o window.h5 -q --set window=3
run 4 check window.h5 --against "$NIGHTLY/baseline.h5" --json gate.json --github && says "no run is in both: window is 5 in the baseline and 3 now"
prints "::warning title=rowmax check::no run is in both: window is"
json 'assert d["fields"] == [{"name": "window", "baseline": "5", "now": "3"}], d["fields"]'
run 0 check more.h5 --against base.h5 --json gate.json && ! grep -q "no run is in both" err || fail "runs are in both"
json 'assert d["fields"] == []'
run 4 check more.h5 --against base.h5 --min-compared 17 && says "only 16 runs were compared"
prints "compared 16 runs, " && prints ": too few compared"
run 0 check more.h5 --against base.h5 --min-compared 16
# Another text under the same name: its runs are new and missing alike, and why is said. A new name is only new.
mkdir texts
sed 1d "$SOURCE/corpora/demo.txt" >texts/demo.txt
cp "$SOURCE/corpora/demo.txt" texts/same.txt
both() { # RESULTS CORPORA
  printf '%s\n' 'rowmax: 1' 'fixed: {sentence: the cat}' 'grid: {corpus: [demo, kitchen]}' >both.yaml
  ROWMAX_CORPORA=$2 run 0 run both.yaml -o "$1" -q
}
cp "$SOURCE/corpora/kitchen.txt" texts
both texts.h5 "$SOURCE/corpora"
both changed.h5 "$WORK/texts"
run 0 check changed.h5 --against texts.h5 --json gate.json
says "corpus 'demo' has another content than in the baseline, so its runs are new"
json 'assert len(d["warnings"]) == 3 and "kitchen" not in str(d["warnings"])'
ROWMAX_CORPORA=$WORK/texts run 0 run both.yaml -o renamed.h5 -q --set 'corpus=[same, demo]'
run 0 check renamed.h5 --against texts.h5
says "corpus 'demo' has another content"
[ "$(grep -c 'another content' err)" = 1 ] || fail "a file of another name is none of another content"

# A sweep that selects nothing does not even begin.
run 2 run small.yaml -o none.h5 --set seed=1 --set guards=none --set 'corpus=[]'
printf 'exclude: {seed: [1, 2]}\n' | cat small.yaml - >none.yaml
run 2 run none.yaml -o none.h5
absent none.h5

# Tolerances: by measure, by value, and every way to disarm the gate refused at once.
printf 'row_max_mean:\n  - {atol: 1e-9}\n  - {atol: 0.02, where: {seed: 2}}\n' >wide.yaml
run 0 check worse.h5 --against base.h5 --tolerance wide.yaml
printf 'row_max_mean: {atol: 0.02, where: {seed: 1}}\n' >wide.yaml
run 1 check worse.h5 --against base.h5 --tolerance wide.yaml
printf 'default: {atol: 0.02}\n' | "$ROWMAX" check worse.h5 --against base.h5 --tolerance - >out 2>err ||
  fail "a tolerance file on standard input was not read"
printf 'row_max_mean: {rtol: nan}\nentropy_mean: {atol: -1}\nscore_std: {rtol: inf}\nrow_max_meen: {rtol: -1}\n' >bad.yaml
cp base.h5 before.h5
run 2 check base.h5 --against base.h5 --tolerance bad.yaml --json gate.json --junit gate.xml
[ "$(wc -l <err)" = 5 ] || fail "five faults are not five lines"
says "bad.yaml:1:22: rtol: 'nan' is no tolerance"
says "bad.yaml:4:1: unknown measure 'row_max_meen'; did you mean 'row_max_mean'?"
says "bad.yaml:4:22: rtol: '-1' is no tolerance"
json 'assert d["verdict"] == "error" and d["exit"] == 2 and "bad.yaml:1:22" in d["message"]'
json 'assert (d["results"], d["baseline"], d["tolerance"]) == ("base.h5", "base.h5", "bad.yaml")'
$PYTHON -c 'import xml.etree.ElementTree as e; r = e.parse("gate.xml").getroot(); assert r.get("errors") == "1"' ||
  fail "an error is no JUnit error"

# Failed runs, with texts that break careless writers: ESC, ]]>, and what XML and TSV take for their own.
$PYTHON -c 'import numpy as n; n.save("x.npy", n.array([[1.0, n.nan], [2, 3]])); n.save("y.npy", n.ones((2, 2)))'
cat >text.yaml <<'EOT'
rowmax: 1
name: "]]> & <text>"
fixed: {corpus: demo, unknown_words: skip}
grid:
  sentence: ["the cat \e[31m ]]> <b> \"q\" & \t \x80 \uFFFE chased", the cat chased the mouse]
EOT
run 0 run text.yaml -o text.h5 -q
cp text.h5 text2.h5
change text2.h5 'f["status"][0] = 1; f["score_std"][1] = 7'
for format in "--json gate.json" "--junit gate.xml"; do
  # shellcheck disable=SC2086 # two words
  run 1 check text2.h5 --against text.h5 $format
done
json 'assert "\x1b[31m ]]> <b>" in d["regressions"][0]["where"] and d["regressions"][0]["now_status"] == "failed"'
[ "$(grep -c $'\e' out)" = 0 ] || fail "ESC reached the terminal"
[ "$(awk -F'\t' 'NR > 1 && NF > 1 && NF != 10' out | wc -l)" = 0 ] || fail "a line has not ten columns"
$PYTHON - <<'EOT' || fail "the JUnit file is not what it should be"
import xml.etree.ElementTree as tree
root = tree.parse("gate.xml").getroot()
suite, = root
cases = suite.findall("testcase")
assert root.tag == "testsuites" and suite.tag == "testsuite"
assert len(cases) == 2 == int(suite.get("tests")) and len({c.get("name") for c in cases}) == 2
assert int(suite.get("failures")) == 2 == len(suite.findall("testcase/failure"))
assert suite.get("name") == "rowmax check ]]> & <text>" and "]]> <b> \"q\" & \t" in cases[0].get("name")
assert "score_std: baseline" in cases[1].find("failure").text
EOT
printf '%s\n' 'rowmax: 1' 'name: fails' 'fixed: {source: arrays}' 'grid: {x: [x.npy, y.npy]}' >fails.yaml
run 3 run fails.yaml -o fails.h5 -q
run 0 check fails.h5 --against fails.h5 --json gate.json --junit gate.xml && says "1 run failed in both"
json 'assert d["counts"]["runs_compared"] == 1 and d["counts"]["runs_unmeasured"] == 1'
$PYTHON -c 'import xml.etree.ElementTree as e; s = e.parse("gate.xml").getroot()[0]
assert (s.get("tests"), s.get("failures"), s.get("skipped")) == ("2", "0", "1")
assert "scores are not finite" in s.find("testcase/skipped").get("message")' || fail "a failed run is not skipped"
cp fails.h5 fixed.h5
change fixed.h5 'f["status"][0] = 0'
run 1 check fails.h5 --against fixed.h5 && prints "ok	failed" && prints "scores are not finite"
run 0 check fixed.h5 --against fails.h5 && prints "improved"
change fixed.h5 'f["status"][1] = 1'
run 4 check fails.h5 --against fails.h5 --min-compared 2

# Another host: a warning, and 1 if asked.
cp base.h5 host.h5
change host.h5 'f.attrs["processor"] = "Other CPU ]]>"; f.attrs["compiler"] = "cc 1"'
run 0 check host.h5 --against base.h5 --json - --github
says "processor differs"
says "::warning title=rowmax check::compiler differs"
$PYTHON -c 'import json; d = json.load(open("out")); assert [f["name"] for f in d["differs"]] == ["processor", "compiler"]
assert len(d["warnings"]) == 2 and d["verdict"] == "pass"' || fail "standard output is not one JSON document"
run 1 check host.h5 --against base.h5 --strict-host --json gate.json --junit gate.xml && says "--strict-host"
json 'assert d["reasons"] == ["host"]'
run 0 check host.h5 --against base.h5 --junit -
$PYTHON -c 'import xml.etree.ElementTree as e; assert len(e.parse("out").getroot().findall(".//testcase")) == 16' ||
  fail "standard output is not one XML document"
# An interrupted sweep says that it is not whole.
cp base.h5 part.h5
change part.h5 'f.attrs["planned_runs"] = 20'
run 0 check part.h5 --against base.h5 && says "'part.h5' holds 16 of 20 planned runs"

# A measure that the baseline's version did not know is not compared, and said so.
cp base.h5 older.h5
change older.h5 'del f["max_logit"]'
run 0 check base.h5 --against older.h5 && says "'max_logit' is not in both files and was not compared"
prints "compared 16 runs, $((16 * ($("$ROWMAX" fields | grep -c "	measured	") - 1))) measures"

# Annotations are single lines.
run 1 check text2.h5 --against text.h5 --github
[ "$(grep -c '^::error title=rowmax regression::' out)" = 2 ] || fail "two regressions are not two annotations"

# From a Makefile the status is 2, the verdict the same.
run 1 check worse.h5 --against base.h5 --json direct.json
printf 'gate:\n\t"%s" check worse.h5 --against base.h5 --json gate.json\n' "$ROWMAX" >Makefile
make -s gate >out 2>err
[ $? = 2 ] || fail "make has its own ways; docs/ci.md should change"
same direct.json gate.json

# The steps of the example workflow, as GitHub runs them.
mkdir workflow
ln -s "$SOURCE/experiments" workflow/experiments
step() {
  awk -v name="      - name: $1" '
    $0 == name { here = 1; next }
    here && /^      - / { exit }
    here && /^        run: \|/ { block = 1; next }
    here && block { sub(/^          /, ""); print }' "$SOURCE/docs/nightly.yml"
}
follow() {
  (cd workflow && PATH="$(dirname "$ROWMAX"):$PATH" GITHUB_STEP_SUMMARY=summary.md \
    bash --noprofile --norc -e -o pipefail -c "$(step "$1")" >../out 2>../err)
  local got=$?
  [ $got = "$2" ] || fail "step '$1' of docs/nightly.yml gave $got, wanted $2"
}
follow Run 0
follow Check 0
grep -q "Nothing moved" workflow/summary.md || fail "the workflow does not say what it found"
change workflow/nightly.h5 'f["score_std"][0] += 1'
follow Check 1
follow Report 0
grep -q "^## Nights" workflow/nightly-report/report.md || fail "the report of the workflow draws no nights"
grep -q "left their tolerance" workflow/summary.md || fail "the workflow does not tell a regression"
[ "$(wc -l <workflow/history.jsonl)" = 2 ] || fail "two nights are not two lines"

# History: created, appended to, and the night of a step named.
for day in 01 02 03; do
  run 0 check base.h5 --against base.h5 --history history.jsonl --date 2026-11-$day
done
[ "$(grep -c stepped out)" = 0 ] || fail "a level has a step"
run 1 check worse.h5 --against base.h5 --history history.jsonl --date 2026-11-04 --json gate.json
prints "row_max_mean stepped on 2026-11-04 from"
prints "where guards=scale"
run 1 check worse.h5 --against base.h5 --history history.jsonl --date 2026-11-05 --json gate.json
prints "row_max_mean stepped on 2026-11-04 from"
json 's, = d["steps"]; assert (s["date"], s["measure"], s["where"]) == ("2026-11-04", "row_max_mean", "guards=scale")'
$PYTHON - <<'EOT' || fail "the history is not what it should be"
import h5py, json
nights = [json.loads(line) for line in open("history.jsonl")]
assert [n["date"][-2:] for n in nights] == ["01", "02", "03", "04", "05"]
assert [n["verdict"] for n in nights] == ["pass"] * 3 + ["fail"] * 2
assert not any(n["other_host"] for n in nights)
group, = [g for g in nights[4]["groups"] if g["where"] == "guards=scale"]
mean = h5py.File("worse.h5")["row_max_mean"][4:6].mean()
assert group["runs"] == 2 and abs(group["means"]["row_max_mean"] - mean) < 1e-15
EOT
run 0 check base.h5 --against base.h5 --history today.jsonl
grep -q "\"date\": \"$(date -u +%Y-%m)" today.jsonl || fail "the date is not today"
# A second check on one date is another night, and the help says so.
run 0 check base.h5 --against base.h5 --history twice.jsonl --date 2026-11-01
run 0 check base.h5 --against base.h5 --history twice.jsonl --date 2026-11-01
[ "$(grep -c '"date": "2026-11-01"' twice.jsonl)" = 2 ] || fail "a second check on one date adds no line"
run 0 help check && prints "second check on one date"
# A last line without its line feed is not glued to the next.
printf %s "$(cat history.jsonl)" >open.jsonl
run 0 check base.h5 --against base.h5 --history open.jsonl
[ "$(wc -l <open.jsonl)" = 6 ] || fail "a line was glued to another"
# The report draws it: the verdicts, the step and a table; the history itself is only read.
cp history.jsonl before.jsonl
run 0 report worse.h5 -o plain
run 0 report worse.h5 -o nights --history history.jsonl
same history.jsonl before.jsonl
[ -s nights/nights.png ] && [ -s nights/nights.svg ] || fail "no figure of the nights"
has() { grep -qF "$1" nights/report.md || fail "the report does not say '$1'"; }
has "5 nights of this sweep, from 2026-11-01 to 2026-11-05. Their verdicts: 3 pass, 2 regressions."
has "| 2026-11-04 | guards=scale | \`row_max_mean\` |"
grep -q "night from which" nights/nights.gp || fail "the figure does not say what the dashed line is"
# Without the part, and the links to its figure, both reports are one.
awk '/^## /{ nights = $0 == "## Nights" } !nights' nights/report.md >cut.md
same cut.md plain/report.md
# A wider tolerance leaves no step, results that were not checked are told apart.
echo 'default: {atol: 1}' >wide.yaml
run 0 report base.h5 -o nights --history history.jsonl --tolerance wide.yaml
has "No measure stepped."
has "are not those of the last night"
# Without a history the figure of an older report goes.
run 0 report worse.h5 -o nights
absent nights/nights.png nights/nights.gp nights/nights.tsv
same nights/report.md plain/report.md
run 0 check host.h5 --against base.h5 --history host.jsonl
run 0 report host.h5 -o nights --history host.jsonl
has "1 of them ran on another host than the baseline."
# Histories that cannot be read, before anything is written.
run 2 report worse.h5 -o none --history nothing.jsonl && one_line && says "the history: cannot open 'nothing.jsonl'"
run 2 report worse.h5 -o none --history "$SOURCE" && one_line && says "is a folder"
{ head -1 history.jsonl && echo '[]'; } >broken.jsonl
run 2 report worse.h5 -o none --history broken.jsonl && one_line && says "broken.jsonl:2:"
run 2 report worse.h5 -o none --history - && one_line && says "name a file"
run 2 report worse.h5 -o none --tolerance wide.yaml && one_line && says "add --history FILE"
absent none
# Not a history: named, and left as it is.
for text in '{"rowmax_history": 1, "da' '[]' 'not JSON'; do
  { head -1 history.jsonl && echo "$text"; } >broken.jsonl
  cp broken.jsonl before.jsonl
  run 2 check base.h5 --against base.h5 --history broken.jsonl && one_line && says "broken.jsonl:2:"
  same broken.jsonl before.jsonl
done
mkfifo pipe.jsonl
for special in /dev/full /dev/null pipe.jsonl; do
  run 5 check base.h5 --against base.h5 --history $special && one_line
  says "the history '$special' is not a regular file; name one that is"
done
mkdir folder
run 2 check base.h5 --against base.h5 --history folder && one_line && says "folder"
[ "$(id -u)" = 0 ] || { chmod a-w folder && run 5 check base.h5 --against base.h5 --history folder/h.jsonl; }

# However a check ends, no verdict of an earlier one is left; devices and pipes are written to, not replaced.
run 0 check base.h5 --against base.h5 --json gate.json --junit gate.xml
run 5 check base.h5 --against base.h5 --json gate.json --junit gate.xml --history nowhere/h.jsonl
json 'assert d["verdict"] == "pass"' # it was made; the history alone is missing
run 5 check base.h5 --against base.h5 --json gate.json --junit folder && says "folder"
run 2 check nothing.h5 --against base.h5 --json gate.json --github
json 'assert d["verdict"] == "error"'
says "::error title=rowmax check::there is no file 'nothing.h5'"
run 0 check base.h5 --against base.h5 --json /dev/null
mkfifo pipe
cat pipe >piped.json &
run 0 check base.h5 --against base.h5 --json pipe
wait
$PYTHON -c 'import json; assert json.load(open("piped.json"))["verdict"] == "pass"' || fail "a pipe got no verdict"
[ -c /dev/null ] || fail "/dev/null was replaced"

# Outputs that cannot be written, and inputs that are not there.
run 5 check base.h5 --against base.h5 --json nowhere/gate.json && one_line && says "nowhere/gate.json"
run 5 check base.h5 --against base.h5 --junit nowhere/gate.xml && one_line
run 5 check base.h5 --against base.h5 --history nowhere/h.jsonl && one_line && says "nowhere/h.jsonl"
"$ROWMAX" check base.h5 --against base.h5 --json - >/dev/full 2>err
[ $? = 5 ] || fail "a full standard output passed for success"
run 2 check base.h5 && one_line && says "--against is missing"
run 2 check && one_line
run 2 check nothing.h5 --against base.h5 --json gate.json && one_line && says "nothing.h5"
json 'assert d["verdict"] == "error"'
run 2 check base.h5 --against nothing.h5 && one_line && says "the baseline: there is no file 'nothing.h5'"
run 2 check base.h5 --against base.h5 --tolerance nothing.yaml && one_line && says "nothing.yaml"
run 2 check base.h5 --against base.h5 --json base.h5 && one_line && says "--json 'base.h5' is read here"
ln base.h5 link.h5
run 2 check base.h5 --against base.h5 --junit link.h5 && one_line && says "name another file"
run 2 check base.h5 --against base.h5 --json x --history x && one_line && says "name two files"
run 2 check base.h5 --against base.h5 --json - --junit - && one_line && says "name two files"
run 2 check base.h5 --against base.h5 --json x --junit ./x && one_line && says "name two files"
absent x
same base.h5 before.h5
# Nor is what holds runs, of whatever sweep, removed for a verdict: a results file, a journal.
run 0 run small.yaml -o kept.h5 -q
cp kept.h5 kept.before
ln -s kept.h5 to-kept
printf 'rowmax journal 2\n' >stopped.h5.journal
for option in --json --junit --history; do
  for results in kept.h5 to-kept stopped.h5.journal; do
    run 2 check base.h5 --against base.h5 $option $results && one_line && says "$option '$results' holds results"
  done
done
same kept.h5 kept.before
[ "$(wc -c <stopped.h5.journal)" = 17 ] || fail "a journal was removed for a verdict"
run 2 check base.h5 --against - && one_line && says "name a file"
run 2 check base.h5 --against base.h5 --min-compared 0 && one_line && says "--min-compared 0"
for date in 2026-02-29 2026-13-01 2026-1-1 today 2026-11-290; do
  run 2 check base.h5 --against base.h5 --history h.jsonl --date $date && one_line && says "--date $date"
done
absent h.jsonl
run 0 check base.h5 --against base.h5 --history h.jsonl --date 2028-02-29
exit $FAILED
