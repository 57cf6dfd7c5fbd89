# SPDX-License-Identifier: MIT
# Plans: sizes beyond every limit are counted and not built, and one sweep in any spelling is one plan.
. "$2/tests/support/cli.sh"

# Thirty axes of two values are 2^30 runs. In half a gigabyte no list of them could be made.
cat >big.yaml <<'EOT'
rowmax: 1
fixed: {corpus: demo, sentence: the cat chased the mouse}
grid:
  learner: [sgns, glove]
  window: [4, 5]
  negative: [4, 5]
  subsample: [0, 1e-3]
  epochs: [1, 2]
  learning_rate: [0.02, 0.03]
  x_max: [10, 100]
  alpha: [0.5, 0.75]
  learner_seed: [1, 2]
  min_count: [1, 2]
  sentence_limit: [0, 20]
  position: [rope, none]
  rope_base: [10, 100]
  rope_pairs: [halves, adjacent]
  d_model: [8, 16]
  d_k: [8, 16]
  seed: [1, 2]
  guard_init: [on, off]
  guard_scale: [on, off]
  guard_norm: [on, off]
  norm: [layer, rms]
  norm_epsilon: [0, 1e-5]
  qk_norm: [none, l2]
  qk_gain: [1, 2]
  score_scale: [sqrt, linear]
  softcap: [0, 50]
  mask: [none, causal]
  precision: [fp64, fp32]
  stabilise: [on, off]
  score_factor: [1, 2]
EOT
small_memory() { (ulimit -v "$1" && shift && run "$@"; exit $FAILED) || FAILED=1; }
# The sanitizers reserve more address space than any limit.
limit=500000
! grep -qE '__[at]san_init' "$ROWMAX" || limit=unlimited
small_memory $limit 2 plan big.yaml
one_line && says "big.yaml: 1,073,741,824 runs, the limit is 1,000,000"
small_memory $limit 2 run big.yaml -o big.h5 -j 1
one_line && says "1,073,741,824 runs" && absent big.h5 && absent big.h5.lock
# Eight axes of a thousand are 10^24, beyond 64 bits.
cat >huge.yaml <<'EOF'
rowmax: 1
fixed: {corpus: demo, sentence: the cat, learner: sgns}
grid:
  learner_seed: {from: 1, to: 1000}
  d_model: {from: 1, to: 1000}
  d_k: {from: 1, to: 1000}
  seed: {from: 1, to: 1000}
  window: {from: 1, to: 1000}
  negative: {from: 1, to: 1000}
  epochs: {from: 1, to: 1000}
  min_count: {from: 1, to: 1000}
EOF
small_memory $limit 2 plan huge.yaml
one_line && says "huge.yaml: more than 18,446,744,073,709,551,615 runs, the limit is 1,000,000"
small_memory $limit 2 plan huge.yaml --max-runs 100000000
one_line && says "the limit is 100,000,000"

# Axes that are none.
printf '%s\n' 'rowmax: 1' 'fixed: {source: gaussian, tokens: 4}' 'zip:' '  - {d_model: [1, 2, 3], d_k: [8, 9]}' >zip.yaml
run 2 plan zip.yaml && one_line && says "zip.yaml:4:26: lists of one zip have one length: 'd_model' has 3 values, 'd_k' has 2"
run 2 plan small.yaml --set 'seed=[]' && one_line && says "axis has no values"
run 0 plan small.yaml --set 'seed=[8, 8]' && prints "8 runs of 16 points"
run 0 run small.yaml -o twice.h5 --set 'seed=[8, 8]' && says "8 of 8 runs in twice.h5"

# Overlapping grids share the run that both hold: 2 x 1 + 1 x 2 - 1.
cat >overlap.yaml <<'EOF'
rowmax: 1
name: overlap
fixed: {source: gaussian, tokens: 4}
grid:
  - {d_k: [8, 16], seed: [1]}
  - {d_k: [16], seed: [1, 2]}
EOF
run 0 plan overlap.yaml && prints "3 runs of 4 points"
run 0 run overlap.yaml -o overlap.h5 && says "3 of 3 runs"

# One sweep, four spellings: the keys of its runs are the same, and none runs again.
cat >block.yaml <<'EOF'
rowmax: 1
name: spelled
fixed:
  corpus: demo
  sentence: the cat chased the mouse
  guard_norm: on
  norm_epsilon: 0.1
grid:
  power: [0.25, 0.5]
  seed: [1, 2]
EOF
cat >flow.yaml <<'EOF'
{rowmax: 1, name: spelled, fixed: {corpus: demo, sentence: the cat chased the mouse, guard_norm: on, norm_epsilon: 0.1}, grid: {power: [0.25, 0.5], seed: [1, 2]}}
EOF
cat >ordered.yaml <<'EOF'
# The keys in another order, and comments.
name: spelled
grid: # two axes
  power: [0.25, 0.5]
  seed: [1, 2]
fixed:
  norm_epsilon: 0.1 # large
  guard_norm: on
  sentence: "the cat chased the mouse"
  corpus: 'demo'
rowmax: 1
EOF
sed 's/0\.1$/1e-1/; s/0\.25, 0\.5/25e-2, .5/; s/\[1, 2\]/{from: 1, to: 2}/; s/: on$/: True/' block.yaml >numbers.yaml
grep -q '1e-1' numbers.yaml || fail "the numbers are not spelled otherwise"
run 0 plan block.yaml --list
cp out block.list
[ "$(tail -n +2 block.list | cut -f 2 | sort -u | wc -l)" = 4 ] || fail "four runs have not four keys"
run 0 run block.yaml -o spelled.h5 -q
for spelling in flow ordered numbers; do
  run 0 plan $spelling.yaml --list
  same out block.list
  run 0 run $spelling.yaml -o spelled.h5 && says "(0 new, 4 reused, 0 failed)"
done
# Axes in another order are other places in the plan and the same runs.
sed '/power:/d; s/  seed: \[1, 2\]/&\n  power: [0.25, 0.5]/' block.yaml >axes.yaml
run 0 plan axes.yaml --list
[ "$(tail -n +2 out | cut -f 2 | sort)" = "$(tail -n +2 block.list | cut -f 2 | sort)" ] || fail "axes in another order have other keys"
run 0 run axes.yaml -o spelled.h5 && says "(0 new, 4 reused, 0 failed)"

# A title and another output change no run.
(cat block.yaml && echo 'title: Another') >title.yaml
run 0 run title.yaml -o spelled.h5 && says "(0 new, 4 reused, 0 failed)"
# Nor does what reports alone read, and the results hold what was asked for last.
(cat block.yaml && echo 'saturation: {gradient: 0.25}') >gradient.yaml
run 0 run gradient.yaml -o spelled.h5 && says "(0 new, 4 reused, 0 failed)"
run 0 report spelled.h5 -o spelled
grep -q '^| `saturation_gradient` | 0.25 | sweep |$' spelled/report.md || fail "the report has another threshold"

# Less than OpenBLAS takes, which would wait for ever: one message, whatever its threads are set to.
if [ $limit != unlimited ]; then
  for threads in 1 8; do
    for memory in 100000 200000 300000; do
      (ulimit -v $memory; OPENBLAS_NUM_THREADS=$threads timeout -s KILL 20 "$ROWMAX" run small.yaml -o tight.h5 -j 4 >out 2>err)
      [ $? = 2 ] || fail "a limit of $memory kB did not give status 2"
      one_line && says "the limit on memory (ulimit -v $memory) leaves no room for the buffers of 4 threads"
    done
  done
  (ulimit -v 100000; timeout -s KILL 20 "$ROWMAX" version >out 2>err) || fail "no version within 100 MB"
  (ulimit -v 350000; timeout -s KILL 20 "$ROWMAX" run small.yaml -o tight.h5 -j 1 -q) || fail "one thread does not fit 350 MB"
  run 0 run small.yaml -o roomy.h5 -q
  same tight.h5 roomy.h5
  # A limit on data alone is none on addresses.
  (ulimit -d 100000; timeout -s KILL 20 "$ROWMAX" run small.yaml -o data.h5 -j 4 >out 2>err)
  [ $? = 2 ] && one_line && says "the limit on data (ulimit -d 100000) leaves no room for the buffers of 4 threads" || fail "100 MB of data are not refused"
  (ulimit -d 100000; timeout -s KILL 20 "$ROWMAX" version >out 2>err) || fail "no version within 100 MB of data"
  (ulimit -d 200000; timeout -s KILL 20 "$ROWMAX" run small.yaml -o data.h5 -j 1 -q) || fail "one thread does not fit 200 MB of data"
  same data.h5 roomy.h5
  (ulimit -s 100; "$ROWMAX" run small.yaml -o stack.h5 >out 2>err)
  [ $? = 2 ] && one_line && says "the limit on the stack (ulimit -s 100) is less than the 512 kB" || fail "a short stack is not refused"
  (ulimit -s 512; "$ROWMAX" run small.yaml -o stack.h5 -q) || fail "512 kB of stack are too little"
  same stack.h5 roomy.h5
fi
exit $FAILED
