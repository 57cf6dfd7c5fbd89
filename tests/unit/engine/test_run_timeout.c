/* SPDX-License-Identifier: MIT */
/* engine/pool.c and attention/head_rows.c: a run that takes too long is a failed run, soon; the
 * others are not touched by it. */
#include "open_runs.h"
#include "run/fields.h"
#include "support.h"

#include <string.h>
#include <time.h>

#define RUNS 3

static struct arena arena;
static struct error err;
static struct result results[RUNS];
static char messages[RUNS][128];

static bool keep_results(void *context, const struct result *batch, size_t count,
                         struct error *error)
{
    (void)context;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        results[batch[i].index] = batch[i];
        strncpy(messages[batch[i].index], batch[i].message, sizeof messages[0] - 1);
    }
    return true;
}

/* Two small runs around one of many tokens. */
static void run_all(int64_t tokens, double timeout)
{
    struct run runs[RUNS];
    struct engine_task tasks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        runs[i] = run_default();
        runs[i].source = SOURCE_GAUSSIAN;
        runs[i].tokens = i == 1 ? tokens : 8;
        runs[i].position = POSITION_NONE;
        runs[i].d_model = 16;
        runs[i].d_k = 16;
        run_normalise(&runs[i]);
    }
    arena = (struct arena){NULL};
    err = (struct error)ERROR_INIT;
    memset(messages, 0, sizeof messages);
    struct engine *engine = open_runs(runs, RUNS, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    for (size_t i = 0; i < RUNS; i++) {
        tasks[i] = (struct engine_task){.run = i};
    }
    struct engine_options options = {.threads = 1, .sink = keep_results, .run_timeout = timeout};
    assert_ok(engine_run(engine, tasks, RUNS, &options, &err), err);
    arena_release(&arena);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

START_TEST(a_run_that_takes_too_long_fails_and_the_sweep_goes_on)
{
    run_all(8, 0);
    double wanted = results[2].measurement.row_max_mean;
    double begin = seconds();
    run_all(8192, 0.2);
    /* The whole run takes about 4 s, a row of it less than a thousandth of a second. */
    ck_assert_msg(seconds() - begin < 2, "%g s", seconds() - begin);
    ck_assert_int_eq(results[0].status, RESULT_OK);
    ck_assert_int_eq(results[1].status, RESULT_FAILED);
    ck_assert_str_eq(messages[1], "took longer than the 0.2 s of --run-timeout");
    ck_assert(isnan(results[1].measurement.row_max_mean));
    ck_assert_int_eq(results[1].measurement.queries, 0);
    ck_assert_int_eq(results[2].status, RESULT_OK);
    ck_assert(results[2].measurement.row_max_mean == wanted);
}
END_TEST

START_TEST(time_enough_changes_nothing)
{
    run_all(256, 1e9);
    for (size_t i = 0; i < RUNS; i++) {
        ck_assert_int_eq(results[i].status, RESULT_OK);
    }
}
END_TEST

START_TEST(no_time_at_all_fails_every_run_before_its_first_row)
{
    run_all(256, 1e-12);
    for (size_t i = 0; i < RUNS; i++) {
        ck_assert_int_eq(results[i].status, RESULT_FAILED);
        ck_assert_int_eq(results[i].measurement.nonfinite, 0);
    }
}
END_TEST

static Suite *timeout_suite(void)
{
    Suite *suite = suite_create("engine/run_timeout");
    TCase *cases = tcase_create("timeout");
    tcase_add_test(cases, time_enough_changes_nothing);
    tcase_add_test(cases, no_time_at_all_fails_every_run_before_its_first_row);
    suite_add_tcase(suite, cases);
    /* It looks at the clock, and valgrind is fifty times slower. */
    TCase *native = tcase_create("native");
    tcase_set_tags(native, "native");
    tcase_add_test(native, a_run_that_takes_too_long_fails_and_the_sweep_goes_on);
    suite_add_tcase(suite, native);
    return suite;
}

int main(void)
{
    return support_run(timeout_suite());
}
