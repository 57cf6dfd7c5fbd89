/* SPDX-License-Identifier: MIT */
/* What each task takes of the whole, so that the time left is told by the work done and not by the
 * number of runs; see estimate.h. */
#include "engine/estimate.h"

#include "engine/engine_internal.h"

/* How many tasks have a name. */
struct sharers {
    uint64_t *names;
    uint32_t *counts; /* 0: no name */
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
    sharers->names = arena_alloc(arena, slots, sizeof *sharers->names, err);
    sharers->counts = arena_alloc(arena, slots, sizeof *sharers->counts, err);
    return sharers->names != NULL && sharers->counts != NULL;
}

/* The number of tasks of that name so far, to be added to. */
static uint32_t *sharers_of(struct sharers *sharers, uint64_t name)
{
    size_t slot = (size_t)(name >> 16) & sharers->mask;
    while (sharers->counts[slot] != 0 && sharers->names[slot] != name) {
        slot = (slot + 1) & sharers->mask;
    }
    sharers->names[slot] = name;
    return &sharers->counts[slot];
}

/* Draws and projections apart, though their names may be equal. */
struct sharing {
    struct sharers draws, projections;
};

static void count_run(const struct engine *engine, size_t place, struct sharing *sharing)
{
    struct run run;
    run_list_get(engine->runs, place, &run);
    ++*sharers_of(&sharing->draws, estimate_draw_name(&run));
    ++*sharers_of(&sharing->projections, estimate_projection_name(engine, &run, place));
}

static double cost_of(const struct engine *engine, size_t place, struct sharing *sharing)
{
    struct run run;
    run_list_get(engine->runs, place, &run);
    struct estimate_run cost =
        estimate_run(&run, engine_tokens(engine, place), engine_queries(engine, place));
    double draws = (double)*sharers_of(&sharing->draws, estimate_draw_name(&run));
    double projections =
        (double)*sharers_of(&sharing->projections, estimate_projection_name(engine, &run, place));
    return cost.own + cost.draw / draws + cost.projection / projections;
}

bool engine_costs(const struct engine *engine, const struct engine_task *tasks, size_t count,
                  float *costs, struct error *err)
{
    struct arena arena = {NULL};
    struct sharing sharing;
    bool good = sharers_prepare(&sharing.draws, count, &arena, err) &&
                sharers_prepare(&sharing.projections, count, &arena, err);
    for (size_t i = 0; good && i < count; i++) {
        count_run(engine, tasks[i].run, &sharing);
    }
    for (size_t i = 0; good && i < count; i++) {
        costs[tasks[i].run] = (float)cost_of(engine, tasks[i].run, &sharing);
    }
    arena_release(&arena);
    return good;
}
