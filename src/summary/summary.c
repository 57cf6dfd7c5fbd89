/* SPDX-License-Identifier: MIT */
/* Groups of runs that differ in the seed only, and their estimates; see summary.h. */
#include "base/hash.h"
#include "numeric/statistics.h"
#include "summary/summary_internal.h"

#include <math.h>
#include <string.h>

/* The rows that belong to the plan, and their places on the axes. */
struct planned {
    const struct result_set *set;
    size_t count;
    size_t *rows; /* place in the set of planned row i */
    const struct run **runs;
    size_t axes;
    size_t *places;
    size_t *group; /* of planned row i */
};

static bool collect(const struct result_set *set, struct arena *arena, struct planned *planned,
                    struct error *err)
{
    planned->set = set;
    planned->rows = arena_alloc(arena, set->count, sizeof *planned->rows, err);
    planned->runs = arena_alloc(arena, set->count, sizeof *planned->runs, err);
    planned->group = arena_alloc(arena, set->count, sizeof *planned->group, err);
    if (planned->rows == NULL || planned->runs == NULL || planned->group == NULL) {
        return false;
    }
    for (size_t i = 0; i < set->count; i++) {
        if (set->rows[i].index >= 0) {
            planned->rows[planned->count] = i;
            planned->runs[planned->count++] = &set->rows[i].run;
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
    if (!numbering_create(numbering, planned->count, arena, err)) {
        return false;
    }
    for (size_t i = 0; i < planned->count; i++) {
        uint64_t hash = hash_short(planned->places + i * planned->axes,
                                   planned->axes * sizeof *planned->places);
        planned->group[i] = numbering_of(numbering, i, hash, same_place, planned);
    }
    return true;
}

/* Gives each group its run, its place and its rows. */
static bool fill_groups(const struct planned *planned, const struct numbering *numbering,
                        struct summary_group *groups, struct arena *arena, struct error *err)
{
    size_t *rows = arena_alloc(arena, planned->count, sizeof *rows, err);
    size_t *filled = arena_alloc(arena, numbering->count, sizeof *filled, err);
    if (rows == NULL || filled == NULL) {
        return false;
    }
    for (size_t i = 0; i < planned->count; i++) {
        groups[planned->group[i]].runs++;
    }
    size_t start = 0;
    for (size_t g = 0; g < numbering->count; g++) {
        groups[g].sample = planned->runs[numbering->first[g]];
        groups[g].place = planned->places + numbering->first[g] * planned->axes;
        groups[g].rows = rows + start;
        filled[g] = start;
        start += groups[g].runs;
    }
    for (size_t i = 0; i < planned->count; i++) {
        size_t g = planned->group[i];
        rows[filled[g]++] = planned->rows[i];
        const struct result *row = &planned->set->rows[planned->rows[i]];
        groups[g].failed += row->status != RESULT_OK;
        if (row->status == RESULT_OK && row->measurement.undefined_rows > 0) {
            groups[g].undefined_runs++;
            groups[g].undefined_rows += row->measurement.undefined_rows;
        }
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
            const struct result *row = &set->rows[group->rows[r]];
            if (row->status == RESULT_OK) {
                scratch[count++] = field_value_number(&measurement_fields[m], &row->measurement);
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
    double *scratch = arena_alloc(arena, planned->count, sizeof *scratch, err);
    if (groups == NULL || scratch == NULL ||
        !fill_groups(planned, &numbering, groups, arena, err)) {
        return false;
    }
    for (size_t g = 0; g < numbering.count; g++) {
        fill_estimates(planned->set, &groups[g], scratch);
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
        !axes_find(planned.runs, planned.count, arena, &summary, &planned.places, err)) {
        return false;
    }
    planned.axes = summary.axis_count;
    summary.planned = planned.count;
    summary.outside = set->count - planned.count;
    if (!make_groups(&planned, arena, &summary, err)) {
        return false;
    }
    *out = summary;
    return true;
}
