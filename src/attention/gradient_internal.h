/* SPDX-License-Identifier: MIT */
/* What the forms of a row's gradient share: sums of squares in lanes, and their range. */
#ifndef ATTENTION_GRADIENT_INTERNAL_H
#define ATTENTION_GRADIENT_INTERNAL_H

#include "numeric/lanes.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* sum += weight (v - origin). */
PART_OF_TARGETS void add_difference(size_t d, double weight, const double *v, const double *origin,
                                    double *restrict sum)
{
    for (size_t c = 0; c < d; c++) {
        sum[c] += weight * (v[c] - origin[c]);
    }
}

/* |scale (v - origin - centre)|^2. */
PART_OF_TARGETS double squared_distance(size_t d, const double *v, const double *origin,
                                        const double *centre, double scale)
{
    lanes sums = {0};
    for (size_t c = 0; c < d; c += LANES) {
        lanes distance;
        lanes from;
        lanes middle;
        lanes_load(d - c, v + c, &distance);
        lanes_load(d - c, origin + c, &from);
        lanes_load(d - c, centre + c, &middle);
        distance = (distance - from - middle) * scale;
        sums += distance * distance;
    }
    return lanes_sum(&sums);
}

/* |v - origin|^2. */
PART_OF_TARGETS double squared_difference(size_t d, const double *v, const double *origin)
{
    lanes sums = {0};
    for (size_t c = 0; c < d; c += LANES) {
        lanes difference;
        lanes from;
        lanes_load(d - c, v + c, &difference);
        lanes_load(d - c, origin + c, &from);
        difference -= from;
        sums += difference * difference;
    }
    return lanes_sum(&sums);
}

/* Whether a sum of squares has neither over- nor underflowed on the way. */
static inline bool gradient_in_range(double squares)
{
    return isnan(squares) || (squares > DBL_MIN / DBL_EPSILON && squares < 1e300);
}

#endif
