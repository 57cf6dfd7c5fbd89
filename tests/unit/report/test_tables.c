/* SPDX-License-Identifier: MIT */
/* Tests src/report/tables.c: rows, numbers, verdicts, and what is left out. */
#include "sections_example.h"

static struct arena arena;
static struct sections_example example;

START_TEST(a_row_has_the_axes_and_the_estimates)
{
    static struct result rows[4];
    const struct result_set set = sections_example_rows(rows, 4);
    for (size_t i = 0; i < 4; i++) {
        rows[i].run = example_run("demo", i < 2 ? 0 : 7, (int64_t)(i % 2));
        rows[i].measurement.input_std = 0.5;
        rows[i].measurement.score_std = i % 2 == 0 ? 1 : 3;
        rows[i].measurement.row_max_mean = i < 2 ? 0.95 : 0.25;
    }
    const char *text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text, "| guards | input spread | input RMS | score spread |");
    /* mean 2, s = sqrt 2, t(0.975, 1) = 12.706: half width 12.706 */
    expect_part(text, "| none | 0.500 | 0 | 2 ± 13 |");
    expect_part(text, "| none | 0.950 | 0 | 0 | **saturated** |");
    expect_part(text, "| init + scale + norm | 0.250 | 0 | 0 | no |");
}
END_TEST

START_TEST(names_cannot_break_a_table)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[0].run.corpus = "a|b\n`c`";
    rows[1].run.corpus = "plain";
    rows[0].run.corpus_digest = "1";
    rows[1].run.corpus_digest = "2";
    const char *text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text, "| a\\|b \\`c\\` | 0 |");
}
END_TEST

START_TEST(failed_groups_say_so)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[1].run.d_k = 128;
    rows[1].status = RESULT_FAILED;
    const char *text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text, "| 128 | no result | no result | no result | unknown |");
}
END_TEST

START_TEST(many_groups_are_cut_to_those_with_the_largest_row_max)
{
    enum { GROUPS = 70 };
    static struct result rows[GROUPS];
    const struct result_set set = sections_example_rows(rows, GROUPS);
    for (size_t i = 0; i < GROUPS; i++) {
        rows[i].run.d_k = (int64_t)i + 1;
        rows[i].measurement.row_max_mean = (double)i / 100;
    }
    rows[69].measurement.row_max_mean = (double)NAN;
    const char *text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text, "the 64 settings with the largest mean row-max of 70");
    expect_part(text, "| 69 | 0.680 |");
    expect_part(text, "| 6 | 0.0500 |");
    expect_no_part(text, "| 5 | 0.0400 |");
    expect_no_part(text, "| 70 |");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tables");
    TCase *cases = tcase_create("tables");
    tcase_add_test(cases, a_row_has_the_axes_and_the_estimates);
    tcase_add_test(cases, names_cannot_break_a_table);
    tcase_add_test(cases, failed_groups_say_so);
    tcase_add_test(cases, many_groups_are_cut_to_those_with_the_largest_row_max);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
