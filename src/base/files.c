/* SPDX-License-Identifier: MIT */
/* Files; see files.h. */
#include "base/files.h"

#include "base/permissions.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40

#define READ_STEP ((size_t)1 << 16)

/* Bytes read so far, with room for one more step and a terminating NUL. */
struct stream {
    char *bytes;
    size_t used, capacity;
};

static bool stream_reserve(struct stream *stream, struct arena *arena, struct error *err)
{
    if (stream->capacity - stream->used > READ_STEP) {
        return true;
    }
    size_t larger = stream->capacity == 0 ? 2 * READ_STEP : 2 * stream->capacity;
    char *copy = arena_alloc_raw(arena, larger, 1, err);
    if (copy == NULL) {
        return false;
    }
    if (stream->used > 0) {
        memcpy(copy, stream->bytes, stream->used);
    }
    stream->bytes = copy;
    stream->capacity = larger;
    return true;
}

/* Room for a file whose size is known, so that reading it copies nothing. */
static size_t room_for(int descriptor, size_t limit)
{
    struct stat status;
    bool known = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    return known && (uint64_t)status.st_size <= limit ? (size_t)status.st_size + READ_STEP + 1 : 0;
}

/* Reads to the end of the descriptor. */
static char *read_stream(int descriptor, const char *path, size_t limit, struct arena *arena,
                         size_t *size, struct error *err)
{
    struct stream stream = {NULL, 0, room_for(descriptor, limit)};
    if (stream.capacity > 0) {
        stream.bytes = arena_alloc_raw(arena, stream.capacity, 1, err);
        if (stream.bytes == NULL) {
            return NULL;
        }
    }
    ssize_t got = 1;
    while (got != 0) {
        if (!stream_reserve(&stream, arena, err)) {
            return NULL;
        }
        got = read(descriptor, stream.bytes + stream.used, READ_STEP);
        if (got < 0 && errno != EINTR) {
            error_set_system(err, ERROR_INPUT, errno, "cannot read '%s'", path);
            return NULL;
        }
        stream.used += got > 0 ? (size_t)got : 0;
        if (stream.used > limit) {
            error_set(err, ERROR_INPUT,
                      "'%s' is larger than %zu bytes, the limit; is it the file that was meant?",
                      path, limit);
            return NULL;
        }
    }
    *size = stream.used;
    stream.bytes[stream.used] = '\0';
    return stream.bytes;
}

char *files_read(const char *path, size_t limit, struct arena *arena, size_t *size,
                 struct error *err)
{
    if (strcmp(path, "-") == 0) {
        return read_stream(STDIN_FILENO, "standard input", limit, arena, size, err);
    }
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        error_set_system(err, ERROR_INPUT, errno, "cannot open '%s'", path);
        return NULL;
    }
    struct stat status;
    char *bytes = NULL;
    if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        error_set(err, ERROR_INPUT, "'%s' is a folder, not a file", path);
    } else {
        bytes = read_stream(descriptor, path, limit, arena, size, err);
    }
    close(descriptor);
    return bytes;
}

static bool is_regular(int descriptor, const char *path, struct file_identity *identity,
                       struct error *err)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return error_set_system(err, ERROR_INPUT, errno, "cannot look at '%s'", path);
    }
    *identity = (struct file_identity){(uint64_t)status.st_dev, (uint64_t)status.st_ino};
    return S_ISREG(status.st_mode) ||
           error_set(err, ERROR_INPUT, "'%s' is no regular file; name one that is", path);
}

char *files_read_regular(const char *path, size_t limit, struct arena *arena, size_t *size,
                         struct file_identity *identity, struct error *err)
{
    /* To open a device may do something, to open a pipe wait for ever. */
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        error_set(err, ERROR_INPUT, "'%s' is no regular file; name one that is", path);
        return NULL;
    }
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        error_set_system(err, ERROR_INPUT, errno, "cannot open '%s'", path);
        return NULL;
    }
    char *bytes = is_regular(descriptor, path, identity, err)
                      ? read_stream(descriptor, path, limit, arena, size, err)
                      : NULL;
    close(descriptor);
    return bytes;
}

char *files_read_own(const char *path, size_t limit, struct arena *arena, size_t *size,
                     struct error *err)
{
    struct stat status;
    struct file_identity ignored;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        error_set(err, ERROR_INPUT, "'%s' is a folder, not a file", path);
        return NULL;
    }
    return files_read_regular(path, limit, arena, size, &ignored, err);
}

bool files_identify(const char *path, struct file_identity *identity)
{
    struct stat status;
    bool there = stat(path, &status) == 0;
    if (there) {
        *identity = (struct file_identity){(uint64_t)status.st_dev, (uint64_t)status.st_ino};
    }
    return there;
}

bool files_write_all(int descriptor, const void *bytes, size_t size, const char *path,
                     struct error *err)
{
    const char *rest = bytes;
    while (size > 0) {
        ssize_t written = write(descriptor, rest, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", path);
        }
        rest += written;
        size -= (size_t)written;
    }
    return true;
}

bool files_refuse_folder(const char *path, const char *folder, struct error *err)
{
    /* A command that shows another name than is meant would make another folder. */
    char shown[PATH_MAX];
    bool plain = folder[0] != '-' && strchr(folder, '\'') == NULL &&
                 strcmp(text_printable(folder, shown, sizeof shown), folder) == 0;
    return error_set(err, ERROR_FILE,
                     plain ? "the folder of '%s' does not exist; make it with: mkdir -p '%s'"
                           : "the folder of '%s' does not exist; make the folder '%s' first",
                     path, folder);
}

bool files_refuse_new(const char *path, int number, struct error *err)
{
    struct arena scratch = {NULL};
    const char *folder = files_folder(&scratch, path, err);
    if (folder != NULL && number == ENOENT && !files_exists(folder)) {
        files_refuse_folder(path, folder, err);
    }
    arena_release(&scratch);
    return error_set_system(err, ERROR_FILE, number, "cannot create '%s'", path);
}

/* `model` is a file whose permissions the new one takes, NULL for none. */
static bool write_file(const char *path, const char *model, int flags, const void *bytes,
                       size_t size, bool synced, const char *shown, struct error *err)
{
    int descriptor = open(path, flags | O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) {
        return files_refuse_new(shown, errno, err);
    }
    if (model != NULL) {
        permissions_take(descriptor, model);
    }
    bool good = files_write_all(descriptor, bytes, size, shown, err);
    /* Some file systems cannot sync and say EINVAL: nothing more can be done there. */
    if (good && synced && fsync(descriptor) != 0 && errno != EINVAL) {
        good = error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", shown);
    }
    if (close(descriptor) != 0 && good) {
        good = error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", shown);
    }
    return good;
}

bool files_write_synced(const char *path, const char *model, int flags, const void *bytes,
                        size_t size, const char *shown, struct error *err)
{
    return write_file(path, model, flags, bytes, size, true, shown, err);
}

/* What a failed write has left is cut off again: a line is there whole or not at all. */
static bool append_all(int descriptor, const void *bytes, size_t size, const char *path,
                       struct error *err)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        return error_set(err, ERROR_FILE, "cannot add to '%s': not a regular file", path);
    }
    /* A new file is to last before anything is in it: what is added last must not fail. */
    if (status.st_size == 0 && !files_sync_folder(path, err)) {
        return false;
    }
    bool good = files_write_all(descriptor, bytes, size, path, err);
    if (good && fsync(descriptor) != 0 && errno != EINVAL) {
        good = error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", path);
    }
    if (!good && ftruncate(descriptor, status.st_size) != 0) {
        error_add_context(err, "'%s' now ends in half a line", path);
    }
    return good;
}

bool files_append(const char *path, const void *bytes, size_t size, struct error *err)
{
    int descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return files_refuse_new(path, errno, err);
    }
    bool good = flock(descriptor, LOCK_EX) == 0 ||
                error_set_system(err, ERROR_FILE, errno, "cannot lock '%s'", path);
    good = good && append_all(descriptor, bytes, size, path, err);
    close(descriptor);
    return good;
}

static bool replace(const char *path, const void *bytes, size_t size, bool synced,
                    struct error *err)
{
    char temporary[4096];
    int length = snprintf(temporary, sizeof temporary, "%s.tmp.%ld", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof temporary) {
        return error_set(err, ERROR_FILE, "path too long: '%s'; use shorter names", path);
    }
    if (!permissions_allow(path, path, err)) {
        return false;
    }
    bool good = write_file(temporary, path, O_TRUNC, bytes, size, synced, path, err);
    if (good && rename(temporary, path) != 0) {
        good = error_set_system(err, ERROR_FILE, errno, "cannot replace '%s'", path);
    }
    if (!good) {
        unlink(temporary);
    }
    return good;
}

bool files_replace_unsynced(const char *path, const void *bytes, size_t size, struct error *err)
{
    return replace(path, bytes, size, false, err);
}

/* The target of the symbolic link `path`, or `path` itself when it is none. */
static char *follow_once(char *path, struct arena *arena, struct error *err)
{
    struct stat status;
    char target[PATH_MAX];
    if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode)) {
        return path;
    }
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0) {
        error_set_system(err, ERROR_FILE, errno, "cannot follow the link '%s'", path);
        return NULL;
    }
    target[length] = '\0';
    char *folder = files_folder(arena, path, err);
    return folder == NULL ? NULL : files_join(arena, folder, target, err);
}

char *files_follow(const char *path, struct arena *arena, struct error *err)
{
    char *at = arena_copy_text(arena, path, err);
    for (int links = 0; at != NULL; links++) {
        char *next = follow_once(at, arena, err);
        if (next == at) {
            return at;
        }
        if (links == LINKS_MAX) {
            error_set(err, ERROR_FILE, "'%s' is a loop of symbolic links; name a file itself",
                      path);
            return NULL;
        }
        at = next;
    }
    return NULL;
}

static bool sync_folder(const char *folder, struct error *err)
{
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        return error_set_system(err, ERROR_FILE, errno, "cannot open the folder '%s'", folder);
    }
    /* Some file systems cannot sync a folder and say EINVAL: nothing more can be done there. */
    bool good = fsync(descriptor) == 0 || errno == EINVAL;
    int number = errno;
    close(descriptor);
    return good || error_set_system(err, ERROR_FILE, number, "cannot sync '%s'", folder);
}

bool files_sync_folder(const char *path, struct error *err)
{
    struct arena scratch = {NULL};
    const char *folder = files_folder(&scratch, path, err);
    bool good = folder != NULL && sync_folder(folder, err);
    arena_release(&scratch);
    return good;
}

bool files_replace(const char *path, const void *bytes, size_t size, struct error *err)
{
    return replace(path, bytes, size, true, err) && files_sync_folder(path, err);
}

bool files_make_folders(const char *path, struct error *err)
{
    char partial[4096];
    size_t length = strlen(path);
    if (length >= sizeof partial) {
        return error_set(err, ERROR_FILE, "path too long: '%s'; use shorter names", path);
    }
    memcpy(partial, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        partial[i] = '\0';
        if (mkdir(partial, 0777) != 0 && errno != EEXIST) {
            return error_set_system(err, ERROR_FILE, errno, "cannot make the folder '%s'", partial);
        }
        partial[i] = path[i];
    }
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        return error_set(
            err, ERROR_FILE,
            "'%s' is in the way: it is not a folder; move it away or name another place", path);
    }
    return true;
}

bool files_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

char *files_join(struct arena *arena, const char *folder, const char *name, struct error *err)
{
    if (name[0] == '/' || folder[0] == '\0' || strcmp(folder, ".") == 0) {
        return arena_copy_text(arena, name, err);
    }
    bool slash = folder[strlen(folder) - 1] == '/';
    return arena_format(arena, err, slash ? "%s%s" : "%s/%s", folder, name);
}

char *files_folder(struct arena *arena, const char *path, struct error *err)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return arena_copy_text(arena, ".", err);
    }
    return arena_copy_bytes(arena, path, slash == path ? 1 : (size_t)(slash - path), err);
}

char *files_stem(struct arena *arena, const char *path, struct error *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(name, '.');
    size_t length = dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
    return arena_copy_bytes(arena, name, length, err);
}
