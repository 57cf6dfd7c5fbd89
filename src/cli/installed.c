/* SPDX-License-Identifier: MIT */
/* Experiments by name: those in experiments/ here, and those that were installed with the program.
 */
#include "base/data_folder.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/cli_internal.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

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

/* Neither a file nor an experiment: what may have been meant. */
static bool no_sweep(const char *operand, const char *const *folders, struct arena *arena,
                     struct error *err)
{
    const char *names[NAMES_LIMIT];
    size_t count = 0;
    for (size_t i = 0; i < 2 && count == 0; i++) {
        count = installed_experiments(folders[i], arena, names, NAMES_LIMIT);
    }
    const char *nearest = text_nearest(operand, names, count);
    const char *with_ending = arena_format(arena, err, "%s%s", operand, ending);
    if (with_ending != NULL && files_exists(with_ending)) {
        return error_set(err, ERROR_INPUT, "there is no file '%s'; did you mean '%s'?", operand,
                         with_ending);
    }
    if (nearest != NULL) {
        return error_set(err, ERROR_INPUT,
                         "there is no file '%s'; did you mean the experiment '%s'?", operand,
                         nearest);
    }
    struct text list = TEXT_INIT(arena);
    for (size_t i = 0; i < count; i++) {
        text_append_format(&list, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    return error_set(err, ERROR_INPUT, "there is no file '%s'; give the path of a sweep file%s%s",
                     operand, count == 0 ? "" : ", or an experiment by its name: ",
                     count == 0 || list.data == NULL ? "" : list.data);
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

/* The path of no file, as the pages write it for a checkout, where the experiment is installed. */
static bool is_no_experiment(const char *path, const char *const *folders, struct arena *arena,
                             struct error *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    size_t length = strlen(name);
    size_t end = strlen(ending);
    if (length <= end || strcmp(name + length - end, ending) != 0) {
        return true;
    }
    const char *experiment = arena_copy_bytes(arena, name, length - end, err);
    if (experiment == NULL || find_experiment(experiment, folders, arena, err) == NULL) {
        return err->code == ERROR_NONE;
    }
    return error_set(err, ERROR_INPUT,
                     "there is no file '%s'; the experiment '%s' runs by its name: rowmax run %s",
                     path, experiment, experiment);
}

const char *installed_sweep(const char *operand, struct arena *arena, struct error *err)
{
    const char *folders[2];
    if (strcmp(operand, "-") == 0 || files_exists(operand)) {
        return operand;
    }
    if (!experiment_folders(arena, folders, err)) {
        return NULL;
    }
    bool named = strchr(operand, '/') == NULL;
    const char *path = named ? find_experiment(operand, folders, arena, err) : NULL;
    if (path != NULL || !is_no_experiment(operand, folders, arena, err)) {
        return path;
    }
    if (!named) {
        return operand; /* whose reader says what is wrong with it */
    }
    no_sweep(operand, folders, arena, err);
    return NULL;
}
