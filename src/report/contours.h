/* SPDX-License-Identifier: MIT */
/* Lines of one height through a grid of values. */
#ifndef REPORT_CONTOURS_H
#define REPORT_CONTOURS_H

#include "base/arena.h"

struct contour_point {
    double x, y; /* columns and rows, the first being 0 */
    bool starts; /* a line of its own */
};

struct contour {
    size_t count;
    const struct contour_point *points;
};

/* Where `values` (rows, columns), row-major, reach `level`, between four neighbours each by linear
 * interpolation; nothing where one of the four is not finite. A saddle is cut by the mean of the
 * four, as is usual in marching squares. */
bool contour_find(size_t rows, size_t columns, const double *values, double level,
                  struct arena *arena, struct contour *out, struct error *err) MUST_CHECK;

#endif
