/* SPDX-License-Identifier: MIT */
/* Weights of the form p_j = g(s_j) / sum g: softplus, square, sum. The scores are divided by a
 * power of two first where that keeps sums and squares in range; it costs no digit. */
#include "attention/weights_internal.h"

#include <math.h>

/* Below this score ln(1 + e^s) is e^s to the last digit. */
#define SOFTPLUS_EXPONENTIAL (-40.0)

/* 2^k in (|s| / 2, |s|] for the largest |s|, so that s / 2^k is below 2; 1 for a row of zeros. */
static double unit_of(size_t n, const double *scores)
{
    double largest = 0;
    for (size_t j = 0; j < n; j++) {
        largest = fmax(largest, fabs(scores[j]));
    }
    return largest > 0 ? scalbn(1, ilogb(largest)) : 1;
}

/* The whole row is e^s: shifted like softmax, so that it does not vanish. */
static double softplus_exponentials(size_t n, const double *scores, double largest,
                                    const struct weights_row *row)
{
    double total = 0;
    for (size_t j = 0; j < n; j++) {
        row->p[j] = exp(scores[j] - largest);
        row->slope[j] = row->p[j];
        total += row->p[j];
    }
    return total;
}

/* g = max(s, 0) + ln(1 + e^-|s|), g' = 1 / (1 + e^-s), both over unit. */
static double softplus_parts(size_t n, const double *scores, double unit,
                             const struct weights_row *row)
{
    double total = 0;
    for (size_t j = 0; j < n; j++) {
        double score = scores[j];
        double small = exp(-fabs(score));
        row->p[j] = (fmax(score, 0) + log1p(small)) / unit;
        row->slope[j] = (score >= 0 ? 1 : small) / (1 + small) / unit;
        total += row->p[j];
    }
    return total;
}

void weights_softplus(size_t n, const double *scores, const struct weights_row *row)
{
    double largest = weights_largest(n, scores);
    double total = 0;
    if (largest < SOFTPLUS_EXPONENTIAL) {
        total = softplus_exponentials(n, scores, largest, row);
    } else {
        double unit = largest > 1 ? scalbn(1, ilogb(largest)) : 1;
        total = softplus_parts(n, scores, unit, row);
    }
    weights_divide(n, 0, total, row);
}

void weights_square(size_t n, const double *scores, const struct weights_row *row)
{
    double unit = unit_of(n, scores);
    double total = 0;
    for (size_t j = 0; j < n; j++) {
        double part = scores[j] / unit;
        row->p[j] = part * part;
        row->slope[j] = 2 * part;
        total += row->p[j];
    }
    weights_divide(n, 0, total, row);
    for (size_t j = 0; j < n; j++) {
        row->slope[j] /= unit;
    }
}

void weights_sum(size_t n, const double *scores, const struct weights_row *row)
{
    double unit = unit_of(n, scores);
    double total = 0;
    for (size_t j = 0; j < n; j++) {
        row->p[j] = scores[j] / unit;
        row->slope[j] = 1;
        total += row->p[j];
    }
    weights_divide(n, 0, total, row);
    for (size_t j = 0; j < n; j++) {
        row->slope[j] /= unit;
    }
}
