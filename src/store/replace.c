/* SPDX-License-Identifier: MIT */
/* Puts a results file in place of the old one, all or nothing; see writer.h. */
#include "store/writer.h"

#include "base/files.h"
#include "base/permissions.h"
#include "store/facts.h"
#include "store/reader.h"
#include "store/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char *writer_unfinished(const char *path, struct arena *arena, struct error *err)
{
    return arena_format(arena, err, "%s.unfinished", path);
}

static bool keeps_matrices(const struct result_set *set)
{
    bool some = false;
    for (size_t row = 0; !some && row < set->count; row++) {
        some = result_kept(set, row).tokens > 0;
    }
    return some;
}

/* Reads the file as any later command will and compares every value. */
static bool verify_whole(const char *path, const struct result_set *set, struct error *err)
{
    struct arena arena = {NULL};
    struct result_set back;
    bool good = reader_read(path, &arena, &back, err);
    if (good && (back.count != set->count || !facts_equal(set, &back))) {
        good = error_set(err, ERROR_FILE, "'%s' does not read back as it was written", path);
    }
    size_t row = good ? rows_equal_until(set, &back) : set->count;
    if (row < set->count) {
        good = error_set(err, ERROR_FILE, "row %zu of '%s' does not read back as it was written",
                         row, path);
    }
    arena_release(&arena);
    return good;
}

/* Long sets, which keep no matrices, are compared column by column. */
static bool verify(const char *path, const struct result_set *set, struct error *err)
{
    return keeps_matrices(set) ? verify_whole(path, set, err) : writer_check(path, set, err);
}

/* Nothing of the image is left in memory when the file is read back. */
static bool write_image(const char *path, const char *unfinished, const struct result_set *set,
                        struct error *err)
{
    struct arena arena = {NULL};
    const void *bytes;
    size_t size;
    bool good = writer_image(set, &arena, &bytes, &size, err) ||
                error_add_context(err, "cannot write '%s'", path);
    if (good && unlink(unfinished) != 0 && errno != ENOENT) {
        good = error_set_system(err, ERROR_FILE, errno, "cannot remove '%s'", unfinished);
    }
    if (good && !files_write_synced(unfinished, path, O_EXCL, bytes, size, unfinished, err)) {
        unlink(unfinished);
        good = false;
    }
    arena_release(&arena);
    return good;
}

static bool replace(const char *path, const char *unfinished, const struct result_set *set,
                    struct error *err)
{
    if (!permissions_allow(path, path, err) || !write_image(path, unfinished, set, err)) {
        return false;
    }
    bool good = verify(unfinished, set, err);
    if (good && rename(unfinished, path) != 0) {
        good = error_set_system(err, ERROR_FILE, errno, "cannot replace '%s'", path);
    }
    if (!good) {
        unlink(unfinished);
        return false;
    }
    return files_sync_folder(path, err);
}

bool writer_replace(const char *path, const struct result_set *set, struct error *err)
{
    struct arena arena = {NULL};
    const char *unfinished = writer_unfinished(path, &arena, err);
    bool good = unfinished != NULL && replace(path, unfinished, set, err);
    arena_release(&arena);
    return good;
}
