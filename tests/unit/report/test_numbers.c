/* SPDX-License-Identifier: MIT */
/* Tests src/report/numbers.c: numbers as people read them. */
#include "report/numbers.h"
#include "support.h"

static void expect_text(double value, const char *expected)
{
    char out[NUMBER_SIZE];
    ck_assert_str_eq(number_text(value, out), expected);
}

static void expect_share(double value, const char *expected)
{
    char out[NUMBER_SIZE];
    ck_assert_str_eq(number_share(value, out), expected);
}

static void expect_estimate(double mean, double half_width, const char *expected)
{
    char out[NUMBER_SIZE];
    const struct estimate estimate = {32, mean, half_width, mean};
    ck_assert_str_eq(number_estimate(&estimate, true, out), expected);
}

START_TEST(plain_numbers_have_three_significant_digits)
{
    expect_text(0, "0");
    expect_text(0.18349, "0.183");
    expect_text(12.06, "12.1");
    expect_text(4359, "4,360");
    expect_text(-43590, "-43,600");
    expect_text(-2.5, "-2.50");
    expect_text(0.001, "0.00100");
    expect_text(1, "1.00");
}
END_TEST

START_TEST(small_and_large_numbers_have_a_power_of_ten)
{
    expect_text(3.31e-10, "3.31 × 10⁻¹⁰");
    expect_text(9.999e-5, "1.00 × 10⁻⁴");
    expect_text(123456, "1.23 × 10⁵");
    expect_text(4e-320, "4.00 × 10⁻³²⁰");
}
END_TEST

START_TEST(a_share_below_one_never_prints_as_one)
{
    expect_share(0.9994, "0.999");
    expect_share(0.9996, "0.9996");
    expect_share(0.99999, "0.99999");
    expect_share(1 - 3.2e-9, "1 − 3.20 × 10⁻⁹");
    expect_share(1, "1.00");
    expect_estimate(1 - 2e-9, 1e-9, "1 − (2.0 ± 1.0) × 10⁻⁹");
    expect_text(0.99999, "1.00");
}
END_TEST

/* 0.003/(0.998 · 0.002) = 1.503 around the logit: odds of 499 become 111.0 and 2243. And
 * 0.127/(0.01 · 0.99) = 12.8 around 1 to 99: from 2.7e-8 to 0.99973, odds of 3705. */
START_TEST(a_share_near_an_end_shows_both_ends_of_its_interval)
{
    expect_estimate(0.998, 0.003, "0.9980 [0.9911 to 0.9996]");
    expect_estimate(0.01, 0.127, "0.0100 [2.71 × 10⁻⁸ to 0.9997]");
    expect_estimate(0.98, 0.01, "0.980 ± 0.010");
}
END_TEST

START_TEST(what_is_not_finite_is_named)
{
    expect_text((double)NAN, "undefined");
    expect_text((double)INFINITY, "∞");
    expect_text(-(double)INFINITY, "−∞");
}
END_TEST

START_TEST(an_estimate_shows_two_digits_of_its_half_width)
{
    expect_estimate(0.1834, 0.0123, "0.183 ± 0.012");
    expect_estimate(0.99981, 0.00013, "0.99981 ± 0.00013");
    expect_estimate(12.34, 4.5, "12.3 ± 4.5");
    expect_estimate(13397, 343, "13,400 ± 340");
    expect_estimate(3.31e-10, 2.1e-10, "(3.3 ± 2.1) × 10⁻¹⁰");
    expect_estimate(0, 0.25, "0.00 ± 0.25");
}
END_TEST

START_TEST(an_estimate_without_an_interval_is_a_number)
{
    expect_estimate(0.561, (double)NAN, "0.561");
    expect_estimate(0.561, 0, "0.561");
    expect_estimate(0.561, 4e-7, "0.561");
    expect_estimate((double)NAN, (double)NAN, "undefined");
    char out[NUMBER_SIZE];
    const struct estimate none = {0, (double)NAN, (double)NAN, (double)NAN};
    ck_assert_str_eq(number_estimate(&none, false, out), "no result");
}
END_TEST

/* Where fp32 breaks, 88.7228 and 88.7229 lie apart; what a head computed has three digits. */
START_TEST(the_largest_of_given_scores_has_six_digits)
{
    static const struct {
        double value;
        const char *given, *computed;
    } cases[] = {{88.7228012084961, "88.7228", "88.7"},
                 {1002, "1,002", "1,000"},
                 {-3, "-3", "-3.00"},
                 {1e300, "1.00 × 10³⁰⁰", "1.00 × 10³⁰⁰"},
                 {(double)NAN, "undefined", "undefined"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[NUMBER_SIZE];
        struct run run = run_default();
        struct summary_group group = {.sample = &run};
        group.measures[MEASURE_MAX_LOGIT] =
            (struct estimate){1, cases[i].value, (double)NAN, cases[i].value};
        ck_assert_str_eq(number_measure(&group, MEASURE_MAX_LOGIT, out), cases[i].computed);
        run.source = SOURCE_SCORES;
        ck_assert_str_eq(number_measure(&group, MEASURE_MAX_LOGIT, out), cases[i].given);
    }
}
END_TEST

START_TEST(given_values_print_as_they_were_written)
{
    char out[NUMBER_SIZE];
    ck_assert_str_eq(number_given(0.9, out), "0.9");
    ck_assert_str_eq(number_given(3008, out), "3,008");
    ck_assert_str_eq(number_given(1234567, out), "1,234,567");
    ck_assert_str_eq(number_given(-999, out), "-999");
    ck_assert_str_eq(number_given(1e-5, out), "1e-05");
}
END_TEST

START_TEST(what_is_interpolated_has_two_digits)
{
    char out[NUMBER_SIZE];
    ck_assert_str_eq(number_about(41.7, out), "42");
    ck_assert_str_eq(number_about(1121, out), "1,100");
    ck_assert_str_eq(number_about(99.7, out), "100");
    ck_assert_str_eq(number_about(0.0555, out), "0.056");
    ck_assert_str_eq(number_about(2, out), "2.0");
    ck_assert_str_eq(number_about(8.19e111, out), "8.2 × 10¹¹¹");
    ck_assert_str_eq(number_about(0, out), "0");
    ck_assert_str_eq(number_about((double)NAN, out), "undefined");
}
END_TEST

START_TEST(powers_of_ten_have_raised_exponents)
{
    char out[NUMBER_SIZE];
    ck_assert_str_eq(number_power(0, out), "1");
    ck_assert_str_eq(number_power(1, out), "10");
    ck_assert_str_eq(number_power(-12, out), "10⁻¹²");
    ck_assert_str_eq(number_power(34, out), "10³⁴");
}
END_TEST

static void expect_axis(double value, double distance, const char *expected)
{
    char out[NUMBER_SIZE];
    ck_assert_str_eq(number_on_axis(value, distance, out), expected);
}

START_TEST(values_of_an_axis_by_a_factor_are_rounded_while_they_stay_apart)
{
    expect_axis(0.999999993287874, 0.29, "1");
    expect_axis(1.41421356, 0.41, "1.41");
    expect_axis(1448.15466, 424, "1,450");
    expect_axis(0.125, 0.05, "0.125");
    expect_axis(2.34375, 1, "2.34375");
    expect_axis(-3, (double)INFINITY, "-3");
    /* six digits: four units of the last are 4e-5, of the digit before 4e-4 */
    expect_axis(1.234567891, 1e-4, "1.23457");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("numbers");
    TCase *cases = tcase_create("numbers");
    tcase_add_test(cases, plain_numbers_have_three_significant_digits);
    tcase_add_test(cases, small_and_large_numbers_have_a_power_of_ten);
    tcase_add_test(cases, a_share_below_one_never_prints_as_one);
    tcase_add_test(cases, a_share_near_an_end_shows_both_ends_of_its_interval);
    tcase_add_test(cases, what_is_not_finite_is_named);
    tcase_add_test(cases, an_estimate_shows_two_digits_of_its_half_width);
    tcase_add_test(cases, an_estimate_without_an_interval_is_a_number);
    tcase_add_test(cases, the_largest_of_given_scores_has_six_digits);
    tcase_add_test(cases, given_values_print_as_they_were_written);
    tcase_add_test(cases, what_is_interpolated_has_two_digits);
    tcase_add_test(cases, powers_of_ten_have_raised_exponents);
    tcase_add_test(cases, values_of_an_axis_by_a_factor_are_rounded_while_they_stay_apart);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
