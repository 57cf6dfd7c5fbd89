/* SPDX-License-Identifier: MIT */
/* Shards: which runs of a plan are one process's, and what its results file says about that. */
#include "cli/folder.h"

#include "engine/engine.h"
#include "engine/shard.h"
#include "run/fields.h"
#include "store/merge.h"

#include <string.h>

/* What a run costs beside its arithmetic, in floating-point operations. */
#define OPERATIONS_BESIDE 1e5
/* What one thread does of these, roughly. */
#define OPERATIONS_A_SECOND 3e9
/* Word vectors learned within some ten seconds are learned by every shard that needs them: sparing
 * that is not worth an uneven division. */
#define OPERATIONS_OF_A_MOMENT 3e10

static struct shard_run price(const struct prepared *prepared, size_t run)
{
    struct run values;
    run_list_get(&prepared->plan.runs, run, &values);
    struct shard_run priced = {.cost = OPERATIONS_BESIDE +
                                       engine_cost(&values, engine_tokens(prepared->engine, run))};
    priced.shared = engine_learning_cost(prepared->engine, run, &priced.group);
    if (priced.shared < OPERATIONS_OF_A_MOMENT) {
        priced.group = 0;
        priced.shared = 0;
    }
    return priced;
}

bool shards_weigh(const struct prepared *prepared, double *seconds, size_t *runs,
                  struct arena *arena, struct error *err)
{
    size_t shards = prepared->shard.count;
    uint64_t *learned = arena_alloc(arena, shards, sizeof *learned, err);
    if (learned == NULL) {
        return false;
    }
    for (size_t i = 0; i < prepared->plan.count; i++) {
        uint32_t owner = prepared->owners[i];
        struct shard_run priced = price(prepared, i);
        /* Runs of one word vectors stand together in most plans; where not, this is an excess. */
        bool paid = learned[owner] == priced.group;
        learned[owner] = priced.group;
        seconds[owner] += (priced.cost + (paid ? 0 : priced.shared)) / OPERATIONS_A_SECOND;
        runs[owner]++;
    }
    return true;
}

/* The division that a planned folder states. */
static void adopt_division(struct prepared *prepared, const uint32_t *owners)
{
    prepared->owners = owners;
    prepared->own = 0;
    for (size_t i = 0; i < prepared->plan.count; i++) {
        prepared->own += prepared_owns(prepared, i);
    }
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
    if (prepared->folder != NULL) {
        adopt_division(prepared, prepared->folder->owners);
        return true;
    }
    struct shard_run *runs = arena_alloc(arena, count, sizeof *runs, err);
    uint32_t *owners = arena_alloc(arena, count, sizeof *owners, err);
    for (size_t i = 0; runs != NULL && i < count; i++) {
        runs[i] = price(prepared, i);
    }
    if (runs == NULL || owners == NULL || !shard_divide(runs, count, shard.count, owners, err)) {
        return false;
    }
    adopt_division(prepared, owners);
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
                               .planned = (int64_t)prepared->plan.count,
                               .lacking = measurement_fields_all() & ~prepared->sweep.measures};
    return provenance_collect(&prepared->sweep, arena, &out->provenance, &out->provenance_count,
                              err) &&
           add_facts(prepared, arena, out, err);
}
