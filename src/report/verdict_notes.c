/* SPDX-License-Identifier: MIT */
/* What stands below the answer in words: what ± and brackets mean in this report. Declared in
 * sections.h. */
#include "report/numbers.h"
#include "report/projections.h"
#include "report/sections.h"
#include "report/undefined.h"
#include "summary/interval.h"
#include "summary/saturation.h"

enum { NAMED_SINGLES = 4 };

/* ", but in 2 settings it rests on one seed (row-max 0.912 and 0.887)": no ± for another reason. */
static void append_single_seeds(struct text *out, const struct summary *summary)
{
    char number[NUMBER_SIZE];
    size_t count = 0;
    size_t written = 0;
    for (size_t g = 0; g < summary->group_count; g++) {
        count += summary->groups[g].measures[MEASURE_ROW_MAX_MEAN].count == 1;
    }
    if (count == 0) {
        return;
    }
    text_append_format(out, ", but in %zu setting%s it rests on one seed", count,
                       count == 1 ? "" : "s");
    for (size_t g = 0; g < summary->group_count && count <= NAMED_SINGLES; g++) {
        const struct summary_group *group = &summary->groups[g];
        if (group->measures[MEASURE_ROW_MAX_MEAN].count == 1) {
            text_append_format(out, "%s%s",
                               written == 0           ? " (mean row-max "
                               : written + 1 == count ? " and "
                                                      : ", ",
                               number_measure(group, MEASURE_ROW_MAX_MEAN, number));
            written++;
        }
    }
    text_append(out, written > 0 ? ")" : "");
}

static void append_seed_note(const struct sections *sections)
{
    const struct summary *summary = sections->view->summary;
    const struct scope scope = scope_of(summary);
    bool drawn = projections_of(summary) == PROJECTIONS_DRAWN;
    if (!scope.drawn) {
        text_append_format(sections->out,
                           "Nothing is drawn by seed: the %s given, and there is no "
                           "interval.",
                           !scope.products                              ? "scores are"
                           : (scope.sources & 1U << SOURCE_SCORES) != 0 ? "arrays and scores are"
                                                                        : "arrays are");
        return;
    }
    if (summary->seeds <= 1) {
        text_append(sections->out,
                    drawn ? "There is one seed: no interval can be given, and another draw of the "
                            "projections may turn a close verdict."
                          : "There is one seed: no interval can be given.");
        return;
    }
    text_append_format(sections->out,
                       "± is half the width of the 95 %% Student interval of the mean over "
                       "%zu seeds; a number without ± does not vary in the digits shown",
                       summary->seeds);
    append_single_seeds(sections->out, summary);
    text_append(sections->out, ".");
}

/* What brackets stand for in place of ±. */
static void append_skewed_note(const struct sections *sections)
{
    const struct summary *summary = sections->view->summary;
    for (size_t g = 0; g < summary->group_count; g++) {
        if (interval_is_skewed(&summary->groups[g].measures[MEASURE_ROW_MAX_MEAN], true)) {
            text_append(sections->out,
                        " Where ± would leave 0 to 1, the interval is that of the logit of the "
                        "mean, and its ends stand in square brackets.");
            return;
        }
    }
}

bool verdict_append_notes(const struct sections *sections, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    struct text *out = sections->out;
    size_t apart = 0;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        double threshold = group->sample->saturation_row_max;
        apart += group->measures[MEASURE_ROW_MAX_MEAN].mean < threshold &&
                 group->measures[MEASURE_ROW_MAX_MEDIAN].mean >= threshold;
    }
    if (saturation_count(summary, NULL, 0).highest == NULL) {
        return true;
    }
    append_seed_note(sections);
    append_skewed_note(sections);
    const struct scope scope = scope_of(summary);
    undefined_append_weights(out, &scope);
    if (apart > 0) {
        text_append_format(out,
                           " In %zu setting%s the median row-max is at or above the threshold "
                           "while the mean is below it.",
                           apart, apart == 1 ? "" : "s");
    }
    text_append(out, "\n\n");
    return err->code == ERROR_NONE;
}
