/* SPDX-License-Identifier: MIT */
/* Dense matrices, row-major, through BLAS. No allocation, no I/O; nothing here can fail.
 * Outputs may not alias inputs. */
#ifndef NUMERIC_MATRIX_H
#define NUMERIC_MATRIX_H

#include <stddef.h>

/* One BLAS thread in this process, before any worker starts: runs are parallel, products are not.
 */
void matrix_use_one_thread(void);

/* Name of the BLAS kernel in use, e.g. "SkylakeX"; static text. */
const char *matrix_kernel_name(void);

/* Its version, "0.3.21", in `out`; "unknown" where it does not say. */
#define MATRIX_VERSION_SIZE 32
const char *matrix_blas_version(char out[MATRIX_VERSION_SIZE]);

/* c = a b: a (n, m), b (m, k), c (n, k). */
void matrix_multiply(size_t n, size_t m, size_t k, const double *a, const double *b, double *c);

/* c = a bᵀ: a (n, m), b (k, m), c (n, k). */
void matrix_multiply_transposed(size_t n, size_t m, size_t k, const double *a, const double *b,
                                double *c);

/* Euclidean length of x, free of overflow and underflow on the way. */
double matrix_norm(size_t n, const double *x);

#endif
