/* SPDX-License-Identifier: MIT */
/* The answer in words: where attention saturates, and which guards end it. Every sentence follows
 * from a count over the groups, so that it holds for any sweep. Declared in sections.h. */
#include "report/labels.h"
#include "report/numbers.h"
#include "report/sections.h"
#include "summary/saturation.h"

#include <math.h>
#include <stdio.h>

static void append_estimate(struct text *out, const struct summary_group *group,
                            enum measurement_field measure)
{
    char number[NUMBER_SIZE];
    text_append(out, number_measure(group, measure, number));
}

bool sections_append_value(const struct sections *sections, const struct summary_axis *axis,
                           size_t value, struct error *err)
{
    const char *phrase = view_value_phrase(axis, value, sections->arena, err);
    if (phrase == NULL) {
        return false;
    }
    markdown_text_cut(sections->out, phrase, 100);
    return true;
}

bool sections_append_setting(const struct sections *sections, const struct summary_group *group,
                             struct error *err)
{
    const struct summary *summary = sections->view->summary;
    if (summary->axis_count == 0) {
        text_append(sections->out, "the one setting");
    }
    for (size_t a = 0; a < summary->axis_count; a++) {
        text_append(sections->out, a == 0 ? "" : ", ");
        if (!sections_append_value(sections, &summary->axes[a], group->place[a], err)) {
            return false;
        }
    }
    return true;
}

/* "the threshold 0.9", or words when the runs have several. */
static void append_threshold(struct text *out, const struct summary *summary)
{
    char number[NUMBER_SIZE];
    double threshold = labels_shared_threshold(summary);
    if (isnan(threshold)) {
        text_append(out, "the threshold of its runs");
    } else {
        text_append_format(out, "the threshold %s", number_given(threshold, number));
    }
}

static bool append_extreme(const struct sections *sections, const char *words,
                           const struct summary_group *group, struct error *err)
{
    text_append_format(sections->out, "%s ", words);
    append_estimate(sections->out, group, MEASURE_ROW_MAX_MEAN);
    text_append(sections->out, " (");
    bool good = sections_append_setting(sections, group, err);
    text_append(sections->out, ")");
    return good;
}

/* The first sentence. */
static bool append_count(const struct sections *sections, const struct saturation_tally *tally,
                         struct error *err)
{
    struct text *out = sections->out;
    const struct summary *summary = sections->view->summary;
    bool good = true;
    if (tally->highest == NULL) {
        text_append_format(
            out,
            "**Nothing can be said about saturation**: none of the %zu setting%s has "
            "a defined mean row-max.",
            tally->groups, tally->groups == 1 ? "" : "s");
        return true;
    }
    size_t known = tally->groups - tally->unknown;
    if (tally->saturated == 0) {
        text_append(out, known == 1 ? "**The setting does not saturate**: its mean row-max is "
                                    : "**No setting saturates**: ");
        good = known == 1 ||
               append_extreme(sections, "the highest mean row-max is", tally->highest, err);
        if (known == 1) {
            append_estimate(out, tally->highest, MEASURE_ROW_MAX_MEAN);
        }
        text_append(out, ", below ");
    } else if (tally->saturated == known) {
        text_append(out, known == 1 ? "**The setting saturates**: its mean row-max is "
                                    : "**Every setting saturates**: ");
        good = known == 1 ||
               append_extreme(sections, "even the lowest mean row-max is", tally->lowest, err);
        if (known == 1) {
            append_estimate(out, tally->highest, MEASURE_ROW_MAX_MEAN);
        }
        text_append(out, ", at or above ");
    } else {
        text_append_format(out, "**%zu of %zu settings saturate**: their mean row-max reaches ",
                           tally->saturated, known);
    }
    append_threshold(out, summary);
    text_append(out, tally->saturated == 0 ? "."
                                           : ", so that most of a row's weight lies on one token "
                                             "and the gradient through softmax fades.");
    return good;
}

static bool is_safe(const struct summary *summary, const struct summary_axis *guards, size_t value)
{
    struct saturation_tally tally = saturation_count(summary, guards, value);
    return tally.saturated == 0 && tally.unknown == 0;
}

/* Guard sets under which no setting saturates. */
static void append_safe_sets(const struct sections *sections, const struct summary_axis *guards)
{
    const struct summary *summary = sections->view->summary;
    struct text *out = sections->out;
    size_t safe = 0;
    size_t written = 0;
    for (size_t v = 0; v < guards->count; v++) {
        safe += is_safe(summary, guards, v) ? 1 : 0;
    }
    for (size_t v = 0; v < guards->count; v++) {
        if (!is_safe(summary, guards, v)) {
            continue;
        }
        const char *joint = written + 1 == safe ? " and " : ", ";
        text_append_format(out, "%s**%s** (at most ",
                           written == 0 ? " Nothing saturates under the guards " : joint,
                           view_guards_name(run_guards_mask(guards->samples[v])));
        append_estimate(out, saturation_count(summary, guards, v).highest, MEASURE_ROW_MAX_MEAN);
        text_append(out, ")");
        written++;
    }
    text_append(out,
                safe == 0 ? " No set of guards in this sweep ends saturation everywhere." : ".");
}

static unsigned guards_on(const struct summary_group *group)
{
    unsigned mask = run_guards_mask(group->sample);
    return (mask & 1U) + (mask >> 1 & 1U) + (mask >> 2 & 1U);
}

/* How well a saturated group shows what its guards do not help against: beyond doubt, with many
 * guards, and by the published recipe, init and scale. */
static unsigned telling(const struct summary_group *group)
{
    return (saturation_uncertain(group) ? 0 : 8) + 2 * guards_on(group) +
           (run_guards_mask(group->sample) == 3 ? 1 : 0);
}

/* The most telling saturated group; of equals the one with the highest row-max. */
static const struct summary_group *most_telling(const struct summary *summary)
{
    const struct summary_group *best = NULL;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        if (saturation_of(group) != SATURATION_YES) {
            continue;
        }
        bool better =
            best == NULL || telling(group) > telling(best) ||
            (telling(group) == telling(best) && group->measures[MEASURE_ROW_MAX_MEAN].mean >
                                                    best->measures[MEASURE_ROW_MAX_MEAN].mean);
        best = better ? group : best;
    }
    return best;
}

static void append_effect(const struct sections *sections, const struct summary_group *other,
                          unsigned guard)
{
    bool ends = saturation_of(other) == SATURATION_NO;
    text_append_format(sections->out, " Switching %s on there %s: mean row-max ",
                       view_guards_name(guard), ends ? "ends it" : "does not end it");
    append_estimate(sections->out, other, MEASURE_ROW_MAX_MEAN);
    text_append(sections->out, ", gradient magnitude ");
    append_estimate(sections->out, other, MEASURE_JACOBIAN_NORM_MEAN);
    text_append(sections->out, ".");
}

/* What one more guard does where the others are not enough. */
static bool append_last_guard(const struct sections *sections, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    const struct summary_group *group = most_telling(summary);
    struct text *out = sections->out;
    if (group == NULL || guards_on(group) == 0) {
        return true;
    }
    static const char *const words[] = {" One guard is not always enough: with ",
                                        " Two guards are not always enough: with ",
                                        " All three guards are not always enough: with "};
    text_append(out, words[guards_on(group) - 1]);
    if (!sections_append_setting(sections, group, err)) {
        return false;
    }
    text_append(out, " the mean row-max is ");
    append_estimate(out, group, MEASURE_ROW_MAX_MEAN);
    text_append(out, " and the gradient magnitude ");
    append_estimate(out, group, MEASURE_JACOBIAN_NORM_MEAN);
    text_append(out, ".");
    unsigned mask = run_guards_mask(group->sample);
    for (unsigned guard = 1; guard < 8; guard *= 2) {
        const struct summary_group *other =
            (mask & guard) != 0 ? NULL : saturation_partner(summary, group, mask | guard);
        if (other != NULL && saturation_of(other) != SATURATION_UNKNOWN) {
            append_effect(sections, other, guard);
        }
    }
    return true;
}

bool verdict_append(const struct sections *sections, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    const struct summary_axis *guards = summary_axis_find(summary, AXIS_GUARDS);
    struct saturation_tally tally = saturation_count(summary, NULL, 0);
    if (tally.groups == 0) {
        text_append(sections->out, "**The results hold no run of the sweep's plan.**\n\n");
        return true;
    }
    if (!append_count(sections, &tally, err)) {
        return false;
    }
    if (guards != NULL && tally.saturated > 0) {
        append_safe_sets(sections, guards);
        if (!append_last_guard(sections, err)) {
            return false;
        }
    }
    text_append(sections->out, "\n\n");
    return true;
}

/* Runs of the plan that have a row. */
static size_t rows_in_plan(const struct sections *sections)
{
    return sections->set->count - sections->view->summary->outside;
}

static void append_seed_note(const struct sections *sections)
{
    const struct summary *summary = sections->view->summary;
    if (summary->seeds <= 1) {
        text_append(sections->out, "There is one seed: no interval can be given, and another draw "
                                   "of the projections may turn a close verdict.");
        return;
    }
    text_append_format(sections->out,
                       "± is half the width of the 95 %% Student interval of the mean over "
                       "%zu seeds; a number without ± did not vary, or rests on one seed.",
                       summary->seeds);
}

bool verdict_append_notes(const struct sections *sections, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    struct text *out = sections->out;
    size_t uncertain = 0;
    size_t split = 0;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        uncertain += saturation_uncertain(group) ? 1 : 0;
        split += saturation_of(group) == SATURATION_NO &&
                 group->measures[MEASURE_ROW_MAX_MEDIAN].mean >= group->sample->saturation_row_max;
    }
    if (saturation_count(summary, NULL, 0).highest != NULL) {
        append_seed_note(sections);
    }
    if (uncertain > 0) {
        text_append_format(out,
                           " For %zu setting%s the interval contains the threshold, so the verdict "
                           "might turn with other seeds.",
                           uncertain, uncertain == 1 ? "" : "s");
    }
    if (split > 0) {
        text_append_format(out,
                           " In %zu setting%s the mean stays below the threshold although the "
                           "median row has passed it: a few rows with two almost equal scores hold "
                           "the mean down.",
                           split, split == 1 ? "" : "s");
    }
    if (summary->failed > 0) {
        text_append_format(out, " %zu of %zu runs failed and are left out of all means.",
                           summary->failed, rows_in_plan(sections));
    }
    if (sections->set->planned > (int64_t)rows_in_plan(sections)) {
        text_append_format(out, " %lld of %lld planned runs have not been run.",
                           (long long)(sections->set->planned - (int64_t)rows_in_plan(sections)),
                           (long long)sections->set->planned);
    }
    text_append(out, "\n\n");
    return err->code == ERROR_NONE;
}
