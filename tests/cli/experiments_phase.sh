# SPDX-License-Identifier: MIT
# The map of saturation against the theory of independent normal scores.
. "$2/tests/support/cli.sh"
export PYTHONPATH="$SOURCE/tests/support" PYTHONDONTWRITEBYTECODE=1

run 0 run "$SOURCE/experiments/phase.yaml" -o phase.h5 -q
/usr/bin/python3 - "$ROWMAX" <<'EOT' || fail "the experiments do not show what they claim"
import sys

from results import Results, check_mean, theory

# On either side of the spreads at which the gradient left falls to 0.9 and to 0.5, by quadrature: .894 and
# 2.913 for 8 tokens, 1.702 and 4.484 for 64, 2.73 and 6.29 for 1,024. Spreads are the squares of the input's.
f = Results("phase.h5", 840)
for n, last_even, first_onset, first_saturated in ((8, .63, 1.26, 2.51), (64, .89, 1.78, 2.51)):
    left = [f.values("jacobian_trace_mean", 12, tokens=n, input_spread=r).mean()
            for r in (last_even, first_onset, first_saturated)]
    assert left[0] > .9 > left[1] and left[2] < .5, (n, left)
for n in (8, 64, 512):
    for r in (.32, .63, 1.26, 2.51, 5.01):
        # d_k = 64: the spread of a row varies by 15 %, which moves the mean by less than 0.02.
        wanted = theory(sys.argv[1], n, r * r)["row_max"]
        check_mean(f.values("row_max_mean", 12, tokens=n, input_spread=r), wanted, .02, (n, r))
EOT
exit $FAILED
