/* SPDX-License-Identifier: MIT */
/* Shards: which runs of a plan are one process's, and what its results file says about that. */
#include "cli/folder.h"

#include "engine/engine.h"
#include "engine/shard.h"
#include "run/fields.h"
#include "store/merge.h"

#include <string.h>

/* Word vectors learned within some seconds are learned by every shard that needs them: sparing that
 * is not worth an uneven division. */
#define SECONDS_OF_A_MOMENT 10.0

/* A machine whose logarithm has another last bit comes to the same division. */
static double rounded(double seconds)
{
    return (double)(float)seconds;
}

/* In seconds of the reference machine, as every machine must come to the same division. What a run
 * shares is its word vectors where they take long, else its draw. */
static struct shard_run price(const struct prepared *prepared, size_t run)
{
    struct estimate_price price = estimate_price(prepared->engine, run, lacking_measures(prepared));
    double alone = price.run.own + price.run.projection + price.run.input + price.row;
    if (price.vectors != 0 && price.learning >= SECONDS_OF_A_MOMENT) {
        return (struct shard_run){.cost = rounded(alone + price.run.draw),
                                  .group = price.vectors,
                                  .shared = rounded(price.learning)};
    }
    return (struct shard_run){
        .cost = rounded(alone), .group = price.draw, .shared = rounded(price.run.draw)};
}

/* The places in the plan of the runs of all shards, those of one together, and where each shard's
 * end. */
static uint32_t *sort_runs(const struct prepared *prepared, struct shard_load *loads, size_t *ends,
                           struct arena *arena, struct error *err)
{
    size_t count = prepared->plan.count;
    size_t end = 0;
    uint32_t *sorted = arena_alloc(arena, count, sizeof *sorted, err);
    if (sorted == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        loads[prepared->owners[i]].runs++;
    }
    for (size_t shard = 0; shard < prepared->shard.count; shard++) {
        ends[shard] = end;
        end += loads[shard].runs;
    }
    for (size_t i = 0; i < count; i++) {
        sorted[ends[prepared->owners[i]]++] = (uint32_t)i;
    }
    return sorted;
}

struct shard_load *shards_weigh(const struct prepared *prepared, struct arena *arena,
                                struct error *err)
{
    size_t shards = prepared->shard.count;
    struct arena scratch = {NULL};
    struct shard_load *loads = arena_alloc(arena, shards, sizeof *loads, err);
    size_t *ends = arena_alloc(&scratch, shards, sizeof *ends, err);
    const uint32_t *sorted = NULL;
    if (loads != NULL && ends != NULL) {
        sorted = sort_runs(prepared, loads, ends, &scratch, err);
    }
    bool good = sorted != NULL;
    double kept = kept_bytes(prepared) / (double)prepared->plan.count;
    for (size_t i = 0; good && i < shards; i++) {
        struct engine_estimate estimate;
        size_t runs = loads[i].runs;
        const struct estimate_sweep sweep = {
            sorted + (ends[i] - runs),  runs, runs, kept * (double)runs,
            lacking_measures(prepared), 1};
        good = engine_estimate(prepared->engine, &sweep, &estimate, err);
        if (good) {
            loads[i].seconds = estimate_seconds(&estimate, runs, 1, 1);
            loads[i].memory = estimate.memory;
        }
    }
    arena_release(&scratch);
    return good ? loads : NULL;
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

/* The fact about the matrices to keep; false where the plan keeps none. */
static bool keep_fact(const struct prepared *prepared, struct arena *arena, struct provenance *out,
                      struct error *err)
{
    char hex[HASH_HEX_SIZE];
    unsigned char any = 0;
    for (size_t i = 0; i < prepared->plan.count; i++) {
        any |= prepared->plan.keep[i];
    }
    if (any != 0) {
        merge_keep_digest(prepared->plan.keep, prepared->plan.count, hex);
        *out = (struct provenance){MERGE_KEEP, arena_copy_text(arena, hex, err)};
    }
    return any != 0;
}

/* The facts with those that merging goes by behind them. */
static bool add_facts(const struct prepared *prepared, struct arena *arena, struct result_set *set,
                      struct error *err)
{
    char plan[HASH_HEX_SIZE];
    size_t count = set->provenance_count;
    struct provenance *facts = arena_alloc(arena, count + 4, sizeof *facts, err);
    if (facts == NULL ||
        !merge_plan_digest(set->name, prepared->keys, prepared->plan.count, plan, err)) {
        return false;
    }
    memcpy(facts, set->provenance, count * sizeof *facts);
    facts[count++] = (struct provenance){MERGE_PLAN, arena_copy_text(arena, plan, err)};
    count += keep_fact(prepared, arena, &facts[count], err);
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
                               .lacking = lacking_measures(prepared)};
    return provenance_collect(&prepared->sweep, &prepared->plan, arena, &out->provenance,
                              &out->provenance_count, err) &&
           add_facts(prepared, arena, out, err);
}
