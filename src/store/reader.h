/* SPDX-License-Identifier: MIT */
/* Reads a whole results file. */
#ifndef STORE_READER_H
#define STORE_READER_H

#include "base/arena.h"
#include "run/result_table.h"

/* Why files_read gave nothing, as an error of this room: a file of ours is no input. What is no
 * fault of the file, such as a lack of memory, stays what it is. False. */
bool reader_unread(const struct error *trouble, struct error *err);

/* Reads the file at `path`, which may be damaged, foreign or of an earlier version: columns that it
 * lacks give defaults, columns unknown here are left out. ERROR_FILE names the path and the reason;
 * nothing of `out` is then to be used. */
bool reader_read(const char *path, struct arena *arena, struct result_set *out,
                 struct error *err) MUST_CHECK;

struct reader_found {
    bool keys_only; /* the measures were left out */
    bool intact;    /* the file is one that writer_replace has written, and nothing since */
};

/* The same without the measures where the file has a seal and keeps no matrices. */
bool reader_read_keys(const char *path, struct arena *arena, struct result_set *out,
                      struct reader_found *found, struct error *err) MUST_CHECK;

/* Reads the measures that reader_read_keys left out into its table. The file must be as it was. */
bool reader_read_measures(const char *path, struct result_table *table,
                          struct error *err) MUST_CHECK;

/* Opens a file that writer_replace has written, its seal checked, for reading column by column. The
 * file in `out` is then to be closed. */
struct column_source;
bool reader_open(const char *path, struct arena *arena, struct column_source *out,
                 struct error *err) MUST_CHECK;

/* reader_read for a file whose seal does not hold: good when every column in it matches the
 * checksums that HDF5 and the tables of texts keep. */
bool reader_salvage(const char *path, struct arena *arena, struct result_set *out,
                    struct error *err) MUST_CHECK;

#endif
