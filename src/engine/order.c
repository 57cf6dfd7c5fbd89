/* SPDX-License-Identifier: MIT */
/* The order of the tasks, and the batches in which workers take them. Tasks are sorted so that runs
 * with the same random draw and input follow each other, which lets a worker's head reuse both; a
 * run's result depends on its own fields only, so order and batches cannot change it. */
#include "engine/pool_internal.h"

#include "engine/estimate.h"

#include <stdlib.h>
#include <string.h>

/* Tasks that a worker takes at once: of one draw, or of several as far as they are small. */
#define BATCH_LIMIT 32

const struct engine_task *pool_task(const struct pool *pool, size_t place)
{
    return &pool->tasks[pool->order[place]];
}

static int64_t integer_of(const struct pool *pool, const struct engine_task *task,
                          enum run_field field)
{
    const int64_t *integer = run_list_at(pool->engine->runs, task->run, (size_t)field);
    return *integer;
}

static bool same_draw(const struct pool *pool, const struct engine_task *a,
                      const struct engine_task *b)
{
    return integer_of(pool, a, RUN_SEED) == integer_of(pool, b, RUN_SEED) &&
           integer_of(pool, a, RUN_D_MODEL) == integer_of(pool, b, RUN_D_MODEL) &&
           integer_of(pool, a, RUN_D_K) == integer_of(pool, b, RUN_D_K);
}

double pool_task_seconds(const struct pool *pool, size_t place)
{
    const struct engine_task *task = pool_task(pool, place);
    struct run run;
    run_list_get(pool->engine->runs, task->run, &run);
    struct estimate_run cost = estimate_run(&run, engine_tokens(pool->engine, task->run),
                                            engine_queries(pool->engine, task->run));
    bool drawn = place > 0 && same_draw(pool, pool_task(pool, place - 1), task);
    return cost.own + cost.projection + (drawn ? 0 : cost.draw);
}

size_t pool_take_batch(struct pool *pool, size_t *first)
{
    pthread_mutex_lock(&pool->lock);
    size_t count = 0;
    double seconds = 0;
    *first = pool->next;
    while (!pool->ended && pool->next < pool->count && count < BATCH_LIMIT) {
        const struct engine_task *task = pool_task(pool, pool->next);
        if (count > 0 && seconds > SMALL_SECONDS &&
            !same_draw(pool, pool_task(pool, *first), task)) {
            break;
        }
        seconds += pool_task_seconds(pool, pool->next);
        pool->next++;
        count++;
    }
    pthread_mutex_unlock(&pool->lock);
    return count;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* What tasks are sorted by: draw first, then input, then the guard that changes it; the plan's
 * order settles the rest. A collapsed draw takes less time than to look at a wide input, which
 * so comes first. */
struct rank {
    int64_t leading; /* the input of a collapsed draw, counted from 1 */
    int64_t seed, d_model, d_k;
    const char *corpus;
    size_t run;
    uint32_t task;
    bool guarded;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct rank *x = a;
    const struct rank *y = b;
    int order = compare(x->leading, y->leading);
    order = order == 0 ? compare(x->seed, y->seed) : order;
    order = order == 0 ? compare(x->d_model, y->d_model) : order;
    order = order == 0 ? compare(x->d_k, y->d_k) : order;
    order = order == 0 && x->corpus != y->corpus ? strcmp(x->corpus, y->corpus) : order;
    order = order == 0 ? compare(x->guarded, y->guarded) : order;
    return order == 0 ? compare((int64_t)x->run, (int64_t)y->run) : order;
}

static struct rank rank_of(const struct pool *pool, uint32_t place)
{
    const struct engine_task *task = &pool->tasks[place];
    const struct run_list *runs = pool->engine->runs;
    const char *const *digest = run_list_at(runs, task->run, run_list_digest(RUN_CORPUS));
    const bool *guarded = run_list_at(runs, task->run, RUN_GUARD_NORM);
    const int *draw = run_list_at(runs, task->run, RUN_DRAW);
    int64_t input = engine_input(pool->engine, task->run) - pool->engine->inputs;
    return (struct rank){.leading = *draw == DRAW_COLLAPSED ? input + 1 : 0,
                         .seed = integer_of(pool, task, RUN_SEED),
                         .d_model = integer_of(pool, task, RUN_D_MODEL),
                         .d_k = integer_of(pool, task, RUN_D_K),
                         .corpus = *digest == NULL ? "" : *digest,
                         .run = task->run,
                         .task = place,
                         .guarded = *guarded};
}

/* Sorts the tasks for sharing, unless the plan has done so already. */
bool pool_sort(struct pool *pool, uint32_t *order, struct error *err)
{
    struct arena scratch = {NULL};
    struct rank last = {0};
    bool sorted = true;
    pool->order = order;
    for (uint32_t i = 0; i < pool->count && sorted; i++) {
        struct rank rank = rank_of(pool, i);
        sorted = i == 0 || compare_ranks(&last, &rank) <= 0;
        last = rank;
    }
    struct rank *ranks = sorted ? NULL : arena_alloc(&scratch, pool->count, sizeof *ranks, err);
    for (uint32_t i = 0; ranks != NULL && i < pool->count; i++) {
        ranks[i] = rank_of(pool, i);
    }
    if (ranks != NULL) {
        qsort(ranks, pool->count, sizeof *ranks, compare_ranks);
    }
    for (uint32_t i = 0; i < pool->count; i++) {
        order[i] = ranks == NULL ? i : ranks[i].task;
    }
    arena_release(&scratch);
    return sorted || err->code == ERROR_NONE;
}
