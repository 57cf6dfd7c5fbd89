/* SPDX-License-Identifier: MIT */
/* Files: read whole, replace atomically, make folders, build paths. Messages name the path. */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include "base/arena.h"

#include <stdint.h>

/* Reads `path` ("-" is standard input) into the arena, with a terminating NUL beyond *size.
 * Refuses folders and more than `limit` bytes. NULL with `err` (ERROR_INPUT) set on failure. */
char *files_read(const char *path, size_t limit, struct arena *arena, size_t *size,
                 struct error *err) MUST_CHECK;

/* The same of a name of our own making, beside results or in a folder of ours: only a regular file
 * is opened there, as whoever may write to the folder could have put a pipe under it, which would
 * wait for ever. */
char *files_read_own(const char *path, size_t limit, struct arena *arena, size_t *size,
                     struct error *err) MUST_CHECK;

/* Tells files apart whatever their paths. */
struct file_identity {
    uint64_t device, number;
};

/* Reads a file of which nothing is known: anything but a regular file, such as a pipe or a device,
 * is refused unopened. "-" is a file of that name. *identity is its own. */
char *files_read_regular(const char *path, size_t limit, struct arena *arena, size_t *size,
                         struct file_identity *identity, struct error *err) MUST_CHECK;

/* False when there is nothing at `path`. */
bool files_identify(const char *path, struct file_identity *identity);

/* ERROR_FILE: `path` names a file in the folder `folder`, which is not there; with how to make it.
 */
bool files_refuse_folder(const char *path, const char *folder, struct error *err);

/* ERROR_FILE: `path` could not be made, `number` being the errno. */
bool files_refuse_new(const char *path, int number, struct error *err);

/* Replaces `path` by the bytes: written beside it, synced, renamed, folder synced; on failure
 * (ERROR_FILE) the old file stands unchanged (or, where only the folder could not be synced, the
 * new one) and nothing is left behind. The new file has the permissions of the old one, and one
 * that is write-protected is not replaced; permissions.h. */
bool files_replace(const char *path, const void *bytes, size_t size, struct error *err) MUST_CHECK;

/* The same without syncing anything, which is most of the time of a small file: for what a power
 * cut may take. */
bool files_replace_unsynced(const char *path, const void *bytes, size_t size,
                            struct error *err) MUST_CHECK;

/* What a symbolic link leads to, over several of them, there or not; the path itself where it is
 * none. A file that the user names is followed so before it is replaced; names of our own making,
 * in folders that others may write to, are not. ERROR_FILE for a loop. */
char *files_follow(const char *path, struct arena *arena, struct error *err) MUST_CHECK;

/* Adds the bytes at the end of `path`, which is created where it is missing: all of them or, on
 * failure (ERROR_FILE), none. Writers that use this take turns; the bytes are synced. */
bool files_append(const char *path, const void *bytes, size_t size, struct error *err) MUST_CHECK;

/* write(2) until all is written; ERROR_FILE naming `path` otherwise. */
bool files_write_all(int descriptor, const void *bytes, size_t size, const char *path,
                     struct error *err) MUST_CHECK;

/* Creates `path`, where `flags` add O_EXCL or O_TRUNC, and writes and syncs the bytes; ERROR_FILE
 * naming `shown` otherwise, and what was written so far stays. Symbolic links are not followed.
 * From the first byte on it has the permissions of `model`, where that is a file; NULL for none. */
bool files_write_synced(const char *path, const char *model, int flags, const void *bytes,
                        size_t size, const char *shown, struct error *err) MUST_CHECK;

/* fsync of the folder that holds `path`, so that a rename survives a power cut. */
bool files_sync_folder(const char *path, struct error *err) MUST_CHECK;

/* mkdir -p. */
bool files_make_folders(const char *path, struct error *err) MUST_CHECK;

bool files_exists(const char *path);

/* `folder`/`name`, or `name` alone if it is absolute or `folder` is empty or ".". */
char *files_join(struct arena *arena, const char *folder, const char *name,
                 struct error *err) MUST_CHECK;

/* The folder part of a path ("." if none), and the last part without its extension. */
char *files_folder(struct arena *arena, const char *path, struct error *err) MUST_CHECK;
char *files_stem(struct arena *arena, const char *path, struct error *err) MUST_CHECK;

#endif
