/* SPDX-License-Identifier: MIT */
/* Results as tables for other programs: CSV, one JSON document, JSON lines. One row a run. The text
 * goes to a sink piece by piece, so that a large table is never in memory twice. docs/exports.md.
 */
#ifndef REPORT_EXPORT_H
#define REPORT_EXPORT_H

#include "summary/selection.h"

/* Takes the next bytes; false, with or without `err` set, ends the export. */
struct export_sink {
    bool (*write)(void *context, const char *bytes, size_t size, struct error *err);
    void *context;
};

enum export_part {
    EXPORT_RUN,
    EXPORT_STATUS,
    EXPORT_MESSAGE,
    EXPORT_KEY,
    EXPORT_GUARDS,
    EXPORT_FIELD,
    EXPORT_MEASURE
};

struct export_column {
    enum export_part part;
    int index;        /* enum run_field or enum measurement_field */
    const char *name; /* as in the results file */
};

struct export_table {
    const struct result_set *set;
    const struct selection *selection;
    const struct export_column *columns;
    size_t column_count;
};

/* The columns that `names` lists, parted by commas (ERROR_USAGE for one that is unknown, there
 * twice, or not in the file), or for NULL all: run, status, message and key, each field that has a
 * meaning for a row, the set of guards before its switches, and each measure that the file knows.
 */
bool export_choose_columns(const struct result_set *set, const struct selection *selection,
                           const char *names, struct arena *arena, struct export_table *out,
                           struct error *err) MUST_CHECK;

/* RFC 4180: a head, CR LF, quotes where needed. NaN and what has no meaning for a run are empty. */
bool export_csv(const struct export_table *table, const struct export_sink *sink,
                struct error *err) MUST_CHECK;

/* One document: what was run, the columns with their units, the rows. */
bool export_json(const struct export_table *table, const struct export_sink *sink,
                 struct error *err) MUST_CHECK;

/* One object a line, of the keys of a row of export_json. */
bool export_jsonl(const struct export_table *table, const struct export_sink *sink,
                  struct error *err) MUST_CHECK;

#endif
