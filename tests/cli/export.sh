# SPDX-License-Identifier: MIT
# rowmax export: tables that strict parsers take, course data that its schema takes, full disks, hostile names.
. "$2/tests/support/cli.sh"
SCHEMA="$SOURCE/docs/schema/module.schema.json"

# Hostile names of texts, and a sentence that is a formula: eight texts, as equal texts are one corpus.
mkdir -p "texts/../up" texts
number=0
for name in '=1+1' 'a,"b' 'Demo' 'demo' 'ä€|`$(x)`' '../up/x' "$(printf 'tab\there')" "$(printf 'a%.0s' $(seq 200))"; do
  number=$((number + 1))
  (cat "$SOURCE/corpora/demo.txt" && echo "The cat number $number.") >"texts/$name" || fail "no text '$name'"
  printf '%s\n' "texts/$name" >>names
done
cat >hostile.yaml <<'EOS'
rowmax: 1
name: "a\"b,c<d>"
title: "=HYPERLINK(\"x\")"
fixed: {sentence: "=the cat, chased\nthe \"mouse\"", d_model: 8, d_k: 4, unknown_words: skip}
grid:
  corpus: CORPORA
  guards: all
  seed: [0, 9007199254740991]
keep: {matrices: [weights], where: {seed: 0}}
EOS
/usr/bin/python3 - <<'EOS'
import json
names = open("names", encoding="utf-8").read().split("\n")[:-1]
text = open("hostile.yaml").read().replace("CORPORA", json.dumps(["./" + n for n in names]))
open("hostile.yaml", "w").write(text)
EOS
run 0 run hostile.yaml -o hostile.h5 -q

# Rows without a number: masked scores (undefined), an infinite depth (argmax), and runs that fail.
cat >odd.yaml <<'EOS'
rowmax: 1
name: odd
grid:
  - {source: scores, scores: [[[1, 2, 3]], [[-.inf, -.inf]]], weights: [softmax, argmax]}
  - {source: gaussian, tokens: 4, input_spread: 1e50, score_factor: [1, 1e300], seed: 3, softcap: [0, 2]}
EOS
run 3 run odd.yaml -o odd.h5 -q

for file in hostile odd; do
  run 0 export $file.h5 --format csv -o $file.csv
  run 0 export $file.h5 --format jsonl -o $file.jsonl
  run 0 export $file.h5 --format json -o $file.json
  run 0 export $file.h5 --format csv && same out $file.csv
  run 0 export $file.h5 --format json -o - && same out $file.json
done

cat >tables.py <<'EOS'
import csv, h5py, json, math, struct
import pandas as pd

def refuse(word):
    raise ValueError(word)

def unique(pairs):
    assert len({k for k, _ in pairs}) == len(pairs), "a key is there twice"
    return dict(pairs)

def load(text):
    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)

for name, runs in (("hostile", 128), ("odd", 8)):
    f = h5py.File(name + ".h5")
    texts = {key: f[key].asstr()[:] for key in f if key + "_index" in f}
    raw = open(name + ".csv", "rb").read()
    assert raw.endswith(b"\r\n") and not raw.startswith(b"\xef\xbb\xbf")
    with open(name + ".csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True))
    head, rows = rows[0], rows[1:]
    assert len(rows) == runs and all(len(r) == len(head) for r in rows) and len(set(head)) == len(head)
    lines = open(name + ".jsonl", encoding="utf-8").read().split("\n")
    assert lines[-1] == ""
    lines = [load(line) for line in lines[:-1]]
    document = load(open(name + ".json", encoding="utf-8").read())
    assert document["rows"] == lines and document["runs"] == runs == document["planned_runs"]
    assert document["name"] == f.attrs["name"] and document["sweep"] == f["sweep"].asstr()[()]
    assert document["facts"]["sweep_sha256"] == f.attrs["sweep_sha256"]
    assert [c["name"] for c in document["columns"]] == head
    for c in document["columns"]:
        if c["name"] in f and c["unit"]:
            assert f[c["name"]].attrs["units"] == c["unit"], c
    for i, (row, line) in enumerate(zip(rows, lines)):
        assert list(line) == head + ["not_finite"]
        cells = dict(zip(head, row))
        assert cells["run"] == str(i) and line["run"] == i
        assert cells["run_key"] == line["run_key"] == f"{int(f['run_key'][i]) & (1 << 64) - 1:016x}"
        assert cells["status"] == line["status"] == ("ok", "failed")[f["status"][i]]
        for key in head[4:]:
            if key == "guards":
                on = [g for g in ("init", "scale", "norm") if f["guard_" + g][i] == 1]
                wanted = "" if line["source"] == "scores" else "+".join(on) or "none"
                assert cells[key] == wanted and line[key] == (wanted or None), (cells[key], wanted)
            elif key + "_index" in f:
                place = f[key + "_index"][i]
                text = texts[key][place] if place >= 0 else ""
                assert cells[key] == text and (line[key] or "") == text, (key, cells[key], text)
            elif "flag_meanings" in f[key].attrs and f[key].attrs.get("dtype") != "bool":
                word = f[key].attrs["flag_meanings"].split()[f[key][i]] if f[key][i] >= 0 else ""
                assert cells[key] in (word, "") and (line[key] or "") == cells[key], key
            elif f[key].attrs.get("dtype") == "bool" or f[key].dtype == "i1":
                assert cells[key] in ({0: "false", 1: "true"}.get(int(f[key][i])), ""), (key, cells[key])
                assert line[key] == {"true": True, "false": False, "": None}[cells[key]]
            elif cells[key] == "":
                # Nothing is left out that is a number, but counts that a failed run did not reach.
                value = float(f[key][i])
                failed = line["status"] == "failed" and value == 0
                idle = i >= 4 and key in ("score_factor",) or not math.isfinite(value) or failed
                assert line[key] is None
                assert math.isnan(value) or failed or key not in line["not_finite"], (key, value)
            else:
                value = f[key][i]
                assert float(cells[key]) == value, (key, cells[key], value)
                assert struct.pack("<d", float(cells[key])) == struct.pack("<d", float(value))
                if math.isfinite(value):
                    assert line[key] == value
                    if f[key].dtype == "f8":
                        assert len(cells[key].lstrip("-")) <= len(repr(float(value)).lstrip("-")), cells[key]
                else:
                    assert line[key] is None and line["not_finite"][key] == ("infinity" if value > 0 else "-infinity")
        for key, word in line["not_finite"].items():
            assert line[key] is None and word in ("nan", "infinity", "-infinity")
    frame = pd.read_csv(name + ".csv", dtype={"run_key": str})
    assert len(frame) == runs and frame["row_max_mean"].dtype == "f8"
    for key in ("row_max_mean", "log_one_minus_row_max_mean", "max_logit"):
        ours = pd.to_numeric(pd.read_csv(name + ".csv", float_precision="round_trip")[key])
        assert all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(ours, f[key][:])), key

odd = load(open("odd.json", encoding="utf-8").read())["rows"]
assert [r["status"] for r in odd].count("failed") > 0 and all(r["message"] for r in odd if r["status"] == "failed")
assert any(r["not_finite"].get("log_one_minus_row_max_mean") == "-infinity" for r in odd)
assert any(r["not_finite"].get("row_max_mean") == "nan" for r in odd)
hostile = load(open("hostile.json", encoding="utf-8").read())["rows"]
names = open("names", encoding="utf-8").read().split("\n")[:-1]
assert {r["corpus"] for r in hostile} == {"./" + n for n in names}
assert hostile[0]["sentence"] == '=the cat, chased\nthe "mouse"'
assert b"</" not in open("hostile.json", "rb").read()
EOS
/usr/bin/python3 tables.py || fail "the tables are not what the file holds"

# Rows and columns by choice, in the order asked for.
run 0 export odd.h5 --format csv --fields weights,run --where source=scores --where weights=argmax
printf 'weights,run\r\nargmax,1\r\nargmax,3\r\n' >wanted
same out wanted
run 0 export odd.h5 --format jsonl --fields run --where status=failed
[ "$(wc -l <out)" = "$(grep -c '"failed"' odd.jsonl)" ] || fail "not the failed runs"
for refused in '--fields run,rum' '--fields run,run' '--where d_modl=8' '--where d_model' '--where weights=hard' \
  '--strict' '--tolerance x' '--diff x' '--format xml' '-o odd.h5'; do
  # shellcheck disable=SC2086 # options and their values
  run 2 export odd.h5 --format csv $refused
  one_line
done
printf 'rowmax journal 1\n' >stopped.h5.journal
run 2 export odd.h5 --format csv -o stopped.h5.journal && one_line && says "--output 'stopped.h5.journal' holds results"
[ "$(wc -c <stopped.h5.journal)" = 17 ] || fail "a journal was replaced by a table"
run 0 export hostile.h5 --format csv --fields guards,seed --where guards=init+norm --where corpus=./texts/Demo
printf 'guards,seed\r\ninit+norm,0\r\ninit+norm,9007199254740991\r\n' >wanted
same out wanted
run 2 export odd.h5 --format csv --where d_model=63 && says "no run meets --where 'd_model=63'"
run 2 export odd.h5 && says "--format csv, json, jsonl or module is missing; usage: rowmax export --format HOW"
run 2 export nowhere.h5 --format csv
run 0 show --verify odd.h5

# Runs that the sweep no longer holds are left out.
run 0 run small.yaml -o stale.h5 -q
run 0 run small.yaml -o stale.h5 -q --set window=4
run 0 export stale.h5 --format jsonl && says "16 rows that the sweep no longer holds are left out"
[ "$(wc -l <out)" = 16 ] || fail "stale runs are exported"

# Full disks and readers that go: status 5 and the old file, or 0.
run 0 export hostile.h5 --format csv -o out.csv
for format in csv json jsonl; do
  "$ROWMAX" export hostile.h5 --format $format >/dev/full 2>err
  [ $? = 5 ] && says "cannot write standard output" || fail "a full standard output passed for success"
  run 5 export hostile.h5 --format $format -o /dev/full && says "cannot write '/dev/full'" && one_line
  (ulimit -f 8; "$ROWMAX" export hostile.h5 --format $format -o out.csv >out 2>err)
  [ $? = 5 ] || fail "a full disk did not give status 5"
  one_line && same out.csv hostile.csv
done
(set -o pipefail; "$ROWMAX" export hostile.h5 --format json | head -n 1 >/dev/null) 2>err || fail "a reader that goes is no failure"
[ ! -s err ] || fail "a reader that goes makes noise"
run 5 export odd.h5 --format csv -o nowhere/x.csv && one_line
run 5 export odd.h5 --format csv -o texts && says "is a folder"
[ -c /dev/full ] || fail "the device was replaced"
! ls -A | grep -q '\.tmp' || fail "a temporary file was left"

# Course data: every file meets the schema, and says what the results do.
run 0 export hostile.h5 --format module -o course && prints "course/index.json" && says "64 of 128 combinations" && says "rowmax run SWEEP --set 'keep=[weights]' -o FILE"
cat >course.py <<'EOS'
import copy, h5py, json, os, re, sys
import jsonschema

folder, results, schema = sys.argv[1:]
def refuse(word):
    raise ValueError(word)
def load(path):
    return json.load(open(path, encoding="utf-8"), parse_constant=refuse)
schema = load(schema)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
f = {name: (x.asstr() if x.dtype.kind == "O" else x)[...] for name, x in h5py.File(results).items()}
index = load(folder + "/index.json")
validator.validate(index)
names = [f["corpus"][i] for i in dict.fromkeys(f["corpus_index"])]
assert [c["name"] for c in index["corpora"]] == names
digests = dict(zip(f["corpus"], f["corpus_sha256"]))
folders = [c["folder"].lower() for c in index["corpora"]]
assert len(set(folders)) == len(names)
for c in index["corpora"]:
    assert c["sha256"] == digests[c["name"]]
    assert re.fullmatch(r"[a-z0-9_~-][a-z0-9_.~-]*", c["folder"]) and len(c["folder"]) < 128, c
assert index["thresholds"]["row_max"] == f["saturation_row_max"][0]
kept = {int(row): i for i, row in enumerate(f["kept_index"])}
listed = set()
for entry in index["pairs"]:
    pair = load(os.path.join(folder, entry["path"]))
    validator.validate(pair)
    assert (pair["corpus"], pair["seed"]) == (entry["corpus"], entry["seed"])
    listed.add(entry["path"])
    count = 0
    for mask, c in enumerate(pair["combinations"]):
        rows = [i for i in range(len(f["run"])) if f["corpus"][f["corpus_index"][i]] == pair["corpus"]
                and f["seed"][i] == pair["seed"] and f["guard_init"][i] == (mask & 1)
                and f["guard_scale"][i] == (mask >> 1 & 1) and f["guard_norm"][i] == (mask >> 2 & 1)]
        assert len(rows) == 1
        assert [m["name"] for m in index["measures"]] == list(c["measures"])
        for key, value in c["measures"].items():
            assert value == f[key][rows[0]] or (value is None and key in c["not_finite"]), key
        if rows[0] in kept:
            n, q = f["kept_tokens"][kept[rows[0]]], f["queries"][rows[0]]
            assert c["weights"] == f["kept_weights"][kept[rows[0]]][:q, :n].tolist()
            assert len(pair["tokens"]) == n
            count += 1
        else:
            assert c["weights"] is None and pair["note"]
    assert count == entry["weights"]
there = {os.path.relpath(os.path.join(d, x), folder) for d, _, fs in os.walk(folder) for x in fs}
assert there == listed | {"index.json"}, there ^ listed

# The schema refuses what is wrong.
def wrong(document, change):
    broken = copy.deepcopy(document)
    change(broken)
    assert not validator.is_valid(broken), change
pair = load(os.path.join(folder, index["pairs"][0]["path"]))
first = lambda d: d["combinations"][0]
for change in (lambda d: d.pop("seed"), lambda d: d.update(seed=-1), lambda d: d.update(seed=1.5),
               lambda d: d.update(rowmax_module=2), lambda d: d.update(more=1), lambda d: d.update(tokens="a b"),
               lambda d: d["combinations"].pop(), lambda d: d["combinations"].reverse(),
               lambda d: first(d).update(init=True), lambda d: first(d).update(status="fine"),
               lambda d: first(d).update(message="why"), lambda d: first(d)["measures"].pop("row_max_mean"),
               lambda d: first(d)["measures"].update(row_max_mean="NaN"), lambda d: first(d).update(weights=[["1"]]),
               lambda d: first(d)["not_finite"].update(row_max_mean="unknown")):
    wrong(pair, change)
for change in (lambda d: d.pop("pairs"), lambda d: d["pairs"][0].update(path="../x/1.json"),
               lambda d: d["pairs"][0].update(path="/etc/1.json"), lambda d: d["pairs"][0].update(weights=9),
               lambda d: d["guards"].pop(), lambda d: d["corpora"][0].update(folder="a/b"),
               lambda d: d["corpora"][0].update(sha256="x"), lambda d: d["thresholds"].update(row_max="high"),
               lambda d: d["settings"].update(power=None), lambda d: d["measures"][0].pop("unit")):
    wrong(index, change)
EOS
/usr/bin/python3 course.py course hostile.h5 "$SCHEMA" || fail "the course data is not what the file holds"
[ ! -e up/x ] || [ -f "texts/../up/x" ] || fail "a name led out of the folder"

# A second export takes the place of the first, and of its files only.
echo mine >course/README
run 0 export hostile.h5 --format module -o course -q --where seed=0
one_line && says "8 pairs of an earlier export removed from 'course'"
run 0 export hostile.h5 --format module -o course -q --where seed=0
[ ! -s err ] || fail "-q says something"
[ "$(cat course/README)" = mine ] || fail "a file of somebody else was touched"
[ "$(find course -name '*.json' | wc -l)" = 9 ] || fail "files of the first export are left"
rm course/README
/usr/bin/python3 course.py course hostile.h5 "$SCHEMA" || fail "the second course data is not what the file holds"
mkdir other && echo '{"mine": 1}' >other/index.json
run 2 export hostile.h5 --format module -o other && says "name another folder"
[ "$(cat other/index.json)" = '{"mine": 1}' ] || fail "an index of somebody else was replaced"
echo '{"rowmax_module": 1, "name": "", "title": "", "settings": {}, "measures": [],
  "corpora": [{"name": "x", "folder": "x"}], "pairs": [{"corpus": "x", "seed": 1, "path": "../names/1.json"}]}' >other/index.json
run 2 export hostile.h5 --format module -o other && says "FOLDER/SEED.json"

# A full disk leaves the first export.
cp -r course before
for blocks in 1 8 12; do
  (ulimit -f $blocks; "$ROWMAX" export hostile.h5 --format module -o course -q >out 2>err)
  [ $? = 5 ] || fail "a full disk did not give status 5 for course data"
  one_line
  diff -r before course >out || fail "a full disk changed the course data"
done
if [ "$(id -u)" = 0 ] && mkdir tiny && mount -t tmpfs -o size=256k tmpfs tiny 2>/dev/null; then
  run 0 export hostile.h5 --format module -o tiny/course -q --where seed=0 --where 'corpus=./texts/demo'
  cp -r tiny/course first
  run 5 export hostile.h5 --format module -o tiny/course -q && one_line && says "tiny/course"
  diff -r first tiny/course >out || fail "a full file system changed the course data"
  umount tiny
fi
run 5 export hostile.h5 --format module -o /dev/full && one_line && says "'/dev/full' is in the way"
run 5 export hostile.h5 --format module -o names && one_line

# What course data has no place for is named, with what to add.
run 2 export odd.h5 --format module -o no && says "of another source" && absent no
run 0 run small.yaml -o wide.h5 -q --set 'd_model=[32, 64]' --set 'learner=[count-svd, random]'
run 2 export wide.h5 --format module -o no && says "d_model (32, 64)" && says "--where 'd_model=32'" && says "learner (" && absent no
run 0 export wide.h5 --format module -o wide -q --where d_model=64 --where learner=random
run 0 run small.yaml -o few.h5 -q --set 'guards=[none, init]'
run 2 export few.h5 --format module -o no && says "with seed 1 has no run with guards scale" && says "guards: all" && absent no
run 2 export small.h5 --format module -o no
run 2 export wide.h5 --format module && says "name it with -o"
run 2 export wide.h5 --format module -o - && one_line
run 2 export wide.h5 --format module --fields run -o no && one_line

# What moved: exact, within a tolerance, and as a status.
run 0 run small.yaml -o small.h5 -q --set 'keep=[weights]'
run 0 export small.h5 --format module -o small -q
run 0 export small.h5 --format module --diff small --strict && prints "nothing moved: 992 numbers of 2 pairs compared" # 2 x 8 x (37 measures + 25 weights)
sed -i 's/"row_max_mean": 0\.\([0-9]*\)/"row_max_mean": 0.\1000001/' small/demo/2.json
moved=$(grep -c '"row_max_mean": 0.[0-9]*000001' small/demo/2.json)
run 0 export small.h5 --format module --diff small
if [ "$moved" -gt 0 ]; then
  [ "$(grep -c '^moved	demo	2	' out)" = "$(awk -F'\t' '$5 == "row_max_mean"' out | wc -l)" ] || fail "other numbers moved as well"
else
  fail "no number to move"
fi
sed -i 's/"gradient_wq": [^,]*/"gradient_wq": 1000/' small/demo/1.json
run 1 export small.h5 --format module --diff small --strict && says "(--strict)"
[ "$(grep -c '^moved	demo	1	.*	gradient_wq	1000	' out)" = 8 ] || fail "not the eight numbers that moved"
# By measure: how many, and the largest absolute change with its place; alone with -q.
[ "$(sed -n 's/^gradient_wq	8	16	\([0-9.]*\)	demo	1	[a-z+]*	1000	.*/\1/p' out)" != "" ] || fail "no line that sums up gradient_wq"
largest=$(awk -F'\t' '$5 == "gradient_wq" && $1 == "moved" {d = $8 < 0 ? -$8 : $8; if (d > m) m = d} END {printf "%.6f", m}' out)
[ "$(awk -F'\t' '$1 == "gradient_wq" {printf "%.6f", $4}' out)" = "$largest" ] || fail "not the largest change"
sed '/^change/d; /^moved/d' out >sums
run 0 export small.h5 --format module --diff small -q && same out sums
[ "$(head -n 1 out)" = "measure	moved	of	largest	corpus	seed	guards	old	new" ] || fail "the summary has no heading"
echo 'default: {rtol: 1e9}' >wide.yaml
echo 'default: {rtol: 1e-9}' >narrow.yaml
run 0 export small.h5 --format module --diff small --strict --tolerance wide.yaml && prints "nothing moved"
run 1 export small.h5 --format module --diff small --strict --tolerance narrow.yaml
[ "$(grep -c '^moved' out)" = 8 ] || fail "the tolerance does not hold"
run 2 export small.h5 --format module --diff nowhere && says "nowhere/index.json"
rm small/demo/1.json
run 2 export small.h5 --format module --diff small && says "small/demo/1.json"
# In one step: what moved since the folder that is replaced.
run 0 export small.h5 --format module -o small -q
run 0 run small.yaml -o small.h5 -q --set 'seed=[2,3]' --set 'keep=[weights]'
cp -r small earlier
run 0 export small.h5 --format module -o small --diff small
says "1 pair of an earlier export removed from 'small'"
[ "$(awk -F'\t' '{print $1 $2 $3}' out | head -3 | tr '\n' ' ')" = "changecorpusseed newdemo3 gonedemo1 " ] || fail "not the pairs that come and go"
prints "new pairs: 1; pairs gone: 1"
run 0 export small.h5 --format module --diff earlier -q
[ "$(wc -l <out)" = 1 ] && prints "new pairs: 1; pairs gone: 1" || fail "-q does not sum up alone"
[ "$(ls small/demo | tr '\n' ' ')" = "2.json 3.json " ] || fail "not the new pairs"

# A locale with a decimal comma: the same bytes.
if command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 "$WORK/de_DE.UTF-8" >locale.log 2>&1; then
  for format in csv json jsonl; do
    LOCPATH=$WORK ASAN_OPTIONS=detect_leaks=0 LC_ALL=de_DE.UTF-8 "$ROWMAX" export odd.h5 --format $format -o german.$format 2>err || fail "$format in German"
    same german.$format odd.$format
  done
  LOCPATH=$WORK ASAN_OPTIONS=detect_leaks=0 LC_ALL=de_DE.UTF-8 "$ROWMAX" export small.h5 --format module -o german -q >out 2>err || fail "course data in German"
  diff -r german small >out || fail "course data differs with the locale"
else
  fail "localedef is missing; apt-get install locales"
fi
exit $FAILED
