/* SPDX-License-Identifier: MIT */
/* Tests src/summary/course.c: pairs of corpus and seed from rows. */
#include "course_rows.h"

static struct course_rows rows;

static void clear(void)
{
    memset(&rows, 0, sizeof rows);
}

static void release(void)
{
    arena_release(&rows.arena);
}

/* Rows come with the seed slowest, as from a sweep whose last axis is the corpus. */
START_TEST(pairs_are_by_corpus_as_planned_and_seed_rising)
{
    course_rows_add(&rows, "kitchen", 10);
    course_rows_add(&rows, "demo", 10);
    course_rows_add(&rows, "kitchen", 9);
    course_rows_add(&rows, "demo", 9);
    assert_ok(course_rows_make(&rows), rows.err);
    static const char *const paths[] = {"kitchen/9.json", "kitchen/10.json", "demo/9.json",
                                        "demo/10.json"};
    ck_assert_uint_eq(rows.course.pair_count, 4);
    ck_assert_uint_eq(rows.course.corpus_count, 2);
    for (size_t p = 0; p < 4; p++) {
        ck_assert_str_eq(rows.course.pairs[p].path, paths[p]);
    }
    /* 4 letters + 9 + 0.5 for the mask 5 */
    assert_near(rows.course.pairs[2].combinations[5].measures[MEASURE_ROW_MAX_MEAN], 13.5, 1e-15);
    ck_assert(rows.course.pairs[2].combinations[5].run->guard_norm);
    ck_assert_str_eq(course_setting_value(&rows.course, RUN_SENTENCE), "the cat sat");
    ck_assert_str_eq(course_setting_value(&rows.course, RUN_D_MODEL), "64");
    ck_assert_ptr_null(course_setting_value(&rows.course, RUN_CORPUS));
    ck_assert_ptr_null(course_setting_value(&rows.course, RUN_TOKENS)); /* of gaussian runs */
}
END_TEST

START_TEST(tokens_kept_with_one_seed_are_those_of_its_corpus)
{
    struct result *row = course_rows_add(&rows, "demo", 1);
    row[3].kept =
        (struct kept){.queries = 2, .tokens = 3, .weights = course_weights, .words = "a b c"};
    course_rows_add(&rows, "demo", 2);
    course_rows_add(&rows, "kitchen", 1);
    assert_ok(course_rows_make(&rows), rows.err);
    ck_assert_uint_eq(rows.course.weights_kept, 1);
    ck_assert_ptr_null(rows.course.pairs[0].combinations[2].weights);
    assert_near(rows.course.pairs[0].combinations[3].weights[4], 0.5, 0);
    ck_assert_uint_eq(rows.course.pairs[0].combinations[3].queries, 2);
    ck_assert_str_eq(rows.course.pairs[0].words, "a b c");
    ck_assert_str_eq(rows.course.pairs[1].words, "a b c");
    ck_assert_ptr_null(rows.course.pairs[2].words);
}
END_TEST

static void assert_course_refused(const char *message)
{
    ck_assert(!course_rows_make(&rows));
    assert_error(rows.err, ERROR_INPUT, message);
}

START_TEST(another_axis_is_refused_with_its_values_and_what_to_add)
{
    course_rows_add(&rows, "demo", 1);
    course_rows_add(&rows, "demo", 2)->run.d_model = 32;
    assert_course_refused("the runs differ in d_model (64, 32)");
    assert_error(rows.err, ERROR_INPUT, "choose, as in --where 'd_model=64'");
}
END_TEST

START_TEST(a_guard_set_that_is_missing_is_named)
{
    course_rows_add(&rows, "demo", 1);
    rows.count = 7; /* without the last, all three guards */
    assert_course_refused("corpus 'demo' with seed 1 has no run with guards init+scale+norm");
    assert_error(rows.err, ERROR_INPUT, "put 'guards: all' into the sweep");
}
END_TEST

START_TEST(a_sweep_that_is_not_finished_is_told_so)
{
    course_rows_add(&rows, "demo", 1);
    rows.list[2].run.seed = 2; /* seed 1 has no scale */
    ck_assert(!course_rows_make(&rows));
    rows.err = (struct error)ERROR_INIT;
    rows.set.planned = 16;
    ck_assert(!course_make(&rows.set, &rows.selection, &rows.arena, &rows.course, &rows.err));
    assert_error(rows.err, ERROR_INPUT, "seed 1 has no run with guards scale");
    assert_error(rows.err, ERROR_INPUT, "'rowmax run' goes on with it");
}
END_TEST

START_TEST(other_sources_are_refused)
{
    for (size_t i = 0; i < 8; i++) {
        course_rows_add(&rows, "demo", 1);
        rows.list[rows.count - 1].run.source = SOURCE_GAUSSIAN;
    }
    assert_course_refused("8 of the 64 runs are of another source, as gaussian: add --where");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("summary/course");
    TCase *tests = tcase_create("course");
    tcase_add_checked_fixture(tests, clear, release);
    tcase_add_test(tests, pairs_are_by_corpus_as_planned_and_seed_rising);
    tcase_add_test(tests, tokens_kept_with_one_seed_are_those_of_its_corpus);
    tcase_add_test(tests, another_axis_is_refused_with_its_values_and_what_to_add);
    tcase_add_test(tests, a_guard_set_that_is_missing_is_named);
    tcase_add_test(tests, a_sweep_that_is_not_finished_is_told_so);
    tcase_add_test(tests, other_sources_are_refused);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
