/* SPDX-License-Identifier: MIT */
/* Running sums side by side, so that additions need not wait in line: eight, whatever a processor's
 * vectors hold, so that all add in the same order. They are arrays of eight doubles,
 *     double sums[LANES] = {0};
 *     for (size_t i = 0; i + LANES <= n; i += LANES) {
 *         EACH_LANE
 *         {
 *             sums[lane] += x[i + lane];
 *         }
 *     }
 * which become vectors of each processor's own size and stay in registers. A vector of eight would
 * be kept in memory where the processor's are smaller. */
#ifndef NUMERIC_LANES_H
#define NUMERIC_LANES_H

#include "base/clones.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LANES ((size_t)8)

/* Left alone, compilers unroll such short loops first and then see eight numbers, not vectors. */
#define EACH_LANE _Pragma("GCC unroll 1") for (size_t lane = 0; lane < LANES; lane++)

/* For numbers on their way from one place to another. */
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

/* Eight of `count` numbers: where they are, or up to eight of them with zeros behind in `rest`. */
PART_OF_TARGETS const double *lanes_of(size_t count, const double *from, lanes *rest)
{
    if (count >= LANES) {
        return from;
    }
    lanes_load(count, from, rest);
    return (const double *)rest;
}

PART_OF_TARGETS void lanes_fill(double number, double out[LANES])
{
    EACH_LANE
    {
        out[lane] = number;
    }
}

PART_OF_TARGETS double lanes_sum(const double x[LANES])
{
    double rest[LANES];
    memcpy(rest, x, sizeof rest);
    for (size_t half = LANES / 2; half > 0; half /= 2) {
        for (size_t lane = 0; lane < half; lane++) {
            rest[lane] += rest[lane + half];
        }
    }
    return rest[0];
}

PART_OF_TARGETS double lanes_dot(size_t n, const double *a, const double *b)
{
    double sums[LANES] = {0};
    for (size_t i = 0; i < n; i += LANES) {
        lanes rest[2];
        const double *left = lanes_of(n - i, a + i, &rest[0]);
        const double *right = lanes_of(n - i, b + i, &rest[1]);
        EACH_LANE
        {
            sums[lane] += left[lane] * right[lane];
        }
    }
    return lanes_sum(sums);
}

/* The largest of eight, none of them NaN, and the least. */
PART_OF_TARGETS double lanes_largest(const double x[LANES])
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

PART_OF_TARGETS double lanes_least(const double x[LANES])
{
    double turned[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
        turned[lane] = -x[lane];
    }
    return -lanes_largest(turned);
}

/* Whether none of n numbers is NaN or infinite. */
PART_OF_TARGETS bool lanes_finite(size_t n, const double *x)
{
    double nothing[LANES] = {0};
    for (size_t i = 0; i + LANES <= n; i += LANES) {
        EACH_LANE
        {
            nothing[lane] += x[i + lane] * 0; /* 0, or NaN */
        }
    }
    for (size_t i = n - n % LANES; i < n; i++) {
        nothing[0] += x[i] * 0;
    }
    return lanes_sum(nothing) == 0;
}

#endif
