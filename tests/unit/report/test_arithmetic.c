/* SPDX-License-Identifier: MIT */
/* Tests src/report/arithmetic.c and arithmetic_verdict.c: limits of formats, and where the settings
 * of a sweep break. */
#include "scores_example.h"

#include "report/arithmetic.h"

static struct arena arena;
static struct sections_example example;

/* A setting with a largest score, and how many of its two rows are undefined. */
static struct result setting(int64_t index, int precision, bool stabilise, double largest,
                             int64_t undefined)
{
    struct result result = scores_example_result(2, 2, NULL);
    result.index = index;
    result.run.precision = precision;
    result.run.stabilise = stabilise;
    result.run.score_factor = largest;
    result.measurement.max_logit = largest;
    result.measurement.undefined_rows = undefined;
    return result;
}

START_TEST(double_precision_with_the_maximum_subtracted_has_no_part)
{
    const struct result row = setting(0, PRECISION_FP64, true, 1000, 0);
    struct result_set set = scores_example_set(&row, 1);
    ck_assert_str_eq(sections_example_text(&example, &set, &arena, arithmetic_append), "");
}
END_TEST

/* ln 65520 = 11.0901, half a step beyond the largest number 65504; ln 2^-14 = -9.70406; ln 2^-25 =
 * -17.3287, half of the smallest subnormal. */
START_TEST(formats_of_the_sweep_have_their_limits)
{
    const struct result row = setting(0, PRECISION_FP16, true, 1, 0);
    struct result_set set = scores_example_set(&row, 1);
    const char *text = sections_example_text(&example, &set, &arena, arithmetic_append);
    expect_part(text, "## Arithmetic\n");
    expect_part(text, "| `fp16` | 65,504 | 4.88 × 10⁻⁴ | 11.0901 | −9.70406 | −17.3287 |\n");
    expect_no_part(text, "`bf16`");
}
END_TEST

START_TEST(settings_are_counted_up_to_where_they_break)
{
    const struct result rows[] = {
        setting(0, PRECISION_FP16, false, 8, 0), setting(1, PRECISION_FP16, false, 11.5, 1),
        setting(2, PRECISION_FP16, false, 16, 2), setting(3, PRECISION_FP16, true, 16, 0)};
    struct result_set set = scores_example_set(rows, 4);
    const char *text = sections_example_text(&example, &set, &arena, arithmetic_append);
    expect_part(text, "| `fp16` | on | 1 | 0 | 16 | none |\n"
                      "| `fp16` | off | 3 | 2 | 8 | 11.5 |\n");
    struct arithmetic arithmetic;
    ck_assert(arithmetic_find(&example.summary, &arithmetic));
    ck_assert(arithmetic.formats[PRECISION_FP16] && !arithmetic.formats[PRECISION_FP64]);
    assert_near(arithmetic.lines[PRECISION_FP16][0].first, 11.5, 0);
    assert_near(arithmetic_share(&example.summary.groups[1]), 0.5, 0);
}
END_TEST

static bool verdict(const struct sections *sections, struct error *err)
{
    (void)err;
    arithmetic_append_verdict(sections);
    return true;
}

START_TEST(a_sweep_over_formats_begins_with_where_they_break)
{
    const struct result rows[] = {
        setting(0, PRECISION_FP16, false, 8, 0), setting(1, PRECISION_FP16, false, 11.5, 1),
        setting(2, PRECISION_FP64, false, 8, 0), setting(3, PRECISION_FP64, false, 1234, 2),
        setting(4, PRECISION_FP16, true, 1234, 0)};
    struct result_set set = scores_example_set(rows, 5);
    const char *text = sections_example_text(&example, &set, &arena, verdict);
    ck_assert(arithmetic_leads(&example.summary));
    expect_part(text,
                "**Where formats break**: With `stabilise` off, rows lose their weights from a "
                "largest score of 1,234 in `fp64` and 11.5 in `fp16`. With `stabilise` on, no "
                "row loses its weights in `fp16`, up to a largest score of 1,234.");
}
END_TEST

/* Far below 0 every exponential is 0: the largest score of what breaks is the smaller one. */
START_TEST(formats_that_break_below_are_counted)
{
    const struct result rows[] = {setting(0, PRECISION_FP16, false, -800, 2),
                                  setting(1, PRECISION_FP16, false, 1, 0),
                                  setting(2, PRECISION_FP64, false, 1, 0)};
    struct result_set set = scores_example_set(rows, 3);
    expect_part(sections_example_text(&example, &set, &arena, verdict),
                "With `stabilise` off, some rows have no weights in `fp16` (1 of 2 settings); no "
                "row loses its weights in `fp64`, up to a largest score of 1.");
}
END_TEST

START_TEST(the_switch_alone_has_a_part)
{
    const struct result row = setting(0, PRECISION_FP64, false, 800, 2);
    struct result_set set = scores_example_set(&row, 1);
    const char *text = sections_example_text(&example, &set, &arena, arithmetic_append);
    expect_part(text, "| `fp64` | 1.80 × 10³⁰⁸ | 1.11 × 10⁻¹⁶ | 709.783 |");
    expect_part(text, "| `fp64` | off | 1 | 1 | none | 800 |\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arithmetic");
    TCase *cases = tcase_create("part");
    tcase_add_test(cases, double_precision_with_the_maximum_subtracted_has_no_part);
    tcase_add_test(cases, formats_of_the_sweep_have_their_limits);
    tcase_add_test(cases, settings_are_counted_up_to_where_they_break);
    tcase_add_test(cases, a_sweep_over_formats_begins_with_where_they_break);
    tcase_add_test(cases, formats_that_break_below_are_counted);
    tcase_add_test(cases, the_switch_alone_has_a_part);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
