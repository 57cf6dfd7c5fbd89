/* SPDX-License-Identifier: MIT */
/* Whether the projections W_Q and W_K were drawn or read from files: what a report may say about
 * chance and about the init guard depends on it. */
#ifndef REPORT_PROJECTIONS_H
#define REPORT_PROJECTIONS_H

#include "summary/summary.h"

enum projections {
    PROJECTIONS_DRAWN,     /* in some run at least */
    PROJECTIONS_READ,      /* unit draws from files, which the init guard divides */
    PROJECTIONS_UNTOUCHED, /* from files, used as they are: there is no init guard */
    PROJECTIONS_NONE       /* no run has any: queries and keys, or scores, were given */
};

enum projections projections_of(const struct summary *summary);

/* What the guards do, in one line for a figure. */
const char *projections_guards(const struct summary *summary, struct arena *arena,
                               struct error *err) MUST_CHECK;

#endif
