/* SPDX-License-Identifier: MIT */
/* Orthonormal rows. No allocation, no I/O. */
#ifndef NUMERIC_ORTHOGONAL_H
#define NUMERIC_ORTHOGONAL_H

#include <stddef.h>

/* Replaces the rows of x (n, d), n <= d, by an orthonormal basis of what they span, in order: row i
 * lies in the span of the first i + 1. Normal rows give a basis of uniformly random direction. A
 * row that depends on those before it becomes NaN, and so do all rows behind it. */
void orthogonal_rows(size_t n, size_t d, double *x);

#endif
