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

MANY_TARGETS(struct leaders, find_leaders, (size_t n, const double *scores), (n, scores))
{
    struct leaders leaders = {0, scores[0], -(double)INFINITY};
    /* In each lane the two largest so far. */
    lanes largest = leaders.second + (lanes){0};
    lanes second = largest;
    for (size_t j = 0; j < n; j += LANES) {
        lanes score;
        lanes_load(n - j, scores + j, &score);
        for (size_t lane = n - j; lane < LANES; lane++) {
            score[lane] = -(double)INFINITY;
        }
        lanes_order(&score, &largest);
        lanes_order(&score, &second);
    }
    leaders.largest = largest[0];
    leaders.second = second[0];
    for (size_t lane = 1; lane < LANES; lane++) {
        bool new = largest[lane] > leaders.largest;
        double other = new ? leaders.largest : largest[lane];
        leaders.largest = new ? largest[lane] : leaders.largest;
        leaders.second = other > leaders.second ? other : leaders.second;
        leaders.second = second[lane] > leaders.second ? second[lane] : leaders.second;
    }
    while (scores[leaders.arg_max] != leaders.largest) {
        leaders.arg_max++;
    }
    return leaders;
}

/* Writes f_j to weights, 0 for arg_max. */
MANY_TARGETS_VOID(exponentiate,
                  (size_t n, const struct leaders *leaders, const double *scores, double *weights,
                   struct others *others),
                  (n, leaders, scores, weights, others))
{
    lanes exponentials = {0};
    lanes gaps = {0};
    for (size_t start = 0; start < n; start += FEW_SCORES) {
        size_t count = n - start < FEW_SCORES ? n - start : FEW_SCORES;
        double gap[FEW_SCORES];
        double part[FEW_SCORES];
        exponentiate_few(count, leaders->arg_max - start, leaders->second, scores + start, gap,
                         part);
        for (size_t i = 0; i < count; i += LANES) {
            const lanes *parts = (const lanes *)(part + i);
            exponentials += *parts;
            gaps += *parts * *(const lanes *)(gap + i);
            lanes_store(count - i, parts, weights + start + i);
        }
    }
    others->exponentials = lanes_sum(&exponentials);
    others->gaps = lanes_sum(&gaps);
}

/* Turns f_j into the weights p_j = scale f_j and sums the powers of q_j = share f_j. */
MANY_TARGETS_VOID(scale_weights,
                  (size_t n, double scale, double share, double *weights, struct others *others),
                  (n, scale, share, weights, others))
{
    lanes squares = {0};
    lanes cubes = {0};
    for (size_t j = 0; j < n; j += LANES) {
        lanes part;
        lanes_load(n - j, weights + j, &part);
        part *= share;
        lanes square = part * part;
        squares += square;
        cubes += square * part;
    }
    for (size_t j = 0; j < n; j++) {
        weights[j] *= scale;
    }
    others->squares = lanes_sum(&squares);
    others->cubes = lanes_sum(&cubes);
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
    if (!is_finite(n, scores)) {
        return undefined(n, weights);
    }
    if (n == 1) {
        return single_key(weights);
    }
    struct leaders leaders = find_leaders(n, scores);
    struct others others = {0, 0, 0, 0};
    exponentiate(n, &leaders, scores, weights, &others);
    struct odds odds = softmax_odds(&leaders, others.exponentials);
    scale_weights(n, odds.scale, 1 / others.exponentials, weights, &others);
    weights[leaders.arg_max] = odds.row_max;
    return softmax_measures(leaders.arg_max, &odds, &others);
}
