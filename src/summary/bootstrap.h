/* SPDX-License-Identifier: MIT */
/* The bootstrap over seeds: seeds are drawn again with replacement, a statistic is computed from
 * each such resample, and the middle of its values is the interval (Efron 1979). Pure. */
#ifndef SUMMARY_BOOTSTRAP_H
#define SUMMARY_BOOTSTRAP_H

#include "summary/interval.h"

#include <stddef.h>
#include <stdint.h>

enum {
    BOOTSTRAP_RESAMPLES = 2000,
    BOOTSTRAP_LEAST = 3, /* seeds below which there is no interval */
    BOOTSTRAP_CHUNK = 512
};

/* Resamples one behind the other; the same ones for the same number of units, whenever and wherever
 * a report is made. */
struct bootstrap {
    size_t units;
    uint64_t drawn; /* numbers made so far */
    size_t left;    /* of those in `numbers`, at its end */
    double numbers[BOOTSTRAP_CHUNK];
};

void bootstrap_start(struct bootstrap *bootstrap, size_t units);

/* The next resample: times[u] = how often unit u is drawn in `units` draws. */
void bootstrap_draw(struct bootstrap *bootstrap, double *times);

/* The share of resampled values to leave out at each end for a 95 % interval. 0.025 of many units;
 * of few, less: a resample scatters by the factor root of (1 - 1/units) less than a sample does,
 * and by normal in place of Student quantiles (Hesterberg 2015, the expanded percentile interval).
 */
double bootstrap_tail(size_t units);

/* The `tail` and 1 - tail quantiles of the resampled values (Hyndman and Fan's type 7), which are
 * reordered. -INFINITY and INFINITY stand for what lies beyond a range: an end among them is open.
 * No value may be NaN; NaN ends when there is none. */
struct interval bootstrap_interval(size_t count, double *values, double tail);

#endif
