/* SPDX-License-Identifier: MIT */
/* Who may read and write a file that is replaced: a new file beside it takes its name, and would
 * otherwise open what was closed and close what was shared. */
#ifndef BASE_PERMISSIONS_H
#define BASE_PERMISSIONS_H

#include "base/error.h"

/* ERROR_FILE where `path` is a file that this user, or nobody, may write: it is protected, though
 * the folder lets it be replaced. `shown` is the name the user gave. */
bool permissions_allow(const char *path, const char *shown, struct error *err) MUST_CHECK;

/* Gives the open file the permissions of the file at `path`, where there is one; those of its group
 * only where the new file is of the same group. What a file system refuses stays as it is. */
void permissions_take(int descriptor, const char *path);

#endif
