/* SPDX-License-Identifier: MIT */
/* Tests src/report/columns.c: widths of characters and texts. */
#include "report/columns.h"
#include "support.h"

START_TEST(letters_take_one_column_marks_none_and_wide_ones_two)
{
    ck_assert_uint_eq(columns_count("abc"), 3);
    ck_assert_uint_eq(columns_count("e\xCC\x81"), 1); /* e and a combining acute */
    ck_assert_uint_eq(columns_count("猫追"), 4);
    ck_assert_uint_eq(columns_count("القط"), 4);
    ck_assert_uint_eq(columns_count("\xFF"), 1);
}
END_TEST

START_TEST(widths_are_those_of_the_font)
{
    /* advances of DejaVu Sans in units of 2048: i 569, m 1995, W 2025; four thirds of a pixel a
     * point */
    assert_within(columns_width("i"), 569.0 / 2048 * 4 / 3, 0.01);
    assert_within(columns_width("mW"), (1995.0 + 2025) / 2048 * 4 / 3, 0.02);
    ck_assert(columns_width("猫") > columns_width("a"));
    assert_near(columns_width("e\xCC\x81"), columns_width("e"), 1e-12);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("columns");
    TCase *cases = tcase_create("columns");
    tcase_add_test(cases, letters_take_one_column_marks_none_and_wide_ones_two);
    tcase_add_test(cases, widths_are_those_of_the_font);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
