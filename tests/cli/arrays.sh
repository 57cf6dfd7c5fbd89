# SPDX-License-Identifier: MIT
# Foreign numbers: arrays written by numpy are measured to what numpy computes.
. "$2/tests/support/cli.sh"

/usr/bin/python3 - <<'EOT' || fail "the arrays could not be written"
import numpy as np
rng = np.random.default_rng(7)
np.save("x.npy", rng.standard_normal((9, 12)))
np.save("q.npy", np.asfortranarray(rng.standard_normal((12, 5))))
np.save("k.npy", rng.standard_normal((12, 5)).astype("f4"))
np.save("cube.npy", np.zeros((2, 2, 2)))
np.save("ints.npy", np.zeros((2, 2), dtype="i8"))
EOT
cat >arrays.yaml <<'EOT'
rowmax: 1
name: arrays
fixed: {source: arrays, x: x.npy, w_q: q.npy, w_k: k.npy}
grid: {guards: all}
keep: [scores, weights]
EOT
run 0 run arrays.yaml -o arrays.h5
/usr/bin/python3 - <<'EOT' || fail "numpy disagrees"
import h5py, numpy as np
f = h5py.File("arrays.h5")
assert list(f["d_model"][:]) == [12] * 8 and list(f["d_k"][:]) == [5] * 8 and list(f["tokens"][:]) == [9] * 8
for i in range(8):
    x, zq, zk = np.load("x.npy"), np.load("q.npy"), np.load("k.npy").astype("f8")
    init, scale, norm = (f[g][i] for g in ("guard_init", "guard_scale", "guard_norm"))
    if norm:
        x = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    q, k = x @ zq, x @ zk
    if init:
        q, k = q / np.sqrt(12), k / np.sqrt(12)
    c = 1 / np.sqrt(5) if scale else 1
    s = c * q @ k.T
    p = np.exp(s - s.max(1, keepdims=True)); p /= p.sum(1, keepdims=True)
    def squares(v):
        return np.array([sum(p[r, j] ** 2 * ((v[j] - p[r] @ v) ** 2).sum() for j in range(9)) for r in range(9)])
    jacobians = [np.linalg.norm(np.diag(row) - np.outer(row, row)) for row in p]
    expected = {
        "input_std": x.std(), "score_std": s.std(), "score_abs_max": abs(s).max(),
        "score_row_std": np.sqrt(s.var(1).mean()), "row_max_mean": p.max(1).mean(),
        "row_max_median": np.median(p.max(1)), "jacobian_norm_mean": np.mean(jacobians),
        "gradient_wq": c * np.sqrt(((x ** 2).sum(1) * squares(k)).sum()),
        "gradient_wk": c * np.sqrt(((q ** 2).sum(1) * squares(x)).sum()),
    }
    for name, value in expected.items():
        # numpy's forms cancel where rows saturate, so only they are compared loosely there
        assert np.isclose(f[name][i], value, rtol=1e-7, atol=1e-12), (i, name, f[name][i], value)
    assert np.allclose(f["kept_weights"][i], p, rtol=1e-10, atol=1e-300)
    assert np.allclose(f["kept_scores"][i], s, rtol=1e-12)
EOT
run 2 run arrays.yaml -o bad.h5 --set x=cube.npy && one_line && says "cube.npy"
run 2 run arrays.yaml -o bad.h5 --set x=ints.npy && one_line && says "ints.npy"
run 2 run arrays.yaml -o bad.h5 --set w_q=x.npy && one_line && says "x.npy"
run 2 run arrays.yaml -o bad.h5 --set x=missing.npy && one_line && says "missing.npy"
absent bad.h5
exit $FAILED
