/* SPDX-License-Identifier: MIT */
/* engine/large.c, engine/pool.c and attention/head_rows.c: a run that all threads do together gives
 * the bits that one thread gives, comes after all smaller ones, and ends when it is told to. */
#include "open_runs.h"
#include "run/fields.h"
#include "support.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#define RUNS 4
#define MOST_RUNS 5
#define TOKENS 1100 /* more than one part */

static struct arena arena;
static struct error err;
static atomic_int stop;
static struct result results[MOST_RUNS];
static int order[MOST_RUNS], handed;

static bool keep_results(void *context, const struct result *batch, size_t count,
                         struct error *error)
{
    (void)context;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        results[batch[i].index] = batch[i];
        order[handed++] = (int)batch[i].index;
    }
    return true;
}

/* Two large runs and two small ones. The large ones are plain, or where `odd` causal, one with
 * rotated keys and one with other weights. */
static bool run_all(size_t threads, bool odd, int64_t tokens, const struct engine_options *more)
{
    struct run runs[RUNS];
    struct engine_task tasks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        runs[i] = run_default();
        runs[i].source = SOURCE_GAUSSIAN;
        runs[i].tokens = i % 2 == 0 ? tokens : 8 + (int64_t)i;
        runs[i].d_model = odd ? 4 : 48;
        runs[i].d_k = odd ? 2 : 16;
        runs[i].guard_norm = i < 2;
        runs[i].position = odd && i == 0 ? POSITION_ROPE : POSITION_NONE;
        runs[i].mask = odd ? MASK_CAUSAL : MASK_NONE;
        runs[i].weights = odd && i == 2 ? WEIGHTS_SIGMOID : WEIGHTS_SOFTMAX;
        run_normalise(&runs[i]);
        tasks[i] = (struct engine_task){.run = i};
    }
    arena = (struct arena){NULL};
    err = (struct error)ERROR_INIT;
    handed = 0;
    memset(results, 0, sizeof results);
    struct engine *engine = open_runs(runs, RUNS, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    struct engine_options options = *more;
    options.threads = threads;
    options.sink = keep_results;
    options.large_seconds = 2e-3;
    bool good = engine_run(engine, tasks, RUNS, &options, &err);
    arena_release(&arena);
    return good;
}

static void assert_same_bits(bool odd)
{
    static const size_t thread_counts[] = {2, 3, 7};
    static struct result alone[RUNS];
    assert_ok(run_all(1, odd, TOKENS, &(struct engine_options){0}), err);
    memcpy(alone, results, sizeof alone);
    for (size_t t = 0; t < 3; t++) {
        assert_ok(run_all(thread_counts[t], odd, TOKENS, &(struct engine_options){0}), err);
        for (size_t i = 0; i < RUNS; i++) {
            ck_assert_int_eq(results[i].status, RESULT_OK);
            ck_assert_mem_eq(&results[i].measurement, &alone[i].measurement,
                             sizeof alone[i].measurement);
        }
    }
}

START_TEST(any_number_of_threads_gives_the_same_bits)
{
    assert_same_bits(false);
}
END_TEST

START_TEST(so_do_masks_rotations_and_other_weights)
{
    assert_same_bits(true);
}
END_TEST

static struct engine_pace pace;
static size_t told;
static double first_part;

/* What a run tells on its way is part of it. */
static void watch(void *context)
{
    (void)context;
    double done = 0;
    double left = 0;
    for (size_t k = 0; k < WORK_KINDS; k++) {
        done += pace.last.kind[k];
        left += pace.left.kind[k];
    }
    first_part = told == 0 ? pace.part : first_part;
    /* Its input and its draw are in what is told first, and in nothing that follows. */
    double before = pace.last.kind[WORK_INPUTS] + pace.last.kind[WORK_DRAWS];
    ck_assert(told > 0 || before > 1e-6);
    ck_assert(told != 1 || pace.threads > 1 || fabs(before) < 1e-15);
    told++;
    ck_assert(pace.part > 0 && pace.part < 1);
    ck_assert(done > 0 && left > 0 && pace.last_seconds > 0);
}

START_TEST(a_long_run_tells_how_far_it_is)
{
    /* A group of parts is 512 rows for each thread: of 1,500 there are three, or two. */
    for (size_t threads = 1; threads <= 2; threads++) {
        struct engine_options options = {.pace = &pace, .advance = watch, .long_seconds = 1e-3};
        told = 0;
        assert_ok(run_all(threads, false, 1500, &options), err);
        ck_assert_uint_eq(told, threads == 1 ? 4 : 2);
        ck_assert(pace.part == 0);
        /* What comes before the rows is part of the run. */
        ck_assert(first_part > (double)(threads * 512) / 1500 + 1e-3);
        double left = 0;
        for (size_t k = 0; k < WORK_KINDS; k++) {
            left += pace.left.kind[k];
        }
        assert_within(left, 0, 1e-12);
        options.long_seconds = 1e3;
        told = 0;
        assert_ok(run_all(threads, false, 1500, &options), err);
        ck_assert_uint_eq(told, 0);
    }
}
END_TEST

START_TEST(small_runs_come_first)
{
    assert_ok(run_all(2, false, TOKENS, &(struct engine_options){0}), err);
    ck_assert_int_eq(handed, RUNS);
    ck_assert_int_eq(order[0] % 2, 1);
    ck_assert_int_eq(order[1] % 2, 1);
}
END_TEST

START_TEST(a_large_run_that_takes_too_long_fails)
{
    assert_ok(run_all(2, false, TOKENS, &(struct engine_options){.run_timeout = 1e-3}), err);
    ck_assert_int_eq(results[0].status, RESULT_FAILED);
    ck_assert_int_eq(results[2].status, RESULT_FAILED);
    ck_assert(isnan(results[2].measurement.row_max_mean));
}
END_TEST

static void *stop_later(void *argument)
{
    const struct timespec pause = {0, 30000000};
    (void)argument;
    nanosleep(&pause, NULL);
    atomic_store(&stop, 1);
    return NULL;
}

/* Each of the large runs would take a second and more. */
START_TEST(a_stopped_sweep_does_not_wait_for_its_large_run)
{
    pthread_t thread;
    atomic_store(&stop, 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, stop_later, NULL), 0);
    ck_assert(!run_all(2, false, 12000, &(struct engine_options){.stop = &stop}));
    assert_error(err, ERROR_INTERRUPTED, "interrupted");
    pthread_join(thread, NULL);
    ck_assert_int_le(handed, 2);
    ck_assert_int_eq(results[0].run.tokens, 0);
    ck_assert_int_eq(results[2].run.tokens, 0);
}
END_TEST

/* 1,050 tokens of 4,000 dimensions: too many numbers for two copies. The guard is on, off, on twice
 * with the same numbers, and on with others. */
START_TEST(an_input_that_its_guard_overwrote_is_drawn_again_where_it_is_wanted)
{
    enum { COUNT = MOST_RUNS };
    struct run runs[COUNT];
    static struct result alone[COUNT];
    static struct result together[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        runs[i] = run_default();
        runs[i].source = SOURCE_GAUSSIAN;
        runs[i].tokens = i == 4 ? 1060 : 1050;
        runs[i].d_model = 4000;
        runs[i].d_k = 2;
        runs[i].position = POSITION_NONE;
        runs[i].guard_norm = i != 1;
        runs[i].guard_scale = i == 3;
        run_normalise(&runs[i]);
    }
    for (size_t i = 0; i <= COUNT; i++) {
        struct engine_task tasks[COUNT];
        size_t count = i < COUNT ? 1 : COUNT;
        for (size_t t = 0; t < count; t++) {
            tasks[t] = (struct engine_task){.run = i < COUNT ? i : t};
        }
        arena = (struct arena){NULL};
        err = (struct error)ERROR_INIT;
        handed = 0;
        struct engine *engine = open_runs(runs, COUNT, ".", &arena, &err);
        ck_assert_msg(engine != NULL, "%s", err.message);
        const struct engine_options options = {
            .threads = 2, .sink = keep_results, .large_seconds = 1e-3};
        assert_ok(engine_run(engine, tasks, count, &options, &err), err);
        if (i < COUNT) {
            alone[i] = results[i];
        }
        arena_release(&arena);
    }
    memcpy(together, results, sizeof together);
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert_mem_eq(&together[i].measurement, &alone[i].measurement,
                         sizeof alone[i].measurement);
    }
    ck_assert(alone[0].measurement.input_std != alone[1].measurement.input_std);
    ck_assert(alone[0].measurement.raw_input_std == alone[1].measurement.raw_input_std);
}
END_TEST

static Suite *large_suite(void)
{
    Suite *suite = suite_create("engine/large");
    TCase *cases = tcase_create("large");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, any_number_of_threads_gives_the_same_bits);
    tcase_add_test(cases, so_do_masks_rotations_and_other_weights);
    tcase_add_test(cases, a_long_run_tells_how_far_it_is);
    tcase_add_test(cases, small_runs_come_first);
    tcase_add_test(cases, a_large_run_that_takes_too_long_fails);
    tcase_add_test(cases, an_input_that_its_guard_overwrote_is_drawn_again_where_it_is_wanted);
    tcase_add_test(cases, a_stopped_sweep_does_not_wait_for_its_large_run);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(large_suite());
}
