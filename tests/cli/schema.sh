# SPDX-License-Identifier: MIT
# The JSON Schema of the sweep file: committed as the command prints it, named by every experiment, and of one mind
# with the reader, as an independent validator says.
. "$2/tests/support/cli.sh"

run 0 schema
same out "$SOURCE/docs/schema/sweep.schema.json" # when red: rowmax schema >docs/schema/sweep.schema.json
for sweep in "$SOURCE"/experiments/*.yaml; do
  path=$(head -1 "$sweep" | sed -n 's/^# yaml-language-server: \$schema=//p')
  [ -n "$path" ] && same "$SOURCE/experiments/$path" "$SOURCE/docs/schema/sweep.schema.json"
done

# Sweeps of the documents: blocks that begin as a sweep does.
mkdir documents
for page in "$SOURCE"/README.md "$SOURCE"/docs/*.md "$SOURCE"/docs/rowmax.1; do
  awk -v page="documents/$(basename "$page")" '
    !inside && /^ *rowmax: 1( |$)/ { inside = 1; n++; indent = index($0, "r") - 1 }
    /^```|^\.Ed/ || (indent > 0 && /^[^ ]/) { inside = 0 }
    inside { print substr($0, indent + 1) > (page "-" n ".yaml") }' "$page"
done
[ "$(ls documents | wc -l)" -ge 5 ] || fail "the documents lack their sweeps"

cat >check.py <<'EOT'
import glob
import json
import re
import subprocess
import sys

import jsonschema
import yaml

program, source = sys.argv[1:]


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors read it: the core schema in place of PyYAML's 1.1."""


Loader.yaml_implicit_resolvers = {}
for kind, pattern, first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", list("-+.0123456789")),
):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(f"^({pattern})$"), first)
Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value, 0 if node.value[:2] in ("0x", "0o") else 10))
Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(re.sub(r"\.(?=[ina])", "", node.value.lower())))
assert yaml.load("[on, 1e-3, -.inf, 0x10, null, 007, 1.]", Loader) == ["on", 0.001, float("-inf"), 16, None, 7, 1.0]

schema = json.load(open(f"{source}/docs/schema/sweep.schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
wrong = []


def valid(text):
    return validator.is_valid(yaml.load(text, Loader))


def read(text):
    """Whether the reader takes it; files and words that are not there are another matter."""
    ended = subprocess.run([program, "plan", "-", "--list"], input=text.encode(), capture_output=True, timeout=60)
    assert ended.returncode in (0, 2), (text, ended)
    return ended.returncode == 0 or not re.search(rb"^-:\d+:\d+: ", ended.stderr, re.M)


def expect(text, by_reader, by_schema):
    got = read(text), valid(text)
    if got != (by_reader, by_schema):
        wrong.append(f"{text!r}: reader, schema are {got}, wanted {(by_reader, by_schema)}")


committed = glob.glob(f"{source}/experiments/*.yaml") + glob.glob("documents/*.yaml")
assert len(committed) >= 23, committed
for path in committed:
    for error in validator.iter_errors(yaml.load(open(path), Loader)):
        wrong.append(f"{path}: {error.message}")

HEAD = "rowmax: 1\nfixed: {source: gaussian, tokens: 8}\n"
TEXT = "rowmax: 1\nfixed: {corpus: demo, sentence: the cat}\n"
SCORES = "rowmax: 1\nfixed: {source: scores}\n"
GRID = HEAD + "grid: "

# Right for both.
for text in (
    HEAD, "{rowmax: 1, fixed: {source: gaussian, tokens: 8}}", HEAD + "name: 2024\ntitle: 3.5\n", HEAD + "name: on\n",
    HEAD + "title: |\n  one line\n", HEAD + "title: 'true'\n", "rowmax: 1\nfixed: {corpus: demo, sentence: 1984}\n",
    "rowmax: 1\nfixed: {corpus: demo, sentence: no}\n", "rowmax: 1\nfixed: {corpus: demo, sentence: true}\n",
    GRID + "{}\n", GRID + "[{d_k: 8}, {d_k: [8, {from: 16, to: 64, factor: 2}]}]\n", GRID + "{seed: {from: 3, to: 1, step: -1}}\n",
    GRID + "{guard_init: [on, OFF]}\n", GRID + "{guard_init: [true, No]}\n", GRID + "{guards: all}\n", GRID + "{guards: [all]}\n",
    GRID + "{guards: [none, scale+init, norm+scale+init]}\n", GRID + "{guards: none}\n", GRID + "{norm: 'layer', guard_norm: on}\n",
    GRID + "{input_spread: {from: 0, to: 1, step: 0.1}}\n", GRID + "{input_spread: [1e-3, .5, 1., +2]}\n",
    HEAD + "zip: {d_k: [8, 16], seed: [1, 2]}\n", HEAD + "zip: [{d_k: 8}, {seed: [1, 2]}]\n",
    HEAD + "exclude: {seed: 2}\n", HEAD + "exclude: []\n", HEAD + "exclude: [{seed: [2, 3], saturation_row_max: 0.5}]\n",
    HEAD + "keep: scores\n", HEAD + "keep: none\n", HEAD + "keep: [scores, weights]\n", HEAD + "keep: {matrices: weights, where: {seed: 1}}\n",
    HEAD + "keep: {matrices: [weights], where: {}}\n", HEAD + "measures: all\n", HEAD + "measures: score_std\n",
    HEAD + "measures: [score_std, entropy_mean]\n", HEAD + "saturation: {row_max: 1, gradient: 0}\n", HEAD + "saturation: {}\n",
    SCORES + "grid: {scores: [2, 1, -.inf]}\n", SCORES + "grid: {scores: [2, -inf]}\n", SCORES + "grid: {scores: [[2, 1], [0, 1]]}\n",
    SCORES + "grid: {scores: [[[2, 1]], [[0, 1], [1, 1]]]}\n", SCORES + "grid: {scores: 3}\n", SCORES + "grid: {scores: '2,1;0 -.inf'}\n",
    "rowmax: 1\nfixed: {source: scores, scores: [[2, 1], [0, 1]]}\n",
):
    expect(text, True, True)

# Wrong for both.
for text in (
    "[]", "text", "fixed: {source: gaussian, tokens: 8}\n", HEAD + "banana: 1\n", HEAD + "d_k: 8\n", "rowmax: 2\n" + HEAD[10:],
    "rowmax: '1'\n" + HEAD[10:], "rowmax: one\n" + HEAD[10:], HEAD + "name:\n", HEAD + "name: ''\n", HEAD + "name: a/b\n",
    HEAD + "name: .hidden\n", HEAD + "name: -5\n", HEAD + "name: [a]\n", HEAD + "name: \"a\\tb\"\n", HEAD + "name: " + 201 * "a" + "\n" + "nonsense: 1\n",
    HEAD + "title: {a: b}\n", HEAD + "title: \"two\\nlines\"\n", HEAD + "include: []\n", HEAD + "include: {a: b}\n", HEAD + "include: ''\n",
    "rowmax: 1\nfixed: [source]\n", "rowmax: 1\nfixed:\n", HEAD[:-2] + ", sede: 1}\n", HEAD[:-2] + ", seed: [1, 2]}\n",
    HEAD[:-2] + ", seed: {from: 1, to: 2}}\n", HEAD[:-2] + ", guards: all}\n", HEAD[:-2] + ", guards: [none]}\n",
    HEAD[:-2] + ", saturation_row_max: 0.5}\n", HEAD[:-2] + ", seed: }\n", GRID + "[]\n", GRID + "3\n", GRID + "[3]\n",
    GRID + "{seed: []}\n", GRID + "{seed: '1'}\n", GRID + "{seed: 1.5}\n", GRID + "{seed: 1_000}\n", GRID + "{seed: -1}\n",
    GRID + "{seed: true}\n", GRID + "{seed: [[1]]}\n", GRID + "{seed: {}}\n", GRID + "{seed: {from: 1}}\n",
    GRID + "{seed: {from: 1, to: 2, by: 1}}\n", GRID + "{seed: {from: 1, to: 8, step: 1, factor: 2}}\n",
    GRID + "{seed: {from: 1, to: 8, step: 0}}\n", GRID + "{seed: {from: 1, to: 8, factor: 1}}\n",
    GRID + "{seed: {from: 0, to: 8, factor: 2}}\n", GRID + "{seed: {from: '1', to: 8}}\n", GRID + "{seed: {from: -1, to: 8}}\n",
    GRID + "{d_k: {from: 1048576, to: 1048577}}\n", GRID + "{seed: {from: 1.5, to: 8}}\n", GRID + "{seed: [1, {from: 2}]}\n",
    GRID + "{input_spread: 1e400}\n", GRID + "{input_spread: -.inf}\n", GRID + "{input_spread: big}\n", GRID + "{mask: {from: 1, to: 2}}\n",
    GRID + "{guard_init: maybe}\n", GRID + "{guard_init: 1}\n", GRID + "{guards: [all, none]}\n", GRID + "{guards: init+init}\n",
    GRID + "{guards: init scale}\n", GRID + "{guards: []}\n", GRID + "{guards: {from: 1, to: 2}}\n", GRID + "{norm: Layer}\n",
    GRID + "{saturation_gradient: 0.1}\n", GRID + "{temperature: 2}\n", HEAD + "zip: []\n", HEAD + "zip: [{}]\n", HEAD + "zip: {}\n",
    HEAD + "zip: 3\n", HEAD + "exclude: 3\n", HEAD + "exclude: [{}]\n", HEAD + "exclude: {sede: 1}\n", HEAD + "exclude: [[]]\n",
    HEAD + "keep: []\n", HEAD + "keep: [none]\n", HEAD + "keep: gradients\n", HEAD + "keep: {where: {seed: 1}}\n", HEAD + "keep: {matrices: [scores], when: {}}\n",
    HEAD + "keep: {matrices: [scores], where: [seed]}\n", HEAD + "keep: {matrices: []}\n", HEAD + "measures: []\n",
    HEAD + "measures: [all]\n", HEAD + "measures: seed\n", HEAD + "measures: {score_std: on}\n", HEAD + "saturation: 0.9\n",
    HEAD + "saturation: {rowmax: 0.9}\n", HEAD + "saturation: {row_max: 2}\n", HEAD + "saturation: {row_max: [0.8, 0.9]}\n",
    SCORES + "grid: {scores: []}\n", SCORES + "grid: {scores: [[]]}\n", SCORES + "grid: {scores: [2, [1]]}\n", SCORES + "grid: {scores: [a]}\n",
    SCORES + "grid: {scores: [[2], 1]}\n", SCORES + "grid: {scores: {from: 1, to: 2}}\n", SCORES + "grid: {scores: [+.inf]}\n",
    SCORES + "grid: {scores: '2,,1'}\n", SCORES + "grid: {scores: ['2']}\n", SCORES + "grid: {scores: [[[[1]]]]}\n",
    "rowmax: 1\nfixed: {source: scores, scores: [[[1]]]}\n", "rowmax: 1\nfixed: {corpus: demo, sentence: [the, cat]}\n",
    "rowmax: 1\nfixed: {corpus: demo, sentence: ''}\n", "rowmax: 1\nfixed: {corpus: , sentence: the cat}\n",
    "rowmax: 1\nfixed: {corpus: {from: 1, to: 2}, sentence: the cat}\n",
):
    expect(text, False, False)

# A value beyond each end of every number, a choice that is none, and a slip in every name.
fields = subprocess.run([program, "fields"], capture_output=True, text=True).stdout.splitlines()[1:]
tried = 0
for name, role, kind, values, *_ in (line.split("\t") for line in fields):
    if role != "set" or name.startswith("saturation_"):
        continue
    bad = [(name + "q", "1")]
    if kind in ("integer", "number"):
        low, high = map(float, values.split(".."))
        bad += [(name, "%d" % v if kind == "integer" else "%.17g" % v) for v in (low - max(1, abs(low) / 2), high + max(1, abs(high) / 2))]
    elif kind == "choice":
        bad += [(name, values.split("|")[0] + "q"), (name, "3")]
    text = "rowmax: 1\ngrid: [" + ", ".join("{%s: [%s]}" % pair for pair in bad) + "]\n"
    errors = {tuple(e.absolute_path)[:2] for e in validator.iter_errors(yaml.load(text, Loader))}
    assert errors, text
    for pair in bad:
        assert not valid("rowmax: 1\ngrid: {%s: [%s]}\n" % pair), pair
    ended = subprocess.run([program, "plan", "-"], input=text, capture_output=True, text=True)
    for field, value in bad:
        tried += 1
        told = f"unknown field '{field}'" if field != name else f"{name}: '{value}'"
        if ended.returncode != 2 or told not in ended.stderr:
            wrong.append(f"{field}: {value}: not refused by the reader: {ended.stderr}")
assert tried > 120, tried

# What a schema cannot see: the spelling of a value, and one value by the light of another.
for text in (
    GRID + "{seed: 64.0}\n", GRID + "{seed: 1e3}\n", GRID + "{seed: 0x40}\n", GRID + "{seed: 007}\n", "rowmax: 1.0\n" + HEAD[10:],
    GRID + "{input_spread: .nan}\n", GRID + "{guard_init: 'on'}\n", SCORES + "grid: {scores: [2, '-inf']}\n",
    HEAD + "measures: 'all'\n", GRID + "{seed: {from: 3, to: 1}}\n", GRID + "{seed: {from: 1, to: 3, step: -1}}\n",
    GRID + "{d_k: {from: 1, to: 9999999, step: 9999998}}\n", GRID + "{seed: {from: 1, to: 9999999}}\n",
    HEAD + "zip: {d_k: [8, 16], seed: [1]}\n", SCORES + "grid: {scores: [[2, 1], [0]]}\n", HEAD + "grid: {tokens: 3}\n",
    "rowmax: 1\n", GRID + "{window: 3}\n", GRID + "{norm: rms}\n", HEAD + "name: " + 70 * "\u20ac" + "\n", HEAD + "name: .5\n",
):
    expect(text, False, True)
# Documents that a YAML reader makes one value of, or none.
for path in glob.glob(f"{source}/tests/unit/sweep/invalid/*.yaml"):
    assert subprocess.run([program, "plan", path], capture_output=True).returncode == 2, path
# A text that says null: for YAML it is none, for the reader four letters.
expect("rowmax: 1\nfixed: {corpus: demo, sentence: null}\n", True, False)

print("\n".join(wrong))
sys.exit(bool(wrong))
EOT
/usr/bin/python3 check.py "$ROWMAX" "$SOURCE" >out 2>err || fail "reader and schema differ"
exit $FAILED
