/* SPDX-License-Identifier: MIT */
/* The 95 % interval of a mean over seeds as reports show it. Pure. */
#ifndef SUMMARY_INTERVAL_H
#define SUMMARY_INTERVAL_H

#include "summary/summary.h"

struct interval {
    double low, high;
};

/* mean ± half width, and NaN ends where there is no half width. Of a share (all of whose values are
 * from 0 to 1) it is that, too, unless an end would leave 0 to 1: then the same half width is laid
 * around the logit of the mean, and carried back. */
struct interval interval_of(const struct estimate *estimate, bool share);

/* Whether the interval is that of the logit, and so not symmetric. */
bool interval_is_skewed(const struct estimate *estimate, bool share);

#endif
