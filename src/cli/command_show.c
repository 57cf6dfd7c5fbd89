/* SPDX-License-Identifier: MIT */
/* rowmax show: what a results file holds, as a table for people. */
#include "cli/cli_internal.h"
#include "base/files.h"
#include "base/text.h"
#include "run/fields.h"
#include "store/merge.h"
#include "store/store.h"
#include "store/verify.h"
#include "summary/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FAILED_SHOWN 20

static const enum measurement_field shown[] = {MEASURE_INPUT_STD, MEASURE_SCORE_STD,
                                               MEASURE_ROW_MAX_MEAN, MEASURE_JACOBIAN_NORM_MEAN,
                                               MEASURE_SATURATED_ROWS};
#define SHOWN_COUNT (sizeof shown / sizeof shown[0])

static void print_head(const struct result_set *set, const struct summary *summary)
{
    char text[1024];
    char number[32];
    printf("%s\n", text_printable(set->title, text, sizeof text));
    printf("%s of %s runs, %s failed", cli_count(summary->planned),
           cli_count((uint64_t)set->planned), cli_count(summary->failed));
    if (summary->outside > 0) {
        printf("; %s more that the sweep no longer holds", cli_count(summary->outside));
    }
    printf("\n");
    if (result_fact(set, MERGE_SHARD) != NULL && result_fact(set, MERGE_SHARD_RUNS) != NULL) {
        printf("shard %s, to which %s of the sweep's runs belong\n",
               text_printable(result_fact(set, MERGE_SHARD), text, sizeof text),
               text_printable(result_fact(set, MERGE_SHARD_RUNS), number, sizeof number));
    }
    for (size_t i = 0; i < summary->axis_count; i++) {
        printf("axis %s: %zu values\n", summary->axes[i].name, summary->axes[i].count);
    }
    if (summary->lacking != 0) {
        printf("measures: %d of %d, as the sweep asks\n",
               MEASUREMENT_FIELD_COUNT - __builtin_popcountll(summary->lacking),
               MEASUREMENT_FIELD_COUNT);
    }
    printf("seeds: %zu\n\n", summary->seeds);
}

/* A number and the half width of its interval in ten and nine columns. */
static void print_estimate(const struct estimate *estimate)
{
    if (isnan(estimate->mean)) {
        printf(" %10s %9s", "-", "");
    } else if (isnan(estimate->half_width)) {
        printf(" %10.4g %9s", estimate->mean, "");
    } else {
        printf(" %10.4g ±%8.2g", estimate->mean, estimate->half_width);
    }
}

#define WIDTH_LIMIT 40
#define AXIS_LIMIT RUN_FIELD_COUNT

/* Characters, not bytes: continuation bytes take no column. */
static size_t text_columns(const char *text)
{
    size_t columns = 0;
    for (; *text != '\0'; text++) {
        columns += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return columns;
}

static void print_padded(const char *text, size_t width)
{
    size_t columns = text_columns(text);
    printf("%s%*s ", text, (int)(columns < width ? width - columns : 0), "");
}

static size_t column_width(const struct summary_axis *axis)
{
    size_t width = text_columns(axis->name);
    for (size_t v = 0; v < axis->count; v++) {
        char out[FIELD_VALUE_SIZE];
        size_t columns = text_columns(summary_axis_value(axis, v, out));
        width = columns > width ? columns : width;
    }
    return width < WIDTH_LIMIT ? width : WIDTH_LIMIT;
}

static void print_group(const struct summary *summary, const struct summary_group *group,
                        const size_t widths[AXIS_LIMIT])
{
    for (size_t i = 0; i < summary->axis_count; i++) {
        char out[FIELD_VALUE_SIZE];
        char safe[128];
        const char *value = summary_axis_value(&summary->axes[i], group->place[i], out);
        print_padded(text_printable(value, safe, sizeof safe), widths[i]);
    }
    printf("%5zu", group->runs);
    for (size_t i = 0; i < SHOWN_COUNT; i++) {
        if ((summary->lacking >> shown[i] & 1) == 0) {
            print_estimate(&group->measures[shown[i]]);
        }
    }
    printf("\n");
}

static void print_table(const struct summary *summary)
{
    size_t widths[AXIS_LIMIT] = {0};
    for (size_t i = 0; i < summary->axis_count; i++) {
        widths[i] = column_width(&summary->axes[i]);
        print_padded(summary->axes[i].name, widths[i]);
    }
    printf("%5s", "runs");
    for (size_t i = 0; i < SHOWN_COUNT; i++) {
        if ((summary->lacking >> shown[i] & 1) == 0) {
            printf(" %20s", measurement_fields[shown[i]].name);
        }
    }
    printf("\n");
    for (size_t g = 0; g < summary->group_count; g++) {
        print_group(summary, &summary->groups[g], widths);
    }
}

static void print_failures(const struct result_set *set, size_t failed)
{
    size_t printed = 0;
    for (size_t i = 0; i < set->count && printed < FAILED_SHOWN; i++) {
        if (result_status(set, i) == RESULT_FAILED && result_index(set, i) >= 0) {
            char text[512];
            printf("run %lld failed: %s\n", (long long)result_index(set, i),
                   text_printable(result_message(set, i), text, sizeof text));
            printed++;
        }
    }
    if (failed > printed) {
        printf("... and %zu more failed runs\n", failed - printed);
    }
}

/* Names and values in two columns; what a file of another version says as well. */
static void print_provenance(const struct result_set *set)
{
    size_t width = 0;
    for (size_t i = 0; i < set->provenance_count; i++) {
        size_t columns = text_columns(set->provenance[i].name);
        width = columns > width ? columns : width;
    }
    width = width < WIDTH_LIMIT ? width : WIDTH_LIMIT;
    for (size_t i = 0; i < set->provenance_count; i++) {
        char safe[4096];
        print_padded(text_printable(set->provenance[i].name, safe, sizeof safe), width);
        printf(" %s\n", text_printable(set->provenance[i].value, safe, sizeof safe));
    }
}

static bool verify(const char *path, struct arena *arena, struct error *err)
{
    struct verification found;
    const char *journal = arena_format(arena, err, "%s.journal", path);
    if (journal == NULL || !verify_results(path, arena, &found, err)) {
        return false;
    }
    if (found.note != NULL) {
        cli_say("%s: %s", path, found.note);
    }
    if (files_exists(journal)) {
        cli_say("%s: more runs are in its journal; 'rowmax run' takes them over", path);
    }
    for (size_t i = 0; i < found.fault_count; i++) {
        char safe[ERROR_MESSAGE_SIZE];
        printf("%s\n", text_printable(found.faults[i], safe, sizeof safe));
    }
    return found.fault_count == 0 ||
           error_set(err, ERROR_FILE, "'%s' is not whole; %zu fault%s", path, found.fault_count,
                     found.fault_count == 1 ? "" : "s");
}

bool command_show(const struct options *options, struct arena *arena, struct error *err)
{
    struct result_set set;
    struct summary summary;
    if (options->verify) {
        return verify(options->operands[0], arena, err);
    }
    if (options->timing) {
        return timing_print(options->operands[0], arena, err);
    }
    if (options->provenance) {
        bool loaded = load_results(options->operands[0], arena, &set, err);
        if (loaded) {
            print_provenance(&set);
        }
        return loaded;
    }
    if (!load_results(options->operands[0], arena, &set, err) ||
        !summary_make(&set, arena, &summary, err)) {
        return false;
    }
    print_head(&set, &summary);
    print_table(&summary);
    print_failures(&set, summary.failed);
    return true;
}
