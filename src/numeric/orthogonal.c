/* SPDX-License-Identifier: MIT */
/* Gram and Schmidt, each row twice: once is not enough where rows are nearly dependent (Giraud,
 * Langou and Rozložník 2005). */
#include "numeric/orthogonal.h"

#include "base/clones.h"
#include "numeric/lanes.h"
#include "numeric/matrix.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

PART_OF_TARGETS void subtract_projection(size_t d, const double *basis, double *row)
{
    double product = lanes_dot(d, basis, row);
    for (size_t c = 0; c < d; c++) {
        row[c] -= product * basis[c];
    }
}

/* Takes from a row what lies along the `count` rows of the basis, one after the other. */
MANY_TARGETS_VOID(subtract_projections,
                  (size_t count, size_t d, const double *basis, double *restrict row),
                  (count, d, basis, row))
{
    for (size_t j = 0; j < count; j++) {
        subtract_projection(d, basis + j * d, row);
    }
}

void orthogonal_rows(size_t n, size_t d, double *x)
{
    for (size_t i = 0; i < n; i++) {
        double *row = x + i * d;
        double before = matrix_norm(d, row);
        for (int pass = 0; pass < 2; pass++) {
            subtract_projections(i, d, x, row);
        }
        double length = matrix_norm(d, row);
        /* What rounding leaves of a dependent row is no direction; each subtraction leaves some. */
        bool dependent = !(length > (8 + (double)i) * DBL_EPSILON * before);
        for (size_t c = 0; c < d; c++) {
            row[c] = dependent ? (double)NAN : row[c] / length;
        }
    }
}
