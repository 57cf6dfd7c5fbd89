/* SPDX-License-Identifier: MIT */
/* Rows of sets, whichever way they lie in memory; see results.h. */
#include "run/results.h"

#include "base/order.h"
#include "run/result_table.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *result_fact(const struct result_set *set, const char *name)
{
    for (size_t i = 0; i < set->provenance_count; i++) {
        if (strcmp(set->provenance[i].name, name) == 0) {
            return set->provenance[i].value;
        }
    }
    return NULL;
}

static size_t table_row(const struct result_set *set, size_t row)
{
    return set->places == NULL ? row : set->places[row].row;
}

static const struct result_block *block_of(const struct result_set *set, size_t row, size_t *at)
{
    size_t place = table_row(set, row);
    *at = result_table_at(place);
    return result_table_block(set->table, place);
}

int64_t result_index(const struct result_set *set, size_t row)
{
    if (set->whole != NULL) {
        return set->whole[row].index;
    }
    if (set->places != NULL) {
        return set->places[row].index;
    }
    size_t at;
    const struct result_block *block = block_of(set, row, &at);
    return block->index[at];
}

uint64_t result_key(const struct result_set *set, size_t row)
{
    size_t at;
    return set->whole != NULL ? set->whole[row].key : block_of(set, row, &at)->key[at];
}

int result_status(const struct result_set *set, size_t row)
{
    size_t at;
    return set->whole != NULL ? set->whole[row].status : block_of(set, row, &at)->status[at];
}

const char *result_message(const struct result_set *set, size_t row)
{
    size_t at;
    const char *message =
        set->whole != NULL ? set->whole[row].message : block_of(set, row, &at)->message[at];
    return message == NULL ? "" : message;
}

/* Without the matrices that the plan does not want. */
static struct kept wanted_of(const struct result_set *set, int64_t index, struct kept kept)
{
    if (set->wanted == NULL || index < 0) {
        return kept;
    }
    unsigned wanted = set->wanted[index];
    kept.scores = (wanted & RESULT_SCORES) != 0 ? kept.scores : NULL;
    kept.weights = (wanted & RESULT_WEIGHTS) != 0 ? kept.weights : NULL;
    return kept.scores == NULL && kept.weights == NULL ? (struct kept){0, 0, NULL, NULL, NULL}
                                                       : kept;
}

struct kept result_kept(const struct result_set *set, size_t row)
{
    size_t at;
    if (set->whole != NULL) {
        return set->whole[row].kept;
    }
    const struct kept *kept = block_of(set, row, &at)->kept[at];
    return kept == NULL ? (struct kept){0, 0, NULL, NULL, NULL}
                        : wanted_of(set, result_index(set, row), *kept);
}

uint64_t result_lacking(const struct result_set *set, size_t row)
{
    size_t at;
    uint64_t own =
        set->whole != NULL ? set->whole[row].lacking : block_of(set, row, &at)->lacking[at];
    return own | set->lacking;
}

/* The list that the run of a row is taken from, and its place there. */
static const struct run_list *list_of(const struct result_set *set, size_t row, size_t *place)
{
    int64_t index = set->plan == NULL ? -1 : result_index(set, row);
    *place = index < 0 ? table_row(set, row) : (size_t)index;
    return index < 0 ? &set->table->runs : set->plan;
}

void result_run(const struct result_set *set, size_t row, struct run *out)
{
    if (set->whole != NULL) {
        *out = set->whole[row].run;
        return;
    }
    size_t place;
    const struct run_list *list = list_of(set, row, &place);
    run_list_get(list, place, out);
}

const struct result *result_row(const struct result_set *set, size_t row, struct result *space)
{
    if (set->whole != NULL) {
        return &set->whole[row];
    }
    result_table_get(set->table, table_row(set, row), space);
    space->index = result_index(set, row);
    space->kept = wanted_of(set, space->index, space->kept);
    space->lacking |= set->lacking;
    measurement_blank(&space->measurement, set->lacking);
    if (set->plan != NULL) {
        result_run(set, row, &space->run);
    }
    return space;
}

const struct result *result_hold(const struct result_set *set, size_t row, struct arena *arena,
                                 struct error *err)
{
    if (set->whole != NULL) {
        return &set->whole[row];
    }
    struct result *held = arena_alloc(arena, 1, sizeof *held, err);
    return held == NULL ? NULL : result_row(set, row, held);
}

const struct run *result_hold_run(const struct result_set *set, size_t row, struct arena *arena,
                                  struct error *err)
{
    if (set->whole != NULL) {
        return &set->whole[row].run;
    }
    struct run *held = arena_alloc(arena, 1, sizeof *held, err);
    if (held != NULL) {
        result_run(set, row, held);
    }
    return held;
}

static size_t offset_of(size_t column)
{
    if (column < RUN_LIST_GIVEN) {
        return run_fields[column].offset;
    }
    if (column == RUN_LIST_GIVEN) {
        return offsetof(struct run, given);
    }
    size_t path = 0;
    while (run_fields[path].kind != FIELD_PATH || run_list_digest((enum run_field)path) != column) {
        path++;
    }
    return run_fields[path].digest;
}

const void *result_run_member(const struct result_set *set, size_t row, size_t column)
{
    if (set->whole != NULL) {
        return (const char *)&set->whole[row].run + offset_of(column);
    }
    size_t place;
    const struct run_list *list = list_of(set, row, &place);
    return run_list_at(list, place, column);
}

const void *result_measure_member(const struct result_set *set, size_t row, size_t measure)
{
    static const double undefined = (double)NAN;
    static const int64_t none = 0;
    if ((set->lacking >> measure & 1) != 0) {
        bool real = measurement_fields[measure].kind == FIELD_REAL;
        return real ? (const void *)&undefined : (const void *)&none;
    }
    if (set->whole != NULL) {
        return (const char *)&set->whole[row].measurement + measurement_fields[measure].offset;
    }
    size_t at;
    const struct result_block *block = block_of(set, row, &at);
    return &block->cells[measure][at];
}

double result_number(const struct result_set *set, size_t row, size_t measure)
{
    return field_member_number(&measurement_fields[measure],
                               result_measure_member(set, row, measure));
}

const void *result_shared_member(const struct result_set *set, size_t column)
{
    bool one_list = set->whole == NULL && set->count > 0 &&
                    (set->plan == NULL || result_index(set, set->count - 1) >= 0);
    const struct run_list *list = NULL;
    size_t place = 0;
    if (one_list) {
        list = list_of(set, 0, &place);
    }
    return list == NULL || !run_list_shares(list, column) ? NULL : run_list_at(list, place, column);
}

int64_t *result_seeds(const struct result_set *set, struct arena *arena, size_t *count,
                      struct error *err)
{
    int64_t *seeds = arena_alloc(arena, set->count, sizeof *seeds, err);
    size_t used = 0;
    for (size_t i = 0; seeds != NULL && i < set->count; i++) {
        if (result_index(set, i) >= 0) {
            const int64_t *seed = result_run_member(set, i, RUN_SEED);
            seeds[used++] = *seed;
        }
    }
    if (used > 0) {
        qsort(seeds, used, sizeof *seeds, order_integers);
    }
    *count = 0;
    for (size_t i = 0; i < used; i++) {
        if (*count == 0 || seeds[*count - 1] != seeds[i]) {
            seeds[(*count)++] = seeds[i];
        }
    }
    return seeds;
}
