/* SPDX-License-Identifier: MIT */
/* One function for each alternative of weights.h, and the sums that they share. */
#ifndef ATTENTION_WEIGHTS_INTERNAL_H
#define ATTENTION_WEIGHTS_INTERNAL_H

#include "attention/softmax.h"
#include "attention/weights.h"

weights_fill weights_softmax;
weights_fill weights_softmax_plus_one;
weights_fill weights_sigmoid;
weights_fill weights_argmax;
weights_fill weights_sparsemax;
weights_fill weights_entmax15;
weights_fill weights_softplus;
weights_fill weights_square;
weights_fill weights_sum;

/* The row of weights_softmax with what softmax_row says of it. */
struct row_measures weights_softmax_measured(size_t n, const double *scores,
                                             const struct weights_row *row);

/* The largest of n >= 1 scores. */
double weights_largest(size_t n, const double *scores);

/* out_j = (extra + sum of parts_k, k != j) / total: 1 - parts_j / total where total is extra and
 * all parts, without taking nearly equal numbers from each other. */
void weights_complement(size_t n, const double *parts, double extra, double total, double *out);

/* Turns parts in p, and their derivatives in slope, into the filled row: both are divided by total,
 * which holds the parts and extra. */
void weights_divide(size_t n, double extra, double total, const struct weights_row *row);

#endif
