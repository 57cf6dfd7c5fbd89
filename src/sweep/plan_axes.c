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

/* Values that the axes of this kind have, those met before included; at most the plan's points. */
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

/* Puts each value of the axis, on its own, behind the runs that differ so far. */
static size_t add_values(const struct setting *axis, struct run *runs, size_t count,
                         struct seen *seen, const struct run *plain)
{
    for (size_t row = 0; row < axis->count; row++) {
        runs[count] = *plain;
        setting_apply(axis, row, &runs[count]);
        count += seen_before(seen, runs, count) ? 0 : 1;
    }
    return count;
}

static bool count_distinct(const struct sweep_internal *internal, const struct setting *kind,
                           size_t *values, struct error *err)
{
    struct arena scratch = {NULL};
    struct seen seen;
    size_t most = count_all(internal, kind);
    const struct run plain = run_default();
    struct run *runs = arena_alloc(&scratch, most, sizeof *runs, err);
    bool ready = runs != NULL && seen_prepare(&seen, most, &scratch, err);
    *values = 0;
    for (size_t i = 0; ready && i < internal->block_count; i++) {
        struct axes axes = axes_of_block(internal, i);
        for (size_t j = 0; j < axes.count; j++) {
            if (axes.list[j]->mask == kind->mask) {
                *values = add_values(axes.list[j], runs, *values, &seen, &plain);
            }
        }
    }
    arena_release(&scratch);
    return ready;
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
