/* SPDX-License-Identifier: MIT */
/* Results as a user names them: a sweep given for its results is told from a damaged file, and the
 * name of a sweep or a planned folder from nothing at all.
 */
#include "cli/cli_internal.h"

#include "base/files.h"
#include "store/store.h"

#include <string.h>
#include <sys/stat.h>

static bool is_named_like_a_sweep(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The results that a name without a file may stand for; NULL when there are none. */
static const char *meant_results(const char *path, struct arena *arena)
{
    static const struct {
        const char *before, *behind;
    } forms[] = {{"", ".h5"}, {"results/", ""}, {"results/", ".h5"}, {"", "/sweep.h5"}};
    struct error ignored = ERROR_INIT;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *meant =
            arena_format(arena, &ignored, "%s%s%s", forms[i].before, path, forms[i].behind);
        if (meant != NULL && is_regular(meant)) {
            return meant;
        }
    }
    return NULL;
}

bool load_results(const char *path, struct arena *arena, struct result_set *out, struct error *err)
{
    struct error reason = ERROR_INIT;
    if (store_load(path, arena, out, &reason)) {
        return true;
    }
    if (is_named_like_a_sweep(path) && files_exists(path)) {
        return error_set(err, ERROR_INPUT, "'%s' is no results file; 'rowmax run' reads sweeps",
                         path);
    }
    const char *meant = is_regular(path) ? NULL : meant_results(path, arena);
    if (meant != NULL && reason.code == ERROR_INPUT) {
        return error_set(err, ERROR_INPUT,
                         files_exists(path) ? "'%s' is no results file; did you mean '%s'?"
                                            : "there is no file '%s'; did you mean '%s'?",
                         path, meant);
    }
    if (err->code == ERROR_NONE) {
        *err = reason;
    }
    return false;
}
