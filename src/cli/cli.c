/* SPDX-License-Identifier: MIT */
/* The one place that turns an error into lines on stderr and an exit status. */
#include "cli/cli.h"

#include "base/processor.h"
#include "base/text.h"
#include "cli/cli_internal.h"
#include "cli/machine.h"
#include "numeric/lapack.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether a line names a place as file:line:column:, which editors jump to and no prefix may hide.
 * A time of day has no colon behind it.
 */
static bool is_located(const char *line)
{
    for (const char *colon = strchr(line, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
        size_t digits = strspn(colon + 1, "0123456789");
        const char *second = colon + 1 + digits;
        size_t column = *second == ':' ? strspn(second + 1, "0123456789") : 0;
        if (digits > 0 && column > 0 && second[1 + column] == ':') {
            return true;
        }
    }
    return false;
}

static void print_line(const char *command, const char *line, size_t length)
{
    char copy[ERROR_MESSAGE_SIZE];
    char shown[ERROR_MESSAGE_SIZE];
    length = length < sizeof copy - 1 ? length : sizeof copy - 1;
    memcpy(copy, line, length);
    copy[length] = '\0';
    text_printable(copy, shown, sizeof shown);
    if (is_located(shown)) {
        fprintf(stderr, "%s\n", shown);
    } else if (command == NULL) {
        fprintf(stderr, "rowmax: %s\n", shown);
    } else {
        fprintf(stderr, "rowmax %s: %s\n", command, shown);
    }
}

static void print_error(const char *command, const struct error *err)
{
    fflush(stdout);
    const char *line = err->message;
    for (;;) {
        const char *end = strchr(line, '\n');
        print_line(command, line, end == NULL ? strlen(line) : (size_t)(end - line));
        if (end == NULL) {
            return;
        }
        line = end + 1;
    }
}

/* --help and --version stand for the commands of that name. */
static const char *command_word(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return "help";
    }
    return strcmp(word, "--version") == 0 ? "version" : word;
}

static bool unknown_command(const char *word, struct error *err)
{
    const char *names[32];
    size_t count = 0;
    for (; count < command_count && count < 32; count++) {
        names[count] = commands[count].name;
    }
    const char *nearest = text_nearest(word, names, count);
    if (nearest == NULL) {
        return error_set(err, ERROR_USAGE, "unknown command '%s'; see 'rowmax help'", word);
    }
    return error_set(err, ERROR_USAGE, "unknown command '%s'; did you mean '%s'?", word, nearest);
}

/* Threads on which a command may compute products; none where it only prints. */
static size_t threads_of(const struct command *command, const struct options *options)
{
    if (command->function == command_run) {
        return options->jobs;
    }
    return command->function == command_help || command->function == command_version ? 0 : 1;
}

/* A level of the processor that the environment asks for. */
static bool take_environment(struct error *err)
{
    const char *level = getenv("ROWMAX_CPU");
    return level == NULL || level[0] == '\0' || processor_force(level, err) ||
           error_add_context(err, "environment variable ROWMAX_CPU");
}

/* Anywhere among the options of a command. */
static bool asks_for_help(int argc, char **argv)
{
    bool asks = argc > 2 && strcmp(argv[2], "-h") == 0;
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
        asks = asks || strcmp(argv[i], "--help") == 0;
    }
    return asks;
}

static bool dispatch(int argc, char **argv, const struct command **command, struct arena *arena,
                     struct error *err)
{
    if (argc < 2) {
        return error_set(err, ERROR_USAGE, "a command is needed; see 'rowmax help'");
    }
    const char *word = command_word(argv[1]);
    const struct command *found = command_find(word);
    if (found == NULL) {
        return unknown_command(word, err);
    }
    *command = found;
    struct options options;
    if (asks_for_help(argc, argv)) {
        options = (struct options){.operands = (const char *const *)&argv[1], .operand_count = 1};
        return command_help(&options, arena, err);
    }
    return options_parse(found, argc - 1, argv + 1, arena, &options, err) &&
           machine_has_room(threads_of(found, &options), err) &&
           found->function(&options, arena, err);
}

/* Told from the pipe itself: by the time anybody asks, the error of the write is forgotten. */
static bool reader_is_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

int cli_main(int argc, char **argv)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const struct command *command = NULL;
    signals_ignore_limits();
    lapack_use_one_thread(); /* before any of ours starts */
    bool good = take_environment(&err) && dispatch(argc, argv, &command, &arena, &err);
    /* A full disk behind stdout must not pass for success; a reader that has seen enough may go. */
    bool earlier = ferror(stdout) != 0;
    errno = 0;
    if ((fflush(stdout) != 0 || earlier) && good && errno != EPIPE && !reader_is_gone()) {
        good = errno != 0
                   ? error_set_system(&err, ERROR_FILE, errno, "cannot write standard output")
                   : error_set(&err, ERROR_FILE, "cannot write standard output");
    }
    if (!good) {
        print_error(command == NULL ? NULL : command->name, &err);
    }
    arena_release(&arena);
    return good ? 0 : error_exit_status(err.code);
}
