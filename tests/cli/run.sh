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
"$ROWMAX" run - <small.yaml >out 2>err || fail "run - does not resume"
says "(0 new, 16 reused"
rm -r results
sed '/^name/d' small.yaml >nameless.yaml
"$ROWMAX" run - <nameless.yaml >out 2>err
[ $? = 2 ] && one_line && says "a sweep from standard input needs a name for its results; write 'name: ...' in it, or give -o"
absent results
"$ROWMAX" plan - --why <nameless.yaml >out 2>err || fail "plan of a nameless sweep"
prints "to run: all; to see what is there already, give the sweep a name, or -o"
"$ROWMAX" run - -q -o piped.h5 <nameless.yaml && "$ROWMAX" run - --set name=called <nameless.yaml 2>err || fail "a name by -o or --set"
says "16 of 16 runs in results/called.h5"
# Paths of standard input are relative to the current folder.
mkdir -p below
printf 'the cat sat on the mat\n' >below/words.txt
sed 's#corpus: demo#corpus: below/words.txt#; s/the cat chased the mouse/the cat/' small.yaml |
  "$ROWMAX" run - -q -o below/words.h5 2>err || fail "a path of standard input"
(cd below && sed 's#corpus: demo#corpus: words.txt#; s/the cat chased the mouse/the cat/' ../small.yaml |
  "$ROWMAX" run - -o words.h5 2>../err) || fail "a path of standard input elsewhere"
says "(0 new, 16 reused"
rm -r results below
run 0 run small.yaml && says "results/small.h5"
run 0 plan small.yaml && prints "16 runs of 16 points" && prints "to run: 0; 16 are in results/small.h5"
run 0 plan small.yaml --list
[ "$(wc -l <out)" = 17 ] || fail "plan --list has not a line a run"
write_long 5
run 0 plan long.yaml && prints "to run: all"
absent results/long.h5

# What is there is computed from the rows: one taken out or failed is the one that runs.
cat >edit.py <<'EOT'
import h5py, sys
data = open("one-less.h5", "rb").read()
open("one-less.h5", "wb").write(data[:data.rindex(b"\nrowmax sha256 ")])
with h5py.File("one-less.h5", "r+") as file:
    if sys.argv[1] == "fail":
        file["status"][3] = 1
    else:
        rows = len(file["run"])
        for name in list(file):
            if file[name].shape == (rows,):
                column = file[name][:]
                file[name][3:rows - 1] = column[4:]
                file[name].resize((rows - 1,))
EOT
run 0 run small.yaml -o every.h5 -q
for kind in remove fail; do
  cp every.h5 one-less.h5
  /usr/bin/python3 edit.py $kind || fail "a row cannot be edited"
  run 0 plan small.yaml -o one-less.h5 --why --retry-failed && prints "15 not run: done"
  [ "$(grep "	run	" out | cut -f 1)" = 3 ] || fail "the run that would run is not number 3"
  run 0 run small.yaml -o one-less.h5 --retry-failed && says "(1 new, 15 reused, 0 failed)"
  same one-less.h5 every.h5
done

# However often, never two rows of one key.
run 0 run small.yaml -o often.h5 -q
run 0 run small.yaml -o often.h5 -q
run 0 run small.yaml -o often.h5 -q --fresh
run 0 run small.yaml -o often.h5 -q --set 'seed=[2, 3]'
run 0 run small.yaml -o often.h5 -q
/usr/bin/python3 -c 'import h5py; k = list(h5py.File("often.h5")["run_key"]); assert len(k) == 24 == len(set(k)), len(k)' ||
  fail "a key has two rows"

# Other steps of training are other runs; both are kept, and the report holds the present ones.
cat >steps.yaml <<'EOT'
rowmax: 1
name: steps
fixed: {corpus: demo, sentence: the cat, learner: sgns}
grid: {epochs: [1], seed: [1, 2]}
EOT
run 0 run steps.yaml -o steps.h5 -q
run 0 run steps.yaml -o steps.h5 --set epochs=2
says "(2 new, 0 reused, 0 failed)" && says "2 older runs that the sweep no longer holds are kept"
run 0 report steps.h5 -o steps --format svg
! grep -q "epochs 1" steps/report.md || fail "the report holds runs that the sweep does not"
run 0 run steps.yaml -o steps.h5 && says "(0 new, 2 reused, 0 failed)"
exit $FAILED
