/* SPDX-License-Identifier: MIT */
/* One onset in words; declared in onsets.h. */
#include "report/onsets.h"

#include <math.h>

enum { NAMED_CROSSINGS = 4 };

/* A value at an end of the range, as the axis writes it. */
static const char *end_number(const struct onsets *found, double x, char out[NUMBER_SIZE])
{
    const struct summary_axis *axis = found->axis;
    for (size_t v = 0; axis->field != RUN_SENTENCE_LIMIT && v < axis->count; v++) {
        if (field_value_number(&run_fields[axis->field], axis->samples[v]) == x) {
            return view_axis_number(axis, v, out);
        }
    }
    return number_given(x, out);
}

static bool is_known(const struct onset_curve *curve, const struct onset *onset, size_t point)
{
    enum onset_kind kind = onset == &curve->of[ONSET_GRADIENT] ? ONSET_GRADIENT : ONSET_ROW_MAX;
    return !isnan(curve->groups[point]->measures[onset_measure(kind)].mean);
}

/* The ends of what is known of a curve. */
static double first_x(const struct onset_curve *curve, const struct onset *onset)
{
    size_t point = 0;
    while (point + 1 < curve->count && !is_known(curve, onset, point)) {
        point++;
    }
    return curve->x[point];
}

static double last_x(const struct onset_curve *curve, const struct onset *onset)
{
    size_t point = curve->count - 1;
    while (point > 0 && !is_known(curve, onset, point)) {
        point--;
    }
    return curve->x[point];
}

/* What the digits of a place follow: the nearer end of its interval, or else two digits. */
static double width_of(const struct onset *onset)
{
    double below = isfinite(onset->low) ? onset->at - onset->low : (double)INFINITY;
    double above = isfinite(onset->high) ? onset->high - onset->at : (double)INFINITY;
    double width = fmin(below, above);
    return isfinite(width) && width > 0.002 * fabs(onset->at) ? width : (double)NAN;
}

static const char *place_number(const struct onset *onset, double value, char out[NUMBER_SIZE])
{
    return number_to(value, width_of(onset), out);
}

/* "62 %", and neither "0 %" nor "100 %" for what is not. */
static void append_share(struct text *out, double share)
{
    double percent = round(100 * share);
    if (percent < 1) {
        text_append(out, "less than 1 %");
    } else {
        text_append_format(out, "%.0f %%", fmin(percent, 99));
    }
}

static void append_low(struct text *out, const struct onsets *found,
                       const struct onset_curve *curve, const struct onset *onset)
{
    char number[NUMBER_SIZE];
    if (isfinite(onset->low)) {
        text_append(out, place_number(onset, onset->low, number));
    } else {
        text_append_format(out, "below %s", end_number(found, first_x(curve, onset), number));
    }
}

static void append_high(struct text *out, const struct onsets *found,
                        const struct onset_curve *curve, const struct onset *onset)
{
    char number[NUMBER_SIZE];
    if (isfinite(onset->high)) {
        text_append(out, place_number(onset, onset->high, number));
    } else {
        text_append_format(out, "above %s", end_number(found, last_x(curve, onset), number));
    }
}

/* "38.2 to 46.9; within the range in 62 % of resamples"; of an onset outside the range only the end
 * that lies inside. */
static void append_interval(struct text *out, const struct onsets *found,
                            const struct onset_curve *curve, const struct onset *onset)
{
    bool inside = isfinite(onset->low) || isfinite(onset->high);
    if (isnan(onset->low) || (onset->state != ONSET_WITHIN && !inside)) {
        return;
    }
    if (onset->state == ONSET_NOWHERE) {
        text_append(out, "from ");
        append_low(out, found, curve, onset);
    } else if (onset->state == ONSET_THROUGHOUT || onset->state == ONSET_LEAVES) {
        text_append(out, "to ");
        append_high(out, found, curve, onset);
    } else {
        append_low(out, found, curve, onset);
        text_append(out, " to ");
        append_high(out, found, curve, onset);
    }
    if (!isfinite(onset->low) || !isfinite(onset->high)) {
        text_append(out, "; within the range in ");
        append_share(out, onset->within);
        text_append(out, " of resamples");
    }
}

/* What a crossing that is not the onset does; `before` it. */
static const char *crossing_words(bool enters, bool before, bool gradient)
{
    if (before) {
        return gradient ? "below the threshold up to" : "above the threshold up to";
    }
    if (enters) {
        return gradient ? "falls again at" : "enters again at";
    }
    return gradient ? "rises again at" : "leaves at";
}

static void append_further(struct text *out, const struct onset *onset, bool gradient)
{
    char number[NUMBER_SIZE];
    size_t named = 0;
    bool before = onset->state == ONSET_WITHIN;
    for (size_t i = 0; i < onset->count; i++) {
        const struct saturation_crossing *crossing = &onset->crossings[i];
        if (before && crossing->enters) {
            before = false;
            continue;
        }
        if (named++ < NAMED_CROSSINGS) {
            text_append_format(out, "%s%s %s%s", named == 1 ? "" : ", ",
                               crossing_words(crossing->enters, before, gradient),
                               number_text(crossing->at, number), before ? " as well" : "");
        }
    }
    if (named > NAMED_CROSSINGS) {
        text_append_format(out, " and crosses %zu times more", named - NAMED_CROSSINGS);
    }
}

static void append_place(struct text *out, const struct onsets *found,
                         const struct onset_curve *curve, const struct onset *onset)
{
    char number[NUMBER_SIZE];
    switch (onset->state) {
    case ONSET_UNKNOWN:
        text_append(out, "undefined");
        break;
    case ONSET_HIDDEN:
        text_append(out, "where values are undefined");
        break;
    case ONSET_NOWHERE:
        text_append_format(out, "above %s", end_number(found, last_x(curve, onset), number));
        break;
    case ONSET_THROUGHOUT:
    case ONSET_LEAVES:
        text_append_format(out, "below %s", end_number(found, first_x(curve, onset), number));
        break;
    case ONSET_WITHIN:
        text_append(out, place_number(onset, onset->at, number));
        break;
    }
}

bool onset_words(const struct onsets *found, const struct onset_curve *curve,
                 const struct onset *onset, struct arena *arena, struct onset_words *out,
                 struct error *err)
{
    struct text place = TEXT_INIT(arena);
    struct text interval = TEXT_INIT(arena);
    struct text further = TEXT_INIT(arena);
    text_append(&interval, "");
    text_append(&further, "");
    append_place(&place, found, curve, onset);
    append_interval(&interval, found, curve, onset);
    append_further(&further, onset, onset == &curve->of[ONSET_GRADIENT]);
    out->place = text_finish(&place, err);
    out->interval = text_finish(&interval, err);
    out->further = text_finish(&further, err);
    return out->place != NULL && out->interval != NULL && out->further != NULL;
}

/* Uniform weights have a Jacobian of norm √(n - 1)/n. */
static bool is_thin(const struct summary_group *group)
{
    double tokens = group->measures[MEASURE_TOKENS].mean;
    return group->sample->weights == WEIGHTS_SOFTMAX &&
           group->measures[MEASURE_ROW_MAX_MEAN].mean < 0.5 &&
           sqrt(tokens - 1) / tokens <= group->sample->saturation_gradient;
}

bool onset_is_thin(const struct onset_curve *curve)
{
    const struct onset *onset = &curve->of[ONSET_GRADIENT];
    double to = (double)NAN;
    for (size_t i = 0; i < onset->count && onset->state == ONSET_WITHIN; i++) {
        if (onset->crossings[i].enters) {
            to = onset->crossings[i].to;
            break;
        }
    }
    for (size_t p = 0; p < curve->count; p++) {
        if (curve->x[p] == to) {
            return is_thin(curve->groups[p]);
        }
    }
    return false;
}

const char *onset_place(const struct onsets *found, const char *number, struct arena *arena,
                        struct error *err)
{
    if (found->axis->field == RUN_SENTENCE_LIMIT) {
        return arena_format(arena, err, "%s sentences", number);
    }
    return arena_format(arena, err, "%s = %s", found->axis->name, number);
}
