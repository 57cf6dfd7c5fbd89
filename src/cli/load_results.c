/* SPDX-License-Identifier: MIT */
/* Results as a user names them: a sweep given for its results is told from a damaged file. */
#include "cli/cli_internal.h"

#include "base/files.h"
#include "store/store.h"

#include <string.h>

static bool is_named_like_a_sweep(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
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
    if (err->code == ERROR_NONE) {
        *err = reason;
    }
    return false;
}
