# SPDX-License-Identifier: MIT
# Two results files of a sweep in one report: what moved, by how much, and what is refused.
. "$2/tests/support/cli.sh"

has() { grep -qF -- "$2" "$1" || { fail "$1 lacks '$2'"; sed -n 1,20p "$1"; }; }
lacks() { ! grep -qF -- "$2" "$1" || fail "$1 has '$2'"; }

cat >spread.yaml <<'EOT'
rowmax: 1
name: spread
title: Twice the input
fixed: {source: gaussian, tokens: 12, d_model: 16, position: none, input_spread: 1}
grid:
  d_k: [4, 16, 64]
  guards: [none, init+scale]
  seed: {from: 1, to: 4}
EOT
run 0 run spread.yaml -o one.h5 -q
run 0 run spread.yaml -o two.h5 -q --set input_spread=2

# Queries and keys are twice as long, so that scores are exactly four times as large: +300 %.
run 0 report one.h5 two.h5
prints "reports/one-vs-two/report.md"
REPORT=reports/one-vs-two/report.md
has $REPORT "# What moved: Twice the input"
has $REPORT '`input_spread` is 1 in A and 2 in B.'
has $REPORT "| in both, moved beyond the tolerance | 24 |"
has $REPORT "## The largest moves"
awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  { a = $column["score_std_a"]; b = $column["score_std_b"]; change = $column["score_std_change"]
    r = b / a - 4; s = change / a - 3
    if (r * r > 1e-24 || s * s > 1e-24 || $column["score_std_verdict"] != "moved") bad = 1 }
  END { exit NR != 7 || bad }' reports/one-vs-two/changes.tsv || fail "the scores are not four times as large"
grep -o '](\([^)]*\.png\))' $REPORT | tr -d ']()' | while read -r name; do
  [ -s "reports/one-vs-two/$name" ] || echo missing >missing
done
absent missing
for figure in reports/one-vs-two/*.svg; do
  /usr/bin/python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$figure" || fail "$figure is not XML"
done
# The same bytes come again.
run 0 report one.h5 two.h5 -o again
for file in again/*; do same "$file" "reports/one-vs-two/$(basename "$file")"; done

# The other way round: down, by three quarters of A.
run 0 report two.h5 one.h5 -o back
awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
  { s = $column["score_std_change"] / $column["score_std_a"] + 0.75; if (s * s > 1e-24) bad = 1 }
  END { exit bad }' back/changes.tsv || fail "the way back is not -75 %"

# The same content: nothing moved, no differences to draw.
cp one.h5 same.h5
run 0 report one.h5 same.h5 -o same
has same/report.md "**In the 24 shared runs nothing moved**: every measure"
has same/report.md "The text of the sweep is the same."
has same/report.md "Both files record the same"
absent same/differences.png

# More seeds in the second: the common ones are compared, and the others counted.
run 0 run spread.yaml -o more.h5 -q --set seed=[2,3,4,5,6]
run 0 report one.h5 more.h5 -o more
has more/report.md "**In the 18 shared runs nothing moved**: every measure that both know is equal bit for bit; 6 more are in A only; 12 more are in B only."
has more/report.md "| only in A | 6 |"
has more/report.md "| only in B | 12 |"
has more/report.md "| \`seed\` | 1 | 5–6 |"

# An edited corpus: other keys, equal fields, another digest.
mkdir corpora
cp "$SOURCE/corpora/demo.txt" corpora/mine.txt
cat >corpus.yaml <<'EOT'
rowmax: 1
name: corpus
fixed: {sentence: the cat chased the mouse, corpus: corpora/mine.txt}
grid: {seed: [1, 2, 3]}
EOT
run 0 run corpus.yaml -o before.h5 -q
echo "The cat chased the mouse again." >>corpora/mine.txt
run 0 run corpus.yaml -o after.h5 -q
run 0 report before.h5 after.h5 -o edited
has edited/report.md "> 3 runs have another key in B though all fields are equal"
has edited/report.md "| corpora/mine.txt | $(sha256sum <"$SOURCE/corpora/demo.txt" | cut -c1-16)"

# Within a tolerance nothing moves.
echo 'default: {atol: 1e300, rtol: 0}' >wide.yaml
run 0 report one.h5 two.h5 -o wide --tolerance wide.yaml
has wide/report.md "**In the 24 shared runs nothing moved beyond the tolerance**: 24 differ within it."

# Two files of one name in two folders: a report of their own, their folders in the labels.
mkdir monday tuesday
cp one.h5 monday/night.h5
cp two.h5 tuesday/night.h5
run 0 report monday/night.h5
prints "reports/night/report.md"
cp reports/night/report.md single.md
run 0 report monday/night.h5 tuesday/night.h5
prints "reports/monday-night-vs-tuesday-night/report.md"
same reports/night/report.md single.md
has reports/monday-night-vs-tuesday-night/report.md "**A** is monday/night.h5"
run 0 report one.h5 one.h5
prints "reports/one-vs-one/report.md"

# A sweep of something else, and one of which no seed is common.
run 2 report one.h5 before.h5 -o none
one_line
says "'one.h5' and 'before.h5' have no run in common, so there is nothing to compare: source is gaussian in the first and corpus in the second"
run 0 run spread.yaml -o later.h5 -q --set seed=[7,8]
run 2 report one.h5 later.h5 -o none
says "seed is 1–4 in the first and 7–8 in the second"
absent none

# One or two, no nights, and files that are none.
run 2 report one.h5 two.h5 same.h5
says "'same.h5' is one argument too many"
run 2 report
says "RESULTS is missing"
run 2 report one.h5 two.h5 --history nights.jsonl
says "--history shows the nights of one results file; leave out 'two.h5'"
run 2 report one.h5 absent.h5 -o none
says "there is no file 'absent.h5'"
absent none

# Names that would run a command or break a table.
cp one.h5 'a|`touch P1`<b>.h5'
cp two.h5 "b' ; system \"touch P2\"; '.h5"
run 0 report 'a|`touch P1`<b>.h5' "b' ; system \"touch P2\"; '.h5" -o 'hostile'
for file in P1 P2; do [ -z "$(find . -name $file)" ] || fail "$file was made"; done
has hostile/report.md 'a\|\`touch P1\`\<b\>.h5'

# Without gnuplot the text is complete and the status is 6.
mkdir empty
PATH=$WORK/empty "$ROWMAX" report one.h5 two.h5 -o bare >out 2>err
[ $? = 6 ] || fail "no gnuplot did not give status 6"
prints "bare/report.md"
grep -qF "## What else differs" bare/report.md || fail "the text is not complete"
[ -s bare/changes.gp ] && [ -s bare/changes.tsv ] || fail "script or data are missing"
exit $FAILED
