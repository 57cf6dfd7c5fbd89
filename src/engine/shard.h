/* SPDX-License-Identifier: MIT */
/* Which shard does which run. It follows from the costs alone, so every machine that reads the plan
 * comes to the same division. */
#ifndef ENGINE_SHARD_H
#define ENGINE_SHARD_H

#include "base/arena.h"

#include <stdint.h>

#define SHARD_LIMIT 1000000

/* Puts the shard (0 to shards - 1) of each of `count` runs into `owners`. Longest processing time
 * first: the dearest run not yet given goes to the shard with the least cost so far; among equal
 * costs the earlier run, among equal shards the lower one. The largest shard then costs at most 4/3
 * of the best division (Graham 1969). Costs are not negative. Word vectors are no part of them:
 * each shard learns those that its runs need. */
bool shard_divide(const double *costs, size_t count, size_t shards, uint32_t *owners,
                  struct error *err) MUST_CHECK;

#endif
