/* SPDX-License-Identifier: MIT */
/* The axes of a plan and how many distinct values each takes; see plan_internal.h. */
#include "sweep/plan_internal.h"

static bool holds(const struct setting *const *kinds, size_t count, uint64_t mask)
{
    for (size_t i = 0; i < count; i++) {
        if (kinds[i]->mask == mask) {
            return true;
        }
    }
    return false;
}

/* The first axis of each kind, by the fields that it moves. */
static size_t find_kinds(const struct sweep_internal *internal,
                         const struct setting *kinds[2 * RUN_FIELD_COUNT])
{
    size_t count = 0;
    for (size_t i = 0; i < internal->block_count; i++) {
        struct axes axes = axes_of_block(internal, i);
        for (size_t j = 0; j < axes.count; j++) {
            const struct setting *axis = axes.list[j];
            if (axis->use == SETTING_AXIS && !holds(kinds, count, axis->mask)) {
                kinds[count++] = axis;
            }
        }
    }
    return count;
}

/* Values that the axes of this kind have, in all blocks and with repetitions. */
static size_t count_all(const struct sweep_internal *internal, const struct setting *kind)
{
    size_t total = 0;
    for (size_t i = 0; i < internal->block_count; i++) {
        struct axes axes = axes_of_block(internal, i);
        for (size_t j = 0; j < axes.count; j++) {
            total += axes.list[j]->mask == kind->mask ? axes.list[j]->count : 0;
        }
    }
    return total;
}

/* Whether the axis is numbers that rise, which are distinct without a further look. */
static bool rises(const struct setting *axis)
{
    if (axis->parts != NULL || axis->columns != 1) {
        return false;
    }
    enum field_kind kind = run_fields[axis->fields[0]].kind;
    bool rising = kind == FIELD_INTEGER || kind == FIELD_REAL;
    for (size_t i = 1; rising && i < axis->count; i++) {
        const union field_value *a = &axis->values[i - 1];
        const union field_value *b = &axis->values[i];
        rising = kind == FIELD_INTEGER ? a->integer < b->integer : a->real < b->real;
    }
    return rising;
}

/* Puts each value of the axis, on its own, behind the runs at hand. */
static bool add_values(const struct setting *axis, struct run_list *runs, const struct run *plain,
                       struct error *err)
{
    bool good = true;
    for (size_t row = 0; good && row < axis->count; row++) {
        struct run run = *plain;
        setting_apply(axis, row, &run);
        good = run_list_append(runs, &run, err);
    }
    return good;
}

static bool count_distinct(const struct sweep_internal *internal, const struct setting *kind,
                           size_t *values, struct error *err)
{
    struct arena scratch = {NULL};
    struct run_list runs;
    size_t most = count_all(internal, kind);
    if (most == kind->count && rises(kind)) {
        *values = most;
        return true;
    }
    const struct run plain = run_default();
    run_list_init(&runs, &scratch);
    bool good = run_list_reserve(&runs, most, err);
    for (size_t i = 0; good && i < internal->block_count; i++) {
        struct axes axes = axes_of_block(internal, i);
        for (size_t j = 0; good && j < axes.count; j++) {
            good = axes.list[j]->mask != kind->mask || add_values(axes.list[j], &runs, &plain, err);
        }
    }
    good = good && seen_thin(&runs, NULL, err);
    *values = runs.count;
    arena_release(&scratch);
    return good;
}

bool axes_list(const struct sweep_internal *internal, struct arena *arena, struct plan *out,
               struct error *err)
{
    /* A field is an axis alone, and the switches also together. */
    const struct setting *kinds[2 * RUN_FIELD_COUNT];
    size_t count = find_kinds(internal, kinds);
    struct plan_axis *axes = arena_alloc(arena, count, sizeof *axes, err);
    for (size_t i = 0; axes != NULL && i < count; i++) {
        axes[i].name = kinds[i]->name;
        if (!count_distinct(internal, kinds[i], &axes[i].values, err)) {
            return false;
        }
    }
    out->axes = axes;
    out->axis_count = count;
    return axes != NULL;
}
