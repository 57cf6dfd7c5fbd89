/* SPDX-License-Identifier: MIT */
/* Groups into curves, runs into seeds and points; see onset_curves.h. */
#include "summary/onset_curves.h"

#include "base/hash.h"
#include "base/order.h"
#include "summary/summary_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The groups that have a place, and what tells their curves apart. */
struct gathering {
    const struct summary *summary;
    const double *x;
    size_t count;
    size_t *groups; /* place in the summary */
    size_t axes;
    size_t *places; /* [i][axis], 0 on axes that do not tell curves apart */
    size_t *curve;  /* of each */
};

/* Whether the value on `axis` fixes the one on `other`, as in a zip. */
static bool is_tied(const struct summary *summary, const struct summary_axis *axis,
                    const struct summary_axis *other, size_t *values)
{
    memset(values, 0, axis->count * sizeof *values);
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        size_t *known = &values[summary_place(summary, group, axis)];
        size_t value = summary_place(summary, group, other) + 1;
        if (*known != 0 && *known != value) {
            return false;
        }
        *known = value;
    }
    return true;
}

static bool tell_apart(const struct summary *summary, const struct summary_axis *axis,
                       struct arena *arena, bool *apart, struct error *err)
{
    size_t *values = arena_alloc(arena, axis->count, sizeof *values, err);
    if (values == NULL) {
        return false;
    }
    for (size_t a = 0; a < summary->axis_count; a++) {
        const struct summary_axis *other = &summary->axes[a];
        apart[a] = other != axis && !(other->numeric && is_tied(summary, axis, other, values));
    }
    return true;
}

static bool collect(struct gathering *gathering, const bool *apart, struct arena *arena,
                    struct error *err)
{
    const struct summary *summary = gathering->summary;
    size_t most = summary->group_count;
    gathering->axes = summary->axis_count;
    gathering->groups = arena_alloc(arena, most, sizeof *gathering->groups, err);
    gathering->curve = arena_alloc(arena, most, sizeof *gathering->curve, err);
    gathering->places = arena_alloc(arena, most * gathering->axes, sizeof *gathering->places, err);
    if (gathering->groups == NULL || gathering->curve == NULL || gathering->places == NULL) {
        return false;
    }
    for (size_t g = 0; g < most; g++) {
        if (isnan(gathering->x[g])) {
            continue;
        }
        size_t *places = gathering->places + gathering->count * gathering->axes;
        for (size_t a = 0; a < gathering->axes; a++) {
            places[a] = apart[a] ? summary->groups[g].place[a] : 0;
        }
        gathering->groups[gathering->count++] = g;
    }
    return true;
}

static bool same_curve(const void *context, size_t a, size_t b)
{
    const struct gathering *gathering = context;
    return memcmp(gathering->places + a * gathering->axes, gathering->places + b * gathering->axes,
                  gathering->axes * sizeof *gathering->places) == 0;
}

static bool number_curves(struct gathering *gathering, struct numbering *numbering,
                          struct arena *arena, struct error *err)
{
    if (!numbering_create(numbering, gathering->count, arena, err)) {
        return false;
    }
    for (size_t i = 0; i < gathering->count; i++) {
        uint64_t hash = hash_short(gathering->places + i * gathering->axes,
                                   gathering->axes * sizeof *gathering->places);
        gathering->curve[i] = numbering_of(numbering, i, hash, same_curve, gathering);
    }
    return true;
}

struct point {
    double x;
    const struct summary_group *group;
};

/* Groups of one place keep the order of the plan. */
static int compare_points(const void *a, const void *b)
{
    const struct point *left = a;
    const struct point *right = b;
    int by_x = (left->x > right->x) - (left->x < right->x);
    return by_x != 0 ? by_x : (left->group > right->group) - (left->group < right->group);
}

/* Gives each curve its points, x rising. */
static bool fill_curves(const struct gathering *gathering, size_t count, struct onset_curve *curves,
                        struct arena *arena, struct error *err)
{
    size_t total = gathering->count;
    struct point *points = arena_alloc(arena, total, sizeof *points, err);
    double *x = arena_alloc(arena, total, sizeof *x, err);
    const struct summary_group **groups =
        arena_alloc(arena, total, sizeof(const struct summary_group *), err);
    size_t *first = arena_alloc(arena, count + 1, sizeof *first, err);
    if (points == NULL || x == NULL || groups == NULL || first == NULL) {
        return false;
    }
    for (size_t i = 0; i < total; i++) {
        first[gathering->curve[i] + 1]++;
    }
    for (size_t c = 0; c < count; c++) {
        first[c + 1] += first[c];
        curves[c].x = x + first[c];
        curves[c].groups = groups + first[c];
    }
    for (size_t i = 0; i < total; i++) {
        size_t c = gathering->curve[i];
        const struct summary_group *group = &gathering->summary->groups[gathering->groups[i]];
        curves[c].sample = curves[c].sample == NULL ? group : curves[c].sample;
        points[first[c] + curves[c].count++] =
            (struct point){gathering->x[gathering->groups[i]], group};
    }
    for (size_t c = 0; c < count; c++) {
        qsort(points + first[c], curves[c].count, sizeof *points, compare_points);
    }
    for (size_t i = 0; i < total; i++) {
        x[i] = points[i].x;
        groups[i] = points[i].group;
    }
    return true;
}

struct onset_curve *onset_curves_gather(const struct summary *summary,
                                        const struct summary_axis *axis, const double *x,
                                        struct arena *arena, struct onsets *out, struct error *err)
{
    struct gathering gathering = {.summary = summary, .x = x};
    struct numbering numbering;
    if (!tell_apart(summary, axis, arena, out->apart, err) ||
        !collect(&gathering, out->apart, arena, err) ||
        !number_curves(&gathering, &numbering, arena, err)) {
        return NULL;
    }
    struct onset_curve *curves = arena_alloc(arena, numbering.count, sizeof *curves, err);
    if (curves == NULL || !fill_curves(&gathering, numbering.count, curves, arena, err)) {
        return NULL;
    }
    out->count = numbering.count;
    return curves;
}

static int64_t seed_of(const struct result_set *set, size_t row)
{
    return *(const int64_t *)result_run_member(set, row, RUN_SEED);
}

/* The seeds of the successful runs, rising, each once. */
static int64_t *list_seeds(const struct result_set *set, struct onset_curve *curve,
                           struct arena *arena, struct error *err)
{
    size_t most = 0;
    for (size_t p = 0; p < curve->count; p++) {
        most += curve->groups[p]->runs;
    }
    int64_t *seeds = arena_alloc(arena, most, sizeof *seeds, err);
    if (seeds == NULL) {
        return NULL;
    }
    size_t count = 0;
    for (size_t p = 0; p < curve->count; p++) {
        for (size_t r = 0; r < curve->groups[p]->runs; r++) {
            size_t row = curve->groups[p]->rows[r];
            if (result_status(set, row) == RESULT_OK) {
                seeds[count++] = seed_of(set, row);
            }
        }
    }
    qsort(seeds, count, sizeof *seeds, order_integers);
    curve->seeds = 0;
    for (size_t i = 0; i < count; i++) {
        if (curve->seeds == 0 || seeds[i] != seeds[curve->seeds - 1]) {
            seeds[curve->seeds++] = seeds[i];
        }
    }
    return seeds;
}

static size_t seed_place(const int64_t *seeds, size_t count, int64_t seed)
{
    const int64_t *found = bsearch(&seed, seeds, count, sizeof *seeds, order_integers);
    return (size_t)(found - seeds);
}

bool onset_curve_values(const struct result_set *set, struct onset_curve *curve,
                        struct arena *arena, const double **sums, const double **counts,
                        struct error *err)
{
    const int64_t *seeds = list_seeds(set, curve, arena, err);
    const size_t points = curve->count;
    if (seeds == NULL) {
        return false;
    }
    double *sum = arena_alloc(arena, curve->seeds * ONSET_KINDS * points, sizeof *sum, err);
    double *number = arena_alloc(arena, curve->seeds * points, sizeof *number, err);
    if (sum == NULL || number == NULL) {
        return false;
    }
    for (size_t p = 0; p < points; p++) {
        for (size_t r = 0; r < curve->groups[p]->runs; r++) {
            size_t row = curve->groups[p]->rows[r];
            if (result_status(set, row) != RESULT_OK) {
                continue;
            }
            size_t s = seed_place(seeds, curve->seeds, seed_of(set, row));
            double *at = sum + s * ONSET_KINDS * points + p;
            at[ONSET_ROW_MAX * points] += result_number(set, row, MEASURE_ROW_MAX_MEAN);
            at[ONSET_GRADIENT * points] -= result_number(set, row, MEASURE_JACOBIAN_NORM_MEAN);
            number[s * points + p] += 1;
        }
    }
    *sums = sum;
    *counts = number;
    return true;
}
