/* SPDX-License-Identifier: MIT */
/* The ways to turn a row of scores into weights, each with its exact Jacobian. All Jacobians here
 * have the form dp_i/ds_j = a_j (delta_ij - b_i), that is J = (I - b 1ᵀ) diag(a):
 *
 *   softmax           p = e^s / sum e^s                  a = p            b = p
 *   softmax_plus_one  p = e^s / (1 + sum e^s)            a = p            b = p   (sum below 1)
 *   sigmoid           p = 1 / (1 + e^-(s - ln n))        a = p (1 - p)    b = 0
 *   sparsemax         Euclidean projection on the        a = 1 on the     b = a / sum a
 *                     simplex                                support
 *   entmax15          p = (s/2 - tau)_+^2                a = sqrt(p)      b = a / sum a
 *   softplus          g = ln(1 + e^s), p = g / sum g     a = g' / sum g   b = p
 *   square            g = s^2                            a = g' / sum g   b = p
 *   sum               g = s                              a = g' / sum g   b = p
 *   argmax            equal shares of the largest        a = 0; at a tie of the largest there is no
 *                                                        derivative: NaN
 *
 * Sources: Miller 2023 (plus one), Ramapuram et al. 2024 (sigmoid), Martins and Astudillo 2016
 * (sparsemax), Peters, Niculae and Martins 2019 (entmax). Proofs: docs/method.md, "Weights". */
#ifndef ATTENTION_WEIGHTS_H
#define ATTENTION_WEIGHTS_H

#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

/* One row, each array of n numbers and the caller's. */
struct weights_row {
    double *p;         /* the weights */
    double *slope;     /* a */
    double *share;     /* b */
    double *unshared;  /* 1 - b, without cancellation */
    double *remainder; /* 1 - p, without cancellation where p is near 1 */
};

/* Fills the row from n >= 1 finite scores. Where a formula has no value (0/0 of square and sum) the
 * weights and all else are NaN, or infinite as IEEE division gives them; at a tie of argmax the
 * slope of every key is NaN. row->p may be scores: a row is filled in place. Weights are within a
 * few units of the last place, as is 1 - p of a weight near 1. O(n), no allocation. */
typedef void weights_fill(size_t n, const double *scores, const struct weights_row *row);

struct weights_alternative {
    const char *name; /* that of the field's choice */
    weights_fill *fill;
    bool shift_invariant; /* so that every row of J sums to 0 */
    bool sums_to_one;
};

/* In the order of enum run_weights. */
extern const struct weights_alternative weights_alternatives[WEIGHTS_COUNT];

#endif
