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
    expect_part(text, "the verdict from the mean: undecided where its interval contains the");
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

START_TEST(columns_of_an_input_need_an_input)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.source = SOURCE_SCORES;
        rows[i].run.score_factor = (double)i + 1;
        rows[i].measurement.input_std = (double)NAN;
        rows[i].measurement.gradient_wq_ratio = (double)NAN;
        rows[i].measurement.score_std = 0.5;
        rows[i].measurement.max_logit = -2;
    }
    const char *text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text, "### How far are the scores spread?");
    expect_part(text, "| score factor | score spread | score spread in a row | max logit |");
    expect_part(text, "| 1 | 0.500 | 0 | -2 |");
    expect_no_part(text, "input");
    expect_no_part(text, "W_Q");
    expect_no_part(text, "query length");
}
END_TEST

START_TEST(weights_that_are_no_shares_have_verdicts_of_their_own)
{
    static struct result rows[3];
    const struct result_set set = sections_example_rows(rows, 3);
    static const enum run_weights weights[] = {WEIGHTS_ARGMAX, WEIGHTS_SUM, WEIGHTS_SIGMOID};
    for (size_t i = 0; i < 3; i++) {
        rows[i].run.weights = (int)weights[i];
        rows[i].measurement.row_max_mean = i == 1 ? 3 : 1;
        rows[i].measurement.weight_sum_mean = i == 2 ? 4.5 : 1;
    }
    const char *text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text,
                "| weights | mean row-max | median row-max | saturated rows | sum of weights | "
                "saturated? |");
    expect_part(text, "| argmax | 1.00 | 0 | 0 | 1.00 | by construction |");
    expect_part(text, "| sum | 3.00 | 0 | 0 | 1.00 | no shares |");
    expect_part(text, "| sigmoid | 1.00 | 0 | 0 | 4.50 | **saturated** |");
    expect_part(text, "the trace relative to that of uniform softmax, which other weights can");
    expect_part(text, "and the verdict from the mean. The"); /* of one seed there is no interval */
}
END_TEST

START_TEST(undefined_rows_have_a_column_where_there_are_some)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[1].run.stabilise = false;
    rows[1].measurement.undefined_rows = 3;
    rows[1].measurement.row_max_mean = (double)NAN;
    const char *text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text, "| saturated rows | undefined rows | saturated? |");
    expect_part(text, "| off | undefined | 0 | 0 | 3 | unknown |");
}
END_TEST

START_TEST(heads_have_a_table_of_what_sets_them_apart)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.source = SOURCE_ARRAYS;
        rows[i].run.head = (int64_t)i;
        rows[i].measurement.entropy_mean = 1.5;
        rows[i].measurement.max_logit = 12.25;
        rows[i].measurement.q_norm = 4;
        rows[i].measurement.k_norm = 3;
        rows[i].measurement.max_column_mean = 0.25;
    }
    const char *text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text,
                "| head | entropy | normalised entropy | max logit | query length | key length "
                "| largest sink |");
    expect_part(text, "| 1 | 1.50 | 0 | 12.2 | 4.00 | 3.00 | 0.250 |");
}
END_TEST

START_TEST(many_axes_share_one_column)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[1].run.d_k = 8;
    rows[1].run.mask = MASK_CAUSAL;
    rows[1].run.softcap = 50;
    rows[1].run.qk_norm = QK_NORM_L2;
    rows[1].run.guard_norm = true;
    const char *text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text, "| setting | mean row-max |");
    expect_part(text, "| guards init + scale | 0 |");
    expect_part(text, "| d\\_k = 8, guards init + scale + norm, qk\\_norm = l2, softcap = 50, "
                      "mask = causal | 0 |");
}
END_TEST

/* Of the spreads two are held, of the gradients none; what stands in for the words is the head. */
START_TEST(measures_that_the_results_do_not_hold_are_left_out_and_named)
{
    static struct result rows[2];
    struct result_set set = sections_example_rows(rows, 2);
    rows[1].run.d_k = 128;
    for (size_t i = 0; i < 2; i++) {
        rows[i].measurement.score_std = 0.5;
        rows[i].measurement.score_row_std = 0.25;
    }
    set.lacking = UINT64_C(1) << MEASURE_INPUT_STD | UINT64_C(1) << MEASURE_INPUT_RMS |
                  UINT64_C(1) << MEASURE_MAX_LOGIT | UINT64_C(1) << MEASURE_JACOBIAN_NORM_MEAN |
                  UINT64_C(1) << MEASURE_JACOBIAN_NORM_MEDIAN |
                  UINT64_C(1) << MEASURE_JACOBIAN_TRACE_MEAN |
                  UINT64_C(1) << MEASURE_GRADIENT_WQ_RATIO;
    const char *text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text, "The results do not hold the measures `input_std`, `input_rms`, `max_logit`, "
                      "`jacobian_norm_mean`, `jacobian_norm_median`, `jacobian_trace_mean`, "
                      "`gradient_wq_ratio`; tables and figures leave out what needs others.");
    expect_part(text, "### How far are the scores spread?\n\n| key dimension d_k | score spread | "
                      "score spread in a "
                      "row |\n");
    expect_part(text, "| 128 | 0.500 | 0.250 |\n");
    expect_no_part(text, "How much gradient is left?");
    expect_no_part(text, "and the largest score");
    set.lacking = measurement_fields_all() & ~measurement_fields_always();
    text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text, "Of all measures the results hold only `corpus_sentences`, `corpus_words`, "
                      "`vocabulary`, `tokens`, `queries`, `row_max_mean`, `undefined_rows`, "
                      "`nonfinite`; tables");
    expect_part(text, "| key dimension d_k | mean row-max | saturated? |");
    expect_no_part(text, "spread?");
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
    tcase_add_test(cases, columns_of_an_input_need_an_input);
    tcase_add_test(cases, weights_that_are_no_shares_have_verdicts_of_their_own);
    tcase_add_test(cases, undefined_rows_have_a_column_where_there_are_some);
    tcase_add_test(cases, heads_have_a_table_of_what_sets_them_apart);
    tcase_add_test(cases, many_axes_share_one_column);
    tcase_add_test(cases, measures_that_the_results_do_not_hold_are_left_out_and_named);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
