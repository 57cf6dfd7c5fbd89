/* SPDX-License-Identifier: MIT */
/* Which kept attention weights the heat map shows. */
#ifndef REPORT_WEIGHTS_H
#define REPORT_WEIGHTS_H

#include "report/view.h"

enum { WEIGHTS_ROWS = 3, WEIGHTS_COLUMNS = 4 };

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

#endif
