/* SPDX-License-Identifier: MIT */
/* See trial.h. */
#include "base/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Far more than the largest sweep takes. */
#define SECONDS 60

static void run_trial(void (*read)(const void *context), const void *context)
{
    const struct rlimit time = {SECONDS, SECONDS};
    const struct rlimit none = {0, 0};
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_CORE, &none);
    if (null >= 0) {
        dup2(null, STDERR_FILENO);
    }
    read(context);
    _exit(0);
}

bool trial_survived(void (*read)(const void *context), const void *context, const char *path,
                    struct error *err)
{
    pid_t child = fork();
    if (child == 0) {
        run_trial(read, context);
    }
    int status = 0;
    pid_t ended = -1;
    while (child > 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
    }
    if (ended < 0) {
        return error_set_system(err, ERROR_FILE, errno, "cannot try to read '%s'", path);
    }
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           error_set(err, ERROR_FILE, "cannot read '%s': it is damaged, HDF5 breaks down over it",
                     path);
}
