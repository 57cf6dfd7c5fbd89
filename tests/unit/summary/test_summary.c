/* SPDX-License-Identifier: MIT */
/* Tests src/summary/summary.c: groups and estimates. */
#include "rows.h"

START_TEST(runs_that_differ_in_the_seed_only_are_one_group)
{
    struct rows rows = {.count = 0};
    for (int64_t seed = 1; seed <= 3; seed++) {
        rows_add(&rows, 0, 8, seed, 0.1);
        rows_add(&rows, 0, 16, seed, 0.2);
    }
    rows_summarise(&rows);
    ck_assert_uint_eq(rows.summary.group_count, 2);
    ck_assert_uint_eq(rows.summary.seeds, 3);
    ck_assert_uint_eq(rows.summary.groups[0].runs, 3);
    ck_assert_uint_eq(rows.summary.groups[1].rows[2], 5);
    ck_assert_int_eq(rows.summary.groups[1].sample->d_k, 16);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(an_estimate_is_the_mean_and_its_student_interval)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 0, 8, 1, 1);
    rows_add(&rows, 0, 8, 2, 2);
    rows_add(&rows, 0, 8, 3, 6);
    rows_summarise(&rows);
    const struct estimate *e = &rows.summary.groups[0].measures[MEASURE_ROW_MAX_MEAN];
    ck_assert_uint_eq(e->count, 3);
    assert_near(e->mean, 3, 1e-15);
    /* s = sqrt((4 + 1 + 9) / 2) = sqrt 7; t(0.975, 2) = 4.302653 */
    assert_near(e->half_width, 4.302653 * sqrt(7.0 / 3.0), 1e-4);
    assert_near(e->maximum, 6, 0);
    assert_near(rows.summary.groups[0].measures[MEASURE_TOKENS].mean, 8, 0);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(one_seed_has_no_interval)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 0, 8, 1, 0.5);
    rows_summarise(&rows);
    const struct estimate *e = &rows.summary.groups[0].measures[MEASURE_ROW_MAX_MEAN];
    assert_near(e->mean, 0.5, 0);
    ck_assert(isnan(e->half_width));
    ck_assert_uint_eq(rows.summary.axis_count, 0);
    ck_assert_uint_eq(rows.summary.seeds, 1);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(failed_runs_count_but_do_not_enter_a_mean)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 0, 8, 1, 0.25);
    rows_add(&rows, 0, 8, 2, (double)NAN)->status = RESULT_FAILED;
    rows_summarise(&rows);
    const struct summary_group *group = &rows.summary.groups[0];
    ck_assert_uint_eq(group->runs, 2);
    ck_assert_uint_eq(group->failed, 1);
    ck_assert_uint_eq(rows.summary.failed, 1);
    ck_assert_uint_eq(group->measures[MEASURE_ROW_MAX_MEAN].count, 1);
    assert_near(group->measures[MEASURE_ROW_MAX_MEAN].mean, 0.25, 0);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(an_undefined_value_makes_the_whole_estimate_undefined)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 0, 8, 1, 0.25);
    rows_add(&rows, 0, 8, 2, (double)NAN);
    rows_summarise(&rows);
    const struct estimate *e = &rows.summary.groups[0].measures[MEASURE_ROW_MAX_MEAN];
    ck_assert_uint_eq(e->count, 2);
    ck_assert(isnan(e->mean));
    ck_assert(isnan(e->maximum));
    arena_release(&rows.arena);
}
END_TEST

START_TEST(an_infinite_value_stays_infinite)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 0, 8, 1, 1);
    rows_add(&rows, 0, 8, 2, (double)INFINITY);
    rows_summarise(&rows);
    const struct estimate *e = &rows.summary.groups[0].measures[MEASURE_ROW_MAX_MEAN];
    assert_near(e->mean, (double)INFINITY, 0);
    assert_near(e->maximum, (double)INFINITY, 0);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(rows_outside_the_plan_are_counted_and_left_out)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 0, 8, 1, 0.25);
    rows_add(&rows, 0, 999, 1, 0.75)->index = -1;
    rows_summarise(&rows);
    ck_assert_uint_eq(rows.summary.planned, 1);
    ck_assert_uint_eq(rows.summary.outside, 1);
    ck_assert_uint_eq(rows.summary.group_count, 1);
    ck_assert_uint_eq(rows.summary.axis_count, 0);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(an_empty_set_has_no_groups)
{
    struct rows rows = {.count = 0};
    rows_summarise(&rows);
    ck_assert_uint_eq(rows.summary.group_count, 0);
    ck_assert_uint_eq(rows.summary.seeds, 0);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(rows_without_weights_are_counted_over_successful_runs)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 0, 8, 1, 0.25)->measurement.undefined_rows = 2;
    rows_add(&rows, 0, 8, 2, (double)NAN)->measurement.undefined_rows = 3;
    rows_add(&rows, 0, 8, 3, 0.25);
    rows_add(&rows, 0, 8, 4, (double)NAN)->measurement.undefined_rows = 8;
    rows.list[3].status = RESULT_FAILED;
    rows_summarise(&rows);
    ck_assert_uint_eq(rows.summary.groups[0].undefined_runs, 2);
    ck_assert_int_eq(rows.summary.groups[0].undefined_rows, 5);
    arena_release(&rows.arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("summary");
    TCase *cases = tcase_create("groups");
    tcase_add_test(cases, runs_that_differ_in_the_seed_only_are_one_group);
    tcase_add_test(cases, an_estimate_is_the_mean_and_its_student_interval);
    tcase_add_test(cases, one_seed_has_no_interval);
    tcase_add_test(cases, failed_runs_count_but_do_not_enter_a_mean);
    tcase_add_test(cases, an_undefined_value_makes_the_whole_estimate_undefined);
    tcase_add_test(cases, an_infinite_value_stays_infinite);
    tcase_add_test(cases, rows_outside_the_plan_are_counted_and_left_out);
    tcase_add_test(cases, an_empty_set_has_no_groups);
    tcase_add_test(cases, rows_without_weights_are_counted_over_successful_runs);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
