/* SPDX-License-Identifier: MIT */
/* Reads a planned folder: its plan, and what its parts hold. */
#include "cli/folder.h"

#include "base/files.h"
#include "base/text.h"
#include "engine/shard.h"
#include "store/merge.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PLAN_LIMIT ((size_t)1 << 30)
#define RUNS_LIMIT 100000000

bool folder_is_one(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

char *folder_part(const struct folder *folder, size_t shard, struct arena *arena, struct error *err)
{
    return arena_format(arena, err, "%s/parts/part-%05zu.h5", folder->path, shard);
}

/* A plan in reading. */
struct reading {
    struct folder *folder;
    size_t capacity; /* of sets */
    size_t read;     /* shards */
    size_t owned;    /* runs that have an owner */
    bool right_version, twice;
    struct arena *arena;
    struct error *err;
};

static void own(void *context, size_t run)
{
    struct reading *reading = context;
    uint32_t *owner = &reading->folder->owners[run];
    reading->twice = reading->twice || *owner != UINT32_MAX;
    *owner = (uint32_t)reading->read;
    reading->owned++;
}

static bool read_count(const char *value, int64_t most, size_t *out)
{
    int64_t number;
    bool good = text_to_integer(value, &number) && number >= 1 && number <= most;
    *out = good ? (size_t)number : 0;
    return good;
}

/* Both counts are known: room for what follows. */
static bool make_room(struct reading *reading)
{
    struct folder *folder = reading->folder;
    if (folder->runs == 0 || folder->shard_count == 0) {
        return false;
    }
    folder->shards =
        arena_alloc(reading->arena, folder->shard_count, sizeof *folder->shards, reading->err);
    folder->owners =
        arena_alloc(reading->arena, folder->runs, sizeof *folder->owners, reading->err);
    for (size_t i = 0; folder->owners != NULL && i < folder->runs; i++) {
        folder->owners[i] = UINT32_MAX;
    }
    return folder->owners != NULL && folder->shards != NULL;
}

/* "0 12.5 96 0-95": the shard, its seconds, how many runs, which. */
static bool read_shard(struct reading *reading, char *value)
{
    struct folder *folder = reading->folder;
    char *rest = NULL;
    char *words[4];
    for (size_t i = 0; i < 4; i++) {
        words[i] = strtok_r(i == 0 ? value : NULL, " ", &rest);
        if (words[i] == NULL) {
            return false;
        }
    }
    int64_t index;
    size_t before = reading->owned;
    if ((folder->shards == NULL && !make_room(reading)) || reading->read == folder->shard_count ||
        !text_to_integer(words[0], &index) || index != (int64_t)reading->read) {
        return false;
    }
    struct folder_shard *shard = &folder->shards[reading->read];
    bool none = strcmp(words[2], "0") == 0 && strcmp(words[3], "-") == 0;
    bool good = text_to_real(words[1], &shard->seconds) &&
                (none || (read_count(words[2], RUNS_LIMIT, &shard->runs) &&
                          ranges_read(words[3], folder->runs, own, reading) && !reading->twice &&
                          reading->owned - before == shard->runs));
    reading->read++;
    return good;
}

static bool read_set(struct reading *reading, const char *value)
{
    struct folder *folder = reading->folder;
    folder->sets = arena_grow(reading->arena, folder->sets, folder->set_count, &reading->capacity,
                              sizeof *folder->sets, reading->err);
    if (folder->sets != NULL) {
        folder->sets[folder->set_count++] = value;
    }
    return folder->sets != NULL;
}

static bool read_fact(struct reading *reading, const char *name, char *value)
{
    struct folder *folder = reading->folder;
    if (strcmp(name, "version") == 0) {
        reading->right_version = strcmp(value, ROWMAX_VERSION) == 0;
        return reading->right_version ||
               error_set(reading->err, ERROR_INPUT,
                         "'%s' was planned by rowmax %s, this is %s; use that one, or plan anew",
                         folder->path, value, ROWMAX_VERSION);
    }
    if (strcmp(name, MERGE_PLAN) == 0) {
        folder->digest = value;
        return strlen(value) == HASH_HEX_SIZE - 1;
    }
    if (strcmp(name, "runs") == 0) {
        return folder->runs == 0 && read_count(value, RUNS_LIMIT, &folder->runs);
    }
    if (strcmp(name, "shards") == 0) {
        return folder->shard_count == 0 && read_count(value, SHARD_LIMIT, &folder->shard_count);
    }
    if (strcmp(name, "set") == 0) {
        return read_set(reading, value);
    }
    return strcmp(name, "shard") == 0 && read_shard(reading, value);
}

/* Lines of a name, a space and a value, behind a first line of its own. */
static bool read_lines(struct reading *reading, char *text)
{
    static const char first[] = "rowmax plan 1\n";
    if (strncmp(text, first, sizeof first - 1) != 0) {
        return false;
    }
    char *rest = NULL;
    char *line = strtok_r(text + sizeof first - 1, "\n", &rest);
    for (; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char *space = strchr(line, ' ');
        if (space == NULL) {
            return false;
        }
        *space = '\0';
        if (!read_fact(reading, line, space + 1)) {
            return false;
        }
    }
    const struct folder *folder = reading->folder;
    return folder->digest != NULL && reading->right_version && folder->shards != NULL &&
           reading->read == folder->shard_count && reading->owned == folder->runs;
}

/* "exp7/" is exp7. */
static char *without_slash(const char *path, struct arena *arena, struct error *err)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    return arena_copy_bytes(arena, path, length, err);
}

struct folder *folder_read(const char *path, struct arena *arena, struct error *err)
{
    struct folder *folder = arena_alloc(arena, 1, sizeof *folder, err);
    if (folder == NULL) {
        return NULL;
    }
    folder->path = without_slash(path, arena, err);
    const char *plan = arena_format(arena, err, "%s/plan", path);
    folder->sweep = arena_format(arena, err, "%s/sweep.yaml", folder->path);
    folder->merged = arena_format(arena, err, "%s/sweep.h5", folder->path);
    if (err->code != ERROR_NONE) {
        return NULL;
    }
    if (!files_exists(plan)) {
        error_set(err, ERROR_INPUT,
                  folder_is_one(path)
                      ? "'%s' is a folder that holds no plan; make one with 'rowmax "
                        "plan SWEEP --shards N --out FOLDER'"
                      : "there is no folder '%s'",
                  path);
        return NULL;
    }
    size_t size;
    char *text = files_read_own(plan, PLAN_LIMIT, arena, &size, err);
    struct reading reading = {.folder = folder, .arena = arena, .err = err};
    if (text == NULL || !read_lines(&reading, text)) {
        error_set(err, ERROR_INPUT, "'%s' is damaged; plan anew in another folder", plan);
        return NULL;
    }
    return folder;
}

static void count_runs(const struct folder *folder, size_t shard, const struct result_set *set,
                       struct part *out)
{
    for (size_t i = 0; i < set->count; i++) {
        int64_t index = result_index(set, i);
        if (index >= 0 && (size_t)index < folder->runs && folder->owners[index] == shard) {
            out->runs++;
            out->failed += result_status(set, i) == RESULT_FAILED;
        }
    }
}

/* Whether the results are of this plan. */
static bool is_of_plan(const struct folder *folder, const struct result_set *set)
{
    const char *digest = result_fact(set, MERGE_PLAN);
    return digest != NULL && strcmp(digest, folder->digest) == 0;
}

/* Counts the runs of a part that is there; what is wrong with it is no error of ours. */
static bool read_part(const struct folder *folder, size_t shard, const char *path,
                      struct arena *arena, struct part *out)
{
    struct result_set set;
    struct error trouble = ERROR_INIT;
    if (!store_load(path, arena, &set, &trouble)) {
        return false;
    }
    if (is_of_plan(folder, &set)) {
        count_runs(folder, shard, &set, out);
    }
    return true;
}

bool folder_look(const struct folder *folder, size_t shard, struct part *out, struct error *err)
{
    struct arena arena = {NULL};
    *out = (struct part){.state = PART_MISSING};
    const char *path = folder_part(folder, shard, &arena, err);
    const char *journal = arena_format(&arena, err, "%s.journal", path);
    const char *lock = arena_format(&arena, err, "%s.lock", path);
    bool good = err->code == ERROR_NONE;
    if (good) {
        bool busy = files_exists(lock);
        bool there = files_exists(path) || files_exists(journal);
        bool sound = !there || read_part(folder, shard, path, &arena, out);
        if (out->runs == folder->shards[shard].runs) {
            out->state = PART_DONE;
        } else if (busy) {
            out->state = PART_BUSY;
        } else if (there) {
            out->state = sound ? PART_STOPPED : PART_DAMAGED;
        }
    }
    arena_release(&arena);
    return good;
}
