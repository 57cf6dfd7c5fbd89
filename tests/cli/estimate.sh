# SPDX-License-Identifier: MIT
# What runs will take is said before and recorded beside; what cannot fit is not started.
. "$2/tests/support/cli.sh"

run 0 plan small.yaml
grep -qE '^estimate: .* on [0-9]+ threads?, .* of it learning word vectors; .* of memory, .* on disk$' out || fail "no estimate"
run 0 run small.yaml -o a.h5 -q -j 1
run 0 show a.h5 --timing
for name in runs threads measured_seconds predicted_seconds; do
  grep -qE "^$name +[0-9.]+$" out || fail "--timing lacks $name"
done
grep -qE '^runs +16$' out && grep -qE '^threads +1$' out || fail "--timing counts wrong"
cp a.h5.timing before
run 0 run small.yaml -o a.h5 -q # nothing to do: what was measured stands
same a.h5.timing before
run 0 run small.yaml -o b.h5 -q -j 2
same a.h5 b.h5 # no time within
run 2 show small.yaml --timing && one_line && says "small.yaml.timing' is not there"

# A file by another name has them beside itself, where its journal was.
mkdir elsewhere
ln -s elsewhere/c.h5 link.h5
run 0 run small.yaml -o link.h5 -q
absent link.h5.timing
for name in link.h5 elsewhere/c.h5; do
  run 0 show $name --timing && grep -qE '^runs +16$' out || fail "no times of '$name'"
done

# What nobody wants to know is not expected to take time.
cat >wide.yaml <<'EOT'
rowmax: 1
name: wide
fixed: {source: gaussian, tokens: 1000, d_model: 1000, d_k: 16, position: none, guards: init+scale}
grid: {seed: [1]}
EOT
sed 's/^grid/measures: [entropy_mean]\n&/' wide.yaml >forward.yaml
for sweep in wide forward; do
  run 0 run $sweep.yaml -o $sweep.h5 -q
  "$ROWMAX" show $sweep.h5 --timing | awk '$1 == "runs_alone" { print $2 }' >$sweep.seconds
done
paste wide.seconds forward.seconds | awk '{ exit !($1 > 3 * $2 && $2 > 0) }' ||
  fail "with and without gradients runs are expected to take $(paste wide.seconds forward.seconds) s"

# What is there already takes nothing either: of a large run and a small one only the small one is to do. Memory tells,
# which no load of the machine changes.
estimated() { sed -n 's/^estimate: .*; \([0-9.]*\) MB of memory, .*/\1/p' out; }
run 0 plan wide.yaml -j 1 --set 'tokens=[4, 1000]' -o none.h5 && prints "to run: all"
both=$(estimated)
run 0 plan wide.yaml -j 1 --set 'tokens=[4, 1000]' -o wide.h5 && prints "to run: 1; 1 are in wide.h5 already"
grep -qE '^estimate: [0-9.]+ m?s on 1 thread for the 1 run to do; .* of memory, .* on disk$' out || fail "it is not said which runs are estimated"
awk "BEGIN { exit !(0 < $(estimated) && $(estimated) < $both / 2) }" || fail "the small run is expected to take $(estimated) MB, both $both MB"
run 0 plan wide.yaml -j 1 -o wide.h5 && prints "s on 1 thread for the 0 runs to do"
! grep -qE "memory|disk" out || fail "with nothing to run memory or room on the disk is wanted"
run 0 plan wide.yaml -j 1 --set 'tokens=[4, 1000]' --shard 0/2 -o none.h5 && ! grep -q "to do" out || fail "a shard of which nothing is there is not whole"

# More memory than any machine has; half a million tokens of a million numbers.
cat >huge.yaml <<'EOT'
rowmax: 1
name: huge
fixed: {source: gaussian, tokens: 1000000, d_model: 1000000, d_k: 1000000, position: none}
grid: {seed: [1]}
EOT
run 0 plan huge.yaml
run 2 run huge.yaml -o huge.h5 && one_line && says "of memory and" && says "--force"
absent huge.h5
exit $FAILED
