/* SPDX-License-Identifier: MIT */
/* What plan and run share: a sweep, its plan, its inputs, and where results go. */
#include "cli/cli_internal.h"

#include "engine/engine.h"
#include "run/fields.h"

#include <string.h>

int cli_compare_keys(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;
    return (*x > *y) - (*x < *y);
}

static bool copy_runs(const struct plan *plan, struct arena *arena, struct run **out,
                      struct error *err)
{
    *out = arena_alloc(arena, plan->count, sizeof **out, err);
    if (*out == NULL) {
        return false;
    }
    memcpy(*out, plan->runs, plan->count * sizeof **out);
    return true;
}

bool prepare(const struct options *options, struct arena *arena, struct prepared *out,
             struct error *err)
{
    memset(out, 0, sizeof *out);
    if (!sweep_read(options->operands[0], options->sets, options->set_count, arena, &out->sweep,
                    err) ||
        !plan_make(&out->sweep, options->max_runs, arena, &out->plan, err) ||
        !copy_runs(&out->plan, arena, &out->runs, err)) {
        return false;
    }
    out->engine = engine_open(out->runs, out->plan.count, out->sweep.folder, arena, err);
    out->keys = arena_alloc(arena, out->plan.count, sizeof *out->keys, err);
    out->output = options->output;
    if (out->output == NULL) {
        out->output = arena_format(arena, err, "results/%s.h5", out->sweep.name);
    }
    if (out->engine == NULL || out->keys == NULL || out->output == NULL) {
        return false;
    }
    for (size_t i = 0; i < out->plan.count; i++) {
        out->keys[i] = run_key(&out->runs[i]);
    }
    return true;
}
