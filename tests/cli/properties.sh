# SPDX-License-Identifier: MIT
# Properties: the table and its counter-examples as text and as JSON, and every way to ask wrongly.
. "$2/tests/support/cli.sh"

run 0 properties
[ ! -s err ] || fail "properties talks"
cat >table <<'EOT'
weights           not negative  sums to one  differentiable  weak order  strict order  shift-invariant  scale-invariant
softmax           yes           yes          yes             yes         yes           yes              no
softmax_plus_one  yes           no           yes             yes         yes           no               no
sigmoid           yes           no           yes             yes         yes           no               no
sparsemax         yes           yes          no              yes         no            yes              no
entmax15          yes           yes          yes             yes         no            yes              no
softplus          yes           yes          yes             yes         yes           no               no
square            yes           no           no              no          no            no               yes
sum               no            no           no              no          no            no               yes
argmax            yes           yes          no              yes         no            yes              yes

EOT
head -11 out >head
same head table
prints "sum, not negative: (1, -2) gives (-1, 2)"
prints "sum, sums to one: (0) has no weights"
prints "square, shift-invariant: (0, 1) gives (0, 1), and shifted by 1 (0.2, 0.8)"
prints "softmax, scale-invariant: (0, 1) gives (0.2689, 0.7311), and times 2 (0.1192, 0.8808)"
prints "argmax, differentiable: (0, 0) gives (0.5, 0.5), where slopes have no common limit"
# One line for every no of the table.
nos=$(grep -ow no table | wc -l)
[ "$(tail -n +12 out | wc -l)" = "$nos" ] || fail "counter-examples and table differ"
cp out first
run 0 properties --format text
same out first

run 0 properties --format json
/usr/bin/python3 - <<'EOT' || fail "the JSON is not what it should be"
import json
answer = json.load(open("out"))
names = [line.split()[0] for line in open("table") if line.strip()][1:]
rows = [line.split()[1:] for line in open("table") if line.strip()][1:]
assert len(answer) == 63, len(answer)
for place, cell in enumerate(answer):
    assert cell["weights"] == names[place // 7], cell
    assert cell["holds"] == (rows[place // 7][place % 7] == "yes"), cell
    if cell["holds"]:
        assert cell["scores"] is None and cell["gives"] is None and cell["changed"] is None, cell
cell = {(c["weights"], c["property"]): c for c in answer}
assert cell["sum", "non_negative"]["scores"] == [1, -2] and cell["sum", "non_negative"]["gives"] == [-1, 2]
assert cell["square", "sums_to_one"]["scores"] == [0] and cell["square", "sums_to_one"]["gives"] is None
shifted = cell["square", "shift_invariant"]
assert (shifted["constant"], shifted["scores"], shifted["changed"]) == (1, [0, 1], [0.2, 0.8]), shifted
EOT

run 0 properties --weights sum
[ "$(wc -l <out)" = 9 ] || fail "one alternative is two lines, an empty one and six counter-examples"
[ "$(sed -n 2p out)" = "$(grep '^sum ' first)" ] || fail "the line of one alternative is not that of the table"
run 0 properties --format json --weights argmax
[ "$(/usr/bin/python3 -c 'import json; print({c["weights"] for c in json.load(open("out"))}, len(json.load(open("out"))))')" = "{'argmax'} 7" ] ||
  fail "one alternative is not seven objects"

run 2 properties --weights sotmax && one_line && says "did you mean 'softmax'?"
run 2 properties --weights '' && one_line && says "is unknown; see 'rowmax help weights'"
run 2 properties --weights && one_line && says "needs a value"
run 2 properties --format svg && one_line && says "text or json"
run 2 properties extra && one_line && says "one argument too many"
run 2 properties -j 2 && one_line && says "not an option of this command"
run 0 help weights && prints "softmax_plus_one"
run 0 help properties && prints "--weights NAME" && prints "--format HOW"
exit $FAILED
