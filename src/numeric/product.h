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

/* c = a (b - 1 originᵀ) and squares = (a∘a) (b - 1 originᵀ), each entry of a squared: `origin` (k),
 * unless NULL, is taken from each row of b first. */
void product_multiply_both(size_t n, size_t m, size_t k, const double *a, const double *b,
                           const double *origin, double *c, double *squares);

/* b as strips of eight columns, each (m, 8), zeros behind the last: for right sides that many
 * products share. Its columns from a multiple of eight on begin at that column times m. */
size_t product_strips_size(size_t m, size_t k);

/* The strips of rowsᵀ: rows (k, m). */
void product_make_strips(size_t k, size_t m, const double *rows, double *strips);

/* c = a b, b (m, k) in strips; the rows of c are `apart` numbers apart. */
void product_multiply_strips(size_t n, size_t m, size_t k, const double *a, const double *strips,
                             double *c, size_t apart);

/* c += a b, each entry's chain going on: rows of a `a_apart` and of c `apart` numbers apart. */
void product_add_strips(size_t n, size_t m, size_t k, const double *a, size_t a_apart,
                        const double *strips, double *c, size_t apart);

/* Some of the `all` steps of the inner index: from begin to before end. */
struct product_steps {
    size_t begin, end, all;
};

/* Those steps of c = a b, a (n, all), of whose b the rows before `end` are known by now: c is what
 * the steps before have left. One step after the other, they give what product_multiply does. */
void product_continue(size_t n, const struct product_steps *steps, size_t k, const double *a,
                      const double *b, double *c);

/* out = inᵀ: in (rows, columns), out (columns, rows). */
void product_transpose(size_t rows, size_t columns, const double *in, double *out);

#endif
