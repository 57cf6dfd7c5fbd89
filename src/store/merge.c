/* SPDX-License-Identifier: MIT */
/* See merge.h. */
#include "store/merge.h"

#include "store/merge_parts.h"
#include "store/record.h"
#include "store/rows.h"

#include <stdlib.h>
#include <string.h>

/* Larger plans are damage. */
#define PLANNED_MAX 100000000

bool merge_plan_digest(const char *name, const uint64_t *keys, size_t count,
                       char hex[HASH_HEX_SIZE], struct error *err)
{
    struct arena arena = {NULL};
    struct text text = TEXT_INIT(&arena);
    text_append(&text, "rowmax plan 1\n");
    text_append_bytes(&text, name, strlen(name) + 1);
    for (size_t i = 0; i < count; i++) {
        record_put(&text, keys[i], 8);
    }
    bool good = text_finish(&text, err) != NULL;
    if (good) {
        hash_bytes_hex(text.data, text.length, hex);
    }
    arena_release(&arena);
    return good;
}

void merge_keep_digest(const unsigned char *keep, size_t count, char hex[HASH_HEX_SIZE])
{
    hash_bytes_hex(keep, count, hex);
}

/* The merge in hand: for each run of the plan its row and the part that it comes from. */
struct merging {
    const struct merge_part *parts;
    size_t count;
    size_t planned;
    const struct merge_part **from; /* NULL: no part has it */
    uint32_t *rows;                 /* in that part */
    struct arena scratch;
};

/* Whether row `row` of the part is the one that was met before for this run of the plan. */
static bool is_same(const struct merging *merging, size_t at, const struct merge_part *part,
                    size_t row)
{
    struct result before;
    struct result now;
    return rows_equal(result_row(&merging->from[at]->set, merging->rows[at], &before),
                      result_row(&part->set, row, &now));
}

static bool put_row(const struct merging *merging, const struct merge_part *part, size_t row,
                    struct merge_result *out, struct error *err)
{
    int64_t index = result_index(&part->set, row);
    if (index < 0) {
        out->outside++;
        return true;
    }
    size_t at = (size_t)index;
    if (at >= merging->planned) {
        return error_set(err, ERROR_INPUT, "'%s' has a run %zu, and its sweep plans %zu",
                         part->path, at, merging->planned);
    }
    if (merging->from[at] == NULL) {
        merging->rows[at] = (uint32_t)row;
        merging->from[at] = part;
        return true;
    }
    out->duplicates++;
    return is_same(merging, at, part, row) ||
           error_set(err, ERROR_INPUT,
                     "run %zu has other values in '%s' than in '%s'; leave out the part that is "
                     "wrong",
                     at, part->path, merging->from[at]->path);
}

static bool put_all(struct merging *merging, struct merge_result *out, struct error *err)
{
    merging->planned = (size_t)merging->parts[0].set.planned;
    if (merging->planned > PLANNED_MAX) {
        error_set(err, ERROR_INPUT, "'%s' plans %zu runs, more than any sweep has",
                  merging->parts[0].path, merging->planned);
        return false;
    }
    merging->rows = arena_alloc(&merging->scratch, merging->planned, sizeof *merging->rows, err);
    merging->from =
        arena_alloc(&merging->scratch, merging->planned, sizeof(const struct merge_part *), err);
    if (merging->rows == NULL || merging->from == NULL) {
        return false;
    }
    bool good = true;
    for (size_t i = 0; good && i < merging->count; i++) {
        const struct merge_part *part = &merging->parts[i];
        for (size_t row = 0; good && row < part->set.count; row++) {
            good = put_row(merging, part, row, out, err);
        }
    }
    return good;
}

/* The runs at hand, in order. */
static bool take_rows(const struct merging *merging, struct arena *arena, struct result_set *set,
                      struct error *err)
{
    struct result_table *table = arena_alloc(arena, 1, sizeof *table, err);
    if (table == NULL) {
        return false;
    }
    result_table_init(table, arena);
    for (size_t i = 0; i < merging->planned; i++) {
        struct result space;
        if (merging->from[i] != NULL &&
            !result_table_put(table, table->count,
                              result_row(&merging->from[i]->set, merging->rows[i], &space), err)) {
            return false;
        }
    }
    set->whole = NULL;
    set->places = NULL;
    set->table = table;
    set->count = table->count;
    return true;
}

/* All runs being there, their keys give the digest that the parts state. A part that was killed
 * while it went over from another plan to this one can hold rows of both. */
static bool check_plan(const struct merging *merging, const struct result_set *set,
                       struct error *err)
{
    struct arena arena = {NULL};
    char hex[HASH_HEX_SIZE];
    uint64_t *keys = arena_alloc(&arena, set->count, sizeof *keys, err);
    for (size_t i = 0; keys != NULL && i < set->count; i++) {
        keys[i] = result_key(set, i);
    }
    bool good = keys != NULL && merge_plan_digest(set->name, keys, set->count, hex, err);
    if (good && strcmp(hex, result_fact(&merging->parts[0].set, MERGE_PLAN)) != 0) {
        good =
            error_set(err, ERROR_INPUT,
                      "the runs of the parts are not those of the plan they name; run each shard "
                      "again, which reruns nothing that is good");
    }
    arena_release(&arena);
    return good;
}

static unsigned char kept_of(const struct result_set *set, size_t row)
{
    struct kept kept = result_kept(set, row);
    return (unsigned char)((kept.scores != NULL ? RESULT_SCORES : 0) |
                           (kept.weights != NULL ? RESULT_WEIGHTS : 0));
}

/* All runs being there, their matrices are those to keep: a part that was killed while it went over
 * to a plan that keeps more lacks some. What a failed run would have kept is not known. */
static bool check_kept(const struct merging *merging, const struct result_set *set,
                       struct error *err)
{
    struct arena arena = {NULL};
    char hex[HASH_HEX_SIZE] = "";
    unsigned char any = 0;
    bool failed = false;
    unsigned char *keep = arena_alloc(&arena, set->count, sizeof *keep, err);
    for (size_t i = 0; keep != NULL && i < set->count; i++) {
        keep[i] = kept_of(set, i);
        any |= keep[i];
        failed = failed || result_status(set, i) == RESULT_FAILED;
    }
    if (keep != NULL && any != 0) {
        merge_keep_digest(keep, set->count, hex);
    }
    arena_release(&arena);
    const char *stated = result_fact(&merging->parts[0].set, MERGE_KEEP);
    return keep != NULL &&
           (failed || strcmp(hex, stated == NULL ? "" : stated) == 0 ||
            error_set(err, ERROR_INPUT,
                      "the parts %s; run each shard again, which reruns nothing "
                      "that is good",
                      stated != NULL
                          ? "lack matrices that their sweep keeps"
                          : "have matrices and do not say of which runs their sweep keeps "
                            "them, as those of older versions"));
}

/* Leaves the missing runs in out->missing, NULL for none. */
static bool find_missing(const struct merging *merging, bool partial, struct arena *arena,
                         struct merge_result *out, struct error *err)
{
    if (out->set.count == merging->planned) {
        return check_plan(merging, &out->set, err) && check_kept(merging, &out->set, err);
    }
    out->missing = merge_list_missing(merging->parts, merging->count, merging->from,
                                      merging->planned, arena, err);
    return out->missing != NULL &&
           (partial ||
            error_set(err, ERROR_INPUT, "%s; or merge what there is with --partial", out->missing));
}

bool merge_parts(const struct merge_part *parts, size_t count, const char *version, bool partial,
                 struct arena *arena, struct merge_result *out, struct error *err)
{
    struct merging merging = {.parts = parts, .count = count};
    *out = (struct merge_result){0};
    bool good = merge_check_same(parts, count, version, err) &&
                merge_describe(parts, count, arena, out, err) && put_all(&merging, out, err) &&
                take_rows(&merging, arena, &out->set, err) &&
                find_missing(&merging, partial, arena, out, err);
    arena_release(&merging.scratch);
    return good;
}
