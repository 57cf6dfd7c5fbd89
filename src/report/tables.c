/* SPDX-License-Identifier: MIT */
/* The tables of a report, one a question; declared in sections.h. */
#include "report/numbers.h"
#include "report/sections.h"
#include "summary/saturation.h"

#include <math.h>
#include <stdlib.h>

enum { TABLE_ROWS = 64, TABLE_MEASURES = 4, VALUE_LIMIT = 80 };

struct table {
    const char *question;
    const char *answer; /* how to read the columns */
    enum measurement_field measures[TABLE_MEASURES];
    size_t count;
    bool verdict; /* one more column */
};

static const struct table tables[] = {
    {"How far are the input and the scores spread?",
     "Standard deviations. Softmax sees differences within a row only, which the last column "
     "measures.",
     {MEASURE_INPUT_STD, MEASURE_INPUT_RMS, MEASURE_SCORE_STD, MEASURE_SCORE_ROW_STD},
     4,
     false},
    {"Where does attention saturate?",
     "Mean and median over rows of the largest weight of a row, the share of rows that reach the "
     "threshold, and the verdict from the mean: undecided where its interval contains the "
     "threshold.",
     {MEASURE_ROW_MAX_MEAN, MEASURE_ROW_MAX_MEDIAN, MEASURE_SATURATED_ROWS},
     3,
     true},
    {"How much gradient is left?",
     "Mean and median over rows of ‖J‖_F; the normalised trace, 1 for uniform attention and 0 for "
     "one-hot; the gradient that reaches W_Q relative to uniform attention.",
     {MEASURE_JACOBIAN_NORM_MEAN, MEASURE_JACOBIAN_NORM_MEDIAN, MEASURE_JACOBIAN_TRACE_MEAN,
      MEASURE_GRADIENT_WQ_RATIO},
     4,
     false},
};

/* The groups that the tables show, in order. */
struct selection {
    size_t count;
    const struct summary_group **groups;
    bool cut;
};

static int compare_row_max(const void *a, const void *b)
{
    const struct summary_group *left = *(const struct summary_group *const *)a;
    const struct summary_group *right = *(const struct summary_group *const *)b;
    double x = left->measures[MEASURE_ROW_MAX_MEAN].mean;
    double y = right->measures[MEASURE_ROW_MAX_MEAN].mean;
    bool unknown = isnan(x) || isnan(y);
    int by_value = unknown ? isnan(x) - isnan(y) : (x < y) - (x > y);
    return by_value != 0 ? by_value : (left > right) - (left < right);
}

/* All groups as planned, or those with the largest row-max when they are too many. */
static bool select_groups(const struct sections *sections, struct selection *out, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    out->groups =
        arena_alloc(sections->arena, summary->group_count, sizeof(struct summary_group *), err);
    if (out->groups == NULL) {
        return false;
    }
    for (size_t g = 0; g < summary->group_count; g++) {
        out->groups[g] = &summary->groups[g];
    }
    out->count = summary->group_count;
    out->cut = out->count > TABLE_ROWS;
    if (out->cut) {
        qsort(out->groups, out->count, sizeof *out->groups, compare_row_max);
        out->count = TABLE_ROWS;
    }
    return true;
}

static const char *verdict_words(const struct summary_group *group)
{
    static const char *const words[] = {[SATURATION_UNKNOWN] = "unknown",
                                        [SATURATION_NO] = "no",
                                        [SATURATION_UNDECIDED] = "undecided",
                                        [SATURATION_YES] = "**saturated**"};
    return words[saturation_of(group)];
}

static bool append_row(const struct sections *sections, const struct table *table,
                       const struct summary_group *group, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    struct text *out = sections->out;
    for (size_t a = 0; a < summary->axis_count; a++) {
        const char *value =
            view_value_label(&summary->axes[a], group->place[a], sections->arena, err);
        if (value == NULL) {
            return false;
        }
        text_append(out, "| ");
        markdown_text_cut(out, value, VALUE_LIMIT);
        text_append(out, " ");
    }
    for (size_t m = 0; m < table->count; m++) {
        char number[NUMBER_SIZE];
        text_append_format(out, "| %s ", number_measure(group, table->measures[m], number));
    }
    if (table->verdict) {
        text_append_format(out, "| %s ", verdict_words(group));
    }
    text_append(out, "|\n");
    return true;
}

static bool append_table(const struct sections *sections, const struct table *table,
                         const struct selection *selection, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    const char *heads[RUN_FIELD_COUNT + TABLE_MEASURES + 2];
    size_t count = 0;
    for (size_t a = 0; a < summary->axis_count; a++) {
        heads[count++] = view_axis_label(&summary->axes[a]);
    }
    for (size_t m = 0; m < table->count; m++) {
        heads[count++] = measurement_fields[table->measures[m]].label;
    }
    if (table->verdict) {
        heads[count++] = "saturated?";
    }
    text_append_format(sections->out, "### %s\n\n%s\n\n", table->question, table->answer);
    markdown_table(sections->out, heads, count, summary->axis_count);
    for (size_t i = 0; i < selection->count; i++) {
        if (!append_row(sections, table, selection->groups[i], err)) {
            return false;
        }
    }
    text_append(sections->out, "\n");
    return true;
}

bool tables_append(const struct sections *sections, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    struct selection selection;
    char number[TEXT_COUNT_SIZE];
    if (summary->failed == summary->planned) {
        return true;
    }
    if (!select_groups(sections, &selection, err)) {
        return false;
    }
    text_append(sections->out, "## The numbers\n\n");
    if (selection.cut) {
        text_append_format(
            sections->out,
            "The tables show the %d settings with the largest mean row-max of %s; "
            "[saturation.tsv](saturation.tsv) and the results file hold them all.\n\n",
            TABLE_ROWS, text_from_count(summary->group_count, number));
    }
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        if (!append_table(sections, &tables[t], &selection, err)) {
            return false;
        }
    }
    return true;
}
