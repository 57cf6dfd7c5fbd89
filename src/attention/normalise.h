/* SPDX-License-Identifier: MIT */
/* The input guard: each row of x (n, d) to zero mean and unit variance, or to unit mean square. */
#ifndef ATTENTION_NORMALISE_H
#define ATTENTION_NORMALISE_H

#include <stddef.h>

/* (x - mean) / sqrt(variance + epsilon), population variance, no gain or bias; Ba, Kiros and
 * Hinton 2016. A constant row gives zeros when epsilon > 0, NaN when it is 0. */
void normalise_layer(size_t n, size_t d, double epsilon, const double *x, double *out);

/* x / sqrt(mean(x^2) + epsilon); Zhang and Sennrich 2019. */
void normalise_rms(size_t n, size_t d, double epsilon, const double *x, double *out);

#endif
