/* SPDX-License-Identifier: MIT */
/* The order of the tasks, and the batches in which workers take them. Tasks are sorted so that runs
 * with the same random draw and input follow each other, which lets a worker's head reuse both; a
 * run's result depends on its own fields only, so order and batches cannot change it. */
#include "engine/pool_internal.h"

#include "engine/estimate.h"

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

static int64_t integer_of(const struct pool *pool, const struct engine_task *task,
                          enum run_field field)
{
    const int64_t *integer = run_list_at(pool->engine->runs, task->run, (size_t)field);
    return *integer;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* What tasks are sorted by: the seed of the draw, then the input, then what changes it; the plan's
 * order settles the rest. The largest come first: a smaller W is a corner of theirs, a smaller
 * gaussian X likewise, and queries and keys of a smaller d_k are their first columns. A collapsed
 * draw takes less time than to look at a wide input, which so comes first unless it has a seed of
 * its own. */
struct rank {
    int64_t leading; /* the input of a collapsed draw, counted from 1 */
    int64_t seed, d_model, tokens, d_k;
    int64_t input; /* its place; below 0 for the kinds of gaussian ones */
    double spread, norm_epsilon;
    size_t run;
    uint32_t task;
    int norm; /* 0: the guard is off */
    bool collapsed;
};

static int compare_reals(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_ranks(const void *a, const void *b)
{
    const struct rank *x = a;
    const struct rank *y = b;
    int order = compare(x->leading, y->leading);
    order = order == 0 ? compare(x->seed, y->seed) : order;
    order = order == 0 ? compare(y->d_model, x->d_model) : order;
    order = order == 0 ? compare(x->input, y->input) : order;
    order = order == 0 ? compare_reals(x->spread, y->spread) : order;
    order = order == 0 ? compare(x->norm, y->norm) : order;
    order = order == 0 ? compare_reals(x->norm_epsilon, y->norm_epsilon) : order;
    order = order == 0 ? compare(y->tokens, x->tokens) : order;
    order = order == 0 ? compare(y->d_k, x->d_k) : order;
    return order == 0 ? compare((int64_t)x->run, (int64_t)y->run) : order;
}

static int choice_of(const struct pool *pool, const struct engine_task *task, enum run_field field)
{
    const int *choice = run_list_at(pool->engine->runs, task->run, (size_t)field);
    return *choice;
}

/* What tells inputs apart beside their size. */
static void find_input(const struct pool *pool, const struct engine_task *task, struct rank *rank)
{
    const struct run_list *runs = pool->engine->runs;
    if (choice_of(pool, task, RUN_SOURCE) != SOURCE_GAUSSIAN) {
        rank->input = engine_input(pool->engine, task->run) - pool->engine->inputs;
        rank->leading = rank->collapsed ? rank->input + 1 : 0;
        return;
    }
    const bool *orthogonal = run_list_at(runs, task->run, RUN_ORTHOGONAL);
    const double *spread = run_list_at(runs, task->run, RUN_INPUT_SPREAD);
    bool placed = choice_of(pool, task, RUN_POSITION) == POSITION_SINUSOIDAL;
    rank->input = -1 - (*orthogonal ? 2 : 0) - (placed ? 1 : 0);
    rank->spread = *spread;
}

static struct rank rank_of(const struct pool *pool, uint32_t place)
{
    const struct engine_task *task = &pool->tasks[place];
    const struct run_list *runs = pool->engine->runs;
    struct rank rank = {.seed = integer_of(pool, task, RUN_SEED),
                        .d_model = integer_of(pool, task, RUN_D_MODEL),
                        .tokens = (int64_t)engine_tokens(pool->engine, task->run),
                        .d_k = integer_of(pool, task, RUN_D_K),
                        .run = task->run,
                        .task = place,
                        .collapsed = choice_of(pool, task, RUN_DRAW) == DRAW_COLLAPSED};
    const bool *guarded = run_list_at(runs, task->run, RUN_GUARD_NORM);
    if (*guarded) {
        const double *epsilon = run_list_at(runs, task->run, RUN_NORM_EPSILON);
        rank.norm = 1 + choice_of(pool, task, RUN_NORM);
        rank.norm_epsilon = *epsilon;
    }
    find_input(pool, task, &rank);
    return rank;
}

/* Whether the W of one task is a corner of that of another, or the same. */
static bool holds_draw(const struct rank *held, const struct rank *rank)
{
    return held->seed == rank->seed && held->d_model >= rank->d_model && held->d_k >= rank->d_k;
}

/* Whether its queries and keys are among those of the other. */
static bool holds_projection(const struct rank *held, const struct rank *rank)
{
    struct rank same = *rank;
    if (!rank->collapsed && held->tokens >= rank->tokens && held->d_k >= rank->d_k) {
        same.tokens = held->tokens;
        same.d_k = held->d_k;
    }
    same.run = held->run;
    return compare_ranks(held, &same) == 0 && held->collapsed == rank->collapsed;
}

struct pool_cost pool_task_cost(const struct pool *pool, size_t place)
{
    struct rank rank = rank_of(pool, pool->order[place]);
    struct run run;
    run_list_get(pool->engine->runs, rank.run, &run);
    /* Who does the first of the large runs did none of the others. */
    bool follows = place > 0 && place != pool->count;
    struct rank before = follows ? rank_of(pool, pool->order[place - 1]) : rank;
    struct pool_cost cost = {.large = place >= pool->count};
    cost.parts = estimate_run_without(&run, engine_tokens(pool->engine, rank.run),
                                      engine_queries(pool->engine, rank.run),
                                      pool_task(pool, place)->lacking);
    if (!follows) {
        cost.parts.own +=
            ESTIMATE_A_FRESH_BYTE * estimate_buffers(&run, engine_tokens(pool->engine, rank.run),
                                                     engine_queries(pool->engine, rank.run));
    }
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
