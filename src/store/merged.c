/* SPDX-License-Identifier: MIT */
/* See merged.h. */
#include "store/merged.h"

#include "base/files.h"
#include "store/reader.h"

#include <stdlib.h>

void merged_init(struct merged *merged, struct arena *arena)
{
    *merged = (struct merged){.arena = arena};
    rows_init(&merged->rows, arena);
}

static bool put_record(void *context, const struct result *result, struct error *err)
{
    struct merged *merged = context;
    merged->in_journal++;
    return rows_put_copy(&merged->rows, result, err);
}

/* Reads the journal, whose rows are then all there are. */
static bool take_journal(struct merged *merged, struct journal *journal, struct error *err)
{
    bool good = journal_read(journal, put_record, merged, &merged->torn_bytes, err);
    size_t count = merged->rows.table.count;
    merged->journalled = arena_alloc(merged->arena, count, sizeof *merged->journalled, err);
    merged->journalled_count = merged->journalled == NULL ? 0 : count;
    for (size_t i = 0; i < merged->journalled_count; i++) {
        merged->journalled[i] = (uint32_t)i;
    }
    return good && merged->journalled != NULL;
}

/* Adds the rows of the journal to those of the file. */
static bool add_journal(struct merged *merged, const struct rows *journal, struct error *err)
{
    const struct result_set set = rows_set(journal);
    bool good = true;
    for (size_t i = 0; good && i < set.count; i++) {
        struct result space;
        const struct result *row = result_row(&set, i, &space);
        good = rows_put(&merged->rows, row, err);
        merged->journalled[i] = good ? (uint32_t)rows_find(&merged->rows, row->key) : 0;
    }
    return good;
}

/* The table of the file becomes that of all rows. */
static bool take_file(struct merged *merged, struct error *err)
{
    const struct rows journal = merged->rows;
    merged->in_file = merged->file.count;
    rows_init(&merged->rows, merged->arena);
    merged->rows.texts = journal.texts;
    if (!rows_adopt(&merged->rows, merged->file.table, err)) {
        return false;
    }
    merged->file.table = &merged->rows.table;
    return add_journal(merged, &journal, err);
}

bool merged_read(struct merged *merged, const char *path, struct journal *journal, bool keys_only,
                 struct error *err)
{
    /* In this order: a writer that saves in between moves runs from the journal to the file. */
    if (!take_journal(merged, journal, err)) {
        return false;
    }
    if (journal->fresh || !files_exists(path)) {
        return true;
    }
    struct reader_found found = {.keys_only = false};
    bool good = keys_only && merged->in_journal == 0
                    ? reader_read_keys(path, merged->arena, &merged->file, &found, err)
                    : reader_read(path, merged->arena, &merged->file, err);
    merged->keys_only = found.keys_only;
    merged->intact = found.intact;
    return good && take_file(merged, err);
}

bool merged_complete(struct merged *merged, const char *path, struct error *err)
{
    if (!merged->keys_only) {
        return true;
    }
    merged->keys_only = false;
    return reader_read_measures(path, &merged->rows.table, err);
}

bool merged_salvage(struct merged *merged, const char *path, struct journal *journal,
                    struct error *journal_trouble, struct error *file_trouble)
{
    journal->salvage = true;
    bool good = take_journal(merged, journal, journal_trouble);
    if (journal->fresh || !files_exists(path)) {
        return good;
    }
    if (!reader_salvage(path, merged->arena, &merged->file, file_trouble)) {
        merged->file = (struct result_set){0};
        return false;
    }
    return take_file(merged, file_trouble) && good;
}

/* A row, its index and its rank, by which those written later come first: the journal's, from the
 * last on, and then those of the file. */
struct entry {
    int64_t index;
    uint32_t rank, row;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* As unsigned, an index of -1 is the largest. */
static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a;
    const struct entry *y = b;
    int order = compare_numbers((uint64_t)x->index, (uint64_t)y->index);
    return order != 0 ? order : compare_numbers(x->rank, y->rank);
}

static void sort(struct entry *entries, size_t count)
{
    size_t sorted = 1;
    while (sorted < count && compare_entries(&entries[sorted - 1], &entries[sorted]) <= 0) {
        sorted++;
    }
    if (sorted < count) {
        qsort(entries, count, sizeof *entries, compare_entries);
    }
}

/* Each key once; returns how many. */
static size_t list_entries(const struct merged *merged, struct entry *entries)
{
    const struct result_set set = rows_set(&merged->rows);
    size_t count = 0;
    for (size_t i = 0; i < set.count; i++) {
        int64_t index = result_index(&set, i);
        entries[i] = (struct entry){index > INT32_MAX ? -1 : index,
                                    (uint32_t)(merged->journalled_count + i), (uint32_t)i};
    }
    for (size_t i = 0; i < merged->journalled_count; i++) {
        entries[merged->journalled[i]].rank = (uint32_t)(merged->journalled_count - 1 - i);
    }
    for (size_t i = 0; i < set.count; i++) {
        if (rows_find(&merged->rows, result_key(&set, i)) == i) {
            entries[count++] = entries[i];
        }
    }
    return count;
}

struct result_place *merged_sorted(const struct merged *merged, size_t *count, struct error *err)
{
    size_t most = merged->rows.table.count;
    struct arena scratch = {NULL};
    struct entry *entries = arena_alloc(&scratch, most, sizeof *entries, err);
    struct result_place *places = arena_alloc(merged->arena, most, sizeof *places, err);
    if (entries == NULL || places == NULL) {
        arena_release(&scratch);
        return NULL;
    }
    *count = list_entries(merged, entries);
    sort(entries, *count);
    int64_t last = -1;
    for (size_t i = 0; i < *count; i++) {
        int64_t index = entries[i].index;
        if (index == last) {
            entries[i].index = -1;
        }
        last = index;
    }
    sort(entries, *count);
    for (size_t i = 0; i < *count; i++) {
        places[i] = (struct result_place){entries[i].row, (int32_t)entries[i].index};
    }
    arena_release(&scratch);
    return places;
}
