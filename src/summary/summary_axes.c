/* SPDX-License-Identifier: MIT */
/* Which fields vary, and which value each run has on each of them; see summary.h. */
#include "base/hash.h"
#include "summary/summary_internal.h"

#include <math.h>
#include <string.h>

/* One axis while its values are being numbered. */
struct values {
    const struct run *const *runs;
    int field;
};

static bool is_number(int field)
{
    return field != AXIS_GUARDS &&
           (run_fields[field].kind == FIELD_INTEGER || run_fields[field].kind == FIELD_REAL);
}

/* Numbers that name something: between head 1 and head 2 there is nothing. */
static bool is_name(int field)
{
    return field == RUN_HEAD || field == RUN_LEARNER_SEED;
}

static bool is_guard(int field)
{
    return field == RUN_GUARD_INIT || field == RUN_GUARD_SCALE || field == RUN_GUARD_NORM;
}

/* Runs with every field at its default, for each source and learner that has been asked for. */
struct defaults {
    bool made[SOURCE_SCORES + 1][LEARNER_GLOVE + 1];
    struct run runs[SOURCE_SCORES + 1][LEARNER_GLOVE + 1];
};

static bool is_default(struct defaults *defaults, const struct run *run, int field)
{
    struct run *plain = &defaults->runs[run->source][run->learner];
    if (!defaults->made[run->source][run->learner]) {
        *plain = run_default_beside(run);
        defaults->made[run->source][run->learner] = true;
    }
    return field_value_equal(&run_fields[field], plain, run);
}

/* Whether the field differs only because sources or learners have other defaults. */
static bool follows(struct defaults *defaults, const struct run *const *runs, size_t count,
                    int field)
{
    for (size_t i = 0; i < count; i++) {
        if (run_field_applies(runs[i], (enum run_field)field) &&
            !is_default(defaults, runs[i], field)) {
            return false;
        }
    }
    return true;
}

/* Among the runs that the field has a meaning for: the default that the others hold is no value of
 * theirs, and what takes the meaning away, source or learner, varies itself. */
static bool varies(const struct run *const *runs, size_t count, int field)
{
    const struct run *first = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!run_field_applies(runs[i], (enum run_field)field)) {
            continue;
        }
        if (first != NULL && !field_value_equal(&run_fields[field], first, runs[i])) {
            return true;
        }
        first = first == NULL ? runs[i] : first;
    }
    return false;
}

static bool same_value(const void *context, size_t a, size_t b)
{
    const struct values *values = context;
    const struct run *left = values->runs[a];
    const struct run *right = values->runs[b];
    if (values->field == AXIS_GUARDS) {
        return run_guards_mask(left) == run_guards_mask(right);
    }
    return field_value_equal(&run_fields[values->field], left, right);
}

static uint64_t value_hash(int field, const struct run *run)
{
    if (field == AXIS_GUARDS) {
        return run_guards_mask(run);
    }
    const struct field *row = &run_fields[field];
    if (field_is_text(row)) {
        char buffer[FIELD_VALUE_SIZE];
        const char *text = field_value_text(row, run, buffer);
        return hash_short(text, strlen(text));
    }
    double number = field_value_number(row, run) + 0.0; /* one hash for both zeros */
    return hash_short(&number, sizeof number);
}

/* Sorts `order`, a list of values, by rising number: a merge sort, so that equal numbers stay in
 * the order of the plan. */
static void sort_values(const double *numbers, size_t *order, size_t *spare, size_t count)
{
    if (count < 2) {
        return;
    }
    size_t half = count / 2;
    sort_values(numbers, order, spare, half);
    sort_values(numbers, order + half, spare, count - half);
    size_t left = 0;
    size_t right = half;
    for (size_t i = 0; i < count; i++) {
        bool take_left =
            right == count || (left < half && numbers[order[left]] <= numbers[order[right]]);
        spare[i] = take_left ? order[left++] : order[right++];
    }
    memcpy(order, spare, count * sizeof *order);
}

/* rank[value] = place among the values in the order in which the axis shows them. */
static bool rank_values(struct summary_axis *axis, const struct run *const *samples, size_t *rank,
                        struct arena *arena, struct error *err)
{
    size_t count = axis->count;
    double *numbers = arena_alloc(arena, count, sizeof *numbers, err);
    size_t *order = arena_alloc(arena, count, sizeof *order, err);
    size_t *spare = arena_alloc(arena, count, sizeof *spare, err);
    const struct run **sorted = arena_alloc(arena, count, sizeof *sorted, err);
    if (numbers == NULL || order == NULL || spare == NULL || sorted == NULL) {
        return false;
    }
    for (size_t v = 0; v < count; v++) {
        order[v] = v;
        numbers[v] =
            is_number(axis->field) ? field_value_number(&run_fields[axis->field], samples[v]) : 0;
    }
    if (is_number(axis->field)) {
        sort_values(numbers, order, spare, count);
    }
    for (size_t r = 0; r < count; r++) {
        rank[order[r]] = r;
        sorted[r] = samples[order[r]];
    }
    axis->samples = sorted;
    return true;
}

/* Fills the axis and column `column` of places, which has `stride` columns. */
static bool fill_axis(struct summary_axis *axis, const struct run *const *runs, size_t count,
                      size_t *places, size_t stride, struct arena *arena, struct error *err)
{
    struct numbering numbering;
    size_t *rank = arena_alloc(arena, count, sizeof *rank, err);
    const struct run **samples = arena_alloc(arena, count, sizeof *samples, err);
    if (rank == NULL || samples == NULL || !numbering_create(&numbering, count, arena, err)) {
        return false;
    }
    const struct values values = {runs, axis->field};
    for (size_t i = 0; i < count; i++) {
        places[i * stride] =
            numbering_of(&numbering, i, value_hash(axis->field, runs[i]), same_value, &values);
    }
    axis->count = numbering.count;
    for (size_t v = 0; v < axis->count; v++) {
        samples[v] = runs[numbering.first[v]];
    }
    if (!rank_values(axis, samples, rank, arena, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        places[i * stride] = rank[places[i * stride]];
    }
    return true;
}

static struct summary_axis axis_of(int field)
{
    struct summary_axis axis = {.field = field, .name = "guards", .label = "guards"};
    if (field != AXIS_GUARDS) {
        const struct field *row = &run_fields[field];
        axis.name = row->name;
        axis.label = row->label;
        axis.numeric = is_number(field) && !is_name(field);
    }
    return axis;
}

/* The axes without their values, in the order of the field table; the guards stand where the
 * first switch does. */
static size_t list_axes(const struct run *const *runs, size_t count, struct summary_axis *axes)
{
    size_t found = 0;
    bool guards = false;
    struct defaults defaults;
    memset(&defaults, 0, sizeof defaults);
    for (int field = 0; field < RUN_FIELD_COUNT; field++) {
        if (field == RUN_SEED || !varies(runs, count, field) ||
            follows(&defaults, runs, count, field)) {
            continue;
        }
        if (!is_guard(field)) {
            axes[found++] = axis_of(field);
        } else if (!guards) {
            guards = true;
            axes[found++] = axis_of(AXIS_GUARDS);
        }
    }
    return found;
}

bool axes_find(const struct run *const *runs, size_t count, struct arena *arena,
               struct summary *out, size_t **places, struct error *err)
{
    struct summary_axis *axes = arena_alloc(arena, RUN_FIELD_COUNT, sizeof *axes, err);
    if (axes == NULL) {
        return false;
    }
    size_t found = list_axes(runs, count, axes);
    *places = arena_alloc(arena, count * (found + 1), sizeof **places, err);
    if (*places == NULL) {
        return false;
    }
    for (size_t a = 0; a < found; a++) {
        if (!fill_axis(&axes[a], runs, count, *places + a, found, arena, err)) {
            return false;
        }
    }
    out->axes = axes;
    out->axis_count = found;
    return true;
}

const struct summary_axis *summary_axis_find(const struct summary *summary, int field)
{
    for (size_t a = 0; a < summary->axis_count; a++) {
        if (summary->axes[a].field == field) {
            return &summary->axes[a];
        }
    }
    return NULL;
}

size_t summary_place(const struct summary *summary, const struct summary_group *group,
                     const struct summary_axis *axis)
{
    return axis == NULL ? 0 : group->place[axis - summary->axes];
}

const char *summary_axis_value(const struct summary_axis *axis, size_t value,
                               char out[FIELD_VALUE_SIZE])
{
    if (axis->names != NULL) {
        return axis->names[value];
    }
    if (axis->field == AXIS_GUARDS) {
        return run_guards_text(axis->samples[value]);
    }
    return field_value_text(&run_fields[axis->field], axis->samples[value], out);
}
