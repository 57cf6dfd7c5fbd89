/* SPDX-License-Identifier: MIT */
/* The time left of a sweep: what is left to do by what each run costs, at the pace measured so far.
 */
#ifndef CLI_ETA_H
#define CLI_ETA_H

#include <stddef.h>

struct eta {
    double total, done; /* cost, in any unit */
    double expected;    /* seconds of one thread that a unit was expected to take */
    double after;       /* seconds of what comes behind the last of it */
};

/* The part of the whole that the expectation counts for, as if it had been done at that pace: the
 * first runs alone tell little. */
#define ETA_TRUST 0.01

/* Seconds until all is done, when `threads` threads have spent `busy` seconds, added up, on what is
 * done, and the clock says that `elapsed` have passed: what they spent beside is work in hand. */
double eta_left(const struct eta *eta, double busy, double elapsed, size_t threads);

#endif
