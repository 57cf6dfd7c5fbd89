/* SPDX-License-Identifier: MIT */
/* Tests src/summary/course_compare.c: what moved between two exports. */
#include "course_rows.h"

static struct course_rows before, after;
static struct course_moves moves;

/* Both: corpora demo and kitchen, seeds 1 and 2, weights of the first run. */
static void set_up(void)
{
    struct course_rows *const both[] = {&before, &after};
    for (int i = 0; i < 2; i++) {
        memset(both[i], 0, sizeof *both[i]);
        struct result *row = course_rows_add(both[i], "demo", 1);
        row->kept =
            (struct kept){.queries = 2, .tokens = 3, .weights = course_weights, .words = "a b c"};
        course_rows_add(both[i], "demo", 2);
        course_rows_add(both[i], "kitchen", 1);
    }
}

static void tear_down(void)
{
    arena_release(&before.arena);
    arena_release(&after.arena);
}

static void compare(const struct tolerance_set *tolerances)
{
    assert_ok(course_rows_make(&before), before.err);
    assert_ok(course_rows_make(&after), after.err);
    assert_ok(
        course_compare(&before.course, &after.course, tolerances, &after.arena, &moves, &after.err),
        after.err);
}

static void assert_only(enum course_change change)
{
    ck_assert_uint_eq(moves.count, 1);
    ck_assert_int_eq(moves.items[0].change, change);
}

/* 3 pairs of 8 combinations of 37 measures, and 6 weights. */
START_TEST(the_same_has_not_moved)
{
    before.list[3].measurement.score_std = after.list[3].measurement.score_std = (double)NAN;
    before.list[4].measurement.score_std = after.list[4].measurement.score_std = -(double)INFINITY;
    compare(NULL);
    ck_assert_uint_eq(moves.count, 0);
    ck_assert_uint_eq(moves.pairs, 3);
    ck_assert_uint_eq(moves.numbers, UINT64_C(3) * 8 * MEASUREMENT_FIELD_COUNT + 6);
    ck_assert_uint_eq(moves.totals[MEASURE_SCORE_STD].compared, 24);
    ck_assert_uint_eq(moves.totals[MEASURE_SCORE_STD].moved, 0);
    ck_assert_uint_eq(moves.totals[COURSE_TOTAL_WEIGHTS].compared, 6);
}
END_TEST

START_TEST(a_number_that_moved_is_told_with_its_place)
{
    before.list[13].measurement.gradient_wq = 4; /* demo, seed 2, mask 5 */
    after.list[13].measurement.gradient_wq = 3;
    compare(NULL);
    assert_only(COURSE_MOVED);
    ck_assert_str_eq(moves.items[0].corpus, "demo");
    ck_assert_int_eq(moves.items[0].seed, 2);
    ck_assert_int_eq(moves.items[0].guards, 5);
    ck_assert_str_eq(moves.items[0].what, "gradient_wq");
    assert_near(course_relative(&moves.items[0]), -0.25, 0);
    ck_assert_uint_eq(moves.pairs_moved, 1);
}
END_TEST

START_TEST(a_tolerance_lets_numbers_pass_but_no_nan)
{
    struct tolerance_rule rule = {.measure = TOLERANCE_EVERY, .atol = 0, .rtol = 0.3};
    const struct tolerance_set set = {&rule, 1};
    before.list[13].measurement.gradient_wq = 4;
    after.list[13].measurement.gradient_wq = 3;
    compare(&set);
    ck_assert_uint_eq(moves.count, 0);
    after.list[13].measurement.gradient_wq = (double)NAN;
    compare(&set);
    assert_only(COURSE_MOVED);
    ck_assert(isnan(course_relative(&moves.items[0])));
}
END_TEST

START_TEST(of_the_weights_the_one_that_moved_most_is_told)
{
    static const double other[6] = {0.9, 0.1, 0, 0.25, 0.25, 0.5};
    after.list[0].kept.weights = other;
    compare(NULL);
    assert_only(COURSE_MOVED);
    ck_assert_str_eq(moves.items[0].what, "weights");
    ck_assert_uint_eq(moves.items[0].row, 1); /* 0.5 to 0.25, before its neighbour */
    ck_assert_uint_eq(moves.items[0].column, 1);
    ck_assert_uint_eq(moves.counts[COURSE_MOVED], 4);
    ck_assert_uint_eq(moves.totals[COURSE_TOTAL_WEIGHTS].moved, 4);
}
END_TEST

START_TEST(of_each_measure_the_number_that_moved_most_is_told)
{
    static const double now[3] = {1.5, -2, 0.5}; /* from 0, so -2 by most */
    for (size_t i = 0; i < 3; i++) {
        after.list[i + 1].measurement.max_logit = now[i];
    }
    after.list[9].measurement.entropy_mean = (double)NAN;
    after.list[10].measurement.entropy_mean = 1e300;
    compare(NULL);
    const struct course_total *total = &moves.totals[MEASURE_MAX_LOGIT];
    ck_assert_uint_eq(total->moved, 3);
    ck_assert_uint_eq(total->compared, 24);
    ck_assert_int_eq(moves.items[total->largest].guards, 2);
    assert_near(moves.items[total->largest].after, -2, 0);
    total = &moves.totals[MEASURE_ENTROPY_MEAN];
    ck_assert_uint_eq(total->moved, 2);
    ck_assert(isnan(moves.items[total->largest].after));
    ck_assert_uint_eq(moves.counts[COURSE_MOVED], 5);
}
END_TEST

/* A number that was next to nothing has changed by all of itself, not by 4e29 of it. */
START_TEST(a_relative_change_is_of_the_larger_number)
{
    struct course_move move = {.before = 1e-30, .after = 0.5};
    assert_near(course_relative(&move), 1, 1e-15);
    move = (struct course_move){.before = 0.5, .after = 0};
    assert_near(course_relative(&move), -1, 0);
    move = (struct course_move){.before = 1e308, .after = -1e308};
    assert_near(course_relative(&move), -2, 0);
    move = (struct course_move){.before = 1, .after = (double)INFINITY};
    ck_assert(isnan(course_relative(&move)));
}
END_TEST

START_TEST(weights_tokens_and_status_have_kinds_of_their_own)
{
    after.list[0].kept.weights = NULL;
    after.list[0].kept.words = NULL;
    after.list[8].status = RESULT_FAILED;
    compare(NULL);
    ck_assert_uint_eq(moves.counts[COURSE_WEIGHTS], 1);
    ck_assert_uint_eq(moves.counts[COURSE_TOKENS], 2); /* of both seeds of demo */
    ck_assert_uint_eq(moves.counts[COURSE_STATUS], 1);
}
END_TEST

START_TEST(weights_of_other_sizes_are_told_by_their_sizes)
{
    before.list[0].measurement.queries = 2;
    after.list[0].measurement.queries = 1; /* a measure of its own, told before */
    compare(NULL);
    ck_assert_uint_eq(moves.count, 2);
    ck_assert_int_eq(moves.items[0].change, COURSE_MOVED);
    ck_assert_int_eq(moves.items[1].change, COURSE_TOKENS);
    ck_assert_str_eq(moves.items[1].old_text, "2 by 3");
    ck_assert_str_eq(moves.items[1].new_text, "1 by 3");
}
END_TEST

START_TEST(pairs_come_and_go)
{
    for (size_t i = 16; i < 24; i++) {
        after.list[i].run.seed = 7;
    }
    compare(NULL);
    ck_assert_uint_eq(moves.count, 2);
    ck_assert_int_eq(moves.items[0].change, COURSE_NEW);
    ck_assert_int_eq(moves.items[0].seed, 7);
    ck_assert_int_eq(moves.items[1].change, COURSE_GONE);
    ck_assert_int_eq(moves.items[1].seed, 1);
    ck_assert_str_eq(moves.items[1].corpus, "kitchen");
    ck_assert_uint_eq(moves.pairs, 2);
}
END_TEST

START_TEST(settings_and_texts_are_compared)
{
    for (size_t i = 0; i < after.count; i++) {
        after.list[i].run.power = 1;
        after.list[i].run.corpus_digest = "other";
    }
    compare(NULL);
    ck_assert_uint_eq(moves.count, 3);
    ck_assert_int_eq(moves.items[0].change, COURSE_SETTING);
    ck_assert_str_eq(moves.items[0].what, "power");
    ck_assert_str_eq(moves.items[0].old_text, "0.5");
    ck_assert_str_eq(moves.items[0].new_text, "1");
    ck_assert_uint_eq(moves.counts[COURSE_TEXT], 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("summary/course_compare");
    TCase *tests = tcase_create("course_compare");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, the_same_has_not_moved);
    tcase_add_test(tests, a_number_that_moved_is_told_with_its_place);
    tcase_add_test(tests, a_tolerance_lets_numbers_pass_but_no_nan);
    tcase_add_test(tests, of_the_weights_the_one_that_moved_most_is_told);
    tcase_add_test(tests, of_each_measure_the_number_that_moved_most_is_told);
    tcase_add_test(tests, a_relative_change_is_of_the_larger_number);
    tcase_add_test(tests, weights_tokens_and_status_have_kinds_of_their_own);
    tcase_add_test(tests, weights_of_other_sizes_are_told_by_their_sizes);
    tcase_add_test(tests, pairs_come_and_go);
    tcase_add_test(tests, settings_and_texts_are_compared);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
