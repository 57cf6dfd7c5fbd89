/* SPDX-License-Identifier: MIT */
/* Results in memory, found by run key. */
#ifndef STORE_ROWS_H
#define STORE_ROWS_H

#include "run/results.h"
#include "store/texts.h"

struct rows {
    struct arena *arena;
    struct texts texts; /* one copy of every text of the rows copied in */
    const struct result **list;
    size_t count, capacity;
    size_t *slots; /* open addressing: place in the list + 1 */
    size_t slot_count;
};

/* An empty set whose memory comes from the arena. */
struct rows rows_make(struct arena *arena);

/* Adds a result by reference; one with the same key is replaced and keeps its place. */
bool rows_put(struct rows *rows, const struct result *result, struct error *err) MUST_CHECK;

/* Adds a copy that shares nothing with `result`. */
bool rows_put_copy(struct rows *rows, const struct result *result, struct error *err) MUST_CHECK;

const struct result *rows_find(const struct rows *rows, uint64_t key);

/* Whether two results are the same in all that a results file keeps: fields without a meaning for
 * the run's source do not count. */
bool rows_equal(const struct result *a, const struct result *b);

#endif
