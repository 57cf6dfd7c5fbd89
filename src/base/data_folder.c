/* SPDX-License-Identifier: MIT */
/* Finding the installed data; see data_folder.h. */
#include "base/data_folder.h"

#include "base/files.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

const char *data_folder_of(const char *program, struct arena *arena, struct error *err)
{
    char resolved[PATH_MAX];
    const char *folder = files_folder(arena, program, err);
    const char *beside =
        folder == NULL ? NULL : files_join(arena, folder, ROWMAX_DATA_FROM_PROGRAM, err);
    if (beside == NULL) {
        return NULL;
    }
    return realpath(beside, resolved) == NULL ? ROWMAX_DATA_FOLDER
                                              : arena_copy_text(arena, resolved, err);
}

const char *data_folder(struct arena *arena, struct error *err)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) {
        return ROWMAX_DATA_FOLDER;
    }
    program[length] = '\0';
    return data_folder_of(program, arena, err);
}
