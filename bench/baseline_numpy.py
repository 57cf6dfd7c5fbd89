#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The work of rowmax in numpy: times it, or prints what it computes.

baseline_numpy.py time FORM SIZES RUNS    FORM: measures, weights, output; SIZES: NxDxK,NxDxK; RUNS of each
baseline_numpy.py rows NxDxK ROWS BLOCK   forward measures, BLOCK rows at a time; the cost of ROWS rows is scaled
baseline_numpy.py check FOLDER            the measures of given arrays, a line each

measures: the gradients of docs/method.md in closed form. weights, output: one random upstream gradient instead, at
the weights of softmax or at the head's output.
"""
import sys
import time

import numpy as np

EPSILON = 1e-5


def parse_sizes(text):
    return [tuple(int(number) for number in size.split("x")) for size in text.split(",")]


def normalise(x):
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + EPSILON)


def row_dots(a, b):
    return np.einsum("ij,ij->i", a, b)


def forward(scores):
    """Weights, their squares, the sums of those, and four measures."""
    shifted = scores - scores.max(1, keepdims=True)
    weights = np.exp(shifted)
    total = weights.sum(1, keepdims=True)
    weights /= total
    squares = weights * weights
    second, third = squares.sum(1), row_dots(squares, weights)
    entropy = np.log(total[:, 0]) - row_dots(weights, shifted)
    jacobian = np.sqrt(np.maximum(second - 2 * third + second * second, 0))
    return weights, squares, second, (scores.std(), weights.max(1).mean(), entropy.mean(), jacobian.mean())


def reach(weights, squares, second, vectors):
    """For every row i: sum over j of p_ij^2 |v_j - mean_i|^2."""
    mean = weights @ vectors
    return squares @ row_dots(vectors, vectors) - 2 * row_dots(mean, squares @ vectors) + second * row_dots(mean, mean)


def closed_gradients(x, q, k, parts, factor):
    gradient_q = row_dots(x, x) @ reach(*parts, k)
    gradient_k = row_dots(q, q) @ reach(*parts, x)
    return factor * np.sqrt(gradient_q), factor * np.sqrt(gradient_k)


def backward(x, q, k, weights, upstream, factor):
    at_scores = weights * (upstream - row_dots(weights, upstream)[:, None])
    at_q, at_k = factor * (at_scores @ k), factor * (at_scores.T @ q)
    return np.linalg.norm(x.T @ at_q), np.linalg.norm(x.T @ at_k)


def upstream_of(form, x, d_k, spread, normals):
    """At the weights: drawn, or what a drawn gradient at the output P X W_V leaves there."""
    if form == "weights":
        return normals((len(x), len(x)))
    values = x @ (normals((x.shape[1], d_k)) * spread)
    return normals((len(x), d_k)) @ values.T


def one_run(x, d_k, form, normals):
    x = normalise(x)
    spread, factor = x.shape[1] ** -0.5, d_k ** -0.5
    w_q = normals((x.shape[1], d_k)) * spread
    w_k = normals((x.shape[1], d_k)) * spread
    q, k = x @ w_q, x @ w_k
    weights, squares, second, measures = forward(q @ k.T * factor)
    if form == "measures":
        return measures + closed_gradients(x, q, k, (weights, squares, second), factor)
    return measures + backward(x, q, k, weights, upstream_of(form, x, d_k, spread, normals), factor)


def in_blocks(x, d_k, normals, rows, block):
    """Forward measures of the first `rows` rows; seconds of the projections, and of the rows."""
    spread, factor = x.shape[1] ** -0.5, d_k ** -0.5
    begin = time.process_time()
    q, k = x @ (normals((x.shape[1], d_k)) * spread), x @ (normals((x.shape[1], d_k)) * spread)
    middle = time.process_time()
    for i in range(0, rows, block):
        forward(q[i:i + block] @ k.T * factor)
    return middle - begin, time.process_time() - middle


def time_runs(form, sizes, runs):
    inputs = [np.random.default_rng(99).standard_normal((n, d)) for n, d, _ in sizes]
    one_run(inputs[0][:16], 16, form, np.random.default_rng(0).standard_normal)
    begin = time.process_time()
    for x, (_, _, d_k) in zip(inputs, sizes):
        for seed in range(runs):
            one_run(x, d_k, form, np.random.default_rng(seed).standard_normal)
    return (time.process_time() - begin) / (runs * len(sizes))


def time_rows(size, rows, block):
    n, d, d_k = size
    generator = np.random.default_rng(1)
    once, part = in_blocks(normalise(generator.standard_normal((n, d))), d_k, generator.standard_normal, rows, block)
    return once + part * n / rows


def check(folder):
    given = {name: np.load(f"{folder}/{name}.npy") for name in ("x", "w_q", "w_k", "w_v", "weights", "output")}
    d_k = given["w_q"].shape[1]
    orders = {"measures": ["w_q", "w_k"], "weights": ["w_q", "w_k", "weights"], "output": ["w_q", "w_k", "w_v", "output"]}
    for form, order in orders.items():
        drawn = iter(order)
        for i, value in enumerate(one_run(given["x"], d_k, form, lambda shape: given[next(drawn)])):
            print(form, i, repr(float(value)))


def main():
    if sys.argv[1] == "check":
        check(sys.argv[2])
    elif sys.argv[1] == "rows":
        print(time_rows(parse_sizes(sys.argv[2])[0], int(sys.argv[3]), int(sys.argv[4])))
    else:
        print(time_runs(sys.argv[2], parse_sizes(sys.argv[3]), int(sys.argv[4])))


if __name__ == "__main__":
    main()
