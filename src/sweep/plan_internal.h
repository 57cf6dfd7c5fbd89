/* SPDX-License-Identifier: MIT */
/* Private to sweep/: what the plan, its list of axes and its table of runs share. */
#ifndef SWEEP_PLAN_INTERNAL_H
#define SWEEP_PLAN_INTERNAL_H

#include "sweep/sweep_internal.h"

/* The axes of one block in order. Fields are set once, so there are never more than fields. */
struct axes {
    const struct setting *list[RUN_FIELD_COUNT];
    size_t count;
};

/* plan.c */
struct axes axes_of_block(const struct sweep_internal *internal, size_t block);

/* seen.c: runs by their values; open addressing, a slot holds a position + 1. */
struct seen {
    uint32_t *slots;
    size_t mask;
};

bool seen_prepare(struct seen *seen, size_t most, struct arena *arena,
                  struct error *err) MUST_CHECK;

/* Whether runs[count], not yet part of the list, equals one before it; if not it is remembered. */
bool seen_before(struct seen *seen, const struct run *runs, size_t count);

/* plan_axes.c: the axes as `rowmax plan` shows them, one for all grids that have it, with the
 * number of distinct values. */
bool axes_list(const struct sweep_internal *internal, struct arena *arena, struct plan *out,
               struct error *err) MUST_CHECK;

#endif
