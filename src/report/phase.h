/* SPDX-License-Identifier: MIT */
/* A map of the mean row-max over two numeric axes, with lines of equal row-max and the line along
 * which the theory of independent scores sees saturation begin. */
#ifndef REPORT_PHASE_H
#define REPORT_PHASE_H

#include "report/contours.h"
#include "report/view.h"

enum { PHASE_PANELS = 4, PHASE_VALUES = 3 /* that make a map, at least */, PHASE_LEVELS = 2 };

/* Groups that agree in everything but the two axes; group of row r and column i:
 * groups[r * columns + i], NULL where there is none. */
struct phase_panel {
    const struct summary_group *sample;
    const struct summary_group **groups;
    const double *onset;         /* place along x in each row, 0 being the first value; or NaN */
    double levels[PHASE_LEVELS]; /* of the row-max: the threshold of saturation, and one half */
    struct contour contours[PHASE_LEVELS]; /* empty where the row-max does not reach the level */
};

struct phase {
    const struct summary *summary;
    const struct summary_axis *x, *y; /* NULL: no map */
    size_t panel_count;
    size_t settings_left_out; /* of combinations without a panel */
    struct phase_panel panels[PHASE_PANELS];
};

/* A map is there when two numeric axes have three values or more each and a panel is filled to
 * three quarters. The number of tokens runs upwards when it is one of them, else the second
 * longest; the longest of the others runs along x. Where a single further axis has more values than
 * there are panels, they are taken evenly. */
bool phase_choose(const struct summary *summary, struct arena *arena, struct phase *out,
                  struct error *err) MUST_CHECK;

/* Where the measured spread of the scores in a row reaches `onset`: between the values i and i + 1
 * of x, at i + t, interpolated in the logarithm of the spread. NaN when it does not within the
 * range; the last such place when there are several. */
double phase_place(size_t count, const double *spreads, double onset);

/* "guards init, d_k = 64"; "" when a single panel shows all. */
const char *phase_panel_name(const struct phase *phase, size_t panel, struct arena *arena,
                             struct error *err) MUST_CHECK;

/* Whether any panel has a piece of the onset's line, or of the contour of that number. */
bool phase_has_onset(const struct phase *phase);
bool phase_has_contour(const struct phase *phase, size_t level);

#endif
