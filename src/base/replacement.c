/* SPDX-License-Identifier: MIT */
/* See replacement.h. */
#include "base/replacement.h"

#include "base/files.h"
#include "base/permissions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

bool replacement_open(struct replacement *replacement, const char *path, struct error *err)
{
    int length = snprintf(replacement->temporary, sizeof replacement->temporary, "%s.tmp.%ld", path,
                          (long)getpid());
    replacement->path = path;
    replacement->descriptor = -1;
    if (length < 0 || (size_t)length >= sizeof replacement->temporary) {
        return error_set(err, ERROR_FILE, "path too long: '%s'; use shorter names", path);
    }
    if (!permissions_allow(path, path, err)) {
        return false;
    }
    replacement->descriptor =
        open(replacement->temporary, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (replacement->descriptor < 0) {
        return files_refuse_new(path, errno, err);
    }
    permissions_take(replacement->descriptor, path);
    return true;
}

bool replacement_write(struct replacement *replacement, const char *bytes, size_t size,
                       struct error *err)
{
    return files_write_all(replacement->descriptor, bytes, size, replacement->path, err);
}

bool replacement_close(struct replacement *replacement, bool good, struct error *err)
{
    const char *path = replacement->path;
    if (replacement->descriptor < 0) {
        return false;
    }
    /* Some file systems cannot sync and say EINVAL: nothing more can be done there. */
    if (good && fsync(replacement->descriptor) != 0 && errno != EINVAL) {
        good = error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", path);
    }
    if (close(replacement->descriptor) != 0 && good) {
        good = error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", path);
    }
    if (good && rename(replacement->temporary, path) != 0) {
        good = error_set_system(err, ERROR_FILE, errno, "cannot replace '%s'", path);
    }
    if (!good) {
        unlink(replacement->temporary);
        return false;
    }
    return files_sync_folder(path, err);
}
