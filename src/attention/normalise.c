/* SPDX-License-Identifier: MIT */
/* Layer and root-mean-square normalisation of rows, without gain or bias. */
#include "attention/normalise.h"

#include "numeric/statistics.h"

#include <math.h>
#include <stdbool.h>

static bool is_constant(size_t d, const double *row)
{
    size_t i = 0;
    while (i < d && row[i] == row[0]) {
        i++;
    }
    return i == d && isfinite(row[0]);
}

/* out = row - its mean. The mean is taken out twice: what rounding of the first leaves is as large
 * as the deviations themselves where a row has a large offset. A constant gives exact zeros. */
static void centre(size_t d, const double *row, double *out)
{
    double mean = is_constant(d, row) ? row[0] : statistics_mean(d, row);
    for (size_t i = 0; i < d; i++) {
        out[i] = row[i] - mean;
    }
    double rest = statistics_mean(d, out);
    for (size_t i = 0; i < d; i++) {
        out[i] -= rest;
    }
}

/* out = row / sqrt(mean(row^2) + epsilon), whose square may lie outside the range of doubles. */
static void divide_by_rms(size_t d, double epsilon, const double *row, double *out)
{
    double divisor = hypot(statistics_rms(d, row), sqrt(epsilon));
    for (size_t i = 0; i < d; i++) {
        out[i] = row[i] / divisor;
    }
}

void normalise_layer(size_t n, size_t d, double epsilon, const double *x, double *out)
{
    for (size_t i = 0; i < n; i++) {
        centre(d, x + i * d, out + i * d);
        divide_by_rms(d, epsilon, out + i * d, out + i * d);
    }
}

void normalise_rms(size_t n, size_t d, double epsilon, const double *x, double *out)
{
    for (size_t i = 0; i < n; i++) {
        divide_by_rms(d, epsilon, x + i * d, out + i * d);
    }
}
