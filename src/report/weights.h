/* SPDX-License-Identifier: MIT */
/* Which kept attention weights the heat map shows, and what is said about them. */
#ifndef REPORT_WEIGHTS_H
#define REPORT_WEIGHTS_H

#include "report/view.h"

enum {
    WEIGHTS_ROWS = 9,    /* of panels with few queries, */
    WEIGHTS_TALL = 4,    /* and of others */
    WEIGHTS_COLUMNS = 6, /* where that shows all, */
    WEIGHTS_THINNED = 4, /* and where it does not */
    WEIGHTS_LISTED = 12, /* panels that each have a name */
    WEIGHTS_WORDS = 24,  /* more tokens than this are numbered */
    WEIGHTS_TOKENS = 96  /* of a panel, from the start */
};

/* How the kept matrices are spread over an axis of the sweep. */
enum weights_part {
    WEIGHTS_HELD,  /* all panels have one value */
    WEIGHTS_SHOWN, /* panels differ in it: rows, columns, or the names of a list */
    WEIGHTS_BOUND  /* another axis decides it */
};

/* Panels in rows and columns, all of one seed. */
struct weights {
    const struct summary *summary;
    bool listed;                            /* panels have names instead of a place on two axes */
    const struct summary_axis *row_axis;    /* NULL: one row, or a list */
    const struct summary_axis *column_axis; /* NULL: one column, or a list */
    size_t rows, columns;
    size_t row_values[WEIGHTS_ROWS], row_count; /* that there are, shown or not */
    size_t column_values[WEIGHTS_COLUMNS], column_count;
    size_t kept, shown;                                         /* matrices of the seed */
    enum weights_part parts[RUN_FIELD_COUNT];                   /* of each axis of the summary */
    const struct result *panels[WEIGHTS_ROWS][WEIGHTS_COLUMNS]; /* NULL: not kept */
    const struct summary_group *groups[WEIGHTS_ROWS][WEIGHTS_COLUMNS];
    const struct summary_group *base; /* the most saturated, which is always shown */
    int64_t seed;
    bool same_words; /* all panels show the same tokens */
};

/* Shows all matrices of the first seed that kept any where they have room: over one or two axes
 * that they fill, or as a list. Of more, the two axes along which the mean row-max differs most,
 * through the most saturated setting. Nothing is kept when out->kept is 0. */
bool weights_choose(const struct result_set *set, const struct summary *summary,
                    struct arena *arena, struct weights *out, struct error *err) MUST_CHECK;

/* Queries and keys that a panel shows, from the first on. */
size_t weights_queries_shown(const struct result *row);
size_t weights_keys_shown(const struct result *row);

/* Whether a line that is drawn has weights that are not. */
bool weights_lines_cut(const struct weights *weights);

/* "Only the first 96 of 256 tokens are drawn.", or nothing where all are: plain text. */
const char *weights_cut_text(const struct weights *weights, struct arena *arena,
                             struct error *err) MUST_CHECK;

/* Keys that query i of a panel sees; the mask hides those behind them. */
size_t weights_keys_seen(const struct result *row, size_t query);

/* Whether the keys of some panel are masked. */
bool weights_any_masked(const struct weights *weights);

/* Whether a side of a panel shows words, since there are some and they have room. */
bool weights_keys_by_words(const struct result *row);
bool weights_queries_by_words(const struct result *row);

/* Whether the weights of every line of every panel sum to 1, as far as its kind of weights goes. */
bool weights_sum_to_one(const struct weights *weights);

/* "All 12 kept matrices are drawn, at d_k = 64." How many of how many, and what is held: plain
 * text. */
const char *weights_scope_text(const struct weights *weights, struct arena *arena,
                               struct error *err) MUST_CHECK;

/* The setting of a panel of a list. */
const char *weights_panel_name(const struct weights *weights, const struct summary_group *group,
                               struct arena *arena, struct error *err) MUST_CHECK;

/* "Attention weights", with the seed where something is drawn. */
const char *weights_subject(const struct weights *weights, struct arena *arena,
                            struct error *err) MUST_CHECK;

/* Caption, Markdown; the drawn weights, one line a cell. */
const char *weights_caption(const struct weights *weights, struct arena *arena,
                            struct error *err) MUST_CHECK;
const char *weights_data(const struct weights *weights, struct arena *arena,
                         struct error *err) MUST_CHECK;

#endif
