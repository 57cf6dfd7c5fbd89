/* SPDX-License-Identifier: MIT */
/* How the groups of a summary are laid out in curves: what runs along x, what the lines are, and
 * what stands side by side. Chosen by rule, so that any sweep has a figure. */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "report/numbers.h"
#include "summary/summary.h"

enum {
    VIEW_LINES = 8,
    VIEW_FACETS = 9,       /* one for each way to make weights */
    VIEW_SPLIT_FACETS = 6, /* each of two columns */
    VIEW_ROW_FACETS = 3,   /* each a page of its own */
    VIEW_ROWS = 40,
    VIEW_NAME = 100 /* characters of a setting that a legend can hold */
};

struct onset_table;

enum view_scale { SCALE_CATEGORIES, SCALE_LINEAR, SCALE_LOG };

/* Where a group stands. */
struct view_place {
    double x; /* a value, or the number of a category; NaN: cannot be placed */
    size_t line;
    size_t facet;    /* VIEW_FACETS or more: left out of the figures */
    bool normalised; /* second column of a split view */
};

struct view {
    const struct summary
        *summary; /* with settings as one axis where they are merged: setting_axis.h */
    const struct summary *measured; /* with all its axes; the same groups in the same order */
    const char *note; /* what the names of settings leave unsaid; NULL: there are no settings */
    const struct view *told;      /* what words follow where the figure is in rows; else NULL */
    bool rows;                    /* x is the axis of settings, one below the other */
    size_t line_step;             /* every line_step-th value has a line */
    const struct summary_axis *x; /* NULL: a single point */
    enum view_scale scale;
    double x_least, x_most;           /* of all places */
    const struct summary_axis *lines; /* NULL: one line */
    size_t line_count;                /* at most VIEW_LINES, but for words */
    bool split;             /* two columns by guard_norm, lines are the other two switches */
    size_t facet_count;     /* combinations of the remaining axes, as far as there is room */
    size_t groups_left_out; /* that belong to further combinations, rows or lines */
    size_t facet_axis_count;
    const struct summary_axis *facet_axes[RUN_FIELD_COUNT];
    const struct summary_group *facet_samples[VIEW_FACETS];
    const struct view_place *places;  /* of each group of the summary */
    const struct onset_table *onsets; /* onsets.h; NULL: none were looked for */
};

struct view_point {
    double x; /* first, for order_reals */
    const struct summary_group *group;
};

struct view_curve {
    size_t count;
    const struct view_point *points; /* x rising */
};

bool view_make(const struct summary *summary, struct arena *arena, struct view *out,
               struct error *err) MUST_CHECK;

/* The groups of one line in one facet. */
bool view_curve(const struct view *view, size_t facet, bool normalised, size_t line,
                struct arena *arena, struct view_curve *out, struct error *err) MUST_CHECK;

/* The name of an axis for people: "corpus", "sentences read". */
const char *view_axis_label(const struct summary_axis *axis);

/* That of the x axis; "" for a single point. */
const char *view_x_label(const struct view *view);

/* Whether values are bare numbers, switches or "none", which say little without the name of the
 * axis. */
bool view_names_need_axis(const struct summary_axis *axis);

/* "none", "init + scale", "kitchen": in the arena or static. */
const char *view_line_name(const struct view *view, size_t line, struct arena *arena,
                           struct error *err) MUST_CHECK;

/* Number of the colour and mark of a line: guard sets always have their own. */
size_t view_line_style(const struct view *view, size_t line);

/* "d_k = 64, norm = rms"; "" when nothing is left over. With more than two axes it says what
 * differs from the first facet, whose name is "base". */
const char *view_facet_name(const struct view *view, const struct summary_group *group,
                            struct arena *arena, struct error *err) MUST_CHECK;

/* All values of the base; "" when no name speaks of it. */
const char *view_facet_base(const struct view *view, struct arena *arena,
                            struct error *err) MUST_CHECK;

/* The name of a guard set with blanks round its '+'. */
const char *view_guards_name(unsigned guards);

/* How many of the three guards are on. */
unsigned view_guards_on(const struct run *run);

/* Text of an axis value for a label: a path without its folders and extension, a real of many
 * digits rounded, long rows of scores cut after "(2) 4 × 12: ", their place and their size. */
const char *view_value_label(const struct summary_axis *axis, size_t value, struct arena *arena,
                             struct error *err) MUST_CHECK;

/* The same without a cut. */
const char *view_value_text(const struct summary_axis *axis, size_t value, struct arena *arena,
                            struct error *err) MUST_CHECK;

/* Value v of a numeric axis, and a place on the x axis, as labels write them. */
const char *view_axis_number(const struct summary_axis *axis, size_t value, char out[NUMBER_SIZE]);
const char *view_x_number(const struct view *view, double x, char out[NUMBER_SIZE]);

/* The value with its axis where it does not speak for itself: "harbour", "d_k = 64",
 * "512 sentences", "guards init + scale". */
const char *view_value_phrase(const struct summary_axis *axis, size_t value, struct arena *arena,
                              struct error *err) MUST_CHECK;

#endif
