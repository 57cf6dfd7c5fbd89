# SPDX-License-Identifier: MIT
# The experiments on rows of scores, against numbers worked by hand: sharpness, worked, invariance,
# normalisers, precision.
. "$2/tests/support/cli.sh"
export PYTHONPATH="$SOURCE/tests/support" PYTHONDONTWRITEBYTECODE=1

for name in sharpness worked invariance normalisers precision; do
  run 0 run "$SOURCE/experiments/$name.yaml" -o $name.h5 -q
done
run 0 run "$SOURCE/experiments/precision.yaml" -o underflow.h5 -q --set 'scores=[-1, -1]' --set \
  'score_factor=[6.74, 6.75, 10.9, 11, 17.33, 17.34, 92.74, 92.75, 103.972, 103.973, 745.13, 745.14]'
/usr/bin/python3 - "$ROWMAX" <<'EOT' || fail "the experiments do not show what they claim"
import sys
from math import e, exp, log

import numpy as np

from results import Results, check_row, theory

# The printed table: five words, three sizes of score.
f = Results("sharpness.h5", 3)
printed = {0.25: (.15, .21, .19, .16, .29), 1: (.04, .18, .12, .06, .60), 3: (.00, .03, .01, .00, .96)}
for factor, weights in printed.items():
    check_row(f.kept("weights", score_factor=factor), weights, 2, factor)
assert round(np.exp(f.kept("scores", score_factor=1)).sum(), 2) == 3.94
p = f.kept("weights", score_factor=1)[4]
assert round(p * (1 - p), 2) == 0.24
p = f.kept("weights", score_factor=3)[4]
assert round(p * (1 - p), 3) == 0.034 and round(0.96 * 0.04, 3) == 0.038
# In closed form from the weights: 1 - sum p^2; root of sum p^2 - 2 sum p^3 + (sum p^2)^2; entropy.
closed = {0.25: (.788, .402, 1.580, 4.86), 1: (.588, .366, 1.167, 3.21), 3: (.068, .057, .176, 1.19)}
for factor, (trace, norm, entropy, keys) in closed.items():
    assert round(0.8 * f.one("jacobian_trace_mean", score_factor=factor), 3) == trace
    assert round(f.one("jacobian_norm_mean", score_factor=factor), 3) == norm
    assert round(f.one("entropy_mean", score_factor=factor), 3) == entropy
    assert round(f.one("effective_keys_mean", score_factor=factor), 2) == keys
# "A spread of 8": the range, not the standard deviation.
assert round(f.one("score_std", score_factor=3), 2) == 2.82
assert round(np.ptp(f.kept("scores", score_factor=3)), 2) == 8.12
assert round(theory(sys.argv[1], 5, 8)["row_max"], 3) == 0.899

f = Results("worked.h5", 8)
assert np.array_equal(f.kept("scores", source="arrays"), [4, 0, -4])
assert np.allclose(f.kept("weights", source="arrays"), np.array([1, exp(-4), exp(-8)]) / (1 + exp(-4) + exp(-8)))
for on in (0, 1):
    p = f.kept("weights", scores="2,1,0.1", stabilise=on)
    check_row(p, (.659, .242, .099), 3, "2, 1, 0.1")
    check_row(np.exp([2, 1, 0.1]) / p, (11.2125,) * 3, 4, "the sum of the exponentials")
large = {"scores": "1002,1000,997"}
check_row(f.kept("weights", stabilise=1, **large), (.8756, .1185, .0059), 4, "1002, 1000, 997")
assert f.one("undefined_rows", stabilise=1, **large) == 0 and f.one("undefined_rows", stabilise=0, **large) == 1
assert np.isnan(f.one("row_max_mean", stabilise=0, **large))
for scores, n in (("5,5", 2), ("0,0", 2), ("1,1,1,1", 4)):
    assert np.array_equal(f.kept("weights", scores=scores), [1 / n] * n), scores

f = Results("invariance.h5", 36)
base, up, down = "0.5,1,1.5", "10.5,11,11.5", "-99.5,-99,-98.5"
def row(weights, scores, factor=1):
    return f.kept("weights", weights=weights, scores=scores, score_factor=factor)
def shares(parts):
    return np.array(parts) / np.sum(parts)
for scores in (base, up, down):
    assert np.allclose(row("softmax", scores), shares([exp(-1), exp(-0.5), 1]), rtol=1e-13), scores
for factor in (0.5, 1, 2, 4):
    assert np.allclose(row("softmax", base, factor), shares([exp(-factor), exp(-factor / 2), 1]), rtol=1e-13)
    assert np.allclose(row("sum", base, factor), [1 / 6, 1 / 3, 1 / 2], rtol=1e-14), factor
    assert np.allclose(row("square", base, factor), [1 / 14, 4 / 14, 9 / 14], rtol=1e-14), factor
assert np.allclose(row("sum", up), shares([21, 22, 23])) and np.allclose(row("sum", down), shares([199, 198, 197]))
assert np.allclose(row("square", up), shares([441, 484, 529]))
assert np.allclose(row("square", down), shares([199**2, 198**2, 197**2]))
assert np.allclose(row("softplus", base), shares([log(1 + e**s) for s in (0.5, 1, 1.5)]))
assert np.allclose(row("softplus", down), row("softmax", base), rtol=1e-13)
assert np.abs(row("softplus", up) - row("sum", up)).max() < 1e-6 * 11
assert np.allclose(row("sigmoid", base), [1 / (1 + 3 * exp(-s)) for s in (0.5, 1, 1.5)])
for weights in ("sigmoid", "softmax_plus_one"):
    assert row(weights, down).sum() < 1e-42, weights
total = exp(10.5) + exp(11) + exp(11.5)
assert np.isclose(row("softmax_plus_one", up).sum(), total / (1 + total), rtol=1e-14)

f = Results("normalisers.h5", 36)
def row(weights, scores):
    return f.kept("weights", weights=weights, scores=scores)
check_row(row("square", "-3,2,1"), (.643, .286, .071), 3, "square")
check_row(row("softplus", "-2,0,1"), (.059, .325, .616), 3, "softplus")
assert np.array_equal(row("sum", "1,-3"), [-0.5, 1.5])
assert np.array_equal(row("argmax", "3,2,1"), [1, 0, 0])
assert f.one("undefined_rows", weights="sum", scores="-3,2,1") == 1 and f.column("undefined_rows").sum() == 1
assert f.one("jacobian_norm_mean", weights="argmax", scores="3,2,1") == 0
assert np.array_equal(row("sparsemax", "3,2,1"), [1, 0, 0])  # a lead of 1 is enough
# (1.5 - t)^2 + (1 - t)^2 = 1 has the root t = (5 - sqrt 7) / 4, above the third score's 0.5.
t = (5 - 7**0.5) / 4
assert np.allclose(row("entmax15", "3,2,1"), [(1.5 - t) ** 2, (1 - t) ** 2, 0])
assert np.allclose(row("sigmoid", "3,2,1"), [1 / (1 + 3 * exp(-s)) for s in (3, 2, 1)])
assert np.allclose(row("softmax_plus_one", "3,2,1"), np.exp([3, 2, 1]) / (1 + np.exp([3, 2, 1]).sum()))
assert np.allclose(row("softmax", "1,-3"), [1 / (1 + exp(-4)), 1 / (1 + exp(4))])

# The first factor without weights. Exp leaves fp64 above 709.7827 and fp32 from 88.72284 on. Rounded scores:
# in bf16 88.75 is a tie between 88.5 and 89 and goes to 89; in fp16 11.09 becomes 11.09375, past 11.0901; in
# e5m2 11 is a tie between 10 and 12 and goes to 12, past 11.026; in e4m3 6.25 goes to 6, 6.26 to 6.5, past
# 6.140. The score itself is lost half a step past the largest number; e4m3 holds 464, a tie that goes to 448.
def first_undefined(f, precision, stabilise):
    order = f.where(precision=precision, stabilise=stabilise)
    order = order[np.argsort(f.column("score_factor")[order])]
    undefined = f.column("undefined_rows")[order]
    assert np.array_equal(undefined, np.sort(undefined)), (precision, stabilise)
    return f.column("score_factor")[order][undefined == 1].min(initial=np.inf)
f = Results("precision.h5", 324)
breaks = {"fp64": (709.79, np.inf), "fp32": (88.7229, np.inf), "bf16": (88.75, np.inf),
          "fp16": (11.09, 65520), "fp8_e5m2": (11, 61440), "fp8_e4m3": (6.26, 465)}
for precision, (off, on) in breaks.items():
    assert first_undefined(f, precision, 0) == off, (precision, first_undefined(f, precision, 0))
    assert first_undefined(f, precision, 1) == on, (precision, first_undefined(f, precision, 1))
# Exp is rounded to 0 from half the least number on: -745.1332, -103.9721, -92.88 (93 in bf16, from the tie
# 92.75 on), -17.3287 (17.34 is 17.34375 in fp16), -11.78 (12 from the tie 11 on), -6.93 (7 from 6.75 on).
f = Results("underflow.h5", 144)
breaks = {"fp64": 745.14, "fp32": 103.973, "bf16": 92.75, "fp16": 17.34, "fp8_e5m2": 11, "fp8_e4m3": 6.75}
for precision, off in breaks.items():
    assert first_undefined(f, precision, 0) == off, (precision, first_undefined(f, precision, 0))
    # e4m3 holds no score past 464 on either side.
    assert first_undefined(f, precision, 1) == (745.13 if precision == "fp8_e4m3" else np.inf), precision
EOT
exit $FAILED
