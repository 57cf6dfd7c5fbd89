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

/* seen.c: takes every run away that equals one before it, whatever was given or defaulted, and its
 * byte of `keep`, which may be NULL. */
bool seen_thin(struct run_list *list, unsigned char *keep, struct error *err) MUST_CHECK;

/* plan_axes.c: the axes as `rowmax plan` shows them, one for all grids that have it, with the
 * number of distinct values. */
bool axes_list(const struct sweep_internal *internal, struct arena *arena, struct plan *out,
               struct error *err) MUST_CHECK;

#endif
