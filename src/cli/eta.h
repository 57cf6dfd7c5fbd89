/* SPDX-License-Identifier: MIT */
/* The time left of a sweep: what is left to do, by kind of work, at the pace of each kind. The
 * paces are those that explain best what was done so far, where a pace that was not seen yet is
 * taken to be off as the others are. */
#ifndef CLI_ETA_H
#define CLI_ETA_H

#include "engine/engine.h"

struct eta {
    struct engine_work left; /* not done yet, on the machine of engine/estimate.h */
    double whole;            /* all of it at the start */
    double expected;         /* seconds of one thread that each of its seconds should take here */
    double after;            /* seconds that saving, behind the last of it, should take here */
    /* What was seen: sums over what was done, each weighed by how much it tells. */
    double products[WORK_KINDS][WORK_KINDS], seconds[WORK_KINDS];
};

/* With nothing done. `left` may be put right later on. */
struct eta eta_start(const struct engine_work *left, double expected, double after);

/* `work` was done, and took `seconds` of one thread. */
void eta_learn(struct eta *eta, const struct engine_work *work, double seconds);

/* Seconds until all is done on `threads` threads, which spent `in_hand` seconds, added up, on what
 * is not done yet. */
double eta_left(const struct eta *eta, double in_hand, size_t threads);

#endif
