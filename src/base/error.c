/* SPDX-License-Identifier: MIT */
/* Errors; see error.h. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void mark_cut(char *message, int length)
{
    if (length >= ERROR_MESSAGE_SIZE) {
        memcpy(message + ERROR_MESSAGE_SIZE - 4, "...", 4);
    }
}

static void join_lines(char *message)
{
    for (char *at = message; *at != '\0'; at++) {
        if (*at == '\n' || *at == '\r') {
            *at = '?';
        }
    }
}

static bool set_once(struct error *err, enum error_code code, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

static bool set_once(struct error *err, enum error_code code, const char *format, va_list arguments)
{
    if (err->code != ERROR_NONE) {
        return false;
    }
    err->code = code;
    mark_cut(err->message, vsnprintf(err->message, sizeof err->message, format, arguments));
    join_lines(err->message);
    return true;
}

bool error_set_lines(struct error *err, enum error_code code, const char *lines)
{
    if (err->code == ERROR_NONE) {
        err->code = code;
        mark_cut(err->message, snprintf(err->message, sizeof err->message, "%s", lines));
    }
    return false;
}

bool error_set(struct error *err, enum error_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_once(err, code, format, arguments);
    va_end(arguments);
    return false;
}

/* What can be done about a failure of a file that was to be read (ERROR_INPUT) or any other; NULL
 * where that is not for us to say. */
static const char *remedy_of(enum error_code code, int number)
{
    switch (number) {
    case EACCES:
    case EPERM:
        return code == ERROR_INPUT ? "change its permissions or name another file"
                                   : "change the permissions or name another place";
    case EROFS:
        return "name a place that can be written";
    case ENOSPC:
    case EDQUOT:
        return "make room on that disk or name a place on another";
    case ENAMETOOLONG:
        return "use a shorter name";
    case EFBIG:
        return "'ulimit -f' tells the largest size that is allowed";
    case EMFILE:
    case ENFILE:
        return "'ulimit -n' tells how many open files are allowed";
    case ENOENT:
    case ENOTDIR:
        return code == ERROR_FIGURES ? NULL : "check the path"; /* not of a program to start */
    default:
        return NULL;
    }
}

bool error_set_system(struct error *err, enum error_code code, int number, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (set_once(err, code, format, arguments)) {
        char reason[128] = "unknown error";
        strerror_r(number, reason, sizeof reason);
        size_t used = strlen(err->message);
        const char *remedy = remedy_of(code, number);
        int length = snprintf(err->message + used, sizeof err->message - used, ": %s%s%s", reason,
                              remedy == NULL ? "" : "; ", remedy == NULL ? "" : remedy);
        mark_cut(err->message, (int)used + length);
    }
    va_end(arguments);
    return false;
}

bool error_add_context(struct error *err, const char *format, ...)
{
    char context[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context, sizeof context, format, arguments);
    join_lines(context);
    va_end(arguments);

    size_t used = strlen(context);
    size_t room = sizeof err->message - used - 3;
    size_t kept = strlen(err->message);
    bool cut = kept > room;
    kept = cut ? room : kept;
    memmove(err->message + used + 2, err->message, kept);
    memcpy(err->message, context, used);
    memcpy(err->message + used, ": ", 2);
    err->message[used + 2 + kept] = '\0';
    if (cut) {
        memcpy(err->message + used + 2 + kept - 3, "...", 3);
    }
    return false;
}

int error_exit_status(enum error_code code)
{
    static const int statuses[ERROR_CODE_COUNT] = {
#define X(name, status) [name] = (status),
        ERROR_CODES(X)
#undef X
    };
    return statuses[code];
}
