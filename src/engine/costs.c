/* SPDX-License-Identifier: MIT */
/* What each task takes of the whole, so that the time left is told by the work done and not by the
 * number of runs; see estimate.h. */
#include "engine/estimate.h"

#include "engine/engine_internal.h"

#include <math.h>

/* The tasks of a name: how many, and what the dearest of them pays for all. */
struct sharer {
    uint64_t name;
    uint32_t count; /* 0: a free place */
    float dearest;
};

struct sharers {
    struct sharer *list;
    size_t mask;
};

static bool sharers_prepare(struct sharers *sharers, size_t count, struct arena *arena,
                            struct error *err)
{
    size_t slots = 16;
    while (slots < 2 * count) {
        slots *= 2;
    }
    sharers->mask = slots - 1;
    sharers->list = arena_alloc(arena, slots, sizeof *sharers->list, err);
    return sharers->list != NULL;
}

static struct sharer *sharers_of(const struct sharers *sharers, uint64_t name)
{
    size_t slot = (size_t)(name >> 16) & sharers->mask;
    while (sharers->list[slot].count != 0 && sharers->list[slot].name != name) {
        slot = (slot + 1) & sharers->mask;
    }
    return &sharers->list[slot];
}

static void share(const struct sharers *sharers, uint64_t name, double cost)
{
    struct sharer *sharer = sharers_of(sharers, name);
    sharer->name = name;
    sharer->count++;
    sharer->dearest = fmaxf(sharer->dearest, (float)cost);
}

static double part_of(const struct sharers *sharers, uint64_t name)
{
    const struct sharer *sharer = sharers_of(sharers, name);
    return (double)sharer->dearest / (double)sharer->count;
}

/* A run and what it shares: of one seed the smaller W are corners of the largest, and projections
 * of fewer columns, or of fewer gaussian tokens, are parts of others. */
struct shared_run {
    struct estimate_run cost;
    uint64_t draw, projection;
};

static struct shared_run look(const struct engine *engine, size_t place)
{
    struct run run;
    run_list_get(engine->runs, place, &run);
    struct shared_run shared = {
        .cost = estimate_run(&run, engine_tokens(engine, place), engine_queries(engine, place))};
    if (run.draw != DRAW_COLLAPSED) {
        run.d_k = 0;
        shared.projection = run.source == SOURCE_GAUSSIAN
                                ? estimate_draw_name(&run) ^ (uint64_t)run.guard_norm
                                : estimate_projection_name(engine, &run, place);
        run.d_model = 0;
        shared.draw = estimate_draw_name(&run);
    } else {
        shared.projection = estimate_projection_name(engine, &run, place);
        shared.draw = estimate_draw_name(&run);
    }
    return shared;
}

bool engine_costs(const struct engine *engine, const struct engine_task *tasks, size_t count,
                  float *costs, struct error *err)
{
    struct arena arena = {NULL};
    struct sharers draws;
    struct sharers projections;
    bool good = sharers_prepare(&draws, count, &arena, err) &&
                sharers_prepare(&projections, count, &arena, err);
    for (size_t i = 0; good && i < count; i++) {
        struct shared_run run = look(engine, tasks[i].run);
        share(&draws, run.draw, run.cost.draw);
        share(&projections, run.projection, run.cost.projection);
    }
    for (size_t i = 0; good && i < count; i++) {
        struct shared_run run = look(engine, tasks[i].run);
        costs[tasks[i].run] = (float)(run.cost.own + part_of(&draws, run.draw) +
                                      part_of(&projections, run.projection));
    }
    arena_release(&arena);
    return good;
}
