/* SPDX-License-Identifier: MIT */
/* One row of attention: weights from scores by any of the alternatives, in any arithmetic, and what
 * can be said of the row. Forms: docs/method.md, "A row" and "Weights". */
#ifndef ATTENTION_WEIGH_ROW_H
#define ATTENTION_WEIGH_ROW_H

#include "attention/softmax.h"
#include "numeric/formats.h"
#include "run/run.h"

struct weigh_rule {
    enum run_weights weights;
    enum number_format format; /* scores are rounded to it */
    bool stabilise;            /* off: softmax and softmax_plus_one take exp of the scores as they
                                  are, round exponentials and their sum to the format, and divide */
};

/* Room for a row of n keys, n numbers each; the caller's. */
struct weigh_space {
    double *slope, *share, *unshared, *remainder, *copy;
};

/* The derivative of a row: J = (I - b 1ᵀ) diag(a) by the scaled scores, the cap included. What b 1ᵀ
 * leaves of each a, defect_i = a_i - b_i sum a, is 0 for weights that ignore a common shift. */
struct row_slopes {
    const double *a, *b;
    const double *defect; /* NULL when 0 */
    size_t arg_max;
    double others; /* 1 - p at arg_max, where a = b = p are softmax's; NaN for the alternatives */
};

enum row_state {
    ROW_DEFINED,
    ROW_MASKED,   /* no key is visible: all weights are 0 */
    ROW_UNDEFINED /* NaN or +infinity among the scores, 0/0, an overflow: all weights are NaN */
};

struct weighed_row {
    enum row_state state;
    size_t keys; /* not masked; a key that rounding takes to -infinity is still one */
    struct row_measures measures;
    struct row_slopes slopes; /* point into the row and the space; NaN unless defined */
};

/* Whether weights are softmax of scores less their largest; of a cap it knows nothing. */
bool weigh_is_plain_softmax(const struct weigh_rule *rule);

/* Whether weights ignore a common shift of the scores, so that each row of J sums to 0. */
bool weigh_is_balanced(const struct weigh_rule *rule);

/* Whether the weight of a row's only key depends on its score. */
bool weigh_moves_alone(const struct weigh_rule *rule);

/* A row that softmax has made of n finite scores. */
struct weighed_row weigh_measured(size_t n, const double *row, struct row_measures measures);

/* Turns the scores of a row of n keys (n >= 0) into weights, in place. A score of -infinity is a
 * masked key, and one that rounds to it is out of reach: the weight of both is 0 exactly. Where
 * rounding leaves no other, the row is undefined. `cap_slopes` are those of the cap, NULL without
 * one; they may be reordered. */
struct weighed_row weigh_row(const struct weigh_rule *rule, size_t n, double *row,
                             double *cap_slopes, const struct weigh_space *space);

#endif
