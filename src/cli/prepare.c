/* SPDX-License-Identifier: MIT */
/* What plan and run share: a sweep, its plan, its inputs, and where results go. */
#include "cli/folder.h"

#include "engine/engine.h"
#include "run/fields.h"
#include "store/merge.h"
#include "store/store.h"

#include <math.h>
#include <string.h>

/* Two runs of one plan that are one by content: files of two names with the same bytes. */
static bool refuse_twins(const struct run *a, const struct run *b, struct error *err)
{
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        if (field->kind == FIELD_PATH && !field_value_equal(field, a, b)) {
            char out[FIELD_VALUE_SIZE];
            return error_set(err, ERROR_INPUT, "'%s' and '%s' have the same content; name one",
                             field_value_text(field, a, out), field_value_text(field, b, out));
        }
    }
    return error_set(err, ERROR_INTERNAL,
                     "two different runs have one key by chance; change the seed of one");
}

/* Each run has a key of its own; the plan could not see that while it knew names only. */
static bool check_distinct(const struct prepared *prepared, struct error *err)
{
    struct arena arena = {NULL};
    size_t count = prepared->plan.count;
    size_t slots = 16;
    while (slots < 2 * count) {
        slots *= 2;
    }
    uint32_t *seen = arena_alloc(&arena, slots, sizeof *seen, err);
    bool good = seen != NULL;
    for (size_t i = 0; good && i < count; i++) {
        size_t slot = (size_t)prepared->keys[i] & (slots - 1);
        while (seen[slot] != 0 && prepared->keys[seen[slot] - 1] != prepared->keys[i]) {
            slot = (slot + 1) & (slots - 1);
        }
        if (seen[slot] != 0) {
            struct run first;
            struct run second;
            run_list_get(&prepared->plan.runs, seen[slot] - 1, &first);
            run_list_get(&prepared->plan.runs, i, &second);
            good = refuse_twins(&first, &second, err);
        }
        seen[slot] = (uint32_t)(i + 1);
    }
    arena_release(&arena);
    return good;
}

uint64_t lacking_measures(const struct prepared *prepared)
{
    return measurement_fields_all() & ~prepared->sweep.measures;
}

/* What the kept matrices of a plan take on disk before compression. */
double kept_bytes(const struct prepared *prepared)
{
    double rows = 0;
    double height = 0;
    double width = 0;
    unsigned matrices = 0;
    for (size_t i = 0; i < prepared->plan.count; i++) {
        unsigned keep = prepared->plan.keep[i];
        if (keep != 0) {
            rows++;
            matrices |= keep;
            height = fmax(height, (double)engine_queries(prepared->engine, i));
            width = fmax(width, (double)engine_tokens(prepared->engine, i));
        }
    }
    double each = ((matrices & PLAN_KEEP_SCORES) != 0 ? 1 : 0) +
                  ((matrices & PLAN_KEEP_WEIGHTS) != 0 ? 1 : 0);
    return rows * each * height * width * (double)sizeof(double);
}

/* Refused now, not when a night's runs are to be saved. */
static bool check_kept(const struct prepared *prepared, struct error *err)
{
    double bytes = kept_bytes(prepared);
    char size[40];
    char limit[40];
    return bytes <= STORE_KEPT_MAX ||
           error_set(
               err, ERROR_INPUT,
               "the matrices to keep take %s, the limit is %s; keep those of fewer runs, such "
               "as keep: {matrices: [weights], where: {seed: 1}}",
               cli_bytes(bytes, size), cli_bytes(STORE_KEPT_MAX, limit));
}

static const char *default_output(const struct prepared *prepared, struct shard shard,
                                  struct arena *arena, struct error *err)
{
    const struct folder *folder = prepared->folder;
    if (folder != NULL) {
        return shard.count == 0 ? folder->merged : folder_part(folder, shard.index, arena, err);
    }
    if (shard.count == 0) {
        return arena_format(arena, err, "results/%s.h5", prepared->sweep.name);
    }
    return arena_format(arena, err, "results/%s.shard-%zu-of-%zu.h5", prepared->sweep.name,
                        shard.index, shard.count);
}

bool prepared_is_nameless(const struct prepared *prepared, const struct options *options)
{
    return options->output == NULL && prepared->folder == NULL && !prepared->sweep.named &&
           strcmp(prepared->sweep.path, "-") == 0;
}

/* A planned folder stands for a sweep with its settings, which are not to be changed. */
static bool open_folder(const struct options *options, const char *path, struct options *out,
                        struct prepared *prepared, struct arena *arena, struct error *err)
{
    const struct folder *folder = folder_read(path, arena, err);
    if (folder == NULL) {
        return false;
    }
    if (options->set_count > 0 || options->cluster.folder != NULL) {
        return error_set(err, ERROR_USAGE, "'%s' is planned already; plan anew for other settings",
                         path);
    }
    if (options->shard.count > 0 && options->shard.count != folder->shard_count) {
        return error_set(err, ERROR_USAGE, "'%s' is planned in %zu shards, not %zu", path,
                         folder->shard_count, options->shard.count);
    }
    prepared->folder = folder;
    out->sets = folder->sets;
    out->set_count = folder->set_count;
    out->max_runs = UINT64_MAX;
    return true;
}

/* Before any work: the copies are what was planned, and this program sees in them what that one
 * saw. */
static bool check_folder(const struct prepared *prepared, struct error *err)
{
    char digest[HASH_HEX_SIZE];
    const struct folder *folder = prepared->folder;
    if (folder == NULL) {
        return true;
    }
    return merge_plan_digest(prepared->sweep.name, prepared->keys, prepared->plan.count, digest,
                             err) &&
           ((strcmp(digest, folder->digest) == 0 && prepared->plan.count == folder->runs) ||
            error_set(err, ERROR_INPUT,
                      "sweep or inputs in '%s' are not those of its plan; plan anew in another "
                      "folder",
                      folder->path));
}

static bool read_plan(const struct options *options, struct arena *arena, struct prepared *out,
                      struct error *err)
{
    struct options effective = *options;
    const char *path = installed_sweep(options->operands[0], options->command, arena, err);
    if (path == NULL) {
        return false;
    }
    if (folder_is_one(path) && !open_folder(options, path, &effective, out, arena, err)) {
        return false;
    }
    path = out->folder == NULL ? path : out->folder->sweep;
    return sweep_read(path, effective.sets, effective.set_count, arena, &out->sweep, err) &&
           plan_make(&out->sweep, effective.max_runs, arena, &out->plan, err);
}

bool prepare(const struct options *options, struct arena *arena, struct prepared *out,
             struct error *err)
{
    memset(out, 0, sizeof *out);
    if (!read_plan(options, arena, out, err)) {
        return false;
    }
    out->engine = engine_open(&out->plan.runs, out->sweep.folder, arena, err);
    out->keys = arena_alloc(arena, out->plan.count, sizeof *out->keys, err);
    out->output = options->output;
    if (out->output == NULL) {
        out->output = default_output(out, options->shard, arena, err);
    }
    if (out->engine == NULL || out->keys == NULL || out->output == NULL) {
        return false;
    }
    return run_list_keys(&out->plan.runs, out->keys, err) && check_distinct(out, err) &&
           check_kept(out, err) && check_folder(out, err) &&
           shards_divide(out, options->shard, arena, err);
}
