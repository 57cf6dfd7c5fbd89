#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The work of rowmax in PyTorch: one run after the other, or many seeds in one batch; as baseline_numpy.py.

baseline_torch.py time FORM SIZES RUNS BATCH    BATCH 0: no batches
baseline_torch.py rows NxDxK ROWS BLOCK
baseline_torch.py check FOLDER BATCH

With one random upstream gradient the backward pass is autograd's. Batches draw in float32 and widen, which PyTorch 1.13
does several times as fast as drawing doubles.
"""
import sys
import time

import torch
import torch.nn.functional as functional

torch.set_num_threads(1)
torch.set_num_interop_threads(1)
CACHE = 4 << 20


def parse_sizes(text):
    return [tuple(int(number) for number in size.split("x")) for size in text.split(",")]


def forward(scores):
    weights = scores.softmax(-1)
    with torch.no_grad():
        squares = weights * weights
        second, third = squares.sum(-1), (squares * weights).sum(-1)
        entropy = torch.logsumexp(scores, -1) - (weights * scores).sum(-1)
        jacobian = (second - 2 * third + second * second).clamp_min(0).sqrt()
        measures = (scores.flatten(-2).std(-1, unbiased=False), weights.amax(-1).mean(-1), entropy.mean(-1),
                    jacobian.mean(-1))
    return weights, squares, second, measures


def reach(weights, squares, second, vectors):
    """For every row i: sum over j of p_ij^2 |v_j - mean_i|^2."""
    mean = weights @ vectors
    lengths = vectors.square().sum(-1, keepdim=True)
    return ((squares @ lengths).squeeze(-1) - 2 * (mean * (squares @ vectors)).sum(-1)
            + second * mean.square().sum(-1))


def closed_gradients(x, q, k, parts, factor):
    gradient_q = (x.square().sum(-1) * reach(*parts, k)).sum(-1)
    gradient_k = (q.square().sum(-1) * reach(*parts, x)).sum(-1)
    return factor * gradient_q.sqrt(), factor * gradient_k.sqrt()


def loss(form, x, weights, d_k, spread, normals):
    if form == "weights":
        return (weights * normals(weights.shape[-2:])).sum()
    values = x @ (normals((x.shape[1], d_k)) * spread)
    return ((weights @ values) * normals((x.shape[0], d_k))).sum()


def one_run(x, d_k, form, normals):
    """As many runs as `normals` draws matrices at once."""
    x = functional.layer_norm(x, x.shape[1:])
    spread, factor = x.shape[1] ** -0.5, d_k ** -0.5
    learned = form != "measures"
    w_q = (normals((x.shape[1], d_k)) * spread).requires_grad_(learned)
    w_k = (normals((x.shape[1], d_k)) * spread).requires_grad_(learned)
    q, k = x @ w_q, x @ w_k
    weights, squares, second, measures = forward(q @ k.transpose(-1, -2) * factor)
    if not learned:
        return measures + closed_gradients(x, q, k, (weights, squares, second), factor)
    loss(form, x, weights, d_k, spread, normals).backward()
    return measures + tuple(w.grad.flatten(-2).norm(dim=-1) for w in (w_q, w_k))


def drawing(generator, batch):
    if batch == 0:
        return lambda shape: torch.randn(*shape, dtype=torch.float64, generator=generator)
    return lambda shape: torch.randn(batch, *shape, dtype=torch.float32, generator=generator).double()


def time_runs(form, sizes, runs, batch):
    generator = torch.Generator().manual_seed(1)
    inputs = [torch.randn(n, d, dtype=torch.float64, generator=generator) for n, d, _ in sizes]
    one_run(inputs[0][:16], 16, form, drawing(generator, min(batch, 2)))
    begin = time.process_time()
    for x, (_, d, d_k) in zip(inputs, sizes):
        # Drawn weights that stay in the caches.
        most = min(batch, max(1, CACHE // (16 * d * d_k)))
        for seed in range(0, runs, most or 1):
            generator.manual_seed(seed)
            one_run(x, d_k, form, drawing(generator, min(most, runs - seed)))
    return (time.process_time() - begin) / (runs * len(sizes))


def time_rows(size, rows, block):
    n, d, d_k = size
    normals = drawing(torch.Generator().manual_seed(1), 0)
    x = functional.layer_norm(normals((n, d)), (d,))
    begin = time.process_time()
    q, k = x @ (normals((d, d_k)) * d ** -0.5), x @ (normals((d, d_k)) * d ** -0.5)
    middle = time.process_time()
    for i in range(0, rows, block):
        forward(q[i:i + block] @ k.T * d_k ** -0.5)
    return middle - begin + (time.process_time() - middle) * n / rows


def read_array(path):
    """A .npy file of doubles, without numpy: magic, version, the length of the head, the head."""
    with open(path, "rb") as file:
        head = file.read(10)
        text = file.read(int.from_bytes(head[8:10], "little")).decode()
        shape = [int(number) for number in text.split("(")[1].split(")")[0].split(",") if number.strip()]
        return torch.frombuffer(bytearray(file.read()), dtype=torch.float64).reshape(shape)


def check(folder, batch):
    given = {name: read_array(f"{folder}/{name}.npy") for name in ("x", "w_q", "w_k", "w_v", "weights", "output")}
    d_k = given["w_q"].shape[1]
    orders = {"measures": ["w_q", "w_k"], "weights": ["w_q", "w_k", "weights"], "output": ["w_q", "w_k", "w_v", "output"]}
    for form, order in orders.items():
        drawn = iter(order)

        def normals(_, drawn=drawn):
            one = given[next(drawn)]
            return one.repeat(batch, 1, 1) if batch > 0 else one.clone()

        for i, value in enumerate(one_run(given["x"], d_k, form, normals)):
            print(form, i, repr(float(value.flatten()[-1])))


def main():
    if sys.argv[1] == "check":
        check(sys.argv[2], int(sys.argv[3]))
    elif sys.argv[1] == "rows":
        print(time_rows(parse_sizes(sys.argv[2])[0], int(sys.argv[3]), int(sys.argv[4])))
    else:
        print(time_runs(sys.argv[2], parse_sizes(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])))


if __name__ == "__main__":
    main()
