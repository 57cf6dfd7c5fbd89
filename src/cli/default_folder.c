/* SPDX-License-Identifier: MIT */
/* The folder that results go to unless another is named; ours to make, whoever names it. */
#include "base/files.h"
#include "cli/cli_internal.h"

#include <string.h>

#define FOLDER "results"

/* A file right in it, as results/wide.h5. */
static bool lies_in_folder(const char *path)
{
    static const char here[] = "./";
    static const char folder[] = FOLDER "/";
    path += strncmp(path, here, strlen(here)) == 0 ? strlen(here) : 0;
    const char *name = path + strlen(folder);
    return strncmp(path, folder, strlen(folder)) == 0 && *name != '\0' && strchr(name, '/') == NULL;
}

bool default_folder_make(const char *path, bool named, struct error *err)
{
    if (!lies_in_folder(path) || files_make_folders(FOLDER, err)) {
        return true;
    }
    return !named && error_add_context(err, "without -o the results go to '" FOLDER "'");
}
