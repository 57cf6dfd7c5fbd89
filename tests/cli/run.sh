# SPDX-License-Identifier: MIT
# A sweep from end to end: results, resume, and the same bytes for any threads and order.
. "$2/tests/support/cli.sh"

run 0 run small.yaml -o one.h5 -j 1
says "16 of 16 runs in one.h5 (16 new, 0 reused, 0 failed)"
[ ! -s out ] || fail "run printed on stdout"
absent one.h5.journal
absent one.h5.lock
run 0 run small.yaml -o two.h5 -j 2
same one.h5 two.h5

# Again: nothing runs, nothing changes.
cp one.h5 before.h5
run 0 run small.yaml -o one.h5
says "(0 new, 16 reused, 0 failed)"
same one.h5 before.h5

# Fresh runs all, to the same bytes.
run 0 run small.yaml -o one.h5 --fresh
says "(16 new, 0 reused, 0 failed)"
same one.h5 before.h5

# Spelling, order and titles rerun nothing.
sed 's/^name: small/title: "Another"\nname: small/; s/seed: \[1, 2\]/seed: {from: 1, to: 2} # two/' small.yaml >spelled.yaml
run 0 run spelled.yaml -o one.h5 && says "(0 new, 16 reused, 0 failed)"

# A longer axis runs what is new only; a shorter one keeps the rest outside.
run 0 run small.yaml -o one.h5 --set 'seed=[1,2,3]' && says "(8 new, 16 reused, 0 failed)"
run 0 run small.yaml -o one.h5 && says "8 older runs that the sweep no longer holds are kept"
run 0 show one.h5 && prints "8 more that the sweep no longer holds"
run 0 run small.yaml -o one.h5 --set 'seed=[1,2,3]' && says "(0 new, 24 reused, 0 failed)"

# A corpus counts by content: a copy under another name is the same, an edit is not.
mkdir corpora
cp "$SOURCE/corpora/demo.txt" corpora/copy.txt
run 0 run small.yaml -o copy.h5
run 0 run small.yaml -o copy.h5 --set corpus=corpora/copy.txt && says "(0 new, 16 reused, 0 failed)"
echo "One more sentence with a cat." >>corpora/copy.txt
touch -r "$SOURCE/corpora/demo.txt" corpora/copy.txt
run 0 run small.yaml -o copy.h5 --set corpus=corpora/copy.txt && says "(16 new, 0 reused, 0 failed)"

# One text under two names in one sweep is refused: its runs would be the same.
cp "$SOURCE/corpora/demo.txt" corpora/twin.txt
run 2 run small.yaml -o twin.h5 --set 'corpus=[demo, corpora/twin.txt]'
says "'demo' and 'corpora/twin.txt' have the same content; name one"
absent twin.h5

# Matrices asked for later are computed then, to the same numbers.
run 0 run small.yaml -o kept.h5
run 0 plan small.yaml -o kept.h5 --set 'keep=[scores]' && prints "to run: 16"
run 0 run small.yaml -o kept.h5 --set 'keep=[scores, weights]' && says "(16 new, 0 reused, 0 failed)"
run 0 run small.yaml -o kept.h5 --set 'keep=[weights]' && says "(0 new, 16 reused, 0 failed)"

# Fewer matrices than at hand: the file is that of a fresh run.
cat >gaussian.yaml <<'EOT'
rowmax: 1
name: gaussian
fixed: {source: gaussian, tokens: 8, d_model: 16, d_k: 16}
grid: {seed: {from: 1, to: 20}}
EOT
run 0 run gaussian.yaml -o g.h5 --set 'keep=[scores]'
run 0 run gaussian.yaml -o g.h5 --set 'keep={matrices: [scores], where: {seed: 1}}' && says "(0 new, 20 reused"
run 0 run gaussian.yaml -o fresh.h5 --set 'keep={matrices: [scores], where: {seed: 1}}'
same g.h5 fresh.h5
run 0 run gaussian.yaml -o g.h5
run 0 run gaussian.yaml -o fresh.h5 --fresh
same g.h5 fresh.h5

# Standard input, the default output, plan.
"$ROWMAX" run - <small.yaml >out 2>err || fail "run - failed"
says "16 of 16 runs in results/small.h5"
rm -r results
run 0 run small.yaml && says "results/small.h5"
run 0 plan small.yaml && prints "16 runs of 16 points" && prints "to run: 0; 16 are in results/small.h5"
run 0 plan small.yaml --list
[ "$(wc -l <out)" = 17 ] || fail "plan --list has not a line a run"
write_long 5
run 0 plan long.yaml && prints "to run: all"
absent results/long.h5
exit $FAILED
