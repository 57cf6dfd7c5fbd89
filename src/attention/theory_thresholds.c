/* SPDX-License-Identifier: MIT */
/* Spreads at which an expectation of independent scores crosses a level, and the mean over the rows
 * of a causal mask; see theory.h. */
#include "attention/theory.h"

#include <math.h>

/* About eight rounds do; the limits only make sure that an answer comes. */
#define ROUNDS 60
#define STEPS 2000
#define RELATIVE_TOLERANCE 1e-12

/* An expectation that rises with the spread, less the level that is looked for. */
typedef double excess(size_t n, double spread, double level);

static double row_max_excess(size_t n, double spread, double level)
{
    struct theory theory;
    theory_iid(n, spread, &theory);
    return theory.row_max - level;
}

static double trace_excess(size_t n, double spread, double level)
{
    struct theory theory;
    theory_iid(n, spread, &theory);
    return level - theory.jacobian_trace / (1 - 1 / (double)n);
}

/* A spread and the excess there. */
struct end {
    double spread, value;
};

/* The root between two ends, by the false position in ln spread; an end that stays twice has its
 * value halved, since it would hold up the other. */
static double root_between(size_t n, double level, excess *value, struct end low, struct end high)
{
    double root = low.spread;
    int stayed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double before = root;
        root = low.spread * pow(high.spread / low.spread, low.value / (low.value - high.value));
        double at = value(n, root, level);
        if (at == 0 || fabs(root - before) <= RELATIVE_TOLERANCE * root) {
            return root;
        }
        if (at < 0) {
            low = (struct end){root, at};
            high.value *= stayed > 0 ? 0.5 : 1;
            stayed = 1;
        } else {
            high = (struct end){root, at};
            low.value *= stayed < 0 ? 0.5 : 1;
            stayed = -1;
        }
    }
    return root;
}

/* The root, looked for in both directions from a spread not far from it. */
static double root_near(size_t n, double level, excess *value, double guess)
{
    struct end low = {guess, value(n, guess, level)};
    struct end high = low;
    for (int i = 0; i < STEPS && high.value < 0; i++) {
        low = high;
        high.spread *= 1.5;
        high.value = value(n, high.spread, level);
    }
    for (int i = 0; i < STEPS && low.value >= 0; i++) {
        high = low;
        low.spread /= 1.5;
        low.value = value(n, low.spread, level);
    }
    return root_between(n, level, value, low, high);
}

double theory_spread_at_trace(size_t n, double level)
{
    if (!(n > 1 && level > 0 && level < 1)) {
        return (double)NAN;
    }
    /* E[tr J] <= a_n / spread, and nearly so where the spread is large. */
    double guess = theory_expected_maximum(n) / (1 - 1 / (double)n) / level;
    return root_near(n, level, trace_excess, guess);
}

void theory_thresholds(size_t n, struct theory_thresholds *out)
{
    *out =
        (struct theory_thresholds){theory_spread_at_trace(n, 0.9), theory_spread_at_trace(n, 0.5),
                                   theory_spread_at_trace(n, 0.1)};
}

double theory_spread_at_row_max(size_t n, double level)
{
    if (!(level > 1 / (double)n && level < 1)) {
        return (double)NAN;
    }
    /* 1 - E[max p] comes near to a_n ln 2 / spread. */
    double guess = theory_expected_maximum(n) * log(2) / (1 - level);
    return root_near(n, level, row_max_excess, guess);
}

void theory_causal(size_t n, double spread, struct theory_causal *out)
{
    *out = (struct theory_causal){0, 0};
    for (size_t keys = 2; keys <= n; keys++) {
        struct theory theory;
        theory_iid(keys, spread, &theory);
        out->row_max += theory.row_max;
        out->jacobian_trace += theory.jacobian_trace / (1 - 1 / (double)keys);
    }
    double rows = (double)n - 1;
    out->row_max /= rows;
    out->jacobian_trace /= rows;
}
