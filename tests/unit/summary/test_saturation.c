/* SPDX-License-Identifier: MIT */
/* Tests src/summary/saturation.c: verdicts, tallies, partners, crossings. */
#include "rows.h"

#include "summary/saturation.h"

START_TEST(a_group_saturates_from_its_threshold_on)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 0, 1, 1, 0.8999);
    rows_add(&rows, 0, 2, 1, 0.9);
    rows_add(&rows, 0, 3, 1, (double)NAN);
    rows_add(&rows, 0, 4, 1, 1)->status = RESULT_FAILED;
    rows_summarise(&rows);
    ck_assert_int_eq(saturation_of(&rows.summary.groups[0]), SATURATION_NO);
    ck_assert_int_eq(saturation_of(&rows.summary.groups[1]), SATURATION_YES);
    ck_assert_int_eq(saturation_of(&rows.summary.groups[2]), SATURATION_UNKNOWN);
    ck_assert_int_eq(saturation_of(&rows.summary.groups[3]), SATURATION_UNKNOWN);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(a_verdict_is_undecided_when_the_interval_holds_the_threshold)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 0, 1, 1, 0.85);
    rows_add(&rows, 0, 1, 2, 0.97);
    rows_add(&rows, 0, 2, 1, 0.20);
    rows_add(&rows, 0, 2, 2, 0.21);
    rows_add(&rows, 0, 3, 1, 0.9);
    rows_summarise(&rows);
    ck_assert_int_eq(saturation_of(&rows.summary.groups[0]), SATURATION_UNDECIDED);
    ck_assert_int_eq(saturation_of(&rows.summary.groups[1]), SATURATION_NO);
    ck_assert_int_eq(saturation_of(&rows.summary.groups[2]), SATURATION_YES);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(a_tally_counts_the_groups_of_a_value)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 0, 8, 1, 0.95);
    rows_add(&rows, 0, 16, 1, 0.99);
    rows_add(&rows, 3, 8, 1, 0.3);
    rows_add(&rows, 3, 16, 1, (double)NAN);
    rows_add(&rows, 3, 32, 1, 0.85); /* 0.91 ± 0.76 */
    rows_add(&rows, 3, 32, 2, 0.97);
    rows_summarise(&rows);
    const struct summary_axis *guards = summary_axis_find(&rows.summary, AXIS_GUARDS);
    struct saturation_tally none = saturation_count(&rows.summary, guards, 0);
    struct saturation_tally both = saturation_count(&rows.summary, guards, 1);
    struct saturation_tally all = saturation_count(&rows.summary, NULL, 0);
    ck_assert_uint_eq(none.saturated, 2);
    ck_assert_int_eq(none.highest->sample->d_k, 16);
    ck_assert_uint_eq(both.saturated, 0);
    ck_assert_uint_eq(both.unknown, 1);
    ck_assert_uint_eq(both.undecided, 1);
    ck_assert_uint_eq(all.groups, 5);
    ck_assert_uint_eq(all.undecided, 1);
    assert_near(all.lowest->measures[MEASURE_ROW_MAX_MEAN].mean, 0.3, 0);
    arena_release(&rows.arena);
}
END_TEST

START_TEST(a_partner_differs_in_the_guards_only)
{
    struct rows rows = {.count = 0};
    rows_add(&rows, 3, 8, 1, 0.95);
    rows_add(&rows, 7, 16, 1, 0.3);
    rows_add(&rows, 7, 8, 1, 0.2);
    rows_summarise(&rows);
    const struct summary_group *first = &rows.summary.groups[0];
    ck_assert_ptr_eq(saturation_partner(&rows.summary, first, 7), &rows.summary.groups[2]);
    ck_assert_ptr_null(saturation_partner(&rows.summary, first, 1));
    arena_release(&rows.arena);
}
END_TEST

START_TEST(powers_of_two_are_geometric_and_steps_are_not)
{
    static const double powers[] = {1, 2, 4, 8, 16};
    static const double steps[] = {1, 2, 3, 4, 5};
    static const double from_zero[] = {0, 1, 10, 100};
    static const double near[] = {8, 16};
    static const double far[] = {8, 64};
    ck_assert(saturation_geometric(5, powers));
    ck_assert(!saturation_geometric(5, steps));
    ck_assert(!saturation_geometric(4, from_zero));
    ck_assert(!saturation_geometric(2, near));
    ck_assert(saturation_geometric(2, far));
    ck_assert(!saturation_geometric(1, powers));
}
END_TEST

START_TEST(a_crossing_is_interpolated_on_the_scale_of_the_axis)
{
    static const double x[] = {1, 4, 16};
    static const double y[] = {0.5, 0.7, 1.1};
    struct saturation_crossing found[2];
    ck_assert_uint_eq(saturation_crossings(3, x, y, 0.9, true, found), 1);
    assert_near(found[0].at, 8, 1e-12); /* half way in ln x between 4 and 16 */
    ck_assert(found[0].enters);
    assert_near(found[0].from, 4, 0);
    assert_near(found[0].to, 16, 0);
    ck_assert_uint_eq(saturation_crossings(3, x, y, 0.9, false, found), 1);
    assert_near(found[0].at, 10, 1e-12);
}
END_TEST

START_TEST(every_crossing_is_reported)
{
    static const double x[] = {1, 2, 3, 4};
    static const double y[] = {0, 1, 0, 1};
    struct saturation_crossing found[3];
    ck_assert_uint_eq(saturation_crossings(4, x, y, 0.5, false, found), 3);
    assert_near(found[1].at, 2.5, 1e-15);
    ck_assert(!found[1].enters);
    ck_assert(found[2].enters);
}
END_TEST

START_TEST(without_a_crossing_nothing_is_reported)
{
    static const double x[] = {1, 2, 3};
    static const double below[] = {0.1, 0.2, 0.3};
    static const double above[] = {0.9, 0.95, 1};
    static const double broken[] = {0.1, (double)NAN, 1};
    struct saturation_crossing found[2];
    ck_assert_uint_eq(saturation_crossings(3, x, below, 0.9, false, found), 0);
    ck_assert_uint_eq(saturation_crossings(3, x, above, 0.9, false, found), 0);
    ck_assert_uint_eq(saturation_crossings(3, x, broken, 0.9, false, found), 0);
    ck_assert_uint_eq(saturation_crossings(0, x, below, 0.9, false, found), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("saturation");
    TCase *cases = tcase_create("verdicts");
    tcase_add_test(cases, a_group_saturates_from_its_threshold_on);
    tcase_add_test(cases, a_verdict_is_undecided_when_the_interval_holds_the_threshold);
    tcase_add_test(cases, a_tally_counts_the_groups_of_a_value);
    tcase_add_test(cases, a_partner_differs_in_the_guards_only);
    suite_add_tcase(suite, cases);
    cases = tcase_create("crossings");
    tcase_add_test(cases, powers_of_two_are_geometric_and_steps_are_not);
    tcase_add_test(cases, a_crossing_is_interpolated_on_the_scale_of_the_axis);
    tcase_add_test(cases, every_crossing_is_reported);
    tcase_add_test(cases, without_a_crossing_nothing_is_reported);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
