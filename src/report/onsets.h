/* SPDX-License-Identifier: MIT */
/* Onsets along the numeric axis that the figure runs along, and the theory's beside them. */
#ifndef REPORT_ONSETS_H
#define REPORT_ONSETS_H

#include "report/panels.h"
#include "report/view.h"
#include "summary/onset.h"

struct onset_table {
    struct onsets found;
    /* For each curve: where the score spread in a row reaches that at which independent normal
     * scores of as many keys have a mean row-max at the threshold. State UNKNOWN: the theory does
     * not speak of it. Without intervals. */
    const struct onset *theory;
};

/* Finds the onsets along view->x, or along what words follow when the figure is in rows. *out is
 * NULL when that is not numeric or no curve has two points. */
bool onsets_make(const struct result_set *set, const struct view *view, struct arena *arena,
                 const struct onset_table **out, struct error *err) MUST_CHECK;

/* One onset in words, in the arena. */
struct onset_words {
    const char *place; /* "42.3", "above 512", "below 1" */
    const char
        *interval; /* "38.2 to 46.9", "410 to above 512; within the range in 62 % of resamples",
                      of an onset outside the range "from 490; ..."; "" without */
    const char *further; /* "leaves at 60.1, enters again at 101"; "" */
};

bool onset_words(const struct onsets *found, const struct onset_curve *curve,
                 const struct onset *onset, struct arena *arena, struct onset_words *out,
                 struct error *err) MUST_CHECK;

/* Whether the gradient of a curve falls where the weights are spread thin (mean row-max below a
 * half): near-uniform weights over many keys have a small gradient as well. */
bool onset_is_thin(const struct onset_curve *curve);

/* Whether a curve has more than a point, so that something can be said about it. */
static inline bool onset_is_curve(const struct onset_curve *curve)
{
    return curve->count >= 2;
}

/* A place on the axis in words: "d_k = 42.3", "1,100 sentences"; `number` is its number. */
const char *onset_place(const struct onsets *found, const char *number, struct arena *arena,
                        struct error *err) MUST_CHECK;

/* Lines of the figure whose onset is marked, and how many of these marks have an interval. */
size_t onset_marks_count(const struct panels *panels, size_t *intervals);

/* Appends what goes into a panel before it is plotted: where lines reach the threshold, a thin line
 * down to the axis and a bar over the interval; in that of the gradient its threshold as well,
 * which is named in the `last` column. */
void onset_marks_append(struct canvas *canvas, const struct panels *panels, size_t measure,
                        size_t column, bool last);

#endif
