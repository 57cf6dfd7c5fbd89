/* SPDX-License-Identifier: MIT */
/* A map of the mean row-max over the number of tokens and another axis, with the line along which
 * the theory of independent scores sees saturation begin. */
#ifndef REPORT_PHASE_H
#define REPORT_PHASE_H

#include "report/view.h"

enum { PHASE_PANELS = 4, PHASE_VALUES = 3 /* that make a map, at least */ };

/* Groups that agree in everything but the two axes; group of (tokens t, x i): groups[t * x + i],
 * NULL where there is none. */
struct phase_panel {
    const struct summary_group *sample;
    const struct summary_group **groups;
    const double *onset; /* place along x in each row of tokens, 0 being the first value; or NaN */
};

struct phase {
    const struct summary *summary;
    const struct summary_axis *x, *tokens; /* NULL: no map */
    size_t panel_count;
    size_t settings_left_out; /* of combinations without a panel */
    struct phase_panel panels[PHASE_PANELS];
};

/* A map is there when tokens and another numeric axis, the one with most values, have three values
 * or more each. */
bool phase_choose(const struct summary *summary, struct arena *arena, struct phase *out,
                  struct error *err) MUST_CHECK;

/* Where the measured spread of the scores in a row reaches `onset`: between the values i and i + 1
 * of x, at i + t, interpolated in the logarithm of the spread. NaN when it does not within the
 * range; the last such place when there are several. */
double phase_place(size_t count, const double *spreads, double onset);

/* "guards init, d_k = 64"; "" when a single panel shows all. */
const char *phase_panel_name(const struct phase *phase, size_t panel, struct arena *arena,
                             struct error *err) MUST_CHECK;

/* Whether any panel has a piece of the onset's line. */
bool phase_has_onset(const struct phase *phase);

#endif
