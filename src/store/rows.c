/* SPDX-License-Identifier: MIT */
/* See rows.h. */
#include "store/rows.h"

#include "store/column_values.h"

#include <string.h>

struct rows rows_make(struct arena *arena)
{
    return (struct rows){.arena = arena, .texts = {.arena = arena, .copies = true}};
}

static size_t find_slot(const struct rows *rows, uint64_t key)
{
    size_t slot = (size_t)(key ^ (key >> 32)) & (rows->slot_count - 1);
    while (rows->slots[slot] != 0 && rows->list[rows->slots[slot] - 1]->key != key) {
        slot = (slot + 1) & (rows->slot_count - 1);
    }
    return slot;
}

static bool grow_slots(struct rows *rows, struct error *err)
{
    size_t wanted = rows->slot_count == 0 ? 64 : 2 * rows->slot_count;
    size_t *slots = arena_alloc(rows->arena, wanted, sizeof *slots, err);
    if (slots == NULL) {
        return false;
    }
    rows->slots = slots;
    rows->slot_count = wanted;
    for (size_t i = 0; i < rows->count; i++) {
        slots[find_slot(rows, rows->list[i]->key)] = i + 1;
    }
    return true;
}

bool rows_put(struct rows *rows, const struct result *result, struct error *err)
{
    if (2 * (rows->count + 1) > rows->slot_count && !grow_slots(rows, err)) {
        return false;
    }
    size_t slot = find_slot(rows, result->key);
    if (rows->slots[slot] != 0) {
        rows->list[rows->slots[slot] - 1] = result;
        return true;
    }
    const struct result **list =
        arena_grow(rows->arena, rows->list, rows->count, &rows->capacity, sizeof *list, err);
    if (list == NULL) {
        return false;
    }
    rows->list = list;
    rows->list[rows->count++] = result;
    rows->slots[slot] = rows->count;
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
    struct result *copy = arena_alloc(rows->arena, 1, sizeof *copy, err);
    if (copy == NULL) {
        return false;
    }
    *copy = *result;
    return texts_intern(&rows->texts, result->message, &copy->message, err) &&
           texts_intern(&rows->texts, result->kept.words, &copy->kept.words, err) &&
           copy_run_texts(&rows->texts, &copy->run, err) &&
           copy_matrix(rows->arena, &copy->kept.scores, &copy->kept, err) &&
           copy_matrix(rows->arena, &copy->kept.weights, &copy->kept, err) &&
           rows_put(rows, copy, err);
}

const struct result *rows_find(const struct rows *rows, uint64_t key)
{
    if (rows->slot_count == 0) {
        return NULL;
    }
    size_t number = rows->slots[find_slot(rows, key)];
    return number == 0 ? NULL : rows->list[number - 1];
}

static bool digests_equal(const struct field *field, const struct run *a, const struct run *b)
{
    return field->kind != FIELD_PATH || value_text(field, a) == NULL ||
           value_texts_equal(value_digest(field, a), value_digest(field, b));
}

static bool runs_equal(const struct run *a, const struct run *b)
{
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        bool same = field_value_equal(field, a, b) && digests_equal(field, a, b) &&
                    ((a->given ^ b->given) >> i & 1) == 0;
        if (run_field_applies(a, (enum run_field)i) && !same) {
            return false;
        }
    }
    return true;
}

static bool measurements_equal(const struct measurement *a, const struct measurement *b)
{
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        if (!field_value_equal(&measurement_fields[i], a, b)) {
            return false;
        }
    }
    return true;
}

/* By bytes: a NaN equals itself, and 0 differs from -0. */
static bool matrices_equal(const double *a, const double *b, const struct kept *kept)
{
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return memcmp(a, b, kept->queries * kept->tokens * sizeof *a) == 0;
}

static bool kept_equal(const struct kept *a, const struct kept *b)
{
    return a->queries == b->queries && a->tokens == b->tokens &&
           value_texts_equal(a->words, b->words) && matrices_equal(a->scores, b->scores, a) &&
           matrices_equal(a->weights, b->weights, a);
}

static const char *message_of(const struct result *result)
{
    return result->message == NULL ? "" : result->message;
}

bool rows_equal(const struct result *a, const struct result *b)
{
    return a->index == b->index && a->key == b->key && a->status == b->status &&
           strcmp(message_of(a), message_of(b)) == 0 && runs_equal(&a->run, &b->run) &&
           measurements_equal(&a->measurement, &b->measurement) && kept_equal(&a->kept, &b->kept);
}
