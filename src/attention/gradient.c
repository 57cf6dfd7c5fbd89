/* SPDX-License-Identifier: MIT */
/* |J V|_F of one row. With m = arg_max, epsilon = sum of the other weights, q_j = p_j / epsilon,
 * D_j = v_j - v_m and b = sum_{j != m} q_j D_j, the mean is vbar = v_m + epsilon b, so that
 *   |J V|_F^2 = epsilon^2 (p_m^2 |b|^2 + sum_{j != m} q_j^2 |D_j - epsilon b|^2).
 * The uniform row is the same with p = 1/n and the mean of V. */
#include "attention/gradient.h"

#include "attention/gradient_internal.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The sum of squares in |J V|_F^2 = epsilon^2 * sum, in units of 1 / scale^2. */
MANY_TARGETS(double, row_squares,
             (size_t n, size_t d, const double *p, size_t arg_max, double others, const double *v,
              double *centre, double scale),
             (n, d, p, arg_max, others, v, centre, scale))
{
    const double *origin = v + arg_max * d;
    memset(centre, 0, d * sizeof *centre);
    for (size_t j = 0; j < n; j++) {
        if (j != arg_max && p[j] != 0) {
            add_difference(d, p[j] / others, v + j * d, origin, centre);
        }
    }
    double sum = p[arg_max] * p[arg_max] * squared_distance(d, origin, origin, centre, scale);
    for (size_t c = 0; c < d; c++) {
        centre[c] *= others;
    }
    for (size_t j = 0; j < n; j++) {
        if (j != arg_max && p[j] != 0) {
            double share = p[j] / others;
            sum += share * share * squared_distance(d, v + j * d, origin, centre, scale);
        }
    }
    return sum;
}

/* n^2 |J V|_F^2 for uniform weights: the squared distances from the mean, times scale^2. */
MANY_TARGETS(double, uniform_squares,
             (size_t n, size_t d, const double *v, double *centre, double scale),
             (n, d, v, centre, scale))
{
    memset(centre, 0, d * sizeof *centre);
    for (size_t j = 1; j < n; j++) {
        add_difference(d, 1 / (double)n, v + j * d, v, centre);
    }
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        sum += squared_distance(d, v + j * d, v, centre, scale);
    }
    return sum;
}

/* A power of two that brings the largest difference from `origin` near 1; 0 when all vectors are
 * equal, 1 when no scale would help. */
static double range_scale(size_t n, size_t d, const double *v, const double *origin)
{
    double largest = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t c = 0; c < d; c++) {
            largest = fmax(largest, fabs(v[j * d + c] - origin[c]));
        }
    }
    if (largest == 0 || isinf(largest)) {
        return largest == 0 ? 0 : 1;
    }
    return scalbn(1.0, largest < 0x1p-1000 ? 1000 : -ilogb(largest));
}

double gradient_row(size_t n, size_t d, const double *p, size_t arg_max, double others,
                    const double *v, double *scratch)
{
    if (others == 0) {
        return 0;
    }
    double scale = 1;
    double squares = row_squares(n, d, p, arg_max, others, v, scratch, scale);
    if (!gradient_in_range(squares)) {
        scale = range_scale(n, d, v, v + arg_max * d);
        if (scale == 0) {
            return 0;
        }
        squares = row_squares(n, d, p, arg_max, others, v, scratch, scale);
    }
    return others * (sqrt(squares) / scale);
}

double gradient_row_uniform(size_t n, size_t d, const double *v, double *scratch)
{
    double scale = 1;
    double squares = uniform_squares(n, d, v, scratch, scale);
    if (!gradient_in_range(squares)) {
        scale = range_scale(n, d, v, v);
        if (scale == 0) {
            return 0;
        }
        squares = uniform_squares(n, d, v, scratch, scale);
    }
    return sqrt(squares) / (double)n / scale;
}
