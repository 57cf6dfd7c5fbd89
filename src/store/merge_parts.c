/* SPDX-License-Identifier: MIT */
/* See merge_parts.h. */
#include "store/merge_parts.h"

#include "base/text.h"
#include "run/run_list.h"
#include "store/column_values.h"
#include "store/facts_join.h"
#include "store/texts.h"

#include <string.h>

/* The names of the files that a part's runs read, each with the SHA-256 of its content. */
static bool gather_files(const struct result_set *set, struct texts *files, struct error *err)
{
    size_t number;
    for (size_t row = 0; row < set->count; row++) {
        for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
            if (run_fields[i].kind != FIELD_PATH) {
                continue;
            }
            size_t column = run_list_digest((enum run_field)i);
            const char *const *name = result_run_member(set, row, i);
            const char *const *digest = result_run_member(set, row, column);
            if (*name != NULL && !texts_add(files, *name, *digest, &number, err)) {
                return false;
            }
        }
    }
    return true;
}

/* A file of both whose content differs, or NULL. */
static const char *changed_file(const struct texts *a, const struct texts *b)
{
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            if (strcmp(a->list[i], b->list[j]) == 0 &&
                !value_texts_equal(a->second[i], b->second[j])) {
                return a->list[i];
            }
        }
    }
    return NULL;
}

/* Says in what two parts of different plans differ; returns false. */
static bool refuse_plan(const struct merge_part *first, const struct merge_part *part,
                        struct error *err)
{
    if (strcmp(first->set.name, part->set.name) != 0) {
        return error_set(err, ERROR_INPUT, "'%s' is of the sweep '%s', and '%s' of '%s'",
                         part->path, part->set.name, first->path, first->set.name);
    }
    if (first->set.planned != part->set.planned) {
        return error_set(
            err, ERROR_INPUT,
            "'%s' is of another sweep than '%s': its plan has %lld runs, that one %lld; run the "
            "shards of one sweep file, with the same --set",
            part->path, first->path, (long long)part->set.planned, (long long)first->set.planned);
    }
    struct arena arena = {NULL};
    struct texts of_first = {.arena = &arena};
    struct texts of_part = {.arena = &arena};
    const char *changed = NULL;
    if (gather_files(&first->set, &of_first, err) && gather_files(&part->set, &of_part, err)) {
        changed = changed_file(&of_first, &of_part);
    }
    if (changed != NULL) {
        error_set(err, ERROR_INPUT, "the content of '%s' in '%s' is another than in '%s'", changed,
                  part->path, first->path);
    } else {
        error_set(err, ERROR_INPUT,
                  "'%s' is of another sweep than '%s': their runs differ; run the shards of one "
                  "sweep file, with the same --set and the same corpora",
                  part->path, first->path);
    }
    arena_release(&arena);
    return false;
}

static bool check_version(const struct merge_part *part, const char *version, struct error *err)
{
    const char *made_by = result_fact(&part->set, MERGE_VERSION);
    if (made_by == NULL || strcmp(made_by, version) != 0) {
        return error_set(err, ERROR_INPUT,
                         "'%s' was made by rowmax %s, and this is %s; run and merge with one "
                         "version",
                         part->path, made_by == NULL ? "of no stated version" : made_by, version);
    }
    return result_fact(&part->set, MERGE_PLAN) != NULL ||
           error_set(err, ERROR_INPUT,
                     "'%s' does not say which plan its runs are of; run it again, which reruns "
                     "nothing that is good",
                     part->path);
}

/* Parts that store other things of their runs are of one plan, but not of one sweep. */
static bool check_stored(const struct merge_part *first, const struct merge_part *part,
                         struct error *err)
{
    static const char remedy[] = "run the shards of one sweep file, with the same --set";
    if (!value_texts_equal(result_fact(&first->set, MERGE_KEEP),
                           result_fact(&part->set, MERGE_KEEP))) {
        return error_set(err, ERROR_INPUT, "'%s' keeps other matrices than '%s'; %s", part->path,
                         first->path, remedy);
    }
    uint64_t differing = first->set.lacking ^ part->set.lacking;
    if (differing == 0) {
        return true;
    }
    int measure = __builtin_ctzll(differing);
    bool first_lacks = (first->set.lacking >> measure & 1) != 0;
    return error_set(err, ERROR_INPUT, "'%s' does not hold the measure '%s', which '%s' does; %s",
                     first_lacks ? first->path : part->path, measurement_fields[measure].name,
                     first_lacks ? part->path : first->path, remedy);
}

bool merge_check_same(const struct merge_part *parts, size_t count, const char *version,
                      struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!check_version(&parts[i], version, err)) {
            return false;
        }
        const char *first = result_fact(&parts[0].set, MERGE_PLAN);
        if (strcmp(first, result_fact(&parts[i].set, MERGE_PLAN)) != 0 ||
            parts[0].set.planned != parts[i].set.planned) {
            return refuse_plan(&parts[0], &parts[i], err);
        }
        if (!check_stored(&parts[0], &parts[i], err)) {
            return false;
        }
    }
    return true;
}

static int compare_spelling(const struct result_set *a, const struct result_set *b)
{
    int order = strcmp(a->sweep_text, b->sweep_text);
    return order != 0 ? order : strcmp(a->title, b->title);
}

static bool is_of_a_shard(const char *name)
{
    return strcmp(name, MERGE_SHARD) == 0 || strcmp(name, MERGE_SHARD_RUNS) == 0;
}

/* The facts of `like`, with the values of all parts; none of a shard. */
static bool merge_facts(const struct merge_part *parts, size_t count, const struct result_set *like,
                        struct arena *arena, struct merge_result *out, struct error *err)
{
    struct joined_facts joined;
    const struct result_set **sets = arena_alloc(arena, count, sizeof(struct result_set *), err);
    struct provenance *kept = arena_alloc(arena, like->provenance_count, sizeof *kept, err);
    for (size_t i = 0; sets != NULL && i < count; i++) {
        sets[i] = &parts[i].set;
    }
    if (sets == NULL || kept == NULL || !facts_join(sets, count, like, arena, &joined, err)) {
        return false;
    }
    out->set.provenance = kept;
    out->set.provenance_count = 0;
    for (size_t i = 0; i < joined.count; i++) {
        if (!is_of_a_shard(joined.facts[i].name)) {
            kept[out->set.provenance_count++] = joined.facts[i];
        }
    }
    out->differing = joined.differing;
    out->commits = joined.commits;
    return true;
}

bool merge_describe(const struct merge_part *parts, size_t count, struct arena *arena,
                    struct merge_result *out, struct error *err)
{
    struct texts spellings = {.arena = arena};
    const struct result_set *chosen = &parts[0].set;
    size_t number;
    for (size_t i = 0; i < count; i++) {
        if (!texts_add(&spellings, parts[i].set.sweep_text, parts[i].set.title, &number, err)) {
            return false;
        }
        if (compare_spelling(&parts[i].set, chosen) < 0) {
            chosen = &parts[i].set;
        }
    }
    out->spellings = spellings.count;
    out->set = *chosen;
    return merge_facts(parts, count, chosen, arena, out, err);
}
