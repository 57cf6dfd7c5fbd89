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
    size_t in_file, in_journal;
    uint64_t torn_bytes;
};

void merged_init(struct merged *merged, struct arena *arena);

/* Reads the journal, then the file `path`. A run that both have is the journal's: it is the later
 * one. Neither of them being there is no error. */
bool merged_read(struct merged *merged, const char *path, struct journal *journal,
                 struct error *err) MUST_CHECK;

/* The same for damaged results: what can be verified of each, and what stopped the reading of
 * either; true when nothing did. */
bool merged_salvage(struct merged *merged, const char *path, struct journal *journal,
                    struct error *journal_trouble, struct error *file_trouble) MUST_CHECK;

/* The rows in the order of their index, those outside the plan last. An index is given once: of two
 * rows with the same one the later written keeps it. NULL on failure. */
struct result *merged_sorted(const struct merged *merged, struct error *err) MUST_CHECK;

#endif
