/* SPDX-License-Identifier: MIT */
/* See merged.h. */
#include "store/merged.h"

#include "base/files.h"
#include "store/reader.h"

#include <stdlib.h>

void merged_init(struct merged *merged, struct arena *arena)
{
    *merged = (struct merged){.arena = arena, .rows = rows_make(arena)};
}

static bool put_record(void *context, const struct result *result, struct error *err)
{
    struct merged *merged = context;
    merged->in_journal++;
    return rows_put_copy(&merged->rows, result, err);
}

typedef bool file_reader(const char *path, struct arena *arena, struct result_set *out,
                         struct error *err);

static bool read_file(struct merged *merged, const char *path, file_reader *reader,
                      struct error *err)
{
    bool good = reader(path, merged->arena, &merged->file, err);
    merged->in_file = good ? merged->file.count : 0;
    for (size_t row = 0; good && row < merged->file.count; row++) {
        if (rows_find(&merged->rows, merged->file.rows[row].key) == NULL) {
            good = rows_put(&merged->rows, &merged->file.rows[row], err);
        }
    }
    return good;
}

bool merged_read(struct merged *merged, const char *path, struct journal *journal,
                 struct error *err)
{
    /* In this order: a writer that saves in between moves runs from the journal to the file. */
    return journal_read(journal, put_record, merged, &merged->torn_bytes, err) &&
           (journal->fresh || !files_exists(path) || read_file(merged, path, reader_read, err));
}

bool merged_salvage(struct merged *merged, const char *path, struct journal *journal,
                    struct error *journal_trouble, struct error *file_trouble)
{
    journal->salvage = true;
    bool good = journal_read(journal, put_record, merged, &merged->torn_bytes, journal_trouble);
    if (!journal->fresh && files_exists(path) &&
        !read_file(merged, path, reader_salvage, file_trouble)) {
        merged->file = (struct result_set){0};
        good = false;
    }
    return good;
}

/* A row and its place in the list, where journal rows stand before those of the file. */
struct entry {
    struct result result;
    size_t place;
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
    int order = compare_numbers((uint64_t)x->result.index, (uint64_t)y->result.index);
    return order != 0 ? order : compare_numbers(x->place, y->place);
}

struct result *merged_sorted(const struct merged *merged, struct error *err)
{
    size_t count = merged->rows.count;
    struct arena scratch = {NULL};
    struct entry *entries = arena_alloc(&scratch, count, sizeof *entries, err);
    struct result *sorted = arena_alloc(merged->arena, count, sizeof *sorted, err);
    if (entries == NULL || sorted == NULL) {
        arena_release(&scratch);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        entries[i] = (struct entry){*merged->rows.list[i], i};
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    int64_t last = -1;
    for (size_t i = 0; i < count; i++) {
        int64_t index = entries[i].result.index;
        if (index == last) {
            entries[i].result.index = -1;
        }
        last = index;
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = entries[i].result;
    }
    arena_release(&scratch);
    return sorted;
}
