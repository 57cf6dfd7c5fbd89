/* SPDX-License-Identifier: MIT */
/* What a row of softmax weights is told by, whether it was taken whole or piece by piece. */
#ifndef ATTENTION_SOFTMAX_INTERNAL_H
#define ATTENTION_SOFTMAX_INTERNAL_H

#include "attention/softmax.h"
#include "base/clones.h"
#include "numeric/exponential.h"
#include "numeric/lanes.h"

#include <stdbool.h>

/* A gap as far as this is as far as any: its exponential is 0. */
#define FAR 1000.0
/* Up to here an exponential needs no care for subnormal numbers. */
#define NEAR 690.0
/* Scores whose exponentials are taken at once. */
#define FEW_SCORES ((size_t)64)

/* The two largest scores of a row. */
struct leaders {
    size_t arg_max;
    double largest;
    double second; /* -inf when there is one score only */
};

/* Sums over the keys other than arg_max. */
struct others {
    double exponentials; /* F */
    double gaps;         /* sum of f_j (r - s_j) */
    double squares;      /* sum of q_j^2, or of f_j^2 as long as F is not known */
    double cubes;        /* sum of q_j^3, or of f_j^3 */
};

/* How the largest weight and the others share a row of at least two keys. */
struct odds {
    double gap, odds; /* s_m - r, and E */
    double row_max, epsilon;
    double scale; /* turns f_j into p_j */
};

struct odds softmax_odds(const struct leaders *leaders, double exponentials);

struct row_measures softmax_measures(size_t arg_max, const struct odds *odds,
                                     const struct others *others);

/* The gaps of `count` scores to the second, 0 for arg_max (at least `count` where it is not among
 * them) and behind them up to a multiple of LANES. Vectors are written whole: a single number put
 * into one would hold up who reads it. */
PART_OF_TARGETS void find_gaps(size_t count, size_t arg_max, double second, const double *scores,
                               double *gap)
{
    size_t whole = (count + LANES - 1) / LANES * LANES;
    for (size_t i = 0; i < count; i += LANES) {
        lanes score;
        lanes_load(count - i, scores + i, &score);
        *(lanes *)(gap + i) = second - score;
    }
    for (size_t i = 0; i < whole; i++) {
        bool counts = (i < count) & (i != arg_max);
        double limited = gap[i] < FAR ? gap[i] : FAR;
        gap[i] = counts ? limited : 0;
    }
}

/* part[i] = exp(-gap[i]). */
PART_OF_TARGETS void exponentiate_gaps(size_t count, const double *gap, double *part)
{
    uint64_t far = 0;
    for (size_t i = 0; i < count; i++) {
        far |= gap[i] >= NEAR;
    }
    if (far == 0) {
        for (size_t i = 0; i < count; i++) {
            part[i] = exponential_near(-gap[i]);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            part[i] = exponential(-gap[i]);
        }
    }
}

/* Puts 0 for arg_max and behind the exponentials of `count` scores. */
PART_OF_TARGETS void keep_others(size_t count, size_t arg_max, double *part)
{
    size_t whole = (count + LANES - 1) / LANES * LANES;
    for (size_t i = 0; i < whole; i++) {
        bool counts = (i < count) & (i != arg_max);
        part[i] = counts ? part[i] : 0;
    }
}

/* The gaps of `count` <= FEW_SCORES scores and their exponentials. */
PART_OF_TARGETS void exponentiate_few(size_t count, size_t arg_max, double second,
                                      const double *scores, double gap[FEW_SCORES],
                                      double part[FEW_SCORES])
{
    find_gaps(count, arg_max, second, scores, gap);
    exponentiate_gaps((count + LANES - 1) / LANES * LANES, gap, part);
    keep_others(count, arg_max, part);
}

/* The same bits for FEW_SCORES scores without arg_max and none as far as NEAR, sooner. */
PART_OF_TARGETS void exponentiate_near(double second, const double *scores, double gap[FEW_SCORES],
                                       double part[FEW_SCORES])
{
    for (size_t i = 0; i < FEW_SCORES; i++) {
        gap[i] = second - scores[i];
        part[i] = exponential_near(-gap[i]);
    }
}

#endif
