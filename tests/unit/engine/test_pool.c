/* SPDX-License-Identifier: MIT */
/* How finished runs reach the sink: small ones together, long ones at once, each once; and measures
 * that nobody wants. */
#include "engine/engine.h"
#include "run/run_list.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define RUNS 200

static struct arena arena;
static struct error err;
static struct run_list runs;
static struct engine_task tasks[RUNS];

/* What the sink was handed. */
static struct measurement measured[RUNS];
static int times[RUNS];
static size_t batch_count, largest_batch, handed;

static bool keep(void *context, const struct result *batch, size_t count, struct error *error)
{
    (void)context;
    (void)error;
    batch_count++;
    handed += count;
    largest_batch = count > largest_batch ? count : largest_batch;
    for (size_t i = 0; i < count; i++) {
        measured[batch[i].index] = batch[i].measurement;
        times[batch[i].index]++;
        ck_assert_uint_eq(batch[i].key, 1000 + (uint64_t)batch[i].index);
    }
    return true;
}

static engine_sink *sink;

/* Gaussian runs of the seeds 1, 2, ... */
static void run_all(int64_t tokens, uint64_t lacking, struct engine_options options)
{
    run_list_init(&runs, &arena);
    for (size_t i = 0; i < RUNS; i++) {
        struct run run = run_default();
        run.source = SOURCE_GAUSSIAN;
        run.tokens = tokens;
        run.d_model = 8;
        run.d_k = 4;
        run.seed = (int64_t)i + 1;
        run_normalise(&run);
        assert_ok(run_list_append(&runs, &run, &err), err);
        tasks[i] = (struct engine_task){.run = i, .key = 1000 + i, .lacking = lacking};
    }
    memset(times, 0, sizeof times);
    batch_count = largest_batch = handed = 0;
    options.sink = sink;
    struct engine *engine = engine_open(&runs, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    assert_ok(engine_run(engine, tasks, RUNS, &options, &err), err);
    for (size_t i = 0; i < RUNS; i++) {
        ck_assert_int_eq(times[i], 1);
    }
}

static bool take_no_time(const struct run *run, struct measurement *out, struct error *error)
{
    (void)error;
    out->row_max_mean = (double)run->seed;
    return true;
}

START_TEST(small_runs_are_handed_over_together)
{
    run_all(4, 0, (struct engine_options){.threads = 2, .measure = take_no_time});
    ck_assert_uint_le(batch_count, RUNS / 4);
    ck_assert_uint_ge(largest_batch, 8);
    ck_assert(measured[41].row_max_mean == 42);
}
END_TEST

static bool take_six_milliseconds(const struct run *run, struct measurement *out,
                                  struct error *error)
{
    const struct timespec pause = {0, 6000000};
    nanosleep(&pause, NULL);
    return take_no_time(run, out, error);
}

START_TEST(runs_that_take_milliseconds_are_handed_over_one_by_one)
{
    run_all(4, 0, (struct engine_options){.threads = 2, .measure = take_six_milliseconds});
    ck_assert_uint_eq(batch_count, RUNS);
    ck_assert_uint_eq(largest_batch, 1);
}
END_TEST

static size_t before[RUNS + 1];

/* What the sink had when each run began. */
static bool note_handed(const struct run *run, struct measurement *out, struct error *error)
{
    before[run->seed] = handed;
    return take_no_time(run, out, error);
}

/* A thousand tokens take 120 n^2 operations and more: over a hundred milliseconds. */
START_TEST(nothing_finished_waits_for_a_run_that_is_expected_to_take_long)
{
    run_all(1000, 0, (struct engine_options){.threads = 1, .measure = note_handed});
    for (size_t seed = 1; seed <= RUNS; seed++) {
        ck_assert_uint_eq(before[seed], seed - 1);
    }
}
END_TEST

static bool fail_odd_seeds(const struct run *run, struct measurement *out, struct error *error)
{
    return take_no_time(run, out, error) &&
           (run->seed % 2 == 0 ||
            error_set(error, ERROR_INTERNAL, "seed %d is odd", (int)run->seed));
}

static bool check_messages(void *context, const struct result *batch, size_t count,
                           struct error *error)
{
    char wanted[40];
    size_t *rows = context;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        int seed = (int)batch[i].run.seed;
        snprintf(wanted, sizeof wanted, "seed %d is odd", seed);
        ck_assert_str_eq(batch[i].message, seed % 2 == 0 ? "" : wanted);
    }
    *rows += count;
    return true;
}

START_TEST(every_failed_run_of_a_batch_has_its_own_message)
{
    size_t rows = 0;
    run_all(4, 0, (struct engine_options){.threads = 1, .measure = take_no_time});
    struct engine *engine = engine_open(&runs, ".", &arena, &err);
    struct engine_options options = {
        .threads = 1, .sink = check_messages, .measure = fail_odd_seeds, .context = &rows};
    ck_assert(engine != NULL);
    assert_ok(engine_run(engine, tasks, RUNS, &options, &err), err);
    ck_assert_uint_eq(rows, RUNS);
}
END_TEST

/* Without the gradients nothing else may change by a bit. */
START_TEST(measures_not_wanted_are_nan_and_the_others_the_same)
{
    struct measurement all[RUNS];
    const uint64_t lacking = measurement_fields_all() & ~measurement_fields_always() &
                             ~(UINT64_C(1) << MEASURE_ENTROPY_MEAN) &
                             ~(UINT64_C(1) << MEASURE_JACOBIAN_NORM_MEAN);
    run_all(6, 0, (struct engine_options){.threads = 2});
    memcpy(all, measured, sizeof all);
    run_all(6, lacking, (struct engine_options){.threads = 2});
    for (size_t i = 0; i < RUNS; i++) {
        ck_assert(all[i].gradient_wq > 0 && all[i].gradient_wk_ratio > 0);
        for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
            const struct field *field = &measurement_fields[m];
            if ((lacking >> m & 1) != 0) {
                ck_assert(isnan(field_value_number(field, &measured[i])));
            } else {
                ck_assert(field_value_equal(field, &all[i], &measured[i]));
            }
        }
    }
}
END_TEST

static struct engine_pace pace;
static double last_left;

/* What is left grows less by all that is handed over. */
static bool watch(void *context, const struct result *batch, size_t count, struct error *error)
{
    double left = 0;
    double done = 0;
    for (size_t k = 0; k < WORK_KINDS; k++) {
        left += pace.left.kind[k];
        done += pace.last.kind[k];
    }
    ck_assert_double_lt(left, last_left);
    ck_assert_double_gt(done, 0);
    ck_assert_double_gt(pace.last_seconds, 0);
    last_left = left;
    return keep(context, batch, count, error);
}

START_TEST(the_pace_tells_what_is_left)
{
    sink = watch;
    for (size_t threads = 1; threads <= 3; threads += 2) {
        last_left = HUGE_VAL;
        run_all(40, 0, (struct engine_options){.threads = threads, .pace = &pace});
        assert_within(last_left, 0, 1e-12);
        ck_assert_uint_eq(pace.threads, threads);
        ck_assert_uint_eq(pace.working, 0);
        /* A thread is over once it has handed over its last. */
        ck_assert(pace.busy > 0 && pace.busy <= pace.over);
    }
}
END_TEST

static void set_up(void)
{
    arena = (struct arena){NULL};
    err = (struct error)ERROR_INIT;
    sink = keep;
}

static void tear_down(void)
{
    arena_release(&arena);
}

int main(void)
{
    Suite *suite = suite_create("engine/pool");
    TCase *tests = tcase_create("pool");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, small_runs_are_handed_over_together);
    tcase_add_test(tests, runs_that_take_milliseconds_are_handed_over_one_by_one);
    tcase_add_test(tests, nothing_finished_waits_for_a_run_that_is_expected_to_take_long);
    tcase_add_test(tests, every_failed_run_of_a_batch_has_its_own_message);
    tcase_add_test(tests, measures_not_wanted_are_nan_and_the_others_the_same);
    tcase_add_test(tests, the_pace_tells_what_is_left);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
