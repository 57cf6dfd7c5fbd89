#!/usr/bin/python3
"""Times rowmax beside numpy doing the same work; see README.md. usage: compare.py ROWMAX [ROUNDS]"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np

GUARDS = [(i, s, n) for i in (0, 1) for s in (0, 1) for n in (0, 1)]
SWEEPS = {
    "short": {"tokens": 8, "width": 64, "guards": GUARDS, "seeds": 96},
    "guards": {"tokens": 8, "width": 64, "guards": GUARDS, "seeds": 1024},
    "seeds": {"tokens": 8, "width": 64, "guards": [(1, 1, 1)], "seeds": 4096},
    "wide": {"tokens": 16, "width": 256, "guards": GUARDS, "seeds": 32},
}


def squares(weights, vectors):
    """sum over j of p_ij^2 |v_j - vbar_i|^2 for every row i"""
    mean = weights @ vectors
    distance = (vectors ** 2).sum(1) - 2 * mean @ vectors.T + (mean ** 2).sum(1)[:, None]
    return np.maximum((weights ** 2 * distance).sum(1), 0)


def one_run(x, width, seed, init, scale, norm):
    generator = np.random.default_rng(seed)
    if norm:
        x = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)
    spread = width ** -0.5 if init else 1.0
    w_q = generator.standard_normal((width, width)) * spread
    w_k = generator.standard_normal((width, width)) * spread
    q, k = x @ w_q, x @ w_k
    factor = width ** -0.5 if scale else 1.0
    scores = q @ k.T * factor
    p = np.exp(scores - scores.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    s2, s3 = (p * p).sum(1), (p * p * p).sum(1)
    jacobian = np.sqrt(np.maximum(s2 - 2 * s3 + s2 * s2, 0)).mean()
    entropy = -(p * np.log(p + 1e-300)).sum(1).mean()
    gradient_q = factor * np.sqrt(((x ** 2).sum(1) * squares(p, k)).sum())
    gradient_k = factor * np.sqrt(((q ** 2).sum(1) * squares(p, x)).sum())
    return (x.std(), scores.std(), p.max(1).mean(), entropy, jacobian, (1 - s2).mean(),
            gradient_q, gradient_k)


def numpy_sweep(sweep):
    """The sweep as a script; the input is drawn once per seed, as rowmax does."""
    for seed in range(1, sweep["seeds"] + 1):
        x = np.random.default_rng(10000 + seed).standard_normal((sweep["tokens"], sweep["width"]))
        for init, scale, norm in sweep["guards"]:
            one_run(x, sweep["width"], seed, init, scale, norm)


def seconds_a_run(command, sweep):
    """Of the whole process, start included."""
    begin = time.perf_counter()
    subprocess.run(command, check=True)
    return (time.perf_counter() - begin) / (sweep["seeds"] * len(sweep["guards"]))


def write_sweep(sweep, folder):
    guards = "all" if len(sweep["guards"]) == 8 else "[init+scale+norm]"
    path = os.path.join(folder, "bench.yaml")
    with open(path, "w") as file:
        file.write("rowmax: 1\nname: bench\nfixed: {source: gaussian, position: none, tokens: %d, "
                   "d_model: %d, d_k: %d}\ngrid:\n  seed: {from: 1, to: %d}\n  guards: %s\n"
                   % (sweep["tokens"], sweep["width"], sweep["width"], sweep["seeds"], guards))
    return path


def main():
    if sys.argv[1] == "--numpy":
        numpy_sweep(SWEEPS[sys.argv[2]])
        return
    program = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    print("sweep   numpy us/run  rowmax us/run  ratio: lowest median highest")
    with tempfile.TemporaryDirectory() as folder:
        for name, sweep in SWEEPS.items():
            script = [sys.executable, os.path.abspath(__file__), "--numpy", name]
            run = [program, "run", write_sweep(sweep, folder), "-o", os.path.join(folder, "x.h5"),
                   "--fresh", "--quiet", "-j", "1"]
            pairs = [(seconds_a_run(script, sweep), seconds_a_run(run, sweep))
                     for _ in range(rounds + 1)][1:]
            ratios = sorted(a / b for a, b in pairs)
            print("%-7s %12.1f %14.1f  %13.1f %6.1f %7.1f"
                  % (name, 1e6 * statistics.median(a for a, _ in pairs),
                     1e6 * statistics.median(b for _, b in pairs), ratios[0],
                     statistics.median(ratios), ratios[-1]))


if __name__ == "__main__":
    main()
