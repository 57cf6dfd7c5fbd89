# SPDX-License-Identifier: MIT
# Shards and merge: every run in one shard, the merged file is that of one process, and what does not
# belong together is refused.
. "$2/tests/support/cli.sh"

SWEEP="$SOURCE/experiments/scale-guards.yaml"
run 0 run "$SWEEP" -o one.h5 -q
[ "$("$ROWMAX" plan "$SWEEP" --list | wc -l)" = 769 ] || fail "the sweep has not 768 runs"

# Any number of shards, any threads, any order of the parts, one part resumed half-way.
for n in 1 2 3 7; do
  for i in $(seq 0 $((n - 1))); do
    run 0 run "$SWEEP" --shard "$i/$n" -o "part-$i-of-$n.h5" -j $((1 + i % 2)) -q
    "$ROWMAX" plan "$SWEEP" --list --shard "$i/$n" | tail -n +2 >>"list-$n"
  done
  [ "$(cut -f 2 "list-$n" | sort -u | wc -l)" = 768 ] || fail "$n shards do not hold every run"
  [ "$(wc -l <"list-$n")" = 768 ] || fail "$n shards hold a run twice"
  parts=parts
  [ "$n" != 1 ] || parts=part
  run 0 merge -o "all-$n.h5" $(ls part-*-of-$n.h5) && says "768 of 768 runs in all-$n.h5 ($n $parts, 0 failed)"
  same "all-$n.h5" one.h5
  run 0 merge -o "all-$n.h5" $(ls -r part-*-of-$n.h5) -q
  same "all-$n.h5" one.h5
  absent "all-$n.h5.lock"
done
for i in 0 1 2 3 4 5 6; do
  own=$(("$("$ROWMAX" plan "$SWEEP" --list --shard $i/7 | wc -l)" - 1))
  # The 24 runs of a seed share a draw that takes longer than they do: five seeds or four.
  [ $own = 120 ] || [ $own = 96 ] || fail "shard $i/7 has $own of 768 runs"
done
cat part-*-of-7.h5 | sha256sum >parts.sha
run 0 show part-1-of-3.h5 && prints "264 of 768 runs" && prints "shard 1/3, to which 264 of the sweep's runs belong"
run 0 show all-3.h5
! grep -q shard out || fail "a merged file speaks of shards"
run 0 run "$SWEEP" --shard 1/3 -o part-1-of-3.h5 && says "264 of 264 runs of shard 1/3" && says "(0 new, 264 reused"

# A merged file is a results file like any other: nothing is left to run, and it is a part.
cp all-7.h5 again.h5
run 0 run "$SWEEP" -o again.h5 && says "(0 new, 768 reused, 0 failed)"
same again.h5 one.h5

# The default output; a shard without runs has a file as well.
run 0 run small.yaml --shard 1/2 -q
[ -f results/small.shard-1-of-2.h5 ] || fail "the default output has another name"
run 0 run small.yaml --shard 0/20 -o some.h5 -q --set seed=1
run 0 run small.yaml --shard 19/20 -o none.h5 --set seed=1 && says "0 of 0 runs of shard 19/20"
run 0 show none.h5
run 0 merge -o some-none.h5 none.h5 some.h5 --partial && says "1 of 8 runs in some-none.h5"
for bad in 2/2 -1/2 1 1/ /2 x/2 1/2/3 "" 0/0 0/99999999999; do
  run 2 run small.yaml --shard "$bad" -o bad.h5 && one_line && says "counted from 0"
done
absent bad.h5

# Word vectors that take long to learn are learned in one shard.
cat >slow.yaml <<'EOT'
rowmax: 1
name: slow
fixed: {corpus: harbour, sentence: the cat, unknown_words: skip, learner: sgns, epochs: 100, d_model: 300}
grid:
  seed: [1, 2, 3, 4]
  learner_seed: [1, 2, 3, 4]
EOT
for i in 0 1 2; do
  "$ROWMAX" plan slow.yaml --list --shard $i/3 |
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "learner_seed") at = i } NR > 1 { print $at }' | sort -u >>vectors
done
[ "$(sort -n vectors | tr '\n' ' ')" = "1 2 3 4 " ] || fail "vectors are learned in several shards: $(tr '\n' ' ' <vectors)"

# Matrices that take longer to draw than the runs that use them are drawn in one shard.
cat >draws.yaml <<'EOT'
rowmax: 1
name: draws
fixed: {source: gaussian, tokens: 4, d_model: 512, d_k: 512, position: none}
grid: {guards: all, seed: {from: 1, to: 8}}
EOT
for i in 0 1 2 3; do
  "$ROWMAX" plan draws.yaml --list --shard $i/4 |
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "seed") at = i } NR > 1 { print $at }' | sort -u >>draws
done
[ "$(sort -n draws | tr '\n' ' ')" = "1 2 3 4 5 6 7 8 " ] || fail "matrices are drawn in several shards: $(tr '\n' ' ' <draws)"
# A planned shard takes what 'run' expects of it, on the machine that estimates are made for.
run 0 plan draws.yaml --shards 3 --out draws-planned && prints "a shard needs up to"
for i in 0 1 2; do
  run 0 run draws-planned --shard $i/3 -j 1 -q
  expected=$("$ROWMAX" show draws-planned/parts/part-0000$i.h5 --timing |
    awk '/^(start|learning|draws|runs_alone|rows) / { sum += $2 } END { print sum }')
  planned=$(awk -v i=$i '$1 == "shard" && $2 == i { print $3 }' draws-planned/plan)
  awk -v a="$expected" -v b="$planned" 'BEGIN { exit !(a > b - 0.004 && a < b + 0.004 && b > 0.02) }' ||
    fail "shard $i is planned with $planned s, and run expects $expected s"
done

# Missing parts are listed; --partial takes what there is and marks it.
run 2 merge -o gap.h5 part-0-of-7.h5 part-3-of-7.h5 part-5-of-7.h5
one_line
says "432 of 768 runs are missing; run again --shard I/7 for I = 1-2,4,6; or merge what there is with --partial"
absent gap.h5
absent gap.h5.lock
run 0 merge -o gap.h5 part-0-of-7.h5 part-3-of-7.h5 part-5-of-7.h5 --partial
says "not complete: 432 of 768 runs are missing"
run 0 show gap.h5 && prints "336 of 768 runs"
run 0 report gap.h5 -o gap --format svg
grep -q "This sweep is not complete: 432 of 768" gap/report.md || fail "the report does not say what is missing"
# Later, with the others and what was merged before; the partial file may be replaced as it loses nothing.
run 0 merge -o whole.h5 gap.h5 part-1-of-7.h5 part-2-of-7.h5 part-4-of-7.h5 part-6-of-7.h5 -q
same whole.h5 one.h5
run 0 merge -o gap.h5 $(ls part-*-of-7.h5) -q
same gap.h5 one.h5
run 2 merge -o gap.h5 part-0-of-7.h5 --partial
says "'gap.h5' holds 648 runs that the parts lack"
same gap.h5 one.h5

# Twice the same is counted; a part of another division fits.
run 0 merge -o twice.h5 $(ls part-*-of-3.h5) part-0-of-2.h5 && says "384 runs are in two parts, with equal values"
same twice.h5 one.h5
[ "$(cat part-*-of-7.h5 | sha256sum)" = "$(cat parts.sha)" ] || fail "merge changed a part"

# Another sweep, another corpus, another version, a doctored value.
run 0 run "$SWEEP" --shard 2/3 -o other.h5 -q --set 'seed={from: 2, to: 33}'
run 2 merge -o x.h5 part-0-of-3.h5 part-1-of-3.h5 other.h5
one_line
says "'other.h5' is of another sweep than 'part-0-of-3.h5'"
run 0 run small.yaml --shard 0/2 -o demo.h5 -q
mkdir changed
(cat "$SOURCE/corpora/demo.txt" && echo "One more cat.") >changed/demo.txt
ROWMAX_CORPORA=$WORK/changed "$ROWMAX" run small.yaml --shard 1/2 -o edited.h5 -q || fail "the edited corpus does not run"
run 2 merge -o x.h5 demo.h5 edited.h5
says "the content of 'demo' in 'edited.h5' is another than in 'demo.h5'"
/usr/bin/python3 - <<'EOT' || fail "parts cannot be doctored"
import h5py

def doctor(path, change):
    data = open("demo.h5", "rb").read()
    open(path, "wb").write(data[:data.rindex(b"\nrowmax sha256 ")])
    with h5py.File(path, "r+") as file:
        change(file)

def version(file):
    file.attrs["rowmax_version"] = "0.0.9"

def value(file):
    file["score_std"][0] += 1e-12

doctor("old.h5", version)
doctor("wrong.h5", value)
EOT
run 2 merge -o x.h5 demo.h5 old.h5 && one_line && says "'old.h5' was made by rowmax 0.0.9"
run 2 merge -o x.h5 demo.h5 wrong.h5 --partial && one_line && says "has other values in 'wrong.h5' than in 'demo.h5'"
# Another spelling of the same plan is the same sweep.
sed 's/seed: \[1, 2\]/seed: {from: 1, to: 2} # two/' small.yaml >spelled.yaml
run 0 run spelled.yaml --shard 1/2 -o spelled.h5 -q
run 0 merge -o x.h5 spelled.h5 demo.h5 && says "2 spellings of one plan"
rm x.h5

# Matrices to keep belong to a sweep as its runs do.
for i in 0 1; do run 0 run small.yaml --shard $i/2 -o kept-$i.h5 -q --set 'keep=[scores]'; done
run 0 run small.yaml -o kept.h5 -q --set 'keep=[scores]'
run 0 show kept-0.h5 --provenance && prints keep_sha256
run 2 merge -o x.h5 demo.h5 kept-1.h5 && one_line && says "'kept-1.h5' keeps other matrices than 'demo.h5'"
run 0 merge -o x.h5 kept-1.h5 kept-0.h5 -q
/usr/bin/python3 -c 'import h5py; assert sorted(h5py.File("x.h5")) == sorted(h5py.File("kept.h5"))' || fail "the merge lost matrices"
rm x.h5

# Another commit of the same version is no obstacle, and is said.
/usr/bin/python3 - <<'EOT' || fail "a part cannot be doctored"
import h5py
data = open("spelled.h5", "rb").read()
open("commit.h5", "wb").write(data[:data.rindex(b"\nrowmax sha256 ")])
with h5py.File("commit.h5", "r+") as file:
    file.attrs["commit"] = "000000000000"
EOT
run 0 merge -o x.h5 demo.h5 commit.h5 && says "the parts were made by different commits of rowmax" && says "000000000000 | "
! grep -q "not made alike" err || fail "a commit is named twice"
rm x.h5

# Files that are no parts.
echo text >text.h5
: >empty.h5
head -c 9000 demo.h5 >cut.h5
/usr/bin/python3 -c 'import h5py; h5py.File("foreign.h5", "w").create_dataset("x", data=[1])'
for bad in text.h5 empty.h5 cut.h5 foreign.h5 nosuch.h5; do
  run 5 merge -o x.h5 demo.h5 $bad --partial && one_line && says "$bad"
done
run 0 run small.yaml --shard 0/2 -o text-0.h5 -q
run 5 merge -o x.h5 text-0.h5* && one_line && says "'text-0.h5.timing' is no results file; name one that is"
run 2 plan small.yaml -o text.h5 && one_line && says "'text.h5' is no results file; name one that is"
rm text-0.h5*
absent x.h5
absent x.h5.lock
run 2 merge -o demo.h5 demo.h5 && says "is a part and the output"
ln demo.h5 hard.h5
ln -s demo.h5 soft.h5
run 2 merge -o x.h5 demo.h5 demo.h5 && one_line && says "the part 'demo.h5' is named twice; name it once"
for same in hard.h5 soft.h5 ./demo.h5; do
  run 2 merge -o x.h5 demo.h5 $same && one_line && says "the parts 'demo.h5' and '$same' are the same file; name it once"
done
rm hard.h5 soft.h5
run 2 merge demo.h5 && says "the output, -o PATH, is missing"
run 2 merge -o x.h5
run 5 merge -o nofolder/x.h5 demo.h5 && one_line
run 5 merge -o text.h5 demo.h5 --partial && one_line && says "no results file"
[ "$(cat text.h5)" = text ] || fail "merge wrote over a foreign file"

# A failed run is merged as what it is.
for i in 0 1; do
  "$ROWMAX" run small.yaml --shard $i/2 -o failed-$i.h5 -q --run-timeout 1e-12 2>err
  [ $? = 3 ] || fail "runs without time did not fail"
done
run 3 merge -o failed.h5 failed-0.h5 failed-1.h5 && says "16 of 16 runs failed"

# A killed shard: its journal counts, and resuming it completes the merge.
long_sweep
run 0 run long.yaml -o long.h5 -q
run 0 run long.yaml --shard 0/2 -o a.h5 -q
"$ROWMAX" run long.yaml --shard 1/2 -o b.h5 -q &
process=$!
wait_for_journal b.h5 5000 $process
run 5 run long.yaml --shard 1/2 -o b.h5 && says "$process"
kill -9 $process
wait $process 2>/dev/null
run 2 merge -o ab.h5 a.h5 b.h5 && says "--shard I/2 for I = 1"
run 0 merge -o ab.h5 a.h5 b.h5 --partial -q
run 0 run long.yaml --shard 1/2 -o b.h5 && says "resuming"
run 0 merge -o ab.h5 b.h5 a.h5
same ab.h5 long.h5

# Runs that the sweep holds no more stay in the parts.
for shard in 0 1; do
  run 0 run small.yaml --set 'seed=[1, 2, 3]' --shard $shard/2 -o older$shard.h5 -q
  run 0 run small.yaml --shard $shard/2 -o older$shard.h5 -q
done
run 0 merge -o newer.h5 older0.h5 older1.h5 && says "8 older runs that the sweep no longer holds are left in the parts"
run 0 run small.yaml -o current.h5 -q
same newer.h5 current.h5

# The output is locked by a run; the disk is full.
"$ROWMAX" run long.yaml -o busy.h5 -q &
process=$!
while [ ! -s busy.h5.journal ]; do sleep 0.01; done
run 5 merge -o busy.h5 a.h5 b.h5 && one_line && says "in use by process $process"
kill -9 $process
wait $process 2>/dev/null
run 0 merge -o small-all.h5 demo.h5 --partial -q
cp small-all.h5 before.h5
(ulimit -f 8; "$ROWMAX" merge -o small-all.h5 demo.h5 spelled.h5 >out 2>err)
[ $? = 5 ] || fail "a full disk did not give status 5"
one_line
says "File too large"
same small-all.h5 before.h5
absent small-all.h5.unfinished
exit $FAILED
