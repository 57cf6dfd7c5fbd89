/* SPDX-License-Identifier: MIT */
/* rowmax init: a first sweep to change, with a comment a line from the tables of fields and keys.
 */
#include "base/files.h"
#include "cli/cli_internal.h"
#include "run/fields.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define COMMENT_COLUMN 50

/* A line: a key or a field, its value, and what is said of it where not its help. */
struct line {
    const char *name, *value, *comment;
};

/* Runs as it is on any machine: without a text, in a moment. */
static const struct line lines[] = {
    {"fixed", "", NULL},
    {"  source", "gaussian", "where the input comes from; corpus, arrays and scores are others"},
    {"  tokens", "16", NULL},
    {"  position", "none", "or sinusoidal, or rope"},
    {"  d_model", "64", NULL},
    {"grid", "", "every combination of what follows"},
    {"  guards", "[none, init, init+scale]", "or all, for all eight sets"},
    {"  d_k", "{from: 4, to: 256, factor: 4}", "4, 16, 64, 256"},
    {"  seed", "{from: 1, to: 16}", "16 draws of the projections; more narrow the intervals"},
    {"saturation", "{row_max: 0.9}", "thresholds of the report"},
};

/* To be tried by taking the mark away. */
static const struct line more[] = {
    {"zip", "[{input_spread: [1, 2], softcap: [0, 50]}]", "fields that vary together"},
    {"exclude", "[{guards: none, d_k: 256}]", "runs to leave out"},
    {"keep", "[weights]", "matrices to store, as {matrices: [weights], where: {seed: 1}}"},
    {"measures", "[entropy_mean, score_std]", "measures to store; all when left out"},
    {"include", "base.yaml", "a sweep that this one builds on"},
};

/* The help up to its first semicolon or line end. */
static size_t clause_length(const char *help)
{
    return strcspn(help, ";\n");
}

static const char *help_of(const char *name)
{
    for (size_t i = 0; i < SWEEP_KEY_COUNT; i++) {
        if (strcmp(sweep_keys[i].name, name) == 0) {
            return sweep_keys[i].help;
        }
    }
    const struct field *field = run_field_find(name);
    return field == NULL ? "" : field->help;
}

static void append_line(struct text *text, const struct line *line, const char *mark)
{
    size_t start = text->length;
    const char *help = help_of(line->name + strspn(line->name, " "));
    const char *comment = line->comment == NULL ? help : line->comment;
    size_t length = line->comment == NULL ? clause_length(help) : strlen(comment);
    text_append_format(text, "%s%s:%s%s", mark, line->name, line->value[0] == '\0' ? "" : " ",
                       line->value);
    size_t written = text->length - start;
    text_append_format(text, "%*s# %.*s\n",
                       written < COMMENT_COLUMN ? (int)(COMMENT_COLUMN - written) : 1, "",
                       (int)length, comment);
}

/* Of the path what every shell and YAML take without quotes; else the usual name. */
static const char *plain_or(const char *text, const char *usual)
{
    bool plain = text[0] != '\0' && text[0] != '-' && text[0] != '.' &&
                 text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "_.-/")] == '\0';
    return plain ? text : usual;
}

static const char *starter_text(const char *path, struct arena *arena, struct error *err)
{
    struct text text = TEXT_INIT(arena);
    const char *stem = files_stem(arena, path, err);
    if (stem == NULL) {
        return NULL;
    }
    const char *name = plain_or(stem, "sweep");
    const char *file = plain_or(path, "sweep.yaml");
    text_append_format(&text,
                       "# yaml-language-server: $schema=sweep.schema.json\n"
                       "# The line above is for editors: they check and complete this file once\n"
                       "# 'rowmax schema >sweep.schema.json' has written the schema beside it.\n"
                       "#\n"
                       "# rowmax plan %s            counts the runs and starts nothing\n"
                       "# rowmax run %s --report    results/%s.h5 and reports/%s/report.md\n"
                       "# rowmax help d_k and rowmax fields explain one field, and list all\n",
                       file, file, name, name);
    append_line(&text, &(struct line){"rowmax", "1", "the format version, always 1"}, "");
    append_line(&text, &(struct line){"name", name, NULL}, "");
    append_line(&text, &(struct line){"title", "Which guards end saturation?", NULL}, "");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        append_line(&text, &lines[i], "");
    }
    text_append(&text, "\n# More keys:\n");
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        append_line(&text, &more[i], "# ");
    }
    text_append(&text, "\n# Learned from a text, under 'fixed' in place of source and tokens:\n");
    static const struct line words[] = {
        {"  corpus", "demo", "a name under corpora/, or the path of a text"},
        {"  sentence", "the cat chased the mouse", NULL}};
    append_line(&text, &words[0], "# ");
    append_line(&text, &words[1], "# ");
    return text_finish(&text, err);
}

/* Nothing that is there is touched, and what could not be written whole goes again. */
static bool write_new(const char *path, const char *text, struct error *err)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) {
        return error_set(err, ERROR_INPUT,
                         "'%s' is there already and stays as it is; name another file, as in "
                         "'rowmax init FILE'",
                         path);
    }
    if (file < 0) {
        return files_refuse_new(path, errno, err);
    }
    bool good = files_write_all(file, text, strlen(text), path, err);
    if (close(file) != 0 && good) {
        good = error_set_system(err, ERROR_FILE, errno, "cannot write '%s'", path);
    }
    if (!good) {
        unlink(path);
    }
    return good;
}

bool command_init(const struct options *options, struct arena *arena, struct error *err)
{
    const char *path = options->operand_count == 0 ? "sweep.yaml" : options->operands[0];
    bool print = strcmp(path, "-") == 0;
    if (path[0] == '\0') {
        return error_set(err, ERROR_USAGE, "'' is no name; name a file, as in 'rowmax init FILE'");
    }
    const char *text = starter_text(print ? "sweep.yaml" : path, arena, err);
    if (text == NULL) {
        return false;
    }
    if (print) {
        fputs(text, stdout);
        return true;
    }
    if (!write_new(path, text, err)) {
        return false;
    }
    if (!options->quiet) {
        const char *word = cli_word(path, arena, err);
        if (word == NULL) {
            return false;
        }
        cli_say("wrote %s; next: rowmax run %s --report", path, word);
    }
    return true;
}
