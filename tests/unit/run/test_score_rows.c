/* SPDX-License-Identifier: MIT */
/* run/score_rows: rows of numbers, strict in, one spelling out. */
#include "run/score_rows.h"
#include "arena_fixture.h"

#include <string.h>

static struct score_rows parse(const char *text)
{
    struct score_rows rows = {0, 0, NULL};
    assert_ok(score_rows_parse(text, &arena, &rows, &err), err);
    return rows;
}

START_TEST(numbers_are_apart_by_commas_or_blanks_and_rows_by_semicolons)
{
    static const char *const spellings[] = {"2,1,0.1;3,2,-inf", " 2 , 1 , 0.1 ; 3 , 2 , -inf ",
                                            "2 1 .1;3 2 -.inf", "+2\t1e0\n0.10;3.,20e-1,-.INF"};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        struct score_rows rows = parse(spellings[i]);
        const double wanted[] = {2, 1, 0.1, 3, 2, -(double)INFINITY};
        ck_assert_uint_eq(rows.rows, 2);
        ck_assert_uint_eq(rows.columns, 3);
        for (size_t j = 0; j < 6; j++) {
            ck_assert_msg(rows.values[j] == wanted[j], "%s: %zu", spellings[i], j);
        }
    }
}
END_TEST

START_TEST(a_number_alone_is_a_row)
{
    struct score_rows rows = parse("-7.5");
    ck_assert(rows.rows == 1 && rows.columns == 1 && rows.values[0] == -7.5);
}
END_TEST

START_TEST(every_spelling_becomes_one)
{
    struct score_rows rows = parse("2.0 , -.Inf;-0, 1e3;0.1,1e-300");
    ck_assert_str_eq(score_rows_text(&rows, &arena, &err), "2,-inf;0,1000;0.1,1e-300");
    struct score_rows again = parse("2,-inf;0,1000;0.1,1e-300");
    ck_assert_mem_eq(rows.values, again.values, 6 * sizeof(double));
}
END_TEST

/* Thirds have 16 or 17 digits: the text gives back the very double. */
START_TEST(numbers_survive_their_text)
{
    double values[64];
    for (size_t i = 0; i < 64; i++) {
        values[i] = ldexp((double)(i + 1) / 3, 17 * (int)i - 544) * (i % 2 == 0 ? 1 : -1);
    }
    struct score_rows rows = {8, 8, values};
    struct score_rows back = parse(score_rows_text(&rows, &arena, &err));
    ck_assert(back.rows == 8 && back.columns == 8);
    ck_assert_mem_eq(back.values, values, sizeof values);
}
END_TEST

static const struct {
    const char *text, *why;
} refused[] = {
    {"", "a row of scores is empty"},
    {"  ", "a row of scores is empty"},
    {"1;", "a row of scores is empty"},
    {";1", "a row of scores is empty"},
    {"1;;2", "a row of scores is empty"},
    {"1,,2", "a number is missing beside a comma"},
    {",1", "a number is missing beside a comma"},
    {"1,2,", "a number is missing beside a comma"},
    {"1,2,;3,4", "a number is missing beside a comma"},
    {",", "a number is missing beside a comma"},
    {"1,2;3", "rows of scores differ in length: 2 numbers, then 1; fill up with -.inf"},
    {"1;2,3", "rows of scores differ in length: 1 numbers, then 2"},
    {"inf", "'inf' is no score; write finite decimal numbers, or -.inf for a masked key"},
    {"+.inf", "'+.inf' is no score"},
    {"nan", "'nan' is no score"},
    {"-infinity", "'-infinity' is no score"},
    {"1e999", "'1e999' is no score"},
    {"0x10", "'0x10' is no score"},
    {"1_000", "'1_000' is no score"},
    {"one", "'one' is no score"},
    {"1111111111222222222233333333334444444444555555555566666666667777", "' is no score"},
};

START_TEST(anything_else_is_refused_with_a_reason)
{
    struct score_rows rows;
    ck_assert(!score_rows_parse(refused[_i].text, &arena, &rows, &err));
    assert_error(err, ERROR_INPUT, refused[_i].why);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("score rows");
    TCase *tests = tcase_create("score rows");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, numbers_are_apart_by_commas_or_blanks_and_rows_by_semicolons);
    tcase_add_test(tests, a_number_alone_is_a_row);
    tcase_add_test(tests, every_spelling_becomes_one);
    tcase_add_test(tests, numbers_survive_their_text);
    tcase_add_loop_test(tests, anything_else_is_refused_with_a_reason, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
