/* SPDX-License-Identifier: MIT */
/* One row of attention: weights from scores, and what can be said of the row without cancellation.
 * Exponentials and their sums may fuse a * b + c: the same bits wherever the processor does.
 * Forms: docs/method.md, "A row"; Blanchard, Higham & Higham 2021 for the shift. */
#ifndef ATTENTION_SOFTMAX_H
#define ATTENTION_SOFTMAX_H

#include <stddef.h>

/* m is the place of the largest weight (the first of ties), epsilon the sum of the others. */
struct row_measures {
    size_t arg_max;
    double row_max;               /* p_m */
    double others;                /* epsilon = sum of p_j, j != m, summed directly */
    double log_one_minus_row_max; /* lse(others) - lse(all): finite where epsilon underflows; -inf
                                     for a single key */
    double sum;                   /* of the weights: 1 */
    double entropy;               /* nats: ln(1+E) + sum p_j (s_m - s_j) */
    double effective_keys;        /* exp(entropy) */
    double jacobian_norm;         /* |diag(p) - p pᵀ|_F */
    double jacobian_trace;        /* 1 - sum p^2, not normalised */
};

/* weights = softmax(scores) over n >= 1 keys, the maximum subtracted; returns the row's measures.
 * A row holding NaN or an infinity gives NaN weights and NaN measures. In place is allowed. */
struct row_measures softmax_row(size_t n, const double *scores, double *weights);

/* The same where all scores are known to be finite. */
struct row_measures softmax_finite_row(size_t n, const double *scores, double *weights);

/* Short rows wait less when several go together: so many of n keys, at most SOFTMAX_ROWS. */
#define SOFTMAX_ROWS ((size_t)8)
size_t softmax_rows_at_once(size_t n);

/* softmax_finite_row of so many rows or fewer, one behind the other in memory, in place. */
void softmax_rows(size_t rows, size_t n, double *weights, struct row_measures *measures);

#endif
