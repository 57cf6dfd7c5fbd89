/* SPDX-License-Identifier: MIT */
/* Running sums side by side, so that additions need not wait in line: eight, whatever a processor's
 * vectors hold, so that all add in the same order. */
#ifndef NUMERIC_LANES_H
#define NUMERIC_LANES_H

#include "base/clones.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LANES ((size_t)8)

typedef double lanes __attribute__((vector_size(64), aligned(8)));

/* Up to eight of `count` numbers, zeros behind them. */
PART_OF_TARGETS void lanes_load(size_t count, const double *from, lanes *out)
{
    if (count >= LANES) {
        *out = *(const lanes *)from;
        return;
    }
    /* Element by element they would pass through memory, which a vector has to wait for. */
    *out = (lanes){count > 0 ? from[0] : 0, count > 1 ? from[1] : 0,
                   count > 2 ? from[2] : 0, count > 3 ? from[3] : 0,
                   count > 4 ? from[4] : 0, count > 5 ? from[5] : 0,
                   count > 6 ? from[6] : 0, 0};
}

/* The first of eight to up to `count` places, in as few steps as there are bits in it. */
PART_OF_TARGETS void lanes_store(size_t count, const lanes *from, double *to)
{
    typedef double four __attribute__((vector_size(32), aligned(8)));
    typedef double two __attribute__((vector_size(16), aligned(8)));
    if (count >= LANES) {
        *(lanes *)to = *from;
        return;
    }
    const double *numbers = (const double *)from;
    if ((count & 4) != 0) {
        *(four *)to = *(const four *)numbers;
    }
    if ((count & 2) != 0) {
        *(two *)(to + (count & 4)) = *(const two *)(numbers + (count & 4));
    }
    if ((count & 1) != 0) {
        to[count - 1] = numbers[count - 1];
    }
}

/* Raises each number to its partner in x, where that is larger, and lowers it. By elements, which
 * compilers turn into one instruction where the choice by masks takes three. */
PART_OF_TARGETS void lanes_raise(lanes *top, const lanes *x)
{
    double tops[LANES];
    double others[LANES];
    memcpy(tops, top, sizeof tops);
    memcpy(others, x, sizeof others);
    for (size_t lane = 0; lane < LANES; lane++) {
        tops[lane] = others[lane] > tops[lane] ? others[lane] : tops[lane];
    }
    memcpy(top, tops, sizeof tops);
}

PART_OF_TARGETS void lanes_lower(lanes *bottom, const lanes *x)
{
    double bottoms[LANES];
    double others[LANES];
    memcpy(bottoms, bottom, sizeof bottoms);
    memcpy(others, x, sizeof others);
    for (size_t lane = 0; lane < LANES; lane++) {
        bottoms[lane] = others[lane] < bottoms[lane] ? others[lane] : bottoms[lane];
    }
    memcpy(bottom, bottoms, sizeof bottoms);
}

/* Sorts each pair, so that none of `low` is above its partner; a NaN stays where it is. */
PART_OF_TARGETS void lanes_order(lanes *low, lanes *high)
{
    typedef long long bits __attribute__((vector_size(64), aligned(8)));
    bits swap = *low > *high;
    bits below = ((bits)*high & swap) | ((bits)*low & ~swap);
    *high = (lanes)(((bits)*low & swap) | ((bits)*high & ~swap));
    *low = (lanes)below;
}

/* Sets numbers below the limit to 0, and NaN. */
PART_OF_TARGETS void lanes_drop_below(double limit, lanes *x)
{
    typedef long long bits __attribute__((vector_size(64), aligned(8)));
    *x = (lanes)((bits)*x & (*x >= limit));
}

/* Whether none of n numbers is NaN or infinite. */
PART_OF_TARGETS bool lanes_finite(size_t n, const double *x)
{
    lanes nothing = {0};
    for (size_t i = 0; i < n; i += LANES) {
        lanes value;
        lanes_load(n - i, x + i, &value);
        nothing += value * 0; /* 0, or NaN */
    }
    double sum = 0;
    for (size_t lane = 0; lane < LANES; lane++) {
        sum += nothing[lane];
    }
    return sum == 0;
}

PART_OF_TARGETS double lanes_sum(const lanes *sums)
{
    double rest[LANES];
    memcpy(rest, sums, sizeof rest);
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t lane = 0; lane < half; lane++) {
            rest[lane] += rest[lane + half];
        }
    }
    return rest[0];
}

/* The largest of eight, none of them NaN, and the least. */
PART_OF_TARGETS double lanes_largest(const lanes *x)
{
    double rest[LANES];
    memcpy(rest, x, sizeof rest);
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t lane = 0; lane < half; lane++) {
            double other = rest[lane + half];
            rest[lane] = other > rest[lane] ? other : rest[lane];
        }
    }
    return rest[0];
}

PART_OF_TARGETS double lanes_least(const lanes *x)
{
    const lanes turned = -*x;
    return -lanes_largest(&turned);
}

#endif
