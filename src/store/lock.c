/* SPDX-License-Identifier: MIT */
/* See lock.h. */
#include "store/lock.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ATTEMPTS_MAX 100
#define HOST_SIZE 128
#define START_SIZE 32
#define HOLDER_SIZE (HOST_SIZE + START_SIZE + 32)

/* Beside OUT.h5 lie its lock, its journal, OUT.h5.unfinished, and OUT.h5.timing, which is written
 * under the longest of these names. */
#define LONGEST_ENDING ".timing.tmp.1234567"
#define ENDING_SIZE (sizeof LONGEST_ENDING - 1)

static bool check_place(const char *resolved, const char *shown, struct error *err)
{
    struct stat status;
    if (stat(resolved, &status) != 0) {
        return true;
    }
    if (S_ISDIR(status.st_mode)) {
        return error_set(err, ERROR_FILE, "'%s' is a folder; name a file in it", shown);
    }
    return S_ISREG(status.st_mode) ||
           error_set(err, ERROR_FILE, "'%s' is not a regular file; name one that is", shown);
}

/* The real name of the folder `parent`, in which `path` lies. */
static bool resolve_folder(const char *parent, const char *path, char folder[PATH_MAX],
                           struct error *err)
{
    struct stat status;
    if (realpath(parent, folder) != NULL) {
        return (stat(folder, &status) == 0 && S_ISDIR(status.st_mode)) ||
               error_set(err, ERROR_FILE, "'%s' is not a folder; name a file in one", parent);
    }
    if (errno == ENOENT) {
        return files_refuse_folder(path, parent, err);
    }
    return error_set_system(err, ERROR_FILE, errno, "cannot use the folder '%s'", parent);
}

char *lock_resolve(const char *path, struct arena *arena, struct error *err)
{
    char folder[PATH_MAX];
    const char *last = files_follow(path, arena, err);
    const char *parent = last == NULL ? NULL : files_folder(arena, last, err);
    if (parent == NULL || !resolve_folder(parent, path, folder, err)) {
        return NULL;
    }
    const char *slash = strrchr(last, '/');
    const char *name = slash == NULL ? last : slash + 1;
    if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        error_set(err, ERROR_FILE, "'%s' names a folder; name a file in it", path);
        return NULL;
    }
    char *resolved = files_join(arena, folder, name, err);
    return resolved != NULL && check_place(resolved, path, err) ? resolved : NULL;
}

/* Says who holds the lock. Right after it was taken that may not be written yet. */
static bool refuse(const struct lock *lock, const char *shown, struct error *err)
{
    char text[HOLDER_SIZE] = "";
    ssize_t length = pread(lock->descriptor, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    char *host = NULL;
    long pid = strtol(text, &host, 10);
    char *start = *host == ' ' ? strchr(host + 1, ' ') : NULL;
    if (pid > 0 && start != NULL) {
        *start = '\0';
        return error_set(err, ERROR_FILE,
                         "'%s' is in use by process %ld on '%s' since %s; wait for it to end or "
                         "name another file",
                         shown, pid, host + 1, start + 1);
    }
    return error_set(err, ERROR_FILE,
                     "'%s' is in use by another process; wait for it to end or name another file",
                     shown);
}

static bool lock_file(const struct lock *lock, const char *shown, bool optional, struct error *err)
{
    int number;
    do {
        number = flock(lock->descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    } while (number == EINTR);
    if (number == EWOULDBLOCK) {
        return refuse(lock, shown, err);
    }
    return number == 0 || optional ||
           error_set_system(err, ERROR_FILE, number,
                            "cannot lock '%s'; name a file on a local disk, or add --no-lock if "
                            "nothing else writes it",
                            shown);
}

/* Whether the locked file is still the one that its name leads to: the holder before may have
 * removed it between our open and our lock, and a third process made a new one. */
static bool still_there(const struct lock *lock)
{
    struct stat held;
    struct stat named;
    return fstat(lock->descriptor, &held) == 0 && stat(lock->path, &named) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/* "4711 host 2026-11-29 20:51:35 UTC" */
static bool write_holder(const struct lock *lock, struct error *err)
{
    char text[HOLDER_SIZE];
    char host[HOST_SIZE] = "";
    char start[START_SIZE] = "";
    struct tm parts;
    time_t now = time(NULL);
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0') {
        snprintf(host, sizeof host, "unknown");
    }
    if (gmtime_r(&now, &parts) == NULL ||
        strftime(start, sizeof start, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0) {
        snprintf(start, sizeof start, "an unknown time");
    }
    int length = snprintf(text, sizeof text, "%ld %s %s\n", (long)getpid(), host, start);
    if (ftruncate(lock->descriptor, 0) != 0) {
        return error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", lock->path);
    }
    return files_write_all(lock->descriptor, text, (size_t)length, lock->path, err);
}

/* Before anything is done under names that the file system then refuses. */
static bool check_length(const char *resolved, const char *folder, const char *shown,
                         struct error *err)
{
    const char *slash = strrchr(resolved, '/');
    size_t name = strlen(slash == NULL ? resolved : slash + 1);
    long most = pathconf(folder, _PC_NAME_MAX);
    size_t limit = most > 0 ? (size_t)most : NAME_MAX;
    bool whole = strlen(resolved) + ENDING_SIZE >= PATH_MAX;
    return (!whole && name + ENDING_SIZE <= limit) ||
           error_set(err, ERROR_FILE,
                     "the %s is too long: names beside it, such as those of its journal and lock, "
                     "have up to %zu bytes more, and %zu are the limit; give a shorter one with "
                     "-o: '%s'",
                     whole ? "path of the results file" : "name of the results file", ENDING_SIZE,
                     whole ? (size_t)PATH_MAX - 1 : limit, shown);
}

/* access as well as open: a lock file left by a kill can be opened where no other can be made. */
static bool open_file(struct lock *lock, const char *folder, struct error *err)
{
    struct stat status;
    if (access(folder, W_OK | X_OK) == 0) {
        bool there = lstat(lock->path, &status) == 0;
        if (there && !S_ISREG(status.st_mode)) {
            return error_set(err, ERROR_FILE,
                             "'%s' is in the way: it is no lock file; move it away or name "
                             "another results file",
                             lock->path);
        }
        lock->descriptor = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (lock->descriptor >= 0) {
            return true;
        }
        if (there && errno == EACCES) {
            return error_set_system(err, ERROR_FILE, errno, "cannot open the lock file '%s'",
                                    lock->path);
        }
    }
    return error_set_system(err, ERROR_FILE, errno, "cannot write into the folder '%s'", folder);
}

bool lock_take(struct lock *lock, const char *resolved, const char *shown, bool optional,
               struct arena *arena, struct error *err)
{
    *lock = (struct lock){.descriptor = -1};
    lock->path = arena_format(arena, err, "%s.lock", resolved);
    const char *folder = files_folder(arena, resolved, err);
    if (lock->path == NULL || folder == NULL || !check_length(resolved, folder, shown, err)) {
        return false;
    }
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        if (!open_file(lock, folder, err)) {
            return false;
        }
        bool good = lock_file(lock, shown, optional, err);
        if (good && still_there(lock)) {
            good = write_holder(lock, err);
            if (!good) {
                lock_release(lock);
            }
            return good;
        }
        close(lock->descriptor);
        lock->descriptor = -1;
        if (!good) {
            return false;
        }
    }
    return error_set(err, ERROR_FILE, "cannot lock '%s': its lock file does not stay in place",
                     shown);
}

void lock_release(struct lock *lock)
{
    if (lock->descriptor >= 0) {
        /* While it is held: later another process may have a lock on a file of this name. */
        unlink(lock->path);
        close(lock->descriptor);
        lock->descriptor = -1;
    }
}

bool lock_check_unwritten(const char *path, const char *shown, struct error *err)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool held =
        descriptor >= 0 && flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return !held || error_set(err, ERROR_FILE,
                              "'%s' is open for writing in another program; close it there", shown);
}
