/* SPDX-License-Identifier: MIT */
/* Ranges and tick marks of the axes of a panel. */
#ifndef REPORT_SCALES_H
#define REPORT_SCALES_H

#include "base/text.h"

#include <math.h>

struct scale {
    bool logarithmic;
    double low, high; /* low >= high: nothing to show */
};

/* What the values to be shown are like; gathered point by point. */
struct extent {
    double least, most;         /* of the finite values */
    double least_positive;      /* INFINITY when none is */
    size_t finite, zeros, lost; /* numbers of values: finite, exactly 0, NaN or infinite */
};

#define EXTENT_EMPTY                                                                               \
    {                                                                                              \
        (double)INFINITY, -(double)INFINITY, (double)INFINITY, 0, 0, 0                             \
    }

/* Counts a value, and the interval low..high around it when that is finite. */
void extent_add(struct extent *extent, double value, double half_width);

/* A range with room around the values. On a logarithmic scale zeros get room at the foot. */
struct scale scale_linear(const struct extent *extent);
struct scale scale_logarithmic(const struct extent *extent);

/* For shares: from 0 to a little above 1, so that a mark at 1 is whole. */
struct scale scale_unit(void);

/* Whether the values are better told apart on a logarithmic scale. */
bool extent_wide(const struct extent *extent);

/* Appends "set AXISrange ...", "set logscale ..." and "set AXIStics (...)" with labels. */
void scale_append(struct text *script, char axis, const struct scale *scale, bool labels);

/* The same where labels have few pixels: only as many as stand clear of each other. */
void scale_append_narrow(struct text *script, char axis, const struct scale *scale, double pixels);

#endif
