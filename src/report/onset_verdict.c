/* SPDX-License-Identifier: MIT */
/* Where attention saturates along the axis that is swept, in the first sentences of a report.
 * Declared in sections.h. */
#include "report/onset_names.h"

#include "report/labels.h"

#include <math.h>

enum { NAMED_CURVES = 4 };

/* The curves of one state. */
struct tally {
    size_t curves, within, throughout, nowhere, leaves, hidden, unknown;
    const struct onset_curve *first, *last; /* of those that enter within the range */
};

static struct tally tally_of(const struct onsets *found, enum onset_kind kind)
{
    struct tally tally = {0};
    for (size_t c = 0; c < found->count; c++) {
        const struct onset_curve *curve = &found->curves[c];
        const struct onset *onset = &curve->of[kind];
        if (!onset_is_curve(curve)) {
            continue;
        }
        tally.curves++;
        tally.throughout += onset->state == ONSET_THROUGHOUT;
        tally.nowhere += onset->state == ONSET_NOWHERE;
        tally.leaves += onset->state == ONSET_LEAVES;
        tally.hidden += onset->state == ONSET_HIDDEN;
        tally.unknown += onset->state == ONSET_UNKNOWN;
        if (onset->state != ONSET_WITHIN) {
            continue;
        }
        tally.within++;
        if (tally.first == NULL || onset->at < tally.first->of[kind].at) {
            tally.first = curve;
        }
        if (tally.last == NULL || onset->at > tally.last->of[kind].at) {
            tally.last = curve;
        }
    }
    return tally;
}

/* Names of settings begin with "with" or "without" themselves. */
static const char *joint_of(const struct onsets *found)
{
    return summary_axis_find(found->summary, AXIS_SETTINGS) == NULL ? " with " : " for ";
}

/* "**d_k = 42.3** (38.2 to 46.9)", and whose curve it is; what the brackets hold is said once. */
static bool append_at(const struct sections *sections, const struct onset_curve *curve,
                      enum onset_kind kind, bool named, struct error *err)
{
    const struct onsets *found = &sections->view->onsets->found;
    struct onset_words words;
    if (!onset_words(found, curve, &curve->of[kind], sections->arena, &words, err)) {
        return false;
    }
    const char *place = onset_place(found, words.place, sections->arena, err);
    if (place == NULL) {
        return false;
    }
    text_append_format(sections->out, "**%s**", place);
    if (*words.interval != '\0') {
        text_append_format(sections->out, " (95 %% interval %s)", words.interval);
    }
    if (*words.further != '\0' && kind == ONSET_ROW_MAX) {
        text_append_format(sections->out, named ? ", %s," : ", %s", words.further);
    }
    text_append(sections->out, named ? joint_of(found) : "");
    return !named || onset_names_append(sections, found, curve, err);
}

/* Every curve that enters, or the first and the last of many. */
static bool append_entering(const struct sections *sections, const struct tally *tally,
                            enum onset_kind kind, const char *at, struct error *err)
{
    const struct onsets *found = &sections->view->onsets->found;
    bool named = tally->curves > 1;
    size_t written = 0;
    if (tally->within > NAMED_CURVES) {
        text_append_format(sections->out, "first %s ", at);
        if (!append_at(sections, tally->first, kind, named, err)) {
            return false;
        }
        text_append_format(sections->out, " and last %s ", at);
        return append_at(sections, tally->last, kind, named, err);
    }
    for (size_t c = 0; c < found->count; c++) {
        const struct onset_curve *curve = &found->curves[c];
        if (!onset_is_curve(curve) || curve->of[kind].state != ONSET_WITHIN) {
            continue;
        }
        written++;
        text_append_format(sections->out, "%s%s ",
                           written == 1               ? ""
                           : written == tally->within ? " and "
                                                      : ", ",
                           at);
        if (!append_at(sections, curve, kind, named, err)) {
            return false;
        }
    }
    return true;
}

/* "A, B and C", or "in 7 of 12 settings" when they are many; nothing when there is but one curve,
 * which has no name. */
static bool append_names(const struct sections *sections, const struct tally *tally, size_t count,
                         enum onset_state state, struct error *err)
{
    const struct onsets *found = &sections->view->onsets->found;
    size_t written = 0;
    if (tally->curves == 1) {
        return true;
    }
    if (count > NAMED_CURVES) {
        text_append_format(sections->out, " in %zu of %zu curves", count, tally->curves);
        return true;
    }
    for (size_t c = 0; c < found->count; c++) {
        const struct onset_curve *curve = &found->curves[c];
        if (!onset_is_curve(curve) || curve->of[ONSET_ROW_MAX].state != state) {
            continue;
        }
        text_append(sections->out, written == 0 ? "" : written + 1 == count ? " and" : ",");
        text_append(sections->out, joint_of(found));
        written++;
        if (!onset_names_append(sections, found, curve, err)) {
            return false;
        }
    }
    return true;
}

/* Whether a curve that stays below the threshold has a point that is undecided. */
static bool has_open(const struct onsets *found)
{
    for (size_t c = 0; c < found->count; c++) {
        const struct onset_curve *curve = &found->curves[c];
        for (size_t p = 0; p < curve->count && onset_is_curve(curve) &&
                           curve->of[ONSET_ROW_MAX].state == ONSET_NOWHERE;
             p++) {
            if (saturation_of(curve->groups[p]) == SATURATION_UNDECIDED) {
                return true;
            }
        }
    }
    return false;
}

/* The curves that do not enter within the range. */
static bool append_others(const struct sections *sections, const struct tally *tally,
                          struct error *err)
{
    bool open = has_open(&sections->view->onsets->found);
    const struct {
        const char *words;
        size_t count;
        enum onset_state state;
    } parts[] = {
        {open ? " It is nowhere in the range shown to saturate"
              : " It saturates nowhere in the range",
         tally->nowhere, ONSET_NOWHERE},
        {" It is saturated throughout", tally->throughout, ONSET_THROUGHOUT},
        {" It is saturated at the lower end of the range only", tally->leaves, ONSET_LEAVES},
        {" It cannot be told, since values are undefined,", tally->hidden, ONSET_HIDDEN},
        {" There is no defined result", tally->unknown, ONSET_UNKNOWN}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].count == 0) {
            continue;
        }
        text_append(sections->out, parts[i].words);
        if (!append_names(sections, tally, parts[i].count, parts[i].state, err)) {
            return false;
        }
        text_append(sections->out, ".");
    }
    return true;
}

static bool has_gaps(const struct onsets *found)
{
    for (size_t c = 0; c < found->count; c++) {
        const struct onset_curve *curve = &found->curves[c];
        for (size_t p = 0; p < curve->count; p++) {
            if (isnan(curve->groups[p]->measures[MEASURE_ROW_MAX_MEAN].mean)) {
                return true;
            }
        }
    }
    return false;
}

/* "; one setting is undecided (0.886 ± 0.016)": a mean on one side of the threshold proves nothing
 * where its interval contains it. */
static void append_open(const struct sections *sections)
{
    const struct summary *summary = sections->view->summary;
    const struct summary_group *highest = NULL;
    size_t count = 0;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        if (saturation_of(group) == SATURATION_UNDECIDED) {
            count++;
            highest = highest == NULL || group->measures[MEASURE_ROW_MAX_MEAN].mean >
                                             highest->measures[MEASURE_ROW_MAX_MEAN].mean
                          ? group
                          : highest;
        }
    }
    if (highest != NULL) {
        char number[NUMBER_SIZE];
        const char *value = number_measure(highest, MEASURE_ROW_MAX_MEAN, number);
        if (count == 1) {
            text_append_format(sections->out, "; one setting is undecided (%s)", value);
        } else {
            text_append_format(sections->out, "; %zu settings are undecided (at most %s)", count,
                               value);
        }
    }
}

/* Nothing enters within the range. */
static bool append_without(const struct sections *sections, const struct tally *tally,
                           const char *range, struct error *err)
{
    const char *gaps =
        has_gaps(&sections->view->onsets->found) ? ", as far as it has a result" : "";
    if (tally->nowhere == tally->curves || tally->throughout == tally->curves) {
        bool open = saturation_count(sections->view->summary, NULL, 0).undecided > 0;
        const char *words =
            tally->throughout > 0
                ? (open ? "The mean row-max reaches the threshold throughout,"
                        : "Attention is saturated throughout,")
                : (open ? "Nowhere is saturation shown" : "Attention saturates nowhere");
        text_append_format(sections->out, "**%s from %s%s", words, range, gaps);
        append_open(sections);
        text_append(sections->out, ".**");
        return true;
    }
    text_append_format(sections->out, "**No setting enters saturation from %s.**", range);
    return append_others(sections, tally, err);
}

static const char *range_of(const struct sections *sections, struct error *err)
{
    const struct onsets *found = &sections->view->onsets->found;
    const struct view *view = sections->view->told != NULL ? sections->view->told : sections->view;
    char low[NUMBER_SIZE];
    char high[NUMBER_SIZE];
    const char *both =
        arena_format(sections->arena, err, "%s to %s", view_x_number(view, view->x_least, low),
                     view_x_number(view, view->x_most, high));
    return both == NULL ? NULL : onset_place(found, both, sections->arena, err);
}

/* Whether every gradient that falls does so without saturation. */
static bool all_thin(const struct onsets *found)
{
    for (size_t c = 0; c < found->count; c++) {
        const struct onset_curve *curve = &found->curves[c];
        if (onset_is_curve(curve) && curve->of[ONSET_GRADIENT].state == ONSET_WITHIN &&
            !onset_is_thin(curve)) {
            return false;
        }
    }
    return true;
}

static bool append_gradient(const struct sections *sections, struct error *err)
{
    const struct onsets *found = &sections->view->onsets->found;
    struct text *out = sections->out;
    struct tally tally = tally_of(found, ONSET_GRADIENT);
    char number[NUMBER_SIZE];
    const char *threshold =
        number_given(onset_threshold(&found->curves[0], ONSET_GRADIENT), number);
    if (tally.within > 0) {
        text_append_format(out, " The mean gradient magnitude falls to %s ", threshold);
        if (!append_entering(sections, &tally, ONSET_GRADIENT, "at", err)) {
            return false;
        }
        text_append(out, all_thin(found) ? ": there the weights are spread thin over many tokens, "
                                           "which is not saturation."
                                         : ".");
    } else if (tally.nowhere == tally.curves) {
        text_append_format(out, " The mean gradient magnitude stays above %s.", threshold);
    } else if (tally.throughout == tally.curves) {
        text_append_format(out, " The mean gradient magnitude is below %s throughout.", threshold);
    }
    return true;
}

/* What happens at the places that follow; a mean that crosses is not yet a verdict. */
static void append_crossing(struct text *out, const struct onsets *found, bool clear)
{
    char number[NUMBER_SIZE];
    double threshold = labels_shared_threshold(found->summary);
    if (clear) {
        text_append(out, "Attention enters saturation ");
    } else if (isnan(threshold)) {
        text_append(out, "The mean row-max crosses the threshold of saturation ");
    } else {
        text_append_format(out, "The mean row-max crosses %s ", number_given(threshold, number));
    }
}

bool onsets_append_verdict(const struct sections *sections, struct error *err)
{
    const struct onset_table *table = sections->view->onsets;
    struct text *out = sections->out;
    if (table == NULL) {
        return true;
    }
    struct tally tally = tally_of(&table->found, ONSET_ROW_MAX);
    if (tally.unknown == tally.curves) {
        return true; /* the verdict behind says that nothing can be said */
    }
    const char *range = range_of(sections, err);
    if (range == NULL) {
        return false;
    }
    if (tally.within == 0) {
        if (!append_without(sections, &tally, range, err)) {
            return false;
        }
    } else {
        bool clear = saturation_count(table->found.summary, NULL, 0).saturated > 0;
        append_crossing(out, &table->found, clear);
        if (!append_entering(sections, &tally, ONSET_ROW_MAX, clear ? "at" : "near", err)) {
            return false;
        }
        text_append(out, clear ? "."
                               : ", but the seeds do not settle it: no setting is called "
                                 "saturated.");
        if (!append_others(sections, &tally, err)) {
            return false;
        }
    }
    if (!append_gradient(sections, err)) {
        return false;
    }
    text_append(out, "\n\n");
    return true;
}
