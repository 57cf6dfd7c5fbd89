/* SPDX-License-Identifier: MIT */
/* One writer per results file: flock on PATH.lock, which the kernel frees however the holder ends.
 * The file holds the pid of the holder, for messages only. */
#ifndef STORE_LOCK_H
#define STORE_LOCK_H

#include "base/arena.h"

struct lock {
    int descriptor; /* -1 when not held */
    const char *path;
};

/* The one name of a results file: its folder resolved and symbolic links to the file followed, so
 * that two names of one file share a lock and a journal. The file need not exist, its folder must:
 * ERROR_FILE otherwise, as for a folder or a device in its place. */
char *lock_resolve(const char *path, struct arena *arena, struct error *err) MUST_CHECK;

/* Takes the lock of a resolved path; ERROR_FILE naming the holder when another process has it.
 * `shown` is the name the user gave. */
bool lock_take(struct lock *lock, const char *resolved, const char *shown, struct arena *arena,
               struct error *err) MUST_CHECK;

/* Removes the lock file and frees the lock. */
void lock_release(struct lock *lock);

/* Whether another program holds the file itself open for writing: HDF5 locks what it writes. */
bool lock_is_written_elsewhere(const char *path);

#endif
