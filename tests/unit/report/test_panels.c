/* SPDX-License-Identifier: MIT */
/* Tests src/report/panels.c: columns, shared ranges and data blocks. */
#include "sections_example.h"

#include "report/labels.h"
#include "report/panels.h"

static struct arena arena;
static struct sections_example example;

static const char *blocks_of(const struct result_set *set, struct panels *panels)
{
    struct error err = ERROR_INIT;
    sections_example_make(&example, set, &arena);
    assert_ok(panels_make(&example.view, 0, 1, &arena, panels, &err), err);
    panels_append_blocks(&example.out, panels);
    return text_finish(&example.out, &err);
}

START_TEST(a_split_view_has_two_columns_of_four_lines)
{
    struct result_set set = example_set(&arena, 2);
    struct panels panels;
    const char *blocks = blocks_of(&set, &panels);
    ck_assert_uint_eq(panels.column_count, 2);
    ck_assert(!panels.columns[0].normalised);
    ck_assert(panels.columns[1].normalised);
    ck_assert_uint_eq(panels.columns[1].curves[3].count, 3);
    expect_part(blocks, "$c0l0 << ROWMAX_EOD\n0\t-0.135\t0.77\t0.77\t0.77\tNaN\t0\t");
    expect_part(blocks, "$c1l3 << ROWMAX_EOD\n");
    ck_assert(panels.same[0]);
    ck_assert(!panels.same[1]);
}
END_TEST

/* Key dimensions 1, 4, 16 with two seeds and these gradients. */
static struct result_set gradient_set(struct result *rows, const double gradients[6])
{
    struct result_set set = sections_example_rows(rows, 6);
    for (size_t i = 0; i < 6; i++) {
        rows[i].run.d_k = (int64_t)1 << (i / 2 * 2);
        rows[i].run.seed = (int64_t)(i % 2);
        rows[i].measurement.score_std = 1;
        rows[i].measurement.jacobian_norm_mean = gradients[i];
    }
    return set;
}

START_TEST(zeros_gaps_and_pale_intervals_are_told_apart)
{
    static struct result rows[6];
    static const double gradients[6] = {0.25, 0.25, 0, 0, 0.1, 0.2};
    struct result_set set = gradient_set(rows, gradients);
    struct panels panels;
    const char *blocks = blocks_of(&set, &panels);
    /* half width of (0.1, 0.2) is 12.7 * 0.05: more than the mean */
    ck_assert(panels_line_interval(&panels, 3, 0, 0, true));
    ck_assert(panels_line_interval(&panels, 3, 0, 0, false));
    ck_assert(panels_line_zeros(&panels, 3, 0, 0));
    ck_assert_uint_eq(panels.zeros, 1);
    ck_assert_uint_eq(panels.reaching, 1);
    expect_part(blocks, "\t0.25\t0.25\t0.25\tNaN\t0\n4\t4\t");
    expect_part(blocks, "\tNaN\tNaN\tNaN\t0.0");
    ck_assert(panels_drawable(&panels, 3, 0));
}
END_TEST

/* From 1e-308 to 1: high / low is beyond the largest double, and the mark for 0 still has a
 * height. */
START_TEST(a_zero_has_a_mark_on_the_longest_axis)
{
    static struct result rows[6];
    static const double gradients[6] = {1, 1, 0, 0, 1e-308, 1e-308};
    struct result_set set = gradient_set(rows, gradients);
    struct panels panels;
    const char *blocks = blocks_of(&set, &panels);
    ck_assert_uint_eq(panels.zeros, 1);
    ck_assert(panels.scales[3].low < 1e-308);
    expect_no_part(blocks, "\tNaN\tNaN\tNaN\tNaN\t0\n");
    expect_part(blocks, "e-312\t0\n");
}
END_TEST

START_TEST(the_axis_of_a_share_ends_above_one_and_its_intervals_below)
{
    static struct result rows[6];
    static const double gradients[6] = {0.25, 0.25, 0.2, 0.2, 0.1, 0.1};
    struct result_set set = gradient_set(rows, gradients);
    rows[0].measurement.row_max_mean = 0.9;
    rows[1].measurement.row_max_mean = 1;
    struct panels panels;
    /* 0.95 ± 0.6353: e^(0.6353 / 0.0475) = 6.44e5, so 0.95/(0.95 + 0.05 · that) and 1 - 8.2e-8 */
    expect_part(blocks_of(&set, &panels), "\t0.95\t2.95");
    assert_near(panels.scales[2].low, 0, 0);
    assert_near(panels.scales[2].high, 1.03, 0); /* a mark at 1 is whole */
    ck_assert_uint_eq(panels.skewed, 1);
}
END_TEST

START_TEST(a_panel_of_zeros_or_undefined_values_cannot_be_drawn)
{
    static struct result rows[6];
    static const double zeros[6] = {0};
    static const double undefined[6] = {(double)NAN, (double)NAN, (double)NAN,
                                        (double)NAN, (double)NAN, (double)NAN};
    struct panels panels;
    struct result_set set = gradient_set(rows, zeros);
    blocks_of(&set, &panels);
    ck_assert(!panels_drawable(&panels, 3, 0));
    ck_assert(panels_drawable(&panels, 1, 0));
    set = gradient_set(rows, undefined);
    blocks_of(&set, &panels);
    ck_assert(!panels_drawable(&panels, 3, 0));
    ck_assert_uint_eq(panels.lost, 3);
}
END_TEST

START_TEST(without_an_input_its_panel_shows_the_gradient_left)
{
    static struct result rows[6];
    static const double gradients[6] = {0.25, 0.25, 0.2, 0.2, 0.1, 0.1};
    struct result_set set = gradient_set(rows, gradients);
    struct panels panels;
    const char *blocks = blocks_of(&set, &panels);
    expect_part(blocks, "pale of: input spread, score spread, mean row-max, gradient magnitude\n");
    for (size_t i = 0; i < 6; i++) {
        rows[i].measurement.input_std = (double)NAN;
    }
    blocks = blocks_of(&set, &panels);
    expect_part(blocks, "pale of: score spread, gradient left, mean row-max, gradient magnitude\n");
    ck_assert_uint_eq(panels.lost, 0);
}
END_TEST

/* Score spread, trace, row-max and gradient are wanted; two of them are not held. */
START_TEST(measures_that_are_not_held_have_no_panel)
{
    struct error err = ERROR_INIT;
    struct result_set set = example_set(&arena, 2);
    struct panels panels;
    set.lacking = UINT64_C(1) << MEASURE_INPUT_STD | UINT64_C(1) << MEASURE_JACOBIAN_TRACE_MEAN |
                  UINT64_C(1) << MEASURE_JACOBIAN_NORM_MEAN;
    const char *blocks = blocks_of(&set, &panels);
    ck_assert_uint_eq(panels.measure_count, 2);
    ck_assert_int_eq(panels.measures[0].measure, MEASURE_SCORE_STD);
    ck_assert_int_eq(panels.measures[1].measure, MEASURE_ROW_MAX_MEAN);
    expect_part(blocks, "pale of: score spread, mean row-max\n");
    const char *caption = labels_caption(&panels, &arena, &err);
    ck_assert_msg(caption != NULL, "%s", err.message);
    expect_part(caption, "** Spread of the scores and mean over rows of the largest attention "
                         "weight ");
}
END_TEST

START_TEST(weights_that_are_no_shares_have_axes_that_show_them)
{
    static struct result rows[6];
    static const double gradients[6] = {0.25, 0.25, 0.2, 0.2, 0.1, 0.1};
    struct result_set set = gradient_set(rows, gradients);
    struct panels panels;
    rows[0].measurement.row_max_mean = 2;
    rows[1].measurement.row_max_mean = 2;
    blocks_of(&set, &panels);
    assert_near(panels.scales[2].low, 0, 0);
    assert_near(panels.scales[2].high, 2.16, 1e-12); /* room of 8 parts in 100 */
    rows[0].measurement.row_max_mean = -2;
    rows[1].measurement.row_max_mean = -2;
    blocks_of(&set, &panels);
    assert_near(panels.scales[2].low, -2.16, 1e-12);
    for (size_t i = 0; i < 6; i++) {
        rows[i].measurement.row_max_mean = i < 2 ? 2700 : 0.5;
    }
    blocks_of(&set, &panels);
    ck_assert(panels.scales[2].logarithmic);
    ck_assert(panels.scales[2].low < 0.5 && panels.scales[2].high > 2700);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("panels");
    TCase *cases = tcase_create("panels");
    tcase_add_test(cases, a_split_view_has_two_columns_of_four_lines);
    tcase_add_test(cases, zeros_gaps_and_pale_intervals_are_told_apart);
    tcase_add_test(cases, a_zero_has_a_mark_on_the_longest_axis);
    tcase_add_test(cases, the_axis_of_a_share_ends_above_one_and_its_intervals_below);
    tcase_add_test(cases, a_panel_of_zeros_or_undefined_values_cannot_be_drawn);
    tcase_add_test(cases, without_an_input_its_panel_shows_the_gradient_left);
    tcase_add_test(cases, measures_that_are_not_held_have_no_panel);
    tcase_add_test(cases, weights_that_are_no_shares_have_axes_that_show_them);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
