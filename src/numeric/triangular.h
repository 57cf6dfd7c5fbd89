/* SPDX-License-Identifier: MIT */
/* The triangle that wide rows leave of themselves. No allocation, no I/O. */
#ifndef NUMERIC_TRIANGULAR_H
#define NUMERIC_TRIANGULAR_H

#include "numeric/lapack.h"

#include <stddef.h>

/* Numbers that triangular_factor needs as workspace. */
size_t triangular_workspace(size_t n, size_t d);

/* l (n, n), zero above the diagonal and not negative on it, with l lᵀ = x xᵀ, for x (n, d) and
 * n < d. Taken from x itself by reflections, so that small differences between rows keep their
 * digits; x xᵀ alone decides it, up to rounding. A row that depends on those before it has a zero
 * on the diagonal, and so has its whole column. Where x is not finite, l is neither. 2 n^2 d
 * operations. */
void triangular_factor(const struct lapack *lapack, size_t n, size_t d, const double *x, double *l,
                       double *workspace);

#endif
