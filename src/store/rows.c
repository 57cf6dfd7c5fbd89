/* SPDX-License-Identifier: MIT */
/* See rows.h. */
#include "store/rows.h"

#include "store/column_values.h"

#include <string.h>

void rows_init(struct rows *rows, struct arena *arena)
{
    *rows = (struct rows){.arena = arena, .texts = {.arena = arena, .copies = true}};
    result_table_init(&rows->table, arena);
}

static uint64_t key_at(const struct rows *rows, size_t row)
{
    return result_table_block(&rows->table, row)->key[result_table_at(row)];
}

static size_t find_slot(const struct rows *rows, uint64_t key)
{
    size_t slot = (size_t)(key ^ (key >> 32)) & (rows->slot_count - 1);
    while (rows->slots[slot] != 0 && key_at(rows, rows->slots[slot] - 1) != key) {
        slot = (slot + 1) & (rows->slot_count - 1);
    }
    return slot;
}

/* Slots for `count` rows, those at hand put in. */
static bool make_slots(struct rows *rows, size_t count, struct error *err)
{
    size_t wanted = 64;
    while (wanted < 2 * count) {
        wanted *= 2;
    }
    rows->slots = arena_alloc(rows->arena, wanted, sizeof *rows->slots, err);
    rows->slot_count = rows->slots == NULL ? 0 : wanted;
    for (size_t i = 0; rows->slots != NULL && i < rows->table.count; i++) {
        size_t slot = find_slot(rows, key_at(rows, i));
        rows->slots[slot] = rows->slots[slot] == 0 ? (uint32_t)(i + 1) : rows->slots[slot];
    }
    return rows->slots != NULL;
}

bool rows_adopt(struct rows *rows, const struct result_table *table, struct error *err)
{
    rows->table = *table;
    return make_slots(rows, table->count, err);
}

bool rows_put(struct rows *rows, const struct result *result, struct error *err)
{
    size_t count = rows->table.count;
    if (2 * (count + 1) > rows->slot_count && !make_slots(rows, count + 1, err)) {
        return false;
    }
    size_t slot = find_slot(rows, result->key);
    if (rows->slots[slot] != 0) {
        return result_table_put(&rows->table, rows->slots[slot] - 1, result, err);
    }
    if (!result_table_put(&rows->table, count, result, err)) {
        return false;
    }
    rows->slots[slot] = (uint32_t)(count + 1);
    return true;
}

static bool copy_run_texts(struct texts *texts, struct run *run, struct error *err)
{
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        const char *copy;
        if (!field_is_text(field)) {
            continue;
        }
        if (!texts_intern(texts, value_text(field, run), &copy, err)) {
            return false;
        }
        value_set_text(field, run, copy);
        if (field->kind == FIELD_PATH) {
            if (!texts_intern(texts, value_digest(field, run), &copy, err)) {
                return false;
            }
            value_set_digest(field, run, copy);
        }
    }
    return true;
}

static bool copy_matrix(struct arena *arena, const double **matrix, const struct kept *kept,
                        struct error *err)
{
    if (*matrix == NULL) {
        return true;
    }
    size_t count = kept->queries * kept->tokens;
    double *copy = arena_alloc(arena, count, sizeof *copy, err);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, *matrix, count * sizeof *copy);
    *matrix = copy;
    return true;
}

bool rows_put_copy(struct rows *rows, const struct result *result, struct error *err)
{
    struct result copy = *result;
    return texts_intern(&rows->texts, result->message, &copy.message, err) &&
           texts_intern(&rows->texts, result->kept.words, &copy.kept.words, err) &&
           copy_run_texts(&rows->texts, &copy.run, err) &&
           copy_matrix(rows->arena, &copy.kept.scores, &copy.kept, err) &&
           copy_matrix(rows->arena, &copy.kept.weights, &copy.kept, err) &&
           rows_put(rows, &copy, err);
}

size_t rows_find(const struct rows *rows, uint64_t key)
{
    if (rows->slot_count == 0) {
        return ROWS_NONE;
    }
    uint32_t number = rows->slots[find_slot(rows, key)];
    return number == 0 ? ROWS_NONE : number - 1;
}

struct result_set rows_set(const struct rows *rows)
{
    return (struct result_set){.table = &rows->table, .count = rows->table.count};
}
