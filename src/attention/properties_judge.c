/* SPDX-License-Identifier: MIT */
/* Whether a row is a counter-example of the mathematical function, and not of its arithmetic: every
 * comparison leaves room for rounding, and the strict order looks at 1 - p as well as at p. */
#include "attention/properties_internal.h"
#include "attention/weights.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 1e-9
/* Scores up to here keep the exponentials of a row apart from 0. */
#define STRICT_RANGE 32.0
/* Steps of the one-sided differences, and the least disagreement of slopes that counts. */
#define WIDE_STEP 0x1p-16
#define STEP 0x1p-20
#define DISAGREEMENT 1e-3

struct filled {
    double p[PROPERTY_KEYS], remainder[PROPERTY_KEYS];
    bool defined; /* every weight is a number */
};

static struct filled fill(enum run_weights weights, size_t n, const double *scores)
{
    struct filled filled = {.defined = true};
    double slope[PROPERTY_KEYS];
    double share[PROPERTY_KEYS];
    double unshared[PROPERTY_KEYS];
    const struct weights_row row = {filled.p, slope, share, unshared, filled.remainder};
    weights_alternatives[weights].fill(n, scores, &row);
    for (size_t j = 0; j < n; j++) {
        filled.defined = filled.defined && isfinite(filled.p[j]);
    }
    return filled;
}

static bool has_negative(size_t n, const struct filled *filled)
{
    for (size_t j = 0; j < n; j++) {
        if (filled->p[j] < -TOLERANCE) {
            return true;
        }
    }
    return false;
}

static bool sum_is_not_one(size_t n, const struct filled *filled)
{
    double sum = 0;
    double size = 1;
    for (size_t j = 0; j < n; j++) {
        sum += filled->p[j];
        size += fabs(filled->p[j]);
    }
    return fabs(sum - 1) > TOLERANCE * size;
}

static bool clearly_less(double a, double b)
{
    return b - a > TOLERANCE * (fabs(a) + fabs(b));
}

/* s_i > s_j, but p_i < p_j. */
static bool order_is_reversed(const struct candidate *row, const struct filled *filled)
{
    for (size_t i = 0; i < row->keys; i++) {
        for (size_t j = 0; j < row->keys; j++) {
            if (row->scores[i] > row->scores[j] && clearly_less(filled->p[i], filled->p[j])) {
                return true;
            }
        }
    }
    return false;
}

/* s_i > s_j, but p_i is no larger. Near 1 the weights differ in what is left of them. */
static bool order_is_lost(const struct candidate *row, const struct filled *filled)
{
    for (size_t i = 0; i < row->keys; i++) {
        if (fabs(row->scores[i]) > STRICT_RANGE) {
            return false;
        }
    }
    for (size_t i = 0; i < row->keys; i++) {
        for (size_t j = 0; j < row->keys; j++) {
            bool above = clearly_less(filled->p[j], filled->p[i]) ||
                         clearly_less(filled->remainder[i], filled->remainder[j]);
            if (row->scores[i] > row->scores[j] && !above) {
                return true;
            }
        }
    }
    return false;
}

/* Difference quotients of every weight to both sides; false where there are no weights. */
static bool quotients(const struct question *question, const struct candidate *row, size_t key,
                      double step, double right[PROPERTY_KEYS], double left[PROPERTY_KEYS])
{
    struct candidate moved = *row;
    moved.scores[key] = row->scores[key] + step;
    struct filled above = fill(question->weights, row->keys, moved.scores);
    moved.scores[key] = row->scores[key] - step;
    struct filled below = fill(question->weights, row->keys, moved.scores);
    struct filled here = fill(question->weights, row->keys, row->scores);
    for (size_t i = 0; i < row->keys; i++) {
        right[i] = (above.p[i] - here.p[i]) / step;
        left[i] = (here.p[i] - below.p[i]) / step;
    }
    return above.defined && below.defined;
}

/* Whether the quotients stay apart, one side from the other or one step from the next. Smooth
 * weights lose the difference in proportion to the step, at a kink it stays, at a jump it grows. */
static bool has_no_derivative(const struct question *question, const struct candidate *row,
                              size_t key)
{
    double wide[PROPERTY_KEYS];
    double right[PROPERTY_KEYS];
    double left[PROPERTY_KEYS];
    if (!quotients(question, row, key, WIDE_STEP, wide, left) ||
        !quotients(question, row, key, STEP, right, left)) {
        return false; /* the neighbour without weights is a counter-example of its own */
    }
    double apart = 0;
    for (size_t i = 0; i < row->keys; i++) {
        apart = fmax(apart, fmax(fabs(right[i] - left[i]), fabs(right[i] - wide[i])));
    }
    return apart > DISAGREEMENT;
}

static bool is_not_differentiable(const struct question *question, const struct candidate *row)
{
    for (size_t key = 0; key < row->keys; key++) {
        if (has_no_derivative(question, row, key)) {
            return true;
        }
    }
    return false;
}

static struct filled fill_changed(const struct question *question, const struct candidate *row)
{
    double scores[PROPERTY_KEYS];
    for (size_t j = 0; j < row->keys; j++) {
        scores[j] = question->property == PROPERTY_SHIFT_INVARIANT ? row->scores[j] + row->constant
                                                                   : row->scores[j] * row->constant;
    }
    return fill(question->weights, row->keys, scores);
}

static bool weights_change(const struct question *question, const struct candidate *row,
                           const struct filled *filled)
{
    struct filled changed = fill_changed(question, row);
    if (!changed.defined) {
        return false;
    }
    for (size_t j = 0; j < row->keys; j++) {
        double size = 1 + fabs(filled->p[j]) + fabs(changed.p[j]);
        if (fabs(changed.p[j] - filled->p[j]) > TOLERANCE * size) {
            return true;
        }
    }
    return false;
}

bool judge_refutes(const struct question *question, const struct candidate *row)
{
    struct filled filled = fill(question->weights, row->keys, row->scores);
    if (!filled.defined) {
        return question->property == PROPERTY_SUMS_TO_ONE ||
               question->property == PROPERTY_DIFFERENTIABLE;
    }
    switch (question->property) {
    case PROPERTY_NON_NEGATIVE:
        return has_negative(row->keys, &filled);
    case PROPERTY_SUMS_TO_ONE:
        return sum_is_not_one(row->keys, &filled);
    case PROPERTY_DIFFERENTIABLE:
        return is_not_differentiable(question, row);
    case PROPERTY_WEAK_ORDER:
        return order_is_reversed(row, &filled);
    case PROPERTY_STRICT_ORDER:
        return order_is_lost(row, &filled);
    default:
        return weights_change(question, row, &filled);
    }
}

bool judge_weights(const struct question *question, const struct candidate *row,
                   double weights[PROPERTY_KEYS], double changed[PROPERTY_KEYS])
{
    struct filled filled = fill(question->weights, row->keys, row->scores);
    struct filled after = filled;
    if (question->property == PROPERTY_SHIFT_INVARIANT ||
        question->property == PROPERTY_SCALE_INVARIANT) {
        after = fill_changed(question, row);
    }
    memcpy(weights, filled.p, row->keys * sizeof *weights);
    memcpy(changed, after.p, row->keys * sizeof *changed);
    return filled.defined;
}
