/* SPDX-License-Identifier: MIT */
/* Options: one row each, read by getopt_long, the help and the man page test. */
#include "cli/options.h"
#include "report/report.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_row rows[] = {
    {OPTION_OUTPUT, "output", 'o', "PATH", "a file or a folder, by the command"},
    {OPTION_JOBS, "jobs", 'j', "N",
     "worker threads, 1 to 1024; the processors of this machine by default"},
    {OPTION_SET, "set", 0, "FIELD=VALUE", "replace a field of the sweep; a list makes an axis"},
    {OPTION_FRESH, "fresh", 0, NULL, "run everything again instead of resuming"},
    {OPTION_RETRY_FAILED, "retry-failed", 0, NULL, "run failed runs again"},
    {OPTION_FAIL_FAST, "fail-fast", 0, NULL, "stop at the first failed run"},
    {OPTION_REPORT, "report", 0, NULL, "go on to the report"},
    {OPTION_FORMAT, "format", 0, "LIST", "figure formats: svg,png,pdf (svg,png by default)"},
    {OPTION_TOKENS, "tokens", 0, "N", "keys of a row, 1 to 1048576"},
    {OPTION_SPREAD, "spread", 0, "S", "standard deviation of the scores, 0 to 1e300"},
    {OPTION_WEIGHTS, "weights", 0, "NAME", "one way from scores to weights; all by default"},
    {OPTION_LAYOUT, "format", 0, "HOW", "text or json (text by default)"},
    {OPTION_SHARD, "shard", 0, "I/N", "do shard I of N only, counted from 0: 0/4 to 3/4"},
    {OPTION_RUN_TIMEOUT, "run-timeout", 0, "SECONDS", "a run that takes longer is a failed one"},
    {OPTION_RECOVER, "recover", 0, "NEW",
     "go on in the file NEW with what can be verified of damaged results"},
    {OPTION_PARTIAL, "partial", 0, NULL, "merge what there is, though runs are missing"},
    {OPTION_PROVENANCE, "provenance", 0, NULL, "print how the results were made, nothing else"},
    {OPTION_VERIFY, "verify", 0, NULL,
     "check every checksum, count and key; says nothing when all is well"},
    {OPTION_TIMING, "timing", 0, NULL, "print what the last runs took and what was expected"},
    {OPTION_FORCE, "force", 0, NULL, "start though memory or the disk will not do"},
    {OPTION_NO_LOCK, "no-lock", 0, NULL, "go on where the file system has no locks"},
    {OPTION_REQUIRE_PROVENANCE, "require-provenance", 0, NULL,
     "run only if the commits of this program and of runs at hand are known and clean"},
    {OPTION_WHY, "why", 0, NULL, "say of each run whether it would run, and why"},
    {OPTION_LIST, "list", 0, NULL, "print the runs, one tab-separated line each"},
    {OPTION_MAX_RUNS, "max-runs", 0, "N",
     "refuse larger sweeps, up to 100000000 (1000000 by default)"},
    {OPTION_PROGRESS, "progress", 0, "HOW", "auto, bar, plain or none"},
    {OPTION_AGAINST, "against", 0, "BASELINE", "the results file to compare with; needed"},
    {OPTION_TOLERANCE, "tolerance", 0, "FILE", "YAML: a measure to {atol, rtol}"},
    {OPTION_JSON, "json", 0, "FILE", "write the verdict as JSON; - is standard output"},
    {OPTION_JUNIT, "junit", 0, "FILE", "write JUnit XML, a test case a run; - is standard output"},
    {OPTION_GITHUB, "github", 0, NULL, "print annotations for GitHub Actions"},
    {OPTION_STRICT_HOST, "strict-host", 0, NULL,
     "fail when processor, BLAS, compiler, C library or arithmetic differ"},
    {OPTION_STRICT_BASELINE, "strict-baseline", 0, NULL, "fail on new and on missing runs"},
    {OPTION_FAIL_ON_IMPROVEMENT, "fail-on-improvement", 0, NULL, "fail on improvements as well"},
    {OPTION_MIN_COMPARED, "min-compared", 0, "N", "status 4 when fewer than N runs are compared"},
    {OPTION_HISTORY, "history", 0, "FILE",
     "the nights so far: check appends tonight and finds steps, report draws them"},
    {OPTION_DATE, "date", 0, "DATE", "YYYY-MM-DD for --history; today in UTC by default"},
    {OPTION_SHARDS, "shards", 0, "N", "how many shards to plan, at most one a run"},
    {OPTION_OUT, "out", 0, "FOLDER", "write the plan and copies of all it reads to a new folder"},
    {OPTION_ENGINE, "engine", 0, "NAME", "the batch system: slurm, the only one so far; needed"},
    {OPTION_PARTITION, "partition", 0, "NAME", "Slurm's --partition"},
    {OPTION_TIME, "time", 0, "MINUTES", "time limit of a job; a shard that meets it goes on anew"},
    {OPTION_THROTTLE, "throttle", 0, "K", "at most K shards at once"},
    {OPTION_ACCOUNT, "account", 0, "NAME", "Slurm's --account"},
    {OPTION_MEM, "mem", 0, "SIZE", "Slurm's --mem, such as 2G"},
    {OPTION_CONSTRAINT, "constraint", 0, "FEATURES", "Slurm's --constraint; one kind of processor"},
    {OPTION_SBATCH_ARG, "sbatch-arg", 0, "ARGUMENT",
     "one more argument of sbatch; may be repeated"},
    {OPTION_MISSING, "missing", 0, NULL, "submit only shards whose runs are not all there"},
    {OPTION_WAIT, "wait", 0, NULL, "wait for the merge, whose exit status is the result"},
    {OPTION_ALLOW_LOCAL, "allow-local", 0, NULL, "take a folder that only this machine may see"},
    {OPTION_NO_REPORT, "no-report", 0, NULL, "merge without a report behind it"},
    {OPTION_EXPORT_FORMAT, "format", 0, "HOW", "csv, json, jsonl or module"},
    {OPTION_FIELDS, "fields", 0, "LIST", "the columns of a table, in this order; all by default"},
    {OPTION_WHERE, "where", 0, "FIELD=VALUE", "only runs with this value; may be repeated"},
    {OPTION_DIFF, "diff", 0, "OLD",
     "say what moved since the course data in the folder OLD; with -q a summary"},
    {OPTION_STRICT, "strict", 0, NULL, "with --diff: status 1 when anything moved"},
    {OPTION_VERBOSE, "verbose", 'v', NULL, "say what is read, expected and spent as well"},
    {OPTION_QUIET, "quiet", 'q', NULL, "say nothing but errors"},
};
#define ROW_COUNT (sizeof rows / sizeof rows[0])
#define FIRST_LONG 256

const struct option_row *option_rows(size_t *count)
{
    *count = ROW_COUNT;
    return rows;
}

/* Where an option is another thing to another command. */
static const struct {
    uint64_t bit;
    const char *command, *help;
} meanings[] = {
    {OPTION_OUTPUT, "plan", "the results file to compare with; results/NAME.h5 by default"},
    {OPTION_OUTPUT, "run", "the results file; results/NAME.h5 by default"},
    {OPTION_OUTPUT, "merge", "the results file to write; sweep.h5 in a planned folder by default"},
    {OPTION_OUTPUT, "report", "the folder to write; reports/NAME by default"},
    {OPTION_OUTPUT, "export", "the file of a table, or the folder of course data"},
};

const char *option_help(const struct option_row *row, const struct command *command)
{
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        if (meanings[i].bit == row->bit && strcmp(meanings[i].command, command->name) == 0) {
            return meanings[i].help;
        }
    }
    return row->help;
}

/* The getopt tables of a command: long options numbered by row, letters as they are. */
static void make_tables(uint64_t accepted, struct option longs[ROW_COUNT + 1],
                        char letters[2 * ROW_COUNT + 2])
{
    size_t used = 0;
    *letters++ = ':';
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if ((rows[i].bit & accepted) == 0) {
            continue;
        }
        int argument = rows[i].argument == NULL ? no_argument : required_argument;
        longs[used++] = (struct option){rows[i].name, argument, NULL, FIRST_LONG + (int)i};
        if (rows[i].letter != 0) {
            *letters++ = rows[i].letter;
            if (argument == required_argument) {
                *letters++ = ':';
            }
        }
    }
    longs[used] = (struct option){NULL, 0, NULL, 0};
    *letters = '\0';
}

static const struct option_row *row_of(int code)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (code == FIRST_LONG + (int)i || (rows[i].letter != 0 && code == rows[i].letter)) {
            return &rows[i];
        }
    }
    return NULL;
}

/* Only a table fits standard output. */
static bool check_output(const struct command *command, const char *output, struct error *err)
{
    bool dash = output != NULL && strcmp(output, "-") == 0;
    bool named = output == NULL || output[0] != '\0';
    return (named && (!dash || (command->options & OPTION_EXPORT_FORMAT) != 0)) ||
           error_set(err, ERROR_USAGE, "--output '%s': name a file or a folder", output);
}

static bool check_operands(const struct command *command, size_t count, const char *first_extra,
                           struct error *err)
{
    if (count < command->least_operands) {
        char usage[COMMAND_USAGE_SIZE];
        return error_set(err, ERROR_USAGE, "%.*s is missing; usage: %s",
                         (int)strcspn(command->operand, " "), command->operand,
                         command_usage(command, usage));
    }
    if (count > command->most_operands) {
        return error_set(err, ERROR_USAGE, "'%s' is one argument too many; see 'rowmax help %s'",
                         first_extra, command->name);
    }
    return true;
}

/* getopt leaves a letter in optopt, which may stand within a word of several; a long option is the
 * word before optind. */
static bool refuse_option(const struct command *command, bool needs_value, const char *word,
                          struct error *err)
{
    char letter[3] = {'-', (char)optopt, '\0'};
    bool is_letter = optopt > 0 && optopt < FIRST_LONG;
    return error_set(err, ERROR_USAGE, "'%s' %s; see 'rowmax help %s'", is_letter ? letter : word,
                     needs_value ? "needs a value" : "is not an option of this command",
                     command->name);
}

bool options_parse(const struct command *command, int argc, char **argv, struct arena *arena,
                   struct options *out, struct error *err)
{
    struct option longs[ROW_COUNT + 1];
    char letters[2 * ROW_COUNT + 2];
    make_tables(command->options, longs, letters);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    memset(out, 0, sizeof *out);
    out->command = command->name;
    out->jobs = processors < 1 ? 1 : (size_t)processors;
    out->formats = REPORT_PNG | REPORT_SVG;
    out->max_runs = SWEEP_RUN_LIMIT;
    out->spread = (double)NAN;
    out->sets = arena_alloc(arena, (size_t)argc, sizeof *out->sets, err);
    out->cluster.lines = arena_alloc(arena, (size_t)argc, sizeof *out->cluster.lines, err);
    out->export.where = arena_alloc(arena, (size_t)argc, sizeof *out->export.where, err);
    if (out->sets == NULL || out->cluster.lines == NULL || out->export.where == NULL) {
        return false;
    }
    /* Options may stand behind operands whatever the environment asks of getopt. */
    unsetenv("POSIXLY_CORRECT");
    opterr = 0;
    optind = 1;
    int code;
    while ((code = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        const struct option_row *row = row_of(code);
        if (row == NULL) {
            return refuse_option(command, code == ':', argv[optind - 1], err);
        }
        if (!option_apply(row, optarg, out, err)) {
            return false;
        }
    }
    out->operands = (const char *const *)(argv + optind);
    out->operand_count = (size_t)(argc - optind);
    const char *extra = out->operand_count > command->most_operands
                            ? argv[optind + (int)command->most_operands]
                            : "";
    return check_output(command, out->output, err) &&
           check_operands(command, out->operand_count, extra, err);
}

static void append(char out[COMMAND_USAGE_SIZE], const char *words)
{
    size_t used = strlen(out);
    snprintf(out + used, COMMAND_USAGE_SIZE - used, "%s", words);
}

char *command_usage(const struct command *command, char out[COMMAND_USAGE_SIZE])
{
    out[0] = '\0';
    append(out, "rowmax ");
    append(out, command->name);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if ((rows[i].bit & command->needed) != 0) {
            const char letter[] = {rows[i].letter, '\0'};
            append(out, letter[0] == 0 ? " --" : " -");
            append(out, letter[0] == 0 ? rows[i].name : letter);
            append(out, " ");
            append(out, rows[i].argument);
        }
    }
    append(out, (command->options & ~command->needed) == 0 ? "" : " [options]");
    append(out, command->operand[0] == '\0' ? "" : " ");
    append(out, command->operand);
    return out;
}

bool command_refuse(const char *command, const char *what, struct error *err)
{
    char usage[COMMAND_USAGE_SIZE];
    return error_set(err, ERROR_USAGE, "%s is missing; usage: %s", what,
                     command_usage(command_find(command), usage));
}

void options_print_help(const struct command *command)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if ((rows[i].bit & command->options) == 0) {
            continue;
        }
        char left[64];
        char letter[8] = "    ";
        if (rows[i].letter != 0) {
            snprintf(letter, sizeof letter, "-%c, ", rows[i].letter);
        }
        snprintf(left, sizeof left, "%s--%s%s%s", letter, rows[i].name,
                 rows[i].argument == NULL ? "" : " ",
                 rows[i].argument == NULL ? "" : rows[i].argument);
        printf("  %-28s %s\n", left, option_help(&rows[i], command));
    }
}
