/* SPDX-License-Identifier: MIT */
/* What a row of softmax weights is told by, whether it was taken whole or piece by piece. */
#ifndef ATTENTION_SOFTMAX_INTERNAL_H
#define ATTENTION_SOFTMAX_INTERNAL_H

#include "attention/softmax.h"
#include "base/clones.h"
#include "numeric/exponential.h"
#include "numeric/lanes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A gap as far as this is as far as any: its exponential is 0. */
#define FAR 1000.0
/* Up to here an exponential needs no care for subnormal numbers. */
#define NEAR 690.0
/* Smaller shares of the others change no bit of the sums of their powers, of which the first is 1;
 * a subnormal power takes a processor a hundred times as long as another. */
#define POWERS_MIN 0x1p-300
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
        lanes rest;
        const double *score = lanes_of(count - i, scores + i, &rest);
        EACH_LANE
        {
            gap[i + lane] = second - score[lane];
        }
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

/* The same bits for FEW_SCORES scores without arg_max and none as far as NEAR, sooner. */
PART_OF_TARGETS void exponentiate_near(double second, const double *scores, double gap[FEW_SCORES],
                                       double part[FEW_SCORES])
{
    for (size_t i = 0; i < FEW_SCORES; i++) {
        gap[i] = second - scores[i];
        part[i] = exponential_near(-gap[i]);
    }
}

PART_OF_TARGETS bool all_are_far(const double gap[FEW_SCORES])
{
    uint64_t near = 0;
    for (size_t i = 0; i < FEW_SCORES; i++) {
        near |= gap[i] < FAR;
    }
    return near == 0;
}

/* The gaps of `count` <= FEW_SCORES scores and their exponentials; `near` says that none of the row
 * is as far as NEAR, false that nobody knows. */
PART_OF_TARGETS void exponentiate_few(size_t count, size_t arg_max, double second, bool near,
                                      const double *scores, double gap[FEW_SCORES],
                                      double part[FEW_SCORES])
{
    if (near && count == FEW_SCORES && arg_max >= FEW_SCORES) {
        exponentiate_near(second, scores, gap, part);
        return;
    }
    find_gaps(count, arg_max, second, scores, gap);
    if (count == FEW_SCORES && all_are_far(gap)) {
        memset(part, 0, FEW_SCORES * sizeof *part);
        return;
    }
    exponentiate_gaps((count + LANES - 1) / LANES * LANES, gap, part);
    keep_others(count, arg_max, part);
}

/* The first place of a number that is there, among no more than FEW_SCORES, without a branch that
 * would depend on it. */
PART_OF_TARGETS size_t place_of(double number, size_t n, const double *numbers)
{
    uint64_t found = 0;
    for (size_t j = 0; j < n; j++) {
        found |= (uint64_t)(numbers[j] == number) << j;
    }
    return (size_t)__builtin_ctzll(found);
}

/* The two largest of all from the two largest of each lane; four lanes at a time, as processors of
 * most levels compare so many. */
PART_OF_TARGETS void join_lanes(const double largest[LANES], const double second[LANES],
                                struct leaders *out)
{
    typedef double four __attribute__((vector_size(32), aligned(8)));
    typedef int64_t bits __attribute__((vector_size(32), aligned(8)));
    const double top = lanes_largest(largest);
    const four tops = {top, top, top, top};
    double rest[LANES]; /* what is left without the largest of all */
    bits places = {0};  /* less the lanes where it is */
    for (size_t half = 0; half < 2; half++) {
        four high = ((const four *)largest)[half];
        four low = ((const four *)second)[half];
        bits here = high == tops;
        places += here;
        ((four *)rest)[half] = (four)(((bits)low & here) | ((bits)high & ~here));
    }
    bool once = places[0] + places[1] + places[2] + places[3] == -1;
    out->largest = top;
    out->second = once ? lanes_largest(rest) : top;
}

/* Those of no more than FEW_SCORES. */
PART_OF_TARGETS void find_leaders(size_t n, const double *scores, struct leaders *out)
{
    /* In each lane the two largest so far. */
    double largest[LANES];
    double second[LANES];
    lanes_fill(-(double)INFINITY, largest);
    lanes_fill(-(double)INFINITY, second);
    for (size_t j = 0; j < n; j += LANES) {
        lanes rest;
        const double *score = lanes_of(n - j, scores + j, &rest);
        for (size_t lane = n - j; lane < LANES; lane++) {
            rest[lane] = -(double)INFINITY;
        }
        EACH_LANE
        {
            double high = score[lane] > largest[lane] ? score[lane] : largest[lane];
            double low = score[lane] > largest[lane] ? largest[lane] : score[lane];
            largest[lane] = high;
            second[lane] = low > second[lane] ? low : second[lane];
        }
    }
    join_lanes(largest, second, out);
    out->arg_max = place_of(out->largest, n, scores);
}

/* The two largest of many scores, by the largest of each FEW_SCORES: only those that have the
 * largest of all need a second look. */
struct tops {
    double largest;
    double second; /* beside those from `start` on, until they are looked at */
    size_t start;
};

PART_OF_TARGETS struct tops tops_of_none(void)
{
    return (struct tops){-(double)INFINITY, -(double)INFINITY, 0};
}

/* Adds those from `start` on, of which the largest is `high`. */
PART_OF_TARGETS void tops_add(struct tops *tops, size_t start, double high)
{
    if (high > tops->largest) {
        *tops = (struct tops){high, tops->largest, start};
    } else if (high > tops->second) {
        tops->second = high;
    }
}

/* The first place of the largest of n scores, none of them NaN; the second then is that of all. */
PART_OF_TARGETS size_t tops_find(struct tops *tops, size_t n, const double *scores)
{
    size_t count = n - tops->start < FEW_SCORES ? n - tops->start : FEW_SCORES;
    struct leaders leaders;
    find_leaders(count, scores + tops->start, &leaders);
    tops->second = leaders.second > tops->second ? leaders.second : tops->second;
    return tops->start + leaders.arg_max;
}

#endif
