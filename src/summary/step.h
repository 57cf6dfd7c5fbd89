/* SPDX-License-Identifier: MIT */
/* Where a series of numbers stepped from one level to another. */
#ifndef SUMMARY_STEP_H
#define SUMMARY_STEP_H

#include "run/tolerance.h"

/* The series is looked at this far back. */
#define STEP_LIMIT 400

struct step {
    size_t at;            /* first number of the new level; 0 when there is no step */
    double before, after; /* medians of the two levels */
};

/* The split of y that leaves the least sum of absolute distances to the medians of its two parts,
 * of several the earliest. It is a step when the medians are further apart than `tolerance` allows
 * from the first and than three times the median distance of the numbers from their own: one odd
 * night makes none. `scratch` holds 3 n numbers. n at most STEP_LIMIT; all numbers finite. */
struct step step_find(size_t n, const double *y, struct tolerance tolerance, double *scratch);

#endif
