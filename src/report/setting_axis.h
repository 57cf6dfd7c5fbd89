/* SPDX-License-Identifier: MIT */
/* Sweeps that change one thing at a time: their many axes have few combinations, and these read
 * best as one axis of named settings. */
#ifndef REPORT_SETTING_AXIS_H
#define REPORT_SETTING_AXIS_H

#include "summary/summary.h"

/* The same groups with the entangled axes as one axis, which stands first; what the names leave
 * unsaid. */
struct settings {
    bool merged; /* false: the axes are crossed, or nearly so, and the rest of this is unset */
    struct summary summary;
    const char *note; /* "score factor = 1, guards init + scale": the most common values */
};

/* An axis stays as it is when three quarters of its values meet all combinations of the others, or
 * when it is a scale that has three points or more for each of them. Of the rest, an axis that
 * another one determines counts no more than once. They are merged when their combinations are half
 * of all possible ones or less; two thirds, when a figure could run along none of them. */
bool settings_merge(const struct summary *summary, struct arena *arena, struct settings *out,
                    struct error *err) MUST_CHECK;

#endif
