/* SPDX-License-Identifier: MIT */
/* What both forms of a row's gradient share: sums of squares in lanes, and their range. */
#ifndef ATTENTION_GRADIENT_INTERNAL_H
#define ATTENTION_GRADIENT_INTERNAL_H

#include "base/clones.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Running sums side by side, so that additions need not wait in line and vectors of any width add
 * in the same order. */
#define GRADIENT_LANES 8

PART_OF_TARGETS double gradient_add_lanes(double sums[GRADIENT_LANES])
{
    for (size_t half = GRADIENT_LANES / 2; half > 0; half /= 2) {
        for (size_t lane = 0; lane < half; lane++) {
            sums[lane] += sums[lane + half];
        }
    }
    return sums[0];
}

/* Whether a sum of squares has neither over- nor underflowed on the way. */
static inline bool gradient_in_range(double squares)
{
    return isnan(squares) || (squares > DBL_MIN / DBL_EPSILON && squares < 1e300);
}

#endif
