/* SPDX-License-Identifier: MIT */
/* What the two files of the reader share: columns are read one by one into a table. */
#ifndef STORE_READER_INTERNAL_H
#define STORE_READER_INTERNAL_H

#include "run/result_table.h"
#include "store/column_read.h"

/* A file being read. `scratch` is emptied after each column. */
struct reading {
    struct column_source from;
    size_t count;
    struct result_table *table;
    uint64_t lacking; /* bit m: there is no column of measure m */
    struct arena scratch;
};

/* run, run_key and status of every row. */
bool reader_take_identity(struct reading *reading, struct error *err) MUST_CHECK;
bool reader_take_messages(struct reading *reading, struct error *err) MUST_CHECK;

/* The fields of the runs, and which of them the sweep gave. */
bool reader_take_runs(struct reading *reading, struct error *err) MUST_CHECK;
bool reader_take_given(struct reading *reading, struct error *err) MUST_CHECK;

/* Which measures the file has, and their values. */
bool reader_find_measures(struct reading *reading, struct error *err) MUST_CHECK;
bool reader_take_measures(struct reading *reading, struct error *err) MUST_CHECK;

#endif
