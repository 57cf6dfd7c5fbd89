/* SPDX-License-Identifier: MIT */
/* Tests src/report/definitions.c: a line for each measure that is shown. */
#include "sections_example.h"

#include "report/definitions.h"

static struct arena arena;
static struct sections_example example;

static const char *definitions_of(const struct result_set *set)
{
    struct error err = ERROR_INIT;
    sections_example_make(&example, set, &arena);
    definitions_append(&example.sections);
    return text_finish(&example.out, &err);
}

START_TEST(measures_that_are_shown_are_defined)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[1].run.d_k = 8;
    const char *text = definitions_of(&set);
    expect_part(text, "| input spread |");
    expect_part(text, "| mean row-max | mean over rows of the largest weight of each, maxⱼ pᵢⱼ | "
                      "1/n to 1 |");
    expect_no_part(text, "max logit");
    expect_no_part(text, "undefined rows");
    expect_no_part(text, "sum of weights");
    rows[1].run.qk_norm = QK_NORM_L2;
    rows[1].measurement.undefined_rows = 1;
    text = definitions_of(&set);
    expect_part(text, "| max logit |");
    expect_part(text, "| query length, key length |");
    expect_part(text, "| undefined rows |");
}
END_TEST

START_TEST(other_weights_have_other_ranges)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[0].run.weights = WEIGHTS_SIGMOID;
    rows[1].run.mask = MASK_CAUSAL;
    const char *text = definitions_of(&set);
    expect_part(text, "up to 1 for weights that are shares");
    expect_part(text, "| sum of weights |");
    expect_part(text, "n is a row's own number of keys");
    expect_no_part(text, "| 0 to ½");
}
END_TEST

START_TEST(given_scores_have_no_lengths_and_no_input)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.source = SOURCE_SCORES;
        rows[i].run.softcap = (double)i;
        rows[i].measurement.input_std = (double)NAN;
        rows[i].measurement.q_norm = (double)NAN;
        rows[i].measurement.gradient_wq_ratio = (double)NAN;
    }
    const char *text = definitions_of(&set);
    expect_no_part(text, "input");
    expect_no_part(text, "query length");
    expect_no_part(text, "W_Q");
    expect_part(text, "| largest sink |");
    expect_part(text, "| max logit |");
    expect_part(text, "Where a soft cap is on, J includes its slope");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("definitions");
    TCase *cases = tcase_create("definitions");
    tcase_add_test(cases, measures_that_are_shown_are_defined);
    tcase_add_test(cases, other_weights_have_other_ranges);
    tcase_add_test(cases, given_scores_have_no_lengths_and_no_input);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
