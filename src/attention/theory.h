/* SPDX-License-Identifier: MIT */
/* What a row of attention must show when its scores are independent normal numbers: expectations
 * over the scores, by quadrature and not by sampling. Derivation: docs/method.md, "Independent
 * scores". Pure and reentrant; no allocation, about 100 kB of stack. */
#ifndef ATTENTION_THEORY_H
#define ATTENTION_THEORY_H

#include <stddef.h>

/* Expectations over a row p = softmax(s) of n keys, with J = diag(p) - p pᵀ. */
struct theory {
    double row_max;        /* E[max p] */
    double sum_of_squares; /* E[sum p^2] */
    double jacobian_trace; /* E[tr J] = 1 - E[sum p^2], not normalised */
    double jacobian_rms;   /* sqrt(E|J|_F^2) */
    double entropy;        /* E[-sum p ln p], nats */
};

/* n independent N(0, spread^2) scores, right to 1e-12 for n from 1 to 2^20. A spread of 0 gives
 * uniform weights and one key has p = 1, both exactly; a spread above 1e300 gives the limit, one
 * weight of 1. NaN gives NaN. The sign of the spread does not matter. n >= 1. */
void theory_iid(size_t n, double spread, struct theory *out);

/* Where saturation begins, is half way and is complete: the spreads at which the mean normalised
 * trace E[tr J] / (1 - 1/n), 1 for uniform weights and 0 for certain ones, falls to 0.9, 0.5, 0.1.
 */
struct theory_thresholds {
    double onset, saturated, collapsed;
};

/* Right to 1e-10 of their size for n from 2 to 2^20; a single key has none, and they are NaN. */
void theory_thresholds(size_t n, struct theory_thresholds *out);

/* The spread at which the mean normalised trace of n scores falls to `level`, and the one at which
 * E[max p] is `level`. NaN for levels that no spread gives: unless 0 < level < 1 and n > 1, or
 * 1/n < level < 1. Right to 1e-10 of their size where levels stay 0.01 away from those limits; the
 * means are right to 1e-12, which tells the spread ever less nearer to them. */
double theory_spread_at_trace(size_t n, double level);
double theory_spread_at_row_max(size_t n, double level);

/* Rows 2 to n of independent scores under a causal mask: row i has i keys. Row 1 has one key and
 * nothing to choose, and is left out. */
struct theory_causal {
    double row_max;        /* mean of E[max p] */
    double jacobian_trace; /* mean of E[tr J] / (1 - 1/i): normalised by the keys of each row */
};

/* n - 1 calls of theory_iid. A single row leaves nothing, and the means are NaN. */
void theory_causal(size_t n, double spread, struct theory_causal *out);

/* The mean of the largest of n independent N(0, 1) numbers, a_n: E[tr J] <= a_n / spread. n >= 1.
 */
double theory_expected_maximum(size_t n);

#endif
