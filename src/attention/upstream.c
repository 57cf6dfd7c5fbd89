/* SPDX-License-Identifier: MIT */
/* Jᵀ g of one row. With J = (I - b 1ᵀ) diag(a) it is a_j (g_j - b·g). At m = arg_max of a saturated
 * row that is a difference of nearly equal numbers, so there the sum of all entries is used, which
 * is defect·g, or 0 without defects. For softmax, whose a = b = p, with t = sum of p_j (g_m - g_j):
 * p_j ((g_j - g_m) + t), and p_m t at m. */
#include "attention/upstream.h"

#include "numeric/lanes.h"

#include <math.h>
#include <stdbool.h>

PART_OF_TARGETS double dot(size_t n, const double *a, const double *b)
{
    lanes sums = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes left;
        lanes right;
        lanes_load(n - j, a + j, &left);
        lanes_load(n - j, b + j, &right);
        sums += left * right;
    }
    return lanes_sum(&sums);
}

MANY_TARGETS_VOID(softmax_row_of, (size_t n, const double *p, size_t arg_max, double *g),
                  (n, p, arg_max, g))
{
    double top = g[arg_max];
    lanes sums = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes weight;
        lanes value;
        lanes_load(n - j, p + j, &weight);
        lanes_load(n - j, g + j, &value);
        sums += weight * (top - value);
    }
    double mean = lanes_sum(&sums);
    for (size_t j = 0; j < n; j++) {
        g[j] = p[j] * ((g[j] - top) + mean);
    }
}

MANY_TARGETS_VOID(general_row, (size_t n, const struct row_slopes *slopes, double *g),
                  (n, slopes, g))
{
    size_t m = slopes->arg_max;
    const double *a = slopes->a;
    double mean = dot(n, slopes->b, g);
    double whole = slopes->defect == NULL ? 0 : dot(n, slopes->defect, g);
    g[m] = mean; /* nothing comes of it below */
    lanes sums = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes slope;
        lanes value;
        lanes_load(n - j, a + j, &slope);
        lanes_load(n - j, g + j, &value);
        value = slope * (value - mean);
        sums += value;
        lanes_store(n - j, &value, g + j);
    }
    g[m] = a[m] * 0 + (whole - lanes_sum(&sums));
}

void upstream_row(size_t n, const struct row_slopes *slopes, double *g)
{
    if (isnan(slopes->others)) {
        general_row(n, slopes, g);
    } else {
        softmax_row_of(n, slopes->a, slopes->arg_max, g);
    }
}

MANY_TARGETS_VOID(uniform_row, (size_t n, const double *g, double *out), (n, g, out))
{
    lanes sums = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes value;
        lanes_load(n - j, g + j, &value);
        sums += value;
    }
    double mean = lanes_sum(&sums) / (double)n;
    double weight = 1 / (double)n;
    for (size_t j = 0; j < n; j++) {
        out[j] = weight * (g[j] - mean);
    }
}

void upstream_row_uniform(size_t n, const double *g, double *out)
{
    uniform_row(n, g, out);
}

/* Whether all eight are 0. */
PART_OF_TARGETS bool are_zero(const lanes *values)
{
    typedef long long bits __attribute__((vector_size(64), aligned(8)));
    bits other = *values != (lanes){0};
    long long any = 0;
    for (size_t lane = 0; lane < LANES; lane++) {
        any |= other[lane];
    }
    return any == 0;
}

MANY_TARGETS(size_t, find_few, (size_t n, const double *weights, size_t most, uint32_t *places),
             (n, weights, most, places))
{
    size_t count = 0;
    for (size_t j = 0; j < n && count <= most; j += LANES) {
        lanes value;
        lanes_load(n - j, weights + j, &value);
        if (are_zero(&value)) {
            continue;
        }
        for (size_t k = j; k < j + LANES && k < n && count <= most; k++) {
            if (weights[k] != 0) {
                places[count < most ? count : 0] = (uint32_t)k;
                count++;
            }
        }
    }
    return count;
}

size_t upstream_few(size_t n, const double *weights, size_t most, uint32_t *places)
{
    return find_few(n, weights, most, places);
}
