/* SPDX-License-Identifier: MIT */
/* Finished runs in little memory: their fields in a run_list, their measures column by column in
 * blocks of rows, so that tables grow without being copied. */
#ifndef RUN_RESULT_TABLE_H
#define RUN_RESULT_TABLE_H

#include "run/results.h"
#include "run/run_list.h"

enum { RESULT_BLOCK_ROWS = 256 };

/* A measure of a row, in its own kind. */
union result_cell {
    int64_t integer;
    double real;
};

struct result_block {
    int64_t index[RESULT_BLOCK_ROWS];
    uint64_t key[RESULT_BLOCK_ROWS];
    const char *message[RESULT_BLOCK_ROWS];        /* NULL is "" */
    const struct kept *kept[RESULT_BLOCK_ROWS];    /* NULL: nothing */
    union result_cell (*cells)[RESULT_BLOCK_ROWS]; /* of each measure; NULL: not read */
    uint64_t lacking[RESULT_BLOCK_ROWS]; /* bit m: measure m was not stored for this run */
    unsigned char status[RESULT_BLOCK_ROWS];
};

struct result_table {
    struct arena *arena;
    struct result_block **blocks;
    size_t block_count, block_capacity;
    size_t count;
    struct run_list runs;
};

/* An empty table whose memory comes from the arena. */
void result_table_init(struct result_table *table, struct arena *arena);

/* Writes a result to row `row`, at most one behind the last. Its texts and matrices are kept by
 * pointer. */
bool result_table_put(struct result_table *table, size_t row, const struct result *result,
                      struct error *err) MUST_CHECK;

/* Makes an empty table `count` rows of runs like this one, for filling them by column. */
bool result_table_fill(struct result_table *table, const struct run *run, size_t count,
                       struct error *err) MUST_CHECK;

/* Room for the measures of all rows, all NaN and 0. */
bool result_table_add_measures(struct result_table *table, struct error *err) MUST_CHECK;

static inline struct result_block *result_table_block(const struct result_table *table, size_t row)
{
    return table->blocks[row / RESULT_BLOCK_ROWS];
}

static inline size_t result_table_at(size_t row)
{
    return row % RESULT_BLOCK_ROWS;
}

/* The whole row. */
void result_table_get(const struct result_table *table, size_t row, struct result *out);

#endif
