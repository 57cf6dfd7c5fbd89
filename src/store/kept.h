/* SPDX-License-Identifier: MIT */
/* The kept matrices of a results file: kept_scores and kept_weights of (kept_index, query, key). */
#ifndef STORE_KEPT_H
#define STORE_KEPT_H

#include "run/result_table.h"
#include "store/chunk.h"
#include "store/column_read.h"

/* Writes what the rows keep; nothing when they keep none. Refuses more than 2 GiB. */
bool kept_write(hid_t file, struct chunk_encoders *encoders, const struct result_set *set,
                struct arena *scratch, struct error *err) MUST_CHECK;

/* Reads it back into the table, whose rows and measures must be those of the file. */
bool kept_read(const struct column_source *from, struct result_table *table,
               struct error *err) MUST_CHECK;

#endif
