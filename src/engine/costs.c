/* SPDX-License-Identifier: MIT */
/* What each task takes of the whole, by kind, so that the time left is told by the work done and
 * not by the number of runs; see estimate.h. */
#include "engine/estimate.h"
#include "engine/pool_internal.h"

static bool looks_at_input(const struct pool_cost *cost, bool anew)
{
    return anew ? !cost->everywhere : !cost->guarded;
}

double pool_cost_seconds(const struct pool_cost *cost, bool anew)
{
    const struct estimate_run *parts = &cost->parts;
    return parts->own + (anew || !cost->drawn ? parts->draw : 0) +
           (anew || !cost->projected ? parts->projection : 0) +
           (looks_at_input(cost, anew) ? parts->input : 0);
}

struct engine_work pool_cost_rows(const struct pool_cost *cost)
{
    const struct estimate_run *parts = &cost->parts;
    struct engine_work work = {{0}};
    work.kind[WORK_RUNS] = ESTIMATE_A_RUN + ESTIMATE_A_RECORD;
    work.kind[WORK_SLOPES] = parts->slopes;
    work.kind[WORK_PRODUCTS] = parts->products;
    work.kind[WORK_SCORES] = parts->own - ESTIMATE_A_RUN - parts->slopes - parts->products;
    work.kind[WORK_WAITING] = cost->large ? ESTIMATE_WAITING * parts->own : 0;
    return work;
}

struct engine_work pool_cost_work(const struct pool_cost *cost, bool anew)
{
    const struct estimate_run *parts = &cost->parts;
    bool projects = anew || !cost->projected;
    bool looks = looks_at_input(cost, anew);
    double before = pool_cost_seconds(cost, anew) - parts->own;
    struct engine_work work = pool_cost_rows(cost);
    work.kind[WORK_DRAWS] = anew || !cost->drawn ? parts->draw : 0;
    work.kind[WORK_PRODUCTS] += (projects ? parts->projected : 0) + (looks ? parts->compared : 0);
    work.kind[WORK_INPUTS] = (projects ? parts->projection - parts->projected : 0) +
                             (looks ? parts->input - parts->compared : 0);
    work.kind[WORK_WAITING] += cost->large ? ESTIMATE_WAITING * before : 0;
    return work;
}

void pool_work_add(struct engine_work *sum, const struct engine_work *work, double factor)
{
    for (size_t k = 0; k < WORK_KINDS; k++) {
        sum->kind[k] += factor * work->kind[k];
    }
}

struct engine_work pool_work(const struct pool *pool, size_t count)
{
    struct engine_work sum = {{0}};
    for (size_t i = 0; i < count; i++) {
        struct pool_cost cost = pool_task_cost(pool, i);
        struct engine_work work = pool_cost_work(&cost, false);
        pool_work_add(&sum, &work, 1);
    }
    return sum;
}
