/* SPDX-License-Identifier: MIT */
/* Private to cli/: what shells can complete, from the tables of commands, options, fields, measures
 * and keys; one file a shell writes it down. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/options.h"

/* What may stand in a place. */
enum completion_kind {
    COMPLETE_NOTHING, /* numbers, names of the user's own */
    COMPLETE_FILE,
    COMPLETE_FOLDER,
    COMPLETE_SWEEP,   /* a YAML file, or a planned folder */
    COMPLETE_RESULTS, /* a results file, or a planned folder */
    COMPLETE_WORD,    /* one of the words */
    COMPLETE_LIST,    /* several of them, parted by commas */
    COMPLETE_SETTING  /* one of them, '=' and a value */
};

/* A word with its meaning, and for COMPLETE_SETTING the values that it takes, where they are few.
 */
struct completion_word {
    const char *name;
    const char *help;
    const char *const *values; /* NULL-terminated; NULL where they are many */
};

struct completion {
    enum completion_kind kind;
    const struct completion_word *words;
    size_t count;
};

/* What stands behind an option. */
bool completion_of_option(const struct option_row *row, struct arena *arena, struct completion *out,
                          struct error *err) MUST_CHECK;

/* What a command takes beside options. */
bool completion_of_operand(const struct command *command, struct arena *arena,
                           struct completion *out, struct error *err) MUST_CHECK;

/* The scripts, on standard output. */
bool completion_bash(struct arena *arena, struct error *err) MUST_CHECK;
bool completion_zsh(struct arena *arena, struct error *err) MUST_CHECK;
bool completion_fish(struct arena *arena, struct error *err) MUST_CHECK;

#endif
