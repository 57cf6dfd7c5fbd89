/* SPDX-License-Identifier: MIT */
/* Errors: one code, one message, made by the caller and passed down as the last parameter. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* Code and exit status (README, "Exit codes"). */
#define ERROR_CODES(X)                                                                             \
    X(ERROR_NONE, 0)                                                                               \
    X(ERROR_REGRESSION, 1)                                                                         \
    X(ERROR_USAGE, 2)                                                                              \
    X(ERROR_INPUT, 2)                                                                              \
    X(ERROR_RUNS_FAILED, 3)                                                                        \
    X(ERROR_NOT_COMPARED, 4)                                                                       \
    X(ERROR_FILE, 5)                                                                               \
    X(ERROR_FIGURES, 6)                                                                            \
    X(ERROR_INTERNAL, 70)                                                                          \
    X(ERROR_INTERRUPTED, 130)                                                                      \
    X(ERROR_TERMINATED, 143)

enum error_code {
#define X(code, status) code,
    ERROR_CODES(X)
#undef X
        ERROR_CODE_COUNT
};

#define ERROR_MESSAGE_SIZE 8192

/* A failure. `message` may hold several lines (a sweep reports all its faults at once); it never
 * ends in a newline and is always terminated, cut with "..." where it would not fit. */
struct error {
    enum error_code code;
    char message[ERROR_MESSAGE_SIZE];
};

#define ERROR_INIT                                                                                 \
    {                                                                                              \
        ERROR_NONE, ""                                                                             \
    }

/* Records a failure and returns false, so that a leaf can `return error_set(...)`. The first error
 * wins: a later call changes nothing. */
bool error_set(struct error *err, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a message of several lines, one fault each. In every other message a line feed,
 * which only a hostile name can bring, becomes '?'. */
bool error_set_lines(struct error *err, enum error_code code, const char *lines);

/* error_set for a failed system call: appends ": ", the text of `number`, an errno value, and what
 * the user can do about it, where that is known. */
bool error_set_system(struct error *err, enum error_code code, int number, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Puts "context: " in front of the message; returns false. */
bool error_add_context(struct error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The process exit status that belongs to a code. */
int error_exit_status(enum error_code code);

#define MUST_CHECK __attribute__((warn_unused_result))

#endif
