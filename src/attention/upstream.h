/* SPDX-License-Identifier: MIT */
/* What one upstream gradient becomes at the scores of a row: Jᵀ g, J the derivative of the row's
 * weights (docs/method.md, "One drawn upstream"). */
#ifndef ATTENTION_UPSTREAM_H
#define ATTENTION_UPSTREAM_H

#include "attention/weigh_row.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows of softmax with at most so many weights that count need no product. */
#define UPSTREAM_FEW ((size_t)16)
/* So few tokens, where they are no more than their dimensions, are known by their products with
 * each other. */
#define UPSTREAM_FEW_TOKENS ((size_t)64)

/* g of n keys becomes Jᵀ g, in place. Where rows of J ignore a common shift, and so without
 * defects, the result sums to 0 as exactly as its small entries allow. */
void upstream_row(size_t n, const struct row_slopes *slopes, double *g);

/* Sets numbers to 0 that are subnormal, which a processor takes a hundred times as long to multiply
 * by, where the largest is so much larger that they count for nothing. */
void upstream_drop_subnormal(size_t n, double *g);

/* The keys that have a weight of some size. */
struct upstream_places {
    size_t count; /* larger than `most` where there are more */
    bool dropped; /* others have smaller weights that are not 0 */
};

/* The places of up to `most` keys whose weight is at least `least`, and not 0. */
struct upstream_places upstream_few(size_t n, const double *weights, double least, size_t most,
                                    uint32_t *places);

/* out = Jᵀ g of uniform weights 1/n of softmax. */
void upstream_row_uniform(size_t n, const double *g, double *out);

#endif
