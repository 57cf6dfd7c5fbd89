# SPDX-License-Identifier: MIT
# Experiments on unrelated tokens against closed forms and quadrature: variance, guards, anatomy, normalisers-head.
. "$2/tests/support/cli.sh"
export PYTHONPATH="$SOURCE/tests/support" PYTHONDONTWRITEBYTECODE=1

run 0 run "$SOURCE/experiments/variance.yaml" -o variance.h5 -q
run 0 run "$SOURCE/experiments/guards.yaml" -o guards.h5 -q
run 0 run "$SOURCE/experiments/anatomy.yaml" -o anatomy.h5 -q
run 0 run "$SOURCE/experiments/normalisers-head.yaml" -o normalisers-head.h5 -q
/usr/bin/python3 - "$ROWMAX" <<'EOT' || fail "the experiments do not show what they claim"
import numpy as np

from results import Results, check_mean, standard_error

# Rows of 16 independent normal scores given their query: the mean row-max is a mean over a chi distribution
# of the finite-n integral, computed by quadrature elsewhere. E[score_std^2] = d_k (1 - 1/n^2): the mean of
# all scores takes away d_k / n^2, that of a row d_k / n.
f = Results("variance.h5", 24000)
table = {1: (.20750, .20750), 4: (.42564, .23454), 16: (.68552, .24342),
         64: (.84403, .24581), 256: (.92275, .24642), 1024: (.96157, .24657)}
for k, row_max in table.items():
    for on in (0, 1):
        case = {"d_k": k, "guard_scale": on}
        values = f.values("row_max_mean", 2000, **case)
        assert standard_error(values) < 1.5e-3, case
        check_mean(values, row_max[on], 5e-6, case)
        variance = 1 if on else k
        check_mean(f.values("score_std", 2000, **case) ** 2, variance * (1 - 1 / 256), 0, case)
        check_mean(f.values("score_row_std", 2000, **case) ** 2, variance * (1 - 1 / 16), 0, case)

# The eight guard sets. For tokens N(0, r^2 I), C their covariance: E[tr C^2 + 2 tr C |mean|^2] =
# r^4 (n - 1) d ((n + 1) d + 2) / n^2. Layer norm puts rows on a sphere of squared radius d in d - 1 dimensions:
# d^2 (1 - E|mean|^4 / d^2) with E|mean|^4 / d^2 = 1/n^2 + 2 (n - 1) / ((d - 1) n^3).
f = Results("guards.h5", 2048)
n, d, r2 = 16, 64, 9
raw = r2**2 * (n - 1) * ((n + 1) * d + 2) / (n**2 * d)
sphere = 1 - 1 / n**2 - 2 * (n - 1) / ((d - 1) * n**3)
# Mean row-max as simulated elsewhere; without norm for one input of r^2 = 8.59. What lacks to 1 goes as the
# inverse of the spread there.
simulated = {(1, 1, 1): .2428, (1, 1, 0): .8380, (1, 0, 1): .9796, (1, 0, 0): .9974,
             (0, 1, 1): .8515, (0, 1, 0): .9813, (0, 0, 1): .9979, (0, 0, 0): .9998}
for (norm, init, scale), row_max in simulated.items():
    case = {"guard_norm": norm, "guard_init": init, "guard_scale": scale}
    factor = (1 if init else d**2) * (1 if scale else d)
    measured = f.values("score_std", 256, **case) ** 2
    predicted = f.values("predicted_score_std", 256, **case) ** 2
    check_mean(measured / factor, sphere if norm else raw, 1e-5, case)
    check_mean(predicted / factor, sphere if norm else raw, 1e-5, case)
    check_mean((measured - predicted) / factor, 0, 0, case)
    wanted = row_max if norm else 1 - (1 - row_max) * 8.59 / 9
    check_mean(f.values("row_max_mean", 256, **case), wanted, 3e-3, case)

# Powers of two: exact to the last bit. Twice the input, four times the scores; init 64, scale 8.
f = Results("anatomy.h5", 2048)
def spreads(spread, init, scale, norm):
    return f.values("score_std", 64, input_spread=spread, guard_init=init, guard_scale=scale, guard_norm=norm)
for init in (0, 1):
    for scale in (0, 1):
        for spread in (1, 2, 4):
            once, twice = spreads(spread, init, scale, 0), spreads(2 * spread, init, scale, 0)
            assert np.array_equal(twice, 4 * once), (init, scale, spread)
            # Layer norm's epsilon of 1e-5 is all that is left of the size.
            once, twice = spreads(spread, init, scale, 1), spreads(2 * spread, init, scale, 1)
            assert np.allclose(twice, once, rtol=5e-5), (init, scale, spread)
for norm in (0, 1):
    for spread in (1, 2, 4, 8):
        assert np.array_equal(spreads(spread, 0, 1, norm), 64 * spreads(spread, 1, 1, norm)), (norm, spread)
        assert np.array_equal(spreads(spread, 1, 0, norm), 8 * spreads(spread, 1, 1, norm)), (norm, spread)

# A factor cancels in shares of s and of s^2, and their derivative goes as its inverse, 1/16 for 4 times the
# input. Softmax at spread 1: within the correlation of 16 random tokens of the .2458 of orthogonal ones.
f = Results("normalisers-head.h5", 2560)
for weights in ("square", "sum"):
    case = {"weights": weights}
    one = f.values("row_max_mean", 32, input_spread=1, **case)
    assert np.allclose(f.values("row_max_mean", 32, input_spread=4, **case), one, rtol=1e-9), weights
    assert np.allclose(f.values("row_max_mean", 32, input_spread=2.83, **case), one, rtol=1e-6), weights
    slope = f.values("jacobian_norm_mean", 32, input_spread=1, **case)
    assert np.allclose(16 * f.values("jacobian_norm_mean", 32, input_spread=4, **case), slope, rtol=1e-9), weights
check_mean(f.values("row_max_mean", 32, input_spread=1, weights="softmax"), .2458, 0.005, "softmax")
for weights in ("softmax", "sparsemax", "entmax15", "softplus", "square", "sum"):
    assert np.allclose(f.values("weight_sum_mean", weights=weights), 1, rtol=1e-9), weights
# Sixteen scores near 0 beside the one that is 0 leave 16/17; of spread 0.06 they raise their sum by 0.2 %.
assert (f.values("weight_sum_mean", weights="softmax_plus_one") <= 1).all()
check_mean(f.values("weight_sum_mean", 32, weights="softmax_plus_one", input_spread=.25), 16 / 17, 5e-4, "plus one")
EOT
exit $FAILED
