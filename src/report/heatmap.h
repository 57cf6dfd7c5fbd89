/* SPDX-License-Identifier: MIT */
/* The page of the heat map, and the headings on it. */
#ifndef REPORT_HEATMAP_H
#define REPORT_HEATMAP_H

#include "report/canvas.h"
#include "report/weights.h"

/* Sizes of the page, in pixels. */
struct layout {
    double left, top, width, height, column_step, row_step;
};

/* Whether a column needs two lines for its name. */
bool heatmap_find_deep(const struct weights *weights, const struct layout *layout, bool *deep,
                       struct arena *arena, struct error *err) MUST_CHECK;

/* The values of columns and rows; nothing for a list. */
bool heatmap_append_headings(struct canvas *canvas, const struct weights *weights,
                             const struct layout *layout, struct arena *arena,
                             struct error *err) MUST_CHECK;

/* The setting of a panel of a list, in one line or two above it; nothing for others. */
bool heatmap_append_panel_name(struct canvas *canvas, const struct weights *weights,
                               const struct layout *layout, size_t r, size_t c, struct arena *arena,
                               struct error *err) MUST_CHECK;

#endif
