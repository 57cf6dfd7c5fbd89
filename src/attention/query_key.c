/* SPDX-License-Identifier: MIT */
/* The query/key guard and the rotary encoding, forward and backward; see query_key.h. */
#include "attention/query_key.h"

#include "attention/normalise.h"
#include "numeric/matrix.h"
#include "numeric/statistics.h"

#include <math.h>
#include <string.h>

bool query_key_is_plain(const struct query_key_rule *rule)
{
    return rule->norm == QK_NORM_NONE && rule->turns == NULL;
}

void query_key_turns(size_t places, size_t d_k, double base, double *turns)
{
    size_t half = d_k / 2;
    for (size_t i = 0; i < half; i++) {
        double wavelength = pow(base, 2 * (double)i / (double)d_k);
        for (size_t place = 0; place < places; place++) {
            double angle = (double)place / wavelength;
            turns[2 * (place * half + i)] = cos(angle);
            turns[2 * (place * half + i) + 1] = sin(angle);
        }
    }
}

/* Turns one row by its place; backward with direction -1. */
static void rotate(const struct query_key_rule *rule, size_t d_k, size_t place, double direction,
                   double *row)
{
    size_t half = d_k / 2;
    const double *turns = rule->turns + place * half * 2;
    for (size_t i = 0; i < half; i++) {
        bool adjacent = rule->pairs == ROPE_PAIRS_ADJACENT;
        double *a = adjacent ? row + 2 * i : row + i;
        double *b = adjacent ? a + 1 : row + half + i;
        double cosine = turns[2 * i];
        double sine = direction * turns[2 * i + 1];
        double first = *a * cosine - *b * sine;
        *b = *a * sine + *b * cosine;
        *a = first;
    }
}

static double divisor_of(const struct query_key_rule *rule, size_t d_k, const double *row)
{
    double epsilon = sqrt(rule->epsilon);
    switch (rule->norm) {
    case QK_NORM_L2:
        return matrix_norm(d_k, row);
    case QK_NORM_LAYER:
        return hypot(moments_std(moments_of(d_k, row)), epsilon);
    case QK_NORM_RMS:
        return hypot(statistics_rms(d_k, row), epsilon);
    case QK_NORM_NONE:
        break;
    }
    return 1;
}

static void normalise(const struct query_key_rule *rule, size_t d_k, double divisor, double *row)
{
    if (rule->norm == QK_NORM_LAYER) {
        normalise_layer(1, d_k, rule->epsilon, row, row);
    } else if (rule->norm == QK_NORM_RMS) {
        normalise_rms(1, d_k, rule->epsilon, row, row);
    } else if (rule->norm == QK_NORM_L2) {
        for (size_t c = 0; c < d_k; c++) {
            row[c] /= divisor;
        }
    }
}

void query_key_apply(const struct query_key_rule *rule, size_t n, size_t d_k, size_t first,
                     double *rows, double *divisors)
{
    for (size_t i = 0; i < n; i++) {
        double *row = rows + i * d_k;
        divisors[i] = divisor_of(rule, d_k, row);
        normalise(rule, d_k, divisors[i], row);
        if (rule->turns != NULL) {
            rotate(rule, d_k, first + i, 1, row);
        }
    }
}

static void subtract_mean(size_t d_k, double *values)
{
    double mean = statistics_mean(d_k, values);
    for (size_t c = 0; c < d_k; c++) {
        values[c] -= mean;
    }
}

void query_key_pull_back(const struct query_key_rule *rule, size_t d_k, size_t place,
                         const double *row, double divisor, const double *g, double *out)
{
    memcpy(out, g, d_k * sizeof *out);
    if (rule->norm != QK_NORM_NONE) {
        /* Rotations keep products: row·g may be taken before both are turned back, and the row
         * turned back is the normalised one. */
        double product = 0;
        for (size_t c = 0; c < d_k; c++) {
            product += row[c] * g[c];
        }
        double share = rule->norm == QK_NORM_L2 ? product : product / (double)d_k;
        for (size_t c = 0; c < d_k; c++) {
            out[c] = (g[c] - row[c] * share) / divisor;
        }
    }
    if (rule->turns != NULL) {
        rotate(rule, d_k, place, -1, out);
    }
    if (rule->norm == QK_NORM_LAYER) {
        subtract_mean(d_k, out);
    }
}
