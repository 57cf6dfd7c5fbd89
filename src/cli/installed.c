/* SPDX-License-Identifier: MIT */
/* Experiments by name: those in experiments/ here, and those that were installed with the program.
 */
#include "base/data_folder.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/cli_internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAMES_LIMIT 100

static const char ending[] = ".yaml";

/* The places of experiments, in order; false without memory. */
static bool experiment_folders(struct arena *arena, const char *folders[2], struct error *err)
{
    const char *data = data_folder(arena, err);
    folders[0] = "experiments";
    folders[1] = data == NULL ? NULL : files_join(arena, data, folders[0], err);
    return folders[1] != NULL;
}

size_t installed_experiments(const char *folder, struct arena *arena, const char **names,
                             size_t limit)
{
    struct dirent **entries = NULL;
    struct error ignored = ERROR_INIT;
    size_t found = 0;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        size_t length = strlen(name);
        size_t end = strlen(ending);
        if (length > end && strcmp(name + length - end, ending) == 0 && found < limit) {
            names[found] = arena_copy_bytes(arena, name, length - end, &ignored);
            found += names[found] != NULL;
        }
        free(entries[i]);
    }
    free(entries);
    return found;
}

/* An operand without a file, taken apart for what may have been meant. */
struct unfound {
    const char *operand, *command;
    const char *bare; /* its last part, without the ending */
    bool in_folder;   /* it names one */
    const char *const *folders;
};

static bool unfound_split(struct unfound *unfound, struct arena *arena, struct error *err)
{
    const char *slash = strrchr(unfound->operand, '/');
    const char *name = slash == NULL ? unfound->operand : slash + 1;
    size_t length = strlen(name);
    size_t end = strlen(ending);
    bool whole = length > end && strcmp(name + length - end, ending) == 0;
    unfound->in_folder = slash != NULL;
    unfound->bare = arena_copy_bytes(arena, name, whole ? length - end : length, err);
    return unfound->bare != NULL;
}

/* The file of the experiment, the first of its places; NULL without `err` when there is none. */
static const char *find_experiment(const char *name, const char *const *folders,
                                   struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < 2; i++) {
        const char *path = arena_format(arena, err, "%s/%s%s", folders[i], name, ending);
        if (path == NULL || files_exists(path)) {
            return path;
        }
    }
    return NULL;
}

/* A sweep where the operand says it is, by a name that is near. */
static const char *near_sweep(const struct unfound *unfound, struct arena *arena, struct error *err)
{
    const char *names[NAMES_LIMIT];
    const char *whole = arena_format(arena, err, "%s%s", unfound->operand, ending);
    if (whole == NULL || files_exists(whole)) {
        return whole;
    }
    const char *folder = files_folder(arena, unfound->operand, err);
    size_t count = folder == NULL ? 0 : installed_experiments(folder, arena, names, NAMES_LIMIT);
    const char *nearest = text_nearest(unfound->bare, names, count);
    if (nearest == NULL) {
        return NULL;
    }
    const char *file = arena_format(arena, err, "%s%s", nearest, ending);
    return file == NULL ? NULL : files_join(arena, folder, file, err);
}

static bool refuse_with_list(const char *operand, const char *const *names, size_t count,
                             struct arena *arena, struct error *err)
{
    struct text list = TEXT_INIT(arena);
    for (size_t i = 0; i < count; i++) {
        text_append_format(&list, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    return error_set(err, ERROR_INPUT, "there is no file '%s'; give the path of a sweep file%s%s",
                     operand, count == 0 ? "" : ", or an experiment by its name: ",
                     count == 0 || list.data == NULL ? "" : list.data);
}

/* By the name of an experiment: that of a file, as the pages write it for a checkout, or one that
 * is near. True where there is none and the operand is a path, whose reader says what is wrong. */
static bool refuse_experiment(const struct unfound *unfound, struct arena *arena, struct error *err)
{
    const char *names[NAMES_LIMIT];
    size_t count = 0;
    for (size_t i = 0; i < 2 && count == 0; i++) {
        count = installed_experiments(unfound->folders[i], arena, names, NAMES_LIMIT);
    }
    const char *nearest = text_nearest(unfound->bare, names, count);
    if (nearest != NULL) {
        return error_set(err, ERROR_INPUT,
                         "there is no file '%s'; did you mean the experiment '%s'?",
                         unfound->operand, nearest);
    }
    return unfound->in_folder || refuse_with_list(unfound->operand, names, count, arena, err);
}

/* Neither a file nor the name of an experiment: what may have been meant. */
static bool refuse(const struct unfound *unfound, struct arena *arena, struct error *err)
{
    const char *experiment = find_experiment(unfound->bare, unfound->folders, arena, err);
    const char *sweep = near_sweep(unfound, arena, err);
    const char *word = cli_word(unfound->bare, arena, err);
    if (word == NULL || err->code != ERROR_NONE) {
        return false;
    }
    /* The file that only lacks its ending is an experiment of a checkout as well. */
    if (experiment != NULL && (sweep == NULL || strcmp(experiment, sweep) != 0)) {
        return error_set(err, ERROR_INPUT,
                         "there is no file '%s'; the experiment '%s' runs by its name: rowmax %s "
                         "%s",
                         unfound->operand, unfound->bare, unfound->command, word);
    }
    if (sweep != NULL) {
        return error_set(err, ERROR_INPUT, "there is no file '%s'; did you mean '%s'?",
                         unfound->operand, sweep);
    }
    return refuse_experiment(unfound, arena, err);
}

/* Not so where its folder may not be searched, say. */
static bool is_absent(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

const char *installed_sweep(const char *operand, const char *command, struct arena *arena,
                            struct error *err)
{
    const char *folders[2];
    struct unfound unfound = {.operand = operand, .command = command, .folders = folders};
    if (strcmp(operand, "-") == 0 || !is_absent(operand)) {
        return operand;
    }
    if (!experiment_folders(arena, folders, err) || !unfound_split(&unfound, arena, err)) {
        return NULL;
    }
    const char *path = unfound.in_folder ? NULL : find_experiment(operand, folders, arena, err);
    if (path != NULL || err->code != ERROR_NONE) {
        return path;
    }
    return refuse(&unfound, arena, err) ? operand : NULL;
}
