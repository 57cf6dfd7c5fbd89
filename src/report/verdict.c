/* SPDX-License-Identifier: MIT */
/* The answer in words: where attention saturates, and which guards end it. Every sentence follows
 * from a count over the groups, so that it holds for any sweep. Declared in sections.h. */
#include "report/arithmetic.h"
#include "report/labels.h"
#include "report/numbers.h"
#include "report/projections.h"
#include "report/sections.h"
#include "report/together.h"
#include "report/undefined.h"
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
    markdown_text_cut(sections->out, phrase, axis->field == AXIS_SETTINGS ? SIZE_MAX : 100);
    return true;
}

/* Whether a group has the default of an axis; guards and settings are always
 * named, so that something is. */
static bool is_plain(const struct summary_axis *axis, const struct summary_group *group,
                     const struct run *plain)
{
    return axis->field < RUN_FIELD_COUNT &&
           field_value_equal(&run_fields[axis->field], group->sample, plain);
}

bool sections_append_setting(const struct sections *sections, const struct summary_group *group,
                             struct error *err)
{
    const struct summary *summary = sections->view->summary;
    if (summary->axis_count == 0) {
        text_append(sections->out, "the one setting");
    }
    const struct run plain = run_default_beside(group->sample);
    bool first = true;
    for (size_t a = 0; a < summary->axis_count; a++) {
        if (summary->axis_count > SECTIONS_AXES && is_plain(&summary->axes[a], group, &plain)) {
            continue;
        }
        text_append(sections->out, first ? "" : ", ");
        first = false;
        if (!sections_append_value(sections, &summary->axes[a], group->place[a], err)) {
            return false;
        }
    }
    text_append(sections->out, first && summary->axis_count > 0 ? "all at their default" : "");
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

static const char *are(size_t count)
{
    return count == 1 ? "is" : "are";
}

/* What is missing stands before what was found. */
static void append_missing(const struct sections *sections)
{
    char all[TEXT_COUNT_SIZE];
    char some[TEXT_COUNT_SIZE];
    struct text *out = sections->out;
    size_t failed = sections->view->summary->failed;
    size_t rows = sections->view->summary->planned;
    uint64_t planned = (uint64_t)sections->set->planned;
    if (planned > rows) {
        text_append_format(out,
                           "**This sweep is not complete: %s of %s planned runs have not "
                           "been run.** What follows rests on the others.\n\n",
                           text_from_count(planned - rows, some), text_from_count(planned, all));
    }
    if (failed > 0 && failed < rows) {
        text_append_format(out,
                           "**%s of %s runs failed** and %s left out of all means; [their "
                           "messages](#failed-runs) are below.\n\n",
                           text_from_count(failed, some), text_from_count(rows, all), are(failed));
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

/* The only setting that has a result. */
static void append_single(const struct sections *sections, const struct saturation_tally *tally)
{
    const char *start = tally->saturated > 0   ? "**The setting saturates**: its"
                        : tally->undecided > 0 ? "**Whether the setting saturates is "
                                                 "undecided**: its"
                                               : "**The setting does not saturate**: its";
    const char *joint = tally->saturated > 0   ? ", at or above "
                        : tally->undecided > 0 ? ", an interval that contains "
                                               : ", below ";
    text_append_format(sections->out, "%s mean row-max is ", start);
    append_estimate(sections->out, tally->highest, MEASURE_ROW_MAX_MEAN);
    text_append(sections->out, joint);
    append_threshold(sections->out, sections->view->summary);
    text_append(sections->out, tally->undecided > 0 ? ". More seeds would narrow it." : ".");
}

/* Settings of one verdict. */
static bool append_unanimous(const struct sections *sections, const struct saturation_tally *tally,
                             struct error *err)
{
    bool saturated = tally->saturated > 0;
    text_append(sections->out,
                saturated ? "**Every setting saturates**: " : "**No setting saturates**: ");
    bool good = append_extreme(
        sections, saturated ? "even the lowest mean row-max is" : "the highest mean row-max is",
        saturated ? tally->lowest : tally->highest, err);
    text_append(sections->out, saturated ? ", at or above " : ", below ");
    append_threshold(sections->out, sections->view->summary);
    text_append(sections->out, ".");
    return good;
}

/* "No setting is called saturated: of 12, 4 do not saturate and 8 are undecided". */
static void append_none_clear(struct text *out, size_t known, size_t below)
{
    if (below == 0) {
        text_append_format(out, "**No setting is called saturated: all %zu are undecided", known);
    } else {
        text_append_format(
            out,
            "**No setting is called saturated: of %zu, %zu do%s not saturate and %zu "
            "%s undecided",
            known, below, below == 1 ? "es" : "", known - below, are(known - below));
    }
}

/* "14 of 24 settings saturate, 8 do not and 2 are undecided", and what that means. */
static void append_mixed(const struct sections *sections, const struct saturation_tally *tally)
{
    struct text *out = sections->out;
    const struct scope scope = scope_of(sections->view->summary);
    size_t known = tally->groups - tally->unknown;
    size_t below = known - tally->saturated - tally->undecided;
    bool one = tally->saturated == 1;
    if (tally->saturated == 0) {
        append_none_clear(out, known, below);
    } else {
        text_append_format(out, "**%zu of %zu settings %s", tally->saturated, known,
                           one ? "saturates" : "saturate");
    }
    if (tally->saturated > 0 && below > 0) {
        text_append_format(out, "%s %zu do%s not", tally->undecided > 0 ? "," : " and", below,
                           below == 1 ? "es" : "");
    }
    if (tally->saturated > 0 && tally->undecided > 0) {
        text_append_format(out, " and %zu %s undecided", tally->undecided, are(tally->undecided));
    }
    text_append(out, ".** A setting saturates when its mean row-max reaches ");
    append_threshold(out, sections->view->summary);
    text_append(out, scope_softmax_only(&scope)
                         ? ": most of a row's weight then lies on one token, and the gradient "
                           "through softmax fades."
                         : ": the largest weight of a row is then that large on average.");
    if (tally->undecided > 0) {
        text_append(out,
                    " It is undecided when the 95 % interval of that mean contains the "
                    "threshold: other seeds might turn the verdict, and more seeds would narrow "
                    "the interval.");
    }
}

/* Settings whose row-max of 1 says nothing about saturation. */
static void append_degenerate(const struct sections *sections, size_t known)
{
    const struct summary *summary = sections->view->summary;
    size_t count = 0;
    for (size_t g = 0; g < summary->group_count; g++) {
        count += saturation_of(&summary->groups[g]) != SATURATION_UNKNOWN &&
                 saturation_is_degenerate(&summary->groups[g]);
    }
    if (count == 0) {
        return;
    }
    if (known == 1) {
        text_append(sections->out, " It is **degenerate**: its");
    } else {
        text_append_format(sections->out, " %zu of them %s **degenerate**: their", count,
                           are(count));
    }
    text_append(sections->out, " rows have one token, which has nothing else to attend to, so that "
                               "its weight is 1 at any score.");
}

static bool append_count(const struct sections *sections, const struct saturation_tally *tally,
                         struct error *err)
{
    struct text *out = sections->out;
    size_t known = tally->groups - tally->unknown;
    bool good = true;
    if (known == 0) {
        text_append_format(out,
                           "**Nothing can be said about saturation**: none of the %zu setting%s "
                           "has a defined mean row-max.",
                           tally->groups, tally->groups == 1 ? "" : "s");
        return true;
    }
    if (known == 1) {
        append_single(sections, tally);
    } else if (tally->undecided == 0 && (tally->saturated == 0 || tally->saturated == known)) {
        good = append_unanimous(sections, tally, err);
    } else {
        append_mixed(sections, tally);
    }
    append_degenerate(sections, known);
    if (tally->unknown > 0) {
        text_append_format(out, " %zu further setting%s no defined mean row-max.", tally->unknown,
                           tally->unknown == 1 ? " has" : "s have");
    }
    return good;
}

/* Whether no setting under a value of the guards saturates, and whether some are undecided. */
static bool is_free(const struct summary *summary, const struct summary_axis *guards, size_t value,
                    bool undecided)
{
    struct saturation_tally tally = saturation_count(summary, guards, value);
    return tally.saturated == 0 && tally.unknown == 0 && (tally.undecided > 0) == undecided;
}

/* The guard sets under which nothing saturates, or those that are undecided only, with their
 * largest row-max, and what moves with them; *count is their number. */
static bool append_free_sets(const struct sections *sections, const struct summary_axis *guards,
                             bool undecided, const char *words, size_t *count, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    struct text *out = sections->out;
    size_t written = 0;
    *count = 0;
    for (size_t v = 0; v < guards->count; v++) {
        *count += is_free(summary, guards, v, undecided) ? 1 : 0;
    }
    for (size_t v = 0; v < guards->count; v++) {
        if (!is_free(summary, guards, v, undecided)) {
            continue;
        }
        const char *joint = written + 1 == *count ? " and " : ", ";
        text_append_format(out, "%s**%s**", written == 0 ? words : joint,
                           view_guards_name(run_guards_mask(guards->samples[v])));
        if (!together_append(sections, guards, v, err)) {
            return false;
        }
        text_append(out, " (at most ");
        append_estimate(out, saturation_count(summary, guards, v).highest, MEASURE_ROW_MAX_MEAN);
        text_append(out, ")");
        written++;
    }
    text_append(out, *count > 0 ? "." : "");
    return true;
}

static bool append_safe_sets(const struct sections *sections, const struct summary_axis *guards,
                             struct error *err)
{
    size_t count = 0;
    if (!append_free_sets(sections, guards, false, " Nothing saturates under the guards ", &count,
                          err)) {
        return false;
    }
    if (count == 0) {
        text_append(sections->out,
                    " Under no set of guards in this sweep is every setting below the threshold.");
    }
    return append_free_sets(sections, guards, true,
                            " None is clearly saturated, but some are undecided, under ", &count,
                            err);
}

/* The same setting with one more guard, which ends saturation there; NULL when the sweep has
 * none. *guard is the one that was added. */
static const struct summary_group *cured(const struct summary *summary,
                                         const struct summary_group *group, unsigned *guard)
{
    unsigned mask = run_guards_mask(group->sample);
    for (*guard = 4; *guard > 0; *guard /= 2) {
        const struct summary_group *other =
            (mask & *guard) != 0 ? NULL : saturation_partner(summary, group, mask | *guard);
        if (other != NULL && saturation_of(other) == SATURATION_NO) {
            return other;
        }
    }
    return NULL;
}

/* Rises with the number of guards; of two guards, the published recipe stands first. */
static unsigned help(const struct summary_group *group)
{
    return 2 * view_guards_on(group->sample) + (run_guards_mask(group->sample) == 3 ? 1 : 0);
}

/* The saturated setting that shows best what one more guard does: the one with most guards, of
 * these the published recipe, init and scale, and of equals the highest row-max. */
static bool tells_more(const struct summary_group *group, const struct summary_group *best)
{
    unsigned left = help(group);
    unsigned right = best == NULL ? 0 : help(best);
    return best == NULL || left > right ||
           (left == right &&
            group->measures[MEASURE_ROW_MAX_MEAN].mean > best->measures[MEASURE_ROW_MAX_MEAN].mean);
}

static const struct summary_group *most_telling(const struct summary *summary)
{
    const struct summary_group *best = NULL;
    unsigned guard;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        if (saturation_of(group) == SATURATION_YES && view_guards_on(group->sample) > 0 &&
            cured(summary, group, &guard) != NULL && tells_more(group, best)) {
            best = group;
        }
    }
    return best;
}

static void append_pair(struct text *out, const struct summary *summary,
                        const struct summary_group *group)
{
    text_append(out, " the mean row-max is ");
    append_estimate(out, group, MEASURE_ROW_MAX_MEAN);
    if (scope_holds(summary, MEASURE_JACOBIAN_NORM_MEAN)) {
        text_append(out, " and the gradient magnitude ");
        append_estimate(out, group, MEASURE_JACOBIAN_NORM_MEAN);
    }
}

/* What one more guard does where the others are not enough. */
static bool append_last_guard(const struct sections *sections, struct error *err)
{
    const struct summary *summary = sections->view->summary;
    const struct summary_group *group = most_telling(summary);
    struct text *out = sections->out;
    unsigned guard = 0;
    if (group == NULL) {
        return true;
    }
    const struct summary_group *other = cured(summary, group, &guard);
    text_append(out, view_guards_on(group->sample) == 2 ? " Two guards are not always enough: with "
                                                        : " One guard is not always enough: with ");
    if (!sections_append_setting(sections, group, err)) {
        return false;
    }
    append_pair(out, summary, group);
    text_append_format(out, "; with %s added", view_guards_name(guard));
    append_pair(out, summary, other);
    text_append(out, ".");
    return true;
}

static void append_no_results(const struct sections *sections, const struct summary *summary)
{
    char failed[TEXT_COUNT_SIZE];
    char all[TEXT_COUNT_SIZE];
    text_append_format(sections->out,
                       "**Every run failed (%s of %s): nothing can be said about saturation.** "
                       "[The messages](#failed-runs) are below.\n\n",
                       text_from_count(summary->failed, failed),
                       text_from_count(summary->planned, all));
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
    append_missing(sections);
    arithmetic_append_verdict(sections);
    if (!undefined_append(sections, err)) {
        return false;
    }
    if (summary->failed == summary->planned) {
        append_no_results(sections, summary);
        return true;
    }
    if (!onsets_append_verdict(sections, err) || !append_count(sections, &tally, err)) {
        return false;
    }
    if (guards != NULL && tally.saturated > 0) {
        if (!append_safe_sets(sections, guards, err) || !append_last_guard(sections, err)) {
            return false;
        }
    }
    if (tally.saturated > 0 && !verdict_append_axes(sections, err)) {
        return false;
    }
    text_append(sections->out, "\n\n");
    return true;
}
