/* SPDX-License-Identifier: MIT */
/* Where each curve enters saturation, and how surely; see onset.h. */
#include "summary/onset.h"

#include "base/hash.h"
#include "summary/onset_curves.h"
#include "summary/bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum measurement_field onset_measure(enum onset_kind kind)
{
    return kind == ONSET_ROW_MAX ? MEASURE_ROW_MAX_MEAN : MEASURE_JACOBIAN_NORM_MEAN;
}

double onset_threshold(const struct onset_curve *curve, enum onset_kind kind)
{
    const struct run *run = curve->sample->sample;
    return kind == ONSET_ROW_MAX ? run->saturation_row_max : run->saturation_gradient;
}

/* The gradient enters by falling: upside down, it rises. */
static double sign_of(enum onset_kind kind)
{
    return kind == ONSET_ROW_MAX ? 1 : -1;
}

/* What does not change from resample to resample of one curve. */
struct resampling {
    const struct onset_curve *curve;
    bool logarithmic;
    const double *sums; /* [seed][kind][point], over the runs of a seed; the gradient's negative */
    const double *counts; /* [seed][point] */
    double *times;        /* [seed] */
    double *totals;       /* [kind + 1][point]; the last row are the counts */
    struct saturation_crossing *crossings;
    double *entered[ONSET_KINDS]; /* [resample] */
};

/* Gradients fall by factors, and are drawn so: between two positive ones the logarithm is straight.
 */
static void interpolate_gradient(const double *y, double threshold, bool logarithmic, size_t count,
                                 struct saturation_crossing *crossings)
{
    size_t point = 1;
    for (size_t c = 0; c < count; c++) {
        double from = crossings[c].from;
        double to = crossings[c].to;
        while ((y[point] >= threshold) == (y[point - 1] >= threshold) ||
               isnan(y[point] + y[point - 1])) {
            point++;
        }
        if (y[point - 1] < 0 && y[point] < 0 && threshold < 0) {
            double share = log(threshold / y[point - 1]) / log(y[point] / y[point - 1]);
            crossings[c].at =
                logarithmic ? from * pow(to / from, share) : from + share * (to - from);
        }
        point++;
    }
}

/* The crossings of a curve; y of the gradient is its negative. */
static size_t find_all(const struct onset_curve *curve, enum onset_kind kind, const double *y,
                       double threshold, bool logarithmic, struct saturation_crossing *out)
{
    size_t count = saturation_crossings(curve->count, curve->x, y, threshold, logarithmic, out);
    if (kind == ONSET_GRADIENT) {
        interpolate_gradient(y, threshold, logarithmic, count, out);
    }
    return count;
}

static enum onset_state state_without(size_t count, const double *y, double threshold)
{
    bool above = false;
    bool below = false;
    for (size_t i = 0; i < count; i++) {
        above = above || y[i] >= threshold;
        below = below || y[i] < threshold;
    }
    return above && below ? ONSET_HIDDEN
           : above        ? ONSET_THROUGHOUT
           : below        ? ONSET_NOWHERE
                          : ONSET_UNKNOWN;
}

/* The first crossing that enters, as its place among `count`; `count` when none does. */
static size_t first_entering(size_t count, const struct saturation_crossing *crossings)
{
    size_t first = 0;
    while (first < count && !crossings[first].enters) {
        first++;
    }
    return first;
}

/* Where a resampled curve enters; infinite when that is before or behind the range. */
static double entering(const struct resampling *resampling, enum onset_kind kind, const double *y,
                       double threshold)
{
    const struct onset_curve *curve = resampling->curve;
    size_t count =
        find_all(curve, kind, y, threshold, resampling->logarithmic, resampling->crossings);
    size_t first = first_entering(count, resampling->crossings);
    if (first < count) {
        return resampling->crossings[first].at;
    }
    size_t known = 0;
    while (known < curve->count && isnan(y[known])) {
        known++;
    }
    bool begins_beyond = known < curve->count && y[known] >= threshold;
    return begins_beyond ? -(double)INFINITY : (double)INFINITY;
}

/* A seed with an undefined value makes its point undefined in every resample: 0 * NaN is NaN. */
static void add_times(double *restrict total, const double *restrict values, double times,
                      size_t count)
{
    for (size_t p = 0; p < count; p++) {
        total[p] += times * values[p];
    }
}

static void resample(const struct resampling *resampling, struct bootstrap *bootstrap,
                     size_t number)
{
    const struct onset_curve *curve = resampling->curve;
    const size_t points = curve->count;
    double *counts = resampling->totals + ONSET_KINDS * points;
    bootstrap_draw(bootstrap, resampling->times);
    memset(resampling->totals, 0, (ONSET_KINDS + 1) * points * sizeof *resampling->totals);
    for (size_t s = 0; s < curve->seeds; s++) {
        add_times(resampling->totals, resampling->sums + s * ONSET_KINDS * points,
                  resampling->times[s], ONSET_KINDS * points);
        add_times(counts, resampling->counts + s * points, resampling->times[s], points);
    }
    for (int kind = 0; kind < ONSET_KINDS; kind++) {
        double *y = resampling->totals + (size_t)kind * points;
        for (size_t p = 0; p < points; p++) {
            y[p] /= counts[p]; /* 0/0 where no seed of the resample has a run: unknown */
        }
        double threshold =
            sign_of((enum onset_kind)kind) * onset_threshold(curve, (enum onset_kind)kind);
        resampling->entered[kind][number] =
            entering(resampling, (enum onset_kind)kind, y, threshold);
    }
}

/* The crossings of the means themselves. */
static bool find_crossings(struct onset_curve *curve, enum onset_kind kind, bool logarithmic,
                           struct arena *arena, struct error *err)
{
    struct onset *onset = &curve->of[kind];
    double *y = arena_alloc(arena, curve->count, sizeof *y, err);
    struct saturation_crossing *crossings =
        arena_alloc(arena, curve->count, sizeof *crossings, err);
    if (y == NULL || crossings == NULL) {
        return false;
    }
    for (size_t p = 0; p < curve->count; p++) {
        y[p] = sign_of(kind) * curve->groups[p]->measures[onset_measure(kind)].mean;
    }
    double threshold = sign_of(kind) * onset_threshold(curve, kind);
    size_t count = find_all(curve, kind, y, threshold, logarithmic, crossings);
    size_t first = first_entering(count, crossings);
    *onset = (struct onset){.count = count,
                            .crossings = crossings,
                            .at = first < count ? crossings[first].at : (double)NAN,
                            .low = (double)NAN,
                            .high = (double)NAN,
                            .within = (double)NAN};
    onset->state = count == 0      ? state_without(curve->count, y, threshold)
                   : first < count ? ONSET_WITHIN
                                   : ONSET_LEAVES;
    return true;
}

static void judge(struct onset *onset, size_t seeds, double *entered)
{
    size_t within = 0;
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
        within += isfinite(entered[r]) ? 1 : 0;
    }
    onset->within = (double)within / BOOTSTRAP_RESAMPLES;
    if (within > 0 && onset->state != ONSET_HIDDEN) {
        struct interval interval =
            bootstrap_interval(BOOTSTRAP_RESAMPLES, entered, bootstrap_tail(seeds));
        onset->low = interval.low;
        onset->high = interval.high;
    }
}

/* Room for the resamples of the largest curve; sums and counts are each curve's own. */
static bool make_room(struct resampling *out, const struct onset_curve *curve, struct arena *arena,
                      struct error *err)
{
    size_t points = curve->count;
    out->curve = curve;
    out->times = arena_alloc(arena, curve->seeds, sizeof *out->times, err);
    out->totals = arena_alloc(arena, (ONSET_KINDS + 1) * points, sizeof *out->totals, err);
    out->crossings = arena_alloc(arena, points, sizeof *out->crossings, err);
    for (int kind = 0; kind < ONSET_KINDS; kind++) {
        out->entered[kind] =
            arena_alloc(arena, BOOTSTRAP_RESAMPLES, sizeof *out->entered[kind], err);
        if (out->entered[kind] == NULL) {
            return false;
        }
    }
    return out->times != NULL && out->totals != NULL && out->crossings != NULL;
}

/* Intervals of one curve; `scratch` is forgotten afterwards. */
static bool find_intervals(const struct result_set *set, struct onset_curve *curve,
                           bool logarithmic, struct arena *scratch, struct error *err)
{
    struct resampling resampling = {.logarithmic = logarithmic};
    if (!onset_curve_values(set, curve, scratch, &resampling.sums, &resampling.counts, err)) {
        return false;
    }
    if (curve->seeds < BOOTSTRAP_LEAST || curve->count < 2) {
        return true;
    }
    if (!make_room(&resampling, curve, scratch, err)) {
        return false;
    }
    struct bootstrap bootstrap;
    bootstrap_start(&bootstrap, curve->seeds);
    for (size_t r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
        resample(&resampling, &bootstrap, r);
    }
    for (int kind = 0; kind < ONSET_KINDS; kind++) {
        judge(&curve->of[kind], curve->seeds, resampling.entered[kind]);
    }
    return true;
}

static bool find_onsets(const struct result_set *set, struct onset_curve *curve, bool logarithmic,
                        struct arena *arena, struct arena *scratch, struct error *err)
{
    for (int kind = 0; kind < ONSET_KINDS; kind++) {
        if (!find_crossings(curve, (enum onset_kind)kind, logarithmic, arena, err)) {
            return false;
        }
    }
    bool good = find_intervals(set, curve, logarithmic, scratch, err);
    arena_reset(scratch);
    return good;
}

bool onsets_find(const struct result_set *set, const struct summary *summary,
                 const struct summary_axis *axis, const double *x, bool logarithmic,
                 struct arena *arena, struct onsets *out, struct error *err)
{
    memset(out, 0, sizeof *out);
    out->summary = summary;
    out->axis = axis;
    out->logarithmic = logarithmic;
    struct onset_curve *curves = onset_curves_gather(summary, axis, x, arena, out, err);
    if (curves == NULL) {
        return false;
    }
    out->curves = curves;
    struct arena scratch = {NULL};
    bool good = true;
    for (size_t c = 0; good && c < out->count; c++) {
        out->longest = curves[c].count > out->longest ? curves[c].count : out->longest;
        good = find_onsets(set, &curves[c], logarithmic, arena, &scratch, err);
    }
    arena_release(&scratch);
    return good;
}
