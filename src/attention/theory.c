/* SPDX-License-Identifier: MIT */
/* Expectations of independent normal scores: limits that are known exactly, mixtures over queries.
 */
#include "attention/theory.h"

#include "attention/theory_internal.h"

#include <math.h>

#define LARGEST_SPREAD 1e300
#define QUERY_NODES 52
/* Beyond this distance from its peak the density of chi is below 1e-12 of it for any degrees. */
#define QUERY_REACH 7.5

void theory_iid(size_t n, double spread, struct theory *out)
{
    double keys = (double)n;
    double size = fabs(spread);
    if (isnan(spread)) {
        *out = (struct theory){size, size, size, size, size};
    } else if (n == 1 || size > LARGEST_SPREAD) {
        *out = (struct theory){.row_max = 1, .sum_of_squares = 1};
    } else if (size == 0) {
        *out = (struct theory){1 / keys, 1 / keys, (keys - 1) / keys, sqrt(keys - 1) / keys,
                               log(keys)};
    } else {
        struct theory_sums sums;
        theory_integrate(n, size, 1, &sums);
        *out = (struct theory){sums.row_max, sums.sum_of_squares, sums.jacobian_trace,
                               sqrt(sums.jacobian_square), sums.entropy};
    }
}

/* The rule of Gauss and Legendre on (0, 1), its nodes the roots of a polynomial by Newton. */
static void gauss_node(int i, double *place, double *weight)
{
    double x = cos(3.14159265358979323846 * (i + 0.75) / (QUERY_NODES + 0.5));
    double slope = 1;
    for (int round = 0; round < 10; round++) {
        double value = 1;
        double before = 0;
        for (int k = 0; k < QUERY_NODES; k++) {
            double next = ((2 * k + 1) * x * value - k * before) / (k + 1);
            before = value;
            value = next;
        }
        slope = QUERY_NODES * (x * value - before) / (x * x - 1);
        x -= value / slope;
    }
    *place = (1 + x) / 2;
    *weight = 1 / ((1 - x * x) * slope * slope);
}

static void add_query(double weight, const struct theory *given, struct theory *out)
{
    out->row_max += weight * given->row_max;
    out->sum_of_squares += weight * given->sum_of_squares;
    out->jacobian_trace += weight * given->jacobian_trace;
    out->jacobian_rms += weight * given->jacobian_rms * given->jacobian_rms;
    out->entropy += weight * given->entropy;
}

void theory_orthonormal(size_t n, size_t d_k, double rms, struct theory *out)
{
    double degrees = (double)d_k;
    double peak = sqrt(degrees - 1);
    double low = fmax(0, peak - QUERY_REACH);
    double width = peak + QUERY_REACH - low;
    double total = 0;
    struct theory sum = {0};
    for (int i = 0; i < QUERY_NODES; i++) {
        /* Squared, because spreads that are large on average change most for short queries. */
        double u;
        double weight;
        gauss_node(i, &u, &weight);
        double length = low + width * u * u;
        double excess = (peak - length) * (peak + length) / 2;
        double growth = d_k == 1 ? 0 : (degrees - 1) * log(length / peak);
        weight *= u * exp(excess + growth);
        if (weight > 1e-20) {
            struct theory given;
            theory_iid(n, rms * rms * length / sqrt(degrees), &given);
            add_query(weight, &given, &sum);
            total += weight;
        }
    }
    *out =
        (struct theory){sum.row_max / total, sum.sum_of_squares / total, sum.jacobian_trace / total,
                        sqrt(sum.jacobian_rms / total), sum.entropy / total};
}

double theory_expected_maximum(size_t n)
{
    double keys = (double)n;
    double reach = theory_reach(n);
    double step = 0.0625;
    double sum = 0;
    int points = n > 1 ? (int)(2 * reach / step) + 1 : 0;
    /* n (n - 1) int phi^2 Phi^(n - 2) equals n int x phi Phi^(n - 1) and has one sign. */
    for (int i = 0; i < points; i++) {
        double x = i * step - reach;
        double density = theory_density(x);
        double others = n == 2 ? 1 : exp((keys - 2) * log1p(-theory_tail(x)));
        sum += step * keys * density * (keys - 1) * density * others;
    }
    return sum;
}
