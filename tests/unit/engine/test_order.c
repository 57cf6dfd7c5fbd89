/* SPDX-License-Identifier: MIT */
/* Tests src/engine/order.c: runs share draws, inputs and projections in whatever bundle they come,
 * and no bundle may change a bit of a result. */
#include "engine/engine.h"
#include "open_runs.h"
#include "run/fields.h"
#include "support.h"

#include <string.h>

#define RUNS 240

static struct arena arena;
static struct error err;
static struct run runs[RUNS];
static struct engine *engine;
static struct measurement alone[RUNS];

/* What the sink was handed. */
static struct measurement measured[RUNS];
static int times[RUNS];

static void set_up(void)
{
    arena = (struct arena){NULL};
    err = (struct error)ERROR_INIT;
    setenv("ROWMAX_CORPORA", TEST_SOURCE_DIR "/corpora", 1);
}

static void tear_down(void)
{
    arena_release(&arena);
}

static bool keep(void *context, const struct result *batch, size_t count, struct error *error)
{
    (void)context;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        measured[batch[i].index] = batch[i].measurement;
        times[batch[i].index]++;
    }
    return true;
}

static void do_tasks(const struct engine_task *tasks, size_t count, size_t threads)
{
    const struct engine_options options = {.threads = threads, .sink = keep};
    memset(times, 0, sizeof times);
    assert_ok(engine_run(engine, tasks, count, &options, &err), err);
}

/* Steps of several sizes walk through the values of each field, so that neighbours differ in
 * several fields and the values of any two meet. */
static void choose_input(size_t i, struct run *run)
{
    static const int64_t tokens[] = {3, 20, 9};
    run->source = i % 6 == 5 ? SOURCE_CORPUS : SOURCE_GAUSSIAN;
    if (run->source == SOURCE_CORPUS) {
        run->corpus = "demo";
        run->sentence = i % 4 == 1 ? "the cat chased the mouse" : "the dog chased the cat";
        run->window = i % 12 == 5 ? 5 : 2;
    } else {
        run->tokens = tokens[i / 5 % 3];
        run->input_spread = i % 17 == 0 ? 3 : 1;
    }
    run->position = i % 5 == 0 ? POSITION_SINUSOIDAL : POSITION_NONE;
}

static void choose_draw(size_t i, struct run *run)
{
    static const int64_t widths[] = {16, 5, 32, 8};
    static const int64_t keys[] = {4, 32, 1, 12};
    run->d_model = widths[i / 3 % 4];
    run->d_k = keys[i * 7 / 4 % 4];
    run->seed = 1 + (int64_t)(i * 11 / 8 % 3);
    if (run->seed == 3) {
        /* No larger than what the seed before it ends with. */
        run->d_model = 5;
        run->d_k = 1;
    }
    run->draw = i / 2 % 3 == 0 ? DRAW_COLLAPSED : DRAW_WEIGHTS;
    if (run->draw == DRAW_WEIGHTS && i % 10 == 5 && run->d_k % 2 == 0) {
        run->position = POSITION_ROPE;
    }
    if (run->draw == DRAW_WEIGHTS && i % 11 == 3) {
        run->qk_norm = QK_NORM_RMS;
    }
}

static void choose_guards(size_t i, struct run *run)
{
    run->guard_init = i % 2 == 0;
    run->guard_scale = i / 2 % 2 == 0;
    run->guard_norm = i / 7 % 2 == 0;
    run->norm = i / 13 % 3 == 0 ? NORM_RMS : NORM_LAYER;
    run->norm_epsilon = i % 19 == 0 ? 0.25 : 1e-5;
    run->mask = i % 7 == 2 ? MASK_CAUSAL : MASK_NONE;
    run->softcap = i % 9 == 4 ? 5 : 0;
    run->weights = i % 8 == 6 ? WEIGHTS_SIGMOID : WEIGHTS_SOFTMAX;
    run->precision = i % 23 == 7 ? PRECISION_BF16 : PRECISION_FP64;
}

static void open_all(void)
{
    for (size_t i = 0; i < RUNS; i++) {
        runs[i] = run_default();
        choose_input(i, &runs[i]);
        choose_draw(i, &runs[i]);
        choose_guards(i, &runs[i]);
        run_normalise(&runs[i]);
    }
    engine = open_runs(runs, RUNS, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
}

static struct engine_task task_of(size_t run)
{
    return (struct engine_task){.run = run, .key = run_key(&runs[run])};
}

/* Every run by itself: a pool of its own has nothing to share. */
static void do_each_alone(void)
{
    for (size_t i = 0; i < RUNS; i++) {
        struct engine_task task = task_of(i);
        do_tasks(&task, 1, 1);
        ck_assert_int_eq(times[i], 1);
        alone[i] = measured[i];
    }
}

static void assert_alike(size_t run, const char *bundle)
{
    ck_assert_int_eq(times[run], 1);
    for (size_t m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        const struct field *field = &measurement_fields[m];
        ck_assert_msg(field_value_equal(field, &measured[run], &alone[run]),
                      "%s: run %zu: %s is %.17g, alone %.17g", bundle, run, field->name,
                      field_value_number(field, &measured[run]),
                      field_value_number(field, &alone[run]));
    }
}

static void assert_all_alike(size_t threads)
{
    struct engine_task tasks[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        tasks[i] = task_of(i);
    }
    do_tasks(tasks, RUNS, threads);
    for (size_t i = 0; i < RUNS; i++) {
        assert_alike(i, threads == 1 ? "one thread" : "three threads");
    }
}

/* Every nth run, as shards and what is left for a resumed sweep are. */
static void assert_parts_alike(size_t parts)
{
    for (size_t part = 0; part < parts; part++) {
        struct engine_task tasks[RUNS];
        size_t count = 0;
        for (size_t i = part; i < RUNS; i += parts) {
            tasks[count++] = task_of(i);
        }
        do_tasks(tasks, count, 1);
        for (size_t i = part; i < RUNS; i += parts) {
            assert_alike(i, "a part");
        }
    }
}

START_TEST(no_bundle_changes_a_bit_of_a_result)
{
    open_all();
    do_each_alone();
    assert_all_alike(1);
    assert_all_alike(3);
    assert_parts_alike(2);
    assert_parts_alike(7);
}
END_TEST

/* The runs are as different as they are meant to be: all values of a field come with a finite
 * measure, and no two neighbours have the same scores. */
START_TEST(the_runs_of_the_bundles_differ)
{
    open_all();
    do_each_alone();
    for (size_t i = 1; i < RUNS; i++) {
        ck_assert(alone[i].score_std != alone[i - 1].score_std);
        ck_assert(alone[i].raw_input_std > 0 && alone[i].q_norm > 0);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("engine/order");
    TCase *cases = tcase_create("order");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, no_bundle_changes_a_bit_of_a_result);
    tcase_add_test(cases, the_runs_of_the_bundles_differ);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
