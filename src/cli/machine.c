/* SPDX-License-Identifier: MIT */
/* See machine.h. */
#include "cli/machine.h"

#include "base/arena.h"
#include "base/files.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#define PATH_SIZE 4096
#define FILE_SIZE 16384

/* A buffer of OpenBLAS and a stack. */
#define BYTES_A_THREAD ((size_t)144 << 20)

/* Of the first thread and of each other one; three times what the deepest of them was seen to take.
 */
#define LEAST_STACK (512 * 1024)

/* The beginning of a small file as text; false when there is none. */
static bool read_text(const char *path, char text[FILE_SIZE])
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    size_t length = fread(text, 1, FILE_SIZE - 1, file);
    text[length] = '\0';
    fclose(file);
    return length > 0;
}

/* The number behind a name that begins a line, or infinity. */
static double number_behind(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0) {
            return strtod(line + length, NULL);
        }
    }
    return (double)INFINITY;
}

/* The number in a file of one; infinity for none, and for "max". */
static double number_in(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    char text[FILE_SIZE];
    char *end;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!read_text(path, text)) {
        return (double)INFINITY;
    }
    double number = strtod(text, &end);
    return end == text ? (double)INFINITY : number;
}

/* What a group leaves; pages of files that it could drop at once count as free. */
static double left_in_group(const char *folder, const char *limit, const char *usage,
                            const char *droppable)
{
    char path[PATH_SIZE];
    char text[FILE_SIZE];
    double most = number_in(folder, limit);
    double used = number_in(folder, usage);
    if (!isfinite(most) || !isfinite(used)) {
        return (double)INFINITY;
    }
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    double dropped = read_text(path, text) ? number_behind(text, droppable) : 0;
    return fmax(0, most - used + (isfinite(dropped) ? dropped : 0));
}

/* The group of this process and those above it. */
static double left_in_groups(const char *root)
{
    char path[PATH_SIZE];
    char text[FILE_SIZE];
    char folder[PATH_SIZE];
    snprintf(path, sizeof path, "%s/sys/fs/cgroup/memory", root);
    double least = left_in_group(path, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                 "total_inactive_file");
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    char *own = read_text(path, text) ? strstr(text, "0::/") : NULL;
    if (own != NULL) {
        own += 3;
        own[strcspn(own, "\n")] = '\0';
    }
    snprintf(path, sizeof path, "%s/sys/fs/cgroup", root);
    size_t top = strlen(path);
    int length = snprintf(folder, sizeof folder, "%s%s", path, own == NULL ? "" : own);
    if (length < 0 || (size_t)length >= sizeof folder) {
        return least;
    }
    for (;;) {
        least = fmin(least, left_in_group(folder, "memory.max", "memory.current", "inactive_file"));
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= top || slash == NULL) {
            return least;
        }
        *slash = '\0';
    }
}

double machine_memory(const char *root)
{
    char path[PATH_SIZE];
    char text[FILE_SIZE];
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    double available = (double)INFINITY;
    if (read_text(path, text)) {
        available = 1024 * number_behind(text, "MemAvailable:");
    }
    return fmin(available, left_in_groups(root));
}

/* Only what can be written counts as data (ulimit -d). */
static const struct {
    int resource, protection;
    char letter;
    const char *what;
} memory_limits[] = {
    {RLIMIT_AS, PROT_NONE, 'v', "memory"},
    {RLIMIT_DATA, PROT_READ | PROT_WRITE, 'd', "data"},
};

/* What a limit on this process allows; infinity where it sets none or is not known. */
static double limit_of(int resource)
{
    struct rlimit limit;
    bool known = getrlimit((__rlimit_resource_t)resource, &limit) == 0;
    return known && limit.rlim_cur != RLIM_INFINITY ? (double)limit.rlim_cur : (double)INFINITY;
}

static bool can_map(size_t size, int protection)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *room = mmap(NULL, size, protection, flags, -1, 0);
    return room != MAP_FAILED && munmap(room, size) == 0;
}

static bool has_buffers(size_t threads, struct error *err)
{
    for (size_t i = 0; i < sizeof memory_limits / sizeof memory_limits[0]; i++) {
        double limit = limit_of(memory_limits[i].resource);
        if (!isinf(limit) && !can_map(threads * BYTES_A_THREAD, memory_limits[i].protection)) {
            return error_set(err, ERROR_INPUT,
                             "the limit on %s (ulimit -%c %.0f) leaves no room for the buffers of "
                             "%zu thread%s, %zu MB each; raise it or use fewer threads (-j)",
                             memory_limits[i].what, memory_limits[i].letter, limit / 1024, threads,
                             threads == 1 ? "" : "s", BYTES_A_THREAD >> 20);
        }
    }
    return true;
}

bool machine_has_room(size_t threads, struct error *err)
{
    double stack = limit_of(RLIMIT_STACK);
    if (threads > 0 && stack < LEAST_STACK) {
        return error_set(err, ERROR_INPUT,
                         "the limit on the stack (ulimit -s %.0f) is less than the %d kB that are "
                         "needed; raise it, as with 'ulimit -s 8192'",
                         stack / 1024, LEAST_STACK / 1024);
    }
    return threads == 0 || has_buffers(threads, err);
}

double machine_disk(const char *path)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct statvfs disk;
    const char *folder = files_folder(&arena, path, &err);
    bool known = folder != NULL && statvfs(folder, &disk) == 0;
    arena_release(&arena);
    return known ? (double)disk.f_bavail * (double)disk.f_frsize : (double)INFINITY;
}
