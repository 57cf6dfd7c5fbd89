/* SPDX-License-Identifier: MIT */
/* Course data of an earlier export, from its folder. */
#include "base/files.h"
#include "cli/export_internal.h"

static bool load_pair(const char *folder, struct course *course, struct course_pair *pair,
                      struct arena *arena, struct error *err)
{
    struct arena scratch = {NULL};
    size_t size = 0;
    const char *path = files_join(arena, folder, pair->path, err);
    const char *text =
        path == NULL ? NULL : files_read_own(path, COURSE_FILE_LIMIT, &scratch, &size, err);
    bool good = text != NULL && course_read_pair(path, text, size, arena, course, pair, err);
    arena_release(&scratch);
    return good;
}

bool load_course(const char *folder, bool whole, struct arena *arena, struct course *out,
                 struct error *err)
{
    size_t size = 0;
    const char *path = files_join(arena, folder, COURSE_INDEX, err);
    const char *text =
        path == NULL ? NULL : files_read_own(path, COURSE_FILE_LIMIT, arena, &size, err);
    bool good = text != NULL && course_read_index(path, text, size, arena, out, err);
    for (size_t p = 0; good && whole && p < out->pair_count; p++) {
        good = load_pair(folder, out, &out->pairs[p], arena, err);
    }
    return good;
}
