/* SPDX-License-Identifier: MIT */
/* What looking at inputs takes that are no run's own; see estimate.h. */
#ifndef ENGINE_ESTIMATE_INPUTS_H
#define ENGINE_ESTIMATE_INPUTS_H

#include "engine/rank.h"

/* What each run would pay for its own. */
struct estimate_look {
    struct rank rank;
    double cost;
};

struct estimate_inputs {
    struct estimate_look *looks;
    size_t count;
    bool sorted;
};

bool estimate_inputs_prepare(struct estimate_inputs *inputs, size_t most, struct arena *arena,
                             struct error *err) MUST_CHECK;

/* Room for it was prepared. */
void estimate_inputs_add(struct estimate_inputs *inputs, const struct engine *engine, size_t run,
                         double cost);

/* What all pay in the order of the pool, where each head keeps an input while it can. */
double estimate_inputs_sum(struct estimate_inputs *inputs);

#endif
