/* SPDX-License-Identifier: MIT */
/* What a command may write to: nothing that holds runs, and nothing twice. */
#include "base/files.h"
#include "cli/cli_internal.h"
#include "store/store.h"

#include <string.h>
#include <sys/stat.h>

static bool same_node(const char *a, const char *b)
{
    struct file_identity one;
    struct file_identity two;
    return files_identify(a, &one) && files_identify(b, &two) && one.device == two.device &&
           one.number == two.number;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Of two names that nothing stands under yet: "x" and "./x", or a link to it. */
static bool same_place(const char *a, const char *b)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const char *one = files_follow(a, &arena, &err);
    const char *two = files_follow(b, &arena, &err);
    const char *folder = one == NULL ? NULL : files_folder(&arena, one, &err);
    const char *other = two == NULL ? NULL : files_folder(&arena, two, &err);
    bool same = folder != NULL && other != NULL && strcmp(last_part(one), last_part(two)) == 0 &&
                same_node(folder, other);
    arena_release(&arena);
    return same;
}

bool cli_same_file(const char *a, const char *b)
{
    struct stat one;
    if (a == NULL || b == NULL) {
        return false;
    }
    if (strcmp(a, b) == 0) {
        return true;
    }
    return stat(a, &one) == 0 ? S_ISREG(one.st_mode) && same_node(a, b) : same_place(a, b);
}

bool cli_spares_results(const char *option, const char *path, struct error *err)
{
    return !store_is_results(path) ||
           error_set(err, ERROR_USAGE, "--%s '%s' holds results; name another file", option, path);
}
