/* SPDX-License-Identifier: MIT */
/* rowmax with one call to the system that fails, for tests: linked with --wrap for each call below.
 *   FAULT=memory:K    the K-th block of memory that an arena asks for is not to be had
 *   FAULT=disk:K      the K-th call that writes fails (ENOSPC, or EIO where that makes no sense)
 *   FAULT=full:K      and so do all from then on, the first after half of its bytes
 *   FAULT_COUNT=FILE  the number of such calls is written there at the end */
#define _GNU_SOURCE
#include "base/arena.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum fault { FAULT_NONE, FAULT_MEMORY, FAULT_DISK, FAULT_FULL };

static struct {
    enum fault kind;
    long at; /* 0: count only */
    atomic_long calls;
    const char *count_file;
} plan;

ssize_t __real_write(int descriptor, const void *bytes, size_t size);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t size);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_close(int descriptor);
int __wrap_close(int descriptor);
int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
int __real_fdatasync(int descriptor);
int __wrap_fdatasync(int descriptor);
int __real_ftruncate(int descriptor, off_t size);
int __wrap_ftruncate(int descriptor, off_t size);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __real_fflush(FILE *stream);
int __wrap_fflush(FILE *stream);

static bool writes_fail_here(bool *first)
{
    if (plan.kind != FAULT_DISK && plan.kind != FAULT_FULL) {
        return false;
    }
    long call = atomic_fetch_add(&plan.calls, 1) + 1;
    *first = call == plan.at;
    return plan.at > 0 && (*first || (plan.kind == FAULT_FULL && call > plan.at));
}

/* Whether this call fails, with `number` in errno. */
static bool fails(int number)
{
    bool first = false;
    bool now = writes_fail_here(&first);
    errno = now ? number : errno;
    return now;
}

ssize_t __wrap_write(int descriptor, const void *bytes, size_t size)
{
    bool first = false;
    if (!writes_fail_here(&first)) {
        return __real_write(descriptor, bytes, size);
    }
    if (plan.kind == FAULT_FULL && first && size > 1) {
        return __real_write(descriptor, bytes, size / 2);
    }
    errno = ENOSPC;
    return -1;
}

int __wrap_open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    return (flags & O_CREAT) != 0 && fails(ENOSPC) ? -1 : __real_open(path, flags, mode);
}

/* Of files that were written: closing others cannot fail for want of room. */
int __wrap_close(int descriptor)
{
    int mode = fcntl(descriptor, F_GETFL);
    struct stat status;
    bool written = mode >= 0 && (mode & O_ACCMODE) != O_RDONLY && fstat(descriptor, &status) == 0 &&
                   S_ISREG(status.st_mode);
    bool failed = written && fails(EIO);
    int result = __real_close(descriptor);
    errno = failed ? EIO : errno;
    return failed ? -1 : result;
}

int __wrap_fsync(int descriptor)
{
    return fails(EIO) ? -1 : __real_fsync(descriptor);
}

int __wrap_fdatasync(int descriptor)
{
    return fails(EIO) ? -1 : __real_fdatasync(descriptor);
}

int __wrap_ftruncate(int descriptor, off_t size)
{
    /* A full disk takes back. */
    return plan.kind == FAULT_DISK && fails(EIO) ? -1 : __real_ftruncate(descriptor, size);
}

int __wrap_rename(const char *from, const char *to)
{
    return fails(ENOSPC) ? -1 : __real_rename(from, to);
}

int __wrap_mkdir(const char *path, mode_t mode)
{
    return fails(ENOSPC) ? -1 : __real_mkdir(path, mode);
}

int __wrap_fflush(FILE *stream)
{
    bool writes = stream == stdout && __fpending(stdout) > 0;
    int result = __real_fflush(stream);
    return writes && fails(ENOSPC) ? EOF : result;
}

static void *scarce(size_t bytes)
{
    long call = atomic_fetch_add(&plan.calls, 1) + 1;
    return call == plan.at ? NULL : malloc(bytes);
}

static void read_plan(void)
{
    static const char *const names[] = {
        [FAULT_MEMORY] = "memory:", [FAULT_DISK] = "disk:", [FAULT_FULL] = "full:"};
    const char *text = getenv("FAULT");
    plan.count_file = getenv("FAULT_COUNT");
    for (int kind = FAULT_MEMORY; text != NULL && kind <= FAULT_FULL; kind++) {
        if (strncmp(text, names[kind], strlen(names[kind])) == 0) {
            plan.kind = (enum fault)kind;
            plan.at = atol(text + strlen(names[kind]));
        }
    }
    if (plan.kind == FAULT_MEMORY) {
        arena_system_alloc = scarce;
    }
}

static void tell_count(void)
{
    FILE *file = plan.count_file == NULL ? NULL : fopen(plan.count_file, "w");
    if (file != NULL) {
        fprintf(file, "%ld\n", atomic_load(&plan.calls));
        fclose(file);
    }
}

int main(int argc, char **argv)
{
    read_plan();
    int status = cli_main(argc, argv);
    tell_count();
    return status;
}
