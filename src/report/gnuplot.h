/* SPDX-License-Identifier: MIT */
/* gnuplot as a child process: text that is safe in a script, and scripts to pictures. */
#ifndef REPORT_GNUPLOT_H
#define REPORT_GNUPLOT_H

#include "base/text.h"
#include "report/picture_note.h"
#include "report/report.h"

/* Appends any text as a gnuplot expression that draws it literally and runs nothing: in single
 * quotes, its own single quotes joined to it, all else as gnuplot_label leaves it. */
void gnuplot_quote(struct text *script, const char *any);

/* Copies a text for a one-line label: white space to blanks, control bytes, broken UTF-8 and what
 * XML forbids to '?', cut to `limit` columns with an ellipsis. */
const char *gnuplot_label(struct arena *arena, const char *any, size_t limit,
                          struct error *err) MUST_CHECK;

/* One file to be made from NAME.gp, which stands in the folder. */
struct picture {
    const char *name;                /* the figure's, without extension */
    const char *format;              /* "png", "svg", "pdf" */
    const char *reason;              /* afterwards: why it is missing; NULL when it is there */
    const char *script;              /* another script for it, in the folder; NULL: NAME.gp */
    const struct picture_note *note; /* its metadata; NULL: none */
};

/* Renders all pictures that have no reason yet, one a core at a time. What fails is in each
 * picture's reason, and its older file is removed; false only when memory is short. */
bool gnuplot_render(const struct report_options *options, struct picture *pictures, size_t count,
                    struct arena *arena, struct error *err) MUST_CHECK;

#endif
