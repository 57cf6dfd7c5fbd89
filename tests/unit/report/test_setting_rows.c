/* SPDX-License-Identifier: MIT */
/* Tests src/report/setting_rows.c and what view.c has for it: settings one below the other. */
#include "settings_example.h"
#include "rendered_figure.h"

static struct arena arena;
static struct sections_example example;

static struct figure figure_of(const struct result_set *set)
{
    struct figure figure = {.name = "drawn"};
    struct error err = ERROR_INIT;
    sections_example_make(&example, set, &arena);
    assert_ok(curves_make(set, &example.view, 0, 1, &arena, &figure, &err), err);
    return figure;
}

START_TEST(many_settings_stand_in_rows_with_the_spread_as_marks)
{
    static struct result rows[ONE_AT_A_TIME_ROWS];
    const struct result_set set = one_at_a_time(rows, ONE_AT_A_TIME);
    struct figure figure = figure_of(&set);
    ck_assert(example.view.rows);
    ck_assert_int_eq(example.view.x->field, AXIS_SETTINGS);
    ck_assert_int_eq(example.view.lines->field, RUN_INPUT_SPREAD);
    ck_assert_uint_eq(example.view.facet_count, 1);
    ck_assert_int_eq(example.view.told->x->field, RUN_INPUT_SPREAD);
    ck_assert_int_eq(example.view.told->lines->field, AXIS_SETTINGS);
    expect_part(figure.script, "set yrange [9.5:-0.5]");
    expect_part(figure.script, "'query/key norm = l2, query/key gain = 9.954,'");
    expect_part(figure.script, "'score factor = 0.25'");
    expect_part(figure.script, "'input_spread = 4'");
    expect_no_part(figure.script, "…");
    expect_part(figure.caption, "one row for each setting, one mark for each value of spread");
    expect_renders(&figure, &arena);
    struct figure again = figure_of(&set);
    ck_assert_str_eq(figure.script, again.script);
    ck_assert_str_eq(figure.caption, again.caption);
}
END_TEST

START_TEST(up_to_eight_settings_are_lines)
{
    static struct result rows[ONE_AT_A_TIME_ROWS];
    const struct result_set set = one_at_a_time(rows, 8);
    struct figure figure = figure_of(&set);
    ck_assert(!example.view.rows);
    ck_assert_int_eq(example.view.x->field, RUN_INPUT_SPREAD);
    ck_assert_int_eq(example.view.lines->field, AXIS_SETTINGS);
    ck_assert_uint_eq(example.view.line_count, 8);
    ck_assert_uint_eq(example.view.facet_count, 1);
    expect_part(figure.script, "'query/key norm = l2, query/key gain = 9.954, without scale'");
    expect_part(figure.caption, "one line for each setting");
    expect_renders(&figure, &arena);
}
END_TEST

START_TEST(forty_rows_and_eight_marks_are_drawn_and_the_rest_is_said)
{
    /* 50 soft caps, and 50 score factors without one, at 10 spreads: every second spread is drawn
     */
    enum { SETTINGS = 50, SPREADS = 10 };
    static struct result rows[SETTINGS * SPREADS];
    const struct result_set set = sections_example_rows(rows, (size_t)SETTINGS * SPREADS);
    for (size_t i = 0; i < (size_t)SETTINGS * SPREADS; i++) {
        size_t setting = i / SPREADS;
        rows[i].run.source = SOURCE_GAUSSIAN;
        rows[i].run.input_spread = 1 + (double)(i % SPREADS);
        rows[i].run.softcap = setting % 2 == 0 ? (double)setting : 0;
        rows[i].run.score_factor = setting % 2 == 1 ? (double)setting + 1 : 1;
        rows[i].measurement = example_measure(setting + 1, 1, NULL);
    }
    struct figure figure = figure_of(&set);
    ck_assert(example.view.rows);
    ck_assert_uint_eq(example.view.line_count, 5);
    /* 400 - 200 of the first forty, and all of the last ten */
    ck_assert_uint_eq(example.view.groups_left_out, 300);
    expect_part(figure.script, "set yrange [39.5:-0.5]");
    expect_part(figure.script, "'input_spread = 9'");
    expect_no_part(figure.script, "'input_spread = 10'");
    expect_part(figure.caption, " Drawn are 40 of 50 settings and 5 of 10 values of spread of the "
                                "drawn input; the data file beside the figure holds all.");
    expect_renders(&figure, &arena);
}
END_TEST

START_TEST(zeros_stand_at_the_left_end_and_levels_have_names)
{
    static struct result rows[ONE_AT_A_TIME_ROWS];
    struct result_set set = one_at_a_time(rows, ONE_AT_A_TIME);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.mask = MASK_NONE;
        rows[i].run.precision = i / 3 == 7 ? PRECISION_FP16 : PRECISION_FP64;
    }
    rows[0].measurement.jacobian_norm_mean = 0;
    struct figure figure = figure_of(&set);
    expect_part(figure.script, "▽ at the left end of an axis: exactly 0.");
    expect_part(figure.script, "'dashed: saturated, 0.9'");
    expect_part(figure.script, "'dotted: uniform, 1/8'");
    expect_part(figure.script, "pointtype 10");
    expect_part(figure.caption, "An open triangle at the left end of a logarithmic axis");
    expect_renders(&figure, &arena);
}
END_TEST

START_TEST(the_data_keep_every_axis)
{
    static struct result rows[ONE_AT_A_TIME_ROWS];
    const struct result_set set = one_at_a_time(rows, ONE_AT_A_TIME);
    struct figures figures;
    struct error err = ERROR_INIT;
    sections_example_make(&example, &set, &arena);
    assert_ok(figures_make(&set, &example.view, &arena, &figures, &err), err);
    ck_assert_uint_eq(figures.curves, 1);
    expect_part(figures.list[0].data,
                "input_spread\tscore_factor\tguards\tnorm\tqk_norm\tqk_gain\t");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("setting_rows");
    TCase *cases = tcase_create("setting_rows");
    tcase_add_test(cases, many_settings_stand_in_rows_with_the_spread_as_marks);
    tcase_add_test(cases, up_to_eight_settings_are_lines);
    tcase_add_test(cases, forty_rows_and_eight_marks_are_drawn_and_the_rest_is_said);
    tcase_add_test(cases, zeros_stand_at_the_left_end_and_levels_have_names);
    tcase_add_test(cases, the_data_keep_every_axis);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
