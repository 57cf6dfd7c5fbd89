/* SPDX-License-Identifier: MIT */
/* Where an array lies and in which format; see array.h. */
#include "arrays/array_internal.h"

#include "base/hdf_signature.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool names_a_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

static bool no_file(const char *location, struct error *err)
{
    struct stat status;
    if (stat(location, &status) == 0) {
        return error_set(err, ERROR_INPUT, "'%s' is a folder, not a file", location);
    }
    if (errno != ENOENT && errno != ENOTDIR) {
        return error_set_system(err, ERROR_INPUT, errno, "cannot open '%s'", location);
    }
    return error_set(err, ERROR_INPUT, "no file '%s'; paths are relative to the sweep file",
                     location);
}

const char *array_path(const char *location, struct arena *arena, struct error *err)
{
    char *path = arena_copy_text(arena, location, err);
    while (path != NULL && !names_a_file(path)) {
        char *colon = strrchr(path, ':');
        if (colon == NULL) {
            no_file(location, err);
            return NULL;
        }
        *colon = '\0';
    }
    return path;
}

/* Neither waits for the other end of a pipe, nor reads a device without end. */
static bool open_regular(const char *path, struct array_file *file, struct error *err)
{
    struct stat status;
    file->path = path;
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->descriptor < 0 || fstat(file->descriptor, &status) != 0) {
        return error_set_system(err, ERROR_INPUT, errno, "cannot open '%s'", path);
    }
    if (!S_ISREG(status.st_mode)) {
        return error_set(err, ERROR_INPUT, "'%s' is not a regular file; copy it to one", path);
    }
    file->size = (uint64_t)status.st_size;
    return true;
}

bool array_file_read(const struct array_file *file, uint64_t offset, void *out, size_t size,
                     struct error *err)
{
    char *at = out;
    while (size > 0) {
        ssize_t got = pread(file->descriptor, at, size, (off_t)offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return error_set_system(err, ERROR_INPUT, errno, "cannot read '%s'", file->path);
        }
        if (got == 0) {
            return error_set(err, ERROR_INPUT, "'%s' became shorter while it was read", file->path);
        }
        at += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

static bool holds_at(const struct array_file *file, uint64_t offset, const char *wanted,
                     size_t length)
{
    char found[8];
    struct error ignored = ERROR_INIT;
    return offset <= file->size && file->size - offset >= length &&
           array_file_read(file, offset, found, length, &ignored) &&
           memcmp(found, wanted, length) == 0;
}

/* HDF5 files may begin with a block of the user's of 512 bytes, 1024, 2048 and so on. */
static bool is_hdf5(const struct array_file *file)
{
    bool found = holds_at(file, 0, HDF_SIGNATURE, HDF_SIGNATURE_SIZE);
    for (uint64_t at = 512; !found && at < file->size; at *= 2) {
        found = holds_at(file, at, HDF_SIGNATURE, HDF_SIGNATURE_SIZE);
    }
    return found;
}

static bool read_file(const struct array_file *file, const char *dataset, struct arena *arena,
                      struct array *out, struct error *err)
{
    if (holds_at(file, 0, "\x93NUMPY", 6)) {
        if (dataset != NULL) {
            return error_set(err, ERROR_INPUT,
                             "'%s' is a .npy file, which holds one array; leave out ':%s'",
                             file->path, dataset);
        }
        return npy_read(file, arena, out, err);
    }
    if (holds_at(file, 8, "{", 1)) {
        return safetensors_read(file, dataset, arena, out, err);
    }
    if (is_hdf5(file)) {
        return hdf5_read(file, dataset, arena, out, err);
    }
    if (holds_at(file, 0, "PK\x03\x04", 4)) {
        return error_set(err, ERROR_INPUT,
                         "'%s' is a zip archive (.npz, .pt); save its arrays one by one with "
                         "numpy.save(path, array)",
                         file->path);
    }
    return error_set(err, ERROR_INPUT,
                     "'%s' is not a .npy, HDF5 or safetensors file; write it with "
                     "numpy.save(path, array)",
                     file->path);
}

bool array_read(const char *location, struct arena *arena, struct array *out, struct error *err)
{
    struct arena scratch = {NULL};
    struct array_file file = {.descriptor = -1};
    const char *path = array_path(location, &scratch, err);
    bool good = path != NULL && open_regular(path, &file, err);
    if (good) {
        const char *rest = location + strlen(path);
        good = read_file(&file, rest[0] == '\0' ? NULL : rest + 1, arena, out, err);
    }
    if (file.descriptor >= 0) {
        close(file.descriptor);
    }
    arena_release(&scratch);
    return good;
}
