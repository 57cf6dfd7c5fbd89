/* SPDX-License-Identifier: MIT */
/* The lines on a map of saturation: contours of the row-max and the theory's onset, their names,
 * and the room that numbers leave for them. */
#ifndef REPORT_PHASE_LINES_H
#define REPORT_PHASE_LINES_H

#include "report/canvas.h"
#include "report/phase.h"

/* The data blocks of the lines of a panel, and the elements of its plot command. */
void phase_lines_append_blocks(struct text *script, const struct phase *phase, size_t panel);
void phase_lines_append_plot(struct text *script, const struct phase *phase, size_t panel);

/* Names the contours of a panel at their upper or right ends, outside of it. */
void phase_lines_name(struct canvas *canvas, const struct phase *phase, size_t panel,
                      const struct canvas_area *area);

/* Where a number stands along x: in the middle of its cell, or beside lines that would hide it; NaN
 * when the cell has no room for it beside them. `half` is half its width, in cells. */
double phase_lines_place(const struct phase *phase, size_t panel, size_t row, size_t column,
                         double half);

/* "White lines: mean row-max 0.5 and 0.9."; "" without contours. */
const char *phase_lines_text(const struct phase *phase, struct arena *arena,
                             struct error *err) MUST_CHECK;

#endif
