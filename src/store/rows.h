/* SPDX-License-Identifier: MIT */
/* Results in memory, found by run key. */
#ifndef STORE_ROWS_H
#define STORE_ROWS_H

#include "run/result_table.h"
#include "store/texts.h"

struct rows {
    struct arena *arena;
    struct texts texts; /* one copy of every text of the rows copied in */
    struct result_table table;
    uint32_t *slots; /* open addressing: row + 1 */
    size_t slot_count;
};

#define ROWS_NONE SIZE_MAX

/* Makes an empty set whose memory comes from the arena. */
void rows_init(struct rows *rows, struct arena *arena);

/* Takes over a table, which the rows put later are added to; of two rows with one key the earlier
 * is found. */
bool rows_adopt(struct rows *rows, const struct result_table *table, struct error *err) MUST_CHECK;

/* Adds a result by reference; one with the same key is replaced and keeps its place. */
bool rows_put(struct rows *rows, const struct result *result, struct error *err) MUST_CHECK;

/* Adds a copy that shares nothing with `result`. */
bool rows_put_copy(struct rows *rows, const struct result *result, struct error *err) MUST_CHECK;

/* The row with that key, or ROWS_NONE. */
size_t rows_find(const struct rows *rows, uint64_t key);

/* Whether two results are the same in all that a results file keeps: fields without a meaning for
 * the run's source do not count. */
bool rows_equal(const struct result *a, const struct result *b);

/* The first row in which two sets of as many rows differ; their count when there is none. Rows of
 * one table are not asked for their measures. */
size_t rows_equal_until(const struct result_set *a, const struct result_set *b);

/* All rows in their order, without a word on the sweep. */
struct result_set rows_set(const struct rows *rows);

#endif
