/* SPDX-License-Identifier: MIT */
/* Properties that a way to turn scores into weights may or may not have, judged by looking for
 * counter-examples: first on a fixed catalogue of rows, then on random ones, then made smaller.
 * "none found" is evidence and no proof; docs/method.md proves what can be proven.
 *
 * The question is about real numbers, so what is due to arithmetic does not count: weights must
 * differ by more than rounding explains, and a row refutes the strict order only if no score is
 * beyond +-32, where exponentials stay apart from 0, and neither p nor 1 - p tells its keys apart.
 * (In doubles the scores 0, -746, -800 give softmax weights 1, 0, 0; they are no counter-example.)
 * A row without weights (0/0 of square and sum) refutes "sums to one" and "differentiable" and says
 * nothing on the rest. Differentiable is judged one key at a time, by difference quotients that
 * have to agree from both sides and from step to step in the limit. */
#ifndef ATTENTION_PROPERTIES_H
#define ATTENTION_PROPERTIES_H

#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

enum property {
    PROPERTY_NON_NEGATIVE,
    PROPERTY_SUMS_TO_ONE,
    PROPERTY_DIFFERENTIABLE,  /* everywhere: one-sided differences agree */
    PROPERTY_WEAK_ORDER,      /* s_i > s_j gives p_i >= p_j */
    PROPERTY_STRICT_ORDER,    /* s_i > s_j gives p_i > p_j */
    PROPERTY_SHIFT_INVARIANT, /* s + c gives the same weights */
    PROPERTY_SCALE_INVARIANT, /* c s gives the same weights, c > 0 */
    PROPERTY_COUNT
};
extern const char *const property_names[PROPERTY_COUNT];  /* "non_negative", ... */
extern const char *const property_labels[PROPERTY_COUNT]; /* "not negative", ... for people */

#define PROPERTY_KEYS 4

/* The smallest counter-example found: fewest keys, then shortest numbers. */
struct property_finding {
    bool holds;   /* no counter-example found */
    bool defined; /* the counter-example's weights exist: else it is a row that has none */
    size_t keys;
    double scores[PROPERTY_KEYS];
    double constant;               /* the c of the two invariances, else 0 */
    double weights[PROPERTY_KEYS]; /* of scores */
    double changed[PROPERTY_KEYS]; /* of the shifted or scaled scores; else as weights */
};

/* Deterministic: the random rows come from a fixed seed. */
struct property_finding property_search(enum run_weights weights, enum property property);

#endif
