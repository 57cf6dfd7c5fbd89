/* SPDX-License-Identifier: MIT */
/* All pictures of a report: rendered, noted where they come from, and looked at. */
#ifndef REPORT_RENDERING_H
#define REPORT_RENDERING_H

#include "report/figures.h"
#include "report/gnuplot.h"
#include "report/pictures.h"

enum { RENDERING_LIMIT = FIGURES_LIMIT * PICTURE_FORMATS };

struct rendered {
    size_t count;
    struct picture pictures[RENDERING_LIMIT];
    bool boxed[RENDERING_LIMIT]; /* has boxes for characters that no font here has */
};

/* Renders every figure, whose script stands in the folder, in every format that was asked for. What
 * fails is in the picture's reason; false when memory is short or a file cannot be written. */
bool rendering_make(const struct result_set *set, const struct figures *figures,
                    const struct report_options *options, struct arena *arena, struct rendered *out,
                    struct error *err) MUST_CHECK;

/* A comment that says the same as the note in pictures, for the head of a script. */
const char *rendering_comment(const struct result_set *set, struct arena *arena,
                              struct error *err) MUST_CHECK;

#endif
