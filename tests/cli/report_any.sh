# SPDX-License-Identifier: MIT
# Reports of sweeps of every shape and with any names: bounded, complete, every name literal, nothing run.
. "$2/tests/support/cli.sh"
export PYTHONDONTWRITEBYTECODE=1

# report NAME FIGURES: runs NAME.yaml and reports it; the text is short, and that many figures are there, whole.
report() {
  run 0 run "$1.yaml" -o "$1.h5" -q
  run 0 report "$1.h5" -o "r/$1" --format svg,png
  [ "$(stat -c %s "r/$1/report.md")" -lt 2000000 ] || fail "the report of $1 is longer than 2 MB"
  local figures
  figures=$(ls "r/$1"/*.gp | wc -l)
  [ "$figures" = "$2" ] || fail "the report of $1 has $figures figures, wanted $2: $(ls "r/$1")"
  [ "$(ls "r/$1"/*.svg "r/$1"/*.png | wc -l)" = $((2 * $2)) ] || fail "the report of $1 lacks pictures: $(ls "r/$1")"
}
# sweep NAME GRID [FIXED]: a sweep of gaussian inputs.
sweep() {
  cat >"$1.yaml" <<EOT
rowmax: 1
name: $1
fixed: {source: gaussian, position: none, ${3:-tokens: 8, d_model: 8, d_k: 8}}
grid: {$2}
EOT
}

# One axis: lines. Two: lines and a map. A single run, a single seed.
sweep one 'input_spread: [0.5, 1, 2], seed: [1, 2]'
report one 2
sweep two 'input_spread: [0.25, 0.5, 1, 2], d_model: [4, 16, 64], seed: [1, 2]' 'tokens: 8, d_k: 8'
report two 3
grep -q 'White line' r/two/phase.svg || fail "the map has no contours"
sweep single 'seed: [1]'
report single 1
# More values than lines can be told apart: some of them, evenly.
sweep long 'input_spread: {from: 0.25, to: 64, factor: 2}, d_model: {from: 4, to: 22, step: 2}, seed: [1]' 'tokens: 4, d_k: 4'
report long 3
grep -q 'Drawn are 5 of 9 values of spread of the drawn input' r/long/report.md || fail "the caption does not say that lines are left out"
# Eight axes of two values.
sweep eight 'tokens: [3, 4], d_model: [4, 8], d_k: [2, 4], input_spread: [1, 2], mask: [none, causal],
  weights: [softmax, sparsemax], qk_norm: [none, l2], guard_norm: [off, on], seed: [1]' 'score_factor: 1'
report eight 4
# Ten thousand runs of three axes.
sweep many 'tokens: {from: 2, to: 26}, input_spread: {from: 0.05, to: 1, step: 0.05}, score_factor: {from: 1, to: 20}, seed: [1]' \
  'd_model: 2, d_k: 2'
report many 4
grep -q '10,000 runs planned' r/many/report.md || fail "the report does not count 10,000 runs"
grep -q 'Drawn are .* values of .* and 8 of 20 values of score factor' r/many/report.md || fail "facets are not taken evenly"

# Scores that are all the same, all undefined, and 0 on a logarithmic axis.
scores() {
  cat >"$1.yaml" <<EOT
rowmax: 1
name: $1
fixed: {source: scores, scores: [[0, 1, -1], [0, 2, 1]], $3}
grid: {score_factor: $2}
EOT
}
scores constant '[0, 0.0, 1]' 'mask: none'
sed -i 's/\[\[0, 1, -1\], \[0, 2, 1\]\]/[[0, 0], [0, 0]]/; s/\[0, 0.0, 1\]/[1, 2, 3]/' constant.yaml
report constant 1
scores undefined '[60000, 62000, 64000]' 'precision: fp16, stabilise: off'
report undefined 2
grep -q 'no value that can be drawn' r/undefined/saturation.svg || fail "panels without a value do not say so"
scores zeros '[0, 1, 1000, 2000]' 'mask: none'
report zeros 1
grep -q 'exactly 0' r/zeros/saturation.svg || fail "zeros on a logarithmic axis are not explained"
# All runs fail.
cat >failing.yaml <<'EOT'
rowmax: 1
name: failing
fixed: {source: gaussian, tokens: 4, d_model: 8, d_k: 8, position: none, input_spread: 1e150, qk_norm: l2}
grid: {qk_gain: [1e150, 1e149], score_factor: [1e+300, 1e+299], seed: [1]}
EOT
"$ROWMAX" run failing.yaml -o failing.h5 -q >out 2>err
[ $? = 3 ] || fail "runs without finite scores did not fail"
run 0 report failing.h5 -o r/failing
grep -q 'No figure is drawn, since no run has a result' r/failing/report.md || fail "the report of failed runs does not say so"

# Two hundred values of a text, and names of any script and punctuation, as categories, lines and titles.
/usr/bin/python3 - <<'EOT' || fail "the corpora could not be written"
import itertools, json, os
words = "the cat chased mouse across garden dog saw and ran line".split()
texts = [" ".join(w) for w in itertools.islice(itertools.product(words, repeat=3), 200)]
names = ["القط طارد الفأر", "猫追老鼠", "החתול רדף", "🐈🐁", "e\u0301\u0303 combining", "x" * 240, "d_model^2", "{x}", "@a", "&b",
         "~c", "%d %s %n", "\\n\\t", "#", ";", "x `touch P`", "it's", "''", "a\"b", "a\\", "' ; system \"touch P\"; '",
         "' @IMAGE '", "$x_1^2$", "\\frac{a}{b}", "<b>bold<b>", "<script>alert(1)<script>", "![img](x.png)", "[link](http:x)",
         "**bold**", "| pipe |", "&amp; &lt;", "<!-- c -->", "]]>", "- list", "# head", "$(touch P)", "|touch P", "<touch P",
         "!touch P", "ROWMAX_EOD", "NaN", "=1+1", "@user", "www.example.com"]
os.makedirs("corpora")
for i, name in enumerate(names):
    with open(f"corpora/{name}.txt", "w") as f:
        f.write("the cat chased the mouse across the garden\n" * (i + 1) + "the dog saw and ran\na line\n")
paths = [f"corpora/{name}.txt" for name in names]
title = "Title `touch P` <i>x</i> ![a](b) | ' ; system \"touch P\" {x}^2 @a"
def sweep(name, fixed, grid):
    with open(name + ".yaml", "w") as f:
        f.write(f"rowmax: 1\nname: {name}\ntitle: {json.dumps(title)}\nfixed: {fixed}\ngrid:\n  seed: [1]\n")
        for field, values in grid.items():
            f.write(f"  {field}: {json.dumps(values, ensure_ascii=False)}\n")
sweep("texts", "{corpus: \"corpora/it's.txt\", d_model: 8, d_k: 8}", {"sentence": texts})
sweep("names", "{sentence: the cat, d_model: 8}", {"corpus": paths, "d_k": [2]})
for i in range(0, len(paths), 8):
    sweep(f"lines{i // 8}", "{sentence: the cat, d_model: 8}", {"corpus": paths[i:i + 8], "d_k": [2, 4, 8]})
EOT
report texts 2
report names 2
for i in 0 1 2 3 4 5; do
  report lines$i 2
done
[ -z "$(find . -name P)" ] || fail "a name was run"
for figure in r/*/*.svg; do
  /usr/bin/python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$figure" || fail "$figure is not XML"
done
# Every name is in an SVG as it is, or cut with an ellipsis; the title is in every one.
/usr/bin/python3 - <<'EOT' || fail "names are not drawn as they are"
import glob, os, xml.dom.minidom
def texts(path):
    found = []
    for node in xml.dom.minidom.parse(path).getElementsByTagName("text"):
        found.append("".join(child.data for child in node.childNodes if child.nodeType == child.TEXT_NODE))
    return found
drawn = [text for path in glob.glob("r/lines*/saturation.svg") for text in texts(path)]
for name in (os.path.basename(path)[:-4] for path in glob.glob("corpora/*.txt")):
    shown = any(text == name or text == name + ".txt" or (text.endswith("…") and name.startswith(text[:-1])) for text in drawn)
    assert shown, name
for path in glob.glob("r/lines*/*.svg") + glob.glob("r/names/*.svg"):
    assert any(text.startswith("Title `touch P` <i>x</i> ![a](b) | ' ; system \"touch P\"") for text in texts(path)), path
EOT
exit $FAILED
