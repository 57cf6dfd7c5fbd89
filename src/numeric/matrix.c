/* SPDX-License-Identifier: MIT */
/* A Euclidean length that cannot overflow on the way. */
#include "numeric/matrix.h"

#include "numeric/lanes.h"

#include <float.h>
#include <math.h>

MANY_TARGETS(double, sum_of_squares, (size_t n, const double *x, double scale), (n, x, scale))
{
    lanes sums = {0};
    for (size_t i = 0; i + LANES <= n; i += LANES) {
        lanes value = *(const lanes *)(x + i) * scale;
        sums += value * value;
    }
    double sum = 0;
    for (size_t i = n - n % LANES; i < n; i++) {
        sum += x[i] * scale * (x[i] * scale);
    }
    return lanes_sum(&sums) + sum;
}

static double largest_magnitude(size_t n, const double *x)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

double matrix_norm(size_t n, const double *x)
{
    double squares = sum_of_squares(n, x, 1.0);
    if (isnan(squares) || (squares > DBL_MIN / DBL_EPSILON && squares <= DBL_MAX)) {
        return sqrt(squares);
    }
    double largest = largest_magnitude(n, x);
    if (largest == 0 || isinf(largest)) {
        return largest;
    }
    /* A power of two scales exactly; the limit keeps it finite for subnormal numbers. */
    double scale = scalbn(1.0, largest < 0x1p-1000 ? 1000 : -ilogb(largest));
    return sqrt(sum_of_squares(n, x, scale)) / scale;
}
