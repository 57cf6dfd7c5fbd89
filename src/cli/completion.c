/* SPDX-License-Identifier: MIT */
/* See completion.h. */
#include "cli/completion.h"

#include "run/fields.h"

#include <string.h>

static const char *const switch_values[] = {"on", "off", NULL};
static const char *const matrix_values[] = {"scores", "weights", NULL};
static const char *const status_values[] = {"ok", "failed", NULL};

/* Words in the making. */
struct list {
    struct completion *out;
    struct completion_word *words;
    size_t capacity;
    struct arena *arena;
    struct error *err;
};

static void add(struct list *list, const char *name, const char *help, const char *const *values)
{
    list->words = arena_grow(list->arena, list->words, list->out->count, &list->capacity,
                             sizeof *list->words, list->err);
    if (list->words != NULL) {
        list->words[list->out->count++] = (struct completion_word){name, help, values};
        list->out->words = list->words;
    }
}

static void add_names(struct list *list, const char *const *names)
{
    for (size_t i = 0; names[i] != NULL; i++) {
        add(list, names[i], "", NULL);
    }
}

static const char *const *values_of(const struct field *field)
{
    return field->kind == FIELD_SWITCH ? switch_values : field->choices;
}

static void add_key(struct list *list, enum sweep_key_index key, const char *const *values)
{
    add(list, sweep_keys[key].name, sweep_keys[key].help, values);
}

static void add_measures(struct list *list)
{
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        add(list, measurement_fields[i].name, measurement_fields[i].help, NULL);
    }
}

/* Names of a table without those of thresholds, which a sweep does not set as fields. */
static void add_fields(struct list *list, bool thresholds)
{
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        bool threshold = i == RUN_SATURATION_ROW_MAX || i == RUN_SATURATION_GRADIENT;
        if (thresholds || !threshold) {
            add(list, run_fields[i].name, run_fields[i].help, values_of(&run_fields[i]));
        }
    }
}

/* "all" and the names of the sets. */
static const char *const *guard_values(struct list *list, bool all)
{
    const char **names = arena_alloc(list->arena, 10, sizeof *names, list->err);
    for (unsigned mask = 0; names != NULL && mask < 8; mask++) {
        names[mask] = run_guards_name(mask);
    }
    if (names != NULL && all) {
        names[8] = "all";
    }
    return names;
}

static const char *const *measure_values(struct list *list)
{
    const char **names =
        arena_alloc(list->arena, MEASUREMENT_FIELD_COUNT + 2, sizeof *names, list->err);
    for (size_t i = 0; names != NULL && i < MEASUREMENT_FIELD_COUNT; i++) {
        names[i] = measurement_fields[i].name;
    }
    if (names != NULL) {
        names[MEASUREMENT_FIELD_COUNT] = "all";
    }
    return names;
}

/* What --set takes. */
static void add_settings(struct list *list)
{
    add_fields(list, false);
    add_key(list, SWEEP_GUARDS, guard_values(list, true));
    add_key(list, SWEEP_NAME, NULL);
    add_key(list, SWEEP_TITLE, NULL);
    add_key(list, SWEEP_KEEP, matrix_values);
    add_key(list, SWEEP_MEASURES, measure_values(list));
    add(list, "saturation.row_max", run_fields[RUN_SATURATION_ROW_MAX].help, NULL);
    add(list, "saturation.gradient", run_fields[RUN_SATURATION_GRADIENT].help, NULL);
}

/* What --where takes. */
static void add_conditions(struct list *list)
{
    add_fields(list, true);
    add_key(list, SWEEP_GUARDS, guard_values(list, false));
    add(list, "status", "whether the run ended well", status_values);
}

static void add_columns(struct list *list)
{
    static const char *const own[] = {"run", "status", "message", "run_key", "guards", NULL};
    add_names(list, own);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        if (measurement_field_find(run_fields[i].name) == NULL) {
            add(list, run_fields[i].name, run_fields[i].help, NULL);
        }
    }
    add_measures(list);
}

static void add_topics(struct list *list)
{
    for (size_t i = 0; i < command_count; i++) {
        add(list, commands[i].name, commands[i].summary, NULL);
    }
    for (size_t i = 0; i < SWEEP_KEY_COUNT; i++) {
        add_key(list, (enum sweep_key_index)i, NULL);
    }
    add_fields(list, true);
    add_measures(list);
}

static bool is_word(const char *text, const char *const *words)
{
    while (*words != NULL && strcmp(text, *words) != 0) {
        words++;
    }
    return *words != NULL;
}

bool completion_of_option(const struct option_row *row, struct arena *arena, struct completion *out,
                          struct error *err)
{
    static const char *const files[] = {"PATH", "FILE", "NEW", "BASELINE", NULL};
    static const char *const folders[] = {"FOLDER", "OLD", NULL};
    const char *argument = row->argument == NULL ? "" : row->argument;
    struct list list = {.out = out, .arena = arena, .err = err};
    *out = (struct completion){.kind = is_word(argument, files)     ? COMPLETE_FILE
                                       : is_word(argument, folders) ? COMPLETE_FOLDER
                                                                    : COMPLETE_NOTHING};
    if (row->bit == OPTION_AGAINST || row->bit == OPTION_RECOVER) {
        out->kind = COMPLETE_RESULTS;
    } else if (row->bit == OPTION_SET || row->bit == OPTION_WHERE) {
        out->kind = COMPLETE_SETTING;
        (row->bit == OPTION_SET ? add_settings : add_conditions)(&list);
    } else if (row->bit == OPTION_FIELDS) {
        out->kind = COMPLETE_LIST;
        add_columns(&list);
    } else if (option_names(row->bit) != NULL) {
        out->kind = row->bit == OPTION_FORMAT ? COMPLETE_LIST : COMPLETE_WORD;
        add_names(&list, option_names(row->bit));
    }
    return err->code == ERROR_NONE;
}

bool completion_of_operand(const struct command *command, struct arena *arena,
                           struct completion *out, struct error *err)
{
    static const struct {
        const char *operand;
        enum completion_kind kind;
    } kinds[] = {{"SWEEP", COMPLETE_SWEEP},
                 {"RESULTS", COMPLETE_RESULTS},
                 {"RESULTS [LATER]", COMPLETE_RESULTS},
                 {"PART...", COMPLETE_RESULTS},
                 {"FOLDER", COMPLETE_FOLDER},
                 {"[FILE]", COMPLETE_FILE},
                 {"[TOPIC]", COMPLETE_WORD},
                 {"SHELL", COMPLETE_WORD}};
    struct list list = {.out = out, .arena = arena, .err = err};
    *out = (struct completion){.kind = COMPLETE_NOTHING};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].operand, command->operand) == 0) {
            out->kind = kinds[i].kind;
        }
    }
    if (strcmp(command->operand, "[TOPIC]") == 0) {
        add_topics(&list);
    } else if (strcmp(command->operand, "SHELL") == 0) {
        add_names(&list, shell_names);
    }
    return err->code == ERROR_NONE;
}
