/* SPDX-License-Identifier: MIT */
/* files_replace for what is written piece by piece: beside the file, then in its place. */
#ifndef BASE_REPLACEMENT_H
#define BASE_REPLACEMENT_H

#include "base/error.h"

struct replacement {
    const char *path;
    char temporary[4096];
    int descriptor;
};

/* Creates the file beside `path`, which must stay valid; ERROR_FILE names it. */
bool replacement_open(struct replacement *replacement, const char *path,
                      struct error *err) MUST_CHECK;

bool replacement_write(struct replacement *replacement, const char *bytes, size_t size,
                       struct error *err) MUST_CHECK;

/* Syncs and renames. On failure, and when not `good`, the old file stands and nothing is left
 * behind (or, where only the folder could not be synced, the new file stands). Returns whether the
 * new file is in place. */
bool replacement_close(struct replacement *replacement, bool good, struct error *err) MUST_CHECK;

#endif
