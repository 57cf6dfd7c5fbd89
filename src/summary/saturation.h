/* SPDX-License-Identifier: MIT */
/* Verdicts: which groups of runs saturate, and where along an axis a curve enters saturation.
 * A group saturates when its mean row-max reaches the threshold `saturation_row_max` of its runs;
 * it is undecided when the 95 % interval of that mean contains the threshold. */
#ifndef SUMMARY_SATURATION_H
#define SUMMARY_SATURATION_H

#include "summary/summary.h"

enum saturation { SATURATION_UNKNOWN, SATURATION_NO, SATURATION_UNDECIDED, SATURATION_YES };

/* UNKNOWN when the mean is NaN: no run succeeded, or one of them is undefined. Without an interval
 * the mean alone decides. */
enum saturation saturation_of(const struct summary_group *group);

/* Groups by their verdicts; those that are none of the three counted are not saturated. */
struct saturation_tally {
    size_t groups, saturated, undecided, unknown;
    const struct summary_group *highest; /* largest mean row-max; NULL when all are unknown */
    const struct summary_group *lowest;
};

void saturation_add(struct saturation_tally *tally, const struct summary_group *group);

/* The groups that have one value of an axis, or all groups when `axis` is NULL. */
struct saturation_tally saturation_count(const struct summary *summary,
                                         const struct summary_axis *axis, size_t value);

/* The group that has another set of guards and agrees in everything else, or NULL. */
const struct summary_group *saturation_partner(const struct summary *summary,
                                               const struct summary_group *group, unsigned guards);

/* Whether rising positions are spaced by factors rather than by steps: all positive, and their
 * ratios vary less than their differences. Two positions are when they lie a factor 4 apart. */
bool saturation_geometric(size_t n, const double *x);

/* A curve y(x) passes the threshold between two neighbouring points. */
struct saturation_crossing {
    double at; /* interpolated, linearly in ln x when `logarithmic` */
    double from, to;
    bool enters; /* y reaches the threshold; false: it falls below */
};

/* All crossings of n points with rising x, in order; `out` holds n - 1. A NaN interrupts the curve.
 * Returns their number; 0 is "not within the range". */
size_t saturation_crossings(size_t n, const double *x, const double *y, double threshold,
                            bool logarithmic, struct saturation_crossing *out);

/* Whether rows have one token, which has nothing else to attend to: its weight is 1 at any score.
 */
bool saturation_is_degenerate(const struct summary_group *group);

#endif
