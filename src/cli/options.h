/* SPDX-License-Identifier: MIT */
/* What options.c and options_values.c share. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/cli_internal.h"

/* An option of one command or several. */
struct option_row {
    uint64_t bit;
    const char *name;
    char letter;          /* 0 for none */
    const char *argument; /* NULL for a switch */
    const char *help;
};

/* Every option there is. */
const struct option_row *option_rows(size_t *count);

/* What it means to that command. */
const char *option_help(const struct option_row *row, const struct command *command);

/* The names that the option takes for values, NULL-terminated; NULL where it takes none or any. */
const char *const *option_names(uint64_t bit);

/* In the order of the enums, or bits, that they stand for. */
extern const char *const progress_names[];
extern const char *const layout_names[];
extern const char *const picture_names[];
extern const char *const export_names[];
extern const char *const engine_names[];
extern const char *const shell_names[];

/* Takes an option with its value, NULL for a switch. ERROR_USAGE with what it takes instead. */
bool option_apply(const struct option_row *row, const char *value, struct options *out,
                  struct error *err) MUST_CHECK;

#endif
