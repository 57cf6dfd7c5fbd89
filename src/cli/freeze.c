/* SPDX-License-Identifier: MIT */
/* Writes a planned folder: nothing that happens to the originals later reaches it. */
#include "cli/folder.h"

#include "base/escape.h"
#include "base/files.h"
#include "base/text.h"
#include "engine/engine.h"
#include "store/merge.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define COPY_STEP ((size_t)1 << 16)

static bool copy_bytes(int from, int to, const char *source, const char *target, struct error *err)
{
    char bytes[COPY_STEP];
    for (;;) {
        ssize_t got = read(from, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return error_set_system(err, ERROR_FILE, errno, "cannot read '%s'", source);
        }
        if (got == 0) {
            return fsync(to) == 0 ||
                   error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", target);
        }
        if (!files_write_all(to, bytes, (size_t)got, target, err)) {
            return false;
        }
    }
}

static bool copy_file(const char *source, const char *target, struct error *err)
{
    int from = open(source, O_RDONLY | O_CLOEXEC);
    if (from < 0) {
        return error_set_system(err, ERROR_FILE, errno, "cannot read '%s'", source);
    }
    int to = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    bool good = to >= 0 ? copy_bytes(from, to, source, target, err)
                        : error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", target);
    if (to >= 0) {
        close(to);
    }
    close(from);
    return good;
}

static bool copy_inputs(const char *path, const struct prepared *prepared, struct arena *arena,
                        struct error *err)
{
    size_t count;
    const struct engine_file *files = engine_files(prepared->engine, arena, &count, err);
    bool good = files != NULL;
    for (size_t i = 0; good && i < count; i++) {
        const char *target = engine_frozen(path, files[i].name, arena, err);
        good = target != NULL && (files_exists(target) || copy_file(files[i].path, target, err));
    }
    return good;
}

static const char *const folders[] = {ENGINE_FROZEN_FOLDER, "parts", "log", "slurm"};
enum { FOLDERS = sizeof folders / sizeof folders[0] };

static bool make_folders(const char *path, struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < FOLDERS; i++) {
        const char *folder = files_join(arena, path, folders[i], err);
        if (folder == NULL || !files_make_folders(folder, err)) {
            return false;
        }
    }
    return true;
}

/* One line each, so no line may hold another. The copy has another file name than the sweep, which
 * may be its name: that is set, too. */
static bool append_sets(struct text *text, const struct prepared *prepared,
                        const struct options *options, struct error *err)
{
    for (size_t i = 0; i < options->set_count; i++) {
        if (strchr(options->sets[i], '\n') != NULL) {
            return error_set(err, ERROR_USAGE, "--set '%s': one line is wanted for a plan",
                             options->sets[i]);
        }
        text_append_format(text, "set %s\n", options->sets[i]);
    }
    text_append(text, "set name=");
    escape_json(text, prepared->sweep.name);
    text_append(text, "\n");
    return true;
}

static bool append_shards(struct text *text, const struct prepared *prepared, struct arena *arena,
                          struct error *err)
{
    size_t count = prepared->plan.count;
    size_t shards = prepared->shard.count;
    const struct shard_load *loads = shards_weigh(prepared, arena, err);
    struct text *lists = arena_alloc(arena, shards, sizeof *lists, err);
    if (loads == NULL || lists == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct text *list = &lists[prepared->owners[i]];
        size_t first = i;
        while (i + 1 < count && prepared->owners[i + 1] == prepared->owners[i]) {
            i++;
        }
        list->arena = arena;
        text_append_format(list, list->length == 0 ? "%zu" : ",%zu", first);
        if (i > first) {
            text_append_format(list, "-%zu", i);
        }
    }
    for (size_t i = 0; i < shards; i++) {
        text_append_format(text, "shard %zu %.4g %zu %s\n", i, loads[i].seconds, loads[i].runs,
                           lists[i].length == 0 ? "-" : lists[i].data);
        text->failed = text->failed || lists[i].failed;
    }
    return true;
}

static const char *plan_text(const struct prepared *prepared, const struct options *options,
                             struct arena *arena, size_t *size, struct error *err)
{
    struct text text = TEXT_INIT(arena);
    char digest[HASH_HEX_SIZE];
    if (!merge_plan_digest(prepared->sweep.name, prepared->keys, prepared->plan.count, digest,
                           err)) {
        return NULL;
    }
    text_append_format(&text, "rowmax plan 1\nversion %s\n%s %s\nruns %zu\nshards %zu\n",
                       ROWMAX_VERSION, MERGE_PLAN, digest, prepared->plan.count,
                       prepared->shard.count);
    if (!append_sets(&text, prepared, options, err) ||
        !append_shards(&text, prepared, arena, err)) {
        return NULL;
    }
    const char *finished = text_finish(&text, err);
    *size = text.length;
    return finished;
}

/* Whether nothing is in the folder, or it is not there. */
static bool is_empty(const char *path)
{
    DIR *folder = opendir(path);
    bool empty = true;
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return empty;
}

static void remove_within(int parent, const char *name)
{
    int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = descriptor < 0 ? NULL : fdopendir(descriptor);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        unlinkat(descriptor, entry->d_name, 0);
    }
    if (folder != NULL) {
        closedir(folder);
    } else if (descriptor >= 0) {
        close(descriptor);
    }
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Removes what a plan that failed has left in a folder that was empty, so that the same command can
 * be given again. */
static void take_back(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return;
    }
    for (size_t i = 0; i < FOLDERS; i++) {
        remove_within(folder, folders[i]);
    }
    unlinkat(folder, "sweep.yaml", 0);
    unlinkat(folder, "plan", 0);
    close(folder);
    rmdir(path);
}

/* What is there already: *same for this very plan, nothing, or what must not be touched. */
static bool check_place(const char *path, const char *plan, const char *text, size_t size,
                        bool *same, struct arena *arena, struct error *err)
{
    size_t old_size;
    *same = false;
    if (!files_exists(plan)) {
        return is_empty(path) ||
               error_set(err, ERROR_INPUT, "'%s' is not empty and holds no plan; name a new folder",
                         path);
    }
    const char *old = files_read_own(plan, size + 1, arena, &old_size, err);
    *same = old != NULL && old_size == size && memcmp(old, text, size) == 0;
    if (!*same) {
        *err = (struct error)ERROR_INIT;
    }
    return *same || error_set(err, ERROR_INPUT, "'%s' holds another plan; name a new folder", path);
}

/* The copies must be what was planned: an input may have been edited in between. */
static bool check_copies(const char *path, const char *text, const struct options *options,
                         struct arena *arena, struct error *err)
{
    struct prepared copy;
    struct options again = {.operands = &path, .operand_count = 1, .max_runs = options->max_runs};
    const char *plan = arena_format(arena, err, "%s/plan", path);
    return plan != NULL && files_replace(plan, text, strlen(text), err) &&
           (prepare(&again, arena, &copy, err) ||
            error_add_context(err, "the copies in '%s'", path));
}

bool folder_write(const char *path, const struct prepared *prepared, const struct options *options,
                  struct arena *arena, struct error *err)
{
    bool same;
    size_t size = 0;
    const char *text = plan_text(prepared, options, arena, &size, err);
    const char *plan = arena_format(arena, err, "%s/plan", path);
    const char *sweep = arena_format(arena, err, "%s/sweep.yaml", path);
    if (text == NULL || plan == NULL || sweep == NULL ||
        !check_place(path, plan, text, size, &same, arena, err)) {
        return false;
    }
    bool good =
        same || (make_folders(path, arena, err) && copy_inputs(path, prepared, arena, err) &&
                 files_replace(sweep, prepared->sweep.text, prepared->sweep.text_size, err) &&
                 check_copies(path, text, options, arena, err));
    if (!good) {
        take_back(path);
    }
    return good;
}
