/* SPDX-License-Identifier: MIT */
/* The order of the tasks, and the batches in which workers take them. Tasks are sorted so that runs
 * with the same random draw and input follow each other, which lets a worker's head reuse both; a
 * run's result depends on its own fields only, so order and batches cannot change it. */
#include "engine/pool_internal.h"

#include "engine/estimate.h"
#include "engine/rank.h"

#include <stdlib.h>
#include <string.h>

/* Tasks of different draws that a worker takes at once. */
#define BATCH_LIMIT 32
/* While batches of one draw are long, so many are left for each worker. */
#define BATCHES_A_WORKER 4
/* What a worker has to do may be so many times what sharing saves. */
#define WORTH_SHARING 20

const struct engine_task *pool_task(const struct pool *pool, size_t place)
{
    return &pool->tasks[pool->order[place]];
}

static struct rank rank_of_task(const struct pool *pool, uint32_t task)
{
    struct rank rank = rank_of(pool->engine, pool->tasks[task].run);
    rank.task = task;
    return rank;
}

static struct rank rank_at(const struct pool *pool, size_t place)
{
    return rank_of_task(pool, pool->order[place]);
}

/* Whether the W of one task is a corner of that of another, or the same. */
static bool holds_draw(const struct rank *held, const struct rank *rank)
{
    return held->seed == rank->seed && held->d_model >= rank->d_model && held->d_k >= rank->d_k;
}

/* Whether both have the same queries and keys before their guards. */
static bool same_projection(const struct rank *held, struct rank rank)
{
    rank.run = held->run;
    return rank_compare(held, &rank) == 0 && held->collapsed == rank.collapsed;
}

/* Whether its queries and keys are among those of the other. */
static bool holds_projection(const struct rank *held, const struct rank *rank)
{
    struct rank same = *rank;
    if (!rank->collapsed && held->tokens >= rank->tokens && held->d_k >= rank->d_k) {
        same.tokens = held->tokens;
        same.d_k = held->d_k;
    }
    return same_projection(held, same);
}

bool pool_shares_products(const struct pool *pool, size_t place)
{
    if (place + 1 >= pool->count) {
        return false;
    }
    const struct rank rank = rank_at(pool, place);
    return same_projection(&rank, rank_at(pool, place + 1));
}

/* Whether the head of a worker that did all tasks from `first` on, of which the last is `before`,
 * has the input of the one at `place` behind its guard. It keeps one input with the guard off and
 * one with it on; each run takes a look at what its guard is given, as if that were off. */
static bool holds_input(const struct pool *pool, size_t first, size_t place, struct rank before,
                        const struct rank *rank)
{
    for (size_t i = place; i > first; i--) {
        before = i == place ? before : rank_at(pool, i - 1);
        bool same = rank_same_input(&before, rank);
        if ((before.norm == 0) == (rank->norm == 0)) {
            return same && rank_same_guard(&before, rank);
        }
        if (rank->norm == 0 && !same) {
            return false;
        }
    }
    return false;
}

struct pool_cost pool_task_cost(const struct pool *pool, size_t place)
{
    struct rank rank = rank_at(pool, place);
    struct run run;
    run_list_get(pool->engine->runs, rank.run, &run);
    /* Who does the first of the large runs did none of the others. */
    bool follows = place > 0 && place != pool->count;
    struct rank before = follows ? rank_at(pool, place - 1) : rank;
    struct pool_cost cost = {.large = place >= pool->count};
    cost.parts = estimate_run_without(&run, engine_tokens(pool->engine, rank.run),
                                      engine_queries(pool->engine, rank.run),
                                      pool_task(pool, place)->lacking);
    if (!follows) {
        cost.parts.input +=
            ESTIMATE_A_FRESH_BYTE * estimate_buffers(&run, engine_tokens(pool->engine, rank.run),
                                                     engine_queries(pool->engine, rank.run));
    }
    cost.guarded = follows && holds_input(pool, cost.large ? pool->count : 0, place, before, &rank);
    cost.everywhere =
        cost.guarded && rank.input >= 0 && (rank.collapsed || pool->engine->input_count == 1);
    cost.projected = follows && holds_projection(&before, &rank);
    /* Collapsed draws are not kept beside what was made of them. */
    cost.drawn = cost.projected || (follows && !rank.collapsed && holds_draw(&before, &rank));
    return cost;
}

/* Whether the next task goes to the worker of a batch of `count`, which has `seconds` to do: while
 * all is small; where another worker would take twice as long; and while another would have a good
 * part of the batch to do again before it could begin. As the list ends these become short, so that
 * no worker waits for another. */
static bool joins(const struct pool *pool, size_t count, double seconds,
                  const struct pool_cost *cost)
{
    if (seconds <= SMALL_SECONDS && count < BATCH_LIMIT) {
        return true;
    }
    size_t left = pool->count - pool->next;
    double here = pool_cost_seconds(cost, false);
    double anew = pool_cost_seconds(cost, true);
    return anew > 2 * here || (seconds < WORTH_SHARING * (anew - here) &&
                               count < left / (BATCHES_A_WORKER * pool->options->threads));
}

size_t pool_take_batch(struct pool *pool, size_t *first)
{
    pthread_mutex_lock(&pool->lock);
    size_t count = 0;
    double seconds = 0;
    *first = pool->next;
    while (!pool->ended && pool->next < pool->count) {
        struct pool_cost cost = pool_task_cost(pool, pool->next);
        if (count > 0 && !joins(pool, count, seconds, &cost)) {
            break;
        }
        seconds += pool_cost_seconds(&cost, count == 0);
        pool->seconds[pool->next] = (float)pool_cost_seconds(&cost, false);
        pool->next++;
        count++;
    }
    pthread_mutex_unlock(&pool->lock);
    return count;
}

/* Sorts the tasks for sharing, unless the plan has done so already. */
bool pool_sort(struct pool *pool, uint32_t *order, struct error *err)
{
    struct arena scratch = {NULL};
    struct rank last = {0};
    bool sorted = true;
    pool->order = order;
    for (uint32_t i = 0; i < pool->count && sorted; i++) {
        struct rank rank = rank_of_task(pool, i);
        sorted = i == 0 || rank_compare(&last, &rank) <= 0;
        last = rank;
    }
    struct rank *ranks = sorted ? NULL : arena_alloc(&scratch, pool->count, sizeof *ranks, err);
    for (uint32_t i = 0; ranks != NULL && i < pool->count; i++) {
        ranks[i] = rank_of_task(pool, i);
    }
    if (ranks != NULL) {
        qsort(ranks, pool->count, sizeof *ranks, rank_compare);
    }
    for (uint32_t i = 0; i < pool->count; i++) {
        order[i] = ranks == NULL ? i : ranks[i].task;
    }
    bool good = sorted || ranks != NULL;
    arena_release(&scratch);
    return good;
}
