/* SPDX-License-Identifier: MIT */
/* Runs on drawn tokens with all guards, and what they cost. */
#ifndef GAUSSIAN_RUNS_H
#define GAUSSIAN_RUNS_H

#include "engine/estimate.h"

static inline struct run gaussian(int64_t tokens, int64_t d_model, int64_t d_k, int64_t seed)
{
    struct run run = run_default();
    run.source = SOURCE_GAUSSIAN;
    run.tokens = tokens;
    run.d_model = d_model;
    run.d_k = d_k;
    run.seed = seed;
    run.position = POSITION_NONE;
    run.guard_init = run.guard_scale = run.guard_norm = true;
    run_normalise(&run);
    return run;
}

/* With all measures. */
static inline struct estimate_run price_of(const struct run *run, size_t tokens, size_t queries)
{
    return estimate_run_without(run, tokens, queries, 0);
}

static inline struct estimate_run price(struct run run)
{
    return price_of(&run, (size_t)run.tokens, (size_t)run.tokens);
}

#endif
