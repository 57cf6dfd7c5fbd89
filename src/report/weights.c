/* SPDX-License-Identifier: MIT */
/* The kept matrices of one seed and their axes; see weights_choice.h and weights.h. */
#include "report/weights.h"

#include "report/weights_choice.h"

#include <math.h>
#include <string.h>

enum { FLAT_QUERIES = 2 };

/* Row-maxima this near are equally saturated: the first of them stands for all. */
static const double nearly = 0.01;

static bool has_weights(const struct result_set *set, size_t row)
{
    const struct kept kept = result_kept(set, row);
    return result_status(set, row) == RESULT_OK && result_index(set, row) >= 0 &&
           kept.weights != NULL && kept.queries > 0 && kept.tokens > 0;
}

static int64_t seed_of(const struct result_set *set, size_t row)
{
    const int64_t *seed = result_run_member(set, row, RUN_SEED);
    return *seed;
}

/* The first row in the order of the plan that has weights and belongs to a group. */
static size_t first_kept(const struct result_set *set, const struct summary *summary)
{
    size_t first = set->count;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        for (size_t r = 0; r < group->runs; r++) {
            bool earlier = group->rows[r] < first && has_weights(set, group->rows[r]);
            first = earlier ? group->rows[r] : first;
        }
    }
    return first;
}

/* The row of a seed in a group that has weights; the set's count for none. */
static size_t kept_in(const struct result_set *set, const struct summary_group *group, int64_t seed)
{
    for (size_t r = 0; r < group->runs; r++) {
        if (has_weights(set, group->rows[r]) && seed_of(set, group->rows[r]) == seed) {
            return group->rows[r];
        }
    }
    return set->count;
}

static bool collect(const struct result_set *set, int64_t seed, struct arena *arena,
                    struct weights_choice *out, struct error *err)
{
    const struct summary *summary = out->summary;
    out->flat = true;
    for (size_t g = 0; g < summary->group_count; g++) {
        size_t place = kept_in(set, &summary->groups[g], seed);
        if (place == set->count) {
            continue;
        }
        const struct result *row = result_hold(set, place, arena, err);
        if (row == NULL) {
            return false;
        }
        struct weights_kept *kept = &out->kept[out->count++];
        *kept = (struct weights_kept){&summary->groups[g], row};
        out->flat = out->flat && row->kept.queries <= FLAT_QUERIES;
        double top = out->base == NULL ? (double)NAN : out->base->result->measurement.row_max_mean;
        if (out->base == NULL || isnan(top) || row->measurement.row_max_mean > top + nearly) {
            out->base = kept;
        }
    }
    return true;
}

/* Whether the value on one axis decides that on another; `seen` has room for its values. */
static bool decides(const struct weights_choice *choice, size_t axis, size_t other, size_t *seen)
{
    memset(seen, 0, choice->summary->axes[axis].count * sizeof *seen);
    for (size_t i = 0; i < choice->count; i++) {
        const size_t *place = choice->kept[i].group->place;
        size_t *known = &seen[place[axis]]; /* 1 more than the value on the other, 0: none yet */
        if (*known != 0 && *known != place[other] + 1) {
            return false;
        }
        *known = place[other] + 1;
    }
    return true;
}

static size_t count_values(const struct weights_choice *choice, size_t axis, size_t *seen)
{
    size_t count = 0;
    memset(seen, 0, choice->summary->axes[axis].count * sizeof *seen);
    for (size_t i = 0; i < choice->count; i++) {
        size_t *known = &seen[choice->kept[i].group->place[axis]];
        count += *known == 0;
        *known = 1;
    }
    return count;
}

/* Whether another axis decides this one; of two that decide each other the first stays free. */
static bool is_bound(const struct weights_choice *choice, size_t axis, size_t *seen)
{
    for (size_t other = 0; other < choice->summary->axis_count; other++) {
        if (other != axis && choice->values[other] > 1 && decides(choice, other, axis, seen) &&
            (other < axis || !decides(choice, axis, other, seen))) {
            return true;
        }
    }
    return false;
}

/* How far the mean row-max moves along an axis, the others averaged; `sums` and `counts` have room
 * for its values. */
static double effect_of(const struct weights_choice *choice, size_t axis, double *sums,
                        size_t *counts)
{
    double least = (double)NAN;
    double most = (double)NAN;
    for (size_t v = 0; v < choice->summary->axes[axis].count; v++) {
        sums[v] = 0;
        counts[v] = 0;
    }
    for (size_t i = 0; i < choice->count; i++) {
        double row_max = choice->kept[i].result->measurement.row_max_mean;
        size_t value = choice->kept[i].group->place[axis];
        if (isfinite(row_max)) {
            sums[value] += row_max;
            counts[value]++;
        }
    }
    for (size_t v = 0; v < choice->summary->axes[axis].count; v++) {
        double mean = counts[v] > 0 ? sums[v] / (double)counts[v] : (double)NAN;
        least = fmin(least, mean);
        most = fmax(most, mean);
    }
    return isnan(least) ? 0 : most - least;
}

/* Puts a free axis behind those with at least its effect. */
static void add_free_axis(struct weights_choice *choice, double *effects, size_t axis,
                          double effect)
{
    size_t at = choice->free_count++;
    while (at > 0 && effects[at - 1] < effect) {
        effects[at] = effects[at - 1];
        choice->free_axes[at] = choice->free_axes[at - 1];
        at--;
    }
    effects[at] = effect;
    choice->free_axes[at] = axis;
}

static bool find_axes(struct weights_choice *choice, enum weights_part *parts, struct arena *arena,
                      struct error *err)
{
    const struct summary *summary = choice->summary;
    double effects[RUN_FIELD_COUNT];
    size_t most = 1;
    for (size_t a = 0; a < summary->axis_count; a++) {
        most = summary->axes[a].count > most ? summary->axes[a].count : most;
    }
    size_t *seen = arena_alloc(arena, most, sizeof *seen, err);
    double *sums = arena_alloc(arena, most, sizeof *sums, err);
    if (seen == NULL || sums == NULL) {
        return false;
    }
    for (size_t a = 0; a < summary->axis_count; a++) {
        choice->values[a] = count_values(choice, a, seen);
    }
    for (size_t a = 0; a < summary->axis_count; a++) {
        bool varies = choice->values[a] > 1;
        bool bound = varies && is_bound(choice, a, seen);
        parts[a] = bound ? WEIGHTS_BOUND : WEIGHTS_HELD;
        if (varies && !bound) {
            add_free_axis(choice, effects, a, effect_of(choice, a, sums, seen));
        }
    }
    return true;
}

bool weights_choice_make(const struct result_set *set, const struct summary *summary,
                         struct arena *arena, struct weights_choice *out, enum weights_part *parts,
                         struct error *err)
{
    memset(out, 0, sizeof *out);
    out->summary = summary;
    size_t first = first_kept(set, summary);
    if (first == set->count) {
        return true;
    }
    out->kept = arena_alloc(arena, summary->group_count, sizeof *out->kept, err);
    return out->kept != NULL && collect(set, seed_of(set, first), arena, out, err) &&
           find_axes(out, parts, arena, err);
}

bool weights_choose(const struct result_set *set, const struct summary *summary,
                    struct arena *arena, struct weights *out, struct error *err)
{
    struct weights_choice choice;
    memset(out, 0, sizeof *out);
    out->summary = summary;
    if (!weights_choice_make(set, summary, arena, &choice, out->parts, err)) {
        return false;
    }
    out->kept = choice.count;
    if (choice.count > 0) {
        out->base = choice.base->group;
        out->seed = choice.base->result->run.seed;
        weights_lay_out(&choice, out);
    }
    return true;
}
