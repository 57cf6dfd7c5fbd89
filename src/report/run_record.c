/* SPDX-License-Identifier: MIT */
/* What was run: axes, fixed fields, seeds, failures, provenance, the sweep itself. Declared in
 * sections.h. */
#include "report/labels.h"

#include "report/numbers.h"
#include "report/scope.h"
#include "report/sections.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    VALUES_LISTED = 16,
    SEED_RANGES = 12,
    FAILURES_LISTED = 20,
    MESSAGE_LIMIT = 300,
    VALUE_LIMIT = 200,
    SWEEP_LIMIT = 64 * 1024
};

/* " 5 rows of scores in 3 runs have no weights." */
static void append_undefined(const struct sections *sections)
{
    const struct summary *summary = sections->view->measured;
    size_t runs = scope_undefined_runs(summary);
    uint64_t rows = 0;
    char numbers[2][TEXT_COUNT_SIZE];
    for (size_t g = 0; g < summary->group_count; g++) {
        rows += (uint64_t)summary->groups[g].undefined_rows;
    }
    if (runs > 0) {
        text_append_format(sections->out, " %s row%s of scores in %s run%s no weights.",
                           text_from_count(rows, numbers[0]), rows == 1 ? "" : "s",
                           text_from_count(runs, numbers[1]),
                           rows == 1   ? " has"
                           : runs == 1 ? " have"
                                       : "s have");
    }
}

static void append_counts(const struct sections *sections)
{
    const struct result_set *set = sections->set;
    const struct summary *summary = sections->view->measured;
    struct text *out = sections->out;
    size_t rows = summary->planned;
    bool named = set->name != NULL && *set->name != '\0';
    text_append(out, named ? "Sweep " : "The sweep");
    markdown_text(out, named ? set->name : "");
    char numbers[4][TEXT_COUNT_SIZE];
    text_append_format(out, ": %s runs planned, %s done, %s failed; %s setting%s.",
                       text_from_count((uint64_t)set->planned, numbers[0]),
                       text_from_count(rows - summary->failed, numbers[1]),
                       text_from_count(summary->failed, numbers[2]),
                       text_from_count(summary->group_count, numbers[3]),
                       summary->group_count == 1 ? "" : "s");
    append_undefined(sections);
    if (summary->outside > 0) {
        text_append_format(out,
                           " %zu further row%s of the results file belong to no run of this "
                           "sweep any more and are left out.",
                           summary->outside, summary->outside == 1 ? "" : "s");
    }
    text_append(out, "\n\n");
}

static void append_sentences(const struct sections *sections, const struct summary_axis *axis,
                             size_t value)
{
    double sentences = labels_sentences(sections->view->measured, axis, value);
    if (!isnan(sentences)) {
        char number[NUMBER_SIZE];
        text_append_format(sections->out, " (%s sentence%s)", number_given(sentences, number),
                           sentences == 1 ? "" : "s");
    }
}

/* One value in full; rows of scores, which hold commas themselves, by number. */
static bool append_value(const struct sections *sections, const struct summary_axis *axis,
                         size_t value, struct error *err)
{
    const char *text = view_value_text(axis, value, sections->arena, err);
    if (text == NULL) {
        return false;
    }
    if (axis->field == RUN_SCORES) {
        text_append_format(sections->out, "%s(%zu) ", value == 0 ? "" : "; ", value + 1);
    } else {
        text_append(sections->out, value == 0 ? "" : ", ");
    }
    markdown_text_cut(sections->out, text, VALUE_LIMIT);
    if (axis->field == RUN_CORPUS) {
        append_sentences(sections, axis, value);
    }
    return true;
}

static bool append_axis(const struct sections *sections, const struct summary_axis *axis,
                        struct error *err)
{
    struct text *out = sections->out;
    text_append_format(out, "- %s: ", view_axis_label(axis));
    for (size_t v = 0; v < axis->count; v++) {
        /* the first fifteen, and the last: together the range */
        if (v >= VALUES_LISTED - 1 && v + 1 < axis->count) {
            text_append(out, v == VALUES_LISTED - 1 ? ", …" : "");
        } else if (!append_value(sections, axis, v, err)) {
            return false;
        }
    }
    char count[TEXT_COUNT_SIZE];
    text_append_format(out, " — %s values\n", text_from_count(axis->count, count));
    return true;
}

/* "1–32, 40": distinct seeds as ranges. */
static bool append_seeds(const struct sections *sections, struct error *err)
{
    const struct result_set *set = sections->set;
    size_t count;
    int64_t *seeds = result_seeds(set, sections->arena, &count, err);
    if (seeds == NULL) {
        return false;
    }
    text_append(sections->out, "- seed: ");
    size_t ranges = 0;
    for (size_t i = 0; i < count;) {
        size_t last = i;
        while (last + 1 < count && seeds[last + 1] - seeds[last] <= 1) {
            last++;
        }
        if (ranges++ < SEED_RANGES) {
            text_append_format(sections->out, "%s%" PRId64, ranges == 1 ? "" : ", ", seeds[i]);
            if (seeds[last] != seeds[i]) {
                text_append_format(sections->out, "–%" PRId64, seeds[last]);
            }
        }
        i = last + 1;
    }
    text_append(sections->out, ranges > SEED_RANGES ? ", …\n\n" : "\n\n");
    return true;
}

static bool is_axis(const struct summary *summary, int field)
{
    return summary_axis_find(summary, run_field_is_guard(field) ? (int)AXIS_GUARDS : field) != NULL;
}

/* Other values of a field that is no axis: sources and learners have defaults of their own. */
static void append_further(const struct sections *sections, int field, const char *first)
{
    const struct summary *summary = sections->view->measured;
    for (size_t g = 1; g < summary->group_count; g++) {
        char buffer[FIELD_VALUE_SIZE];
        const struct run *run = summary->groups[g].sample;
        const char *value = field_value_text(&run_fields[field], run, buffer);
        if (run_field_applies(run, (enum run_field)field) && strcmp(value, first) != 0) {
            text_append(sections->out, ", or ");
            markdown_text_cut(sections->out, value, VALUE_LIMIT);
            return;
        }
    }
}

/* The first run that a field has a meaning for, or NULL. */
static const struct run *sample_for(const struct summary *summary, enum run_field field)
{
    for (size_t g = 0; g < summary->group_count; g++) {
        if (run_field_applies(summary->groups[g].sample, field)) {
            return summary->groups[g].sample;
        }
    }
    return NULL;
}

static void append_fixed(const struct sections *sections)
{
    static const char *const heads[] = {"fixed field", "value", "from"};
    const struct summary *summary = sections->view->measured;
    markdown_table(sections->out, heads, 3, 3);
    for (int field = 0; field < RUN_FIELD_COUNT; field++) {
        char buffer[FIELD_VALUE_SIZE];
        const struct run *run = sample_for(summary, (enum run_field)field);
        if (run == NULL || field == RUN_SEED || is_axis(summary, field)) {
            continue;
        }
        const char *value = field_value_text(&run_fields[field], run, buffer);
        if (*value == '\0') {
            continue;
        }
        text_append_format(sections->out, "| `%s` | ", run_fields[field].name);
        markdown_text_cut(sections->out, value, VALUE_LIMIT);
        append_further(sections, field, value);
        text_append(sections->out,
                    (run->given >> field & 1U) != 0 ? " | sweep |\n" : " | default |\n");
    }
    text_append(sections->out, "\n");
}

static bool append_failure(const struct sections *sections, const struct summary_group *group,
                           const struct result *row, struct error *err)
{
    text_append_format(sections->out, "| %" PRId64 " | ", row->index);
    if (!sections_append_setting(sections, group, err)) {
        return false;
    }
    text_append_format(sections->out, " | %" PRId64 " | ", row->run.seed);
    markdown_text_cut(sections->out, row->message, MESSAGE_LIMIT);
    text_append(sections->out, " |\n");
    return true;
}

/* The failed runs of a group, as long as the table has room. */
static bool append_group_failures(const struct sections *sections,
                                  const struct summary_group *group, size_t *listed,
                                  struct error *err)
{
    for (size_t r = 0; r < group->runs && *listed < FAILURES_LISTED; r++) {
        if (result_status(sections->set, group->rows[r]) == RESULT_OK) {
            continue;
        }
        struct result space;
        ++*listed;
        if (!append_failure(sections, group, result_row(sections->set, group->rows[r], &space),
                            err)) {
            return false;
        }
    }
    return true;
}

static bool append_failures(const struct sections *sections, struct error *err)
{
    static const char *const heads[] = {"run", "setting", "seed", "message"};
    const struct summary *summary = sections->view->measured;
    size_t listed = 0;
    char failed[TEXT_COUNT_SIZE];
    char rows[TEXT_COUNT_SIZE];
    if (summary->failed == 0) {
        return true;
    }
    text_append_format(sections->out, "### Failed runs\n\n%s of %s runs failed",
                       text_from_count(summary->failed, failed),
                       text_from_count(summary->planned, rows));
    text_append(sections->out, summary->failed > FAILURES_LISTED ? "; some of them:\n\n" : ":\n\n");
    markdown_table(sections->out, heads, 4, 4);
    for (size_t g = 0; g < summary->group_count; g++) {
        if (!append_group_failures(sections, &summary->groups[g], &listed, err)) {
            return false;
        }
    }
    text_append(sections->out, "\n");
    return true;
}

static void append_provenance(const struct sections *sections)
{
    static const char *const heads[] = {"recorded", "value"};
    const struct result_set *set = sections->set;
    if (set->provenance_count == 0) {
        return;
    }
    text_append(sections->out, "### Provenance\n\n");
    markdown_table(sections->out, heads, 2, 2);
    for (size_t i = 0; i < set->provenance_count; i++) {
        text_append(sections->out, "| ");
        markdown_text_cut(sections->out, set->provenance[i].name, VALUE_LIMIT);
        text_append(sections->out, " | ");
        markdown_text_cut(sections->out, set->provenance[i].value, VALUE_LIMIT);
        text_append(sections->out, " |\n");
    }
    text_append(sections->out, "\n");
}

static void append_sweep(const struct sections *sections)
{
    const char *sweep = sections->set->sweep_text;
    if (sweep == NULL || *sweep == '\0') {
        return;
    }
    text_append(sections->out, "### The sweep\n\n");
    markdown_block(sections->out, "yaml", sweep, SWEEP_LIMIT);
    text_append(sections->out, strlen(sweep) > SWEEP_LIMIT
                                   ? "\nThe sweep is longer; the results file holds all of it.\n\n"
                                   : "\n");
}

bool record_append(const struct sections *sections, struct error *err)
{
    const struct summary *summary = sections->view->measured;
    text_append(sections->out, "## What was run\n\n");
    append_counts(sections);
    for (size_t a = 0; a < summary->axis_count; a++) {
        if (!append_axis(sections, &summary->axes[a], err)) {
            return false;
        }
    }
    if (summary->group_count > 0) {
        const struct scope scope = scope_of(summary);
        text_append(sections->out, scope.products ? "" : "\n");
        if (scope.products && !append_seeds(sections, err)) {
            return false;
        }
        append_fixed(sections);
    }
    if (!append_failures(sections, err)) {
        return false;
    }
    append_provenance(sections);
    append_sweep(sections);
    return true;
}
