/* SPDX-License-Identifier: MIT */
/* Lists of runs, column by column; see run_list.h. */
#include "run/run_list.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const void *member(const struct run_list *list, const struct run *run, size_t column)
{
    return (const char *)run + list->members[column].offset;
}

static void describe(struct run_list *list, size_t column, size_t offset, size_t size)
{
    list->members[column].offset = (unsigned short)offset;
    list->members[column].size = (unsigned short)size;
}

void run_list_init(struct run_list *list, struct arena *arena)
{
    size_t paths = 0;
    memset(list, 0, sizeof *list);
    list->arena = arena;
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        describe(list, i, run_fields[i].offset, field_size(run_fields[i].kind));
        if (run_fields[i].kind == FIELD_PATH) {
            assert(paths < RUN_LIST_PATHS);
            describe(list, RUN_LIST_DIGESTS + paths++, run_fields[i].digest, sizeof(const char *));
        }
    }
    describe(list, RUN_LIST_GIVEN, offsetof(struct run, given), sizeof(uint64_t));
}

size_t run_list_digest(enum run_field path)
{
    size_t column = RUN_LIST_DIGESTS;
    for (int i = 0; i < (int)path; i++) {
        column += run_fields[i].kind == FIELD_PATH;
    }
    return column;
}

static bool is_text(size_t column)
{
    return column > RUN_LIST_GIVEN ||
           (column < RUN_LIST_GIVEN && field_is_text(&run_fields[column]));
}

/* memcpy of the few sizes that members have, which the compiler can spell out. */
static void copy(void *to, const void *from, size_t size)
{
    switch (size) {
    case sizeof(uint64_t):
        memcpy(to, from, sizeof(uint64_t));
        break;
    case sizeof(int):
        memcpy(to, from, sizeof(int));
        break;
    default:
        memcpy(to, from, size);
        break;
    }
}

static void put_cell(union run_cell *cell, const void *value, size_t size)
{
    copy((void *)cell, value, size);
}

static void put_member(const struct run_list *list, struct run *run, size_t column,
                       const void *value)
{
    copy((char *)run + list->members[column].offset, value, list->members[column].size);
}

/* Room for one more cell in each column that has any. */
static bool grow(struct run_list *list, size_t capacity, struct error *err)
{
    for (size_t i = 0; i < list->varying_count; i++) {
        size_t column = list->varying[i];
        union run_cell *cells = arena_alloc(list->arena, capacity, sizeof *cells, err);
        if (cells == NULL) {
            return false;
        }
        memcpy((void *)cells, (const void *)list->cells[column], list->count * sizeof *cells);
        list->cells[column] = cells;
    }
    list->capacity = capacity;
    return true;
}

bool run_list_reserve(struct run_list *list, size_t count, struct error *err)
{
    return count <= list->capacity || grow(list, count, err);
}

union run_cell *run_list_column(struct run_list *list, size_t column, struct error *err)
{
    if (list->cells[column] != NULL) {
        return list->cells[column];
    }
    union run_cell *cells = arena_alloc(list->arena, list->capacity, sizeof *cells, err);
    if (cells == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < list->count; i++) {
        put_cell(&cells[i], member(list, &list->common, column), list->members[column].size);
    }
    list->cells[column] = cells;
    list->varying[list->varying_count++] = (unsigned char)column;
    return cells;
}

/* Whether the run has the value that all others have. */
static bool agrees(const struct run_list *list, const struct run *run, size_t column)
{
    const void *a = member(list, &list->common, column);
    const void *b = member(list, run, column);
    if (memcmp(a, b, list->members[column].size) == 0) {
        return true;
    }
    if (!is_text(column)) {
        return false;
    }
    const char *x;
    const char *y;
    memcpy((void *)&x, a, sizeof x);
    memcpy((void *)&y, b, sizeof y);
    return x != NULL && y != NULL && strcmp(x, y) == 0;
}

/* Cells for every column in which the run differs from what was common so far. */
static bool widen(struct run_list *list, const struct run *run, struct error *err)
{
    /* Most runs differ where others did: in all else their bytes are those of the common one. */
    struct run rest = *run;
    for (size_t i = 0; i < list->varying_count; i++) {
        size_t column = list->varying[i];
        put_member(list, &rest, column, member(list, &list->common, column));
    }
    const char *bytes = (const char *)&rest;
    const char *common = (const char *)&list->common;
    if (memcmp(bytes, common, sizeof rest) == 0) {
        return true;
    }
    for (size_t column = 0; column < RUN_LIST_COLUMNS; column++) {
        if (list->cells[column] == NULL && !agrees(list, run, column) &&
            run_list_column(list, column, err) == NULL) {
            return false;
        }
    }
    return true;
}

static void store(struct run_list *list, size_t place, const struct run *run)
{
    for (size_t i = 0; i < list->varying_count; i++) {
        size_t column = list->varying[i];
        put_cell(&list->cells[column][place], member(list, run, column),
                 list->members[column].size);
    }
}

bool run_list_append(struct run_list *list, const struct run *run, struct error *err)
{
    if (list->count == 0 && list->varying_count == 0) {
        list->common = *run;
    }
    if (list->count == list->capacity &&
        !grow(list, list->capacity < 8 ? 8 : 2 * list->capacity, err)) {
        return false;
    }
    if (!widen(list, run, err)) {
        return false;
    }
    store(list, list->count++, run);
    return true;
}

bool run_list_fill(struct run_list *list, const struct run *run, size_t count, struct error *err)
{
    list->count = 0;
    list->varying_count = 0;
    memset((void *)list->cells, 0, sizeof list->cells);
    list->common = *run;
    if (!run_list_reserve(list, count, err)) {
        return false;
    }
    list->count = count;
    return true;
}

void run_list_get(const struct run_list *list, size_t place, struct run *out)
{
    assert(place < list->count);
    *out = list->common;
    for (size_t i = 0; i < list->varying_count; i++) {
        size_t column = list->varying[i];
        put_member(list, out, column, &list->cells[column][place]);
    }
}

bool run_list_set(struct run_list *list, size_t place, const struct run *run, struct error *err)
{
    assert(place < list->count);
    if (!widen(list, run, err)) {
        return false;
    }
    store(list, place, run);
    return true;
}

void run_list_move(struct run_list *list, size_t to, size_t from)
{
    for (size_t i = 0; i < list->varying_count; i++) {
        union run_cell *cells = list->cells[list->varying[i]];
        cells[to] = cells[from];
    }
}

void run_list_cut(struct run_list *list, size_t count)
{
    list->count = count < list->count ? count : list->count;
}

const void *run_list_at(const struct run_list *list, size_t place, size_t column)
{
    return list->cells[column] == NULL ? member(list, &list->common, column)
                                       : (const void *)&list->cells[column][place];
}

/* Takes away the cells of the column at `i` of varying. */
static void forget(struct run_list *list, size_t i)
{
    list->cells[list->varying[i]] = NULL;
    list->varying[i] = list->varying[--list->varying_count];
}

void run_list_share(struct run_list *list, size_t column, const void *value)
{
    memcpy((char *)&list->common + list->members[column].offset, value, list->members[column].size);
    for (size_t i = 0; i < list->varying_count; i++) {
        if (list->varying[i] == column) {
            forget(list, i);
        }
    }
}

void run_list_settle(struct run_list *list)
{
    for (size_t i = list->varying_count; i-- > 0 && list->count > 0;) {
        size_t column = list->varying[i];
        const union run_cell *cells = list->cells[column];
        size_t same = 1;
        while (same < list->count && memcmp((const void *)&cells[same], (const void *)&cells[0],
                                            list->members[column].size) == 0) {
            same++;
        }
        if (same == list->count) {
            run_list_share(list, column, &cells[0]);
        }
    }
}

/* Whether normalising changes the same fields in every run to the same values: all that it looks at
 * is shared, and what varies is given and has a meaning. */
static bool normalises_alike(const struct run_list *list)
{
    const struct run *common = &list->common;
    bool alike = run_list_shares(list, RUN_SOURCE) && run_list_shares(list, RUN_LEARNER) &&
                 run_list_shares(list, RUN_LIST_GIVEN);
    for (size_t i = 0; alike && i < list->varying_count; i++) {
        size_t column = list->varying[i];
        alike = column < RUN_LIST_GIVEN && (common->given >> column & 1) != 0 &&
                run_field_applies(common, (enum run_field)column) && column != RUN_W_Q &&
                column != RUN_WEIGHTS_AS_GIVEN && column != RUN_GUARD_INIT;
    }
    return alike;
}

bool run_list_normalise(struct run_list *list, struct error *err)
{
    if (list->count > 0 && normalises_alike(list)) {
        run_normalise(&list->common);
        return true;
    }
    struct run_defaults last = {.known = false};
    for (size_t i = 0; i < list->count; i++) {
        struct run run;
        run_list_get(list, i, &run);
        run_normalise_like(&run, &last);
        if (!run_list_set(list, i, &run, err)) {
            return false;
        }
    }
    run_list_settle(list);
    return true;
}
