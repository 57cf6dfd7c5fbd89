/* SPDX-License-Identifier: MIT */
/* |J Y|_F of rows of weights over outer products y_j = x_j u_jᵀ, of which the x_j are the same for
 * all rows: what reaches W_K where each key has a derivative of its own (docs/method.md, "Gradients
 * through the query/key guard"). By products with X Xᵀ, as <y_j, y_l> = (x_j·x_l) (u_j·u_l). */
#ifndef ATTENTION_GRADIENT_OUTER_H
#define ATTENTION_GRADIENT_OUTER_H

#include "attention/weigh_row.h"

#include <stddef.h>

/* Weights over the same y_j that one call takes. */
#define OUTER_SETS ((size_t)2)

struct outer_vectors {
    size_t n, d, d_k;
    const double *x;    /* (n, d) */
    const double *gram; /* (n, n): X Xᵀ; NULL: each row goes by gradient_row_outer */
};

/* Numbers of X Xᵀ where it is kept, which takes 32 MB at most; else 0. */
size_t gradient_gram_size(size_t n);

/* Numbers of scratch for rows over up to n vectors. */
size_t gradient_outer_size(size_t n, size_t d_k);

/* norms[s] = gradient_row_outer of the `keys` first vectors with sets[s] and u (keys, d_k), for
 * `count` sets: with all but some two of its digits, or by that function where more would be lost.
 * `outer` holds d * d_k. */
void gradient_outer(const struct outer_vectors *vectors, size_t keys, const double *u, size_t count,
                    const struct row_slopes *const sets[OUTER_SETS], double *scratch, double *outer,
                    double norms[OUTER_SETS]);

#endif
