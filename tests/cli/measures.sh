# SPDX-License-Identifier: MIT
# The measures that a sweep stores: which, what happens when it asks for others, and that nothing lies about
# those that are not there.
. "$2/tests/support/cli.sh"

cat >few.yaml <<'EOT'
rowmax: 1
name: few
fixed: {source: gaussian, tokens: 6, d_k: 8}
grid:
  d_model: [8, 16]
  guards: [none, init+scale]
  seed: {from: 1, to: 5}
measures: [entropy_mean, score_std]
EOT
sed '/^measures/d' few.yaml >all.yaml

# columns FILE: the measures in it; needs h5dump.
has() { h5dump -H -d "/$2" "$1" >/dev/null 2>&1 || fail "$1 lacks $2"; }
lacks() { ! h5dump -H -d "/$2" "$1" >/dev/null 2>&1 || fail "$1 has $2"; }

run 0 run few.yaml -o few.h5 -q
run 0 show --verify few.h5
[ ! -s out ] || fail "--verify finds faults in a file of few measures"
if command -v h5dump >/dev/null; then
  for name in entropy_mean score_std row_max_mean tokens queries undefined_rows nonfinite; do has few.h5 $name; done
  for name in max_logit gradient_wq jacobian_norm_mean; do lacks few.h5 $name; done
fi

# The values are those of a sweep that stores all, and the same for any number of threads.
run 0 run all.yaml -o all.h5 -q
run 0 run few.yaml -o one.h5 -q -j 1
same few.h5 one.h5
run 0 check few.h5 --against all.h5
one_line && says "'max_logit'" && says " are not in both files and were not compared" && prints "compared 20 runs, 200 measures"
! grep -q "'entropy_mean'" err || fail "a measure of both is not compared"
run 0 check few.h5 --against one.h5
[ ! -s err ] || fail "measures that nobody asked for are missed"

# A file that lacks a measure asked for makes its runs run again; one that has more serves.
run 0 plan all.yaml -o few.h5 --why
prints "20 to run: measures to store are not there"
run 0 plan few.yaml -o all.h5 --why
prints "20 not run: done"
cp few.h5 grows.h5
run 0 run all.yaml -o grows.h5 && says "(20 new, 0 reused"
same grows.h5 all.h5
cp all.h5 shrinks.h5
run 0 run few.yaml -o shrinks.h5 && says "(0 new, 20 reused" &&
  says "shrinks.h5: of 20 runs there were measures that the sweep does not name; they are no longer stored"
same shrinks.h5 few.h5
run 0 run few.yaml -o shrinks.h5
! grep -q "no longer stored" err || fail "nothing was left out, and it is said"

# Runs that the sweep no longer holds keep what they had, and do not pass for more.
sed 's/to: 5/to: 3/' all.yaml >three.yaml
cp few.h5 mixed.h5
run 0 run three.yaml -o mixed.h5 && says "(12 new, 0 reused" && says "8 older runs that the sweep no longer holds"
run 0 show --verify mixed.h5
run 0 plan all.yaml -o mixed.h5 --why
prints "8 to run: measures to store are not there" && prints "12 not run: done"
run 0 run all.yaml -o mixed.h5 && says "(8 new, 12 reused"
same mixed.h5 all.h5

# Killed on the way to more measures: the journal says what it holds, and a report shows what all runs have.
cp few.h5 killed.h5
sed 's/to: 5/to: 3000/' all.yaml >more.yaml
timeout -s KILL 1 "$ROWMAX" run more.yaml -o killed.h5 -q -j 1 2>/dev/null
run 0 show killed.h5
run 0 run all.yaml -o killed.h5 -q
run 0 plan all.yaml -o killed.h5 --why
prints "20 not run: done"

# Parts of one merge have the same measures.
run 0 run few.yaml --shard 0/2 -o part0.h5 -q
run 0 run few.yaml --shard 1/2 -o part1.h5 -q
run 0 merge part0.h5 part1.h5 -o merged.h5 -q
same merged.h5 few.h5
run 0 run all.yaml --shard 1/2 -o part1all.h5 -q
run 2 merge part0.h5 part1all.h5 -o other.h5
one_line && says "'part0.h5' does not hold the measure 'raw_input_std', which 'part1all.h5' does"
absent other.h5

# The table and the report leave out what is not there, and say so.
run 0 show few.h5
prints "measures: 10 of 37" && prints "score_std" && prints "row_max_mean"
! grep -qE "input_std|jacobian" out || fail "show has columns of nothing"
run 0 report few.h5 -o rep
grep -q 'Of all measures the results hold only .*`score_std`.*; tables and figures leave out what needs others' rep/report.md ||
  fail "the report does not say what it leaves out"
! grep -qE "\| undefined \|| nan" rep/report.md || fail "the report shows measures that are not there"
! grep -q "gradient magnitude of" rep/report.md || fail "the caption names a panel that is not there"
head -1 rep/saturation.tsv | grep -q "entropy_mean" && ! head -1 rep/saturation.tsv | grep -q "max_logit" ||
  fail "the table of the figure has other columns"

# Spelling.
run 2 plan few.yaml --set "measures=[entropy_meen]" && says "did you mean 'entropy_mean'?"
run 0 run few.yaml --set "measures=[max_logit]" -o set.h5 -q
run 0 show set.h5 && prints "measures: 9 of 37"
run 0 run few.yaml --set "measures=all" -o set.h5 && says "(20 new, 0 reused"
exit $FAILED
