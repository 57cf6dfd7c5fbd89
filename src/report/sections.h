/* SPDX-License-Identifier: MIT */
/* The parts of report.md, each appended to one text. */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "report/markdown.h"
#include "report/view.h"

enum { SECTIONS_AXES = 4 /* that are all named; of more, those at their default are not */ };

/* What every part needs. */
struct sections {
    struct text *out;
    const struct result_set *set;
    const struct view *view;
    struct arena *arena;
};

/* A setting in words: "harbour, guards init + scale, d_k = 64"; with many axes, without those at
 * their default. */
bool sections_append_setting(const struct sections *sections, const struct summary_group *group,
                             struct error *err) MUST_CHECK;

/* A value with its axis where the value does not speak for itself: "harbour", "d_k = 64". */
bool sections_append_value(const struct sections *sections, const struct summary_axis *axis,
                           size_t value, struct error *err) MUST_CHECK;

/* The heads of a table's columns that name a setting: one an axis, or a single one where there are
 * more axes than a page has room for. Returns their number, at most RUN_FIELD_COUNT. */
size_t sections_setting_heads(const struct summary *summary, const char **heads);

/* The cells below them, each as "| cell ". */
bool sections_append_cells(const struct sections *sections, const struct summary_group *group,
                           struct error *err) MUST_CHECK;

/* Where attention saturates and what ends it, in words. */
bool verdict_append(const struct sections *sections, struct error *err) MUST_CHECK;

/* One bullet for each line: where along x it saturates. */
bool verdict_append_lines(const struct sections *sections, struct error *err) MUST_CHECK;

/* Choices other than guards under which nothing saturates, while others of their axis do; for
 * verdict_append. */
bool verdict_append_axes(const struct sections *sections, struct error *err) MUST_CHECK;

/* Where curves along a numeric axis set in, with intervals, in a sentence; nothing without. */
bool onsets_append_verdict(const struct sections *sections, struct error *err) MUST_CHECK;

/* The part "Onset": a table of all curves, the theory beside them; nothing without a numeric axis.
 */
bool onsets_append(const struct sections *sections, struct error *err) MUST_CHECK;

/* How far seeds, failures and close calls limit the verdict. */
bool verdict_append_notes(const struct sections *sections, struct error *err) MUST_CHECK;

/* The three tables. */
bool tables_append(const struct sections *sections, struct error *err) MUST_CHECK;

/* Small kept rows worked out key by key; nothing without any. */
bool worked_append(const struct sections *sections, struct error *err) MUST_CHECK;

/* What each way to make weights keeps, with counter-examples; nothing when all runs use softmax. */
bool properties_append(const struct sections *sections, struct error *err) MUST_CHECK;

/* Number formats and where they break; nothing when all runs are in double precision and subtract
 * the maximum. The figure of undefined rows goes behind it. */
bool arithmetic_append(const struct sections *sections, struct error *err) MUST_CHECK;

/* Axes, fixed fields, failures, provenance, the sweep itself. */
bool record_append(const struct sections *sections, struct error *err) MUST_CHECK;

/* Definitions; limits and errata. */
bool guide_append_reading(const struct sections *sections, struct error *err) MUST_CHECK;
void guide_append_limits(const struct sections *sections);

#endif
