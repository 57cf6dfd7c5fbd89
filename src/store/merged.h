/* SPDX-License-Identifier: MIT */
/* The rows of a results file and of the journal beside it as one set. */
#ifndef STORE_MERGED_H
#define STORE_MERGED_H

#include "store/journal.h"
#include "store/rows.h"

struct merged {
    struct arena *arena;
    struct rows rows;
    struct result_set file; /* all zero where there is no file, or the journal replaces it */
    bool keys_only;         /* the measures of the file are still to be read */
    bool intact;            /* the file is one that writer_replace has written, and nothing since */
    size_t in_file, in_journal;
    uint32_t *journalled; /* the rows that are the journal's, in its order */
    size_t journalled_count;
    uint64_t torn_bytes;
};

void merged_init(struct merged *merged, struct arena *arena);

/* Reads the journal, then the file `path`. A run that both have is the journal's: it is the later
 * one. Neither of them being there is no error. Where no journal is there and the file keeps no
 * matrices, `keys_only` has the measures left out. */
bool merged_read(struct merged *merged, const char *path, struct journal *journal, bool keys_only,
                 struct error *err) MUST_CHECK;

/* Reads the measures that were left out. */
bool merged_complete(struct merged *merged, const char *path, struct error *err) MUST_CHECK;

/* The same for damaged results: what can be verified of each, and what stopped the reading of
 * either; true when nothing did. */
bool merged_salvage(struct merged *merged, const char *path, struct journal *journal,
                    struct error *journal_trouble, struct error *file_trouble) MUST_CHECK;

/* The rows in the order of their index, those outside the plan last. An index is given once: of two
 * rows with the same one the later written keeps it; of a key that the file has twice, the first
 * row. NULL on failure. */
struct result_place *merged_sorted(const struct merged *merged, size_t *count,
                                   struct error *err) MUST_CHECK;

#endif
