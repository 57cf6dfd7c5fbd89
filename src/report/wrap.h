/* SPDX-License-Identifier: MIT */
/* Labels in the room there is: one line, two, or two with an ellipsis. */
#ifndef REPORT_WRAP_H
#define REPORT_WRAP_H

#include "base/arena.h"

enum { WRAP_LINES = 2 };

struct wrapped {
    size_t count; /* of lines, 1 or 2 */
    const char *lines[WRAP_LINES];
};

/* Columns of a font size that stand side by side in a width; at least 4. */
size_t wrap_room(double width, double size, bool bold);

/* Makes any text safe for labels (gnuplot_label) and breaks it, at a blank where there is one,
 * into lines of at most `limit` columns, 4 or more. */
bool wrap_label(const char *any, size_t limit, struct arena *arena, struct wrapped *out,
                struct error *err) MUST_CHECK;

/* The same in as many lines as it takes, up to `most`, the last of which takes all that is left:
 * broken behind a comma, at a blank, or mid-word. Returns how many lines; 0 with `err` set. */
size_t wrap_lines(const char *any, size_t limit, struct arena *arena, const char **lines,
                  size_t most, struct error *err) MUST_CHECK;

/* Columns of UTF-8 text: see columns.h. */
size_t wrap_length(const char *any);

#endif
