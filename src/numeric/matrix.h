/* SPDX-License-Identifier: MIT */
/* The size of a vector, of rows or of a matrix. No allocation, no I/O; nothing here can fail. */
#ifndef NUMERIC_MATRIX_H
#define NUMERIC_MATRIX_H

#include <stddef.h>

/* Euclidean length of x, free of overflow and underflow on the way. */
double matrix_norm(size_t n, const double *x);

/* The largest magnitude of n numbers, NaN as soon as one of them is; 0 of none. */
double matrix_largest(size_t n, const double *x);

/* The lengths of rows of n numbers. */
void matrix_row_norms(size_t rows, size_t n, const double *x, double *norms);

#endif
