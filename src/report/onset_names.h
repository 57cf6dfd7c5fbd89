/* SPDX-License-Identifier: MIT */
/* Names of curves: what tells them apart, without the axis that they run along. */
#ifndef REPORT_ONSET_NAMES_H
#define REPORT_ONSET_NAMES_H

#include "report/onsets.h"
#include "report/sections.h"

/* "guards init, tokens = 8"; of many axes those that are not at their default; "" when there is one
 * curve only. */
bool onset_names_append(const struct sections *sections, const struct onsets *found,
                        const struct onset_curve *curve, struct error *err) MUST_CHECK;

/* Heads of the columns that name a curve, at most RUN_FIELD_COUNT, and their cells. */
size_t onset_names_heads(const struct onsets *found, const char **heads);
bool onset_names_append_cells(const struct sections *sections, const struct onsets *found,
                              const struct onset_curve *curve, struct error *err) MUST_CHECK;

#endif
