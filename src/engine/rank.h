/* SPDX-License-Identifier: MIT */
/* What runs are sorted by so that those which share something follow each other, and which of them
 * share an input. */
#ifndef ENGINE_RANK_H
#define ENGINE_RANK_H

#include "engine/engine_internal.h"

/* What runs are sorted by: the seed of the draw, then the input, then what changes it; the plan's
 * order settles the rest. The largest come first: a smaller W is a corner of theirs, a smaller
 * gaussian X likewise, and queries and keys of a smaller d_k are their first columns. A collapsed
 * draw takes less time than to look at a wide input, which so comes first unless it has a seed of
 * its own. */
struct rank {
    int64_t leading; /* the input of a collapsed draw, counted from 1 */
    int64_t seed, d_model, tokens, d_k;
    int64_t input; /* its place; below 0 for the kinds of gaussian ones */
    double spread, norm_epsilon;
    size_t run;
    uint32_t task; /* the pool's */
    int norm;      /* 0: the guard is off */
    bool collapsed;
};

struct rank rank_of(const struct engine *engine, size_t run);

/* For qsort. */
int rank_compare(const void *a, const void *b);

/* Whether two runs of the same kind of draw have one X, and one guard of it. */
bool rank_same_input(const struct rank *a, const struct rank *b);
bool rank_same_guard(const struct rank *a, const struct rank *b);

#endif
