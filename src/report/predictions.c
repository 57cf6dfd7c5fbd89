/* SPDX-License-Identifier: MIT */
/* Score spreads as predicted from the input alone, beside what was measured; see predictions.h. */
#include "report/predictions.h"

#include "report/numbers.h"
#include "report/scope.h"

#include <math.h>

enum { LINES = 64, COLUMNS = 6 };

static const enum measurement_field pairs[2][2] = {
    {MEASURE_PREDICTED_SCORE_STD, MEASURE_SCORE_STD},
    {MEASURE_PREDICTED_SCORE_ROW_STD, MEASURE_SCORE_ROW_STD}};

static bool is_predicted(const struct summary_group *group)
{
    double predicted = group->measures[MEASURE_PREDICTED_SCORE_STD].mean;
    return isfinite(predicted) && predicted > 0 &&
           isfinite(group->measures[MEASURE_SCORE_STD].mean);
}

static void append_heads(const struct sections *sections)
{
    static const char *const names[COLUMNS] = {"predicted",           "measured", "ratio",
                                               "in a row, predicted", "measured", "ratio"};
    const struct summary *summary = sections->view->summary;
    const char *heads[RUN_FIELD_COUNT + COLUMNS];
    const size_t settings = sections_setting_heads(summary, heads);
    for (size_t c = 0; c < COLUMNS; c++) {
        heads[settings + c] = names[c];
    }
    markdown_table(sections->out, heads, settings + COLUMNS, settings);
}

/* Measured over predicted; the draw moves it as far as it moves what was measured. */
static void append_ratio(struct text *out, const struct estimate *measured, double predicted)
{
    char number[NUMBER_SIZE];
    const struct estimate ratio = {measured->count, measured->mean / predicted,
                                   measured->half_width / predicted, measured->maximum / predicted};
    text_append_format(out, "| %s ", number_estimate(&ratio, false, number));
}

static bool append_line(const struct sections *sections, const struct summary_group *group,
                        struct error *err)
{
    if (!sections_append_cells(sections, group, err)) {
        return false;
    }
    for (size_t p = 0; p < 2; p++) {
        char number[NUMBER_SIZE];
        double predicted = group->measures[pairs[p][0]].mean;
        text_append_format(sections->out, "| %s ", number_text(predicted, number));
        text_append_format(sections->out, "| %s ", number_measure(group, pairs[p][1], number));
        append_ratio(sections->out, &group->measures[pairs[p][1]], predicted);
    }
    text_append(sections->out, "|\n");
    return true;
}

static void append_words(const struct sections *sections, size_t found)
{
    text_append(
        sections->out,
        "### Predicted and measured spreads\n\n"
        "The draw of W_Q and W_K alone decides how far scores are expected to spread. With v "
        "the variance of their entries, c the score factor, L² the mean squared length of a "
        "token and D² the mean squared distance of a token from the mean token, the scores "
        "of a row have an expected variance of c² · d_k · v² · L² · D², and all scores one "
        "of c² · d_k · v² · D² · (2 L² − D²). For tokens without a common part, L² = D² = "
        "d_model · r², this is the guards' rule: v · d_model · r² · √d_k · c. ");
    text_append(sections->out,
                sections->view->summary->seeds > 1
                    ? "The interval of a ratio is that of the measured mean: so far the draw moves "
                      "it. A mean over seeds of a spread lies a little below the root of the mean "
                      "variance, so ratios just below 1 are expected."
                    : "There is one seed: each ratio is that of one draw, and how far another "
                      "would move it is not known here.");
    if (found > LINES) {
        char count[TEXT_COUNT_SIZE];
        text_append_format(sections->out,
                           " %d of %s settings are shown, evenly from the first to "
                           "the last.",
                           LINES, text_from_count(found, count));
    }
    text_append(sections->out, "\n\n");
}

bool predictions_append(const struct sections *sections, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    size_t found = 0;
    for (size_t i = 0; i < 4; i++) {
        if (!scope_holds(summary, pairs[i / 2][i % 2])) {
            return true;
        }
    }
    for (size_t g = 0; g < summary->group_count; g++) {
        found += is_predicted(&summary->groups[g]);
    }
    if (found == 0) {
        return true;
    }
    append_words(sections, found);
    append_heads(sections);
    size_t lines = found < LINES ? found : LINES;
    size_t seen = 0;
    size_t shown = 0;
    for (size_t g = 0; g < summary->group_count && shown < lines; g++) {
        if (!is_predicted(&summary->groups[g])) {
            continue;
        }
        bool wanted = lines == 1 || seen == shown * (found - 1) / (lines - 1);
        seen++;
        if (wanted && !append_line(sections, &summary->groups[g], err)) {
            return false;
        }
        shown += wanted;
    }
    text_append(sections->out, "\n");
    return true;
}
