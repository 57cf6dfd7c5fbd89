/* SPDX-License-Identifier: MIT */
/* Tests src/engine/costs.c: what each task takes, by kind, and what of it is there already. */
#include "engine/pool_internal.h"
#include "engine_fixture.h"
#include "gaussian_runs.h"

enum { MOST = 4 };

static struct engine_task tasks[MOST];
static uint32_t order[MOST];
static const struct engine_options options = {.threads = 2};

/* A pool that has the tasks in the order of its own. */
static struct pool pool_of(struct run *runs, size_t count)
{
    struct engine *engine = open_runs(runs, count, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    for (size_t i = 0; i < count; i++) {
        tasks[i] = (struct engine_task){.run = i};
    }
    struct pool pool = {.engine = engine, .options = &options, .tasks = tasks, .count = count};
    assert_ok(pool_sort(&pool, order, &err), err);
    return pool;
}

/* Buffers at their first use. */
static double fresh(struct run run)
{
    return ESTIMATE_A_FRESH_BYTE * estimate_buffers(&run, (size_t)run.tokens, (size_t)run.tokens);
}

static double sum(const struct engine_work *work)
{
    double seconds = 0;
    for (size_t k = 0; k < WORK_KINDS; k++) {
        seconds += work->kind[k];
    }
    return seconds;
}

/* Of a run that has nothing in hand. */
static double whole(const struct estimate_run *cost)
{
    return cost->own + cost->draw + cost->projection + cost->input;
}

START_TEST(a_run_alone_pays_for_all)
{
    struct run run = gaussian(8, 16, 8, 1);
    struct pool pool = pool_of(&run, 1);
    struct estimate_run cost = price(run);
    struct engine_work work = pool_work(&pool, 1);
    double all = whole(&cost) + fresh(run) + ESTIMATE_A_RECORD;
    assert_near(sum(&work), all, 1e-12);
    assert_near(work.kind[WORK_DRAWS], cost.draw, 1e-12);
    /* 8 * 16 numbers are drawn where weights are 2 * 16 * 8; no gradient is anything but a product
     */
    double tokens = cost.draw * (8 * 16) / (2 * 16 * 8);
    assert_near(work.kind[WORK_INPUTS], tokens + cost.input - cost.compared + fresh(run), 1e-12);
    assert_near(work.kind[WORK_PRODUCTS], cost.products + cost.projected + cost.compared, 1e-12);
    ck_assert(work.kind[WORK_SLOPES] == 0 && work.kind[WORK_WAITING] == 0);
    ck_assert(work.kind[WORK_LEARNING] == 0);
}
END_TEST

/* The wide one comes first, of which the narrow one's weights are a corner and its queries and keys
 * are columns. */
START_TEST(the_first_of_a_seed_pays_for_what_the_others_share)
{
    struct run runs[2] = {gaussian(8, 64, 8, 1), gaussian(8, 64, 32, 1)};
    struct estimate_run small = price(runs[0]);
    struct estimate_run large = price(runs[1]);
    struct pool pool = pool_of(runs, 2);
    struct pool_cost first = pool_task_cost(&pool, 0);
    struct pool_cost second = pool_task_cost(&pool, 1);
    assert_near(pool_cost_seconds(&first, false), whole(&large) + fresh(runs[1]), 1e-12);
    assert_near(pool_cost_seconds(&second, false), small.own, 1e-12);
    assert_near(pool_cost_seconds(&second, true), whole(&small), 1e-12);
    struct engine_work anew = pool_cost_work(&second, true);
    assert_near(sum(&anew), pool_cost_seconds(&second, true) + ESTIMATE_A_RECORD, 1e-12);
}
END_TEST

START_TEST(runs_of_two_seeds_share_nothing)
{
    struct run runs[2] = {gaussian(8, 64, 32, 1), gaussian(8, 64, 32, 2)};
    struct estimate_run cost = price(runs[0]);
    struct pool pool = pool_of(runs, 2);
    struct engine_work work = pool_work(&pool, 2);
    assert_near(sum(&work), 2 * (whole(&cost) + ESTIMATE_A_RECORD) + fresh(runs[0]), 1e-12);
}
END_TEST

/* Of two runs the second is done by all threads: its worker did not do the first. */
START_TEST(a_large_run_shares_nothing_and_waits)
{
    struct run runs[2] = {gaussian(8, 64, 32, 1), gaussian(8, 64, 32, 1)};
    runs[1].guard_scale = false;
    struct pool pool = pool_of(runs, 2);
    pool.count = 1;
    struct pool_cost cost = pool_task_cost(&pool, 1);
    ck_assert(cost.large && !cost.drawn && !cost.projected && !cost.guarded);
    struct engine_work work = pool_cost_work(&cost, false);
    assert_near(work.kind[WORK_WAITING], ESTIMATE_WAITING * pool_cost_seconds(&cost, false), 1e-12);
}
END_TEST

enum { TOKENS = 3, WIDTH = 16, D_K = 4 };

/* One of two X, measured for a seed. */
static struct run given(bool other, int64_t seed)
{
    static const double entries[TOKENS * WIDTH] = {1, 2, 3};
    struct run run = run_default();
    run.source = SOURCE_ARRAYS;
    run.x = fixture_npy(other ? "other.npy" : "x.npy", 0, TOKENS, WIDTH, entries);
    run.d_k = D_K;
    run.seed = seed;
    run_normalise(&run);
    return run;
}

static struct run with_norm(struct run run)
{
    run.guard_norm = true;
    run_normalise(&run);
    return run;
}

static size_t count_looks(const struct pool *pool)
{
    size_t count = 0;
    for (size_t i = 0; i < pool->count; i++) {
        count += !pool_task_cost(pool, i).guarded;
    }
    return count;
}

static size_t looks(struct run *runs, size_t count)
{
    struct pool pool = pool_of(runs, count);
    return count_looks(&pool);
}

/* Sorted by seed, then by input, then by the guard. */
START_TEST(an_input_is_looked_at_while_the_head_has_another)
{
    struct run one[3] = {given(false, 1), given(false, 2), given(false, 3)};
    ck_assert_uint_eq(looks(one, 3), 1);
    /* with the guard off and on, each seed: both are kept */
    struct run both[4] = {given(false, 1), with_norm(given(false, 1)), given(false, 2),
                          with_norm(given(false, 2))};
    ck_assert_uint_eq(looks(both, 4), 2);
    /* two inputs for each seed take turns; each for one seed alone do not */
    struct run turns[4] = {given(false, 1), given(true, 1), given(false, 2), given(true, 2)};
    ck_assert_uint_eq(looks(turns, 4), 4);
    struct run blocks[4] = {given(false, 1), given(false, 2), given(true, 3), given(true, 4)};
    ck_assert_uint_eq(looks(blocks, 4), 2);
    /* the guard of another input takes the place of what is kept with the guard off only */
    struct run mixed[4] = {given(false, 1), with_norm(given(true, 1)), given(false, 2),
                           with_norm(given(true, 2))};
    ck_assert_uint_eq(looks(mixed, 4), 3);
    /* collapsed draws are sorted by input first */
    for (size_t i = 0; i < 4; i++) {
        turns[i].draw = DRAW_COLLAPSED;
    }
    ck_assert_uint_eq(looks(turns, 4), 2);
}
END_TEST

/* Its X is a part of the larger one, but no look at that tells what it is like. */
START_TEST(a_gaussian_input_of_fewer_tokens_is_looked_at_anew)
{
    struct run runs[2] = {gaussian(8, 16, 8, 1), gaussian(8, 16, 8, 1)};
    runs[1].tokens = 5;
    struct estimate_run small = price(runs[1]);
    struct pool pool = pool_of(runs, 2);
    struct pool_cost second = pool_task_cost(&pool, 1);
    ck_assert(second.projected && !second.guarded && small.input > 0);
    assert_near(pool_cost_seconds(&second, false), small.own + small.input, 1e-12);
    assert_near(pool_cost_seconds(&second, true), whole(&small), 1e-12);
}
END_TEST

/* Drawn and projected anew, all else as before; and another worker has looked at it, too. */
START_TEST(another_seed_of_an_input_pays_for_its_draw)
{
    struct run runs[2] = {given(false, 1), given(false, 2)};
    struct pool pool = pool_of(runs, 2);
    struct pool_cost second = pool_task_cost(&pool, 1);
    struct estimate_run cost = price_of(&runs[0], TOKENS, TOKENS);
    ck_assert(cost.input > cost.compared && cost.compared > 0);
    assert_near(pool_cost_seconds(&second, false), whole(&cost) - cost.input, 1e-12);
    assert_near(pool_cost_seconds(&second, true), whole(&cost) - cost.input, 1e-12);
    struct engine_work work = pool_cost_work(&second, false);
    assert_near(work.kind[WORK_PRODUCTS], cost.products + cost.projected, 1e-12);
    assert_near(sum(&work), whole(&cost) - cost.input + ESTIMATE_A_RECORD, 1e-12);
    /* not so where several inputs take turns: who begins in between has to look at it */
    struct run more[3] = {given(false, 1), given(true, 1), given(true, 1)};
    more[1].guard_scale = true;
    pool = pool_of(more, 3);
    struct pool_cost third = pool_task_cost(&pool, 2);
    ck_assert(third.guarded && !third.everywhere);
    assert_near(pool_cost_seconds(&third, true) - pool_cost_seconds(&third, false),
                cost.draw + cost.projection + cost.input, 1e-12);
}
END_TEST

START_TEST(measures_that_are_not_wanted_cost_nothing)
{
    struct run run = gaussian(8, 64, 32, 1);
    run.weights = WEIGHTS_ENTMAX15;
    struct pool pool = pool_of(&run, 1);
    struct pool_cost whole = pool_task_cost(&pool, 0);
    ck_assert(whole.parts.slopes > 0);
    tasks[0].lacking = UINT64_C(1) << MEASURE_GRADIENT_WQ | UINT64_C(1) << MEASURE_GRADIENT_WK |
                       UINT64_C(1) << MEASURE_GRADIENT_WQ_RATIO;
    struct pool_cost most = pool_task_cost(&pool, 0);
    assert_near(most.parts.slopes, whole.parts.slopes, 1e-15); /* one gradient needs them all */
    tasks[0].lacking |= UINT64_C(1) << MEASURE_GRADIENT_WK_RATIO;
    struct pool_cost less = pool_task_cost(&pool, 0);
    ck_assert(less.parts.slopes == 0);
    assert_near(less.parts.own, whole.parts.own - whole.parts.slopes, 1e-12);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("costs");
    TCase *cases = tcase_create("costs");
    tcase_add_checked_fixture(cases, fixture_set_up, fixture_tear_down);
    tcase_add_test(cases, a_run_alone_pays_for_all);
    tcase_add_test(cases, the_first_of_a_seed_pays_for_what_the_others_share);
    tcase_add_test(cases, runs_of_two_seeds_share_nothing);
    tcase_add_test(cases, a_large_run_shares_nothing_and_waits);
    tcase_add_test(cases, an_input_is_looked_at_while_the_head_has_another);
    tcase_add_test(cases, a_gaussian_input_of_fewer_tokens_is_looked_at_anew);
    tcase_add_test(cases, another_seed_of_an_input_pays_for_its_draw);
    tcase_add_test(cases, measures_that_are_not_wanted_cost_nothing);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
