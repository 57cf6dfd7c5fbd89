# SPDX-License-Identifier: MIT
# The guards of the literature, against closed forms and what was simulated elsewhere.
. "$2/tests/support/cli.sh"
export PYTHONPATH="$SOURCE/tests/support" PYTHONDONTWRITEBYTECODE=1

run 0 run "$SOURCE/experiments/alternatives.yaml" -o alternatives.h5 -q
/usr/bin/python3 - "$ROWMAX" <<'EOT' || fail "the experiments do not show what they claim"
from math import hypot, log

from results import Results, check_mean, standard_error

# Alternatives. Mean variance within a row, in closed form: flipping the sign of a token flips its key, so the
# mean of a row takes away 1/n of the mean square; that is r^4 (1 + 2 / (n d)) for normal tokens, 1 for normalised
# ones, gain^2 / d_k for unit queries and keys, d_k / (d_k - 1) for layer norm of both. The cap's as simulated.
# Mean row-max at input spreads 1 and 4: means of 400 heads simulated elsewhere, standard error 0.0015 at most.
f = Results("alternatives.h5", 1344)
n, d = 32, 64
plain = {"guard_scale": 1, "guard_norm": 0, "norm": "layer", "qk_norm": "none", "score_scale": "sqrt",
         "softcap": 0, "score_factor": 1, "position": "none", "mask": "none"}
def normal(r):
    return r**4 * (1 + 2 / (n * d))
alternatives = [
    ({}, normal, .163, .906),
    ({"guard_scale": 0}, lambda r: d * normal(r), .814, .988),
    ({"guard_norm": 1}, lambda r: 1, .160, .160),
    ({"guard_norm": 1, "norm": "rms"}, lambda r: 1, .160, .160),
    ({"guard_scale": 0, "qk_norm": "l2", "qk_gain": 9.954}, lambda r: 9.954**2 / d, .206, .206),
    ({"guard_scale": 0, "qk_norm": "l2", "qk_gain": 100}, lambda r: 100**2 / d, .878, .878),
    ({"qk_norm": "layer"}, lambda r: d / (d - 1), .159, .159),
    ({"qk_norm": "rms"}, lambda r: 1, .159, .159),
    ({"softcap": 50}, None, .163, .875),
    ({"score_scale": "linear"}, lambda r: normal(r) / d, .040, .369),
    ({"score_scale": "log_n"}, lambda r: normal(r) * log(n) ** 2, .584, None),
    ({"score_factor": 0.25}, lambda r: normal(r) / 16, .051, .633),
    ({"position": "rope"}, normal, .164, .907)]
for change, variance, *row_max in alternatives:
    case = {**plain, **change}
    for r, wanted in zip((1, 4), row_max):
        spread = f.values("score_row_std", 32, input_spread=r, **case)
        if variance is None:
            check_mean(spread, {1: .98, 4: 14.3}[r], .02 * r, (change, r))
        else:
            check_mean(spread**2, variance(r) * (1 - 1 / n), 1e-4, (change, r))
        if wanted is not None:
            values = f.values("row_max_mean", 32, input_spread=r, **case)
            slack = 4 * (hypot(standard_error(values), .0015) - standard_error(values)) + .0005
            check_mean(values, wanted, slack, (change, r))
EOT
exit $FAILED
