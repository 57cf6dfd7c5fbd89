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

# Every head of a grouped-query layer: weights as PyTorch's Linear stores them, in half precision in a
# safetensors file and side by side in an HDF5 file, rotated, normalised, causal; against numpy.
cat >heads.py <<'EOT'
import h5py, json, numpy as np
rng = np.random.default_rng(11)
tokens, d_model, d_k, heads, key_heads = 11, 24, 6, 4, 2
x = rng.standard_normal((tokens, d_model))
w_q = rng.standard_normal((heads * d_k, d_model)) / 4
w_k = rng.standard_normal((key_heads * d_k, d_model)) / 4
q = rng.standard_normal((5, heads * d_k))
k = rng.standard_normal((9, key_heads * d_k))

def bfloat16(values):
    """The upper halves of float32: bits to store, and the numbers that they are."""
    bits = values.astype("<f4").view("<u4") >> 16
    return bits.astype("<u2"), (bits << 16).astype("<u4").view("<f4").astype("f8")

w_k_bits, w_k_rounded = bfloat16(w_k)
stored = {"x": ("F64", x), "w_q": ("F16", w_q.astype("<f2")), "w_k": ("BF16", w_k_bits)}
w_q = w_q.astype("<f2").astype("f8")
w_k = w_k_rounded

def write():
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, (dtype, tensor) in stored.items():
        raw = tensor.tobytes()
        header[name] = {"dtype": dtype, "shape": tensor.shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    open("head.safetensors", "wb").write(len(text).to_bytes(8, "little") + text + data)
    with h5py.File("head.hdf", "w") as f:
        f["layer/x"] = x
        f["layer/w_q"] = np.ascontiguousarray(w_q.T)                    # as GPT-2's Conv1D
        f["layer/w_k"] = np.ascontiguousarray(w_k.T)
        f["planes/w_q"] = w_q.reshape(heads, d_k, d_model).transpose(0, 2, 1)
        f["planes/w_k"] = w_k.reshape(key_heads, d_k, d_model).transpose(0, 2, 1)
    np.save("sides_q.npy", q)
    np.save("sides_k.npy", np.asfortranarray(k.astype("f4")))

def rotate(rows, first, base, pairs):
    angle = (first + np.arange(len(rows)))[:, None] / base ** (2 * np.arange(d_k // 2) / d_k)
    a, b = (slice(0, d_k // 2), slice(d_k // 2, d_k)) if pairs == "halves" else (slice(0, d_k, 2), slice(1, d_k, 2))
    out = np.empty_like(rows)
    out[:, a] = rows[:, a] * np.cos(angle) - rows[:, b] * np.sin(angle)
    out[:, b] = rows[:, a] * np.sin(angle) + rows[:, b] * np.cos(angle)
    return out

def rms(rows, epsilon):
    return rows / np.sqrt((rows ** 2).mean(1, keepdims=True) + epsilon)

def check(file, i, q, k, factor, causal=True, epsilon=None, rope=None):
    """The stored measures of run i against those of queries q and keys k."""
    first = len(k) - len(q)
    if epsilon is not None:
        q, k = rms(q, epsilon), rms(k, epsilon)
    if rope is not None:
        q, k = rotate(q, first, *rope), rotate(k, 0, *rope)
    s = factor * q @ k.T
    seen = np.tri(len(q), len(k), first) > 0 if causal else np.ones(s.shape, bool)
    p = np.where(seen, np.exp(s - np.where(seen, s, -np.inf).max(1, keepdims=True)), 0)
    p /= p.sum(1, keepdims=True)
    some = seen.sum(1) > 1
    entropy = -np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0).sum(1)[some]
    expected = {"row_max_mean": p.max(1)[some].mean(), "entropy_mean": entropy.mean(), "score_std": s[seen].std(),
                "effective_keys_mean": np.exp(entropy).mean(), "max_logit": s[seen].max(),
                "max_column_mean": p[some].mean(0).max(), "q_norm": np.linalg.norm(q, axis=1).mean(),
                "k_norm": np.linalg.norm(k, axis=1).mean()}
    for name, value in expected.items():
        assert np.isclose(file[name][i], value, rtol=1e-12, atol=0), (i, name, file[name][i], value)
EOT
/usr/bin/python3 -c 'import heads; heads.write()' || fail "the heads could not be written"
cat >heads.yaml <<'EOT'
rowmax: 1
name: heads
fixed:
  source: arrays
  weights_as_given: on
  heads: 4
  key_heads: 2
  guard_scale: on
  mask: causal
grid:
  - x: head.safetensors:x
    w_q: head.safetensors:w_q
    w_k: head.safetensors:w_k
    transposed: on
    position: rope
    rope_base: [10000, 500]
    rope_pairs: [halves, adjacent]
    qk_norm: [none, rms]
    norm_epsilon: 1e-6
    head: {from: 0, to: 3}
  - x: head.hdf:layer/x
    w_q: [head.hdf:layer/w_q]
    w_k: [head.hdf:layer/w_k]
    head: {from: 0, to: 3}
EOT
run 0 run heads.yaml -o heads.h5
sed -n '/^grid/q; p' heads.yaml >planes.yaml
cat >>planes.yaml <<'EOT'
  x: head.hdf:layer/x
  w_q: head.hdf:planes/w_q
  w_k: head.hdf:planes/w_k
grid: {head: {from: 0, to: 3}}
EOT
run 0 run planes.yaml -o planes.h5
cat >sides.yaml <<'EOT'
rowmax: 1
name: sides
fixed: {source: arrays, q: sides_q.npy, k: sides_k.npy, heads: 4, key_heads: 2}
grid: {mask: [none, causal], position: [none, rope], head: {from: 0, to: 3}}
keep: weights
EOT
run 0 run sides.yaml -o sides.h5
/usr/bin/python3 - <<'EOT' || fail "numpy disagrees about the heads"
import heads as h
import h5py, numpy as np

f = h5py.File("heads.h5")
assert len(f["run"]) == 36 and (f["status"][:] == 0).all()
i = 0
settings = [(base, pairs, epsilon) for base in (10000, 500) for pairs in ("halves", "adjacent") for epsilon in (None, 1e-6)]
for base, pairs, epsilon in settings:
    for head in range(4):
        assert f["head"][i] == head and f["d_model"][i] == 24 and f["d_k"][i] == 6
        q = h.x @ h.w_q[head * 6:][:6].T
        k = h.x @ h.w_k[head // 2 * 6:][:6].T
        assert np.isfinite(f["gradient_wq"][i]) and np.isnan(f["predicted_score_std"][i])
        h.check(f, i, q, k, 1 / np.sqrt(6), epsilon=epsilon, rope=(base, pairs))
        i += 1
for head in range(4):
    h.check(f, 32 + head, h.x @ h.w_q[head * 6:][:6].T, h.x @ h.w_k[head // 2 * 6:][:6].T, 1 / np.sqrt(6))

# A matrix a head is the same head.
g = h5py.File("planes.h5")
for name in ("row_max_mean", "entropy_mean", "gradient_wk"):
    assert np.array_equal(g[name][:4], f[name][32:]), name

f = h5py.File("sides.h5")
assert len(f["run"]) == 16 and (f["queries"][:] == 5).all() and (f["tokens"][:] == 9).all()
k32 = h.k.astype("f4").astype("f8")
for i in range(16):
    causal, rope, head = i // 8 == 1, (10000, "halves") if i // 4 % 2 else None, i % 4
    h.check(f, i, h.q[:, head * 6:][:, :6], k32[:, head // 2 * 6:][:, :6], 1, causal, rope=rope)
    assert np.isnan(f["gradient_wq"][i]) and np.isnan(f["input_std"][i])
    assert f["kept_weights"][i].shape == (5, 9) and np.allclose(f["kept_weights"][i].sum(1), 1, rtol=1e-14)
    assert (f["kept_weights"][i, 0, 5:] == 0).all() == causal
EOT

# Heads that are not there, and inputs that exclude each other.
head() {
  run 2 run sides.yaml -o bad.h5 "${@:2}" && one_line && says "$1"
  absent bad.h5
}
head "head 4 is not among the 4 of 'heads'" --set head=4
head "key_heads 3 does not divide heads 4" --set key_heads=3
head "'-1' is out of range; allowed is 0 to 65536" --set key_heads=-1
head "'0' is out of range; allowed is 1 to 65536" --set heads=0
head "'-1' is out of range; allowed is 0 to 65535" --set head=-1
head "sides_x.npy" --set q=sides_x.npy
head "sides_x.npy" --set k=sides_x.npy
head "q and k stand in place of x" --set x=x.npy
head "guards init and norm act on x and its projections" --set guards=norm
head "position sinusoidal is added to x" --set position=sinusoidal
head "d_k must be even, not 3" --set heads=8 --set key_heads=4 --set position=rope
head "'transposed' has no effect: no w_q and w_k are given" --set transposed=on
head "'seed' has no effect: with q and k given nothing is drawn" --set 'seed=[1, 2]'
head "d_k is set to 5, but 'sides_q.npy' has 6 columns a head" --set d_k=5
exit $FAILED
