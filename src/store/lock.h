/* SPDX-License-Identifier: MIT */
/* One writer per results file: flock on PATH.lock, which the kernel frees however the holder ends.
 * The file holds the pid of the holder, its host and its start, for messages only. */
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

/* Takes the lock of a resolved path; ERROR_FILE naming the holder when another process has it, or
 * when the path is too long for those of the lock, the journal and what else lies beside the file.
 * `shown` is the name the user gave. Where the file system has no locks it is ERROR_FILE, too, but
 * with `optional` as good as taken. */
bool lock_take(struct lock *lock, const char *resolved, const char *shown, bool optional,
               struct arena *arena, struct error *err) MUST_CHECK;

/* Removes the lock file and frees the lock. */
void lock_release(struct lock *lock);

/* ERROR_FILE when another program holds the file itself open for writing: HDF5 locks what it
 * writes. Its bytes are then those of neither end of the writing, and would pass for damaged. */
bool lock_check_unwritten(const char *path, const char *shown, struct error *err) MUST_CHECK;

#endif
