/* SPDX-License-Identifier: MIT */
/* Scale, cap and mask of one row; see score_row.h. */
#include "attention/score_row.h"

#include <math.h>

size_t score_row_visible(const struct score_rule *rule, size_t queries, size_t keys, size_t i)
{
    if (!rule->causal) {
        return keys;
    }
    /* i + 1 keys for as many queries as keys; without unsigned differences below 0. */
    size_t sees = i + 1 + keys;
    return sees > queries ? sees - queries : 0;
}

double score_row_factor(const struct score_rule *rule, size_t visible)
{
    return rule->log_keys ? rule->factor * log((double)visible) : rule->factor;
}

/* 1 / cosh(x)^2 without overflow: 4 e / (1 + e)^2 with e = exp(-2 |x|). */
static double cosh_square_inverse(double x)
{
    double small = exp(-2 * fabs(x));
    return 4 * small / ((1 + small) * (1 + small));
}

void score_row_apply(const struct score_rule *rule, size_t visible, double *scores, double *slopes)
{
    double factor = score_row_factor(rule, visible);
    if (!rule->given && !(rule->cap > 0)) {
        for (size_t j = 0; j < visible; j++) {
            scores[j] *= factor;
        }
        return;
    }
    for (size_t j = 0; j < visible; j++) {
        bool masked = rule->given && scores[j] == -(double)INFINITY;
        double score = masked ? scores[j] : scores[j] * factor;
        if (rule->cap > 0) {
            double relative = score / rule->cap;
            slopes[j] = cosh_square_inverse(relative); /* 0 for a masked key */
            score = masked ? score : rule->cap * tanh(relative);
        }
        scores[j] = score;
    }
}
