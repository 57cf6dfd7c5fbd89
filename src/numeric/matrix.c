/* SPDX-License-Identifier: MIT */
/* A Euclidean length that cannot overflow on the way. */
#include "numeric/matrix.h"

#include "numeric/lanes.h"

#include <float.h>
#include <math.h>

PART_OF_TARGETS double squares_in_lanes(size_t n, const double *x, double scale)
{
    double sums[LANES] = {0};
    for (size_t i = 0; i + LANES <= n; i += LANES) {
        EACH_LANE
        {
            double value = x[i + lane] * scale;
            sums[lane] += value * value;
        }
    }
    double sum = 0;
    for (size_t i = n - n % LANES; i < n; i++) {
        sum += x[i] * scale * (x[i] * scale);
    }
    return lanes_sum(sums) + sum;
}

MANY_TARGETS(double, sum_of_squares, (size_t n, const double *x, double scale), (n, x, scale))
{
    return squares_in_lanes(n, x, scale);
}

/* Of each row. */
MANY_TARGETS_VOID(find_squares, (size_t rows, size_t n, const double *x, double *squares),
                  (rows, n, x, squares))
{
    for (size_t i = 0; i < rows; i++) {
        squares[i] = squares_in_lanes(n, x + i * n, 1);
    }
}

MANY_TARGETS(double, find_largest, (size_t n, const double *x), (n, x))
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double size = fabs(x[i]);
        largest = size <= largest || isnan(largest) ? largest : size;
    }
    return largest;
}

double matrix_largest(size_t n, const double *x)
{
    return find_largest(n, x);
}

/* The length of x, whose squares add up to that much. */
static double norm_from(size_t n, const double *x, double squares)
{
    if (isnan(squares) || (squares > DBL_MIN / DBL_EPSILON && squares <= DBL_MAX)) {
        return sqrt(squares);
    }
    double largest = find_largest(n, x);
    if (largest == 0 || isinf(largest)) {
        return largest;
    }
    /* A power of two scales exactly; the limit keeps it finite for subnormal numbers. */
    double scale = scalbn(1.0, largest < 0x1p-1000 ? 1000 : -ilogb(largest));
    return sqrt(sum_of_squares(n, x, scale)) / scale;
}

double matrix_norm(size_t n, const double *x)
{
    return norm_from(n, x, sum_of_squares(n, x, 1));
}

void matrix_row_norms(size_t rows, size_t n, const double *x, double *norms)
{
    find_squares(rows, n, x, norms);
    for (size_t i = 0; i < rows; i++) {
        norms[i] = norm_from(n, x + i * n, norms[i]);
    }
}
