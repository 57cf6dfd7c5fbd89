/* SPDX-License-Identifier: MIT */
/* Tests src/engine/positions.c: which encodings are kept, that they are the encodings, and that
 * runs get the same bits whether theirs is kept or not. */
#include "engine/positions.h"

#include "attention/position.h"
#include "gaussian_runs.h"
#include "open_runs.h"
#include "support.h"

#include <string.h>

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

static struct run placed(int64_t tokens, int64_t d_model, int64_t seed)
{
    struct run run = gaussian(tokens, d_model, 4, seed);
    run.position = POSITION_SINUSOIDAL;
    return run;
}

static struct positions *positions_for(struct run *runs, size_t count)
{
    struct engine *engine = open_runs(runs, count, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    struct positions *positions = positions_start(&arena, &err);
    assert_ok(positions != NULL, err);
    for (size_t i = 0; i < count; i++) {
        positions_count(positions, engine, i);
    }
    return positions;
}

/* The longest of a width serves all of it. */
START_TEST(what_several_runs_add_is_made_once)
{
    struct run runs[] = {placed(3, 6, 1), placed(5, 6, 2), placed(4, 8, 1), gaussian(9, 6, 4, 3)};
    struct positions *positions = positions_for(runs, 4);
    ck_assert_uint_eq(positions_numbers(positions), 30);
    assert_ok(positions_make(positions, &arena, &err), err);
    double wanted[30] = {0};
    position_add_sinusoidal(0, 5, 6, wanted);
    const double *kept = positions_of(positions, 3, 6);
    ck_assert(kept != NULL);
    ck_assert(positions_of(positions, 5, 6) == kept);
    ck_assert_mem_eq(kept, wanted, sizeof wanted);
    ck_assert(positions_of(positions, 6, 6) == NULL); /* longer than any that was told of */
    ck_assert(positions_of(positions, 4, 8) == NULL); /* of one run alone */
    ck_assert(positions_of(positions, 1, 7) == NULL);
}
END_TEST

/* Half a million numbers leave no room for the next three quarters, but for a few. */
START_TEST(what_does_not_fit_is_not_kept)
{
    struct run runs[] = {placed(512, 1024, 1), placed(512, 1024, 2), placed(1536, 512, 1),
                         placed(1536, 512, 2), placed(2, 4, 1),      placed(2, 4, 2)};
    struct positions *positions = positions_for(runs, 6);
    ck_assert_uint_eq(positions_numbers(positions), 512 * 1024 + 8);
    assert_ok(positions_make(positions, &arena, &err), err);
    ck_assert(positions_of(positions, 512, 1024) != NULL);
    ck_assert(positions_of(positions, 1, 512) == NULL);
    ck_assert(positions_of(positions, 2, 4) != NULL);
}
END_TEST

START_TEST(of_very_many_widths_the_first_are_kept)
{
    static struct run runs[140];
    for (int64_t i = 0; i < 140; i++) {
        runs[i] = placed(2, 1 + i / 2, i % 2);
    }
    struct positions *positions = positions_for(runs, 140);
    assert_ok(positions_make(positions, &arena, &err), err);
    ck_assert(positions_of(positions, 2, 64) != NULL);
    ck_assert(positions_of(positions, 2, 65) == NULL);
}
END_TEST

static bool keep(void *context, const struct result *batch, size_t count, struct error *error)
{
    (void)error;
    for (size_t i = 0; i < count; i++) {
        ((struct measurement *)context)[batch[i].index] = batch[i].measurement;
    }
    return true;
}

/* One by one no encoding is kept, together one of each width is. */
START_TEST(a_kept_encoding_moves_no_bit)
{
    struct run runs[] = {placed(7, 6, 1), placed(5, 6, 2), placed(7, 6, 3), placed(300, 6, 4)};
    struct measurement alone[4];
    struct measurement together[4];
    struct engine_task tasks[4];
    struct engine *engine = open_runs(runs, 4, ".", &arena, &err);
    ck_assert_msg(engine != NULL, "%s", err.message);
    struct engine_options options = {.threads = 1, .sink = keep, .context = alone};
    for (size_t i = 0; i < 4; i++) {
        tasks[i] = (struct engine_task){.run = i, .key = run_key(&runs[i])};
        assert_ok(engine_run(engine, &tasks[i], 1, &options, &err), err);
    }
    options.context = together;
    assert_ok(engine_run(engine, tasks, 4, &options, &err), err);
    ck_assert_mem_eq(alone, together, sizeof alone);
    ck_assert(alone[0].score_std != alone[2].score_std);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("engine/positions");
    TCase *tests = tcase_create("positions");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, what_several_runs_add_is_made_once);
    tcase_add_test(tests, what_does_not_fit_is_not_kept);
    tcase_add_test(tests, of_very_many_widths_the_first_are_kept);
    tcase_add_test(tests, a_kept_encoding_moves_no_bit);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
