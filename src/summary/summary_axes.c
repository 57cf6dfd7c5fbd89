/* SPDX-License-Identifier: MIT */
/* Which fields vary, and which value each run has on each of them; see summary.h. */
#include "base/hash.h"
#include "summary/summary_internal.h"

#include <math.h>
#include <string.h>

/* One axis while its values are being numbered. */
struct values {
    const struct planned_rows *planned;
    int field;
};

/* The member of planned row i. */
static const void *member(const struct planned_rows *planned, size_t i, int field)
{
    return result_run_member(planned->set, planned->rows[i], (size_t)field);
}

static int code(const struct planned_rows *planned, size_t i, int field)
{
    const int *choice = member(planned, i, field);
    return *choice;
}

static bool applies(const struct planned_rows *planned, size_t i, int field)
{
    return run_field_applies_to(code(planned, i, RUN_SOURCE), code(planned, i, RUN_LEARNER),
                                (enum run_field)field);
}

static unsigned guards_of(const struct planned_rows *planned, size_t i)
{
    unsigned mask = 0;
    static const int guards[] = {RUN_GUARD_INIT, RUN_GUARD_SCALE, RUN_GUARD_NORM};
    for (unsigned g = 0; g < sizeof guards / sizeof guards[0]; g++) {
        const bool *on = member(planned, i, guards[g]);
        mask |= *on ? 1U << g : 0;
    }
    return mask;
}

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

/* Runs with every field at its default, for each source and learner that has been asked for. */
struct defaults {
    bool made[SOURCE_SCORES + 1][LEARNER_GLOVE + 1];
    struct run runs[SOURCE_SCORES + 1][LEARNER_GLOVE + 1];
};

static bool is_default(struct defaults *defaults, const struct planned_rows *planned, size_t i,
                       int field)
{
    int source = code(planned, i, RUN_SOURCE);
    int learner = code(planned, i, RUN_LEARNER);
    struct run *plain = &defaults->runs[source][learner];
    if (!defaults->made[source][learner]) {
        *plain = run_default_beside(&(struct run){.source = source, .learner = learner});
        defaults->made[source][learner] = true;
    }
    return field_member_equal(&run_fields[field], (const char *)plain + run_fields[field].offset,
                              member(planned, i, field));
}

/* Whether the field differs only because sources or learners have other defaults. */
static bool follows(struct defaults *defaults, const struct planned_rows *planned, int field)
{
    for (size_t i = 0; i < planned->count; i++) {
        if (applies(planned, i, field) && !is_default(defaults, planned, i, field)) {
            return false;
        }
    }
    return true;
}

/* Among the runs that the field has a meaning for: the default that the others hold is no value of
 * theirs, and what takes the meaning away, source or learner, varies itself. */
static bool varies(const struct planned_rows *planned, int field)
{
    const void *first = NULL;
    if (result_shared_member(planned->set, (size_t)field) != NULL) {
        return false;
    }
    for (size_t i = 0; i < planned->count; i++) {
        if (!applies(planned, i, field)) {
            continue;
        }
        const void *own = member(planned, i, field);
        if (first != NULL && !field_member_equal(&run_fields[field], first, own)) {
            return true;
        }
        first = first == NULL ? own : first;
    }
    return false;
}

static bool same_value(const void *context, size_t a, size_t b)
{
    const struct values *values = context;
    if (values->field == AXIS_GUARDS) {
        return guards_of(values->planned, a) == guards_of(values->planned, b);
    }
    return field_member_equal(&run_fields[values->field], member(values->planned, a, values->field),
                              member(values->planned, b, values->field));
}

static uint64_t value_hash(const struct values *values, size_t i)
{
    if (values->field == AXIS_GUARDS) {
        return guards_of(values->planned, i);
    }
    const struct field *row = &run_fields[values->field];
    const void *own = member(values->planned, i, values->field);
    if (field_is_text(row)) {
        char buffer[FIELD_VALUE_SIZE];
        const char *text = field_member_text(row, own, buffer);
        return hash_short(text, strlen(text));
    }
    double number = field_member_number(row, own) + 0.0; /* one hash for both zeros */
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return numbering_mix(numbering_mix(0, bits), 1);
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

/* A run for each value, in the order in which they appear. */
static const struct run **hold_samples(const struct planned_rows *planned,
                                       const struct numbering *numbering, struct arena *arena,
                                       struct error *err)
{
    const struct run **samples =
        arena_alloc(arena, numbering->count, sizeof(const struct run *), err);
    for (size_t v = 0; samples != NULL && v < numbering->count; v++) {
        size_t row = planned->rows[numbering->first[v]];
        samples[v] = result_hold_run(planned->set, row, arena, err);
        if (samples[v] == NULL) {
            return NULL;
        }
    }
    return samples;
}

/* Fills the axis and column `places` of places, which has `stride` columns. */
static bool fill_axis(struct summary_axis *axis, const struct planned_rows *planned, size_t *places,
                      size_t stride, struct arena *arena, struct error *err)
{
    size_t count = planned->count;
    struct numbering numbering;
    size_t *rank = arena_alloc(arena, count, sizeof *rank, err);
    if (rank == NULL || !numbering_create(&numbering, count, arena, err)) {
        return false;
    }
    const struct values values = {planned, axis->field};
    for (size_t i = 0; i < count; i++) {
        places[i * stride] =
            numbering_of(&numbering, i, value_hash(&values, i), same_value, &values);
    }
    axis->count = numbering.count;
    const struct run **samples = hold_samples(planned, &numbering, arena, err);
    if (samples == NULL || !rank_values(axis, samples, rank, arena, err)) {
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
static size_t list_axes(const struct planned_rows *planned, struct summary_axis *axes)
{
    size_t found = 0;
    bool guards = false;
    struct defaults defaults;
    memset(&defaults, 0, sizeof defaults);
    for (int field = 0; field < RUN_FIELD_COUNT; field++) {
        if (field == RUN_SEED || !varies(planned, field) || follows(&defaults, planned, field)) {
            continue;
        }
        if (!run_field_is_guard(field)) {
            axes[found++] = axis_of(field);
        } else if (!guards) {
            guards = true;
            axes[found++] = axis_of(AXIS_GUARDS);
        }
    }
    return found;
}

bool axes_find(const struct planned_rows *planned, struct arena *arena, struct summary *out,
               size_t **places, struct error *err)
{
    struct summary_axis *axes = arena_alloc(arena, RUN_FIELD_COUNT, sizeof *axes, err);
    if (axes == NULL) {
        return false;
    }
    size_t found = list_axes(planned, axes);
    *places = arena_alloc(arena, planned->count * (found + 1), sizeof **places, err);
    if (*places == NULL) {
        return false;
    }
    for (size_t a = 0; a < found; a++) {
        if (!fill_axis(&axes[a], planned, *places + a, found, arena, err)) {
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
