/* SPDX-License-Identifier: MIT */
/* What theory says of a head on orthonormal tokens: a second way to its measures. */
#ifndef ORTHONORMAL_THEORY_H
#define ORTHONORMAL_THEORY_H

#include "attention/theory.h"

#include <math.h>

#define QUERY_NODES 52
/* Beyond this distance from its peak the density of chi is below 1e-12 of it for any degrees. */
#define QUERY_REACH 7.5

/* The rule of Gauss and Legendre on (0, 1), its nodes the roots of a polynomial by Newton. */
static inline void gauss_node(int i, double *place, double *weight)
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

static inline void add_query(double weight, const struct theory *given, struct theory *out)
{
    out->row_max += weight * given->row_max;
    out->sum_of_squares += weight * given->sum_of_squares;
    out->jacobian_trace += weight * given->jacobian_trace;
    out->jacobian_rms += weight * given->jacobian_rms * given->jacobian_rms;
    out->entropy += weight * given->entropy;
}

/* A whole head: n tokens X = rms sqrt(d) O, the n <= d rows of O orthonormal, entries of W_Q and
 * W_K independent N(0, 1/d), scores Q Kᵀ / sqrt(d_k). Given a query, its scores are then
 * independent normal numbers of spread rms^2 |q| / sqrt(d_k) with |q| distributed as chi with d_k
 * degrees; this is the mean of theory_iid over it. With rms^2 = sqrt(d_k) it is the head of Vaswani
 * et al. 2017, footnote 4: unit normal queries and keys, scores not divided. Right to 1e-10 up to
 * rms^2 = sqrt(d_k), and for d_k from 16 on; to 1e-8 up to ten times that; beyond, the few short
 * queries of a narrow head cost up to 1e-5. n >= 1, d_k >= 1. */
static inline void theory_orthonormal(size_t n, size_t d_k, double rms, struct theory *out)
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

#endif
