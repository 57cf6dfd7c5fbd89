/* SPDX-License-Identifier: MIT */
/* Which runs are large: all threads together do one after the other of these, each in parts, so
 * that few runs keep all processors at work, in the memory of one. */
#include "engine/estimate.h"
#include "engine/pool_internal.h"

#include <string.h>

static bool is_large(const struct pool *pool, const struct engine_task *task)
{
    struct run run;
    run_list_get(pool->engine->runs, task->run, &run);
    struct estimate_run cost =
        estimate_run_without(&run, engine_tokens(pool->engine, task->run),
                             engine_queries(pool->engine, task->run), task->lacking);
    double least = pool->options->large_seconds;
    return estimate_is_large(&cost, engine_queries(pool->engine, task->run),
                             least > 0 ? least : ESTIMATE_LARGE);
}

size_t pool_split(const struct pool *pool, uint32_t *order, struct error *err)
{
    if (pool->options->threads == 1 || pool->options->measure != NULL) {
        return pool->count;
    }
    struct arena scratch = {NULL};
    uint32_t *large = arena_alloc(&scratch, pool->count, sizeof *large, err);
    size_t small_count = 0;
    size_t large_count = 0;
    for (size_t i = 0; large != NULL && i < pool->count; i++) {
        if (is_large(pool, &pool->tasks[order[i]])) {
            large[large_count++] = order[i];
        } else {
            order[small_count++] = order[i];
        }
    }
    if (large_count > 0) {
        memcpy(order + small_count, large, large_count * sizeof *order);
    }
    arena_release(&scratch);
    return small_count;
}
