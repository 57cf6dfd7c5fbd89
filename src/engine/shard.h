/* SPDX-License-Identifier: MIT */
/* Which shard does which run. It follows from the costs alone, so every machine that reads the plan
 * comes to the same division. */
#ifndef ENGINE_SHARD_H
#define ENGINE_SHARD_H

#include "base/arena.h"

#include <stdint.h>

#define SHARD_LIMIT 1000000

/* What a run costs by itself, and what it shares with the runs of its group: each shard that has a
 * run of the group pays `shared` once. Costs are not negative; group 0 shares nothing. */
struct shard_run {
    double cost;
    uint64_t group;
    double shared; /* the same for all runs of a group */
};

/* Puts the shard (0 to shards - 1) of each of `count` runs into `owners`. Longest processing time
 * first: the dearest run not yet given goes to the shard with the least cost so far; among equal
 * costs the earlier run, among equal shards the lower one. Where runs share nothing the largest
 * shard costs at most 4/3 of the best division (Graham 1969). Where they do, groups are dealt out
 * whole in the same way, too, and of the two divisions that whose largest shard costs less is
 * taken. */
bool shard_divide(const struct shard_run *runs, size_t count, size_t shards, uint32_t *owners,
                  struct error *err) MUST_CHECK;

#endif
