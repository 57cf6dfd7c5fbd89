/* SPDX-License-Identifier: MIT */
/* See result_table.h. */
#include "run/result_table.h"

#include <assert.h>
#include <math.h>
#include <string.h>

_Static_assert(sizeof(union result_cell) == sizeof(int64_t) &&
                   sizeof(struct measurement) ==
                       MEASUREMENT_FIELD_COUNT * sizeof(union result_cell),
               "a measure fills a cell");

void result_table_init(struct result_table *table, struct arena *arena)
{
    *table = (struct result_table){.arena = arena};
    run_list_init(&table->runs, arena);
}

static bool add_cells(struct result_table *table, struct result_block *block, struct error *err)
{
    const union result_cell undefined = {.real = (double)NAN};
    block->cells = arena_alloc(table->arena, MEASUREMENT_FIELD_COUNT, sizeof *block->cells, err);
    if (block->cells == NULL) {
        return false;
    }
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        bool real = measurement_fields[m].kind == FIELD_REAL;
        for (size_t i = 0; real && i < RESULT_BLOCK_ROWS; i++) {
            block->cells[m][i] = undefined;
        }
    }
    return true;
}

static bool add_block(struct result_table *table, struct error *err)
{
    struct result_block *block = arena_alloc(table->arena, 1, sizeof *block, err);
    struct result_block **blocks =
        arena_grow(table->arena, table->blocks, table->block_count, &table->block_capacity,
                   sizeof(struct result_block *), err);
    if (block == NULL || blocks == NULL) {
        return false;
    }
    table->blocks = blocks;
    blocks[table->block_count++] = block;
    return true;
}

static bool is_nothing(const struct kept *kept)
{
    return kept->queries == 0 && kept->tokens == 0 && kept->scores == NULL &&
           kept->weights == NULL && kept->words == NULL;
}

static bool keep(struct result_table *table, const struct kept *kept, const struct kept **out,
                 struct error *err)
{
    *out = NULL;
    if (is_nothing(kept)) {
        return true;
    }
    struct kept *copy = arena_alloc(table->arena, 1, sizeof *copy, err);
    if (copy == NULL) {
        return false;
    }
    *copy = *kept;
    *out = copy;
    return true;
}

bool result_table_put(struct result_table *table, size_t row, const struct result *result,
                      struct error *err)
{
    assert(row <= table->count);
    bool new = row == table->count;
    if (row / RESULT_BLOCK_ROWS == table->block_count && !add_block(table, err)) {
        return false;
    }
    struct result_block *block = result_table_block(table, row);
    size_t at = result_table_at(row);
    if ((block->cells == NULL && !add_cells(table, block, err)) ||
        !keep(table, &result->kept, &block->kept[at], err) ||
        !(new ? run_list_append(&table->runs, &result->run, err)
              : run_list_set(&table->runs, row, &result->run, err))) {
        return false;
    }
    block->index[at] = result->index;
    block->key[at] = result->key;
    block->lacking[at] = result->lacking;
    block->status[at] = (unsigned char)result->status;
    bool silent = result->message == NULL || result->message[0] == '\0';
    block->message[at] = silent ? NULL : result->message;
    const char *measures = (const char *)&result->measurement;
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        /* What a new row lacks is there already: nothing. */
        if (!new || (result->lacking >> m & 1) == 0) {
            memcpy((void *)&block->cells[m][at], measures + measurement_fields[m].offset,
                   sizeof(union result_cell));
        }
    }
    table->count += new ? 1 : 0;
    return true;
}

bool result_table_fill(struct result_table *table, const struct run *run, size_t count,
                       struct error *err)
{
    assert(table->count == 0);
    bool good = run_list_fill(&table->runs, run, count, err);
    while (good && table->block_count * RESULT_BLOCK_ROWS < count) {
        good = add_block(table, err);
    }
    table->count = good ? count : 0;
    return good;
}

bool result_table_add_measures(struct result_table *table, struct error *err)
{
    bool good = true;
    for (size_t i = 0; good && i < table->block_count; i++) {
        good = table->blocks[i]->cells != NULL || add_cells(table, table->blocks[i], err);
    }
    return good;
}

void result_table_get(const struct result_table *table, size_t row, struct result *out)
{
    const struct result_block *block = result_table_block(table, row);
    size_t at = result_table_at(row);
    out->index = block->index[at];
    out->key = block->key[at];
    out->lacking = block->lacking[at];
    out->status = block->status[at];
    out->message = block->message[at] == NULL ? "" : block->message[at];
    out->kept = block->kept[at] == NULL ? (struct kept){0, 0, NULL, NULL, NULL} : *block->kept[at];
    run_list_get(&table->runs, row, &out->run);
    char *measures = (char *)&out->measurement;
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        memcpy(measures + measurement_fields[m].offset, (const void *)&block->cells[m][at],
               sizeof(union result_cell));
    }
}
