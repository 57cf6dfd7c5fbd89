# SPDX-License-Identifier: MIT
# Reports: complete from the file alone, the same bytes again, and never lost for want of gnuplot.
. "$2/tests/support/cli.sh"

run 0 run small.yaml -o small.h5 -q --set 'keep=[weights]'
mkdir elsewhere
cp small.h5 elsewhere/moved.h5
(cd elsewhere && ROWMAX_CORPORA=/nonexistent "$ROWMAX" report moved.h5 -o first) >out 2>err || fail "report failed"
prints "first/report.md"
run 0 report small.h5 -o second
for file in elsewhere/first/*; do
  same "$file" "second/$(basename "$file")"
done
ls second/*.png second/*.svg >/dev/null || fail "no figures"
for figure in second/*.svg; do
  /usr/bin/python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$figure" || fail "$figure is not XML"
done
# Every picture the text names is there.
grep -o '](\([^)]*\.png\))' second/report.md | tr -d ']()' | while read -r name; do
  [ -s "second/$name" ] || echo missing >missing
done
absent missing
run 0 report small.h5 -o pdf --format pdf
ls pdf/*.pdf >/dev/null || fail "no PDF"

# Without gnuplot the text is complete and the status is 6.
mkdir empty
PATH=$WORK/empty "$ROWMAX" report small.h5 -o bare >out 2>err
[ $? = 6 ] || fail "no gnuplot did not give status 6"
one_line
prints "bare/report.md"
grep -q "gnuplot" bare/report.md || fail "the report does not say why its figures are missing"
! ls bare/*.png >/dev/null 2>&1 || fail "figures without gnuplot"
PATH=$WORK/empty "$ROWMAX" run small.yaml -o again.h5 --report -q >out 2>err
[ $? = 6 ] || fail "run --report without gnuplot did not give status 6"
[ -s again.h5 ] || fail "results were lost for want of gnuplot"
rm -rf reports

# A gnuplot that fails, or says nothing and writes nothing.
for body in 'exit 1' 'exit 0' 'echo trouble >&2; exit 0'; do
  printf '#!/bin/sh\n%s\n' "$body" >empty/gnuplot
  chmod +x empty/gnuplot
  PATH=$WORK/empty:$PATH "$ROWMAX" report small.h5 -o fake >out 2>err
  [ $? = 6 ] || fail "a gnuplot that does '$body' did not give status 6"
  [ -s fake/report.md ] || fail "no text with a gnuplot that does '$body'"
done

# Another locale, another home with a .gnuplot: the same bytes.
localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 2>/dev/null || fail "localedef failed"
mkdir home
echo 'set title "from home"' >home/.gnuplot
# The C library keeps what it reads from LOCPATH, which the leak sanitizer counts.
export ASAN_OPTIONS=detect_leaks=0
HOME=$WORK/home LOCPATH=$WORK LC_ALL=de_DE.UTF-8 "$ROWMAX" report small.h5 -o german >out 2>err || fail "report under de_DE failed"
for file in second/*; do
  same "$file" "german/$(basename "$file")"
done
LOCPATH=$WORK LC_ALL=de_DE.UTF-8 "$ROWMAX" run small.yaml -o german.h5 -q --set 'keep=[weights]' || fail "run under de_DE failed"
same german.h5 small.h5
for format in csv json jsonl; do
  run 0 export small.h5 --format $format -o plain.$format
  LOCPATH=$WORK LC_ALL=de_DE.UTF-8 "$ROWMAX" export small.h5 --format $format -o german.$format || fail "export under de_DE failed"
  same plain.$format german.$format
done
run 0 check small.h5 --against small.h5 --json plain.verdict
LOCPATH=$WORK LC_ALL=de_DE.UTF-8 "$ROWMAX" check small.h5 --against small.h5 --json german.verdict >out || fail "check under de_DE failed"
same plain.verdict german.verdict

# Names that would run a command in gnuplot or a shell are drawn as they are.
mkdir -p 'a `touch P1` $(touch P2)'
cp "$SOURCE/corpora/demo.txt" "a \`touch P1\` \$(touch P2)/it's |<\"x\".txt"
echo "A line of its own." >>"a \`touch P1\` \$(touch P2)/it's |<\"x\".txt"
cat >hostile.yaml <<'EOT'
rowmax: 1
name: hostile
title: "x `touch P3` ' ; system \"touch P4\"; ' @a ^{b} | c <script> \\ "
fixed: {sentence: the cat}
grid:
  corpus: ["a `touch P1` $(touch P2)/it's |<\"x\".txt", demo]
  seed: [1, 2]
  guards: [none, init+scale]
EOT
run 0 run hostile.yaml -o 'o`touch P5`.h5' -q
run 0 report 'o`touch P5`.h5' -o 'r `touch P6` $(touch P7)'
for file in P1 P2 P3 P4 P5 P6 P7; do
  [ -z "$(find . -name "$file")" ] || fail "$file was made"
done
for figure in r*/*.svg; do
  /usr/bin/python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$figure" || fail "$figure is not XML"
done

# Axes as long as a field allows still make pictures.
cat >extreme.yaml <<'EOT'
rowmax: 1
name: extreme
fixed: {source: scores, scores: [[0.0, 1.0, -1.0], [1e+308, 0, -1e+308]]}
grid:
  - {softcap: [0.5, 1e+300]}
  - {softcap: [5e-324, 1, 1e+300], weights: sigmoid}
  - {softcap: [5e-324, 1e-323, 1e-310], weights: argmax}
EOT
run 0 run extreme.yaml -o extreme.h5 -q --report
run 0 run extreme.yaml -o extreme-linear.h5 -q --report --set 'score_factor=[-2, 1e-100, 1e+154]'
exit $FAILED
