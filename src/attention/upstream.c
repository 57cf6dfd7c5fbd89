/* SPDX-License-Identifier: MIT */
/* Jᵀ g of one row. With J = (I - b 1ᵀ) diag(a) it is a_j (g_j - b·g). At m = arg_max of a saturated
 * row that is a difference of nearly equal numbers, so there the sum of all entries is used, which
 * is defect·g, or 0 without defects. For softmax, whose a = b = p, with t = sum of p_j (g_m - g_j):
 * p_j ((g_j - g_m) + t), and p_m t at m. */
#include "attention/upstream.h"

#include "numeric/lanes.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

MANY_TARGETS_VOID(softmax_row_of, (size_t n, const double *p, size_t arg_max, double *g),
                  (n, p, arg_max, g))
{
    double top = g[arg_max];
    double sums[LANES] = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes rest[2];
        const double *weight = lanes_of(n - j, p + j, &rest[0]);
        const double *value = lanes_of(n - j, g + j, &rest[1]);
        EACH_LANE
        {
            sums[lane] += weight[lane] * (top - value[lane]);
        }
    }
    double mean = lanes_sum(sums);
    for (size_t j = 0; j < n; j++) {
        g[j] = p[j] * ((g[j] - top) + mean);
    }
}

MANY_TARGETS_VOID(general_row, (size_t n, const struct row_slopes *slopes, double *g),
                  (n, slopes, g))
{
    size_t m = slopes->arg_max;
    const double *a = slopes->a;
    double mean = lanes_dot(n, slopes->b, g);
    double whole = slopes->defect == NULL ? 0 : lanes_dot(n, slopes->defect, g);
    g[m] = mean; /* nothing comes of it below */
    double sums[LANES] = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes rest[2];
        lanes out;
        const double *slope = lanes_of(n - j, a + j, &rest[0]);
        const double *value = lanes_of(n - j, g + j, &rest[1]);
        double *products = (double *)&out;
        EACH_LANE
        {
            products[lane] = slope[lane] * (value[lane] - mean);
            sums[lane] += products[lane];
        }
        lanes_store(n - j, &out, g + j);
    }
    g[m] = a[m] * 0 + (whole - lanes_sum(sums));
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
    double sums[LANES] = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes rest;
        const double *value = lanes_of(n - j, g + j, &rest);
        EACH_LANE
        {
            sums[lane] += value[lane];
        }
    }
    double mean = lanes_sum(sums) / (double)n;
    double weight = 1 / (double)n;
    for (size_t j = 0; j < n; j++) {
        out[j] = weight * (g[j] - mean);
    }
}

void upstream_row_uniform(size_t n, const double *g, double *out)
{
    uniform_row(n, g, out);
}

/* Weights that are passed over at once where none of them counts. */
#define LOOKED_AT ((size_t)64)
/* Where the largest is this, subnormal numbers are less than 2^-122 of it. */
#define DROPPING_MIN 0x1p-900

MANY_TARGETS_VOID(drop_subnormal, (size_t n, double *g), (n, g))
{
    double largest[LANES] = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes rest;
        const double *value = lanes_of(n - j, g + j, &rest);
        EACH_LANE
        {
            double size = fabs(value[lane]);
            largest[lane] = size > largest[lane] ? size : largest[lane];
        }
    }
    if (!(lanes_largest(largest) >= DROPPING_MIN)) {
        return;
    }
    for (size_t j = 0; j < n; j++) {
        g[j] = fabs(g[j]) < DBL_MIN ? 0 : g[j];
    }
}

void upstream_drop_subnormal(size_t n, double *g)
{
    drop_subnormal(n, g);
}

/* The largest of up to LOOKED_AT weights; the largest of those below `least` raises `small`. */
PART_OF_TARGETS double look_at(size_t n, const double *weights, double least, double small[LANES])
{
    double top[LANES] = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes rest;
        const double *value = lanes_of(n - j, weights + j, &rest);
        EACH_LANE
        {
            double dropped = value[lane] >= least ? 0 : value[lane];
            top[lane] = value[lane] > top[lane] ? value[lane] : top[lane];
            small[lane] = dropped > small[lane] ? dropped : small[lane];
        }
    }
    return lanes_largest(top);
}

MANY_TARGETS(struct upstream_places, find_few,
             (size_t n, const double *weights, double least, size_t most, uint32_t *places),
             (n, weights, least, most, places))
{
    struct upstream_places found = {0, false};
    double small[LANES] = {0};
    for (size_t start = 0; start < n && found.count <= most; start += LOOKED_AT) {
        size_t count = n - start < LOOKED_AT ? n - start : LOOKED_AT;
        bool any = look_at(count, weights + start, least, small) >= least;
        for (size_t j = start; any && j < start + count; j++) {
            if (weights[j] >= least && found.count <= most) {
                places[found.count < most ? found.count : 0] = (uint32_t)j;
                found.count++;
            }
        }
    }
    found.dropped = lanes_largest(small) > 0;
    return found;
}

struct upstream_places upstream_few(size_t n, const double *weights, double least, size_t most,
                                    uint32_t *places)
{
    return find_few(n, weights, fmax(least, DBL_TRUE_MIN), most, places);
}
