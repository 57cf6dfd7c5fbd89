/* SPDX-License-Identifier: MIT */
/* What plan and run share: a sweep, its plan, its inputs, and where results go. */
#include "cli/cli_internal.h"

#include "engine/engine.h"
#include "run/fields.h"
#include "store/store.h"

#include <math.h>
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

/* What the kept matrices of a plan take on disk before compression. */
double kept_bytes(const struct prepared *prepared)
{
    double rows = 0;
    double side = 0;
    unsigned matrices = 0;
    for (size_t i = 0; i < prepared->plan.count; i++) {
        unsigned keep = prepared->plan.keep[i];
        if (keep != 0) {
            rows++;
            matrices |= keep;
            side = fmax(side, (double)engine_tokens(prepared->engine, &prepared->runs[i]));
        }
    }
    double each = ((matrices & PLAN_KEEP_SCORES) != 0 ? 1 : 0) +
                  ((matrices & PLAN_KEEP_WEIGHTS) != 0 ? 1 : 0);
    return rows * each * side * side * (double)sizeof(double);
}

/* Refused now, not when a night's runs are to be saved. */
static bool check_kept(const struct prepared *prepared, struct error *err)
{
    double bytes = kept_bytes(prepared);
    char size[40];
    char limit[40];
    return bytes <= STORE_KEPT_MAX ||
           error_set(
               err, ERROR_INPUT,
               "the matrices to keep take %s, the limit is %s; keep those of fewer runs, such "
               "as keep: {matrices: [weights], where: {seed: 1}}",
               cli_bytes(bytes, size), cli_bytes(STORE_KEPT_MAX, limit));
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
    return check_kept(out, err);
}
