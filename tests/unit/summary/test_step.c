/* SPDX-License-Identifier: MIT */
/* Tests src/summary/step.c: where a series steps, and what is none. */
#include "summary/step.h"
#include "support.h"

#define FIND(y, tolerance) step_find(sizeof(y) / sizeof(y)[0], y, tolerance, scratch)

static const struct tolerance tight = {1e-10, 1e-8};

START_TEST(a_clean_step_is_found_where_it_is)
{
    double scratch[3 * 8];
    const double y[] = {1, 1, 1, 1, 1, 2, 2, 2};
    struct step step = FIND(y, tight);
    ck_assert_uint_eq(step.at, 5);
    assert_near(step.before, 1, 0);
    assert_near(step.after, 2, 0);
}
END_TEST

START_TEST(a_step_tonight_is_found_tonight)
{
    double scratch[3 * 4];
    const double y[] = {1, 1, 1, 2};
    ck_assert_uint_eq(FIND(y, tight).at, 3);
    ck_assert_uint_eq(step_find(2, y + 2, tight, scratch).at, 1);
}
END_TEST

START_TEST(a_level_has_no_step_and_neither_has_a_single_night)
{
    double scratch[3 * 4];
    const double y[] = {1, 1, 1, 1};
    ck_assert_uint_eq(FIND(y, tight).at, 0);
    ck_assert_uint_eq(step_find(1, y, tight, scratch).at, 0);
    ck_assert_uint_eq(step_find(0, y, tight, scratch).at, 0);
}
END_TEST

START_TEST(a_change_within_the_tolerance_is_no_step)
{
    double scratch[3 * 6];
    const double y[] = {1, 1, 1, 1 + 1e-9, 1 + 1e-9, 1 + 1e-9};
    ck_assert_uint_eq(FIND(y, tight).at, 0);
    ck_assert_uint_eq(FIND(y, ((struct tolerance){0, 1e-10})).at, 3);
}
END_TEST

START_TEST(one_odd_night_is_no_step)
{
    double scratch[3 * 7];
    const double y[] = {1, 1, 1, 9, 1, 1, 1};
    ck_assert_uint_eq(FIND(y, tight).at, 0);
}
END_TEST

START_TEST(an_odd_night_does_not_hide_a_step)
{
    double scratch[3 * 12];
    const double y[] = {1, 1, 90, 1, 1, 1, 1, 2, 2, 2, 2, 2};
    ck_assert_uint_eq(FIND(y, tight).at, 7);
}
END_TEST

/* Halves of these are at 0 and 1 with a median distance of 1 from their medians: 3 MAD is 4.4. */
START_TEST(noise_that_is_larger_than_the_step_hides_it)
{
    double scratch[3 * 10];
    const double y[] = {-1, 1, 0, -1, 1, 0, 2, 1, 0, 2};
    ck_assert_uint_eq(FIND(y, tight).at, 0);
    const double clear[] = {-1, 1, 0, -1, 1, 100, 102, 101, 100, 102};
    struct step step = FIND(clear, tight);
    ck_assert_uint_eq(step.at, 5);
    assert_near(step.after, 101, 0);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("step");
    tcase_add_test(all, a_clean_step_is_found_where_it_is);
    tcase_add_test(all, a_step_tonight_is_found_tonight);
    tcase_add_test(all, a_level_has_no_step_and_neither_has_a_single_night);
    tcase_add_test(all, a_change_within_the_tolerance_is_no_step);
    tcase_add_test(all, one_odd_night_is_no_step);
    tcase_add_test(all, an_odd_night_does_not_hide_a_step);
    tcase_add_test(all, noise_that_is_larger_than_the_step_hides_it);
    Suite *suite = suite_create("summary.step");
    suite_add_tcase(suite, all);
    return support_run(suite);
}
