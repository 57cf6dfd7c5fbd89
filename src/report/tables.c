/* SPDX-License-Identifier: MIT */
/* The tables of a report, one a question; declared in sections.h. */
#include "report/numbers.h"
#include "report/predictions.h"
#include "report/scope.h"
#include "report/sections.h"
#include "summary/saturation.h"

#include <math.h>
#include <stdlib.h>

enum { TABLE_ROWS = 64, TABLE_MEASURES = 6, VALUE_LIMIT = 80 };

struct table {
    const char *question;
    const char *answer; /* how to read the columns */
    size_t count;
    enum measurement_field measures[TABLE_MEASURES];
    bool verdict; /* one more column */
};

/* Of the spreads, the input's stand only where there is an input. */
static struct table spreads_table(const struct summary *summary)
{
    if (!scope_measured(summary, MEASURE_INPUT_STD)) {
        return (struct table){"How far are the scores spread?",
                              "Standard deviations of all scores and within a row, which is all "
                              "that the weights see, and the largest score.",
                              3,
                              {MEASURE_SCORE_STD, MEASURE_SCORE_ROW_STD, MEASURE_MAX_LOGIT},
                              false};
    }
    return (struct table){
        "How far are the input and the scores spread?",
        "Standard deviations. Softmax sees differences within a row only, which "
        "the last column measures.",
        4,
        {MEASURE_INPUT_STD, MEASURE_INPUT_RMS, MEASURE_SCORE_STD, MEASURE_SCORE_ROW_STD},
        false};
}

static struct table saturation_table(const struct summary *summary, const struct scope *scope)
{
    struct table table = {
        "Where does attention saturate?",
        summary->seeds > 1
            ? "Mean and median over rows of the largest weight of a row, the share of rows that "
              "reach the threshold, and the verdict from the mean: undecided where its interval "
              "contains the threshold."
            : "Mean and median over rows of the largest weight of a row, the share of rows that "
              "reach the threshold, and the verdict from the mean.",
        3,
        {MEASURE_ROW_MAX_MEAN, MEASURE_ROW_MAX_MEDIAN, MEASURE_SATURATED_ROWS},
        true};
    if (scope_sum_is_free(scope)) {
        table.measures[table.count++] = MEASURE_WEIGHT_SUM_MEAN;
    }
    if (scope_undefined_runs(summary) > 0) {
        table.measures[table.count++] = MEASURE_UNDEFINED_ROWS;
    }
    return table;
}

static struct table gradient_table(const struct summary *summary, const struct scope *scope)
{
    struct table table = {
        "How much gradient is left?",
        scope_softmax_only(scope)
            ? "Mean and median over rows of ‖J‖_F; the normalised trace, 1 for uniform attention "
              "and 0 for one-hot"
            : "Mean and median over rows of ‖J‖_F; the trace relative to that of uniform softmax, "
              "which other weights can exceed",
        3,
        {MEASURE_JACOBIAN_NORM_MEAN, MEASURE_JACOBIAN_NORM_MEDIAN, MEASURE_JACOBIAN_TRACE_MEAN},
        false};
    if (scope_measured(summary, MEASURE_GRADIENT_WQ_RATIO)) {
        table.measures[table.count++] = MEASURE_GRADIENT_WQ_RATIO;
    }
    return table;
}

/* What sets heads apart, and what norms and caps act on. */
static struct table heads_table(void)
{
    return (struct table){"What do scores and weights look like?",
                          "Mean and normalised entropy of a row, the largest score with its sign, "
                          "the mean length of queries and keys, and the largest share of all "
                          "weight that one key receives.",
                          6,
                          {MEASURE_ENTROPY_MEAN, MEASURE_ENTROPY_NORMALISED_MEAN, MEASURE_MAX_LOGIT,
                           MEASURE_Q_NORM, MEASURE_K_NORM, MEASURE_MAX_COLUMN_MEAN},
                          false};
}

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
    enum saturation verdict = saturation_of(group);
    if (verdict != SATURATION_UNKNOWN && saturation_is_degenerate(group)) {
        return "degenerate";
    }
    if (verdict == SATURATION_YES && group->sample->weights == WEIGHTS_ARGMAX) {
        return "by construction";
    }
    return group->sample->weights == WEIGHTS_SUM ? "no shares" : words[verdict];
}

/* Lengths of queries have no column where scores were given; that saturation is undefined has to
 * be seen. */
static bool has_column(const struct summary *summary, enum measurement_field measure)
{
    bool optional = measure == MEASURE_Q_NORM || measure == MEASURE_K_NORM ||
                    measure == MEASURE_INPUT_RMS || measure == MEASURE_ENTROPY_MEAN ||
                    measure == MEASURE_ENTROPY_NORMALISED_MEAN;
    return scope_holds(summary, measure) && (!optional || scope_measured(summary, measure));
}

/* Whether the words about a table's columns hold: they name all of them. */
static bool is_whole(const struct summary *summary, const struct table *table)
{
    bool whole = true;
    for (size_t m = 0; m < table->count; m++) {
        whole = whole && scope_holds(summary, table->measures[m]);
    }
    return whole;
}

static bool has_columns(const struct summary *summary, const struct table *table)
{
    bool any = false;
    for (size_t m = 0; m < table->count; m++) {
        any = any || has_column(summary, table->measures[m]);
    }
    return any;
}

size_t sections_setting_heads(const struct summary *summary, const char **heads)
{
    if (summary->axis_count > SECTIONS_AXES) {
        heads[0] = "setting";
        return 1;
    }
    for (size_t a = 0; a < summary->axis_count; a++) {
        heads[a] = view_axis_label(&summary->axes[a]);
    }
    return summary->axis_count;
}

bool sections_append_cells(const struct sections *sections, const struct summary_group *group,
                           struct error *err)
{
    const struct summary *summary = sections->view->summary;
    struct text *out = sections->out;
    if (summary->axis_count > SECTIONS_AXES) {
        text_append(out, "| ");
        bool good = sections_append_setting(sections, group, err);
        text_append(out, " ");
        return good;
    }
    for (size_t a = 0; a < summary->axis_count; a++) {
        const char *value =
            view_value_label(&summary->axes[a], group->place[a], sections->arena, err);
        if (value == NULL) {
            return false;
        }
        text_append(out, "| ");
        markdown_text_cut(out, value, summary->axes[a].names != NULL ? SIZE_MAX : VALUE_LIMIT);
        text_append(out, " ");
    }
    return true;
}

static bool append_row(const struct sections *sections, const struct table *table,
                       const struct summary_group *group, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    struct text *out = sections->out;
    if (!sections_append_cells(sections, group, err)) {
        return false;
    }
    for (size_t m = 0; m < table->count; m++) {
        char number[NUMBER_SIZE];
        if (has_column(summary, table->measures[m])) {
            text_append_format(out, "| %s ", number_measure(group, table->measures[m], number));
        }
    }
    if (table->verdict) {
        text_append_format(out, "| %s ", verdict_words(group));
    }
    text_append(out, "|\n");
    return true;
}

/* What columns mean that only some tables have. */
static void append_more(struct text *out, const struct table *table)
{
    for (size_t m = 0; m < table->count; m++) {
        if (table->measures[m] == MEASURE_WEIGHT_SUM_MEAN) {
            text_append(out, " The weights of a row have the mean sum given.");
        } else if (table->measures[m] == MEASURE_UNDEFINED_ROWS) {
            text_append(out, " Undefined rows have no weights; their number is that of a run.");
        } else if (table->measures[m] == MEASURE_GRADIENT_WQ_RATIO) {
            text_append(out, "; the gradient that reaches W_Q relative to uniform attention.");
        }
    }
    bool bare = table->count == 3 && table->measures[0] == MEASURE_JACOBIAN_NORM_MEAN;
    text_append(out, bare ? "." : "");
}

static bool append_table(const struct sections *sections, const struct table *table,
                         const struct selection *selection, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    const char *heads[RUN_FIELD_COUNT + TABLE_MEASURES + 2];
    const size_t settings = sections_setting_heads(summary, heads);
    size_t count = settings;
    for (size_t m = 0; m < table->count; m++) {
        if (has_column(summary, table->measures[m])) {
            heads[count++] = measurement_fields[table->measures[m]].label;
        }
    }
    if (table->verdict) {
        heads[count++] = "saturated?";
    }
    text_append_format(sections->out, "### %s\n\n", table->question);
    if (is_whole(summary, table)) {
        text_append(sections->out, table->answer);
        append_more(sections->out, table);
        text_append(sections->out, "\n\n");
    }
    markdown_table(sections->out, heads, count, settings);
    for (size_t i = 0; i < selection->count; i++) {
        if (!append_row(sections, table, selection->groups[i], err)) {
            return false;
        }
    }
    text_append(sections->out, "\n");
    return true;
}

static bool append_tables(const struct sections *sections, const struct selection *selection,
                          struct error *err)
{
    const struct summary *summary = sections->view->summary;
    const struct scope scope = scope_of(summary);
    const struct table tables[] = {spreads_table(summary), saturation_table(summary, &scope),
                                   gradient_table(summary, &scope), heads_table()};
    size_t count = scope_looks_inside(&scope) ? 4 : 3;
    for (size_t t = 0; t < count; t++) {
        if ((has_columns(summary, &tables[t]) &&
             !append_table(sections, &tables[t], selection, err)) ||
            (t == 0 && !predictions_append(sections, err))) {
            return false;
        }
    }
    return true;
}

/* How to read the names of settings. */
static void append_note(const struct sections *sections)
{
    const char *note = sections->view->note;
    if (note != NULL) {
        text_append(sections->out, "A setting is named by what sets it apart from the most common "
                                   "values");
        text_append(sections->out, *note == '\0' ? "" : ": ");
        markdown_text(sections->out, note);
        text_append(sections->out, ".\n\n");
    } else if (sections->view->summary->axis_count > SECTIONS_AXES) {
        text_append(sections->out, "A setting is named by its guards and by what differs from the "
                                   "defaults.\n\n");
    }
}

static void append_measures(struct text *out, uint64_t measures)
{
    for (const char *before = ""; measures != 0; measures &= measures - 1, before = ", ") {
        text_append_format(out, "%s`%s`", before,
                           measurement_fields[__builtin_ctzll(measures)].name);
    }
}

/* What the sweep had left out, by the shorter list. */
static void append_lacking(const struct sections *sections)
{
    struct text *out = sections->out;
    uint64_t lacking = sections->view->summary->lacking;
    if (lacking == 0) {
        return;
    }
    if (2 * __builtin_popcountll(lacking) <= MEASUREMENT_FIELD_COUNT) {
        text_append(out, "The results do not hold the measures ");
        append_measures(out, lacking);
    } else {
        text_append(out, "Of all measures the results hold only ");
        append_measures(out, measurement_fields_all() & ~lacking);
    }
    text_append(out, "; tables and figures leave out what needs others.\n\n");
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
    append_lacking(sections);
    append_note(sections);
    if (selection.cut) {
        text_append_format(
            sections->out,
            "The tables show the %d settings with the largest mean row-max of %s; "
            "[saturation.tsv](saturation.tsv) and the results file hold them all.\n\n",
            TABLE_ROWS, text_from_count(summary->group_count, number));
    }
    return append_tables(sections, &selection, err);
}
