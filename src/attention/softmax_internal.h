/* SPDX-License-Identifier: MIT */
/* What a row of softmax weights is told by, whether it was taken whole or piece by piece. */
#ifndef ATTENTION_SOFTMAX_INTERNAL_H
#define ATTENTION_SOFTMAX_INTERNAL_H

#include "attention/softmax.h"
#include "base/clones.h"
#include "numeric/exponential.h"
#include "numeric/lanes.h"

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

/* The gaps of `count` <= FEW_SCORES scores to the second, 0 for arg_max (at least `count` where it
 * is not among them) and behind them, and their exponentials, 0 for these; both up to a multiple of
 * LANES. */
PART_OF_TARGETS void exponentiate_few(size_t count, size_t arg_max, double second,
                                      const double *scores, double gap[FEW_SCORES],
                                      double part[FEW_SCORES])
{
    size_t whole = (count + LANES - 1) / LANES * LANES;
    uint64_t far = 0;
    for (size_t i = 0; i < count; i++) {
        double distance = second - scores[i];
        gap[i] = distance < FAR ? distance : FAR;
        far |= distance >= NEAR;
    }
    for (size_t i = count; i < whole; i++) {
        gap[i] = 0;
    }
    if (arg_max < count) {
        gap[arg_max] = 0;
    }
    if (far == 0) {
        for (size_t i = 0; i < whole; i++) {
            part[i] = exponential_near(-gap[i]);
        }
    } else {
        for (size_t i = 0; i < whole; i++) {
            part[i] = exponential(-gap[i]);
        }
    }
    for (size_t i = count; i < whole; i++) {
        part[i] = 0;
    }
    if (arg_max < count) {
        part[arg_max] = 0;
    }
}

#endif
