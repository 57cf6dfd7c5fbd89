/* SPDX-License-Identifier: MIT */
/* Tests src/report/scales.c: ranges and tick marks. */
#include "report/scales.h"
#include "support.h"

#include <string.h>

static struct arena arena;

static const char *script_of(const struct scale *scale, bool labels)
{
    struct text text = TEXT_INIT(&arena);
    struct error err = ERROR_INIT;
    scale_append(&text, 'y', scale, labels);
    return text_finish(&text, &err);
}

static void expect_part(const char *script, const char *part)
{
    ck_assert_msg(strstr(script, part) != NULL, "no \"%s\" in: %s", part, script);
}

START_TEST(a_linear_range_starts_at_zero_unless_values_are_negative)
{
    struct extent extent = EXTENT_EMPTY;
    extent_add(&extent, 1, 0);
    extent_add(&extent, 5, 0);
    struct scale scale = scale_linear(&extent);
    assert_near(scale.low, 0, 0);
    assert_near(scale.high, 5.4, 1e-12);
    struct extent constant = EXTENT_EMPTY;
    extent_add(&constant, 1, 0);
    scale = scale_linear(&constant);
    assert_near(scale.low, 0, 0);
    assert_near(scale.high, 1.08, 1e-12);
    extent_add(&constant, -1, 0);
    scale = scale_linear(&constant);
    assert_near(scale.low, -1.16, 1e-12);
}
END_TEST

START_TEST(zeros_widen_a_logarithmic_range_at_its_foot)
{
    struct extent extent = EXTENT_EMPTY;
    extent_add(&extent, 0.01, 0);
    extent_add(&extent, 1, 0);
    struct scale without = scale_logarithmic(&extent);
    extent_add(&extent, 0, 0);
    struct scale with = scale_logarithmic(&extent);
    ck_assert(without.low > 0 && without.low < 0.01);
    ck_assert(with.low < without.low / 2);
    assert_near(with.high, without.high, 0);
    ck_assert_uint_eq(extent.zeros, 1);
}
END_TEST

START_TEST(an_interval_that_nears_zero_does_not_stretch_the_axis_for_ever)
{
    struct extent extent = EXTENT_EMPTY;
    extent_add(&extent, 0.01, 0.0099999);
    extent_add(&extent, 1, 0);
    assert_near(extent.least_positive, 0.0025, 1e-12);
}
END_TEST

START_TEST(three_hundred_decades_leave_a_finite_range)
{
    struct extent extent = EXTENT_EMPTY;
    extent_add(&extent, 5e-324, 0);
    extent_add(&extent, 0.5, 0);
    struct scale scale = scale_logarithmic(&extent);
    ck_assert(scale.low > 0);
    ck_assert(scale.low < 2.2e-308); /* below the least normal number, where gradients still are */
    ck_assert(scale.high < 1e20);    /* 0.5 and a twentieth of 323 decades */
    struct extent subnormal = EXTENT_EMPTY;
    extent_add(&subnormal, 5e-324, 0);
    extent_add(&subnormal, 1e-320, 0);
    scale = scale_logarithmic(&subnormal);
    ck_assert(scale.low > 0 && scale.high > 2.3e-308);
}
END_TEST

START_TEST(values_that_cannot_be_drawn_are_counted)
{
    struct extent extent = EXTENT_EMPTY;
    extent_add(&extent, (double)NAN, 0);
    extent_add(&extent, (double)INFINITY, 0);
    ck_assert_uint_eq(extent.lost, 2);
    struct scale linear = scale_linear(&extent);
    struct scale logarithmic = scale_logarithmic(&extent);
    ck_assert(!(linear.low < linear.high));
    ck_assert(!(logarithmic.low < logarithmic.high));
    extent_add(&extent, 0, 0);
    logarithmic = scale_logarithmic(&extent);
    ck_assert(!(logarithmic.low < logarithmic.high));
}
END_TEST

START_TEST(tick_marks_are_round_numbers)
{
    const struct scale unit = {false, 0, 1.04};
    expect_part(script_of(&unit, true),
                "('0.00' 0, '0.25' 0.25, '0.50' 0.5, '0.75' 0.75, '1.00' 1)");
    expect_part(script_of(&unit, false), "('' 0, '' 0.25");
    const struct scale decades = {true, 2e-9, 3};
    expect_part(script_of(&decades, true), "('10⁻⁸' 1e-08, '10⁻⁶' 1e-06");
    expect_part(script_of(&decades, true), "'1' 1)");
    const struct scale plain = {true, 0.5, 20000};
    expect_part(script_of(&plain, true),
                "('1' 1, '10' 10, '100' 100, '1,000' 1000, '10,000' 10000)");
    const struct scale halves = {true, 0.04, 1.5};
    const struct scale small = {true, 2e-6, 4e-5};
    expect_part(script_of(&small, true), "'5e-6' 5e-06, '1e-5' 1e-05, '2e-5' 2e-05");
    const struct scale linear = {false, 0, 3000};
    expect_part(script_of(&linear, true), "('0' 0, '1,000' 1000, '2,000' 2000, '3,000' 3000)");
    expect_part(script_of(&halves, true), "('0.05' 0.05, '0.1' 0.1, '0.2' 0.2, '0.5' 0.5, '1' 1)");
}
END_TEST

START_TEST(the_axis_of_shares_ends_above_one_with_ticks_up_to_one)
{
    const struct scale unit = scale_unit();
    assert_near(unit.low, 0, 0);
    assert_near(unit.high, 1.03, 0);
    expect_part(script_of(&unit, true), "('0.0' 0, '0.2' 0.2, '0.4' 0.4, '0.6' 0.6, '0.8' 0.8, "
                                        "'1.0' 1)");
}
END_TEST

START_TEST(tick_marks_of_huge_and_tiny_ranges_are_short)
{
    /* gnuplot gives up on a picture that has no room for its labels. */
    const struct scale huge = {false, 0, 1.04e154};
    expect_part(script_of(&huge, true), "('0' 0, '2.5e+153' 2.5e+153, '5e+153' 5e+153, ");
    const struct scale tiny = {false, -3e-101, 3.1e-100};
    expect_part(script_of(&tiny, true), "('0' 0, '1e-100' 1e-100, '2e-100' 2e-100, ");
    const struct scale quarters = {false, -62, 62};
    expect_part(script_of(&quarters, true), "('−50' -50, '−25' -25, '0' 0, '25' 25, '50' 50)");
}
END_TEST

START_TEST(a_linear_range_ends_before_its_length_overflows)
{
    struct extent extent = EXTENT_EMPTY;
    extent_add(&extent, -1.7e308, 0);
    extent_add(&extent, 1.7e308, 0);
    struct scale scale = scale_linear(&extent);
    ck_assert(isfinite(scale.high - scale.low) && scale.low < -1e307 && scale.high > 1e307);
}
END_TEST

START_TEST(a_logarithmic_axis_is_set_after_its_range)
{
    const struct scale scale = {true, 1, 1000};
    expect_part(script_of(&scale, true), "unset logscale y\nset yrange [1:1000]\nset logscale y\n");
}
END_TEST

START_TEST(values_over_more_than_a_decade_are_wide)
{
    struct extent extent = EXTENT_EMPTY;
    extent_add(&extent, 1, 0);
    extent_add(&extent, 15, 0);
    ck_assert(!extent_wide(&extent));
    extent_add(&extent, 25, 0);
    ck_assert(extent_wide(&extent));
    extent_add(&extent, -1, 0);
    ck_assert(!extent_wide(&extent));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scales");
    TCase *cases = tcase_create("scales");
    tcase_add_test(cases, a_linear_range_starts_at_zero_unless_values_are_negative);
    tcase_add_test(cases, zeros_widen_a_logarithmic_range_at_its_foot);
    tcase_add_test(cases, an_interval_that_nears_zero_does_not_stretch_the_axis_for_ever);
    tcase_add_test(cases, three_hundred_decades_leave_a_finite_range);
    tcase_add_test(cases, values_that_cannot_be_drawn_are_counted);
    tcase_add_test(cases, tick_marks_are_round_numbers);
    tcase_add_test(cases, the_axis_of_shares_ends_above_one_with_ticks_up_to_one);
    tcase_add_test(cases, tick_marks_of_huge_and_tiny_ranges_are_short);
    tcase_add_test(cases, a_linear_range_ends_before_its_length_overflows);
    tcase_add_test(cases, a_logarithmic_axis_is_set_after_its_range);
    tcase_add_test(cases, values_over_more_than_a_decade_are_wide);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
