/* SPDX-License-Identifier: MIT */
/* See permissions.h. */
#include "base/permissions.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

bool permissions_allow(const char *path, const char *shown, struct error *err)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return true;
    }
    /* Root may write everything, and means a file that nobody may write all the same. */
    bool some = (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0;
    return (some && (access(path, W_OK) == 0 || errno != EACCES)) ||
           error_set(err, ERROR_FILE,
                     "'%s' is write-protected; allow it, as with 'chmod u+w', or name another file",
                     shown);
}

void permissions_take(int descriptor, const char *path)
{
    struct stat before;
    struct stat now;
    if (stat(path, &before) != 0 || !S_ISREG(before.st_mode) || fstat(descriptor, &now) != 0) {
        return;
    }
    mode_t mode = before.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
    if (now.st_gid != before.st_gid) {
        mode &= ~(mode_t)S_IRWXG | (mode & S_IRWXO) << 3;
    }
    (void)!fchmod(descriptor, mode);
}
