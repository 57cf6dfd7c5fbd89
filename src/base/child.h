/* SPDX-License-Identifier: MIT */
/* A child process without a shell: own process group, nothing inherited but three descriptors,
 * output captured, killed with its group when its time is over. */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include "base/text.h"

#include <sys/types.h>

/* What is kept of the captured stream; the rest is read and dropped. */
enum { CHILD_OUTPUT_SIZE = 4096 };

enum child_stream { CHILD_STDOUT = 1, CHILD_STDERR = 2, CHILD_BOTH = 3 };

struct child_command {
    const char *const *arguments; /* [0] is the program, found on PATH; NULL-terminated */
    const char *folder;           /* to run in; NULL: the current one */
    enum child_stream captured;   /* a stream that is not goes to /dev/null */
    double seconds;               /* then it is killed */
    bool whole_environment;       /* ours; else only what finds programs, fonts and their caches */
    struct text *sink;            /* gets all of the captured output as well; may be NULL */
};

struct child {
    pid_t process;
    int pipe;
    double deadline; /* monotonic */
    bool running, timed_out;
    struct text *sink;
    int status;                     /* of waitpid, once not running */
    char output[CHILD_OUTPUT_SIZE]; /* terminated */
    size_t length;
};

/* Starts the child; false with `err` (ERROR_FIGURES) set when there is no such program. */
bool child_start(struct child *child, const struct child_command *command,
                 struct error *err) MUST_CHECK;

/* Reads what there is and looks whether the child ended or its time is over. Never blocks for
 * longer than it takes to kill it. */
void child_step(struct child *child);

/* Waits up to 20 ms for output of any running child of `count`, then steps them all. */
void child_step_all(struct child *children, size_t count);

/* Kills it with its group, if it still runs. */
void child_kill(struct child *child);

#endif
