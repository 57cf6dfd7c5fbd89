/* SPDX-License-Identifier: MIT */
/* Scores that a sweep gives directly: one row or several of one length. */
#ifndef RUN_SCORE_ROWS_H
#define RUN_SCORE_ROWS_H

#include "base/arena.h"

struct score_rows {
    size_t rows, columns;
    const double *values; /* (rows, columns); finite, or -infinity for a masked key */
};

/* Reads "2, 1, 0.1; 3, 2, -inf": numbers apart by a comma or by blanks, rows by semicolons.
 * ERROR_INPUT with a clause for the user when it is anything else, or rows differ in length. */
bool score_rows_parse(const char *text, struct arena *arena, struct score_rows *out,
                      struct error *err) MUST_CHECK;

/* The same in one spelling, "2,1,0.1;3,2,-inf"; NULL when the arena is full. */
const char *score_rows_text(const struct score_rows *rows, struct arena *arena,
                            struct error *err) MUST_CHECK;

#endif
