/* SPDX-License-Identifier: MIT */
/* Starting, reading and ending child processes; see child.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, pipe2 */
#endif

#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if !__GLIBC_PREREQ(2, 34)
enum { DESCRIPTOR_LIMIT = 4096 };
#endif
enum { STEP_MILLISECONDS = 20, CHILDREN_AT_ONCE = 8 };

/* What gnuplot and fontconfig need to find programs, fonts and their caches; nothing else, so that
 * GNUTERM, GNUPLOT_LIB or a locale cannot change a figure. */
static const char *const passed_on[] = {"PATH=",
                                        "HOME=",
                                        "TMPDIR=",
                                        "XDG_CACHE_HOME=",
                                        "FONTCONFIG_FILE=",
                                        "FONTCONFIG_PATH=",
                                        "LD_LIBRARY_PATH="};

enum { PASSED_ON = sizeof passed_on / sizeof passed_on[0] };

extern char **environ;

static double monotonic_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Fills `out`, which holds PASSED_ON + 3 pointers. */
static void minimal_environment(char **out)
{
    static char locale[] = "LC_ALL=C.UTF-8";
    static char zone[] = "TZ=UTC";
    size_t count = 0;
    for (char **entry = environ; *entry != NULL; entry++) {
        for (size_t i = 0; i < PASSED_ON && count < PASSED_ON; i++) {
            if (strncmp(*entry, passed_on[i], strlen(passed_on[i])) == 0) {
                out[count++] = *entry;
            }
        }
    }
    out[count++] = locale;
    out[count++] = zone;
    out[count] = NULL;
}

/* Closes every other descriptor of ours in the child: those that others opened without
 * close-on-exec, too. */
static int close_others(posix_spawn_file_actions_t *actions)
{
#if __GLIBC_PREREQ(2, 34)
    return posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
#else
    long limit = sysconf(_SC_OPEN_MAX);
    int end = limit < 0 || limit > DESCRIPTOR_LIMIT ? DESCRIPTOR_LIMIT : (int)limit;
    int failure = 0;
    for (int descriptor = 3; descriptor < end && failure == 0; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0) {
            failure = posix_spawn_file_actions_addclose(actions, descriptor);
        }
    }
    return failure;
#endif
}

static int describe_files(posix_spawn_file_actions_t *actions, const struct child_command *command,
                          int write_end)
{
    int failure = 0;
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO && failure == 0; stream++) {
        bool captured = command->captured == CHILD_BOTH || stream == (int)command->captured;
        failure = captured
                      ? posix_spawn_file_actions_adddup2(actions, write_end, stream)
                      : posix_spawn_file_actions_addopen(actions, stream, "/dev/null", O_WRONLY, 0);
    }
    if (failure == 0) {
        failure = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    if (failure == 0 && command->folder != NULL) {
        failure = posix_spawn_file_actions_addchdir_np(actions, command->folder);
    }
    return failure != 0 ? failure : close_others(actions);
}

static int describe_process(posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigset_t usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &usual);
    posix_spawnattr_setpgroup(attributes, 0);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSIGDEF);
}

/* A program given by a relative path is meant from here, not from the folder it runs in. */
static const char *program_path(const struct child_command *command, char *resolved)
{
    const char *program = command->arguments[0];
    if (strchr(program, '/') != NULL && realpath(program, resolved) != NULL) {
        return resolved;
    }
    return program;
}

static int spawn(struct child *child, const struct child_command *command, int write_end)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *environment[PASSED_ON + 3];
    char resolved[4096];
    minimal_environment(environment);
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) {
        return failure;
    }
    failure = posix_spawnattr_init(&attributes);
    if (failure == 0) {
        failure = describe_files(&actions, command, write_end);
        if (failure == 0) {
            failure = describe_process(&attributes);
        }
        if (failure == 0) {
            /* posix_spawnp takes char *const[] for history's sake and writes to none of it */
            char *const *arguments = (char *const *)(const void *)command->arguments;
            failure = posix_spawnp(&child->process, program_path(command, resolved), &actions,
                                   &attributes, arguments,
                                   command->whole_environment ? environ : environment);
        }
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static bool open_pipe(int ends[2])
{
    /* closed on exec from the start, as another thread may start a program of its own meanwhile */
    return pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

bool child_start(struct child *child, const struct child_command *command, struct error *err)
{
    int ends[2];
    memset(child, 0, sizeof *child);
    child->pipe = -1;
    child->sink = command->sink;
    if (!open_pipe(ends)) {
        return error_set_system(err, ERROR_FIGURES, errno, "cannot make a pipe for '%s'",
                                command->arguments[0]);
    }
    int failure = spawn(child, command, ends[1]);
    close(ends[1]);
    if (failure != 0) {
        close(ends[0]);
        return error_set_system(err, ERROR_FIGURES, failure, "cannot start '%s'",
                                command->arguments[0]);
    }
    child->pipe = ends[0];
    child->running = true;
    child->deadline = monotonic_seconds() + command->seconds;
    return true;
}

static void drain(struct child *child)
{
    char chunk[1024];
    ssize_t got = 0;
    while ((got = read(child->pipe, chunk, sizeof chunk)) > 0) {
        size_t room = CHILD_OUTPUT_SIZE - 1 - child->length;
        size_t kept = (size_t)got < room ? (size_t)got : room;
        memcpy(child->output + child->length, chunk, kept);
        child->length += kept;
        if (child->sink != NULL) {
            text_append_bytes(child->sink, chunk, (size_t)got);
        }
    }
    child->output[child->length] = '\0';
}

static void finish(struct child *child)
{
    /* The leader is dead or dying but not yet reaped, so its number still means this group. */
    kill(-child->process, SIGKILL);
    drain(child);
    pid_t reaped;
    do {
        reaped = waitpid(child->process, &child->status, 0);
    } while (reaped < 0 && errno == EINTR);
    if (reaped < 0) {
        child->status = -1;
    }
    close(child->pipe);
    child->pipe = -1;
    child->running = false;
}

void child_kill(struct child *child)
{
    if (child->running) {
        finish(child);
    }
}

void child_step(struct child *child)
{
    if (!child->running) {
        return;
    }
    drain(child);
    siginfo_t ended = {0};
    bool lost = waitid(P_PID, (id_t)child->process, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 &&
                errno != EINTR;
    if (lost || ended.si_pid == child->process) {
        finish(child);
    } else if (monotonic_seconds() > child->deadline) {
        child->timed_out = true;
        finish(child);
    }
}

void child_step_all(struct child *children, size_t count)
{
    struct pollfd waiting[CHILDREN_AT_ONCE];
    nfds_t used = 0;
    for (size_t i = 0; i < count && used < CHILDREN_AT_ONCE; i++) {
        if (children[i].running) {
            waiting[used++] = (struct pollfd){children[i].pipe, POLLIN, 0};
        }
    }
    int ready = poll(waiting, used, STEP_MILLISECONDS);
    if (ready > 0) {
        /* A closed pipe polls as ready until the child is reaped: do not spin on it. */
        struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        child_step(&children[i]);
    }
}
