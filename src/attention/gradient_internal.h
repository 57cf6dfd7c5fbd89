/* SPDX-License-Identifier: MIT */
/* What the forms of a row's gradient share: sums of squares in lanes, and their range. */
#ifndef ATTENTION_GRADIENT_INTERNAL_H
#define ATTENTION_GRADIENT_INTERNAL_H

#include "attention/weigh_row.h"
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
    double sums[LANES] = {0};
    for (size_t c = 0; c < d; c += LANES) {
        lanes rest[3];
        const double *to = lanes_of(d - c, v + c, &rest[0]);
        const double *from = lanes_of(d - c, origin + c, &rest[1]);
        const double *middle = lanes_of(d - c, centre + c, &rest[2]);
        EACH_LANE
        {
            double distance = (to[lane] - from[lane] - middle[lane]) * scale;
            sums[lane] += distance * distance;
        }
    }
    return lanes_sum(sums);
}

/* |v - origin|^2. */
PART_OF_TARGETS double squared_difference(size_t d, const double *v, const double *origin)
{
    double sums[LANES] = {0};
    for (size_t c = 0; c < d; c += LANES) {
        lanes rest[2];
        const double *to = lanes_of(d - c, v + c, &rest[0]);
        const double *from = lanes_of(d - c, origin + c, &rest[1]);
        EACH_LANE
        {
            double difference = to[lane] - from[lane];
            sums[lane] += difference * difference;
        }
    }
    return lanes_sum(sums);
}

/* Whether a sum of squares has neither over- nor underflowed on the way. */
static inline bool gradient_in_range(double squares)
{
    return isnan(squares) || (squares > DBL_MIN / DBL_EPSILON && squares < 1e300);
}

/* A power of two that brings numbers of about this size near 1; 1 where none would help. */
double gradient_scale_for(double size);

/* The largest slope that counts: at arg_max it multiplies a difference of 0, and is large where all
 * others vanish. */
double gradient_largest_slope(size_t n, const struct row_slopes *slopes);

#endif
