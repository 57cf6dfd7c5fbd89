# SPDX-License-Identifier: MIT
# Collapsed draws: the width of the model to a million dimensions, against what independent normal scores give.
. "$2/tests/support/cli.sh"
export PYTHONPATH="$SOURCE/tests/support" PYTHONDONTWRITEBYTECODE=1

run 0 run "$SOURCE/experiments/collapsed.yaml" -o collapsed.h5 -q
/usr/bin/python3 - <<'EOT' || fail "the experiments do not show what they claim"
from results import Results, check_mean

# Given its query a row holds 16 independent normal scores of spread |q| / 8, |q| chi with 64 degrees of freedom: a
# mean row-max of .2458 by quadrature. Tokens of 64 dimensions are not quite orthogonal nor of one length.
f = Results("collapsed.h5", 80)
widths = (64, 1024, 16384, 131072, 1000000)
for d in widths:
    init = dict(d_model=d, guard_init=1)
    check_mean(f.values("row_max_mean", 8, **init), .2458, .006 if d == 64 else .001, d)
    check_mean(f.values("predicted_score_row_std", 8, **init), .97, .04, d)
    assert (f.values("saturated_rows", 8, **init) == 0).all(), d

# Without the guard every score is d times as large. The expected gap between the two largest of 16 normal numbers
# is 1.76599 - 1.28474 (tables of order statistics), and E|q| / 8 is .9961.
for d in widths:
    depth = f.values("log_one_minus_row_max_mean", 8, d_model=d, guard_init=0) / d
    check_mean(depth, -.4794, .02 if d == 64 else .002, d)
    check_mean(f.values("score_row_std", 8, d_model=d, guard_init=0) / d, .97, .04, d)
    if d > 64:
        assert (f.values("row_max_mean", 8, d_model=d, guard_init=0) > .99).all(), d
EOT

# Whatever runs beside, and on however many threads: the same bytes.
cat >widths.yaml <<'EOT'
rowmax: 1
name: widths
fixed: {source: gaussian, tokens: 6, position: none}
grid:
  draw: [weights, collapsed]
  d_model: [4, 40]
  d_k: [3, 7, 30]
  guards: all
  seed: {from: 1, to: 4}
EOT
export SOURCE_DATE_EPOCH=1
run 0 run widths.yaml -o one.h5 -j1 -q
run 0 run widths.yaml -o three.h5 -j3 -q
same one.h5 three.h5
for i in 0 1 2; do
  run 0 run widths.yaml -o part$i.h5 --shard $i/3 -q
done
run 0 merge part0.h5 part1.h5 part2.h5 -o merged.h5 -q
same one.h5 merged.h5
exit $FAILED
