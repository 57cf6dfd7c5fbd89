/* SPDX-License-Identifier: MIT */
/* Groups of runs that differ in the seed only, and their estimates; see summary.h. */
#include "numeric/statistics.h"
#include "summary/summary_internal.h"

#include <math.h>
#include <string.h>

/* The rows that belong to the plan, and their places on the axes. */
struct planned {
    struct planned_rows of;
    size_t axes;
    size_t *places;
    size_t *group; /* of planned row i */
};

static bool collect(const struct result_set *set, struct arena *arena, struct planned *planned,
                    struct error *err)
{
    size_t *rows = arena_alloc(arena, set->count, sizeof *rows, err);
    planned->group = arena_alloc(arena, set->count, sizeof *planned->group, err);
    if (rows == NULL || planned->group == NULL) {
        return false;
    }
    planned->of = (struct planned_rows){.set = set, .rows = rows};
    for (size_t i = 0; i < set->count; i++) {
        if (result_index(set, i) >= 0) {
            rows[planned->of.count++] = i;
        }
    }
    return true;
}

static bool same_place(const void *context, size_t a, size_t b)
{
    const struct planned *planned = context;
    return memcmp(planned->places + a * planned->axes, planned->places + b * planned->axes,
                  planned->axes * sizeof *planned->places) == 0;
}

static bool number_groups(struct planned *planned, struct arena *arena, struct numbering *numbering,
                          struct error *err)
{
    if (!numbering_create(numbering, planned->of.count, arena, err)) {
        return false;
    }
    for (size_t i = 0; i < planned->of.count; i++) {
        uint64_t hash = 0;
        for (size_t a = 0; planned->places != NULL && a < planned->axes; a++) {
            hash = numbering_mix(hash, planned->places[i * planned->axes + a]);
        }
        planned->group[i] = numbering_of(numbering, i, hash, same_place, planned);
    }
    return true;
}

static void count_row(const struct result_set *set, size_t row, struct summary_group *group)
{
    if (result_status(set, row) != RESULT_OK) {
        group->failed++;
        return;
    }
    const int64_t *undefined = result_measure_member(set, row, MEASURE_UNDEFINED_ROWS);
    group->undefined_runs += *undefined > 0 ? 1 : 0;
    group->undefined_rows += *undefined > 0 ? *undefined : 0;
}

/* Gives each group its run, its place and its rows. */
static bool fill_groups(const struct planned *planned, const struct numbering *numbering,
                        struct summary_group *groups, struct arena *arena, struct error *err)
{
    size_t *rows = arena_alloc(arena, planned->of.count, sizeof *rows, err);
    size_t *filled = arena_alloc(arena, numbering->count, sizeof *filled, err);
    if (rows == NULL || filled == NULL) {
        return false;
    }
    for (size_t i = 0; i < planned->of.count; i++) {
        groups[planned->group[i]].runs++;
    }
    size_t start = 0;
    for (size_t g = 0; g < numbering->count; g++) {
        groups[g].sample =
            result_hold_run(planned->of.set, planned->of.rows[numbering->first[g]], arena, err);
        if (groups[g].sample == NULL) {
            return false;
        }
        groups[g].place = planned->places + numbering->first[g] * planned->axes;
        groups[g].rows = rows + start;
        filled[g] = start;
        start += groups[g].runs;
    }
    for (size_t i = 0; i < planned->of.count; i++) {
        size_t g = planned->group[i];
        rows[filled[g]++] = planned->of.rows[i];
        count_row(planned->of.set, planned->of.rows[i], &groups[g]);
    }
    return true;
}

static struct estimate estimate_of(size_t count, const double *x)
{
    struct estimate estimate = {count, statistics_mean(count, x), statistics_interval(count, x),
                                (double)NAN};
    for (size_t i = 0; i < count; i++) {
        if (isnan(x[i])) {
            estimate.maximum = (double)NAN;
            return estimate;
        }
        estimate.maximum = i == 0 || x[i] > estimate.maximum ? x[i] : estimate.maximum;
    }
    return estimate;
}

/* `scratch` holds group->runs numbers. */
static void fill_estimates(const struct result_set *set, struct summary_group *group,
                           double *scratch)
{
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        size_t count = 0;
        for (size_t r = 0; r < group->runs; r++) {
            if (result_status(set, group->rows[r]) == RESULT_OK) {
                scratch[count++] = result_number(set, group->rows[r], m);
            }
        }
        group->measures[m] = estimate_of(count, scratch);
    }
}

static bool make_groups(struct planned *planned, struct arena *arena, struct summary *out,
                        struct error *err)
{
    struct numbering numbering;
    if (!number_groups(planned, arena, &numbering, err)) {
        return false;
    }
    struct summary_group *groups = arena_alloc(arena, numbering.count, sizeof *groups, err);
    double *scratch = arena_alloc(arena, planned->of.count, sizeof *scratch, err);
    if (groups == NULL || scratch == NULL ||
        !fill_groups(planned, &numbering, groups, arena, err)) {
        return false;
    }
    for (size_t g = 0; g < numbering.count; g++) {
        fill_estimates(planned->of.set, &groups[g], scratch);
        out->seeds = groups[g].runs > out->seeds ? groups[g].runs : out->seeds;
        out->failed += groups[g].failed;
    }
    out->groups = groups;
    out->group_count = numbering.count;
    return true;
}

bool summary_make(const struct result_set *set, struct arena *arena, struct summary *out,
                  struct error *err)
{
    struct planned planned = {0};
    struct summary summary = {0};
    if (!collect(set, arena, &planned, err) ||
        !axes_find(&planned.of, arena, &summary, &planned.places, err)) {
        return false;
    }
    planned.axes = summary.axis_count;
    summary.planned = planned.of.count;
    summary.lacking = set->lacking;
    summary.outside = set->count - planned.of.count;
    if (!make_groups(&planned, arena, &summary, err)) {
        return false;
    }
    *out = summary;
    return true;
}
