/* SPDX-License-Identifier: MIT */
/* Gathering the curves of onset.h and the values of their runs, seed by seed. */
#ifndef SUMMARY_ONSET_CURVES_H
#define SUMMARY_ONSET_CURVES_H

#include "summary/onset.h"

/* The curves with their points, and out->apart and out->count. */
struct onset_curve *onset_curves_gather(const struct summary *summary,
                                        const struct summary_axis *axis, const double *x,
                                        struct arena *arena, struct onsets *out,
                                        struct error *err) MUST_CHECK;

/* Counts the seeds of a curve, and gives sums of each measure over the successful runs of a seed at
 * a point, [seed][kind][point], and their numbers, [seed][point]. The gradient is negated. */
bool onset_curve_values(const struct result_set *set, struct onset_curve *curve,
                        struct arena *arena, const double **sums, const double **counts,
                        struct error *err) MUST_CHECK;

#endif
