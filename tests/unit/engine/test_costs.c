/* SPDX-License-Identifier: MIT */
/* Tests src/engine/costs.c: what each task takes of the whole, shared things divided. */
#include "engine/estimate.h"
#include "open_runs.h"
#include "run/fields.h"
#include "support.h"

static struct arena arena;
static struct error err;

static void set_up(void)
{
    arena = (struct arena){NULL};
    err = (struct error)ERROR_INIT;
}

static void tear_down(void)
{
    arena_release(&arena);
}

static struct run gaussian(int64_t d_model, int64_t d_k, int64_t seed)
{
    struct run run = run_default();
    run.source = SOURCE_GAUSSIAN;
    run.tokens = 8;
    run.d_model = d_model;
    run.d_k = d_k;
    run.seed = seed;
    run.position = POSITION_NONE;
    run.guard_init = run.guard_scale = run.guard_norm = true;
    run_normalise(&run);
    return run;
}

static struct estimate_run price(struct run run)
{
    return estimate_run(&run, (size_t)run.tokens, (size_t)run.tokens);
}

/* The costs of the first `count` of the runs, as floats hold them. */
static const float *costs_of(struct run *runs, size_t count)
{
    static struct engine_task tasks[8];
    static float costs[8];
    struct engine *engine = open_runs(runs, count, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    for (size_t i = 0; i < count; i++) {
        tasks[i] = (struct engine_task){.run = i};
    }
    assert_ok(engine_costs(engine, tasks, count, costs, &err), err);
    return costs;
}

START_TEST(a_run_alone_pays_for_all)
{
    struct run run = gaussian(16, 8, 1);
    struct estimate_run cost = price(run);
    assert_near((double)*costs_of(&run, 1), cost.own + cost.draw + cost.projection, 1e-6);
}
END_TEST

START_TEST(runs_of_one_seed_divide_the_largest_draw)
{
    struct run runs[2] = {gaussian(64, 8, 1), gaussian(64, 32, 1)};
    struct estimate_run small = price(runs[0]);
    struct estimate_run large = price(runs[1]);
    const float *costs = costs_of(runs, 2);
    double half = (large.draw + large.projection) / 2;
    assert_near((double)costs[0], small.own + half, 1e-6);
    assert_near((double)costs[1], large.own + half, 1e-6);
}
END_TEST

START_TEST(runs_of_two_seeds_share_nothing)
{
    struct run runs[2] = {gaussian(64, 32, 1), gaussian(64, 32, 2)};
    struct estimate_run cost = price(runs[0]);
    const float *costs = costs_of(runs, 2);
    assert_near((double)costs[0], cost.own + cost.draw + cost.projection, 1e-6);
    assert_near((double)costs[1], (double)costs[0], 1e-6);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("costs");
    TCase *cases = tcase_create("costs");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, a_run_alone_pays_for_all);
    tcase_add_test(cases, runs_of_one_seed_divide_the_largest_draw);
    tcase_add_test(cases, runs_of_two_seeds_share_nothing);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
