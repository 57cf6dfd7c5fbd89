/* SPDX-License-Identifier: MIT */
/* What the formats of an export share. */
#ifndef REPORT_EXPORT_INTERNAL_H
#define REPORT_EXPORT_INTERNAL_H

#include "report/export.h"

#include "base/text.h"

enum cell_kind { CELL_NOTHING, CELL_INTEGER, CELL_REAL, CELL_SWITCH, CELL_TEXT };

/* A value of a row. */
struct cell {
    enum cell_kind kind;
    int64_t integer;
    double real;
    bool on;
    const char *text;
    char key[24]; /* of EXPORT_KEY, which `text` then points to */
};

/* Fills a cell in place: its text may point into it. */
void export_cell(const struct export_table *table, const struct result *row,
                 const struct export_column *column, struct cell *out);

/* Hands what is there to the sink once it is large, or in any case when `all`, and empties it. */
bool export_flush(struct text *text, const struct export_sink *sink, bool all, struct error *err);

#endif
