/* SPDX-License-Identifier: MIT */
/* The command table, help and version: `rowmax help` and the man page test read the same rows. */
#include "cli/cli_internal.h"
#include "numeric/matrix.h"
#include "run/fields.h"
#include "store/store.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <string.h>

#define TALK (OPTION_PROGRESS | OPTION_QUIET)

const struct command commands[] = {
    {"plan", "SWEEP", 1, 1,
     OPTION_SET | OPTION_OUTPUT | OPTION_JOBS | OPTION_MAX_RUNS | OPTION_LIST |
         OPTION_RETRY_FAILED | OPTION_SHARD | OPTION_WHY,
     "show the runs of a sweep, what they cost and what a resume would do",
     "Reads the sweep and its inputs and starts nothing. -o names the results file to compare "
     "with.",
     command_plan},
    {"run", "SWEEP", 1, 1,
     OPTION_OUTPUT | OPTION_JOBS | OPTION_SET | OPTION_FRESH | OPTION_RETRY_FAILED |
         OPTION_FAIL_FAST | OPTION_REPORT | OPTION_FORMAT | OPTION_MAX_RUNS | OPTION_SHARD |
         OPTION_RUN_TIMEOUT | OPTION_RECOVER | TALK,
     "run what is missing and save the results",
     "Results go to -o, results/NAME.h5 by default. Runs that are there already are not run again; "
     "a "
     "stopped sweep goes on where it was.",
     command_run},
    {"merge", "PART...", 1, SIZE_MAX, OPTION_OUTPUT | OPTION_PARTIAL | OPTION_QUIET,
     "put the results files of shards together into the one of -o",
     "The file is that of one process that did all runs, byte for byte. Parts of another sweep, "
     "version or\ncorpus are refused, and so are missing runs, unless --partial. Parts stay as "
     "they "
     "are.",
     command_merge},
    {"report", "RESULTS", 1, 1, OPTION_OUTPUT | OPTION_FORMAT,
     "write report.md and its figures from a results file",
     "The report goes to the folder -o, reports/NAME by default; the path of report.md is printed.",
     command_report},
    {"check", "RESULTS", 1, 1,
     OPTION_AGAINST | OPTION_TOLERANCE | OPTION_JSON | OPTION_JUNIT | OPTION_GITHUB |
         OPTION_STRICT_HOST | OPTION_STRICT_BASELINE | OPTION_FAIL_ON_IMPROVEMENT |
         OPTION_MIN_COMPARED | OPTION_HISTORY | OPTION_DATE,
     "compare results with a baseline, measure by measure",
     "A measure deviates when |now - baseline| > atol + rtol |baseline|; atol is 1e-10 and rtol "
     "1e-8 "
     "unless\n--tolerance says otherwise, and counts must be equal. Away from saturation is an "
     "improvement, anything\nelse a regression. Prints one tab-separated line each. Exit status 1: "
     "a regression, or what a strict\noption asks for; 4: nothing could be compared.",
     command_check},
    {"show", "RESULTS", 1, 1, 0, "print what a results file holds", NULL, command_show},
    {"fields", "", 0, 0, 0, "list every field of a sweep and every measure", NULL, command_fields},
    {"theory", "", 0, 0, OPTION_TOKENS | OPTION_SPREAD | OPTION_LAYOUT,
     "print what rows of independent normal scores show on average",
     "Exact expectations for --tokens scores of standard deviation --spread, both needed. Nothing "
     "is "
     "run.",
     command_theory},
    {"properties", "", 0, 0, OPTION_WEIGHTS | OPTION_LAYOUT,
     "look for counter-examples to what weights are said to be",
     "A fixed catalogue of rows, then random ones, always the same; the smallest counter-example "
     "is "
     "shown. 'yes' means that none was found.",
     command_properties},
    {"doctor", "", 0, 0, 0, "check that this machine can do the job", NULL, command_doctor},
    {"help", "[TOPIC]", 0, 1, 0, "explain a command, a field or a key of the sweep file", NULL,
     command_help},
    {"version", "", 0, 0, 0, "print versions of rowmax and its libraries", NULL, command_version},
};
const size_t command_count = sizeof commands / sizeof commands[0];

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

/* What a sweep file holds besides fields. */
static const struct {
    const char *name, *help;
} topics[] = {
    {"rowmax", "the format version, always 1: rowmax: 1"},
    {"name", "names the results file; the sweep file's name unless given"},
    {"title", "heads the report"},
    {"fixed", "one value for each field in it, the same for all runs"},
    {"grid", "every combination of its axes, the last one fastest; a list of grids is their union\n"
             "an axis is a list, {from: 1, to: 32}, {from: 0, to: 1, step: 0.1} or "
             "{from: 1, to: 64, factor: 2}; the end is included"},
    {"zip",
     "a list of maps; the fields of a map vary together: {d_model: [64, 128], d_k: [8, 16]}"},
    {"exclude", "a list of maps; a run that equals all fields of one is left out"},
    {"guards",
     "stands for the three switches in a grid: all, or a list such as [none, init+scale]"},
    {"saturation", "the threshold of a saturated row: saturation: {row_max: 0.9}"},
    {"keep", "matrices to store: [scores, weights], or {matrices: [weights], where: {seed: 1}}"},
};

static bool print_topic(const char *name)
{
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        if (strcmp(topics[i].name, name) == 0) {
            printf("%s (a key of the sweep file)\n\n%s.\n", name, topics[i].help);
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
        "'rowmax help COMMAND', 'rowmax help FIELD' and 'rowmax help grid' say more.\n");
}

static void print_command(const struct command *command)
{
    printf("usage: rowmax %s%s%s%s\n\n%s.\n", command->name,
           command->options == 0 ? "" : " [options]", command->operand[0] == '\0' ? "" : " ",
           command->operand, command->summary);
    if (command->description != NULL) {
        printf("%s\n", command->description);
    }
    if (command->options != 0) {
        printf("\n");
        options_print_help(command->options);
    }
}

static void print_field(const struct field *field, const char *role)
{
    printf("%s (%s)\n\n%s.\n", field->name, role, field->help);
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

bool command_help(const struct options *options, struct arena *arena, struct error *err)
{
    (void)arena;
    if (options->operand_count == 0) {
        print_overview();
        return true;
    }
    const char *topic = options->operands[0];
    const struct command *command = command_find(topic);
    const struct field *set = run_field_find(topic);
    const struct field *measured = measurement_field_find(topic);
    if (command != NULL) {
        print_command(command);
    } else if (set != NULL) {
        print_field(set, "a field of the sweep");
    } else if (measured != NULL) {
        print_field(measured, "a measure");
    } else if (!print_topic(topic)) {
        return error_set(err, ERROR_USAGE,
                         "no help on '%s'; see 'rowmax help' for commands, 'rowmax fields' for "
                         "fields",
                         topic);
    }
    return true;
}

bool command_version(const struct options *options, struct arena *arena, struct error *err)
{
    (void)options;
    (void)arena;
    (void)err;
    printf("rowmax %s\n", ROWMAX_VERSION);
    printf("HDF5 %s, OpenBLAS kernel %s, glibc %s\n", store_hdf5_version(), matrix_kernel_name(),
           gnu_get_libc_version());
    return true;
}
