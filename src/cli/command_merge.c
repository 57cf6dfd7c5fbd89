/* SPDX-License-Identifier: MIT */
/* rowmax merge: the results files of shards become the one of the sweep. */
#include "base/files.h"
#include "base/order.h"
#include "cli/folder.h"
#include "store/merge.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

/* A file by any of its names. */
struct named_file {
    bool known; /* false where nothing has the name, as of a part that is a journal yet */
    struct file_identity identity;
};

static struct named_file file_of(const char *path)
{
    struct named_file file = {.known = false};
    file.known = files_identify(path, &file.identity);
    return file;
}

static bool is_same_file(const struct named_file *a, const struct named_file *b)
{
    return a->known && b->known && a->identity.device == b->identity.device &&
           a->identity.number == b->identity.number;
}

/* Each part is a file of its own, and none is the output. One that is named twice stands where
 * another was meant. */
static bool check_names(const struct options *options, struct arena *arena, struct error *err)
{
    const struct named_file output = file_of(options->output);
    size_t count = options->operand_count;
    const char *const *paths = options->operands;
    struct named_file *files = arena_alloc(arena, count, sizeof *files, err);
    for (size_t i = 0; files != NULL && i < count; i++) {
        files[i] = file_of(paths[i]);
        if (is_same_file(&files[i], &output)) {
            return error_set(err, ERROR_USAGE, "'%s' is a part and the output; name another output",
                             paths[i]);
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(paths[i], paths[j]) == 0) {
                return error_set(err, ERROR_USAGE, "the part '%s' is named twice; name it once",
                                 paths[i]);
            }
            if (is_same_file(&files[i], &files[j])) {
                return error_set(err, ERROR_USAGE,
                                 "the parts '%s' and '%s' are the same file; name it once",
                                 paths[j], paths[i]);
            }
        }
    }
    return files != NULL;
}

static struct merge_part *read_parts(const struct options *options, struct arena *arena,
                                     struct error *err)
{
    struct merge_part *parts = check_names(options, arena, err)
                                   ? arena_alloc(arena, options->operand_count, sizeof *parts, err)
                                   : NULL;
    for (size_t i = 0; parts != NULL && i < options->operand_count; i++) {
        const char *path = options->operands[i];
        parts[i].path = path;
        if (!store_load(path, arena, &parts[i].set, err)) {
            /* A part is no input of a sweep: what is wrong is the file. */
            err->code = err->code == ERROR_INPUT ? ERROR_FILE : err->code;
            return NULL;
        }
    }
    return parts;
}

/* Nothing finished is lost: what stands in the place of the output must be in the merged set. */
static bool check_output(const char *path, const struct result_set *merged, struct arena *arena,
                         struct error *err)
{
    struct result_set old;
    const char *journal = arena_format(arena, err, "%s.journal", path);
    uint64_t *keys = arena_alloc(arena, merged->count, sizeof *keys, err);
    if (journal == NULL || keys == NULL) {
        return false;
    }
    if (!files_exists(path) && !files_exists(journal)) {
        return true;
    }
    if (!store_load(path, arena, &old, err)) {
        err->code = err->code == ERROR_INPUT ? ERROR_FILE : err->code;
        return error_add_context(err, "move the output away or name another");
    }
    for (size_t i = 0; i < merged->count; i++) {
        keys[i] = result_key(merged, i);
    }
    qsort(keys, merged->count, sizeof *keys, order_keys);
    size_t lost = 0;
    for (size_t i = 0; i < old.count; i++) {
        uint64_t key = result_key(&old, i);
        lost += bsearch(&key, keys, merged->count, sizeof *keys, order_keys) == NULL;
    }
    return lost == 0 || error_set(err, ERROR_INPUT,
                                  "'%s' holds %zu run%s that the parts lack; name another output, "
                                  "and this file among the parts",
                                  path, lost, lost == 1 ? "" : "s");
}

static size_t count_failed(const struct result_set *set)
{
    size_t failed = 0;
    for (size_t i = 0; i < set->count; i++) {
        failed += result_status(set, i) == RESULT_FAILED;
    }
    return failed;
}

static void say_outcome(const char *path, size_t parts, const struct merge_result *merged)
{
    if (merged->missing != NULL) {
        cli_say("not complete: %s", merged->missing);
    }
    if (merged->commits != NULL) {
        cli_say("the parts were made by different commits of rowmax %s: %s", ROWMAX_VERSION,
                merged->commits);
    }
    if (merged->differing != NULL) {
        cli_say("the parts were not made alike: they differ in %s", merged->differing);
    }
    if (merged->spellings > 1) {
        cli_say("the sweep file has %zu spellings of one plan; one of them is kept",
                merged->spellings);
    }
    if (merged->outside > 0) {
        cli_say("%s older run%s that the sweep no longer holds %s left in the parts",
                cli_count(merged->outside), merged->outside == 1 ? "" : "s",
                merged->outside == 1 ? "is" : "are");
    }
    if (merged->duplicates > 0) {
        cli_say(merged->duplicates == 1 ? "%s run is in two parts, with equal values"
                                        : "%s runs are in two parts, with equal values",
                cli_count(merged->duplicates));
    }
    cli_say("%s of %s runs in %s (%s part%s, %s failed)", cli_count(merged->set.count),
            cli_count((uint64_t)merged->set.planned), path, cli_count(parts), parts == 1 ? "" : "s",
            cli_count(count_failed(&merged->set)));
}

/* In a planned folder: all of them may be of one plan, and that another one. */
static bool check_plan(const char *plan, const struct result_set *merged, struct error *err)
{
    const char *digest = result_fact(merged, MERGE_PLAN);
    return plan == NULL || (digest != NULL && strcmp(digest, plan) == 0) ||
           error_set(err, ERROR_INPUT, "the parts are of another plan than that of their folder");
}

static bool merge_locked(const struct options *options, struct store *store, struct arena *arena,
                         struct error *err)
{
    size_t count = options->operand_count;
    struct merge_result merged;
    const struct merge_part *parts = read_parts(options, arena, err);
    if (parts == NULL ||
        !merge_parts(parts, count, ROWMAX_VERSION, options->partial, arena, &merged, err) ||
        !check_plan(options->plan, &merged.set, err) ||
        !check_output(options->output, &merged.set, arena, err) ||
        !store_save(store, &merged.set, err)) {
        return false;
    }
    if (!options->quiet) {
        say_outcome(options->output, count, &merged);
    }
    size_t failed = count_failed(&merged.set);
    return failed == 0 ||
           error_set(err, ERROR_RUNS_FAILED, "%zu of %zu runs failed; 'rowmax show' says why",
                     failed, merged.set.count);
}

static bool merge_to(const struct options *options, struct arena *arena, struct error *err)
{
    struct store_found found;
    struct store *store =
        !default_folder_make(options->output, true, err)
            ? NULL
            : store_open(options->output, STORE_FRESH | store_ways(options), arena, &found, err);
    if (store == NULL) {
        return false;
    }
    bool good = merge_locked(options, store, arena, err);
    store_close(store);
    return good;
}

/* The parts of a planned folder that are there, as if they had been named. */
static bool merge_folder(const struct options *options, struct arena *arena, struct error *err)
{
    const struct folder *folder = folder_read(options->operands[0], arena, err);
    const char **parts =
        folder == NULL ? NULL : arena_alloc(arena, folder->shard_count, sizeof *parts, err);
    if (parts == NULL) {
        return false;
    }
    struct options named = *options;
    named.operands = parts;
    named.operand_count = 0;
    named.output = options->output == NULL ? folder->merged : options->output;
    for (size_t i = 0; i < folder->shard_count; i++) {
        const char *part = folder_part(folder, i, arena, err);
        const char *journal = arena_format(arena, err, "%s.journal", part);
        if (part == NULL || journal == NULL) {
            return false;
        }
        if (files_exists(part) || files_exists(journal)) {
            parts[named.operand_count++] = part;
        }
    }
    if (named.operand_count == 0) {
        return error_set(err, ERROR_INPUT, "'%s' has no part yet; see 'rowmax status'",
                         folder->path);
    }
    named.plan = folder->digest;
    return merge_to(&named, arena, err);
}

bool command_merge(const struct options *options, struct arena *arena, struct error *err)
{
    if (options->operand_count == 1 && folder_is_one(options->operands[0])) {
        return merge_folder(options, arena, err);
    }
    if (options->output == NULL) {
        return command_refuse("merge", "the output, -o PATH,", err);
    }
    return merge_to(options, arena, err);
}
