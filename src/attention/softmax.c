/* SPDX-License-Identifier: MIT */
/* A row of attention weights. Everything small is built from the weights other than the largest:
 * with m the place of the largest score and r the largest of the others,
 *   f_j = exp(s_j - r), F = sum f_j, q_j = f_j / F over j != m, and E = F exp(r - s_m),
 * the weights are p_m = 1 / (1 + E) and p_j = epsilon q_j with epsilon = E / (1 + E). The q_j are
 * exact however small epsilon is, and no difference of nearly equal numbers is ever taken. */
#include "attention/softmax.h"

#include "attention/softmax_internal.h"

#include <math.h>
#include <stdbool.h>

/* Beyond this gap between the two largest scores exp(-gap) has lost digits or is zero. */
#define GAP_MAX 700.0

MANY_TARGETS(bool, is_finite, (size_t n, const double *scores), (n, scores))
{
    return lanes_finite(n, scores);
}

/* The leaders of more than FEW_SCORES; the least as well. */
PART_OF_TARGETS double find_leaders_of_many(size_t n, const double *scores, struct leaders *out)
{
    struct tops tops = tops_of_none();
    double least[LANES];
    lanes_fill((double)INFINITY, least);
    size_t vectors = n / LANES * LANES;
    for (size_t start = 0; start < vectors; start += FEW_SCORES) {
        size_t end = vectors - start < FEW_SCORES ? vectors : start + FEW_SCORES;
        double top[LANES];
        lanes_fill(-(double)INFINITY, top);
        for (size_t j = start; j < end; j += LANES) {
            EACH_LANE
            {
                double score = scores[j + lane];
                least[lane] = score < least[lane] ? score : least[lane];
                top[lane] = score > top[lane] ? score : top[lane];
            }
        }
        tops_add(&tops, start, lanes_largest(top));
    }
    double low = lanes_least(least);
    for (size_t j = vectors; j < n; j++) {
        low = scores[j] < low ? scores[j] : low;
        tops_add(&tops, j, scores[j]);
    }
    out->arg_max = tops_find(&tops, n, scores);
    out->largest = tops.largest;
    out->second = tops.second;
    return low;
}

/* Writes f_j to weights, 0 for arg_max. */
MANY_TARGETS_VOID(exponentiate,
                  (size_t n, const double *scores, double *weights, struct leaders *leaders,
                   struct others *others),
                  (n, scores, weights, leaders, others))
{
    bool near = false;
    if (n <= FEW_SCORES) {
        find_leaders(n, scores, leaders);
    } else {
        double least = find_leaders_of_many(n, scores, leaders);
        near = leaders->second - least < NEAR;
    }
    double exponentials[LANES] = {0};
    double gaps[LANES] = {0};
    for (size_t start = 0; start < n; start += FEW_SCORES) {
        size_t count = n - start < FEW_SCORES ? n - start : FEW_SCORES;
        double gap[FEW_SCORES];
        double part[FEW_SCORES];
        exponentiate_few(count, leaders->arg_max - start, leaders->second, near, scores + start,
                         gap, part);
        for (size_t i = 0; i < count; i += LANES) {
            EACH_LANE
            {
                exponentials[lane] += part[i + lane];
                gaps[lane] += part[i + lane] * gap[i + lane];
            }
            lanes_store(count - i, (const lanes *)(part + i), weights + start + i);
        }
    }
    others->exponentials = lanes_sum(exponentials);
    others->gaps = lanes_sum(gaps);
}

/* The same for several rows, no more than FEW_SCORES numbers each rounded up to vectors. */
MANY_TARGETS_VOID(exponentiate_rows,
                  (size_t rows, size_t n, double *weights, struct leaders *leaders,
                   struct others *others),
                  (rows, n, weights, leaders, others))
{
    size_t whole = (n + LANES - 1) / LANES * LANES;
    double gap[FEW_SCORES];
    double part[FEW_SCORES] = {0};
    for (size_t r = 0; r < rows; r++) {
        find_leaders(n, weights + r * n, &leaders[r]);
        find_gaps(n, leaders[r].arg_max, leaders[r].second, weights + r * n, gap + r * whole);
    }
    exponentiate_gaps(rows * whole, gap, part);
    for (size_t r = 0; r < rows; r++) {
        double exponentials[LANES] = {0};
        double gaps[LANES] = {0};
        keep_others(n, leaders[r].arg_max, part + r * whole);
        for (size_t i = 0; i < n; i += LANES) {
            size_t place = r * whole + i;
            EACH_LANE
            {
                exponentials[lane] += part[place + lane];
                gaps[lane] += part[place + lane] * gap[place + lane];
            }
            lanes_store(n - i, (const lanes *)(part + place), weights + r * n + i);
        }
        others[r].exponentials = lanes_sum(exponentials);
        others[r].gaps = lanes_sum(gaps);
    }
}

/* Turns f_j into the weights p_j = scale f_j and sums the powers of q_j = share f_j. */
PART_OF_TARGETS void scale_row(size_t n, double scale, double share, double *weights,
                               struct others *others)
{
    double squares[LANES] = {0};
    double cubes[LANES] = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes rest;
        const double *weight = lanes_of(n - j, weights + j, &rest);
        double part[LANES];
        EACH_LANE
        {
            double whole = weight[lane] * share;
            part[lane] = whole >= POWERS_MIN ? whole : 0;
        }
        /* In a loop of its own: the choice would be made of powers, not of parts, and not fused. */
        EACH_LANE
        {
            double square = part[lane] * part[lane];
            squares[lane] += square;
            cubes[lane] += square * part[lane];
        }
    }
    for (size_t j = 0; j < n; j++) {
        weights[j] *= scale;
    }
    others->squares = lanes_sum(squares);
    others->cubes = lanes_sum(cubes);
}

MANY_TARGETS_VOID(scale_rows,
                  (size_t rows, size_t n, const struct odds *odds, double *weights,
                   struct others *others),
                  (rows, n, odds, weights, others))
{
    for (size_t r = 0; r < rows; r++) {
        scale_row(n, odds[r].scale, 1 / others[r].exponentials, weights + r * n, &others[r]);
    }
}

/* |J|_F^2 = epsilon^2 (p_m^2 + 2 p_m^2 Q2 + sum q^2 (1 - 2 p) + epsilon^2 Q2^2), Qk = sum q^k. */
static double jacobian_norm(double row_max, double epsilon, const struct others *others)
{
    double top = row_max * row_max * (1 + 2 * others->squares);
    double rest = others->squares - 2 * epsilon * others->cubes;
    double cross = epsilon * others->squares;
    return epsilon * sqrt(top + rest + cross * cross);
}

/* ln(1+E) + epsilon (gap + mean gap of the others); in logarithms where epsilon underflows. */
static double entropy(const struct odds *odds, double log_others, const struct others *others)
{
    double surprise = odds->gap + others->gaps / others->exponentials;
    if (odds->gap < GAP_MAX) {
        return log1p(odds->odds) + odds->epsilon * surprise;
    }
    return isinf(log_others) ? 0 : exp(log_others + log1p(surprise));
}

static struct row_measures single_key(double *weights)
{
    weights[0] = 1;
    return (struct row_measures){
        .row_max = 1, .sum = 1, .log_one_minus_row_max = -(double)INFINITY, .effective_keys = 1};
}

static struct row_measures undefined(size_t n, double *weights)
{
    for (size_t j = 0; j < n; j++) {
        weights[j] = (double)NAN;
    }
    const double none = (double)NAN;
    return (struct row_measures){0, none, none, none, none, none, none, none, none};
}

struct odds softmax_odds(const struct leaders *leaders, double exponentials)
{
    double gap = leaders->largest - leaders->second;
    double ratio = exp(-gap);
    double odds = exponentials * ratio;
    double row_max = 1 / (1 + odds);
    return (struct odds){gap, odds, row_max, odds / (1 + odds), ratio * row_max};
}

struct row_measures softmax_measures(size_t arg_max, const struct odds *odds,
                                     const struct others *others)
{
    double epsilon = odds->epsilon;
    double log_others = odds->gap < GAP_MAX
                            ? -log1p(1 / odds->odds)
                            : log(others->exponentials) - odds->gap; /* ln epsilon */
    double nats = entropy(odds, log_others, others);
    return (struct row_measures){
        .arg_max = arg_max,
        .row_max = odds->row_max,
        .others = epsilon,
        .log_one_minus_row_max = log_others,
        .sum = 1,
        .entropy = nats,
        .effective_keys = exp(nats),
        .jacobian_norm = jacobian_norm(odds->row_max, epsilon, others),
        /* epsilon (1 - epsilon) + (epsilon - sum of the others' squares) */
        .jacobian_trace = epsilon * (odds->row_max + (1 - epsilon * others->squares)),
    };
}

struct row_measures softmax_row(size_t n, const double *scores, double *weights)
{
    return is_finite(n, scores) ? softmax_finite_row(n, scores, weights) : undefined(n, weights);
}

struct row_measures softmax_finite_row(size_t n, const double *scores, double *weights)
{
    if (n == 1) {
        return single_key(weights);
    }
    struct leaders leaders;
    struct others others;
    exponentiate(n, scores, weights, &leaders, &others);
    struct odds odds = softmax_odds(&leaders, others.exponentials);
    scale_rows(1, n, &odds, weights, &others);
    weights[leaders.arg_max] = odds.row_max;
    return softmax_measures(leaders.arg_max, &odds, &others);
}

size_t softmax_rows_at_once(size_t n)
{
    size_t vectors = (n + LANES - 1) / LANES;
    return n < 2 || 2 * vectors * LANES > FEW_SCORES ? 1 : FEW_SCORES / (vectors * LANES);
}

void softmax_rows(size_t rows, size_t n, double *weights, struct row_measures *measures)
{
    struct leaders leaders[SOFTMAX_ROWS];
    struct others others[SOFTMAX_ROWS];
    struct odds odds[SOFTMAX_ROWS];
    if (rows == 1) {
        *measures = softmax_finite_row(n, weights, weights);
        return;
    }
    exponentiate_rows(rows, n, weights, leaders, others);
    for (size_t r = 0; r < rows; r++) {
        odds[r] = softmax_odds(&leaders[r], others[r].exponentials);
    }
    scale_rows(rows, n, odds, weights, others);
    for (size_t r = 0; r < rows; r++) {
        weights[r * n + leaders[r].arg_max] = odds[r].row_max;
        measures[r] = softmax_measures(leaders[r].arg_max, &odds[r], &others[r]);
    }
}
