/* SPDX-License-Identifier: MIT */
/* Dense products of our own, row-major. Every entry is one chain of multiply-adds over the inner
 * index in its order, fused where the processor can: it depends on its row of a and its column of b
 * alone, so neither the shape around it nor a library's choice of kernel moves a bit. No
 * allocation, no I/O; nothing here can fail. Outputs may not alias inputs. */
#ifndef NUMERIC_PRODUCT_H
#define NUMERIC_PRODUCT_H

#include <stddef.h>

/* c = a b: a (n, m), b (m, k), c (n, k). */
void product_multiply(size_t n, size_t m, size_t k, const double *a, const double *b, double *c);

/* c = a (b - 1 originᵀ): `origin` (k), unless NULL, is taken from each row of b first. */
void product_multiply_from(size_t n, size_t m, size_t k, const double *a, const double *b,
                           const double *origin, double *c);

/* out = inᵀ: in (rows, columns), out (columns, rows). */
void product_transpose(size_t rows, size_t columns, const double *in, double *out);

#endif
