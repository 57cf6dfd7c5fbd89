/* SPDX-License-Identifier: MIT */
/* rowmax help: commands, fields, measures, keys of the sweep file and words of the reports. */
#include "cli/cli_internal.h"
#include "cli/completion.h"
#include "run/fields.h"

#include <stdio.h>
#include <string.h>

static const char threshold[] = "a spread that 'rowmax theory' prints";

/* What can be asked for besides commands, fields, measures and keys. */
static const struct {
    const char *name, *role, *help;
} topics[] = {
    {"temperature", "no field",
     "a temperature divides the scores; score_factor multiplies them, and is 1/temperature:\n"
     "score_factor: 0.5 for a temperature of 2, score_factor: [2, 1, 0.5] for 0.5, 1 and 2"},
    {"onset", threshold,
     "the spread of independent normal scores at which a tenth of the gradient is gone:\n"
     "the mean of (1 - sum p^2) / (1 - 1/n), 1 for uniform weights, has fallen to 0.9"},
    {"saturated", threshold,
     "the spread of independent normal scores at which half the gradient is gone:\n"
     "the mean of (1 - sum p^2) / (1 - 1/n), 1 for uniform weights, has fallen to 0.5\n"
     "a row or setting that a report or sweep calls saturated is another thing: its row-max has\n"
     "reached the threshold, 0.9 unless set; see row_max_at_0_9, and 'rowmax help saturation'"},
    {"collapsed", threshold,
     "the spread of independent normal scores at which nine tenths of the gradient are gone:\n"
     "the mean of (1 - sum p^2) / (1 - 1/n), 1 for uniform weights, has fallen to 0.1"},
    {"row_max_at_0_9", threshold,
     "the spread of independent normal scores at which the mean row-max is 0.9, the threshold\n"
     "from which a report calls a setting saturated, unless the sweep sets another"},
};

static bool print_topic(const char *name)
{
    for (size_t i = 0; i < SWEEP_KEY_COUNT; i++) {
        if (strcmp(sweep_keys[i].name, name) == 0) {
            printf("%s (a key of the sweep file)\n\n%s.\n", name, sweep_keys[i].help);
            return true;
        }
    }
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        if (strcmp(topics[i].name, name) == 0) {
            printf("%s (%s)\n\n%s.\n", name, topics[i].role, topics[i].help);
            return true;
        }
    }
    return false;
}

static void print_overview(void)
{
    printf("rowmax: shows where softmax attention saturates, and which guard ends it\n\n"
           "usage: rowmax COMMAND [options] [file]\n\n");
    for (size_t i = 0; i < command_count; i++) {
        printf("  %-10s %-9s %s\n", commands[i].name, commands[i].operand, commands[i].summary);
    }
    printf(
        "\nexit status: 0 done, 1 check found a deviation, 2 usage or unusable input, 3 some runs "
        "failed,\n4 check could compare nothing, 5 a file, the disk or a lock, 6 figures not "
        "rendered,\n70 internal error, 130 or 143 interrupted.\n"
        "'rowmax help COMMAND', 'rowmax help FIELD', 'rowmax help MEASURE' and 'rowmax help grid' "
        "say more.\n");
}

static void print_command(const struct command *command)
{
    char usage[COMMAND_USAGE_SIZE];
    printf("usage: %s\n\n%s.\n", command_usage(command, usage), command->summary);
    if (command->description != NULL) {
        printf("%s\n", command->description);
    }
    if (command->options != 0) {
        printf("\n");
        options_print_help(command);
    }
}

static void print_field(const struct field *field)
{
    printf("%s (a field of the sweep)\n\n%s.\n", field->name, field->help);
    if (field->choices != NULL) {
        printf("one of:");
        for (size_t i = 0; field->choices[i] != NULL; i++) {
            printf(" %s", field->choices[i]);
        }
        printf("\n");
    }
    if (field->maximum > 0) {
        char low[TEXT_REAL_SIZE];
        char high[TEXT_REAL_SIZE];
        printf("range: %s to %s\n", text_from_real(field->minimum, low),
               text_from_real(field->maximum, high));
    }
    if (field->fallback != NULL) {
        printf("default: %s\n", field->fallback);
    }
    if (field->unit[0] != '\0') {
        printf("unit: %s\n", field->unit);
    }
}

/* The column of a field that shares its name with a measure, as tokens_requested; NULL for none. */
static const struct field *field_of_column(const char *name)
{
    static const char suffix[] = "_requested";
    size_t length = strlen(name);
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const char *field = run_fields[i].name;
        size_t stem = strlen(field);
        if (length == stem + strlen(suffix) && strncmp(name, field, stem) == 0 &&
            strcmp(name + stem, suffix) == 0 && measurement_field_find(field) != NULL) {
            return &run_fields[i];
        }
    }
    return NULL;
}

static void print_column(const char *name, const struct field *field)
{
    printf("%s (a column of results and exports)\n\nthe field %s as the sweep asks for it; the "
           "column %s is the measure of that name.\n\n",
           name, field->name, field->name);
    print_field(field);
}

static void print_measure(const struct field *field)
{
    printf("%s (a measure)\n\n%s.\n", field->name, field->help);
    printf("in reports: %s\n", field->label);
    printf("range: %s\n", field->range);
    if (field->unit[0] != '\0') {
        printf("unit: %s\n", field->unit);
    }
    printf("more: docs/method.md, \"%s\"\n", field->section);
}

/* What was asked for is none of what completion offers, nor a topic; what may have been meant. */
static bool refuse(const char *word, struct arena *arena, struct error *err)
{
    size_t topic_count = sizeof topics / sizeof topics[0];
    struct completion offered;
    const char **names = NULL;
    if (completion_of_operand(command_find("help"), arena, &offered, err)) {
        names = arena_alloc(arena, offered.count + topic_count, sizeof *names, err);
    }
    if (names == NULL) {
        return false;
    }
    for (size_t i = 0; i < offered.count; i++) {
        names[i] = offered.words[i].name;
    }
    for (size_t i = 0; i < topic_count; i++) {
        names[offered.count + i] = topics[i].name;
    }
    const char *nearest = text_nearest(word, names, offered.count + topic_count);
    if (nearest != NULL) {
        return error_set(err, ERROR_USAGE, "no help on '%s'; did you mean '%s'?", word, nearest);
    }
    return error_set(err, ERROR_USAGE,
                     "no help on '%s'; see 'rowmax help' for commands, 'rowmax fields' for fields "
                     "and measures",
                     word);
}

bool command_help(const struct options *options, struct arena *arena, struct error *err)
{
    if (options->operand_count == 0) {
        print_overview();
        return true;
    }
    const char *topic = options->operands[0];
    const struct command *command = command_find(topic);
    const struct field *set = run_field_find(topic);
    const struct field *measured = measurement_field_find(topic);
    const struct field *column = field_of_column(topic);
    if (command != NULL) {
        print_command(command);
    } else if (set != NULL) {
        print_field(set);
        if (measured != NULL) {
            printf("\n");
            print_measure(measured);
        }
    } else if (measured != NULL) {
        print_measure(measured);
    } else if (column != NULL) {
        print_column(topic, column);
    } else if (!print_topic(topic)) {
        return refuse(topic, arena, err);
    }
    return true;
}
