/* SPDX-License-Identifier: MIT */
/* The words on the main figure and under it. */
#ifndef REPORT_LABELS_H
#define REPORT_LABELS_H

#include "report/panels.h"

/* The threshold, and the number of tokens, that all groups share; NaN when they differ. */
double labels_shared_threshold(const struct summary *summary);
double labels_shared_tokens(const struct summary *summary);

/* Those over which uniform weights would be 1/tokens in every row; NaN under a mask, too. */
double labels_uniform_tokens(const struct summary *summary);

/* Sentences read for a value of the corpus axis; NaN when no run tells. */
double labels_sentences(const struct summary *summary, const struct summary_axis *corpus,
                        size_t value);

/* The sweep's title and the grey lines below it. */
struct labels_head {
    const char *title;
    size_t line_count;
    const char *lines[6];
};

bool labels_head_make(const struct result_set *set, const struct panels *panels,
                      struct arena *arena, struct labels_head *out, struct error *err) MUST_CHECK;

/* The sweep's title, or else its name. */
const char *labels_title(const struct result_set *set);

/* "32 seeds a point", "one seed a point"; "nothing drawn by seed" where no run draws anything. */
const char *labels_seeds(const struct summary *summary, struct arena *arena,
                         struct error *err) MUST_CHECK;

double labels_legend_height(const struct panels *panels, struct arena *arena);
bool labels_append_legend(struct canvas *canvas, const struct panels *panels, double y,
                          struct arena *arena, struct error *err) MUST_CHECK;

/* Range, marks and, when `labelled`, names of the x axis of a panel. */
bool labels_append_x(struct canvas *canvas, const struct view *view, const struct canvas_area *area,
                     bool labelled, struct arena *arena, struct error *err) MUST_CHECK;

/* Room below the last panel. */
double labels_foot(const struct view *view);

/* Appends values of an axis in full, for a caption, when labels may be cut. `values` NULL: all. */
bool labels_append_values(struct text *caption, const struct summary_axis *axis,
                          const size_t *values, size_t count, const char *order,
                          struct arena *arena, struct error *err) MUST_CHECK;

/* The same for the axes of a view that are named fields: from left to right, and of the legend. */
bool labels_append_texts(struct text *caption, const struct view *view, struct arena *arena,
                         struct error *err) MUST_CHECK;

/* The caption of the main figure, Markdown. */
const char *labels_caption(const struct panels *panels, struct arena *arena,
                           struct error *err) MUST_CHECK;

#endif
