/* SPDX-License-Identifier: MIT */
/* Tests src/report/predictions.c: predicted beside measured spreads. */
#include "sections_example.h"

#include "report/predictions.h"

static struct arena arena;
static struct sections_example example;

/* Settings whose spreads were predicted as 2 and 4 and measured as 1.9 and 3. */
static struct result_set predicted_set(struct result *rows, size_t count)
{
    struct result_set set = sections_example_rows(rows, count);
    for (size_t i = 0; i < count; i++) {
        rows[i].run.d_k = (int64_t)i + 1;
        rows[i].measurement.predicted_score_std = 2;
        rows[i].measurement.score_std = 1.9;
        rows[i].measurement.predicted_score_row_std = 4;
        rows[i].measurement.score_row_std = 3;
    }
    return set;
}

START_TEST(a_line_has_both_spreads_with_their_ratios)
{
    static struct result rows[2];
    const struct result_set set = predicted_set(rows, 2);
    rows[1].measurement.predicted_score_std = (double)NAN;
    const char *text = sections_example_text(&example, &set, &arena, predictions_append);
    expect_part(text, "### Predicted and measured spreads");
    expect_part(text, "| key dimension d_k | predicted | measured | ratio | in a row, predicted | "
                      "measured | ratio |");
    expect_part(text, "| 1 | 2.00 | 1.90 | 0.950 | 4.00 | 3.00 | 0.750 |\n\n");
    expect_no_part(text, "settings are shown");
}
END_TEST

/* Two seeds at 1.8 and 2.0: mean 1.9, standard error 0.1, and 12.706 of it on each side; over a
 * prediction of 2 that is 0.95 ± 0.64. */
START_TEST(a_ratio_has_the_interval_of_the_draw)
{
    static struct result rows[2];
    const struct result_set set = predicted_set(rows, 2);
    rows[1].run.d_k = rows[0].run.d_k;
    rows[1].run.seed = 2;
    rows[0].measurement.score_std = 1.8;
    rows[1].measurement.score_std = 2.0;
    const char *text = sections_example_text(&example, &set, &arena, predictions_append);
    expect_part(text, "| 0.95 ± 0.64 |");
    expect_part(text, "so far the draw moves it");
}
END_TEST

START_TEST(nothing_is_said_where_nothing_is_predicted)
{
    static struct result rows[2];
    const struct result_set set = predicted_set(rows, 2);
    rows[0].measurement.predicted_score_std = (double)NAN;
    rows[1].measurement.predicted_score_std = 0;
    ck_assert_str_eq(sections_example_text(&example, &set, &arena, predictions_append), "");
}
END_TEST

START_TEST(at_most_sixty_four_lines_from_the_first_to_the_last)
{
    static struct result rows[190];
    const struct result_set set = predicted_set(rows, 190);
    const char *text = sections_example_text(&example, &set, &arena, predictions_append);
    expect_part(text, "64 of 190 settings are shown");
    size_t lines = 0;
    for (const char *at = strstr(text, " | 2.00 |"); at != NULL; at = strstr(at + 1, " | 2.00 |")) {
        lines++;
    }
    ck_assert_uint_eq(lines, 64);
    /* every third of 190 */
    expect_part(text, "| 1 | 2.00 |");
    expect_part(text, "| 4 | 2.00 |");
    expect_part(text, "| 190 | 2.00 |");
    expect_no_part(text, "| 2 | 2.00 |");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("predictions");
    TCase *cases = tcase_create("predictions");
    tcase_add_test(cases, a_line_has_both_spreads_with_their_ratios);
    tcase_add_test(cases, a_ratio_has_the_interval_of_the_draw);
    tcase_add_test(cases, nothing_is_said_where_nothing_is_predicted);
    tcase_add_test(cases, at_most_sixty_four_lines_from_the_first_to_the_last);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
