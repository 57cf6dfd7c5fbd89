/* SPDX-License-Identifier: MIT */
/* Shared by the files that merge settings and name them. */
#ifndef REPORT_SETTING_INTERNAL_H
#define REPORT_SETTING_INTERNAL_H

#include "summary/summary.h"

/* The combinations of the axes that are merged, in the order of the plan. */
struct combinations {
    const struct summary *summary;
    const bool *merged; /* of each axis of the summary */
    size_t count;
    size_t *of_group;
    const struct summary_group **samples;
};

/* One name for each combination: the fields in which it differs from the most common values. */
const char *const *settings_names(const struct combinations *combinations, struct arena *arena,
                                  struct error *err) MUST_CHECK;

/* The most common values themselves. */
const char *settings_note(const struct combinations *combinations, struct arena *arena,
                          struct error *err) MUST_CHECK;

#endif
