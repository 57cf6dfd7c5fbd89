/* SPDX-License-Identifier: MIT */
/* Which kept attention weights the heat map shows, and what is said about them. */
#ifndef REPORT_WEIGHTS_H
#define REPORT_WEIGHTS_H

#include "report/view.h"

enum {
    WEIGHTS_ROWS = 3,
    WEIGHTS_COLUMNS = 4,
    WEIGHTS_WORDS = 24, /* more tokens than this are numbered */
    WEIGHTS_TOKENS = 96 /* of a panel, from the start */
};

/* Panels in rows and columns, all of one seed. */
struct weights {
    const struct summary *summary;
    const struct summary_axis *row_axis;    /* the guards; NULL: one row */
    const struct summary_axis *column_axis; /* NULL: one column */
    size_t rows, columns;
    size_t row_values[WEIGHTS_ROWS];
    size_t column_values[WEIGHTS_COLUMNS];
    size_t columns_left_out;
    const struct result *panels[WEIGHTS_ROWS][WEIGHTS_COLUMNS]; /* NULL: not kept */
    const struct summary_group *base;                           /* what the panels share */
    int64_t seed;
    bool same_words; /* all panels show the same tokens */
};

/* False when no successful run of the plan kept its weights. */
bool weights_choose(const struct result_set *set, const struct summary *summary,
                    struct weights *out);

/* Queries and keys that a panel shows, from the first on. */
size_t weights_queries_shown(const struct result *row);
size_t weights_keys_shown(const struct result *row);

/* Whether a side of a panel shows words, since there are some and they have room. */
bool weights_keys_by_words(const struct result *row);
bool weights_queries_by_words(const struct result *row);

/* Whether the weights of every line of every panel sum to 1, as far as its kind of weights goes. */
bool weights_sum_to_one(const struct weights *weights);

/* Caption, Markdown; the drawn weights, one line a cell. */
const char *weights_caption(const struct weights *weights, struct arena *arena,
                            struct error *err) MUST_CHECK;
const char *weights_data(const struct weights *weights, struct arena *arena,
                         struct error *err) MUST_CHECK;

#endif
