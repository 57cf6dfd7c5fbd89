/* SPDX-License-Identifier: MIT */
/* Shards: which runs of a plan are one process's, and what its results file says about that. */
#include "cli/cli_internal.h"

#include "engine/engine.h"
#include "engine/shard.h"
#include "store/merge.h"

#include <string.h>

/* What a run costs beside its arithmetic, in floating-point operations. */
#define OPERATIONS_BESIDE 1e5
/* Word vectors learned within some ten seconds are learned by every shard that needs them: sparing
 * that is not worth an uneven division. */
#define OPERATIONS_OF_A_MOMENT 3e10

static struct shard_run price(const struct prepared *prepared, const struct run *run)
{
    struct shard_run priced = {.cost = OPERATIONS_BESIDE +
                                       engine_cost(run, engine_tokens(prepared->engine, run))};
    priced.shared = engine_learning_cost(prepared->engine, run, &priced.group);
    if (priced.shared < OPERATIONS_OF_A_MOMENT) {
        priced.group = 0;
        priced.shared = 0;
    }
    return priced;
}

bool shards_divide(struct prepared *prepared, struct shard shard, struct arena *arena,
                   struct error *err)
{
    size_t count = prepared->plan.count;
    prepared->shard = shard;
    prepared->own = count;
    if (shard.count == 0) {
        return true;
    }
    struct shard_run *runs = arena_alloc(arena, count, sizeof *runs, err);
    uint32_t *owners = arena_alloc(arena, count, sizeof *owners, err);
    for (size_t i = 0; runs != NULL && i < count; i++) {
        runs[i] = price(prepared, &prepared->plan.runs[i]);
    }
    if (runs == NULL || owners == NULL || !shard_divide(runs, count, shard.count, owners, err)) {
        return false;
    }
    prepared->owners = owners;
    prepared->own = 0;
    for (size_t i = 0; i < count; i++) {
        prepared->own += prepared_owns(prepared, i);
    }
    return true;
}

/* The facts with those that merging goes by behind them. */
static bool add_facts(const struct prepared *prepared, struct arena *arena, struct result_set *set,
                      struct error *err)
{
    char plan[HASH_HEX_SIZE];
    size_t count = set->provenance_count;
    struct provenance *facts = arena_alloc(arena, count + 3, sizeof *facts, err);
    if (facts == NULL ||
        !merge_plan_digest(set->name, prepared->keys, prepared->plan.count, plan, err)) {
        return false;
    }
    memcpy(facts, set->provenance, count * sizeof *facts);
    facts[count++] = (struct provenance){MERGE_PLAN, arena_copy_text(arena, plan, err)};
    if (prepared->shard.count > 0) {
        facts[count++] = (struct provenance){
            MERGE_SHARD,
            arena_format(arena, err, "%zu/%zu", prepared->shard.index, prepared->shard.count)};
        facts[count++] =
            (struct provenance){MERGE_SHARD_RUNS, arena_format(arena, err, "%zu", prepared->own)};
    }
    set->provenance = facts;
    set->provenance_count = count;
    return err->code == ERROR_NONE;
}

bool describe_sweep(const struct prepared *prepared, struct arena *arena, struct result_set *out,
                    struct error *err)
{
    *out = (struct result_set){.name = prepared->sweep.name,
                               .title = prepared->sweep.title,
                               .sweep_text = prepared->sweep.text,
                               .planned = (int64_t)prepared->plan.count};
    return provenance_collect(&prepared->sweep, arena, &out->provenance, &out->provenance_count,
                              err) &&
           add_facts(prepared, arena, out, err);
}
