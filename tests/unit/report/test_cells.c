/* SPDX-License-Identifier: MIT */
/* Tests src/report/cells.c: numbers in the tables of worked rows. */
#include "support.h"

#include "report/cells.h"

static void expect_number(double value, const char *text)
{
    char out[NUMBER_SIZE];
    ck_assert_str_eq(cell_number(value, out), text);
}

START_TEST(numbers_have_four_decimals_until_these_say_too_little)
{
    expect_number(11.2125, "11.2125");
    expect_number(-0.0384, "−0.0384");
    expect_number(0.0077349, "0.0077");
    expect_number(0.00029639, "2.96 × 10⁻⁴");
    expect_number(-2.5e7, "−2.50 × 10⁷");
    expect_number(-0.0, "0");
    expect_number(1, "1.0000");
    expect_number((double)NAN, "undefined");
    expect_number(-(double)INFINITY, "−∞");
}
END_TEST

START_TEST(a_weight_below_one_never_prints_as_one)
{
    char out[NUMBER_SIZE];
    ck_assert_str_eq(cell_weight(1, out), "1");
    ck_assert_str_eq(cell_weight(0.99997, out), "0.99997");
    ck_assert_str_eq(cell_weight(0.6, out), "0.6000");
    ck_assert_str_eq(cell_weight(1.05, out), "1.0500");
    ck_assert_str_eq(cell_weight(1 - 0x1p-30, out), "1 − 9.31 × 10⁻¹⁰"); /* 2^-30 = 9.313e-10 */
}
END_TEST

START_TEST(what_was_given_stands_without_zeros_behind_it)
{
    char out[NUMBER_SIZE];
    ck_assert_str_eq(cell_given(-1.848, out), "−1.848");
    ck_assert_str_eq(cell_given(3 * 0.86, out), "2.58"); /* 2.5799999999999996 */
    ck_assert_str_eq(cell_given(1000, out), "1000");
    ck_assert_str_eq(cell_given(0.1, out), "0.1");
    ck_assert_str_eq(cell_given(0, out), "0");
    ck_assert_str_eq(cell_given(1e-7, out), "1.00 × 10⁻⁷");
    ck_assert_str_eq(cell_given(123456, out), "1.23 × 10⁵");
}
END_TEST

START_TEST(short_numbers_have_as_few_digits_as_tell_them)
{
    char out[NUMBER_SIZE];
    ck_assert_str_eq(cell_short(-0.5, 3, out), "−0.5");
    ck_assert_str_eq(cell_short(0.26894, 3, out), "0.269");
    ck_assert_str_eq(cell_short(11.0901, 6, out), "11.0901");
    ck_assert_str_eq(cell_short(-0.0, 3, out), "0");
    ck_assert_str_eq(cell_short(1000001, 3, out), "1.00 × 10⁶");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cells");
    TCase *cases = tcase_create("numbers");
    tcase_add_test(cases, numbers_have_four_decimals_until_these_say_too_little);
    tcase_add_test(cases, a_weight_below_one_never_prints_as_one);
    tcase_add_test(cases, what_was_given_stands_without_zeros_behind_it);
    tcase_add_test(cases, short_numbers_have_as_few_digits_as_tell_them);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
