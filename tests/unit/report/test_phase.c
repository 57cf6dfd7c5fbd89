/* SPDX-License-Identifier: MIT */
/* Tests src/report/phase.c and phase_figure.c: which maps there are, where the theory's onset runs
 * on them, and scripts that render. */
#include "sections_example.h"
#include "rendered_figure.h"

#include "report/phase.h"

static struct arena arena;
static struct sections_example example;

enum { SPREADS = 5, TOKENS = 3 };
static const int64_t tokens[TOKENS] = {8, 64, 1024};

/* Input spreads 1, 2, 4, 8 and 16 against tokens, once or with two key dimensions; scores in a row
 * spread by a quarter of the input's spread. */
static struct result_set map_of(struct result *rows, size_t maps)
{
    size_t count = maps * SPREADS;
    count *= TOKENS;
    struct result_set set = sections_example_rows(rows, count);
    for (size_t i = 0; i < count; i++) {
        double spread = (double)(1 << (i % SPREADS));
        rows[i].run.source = SOURCE_GAUSSIAN;
        rows[i].run.tokens = tokens[i / SPREADS % TOKENS];
        rows[i].run.d_k = (int64_t)(i / SPREADS / TOKENS) + 1;
        rows[i].run.input_spread = spread;
        rows[i].measurement.tokens = rows[i].run.tokens;
        rows[i].measurement.score_row_std = spread / 4;
        rows[i].measurement.row_max_mean = spread / 20;
        rows[i].measurement.jacobian_trace_mean = 0.5;
    }
    return set;
}

static struct phase phase_of(const struct result_set *set)
{
    struct phase phase;
    struct error err = ERROR_INIT;
    sections_example_make(&example, set, &arena);
    assert_ok(phase_choose(&example.summary, &arena, &phase, &err), err);
    return phase;
}

static struct figure figure_of(const struct result_set *set)
{
    struct figure figure;
    struct error err = ERROR_INIT;
    bool made;
    sections_example_make(&example, set, &arena);
    assert_ok(phase_make(set, &example.view, &arena, &figure, &made, &err), err);
    ck_assert(made);
    return figure;
}

START_TEST(a_place_is_found_between_the_spreads_around_it)
{
    static const double spreads[4] = {0.5, 1, 4, 16};
    const double gap[3] = {1, (double)NAN, 4};
    const double turning[4] = {1, 4, 1, 4};
    /* 2 is half way from 1 to 4 by its logarithm */
    assert_near(phase_place(4, spreads, 2), 1.5, 1e-15);
    assert_near(phase_place(4, spreads, 0.5), 0, 1e-15);
    ck_assert(isnan(phase_place(4, spreads, 0.4)));
    ck_assert(isnan(phase_place(4, spreads, 16)));
    ck_assert(isnan(phase_place(1, spreads, 0.5)));
    ck_assert(isnan(phase_place(3, gap, 2)));
    assert_near(phase_place(4, turning, 2), 2.5, 1e-15);
}
END_TEST

START_TEST(the_onset_runs_where_the_measured_spread_meets_the_table)
{
    static struct result rows[TOKENS * SPREADS];
    struct result_set set = map_of(rows, 1);
    struct phase phase = phase_of(&set);
    ck_assert_ptr_nonnull(phase.x);
    ck_assert_int_eq(phase.x->field, RUN_INPUT_SPREAD);
    ck_assert_uint_eq(phase.panel_count, 1);
    /* onsets of 8, 64 and 1024 scores, right to 0.002: place log2(4 onset) */
    assert_within(phase.panels[0].onset[0], log2(4 * 0.894), 0.003);
    assert_within(phase.panels[0].onset[1], log2(4 * 1.702), 0.003);
    assert_within(phase.panels[0].onset[2], log2(4 * 2.741), 0.003);
    ck_assert(phase_has_onset(&phase));
}
END_TEST

START_TEST(other_weights_have_a_map_without_an_onset)
{
    static struct result rows[TOKENS * SPREADS];
    struct result_set set = map_of(rows, 1);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.weights = WEIGHTS_SIGMOID;
    }
    struct phase phase = phase_of(&set);
    ck_assert_ptr_nonnull(phase.x);
    ck_assert(!phase_has_onset(&phase));
    struct figure figure = figure_of(&set);
    expect_no_part(figure.script, "onset");
    expect_no_part(figure.caption, "onset");
    expect_renders(&figure, &arena);
}
END_TEST

START_TEST(few_tokens_or_a_single_axis_make_no_map)
{
    static struct result rows[TOKENS * SPREADS];
    struct result_set set = map_of(rows, 1);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.tokens = i < SPREADS ? 8 : 64;
    }
    ck_assert_ptr_null(phase_of(&set).x);
    set = example_set(&arena, 1);
    ck_assert_ptr_null(phase_of(&set).x);
}
END_TEST

START_TEST(every_further_combination_has_its_own_map)
{
    static struct result rows[5 * TOKENS * SPREADS];
    struct error err = ERROR_INIT;
    struct result_set set = map_of(rows, 2);
    struct phase phase = phase_of(&set);
    ck_assert_uint_eq(phase.panel_count, 2);
    ck_assert_str_eq(phase_panel_name(&phase, 1, &arena, &err), "d_k = 2");
    set = map_of(rows, 5);
    /* five key dimensions are as many values as there are spreads; the spreads come first */
    phase = phase_of(&set);
    ck_assert_uint_eq(phase.panel_count, PHASE_PANELS);
    ck_assert_uint_eq(phase.settings_left_out, 15);
    struct figure figure = figure_of(&set);
    expect_part(figure.caption, "15 settings of further combinations are not drawn");
    expect_renders(&figure, &arena);
}
END_TEST

START_TEST(the_figure_names_line_axes_and_cells)
{
    static struct result rows[TOKENS * SPREADS];
    struct result_set set = map_of(rows, 1);
    rows[0].measurement.row_max_mean = (double)NAN;
    struct figure figure = figure_of(&set);
    ck_assert_str_eq(figure.name, "phase");
    expect_part(figure.script, "'Dashed: the theory'.\"\\047\".'s onset, ");
    expect_part(figure.script, "'1,024' 2)");
    expect_part(figure.script, "\n4 0 0.80 0.8\n");
    expect_no_part(figure.script, "\n0 0 0.");
    expect_part(figure.caption, "0.9 of the gradient of uniform weights is left");
    expect_part(figure.data, "\n1\t16\t1024\t4\t0.8\n");
    expect_renders(&figure, &arena);
}
END_TEST

/* The last of the spreads 1, 2, 4, 8 and 16 becomes 11, a factor 1.375; tokens 8, 64, 1024 grow by
 * 8 and 16, whose logarithms differ by a third. */
START_TEST(steps_of_an_axis_that_differ_are_told)
{
    static struct result rows[TOKENS * SPREADS];
    struct result_set set = map_of(rows, 1);
    struct figure figure = figure_of(&set);
    expect_no_part(figure.script, "Columns are equally wide");
    expect_part(figure.script, "'Rows are equally high, whatever the step between their values "
                               "(factors of 8 to 16).'");
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.input_spread = i % SPREADS == SPREADS - 1 ? 11 : rows[i].run.input_spread;
        rows[i].run.tokens = (int64_t)8 << i / SPREADS;
    }
    figure = figure_of(&set);
    expect_part(figure.script, "'Columns are equally wide, whatever the step between their values "
                               "(factors of 1.375 to 2).'");
    expect_part(figure.caption, "by tokens. Columns are equally wide, whatever the step between "
                                "their values (factors of 1.375 to 2). ");
    expect_no_part(figure.script, "Rows are equally high");
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.input_spread = i % SPREADS == 0 ? 1 : 3 + (double)(i % SPREADS);
        rows[i].run.tokens = 8 + (int64_t)(i / SPREADS);
    }
    figure = figure_of(&set);
    expect_part(figure.script, "whatever the step between their values (1 to 3).'");
    expect_no_part(figure.script, "Rows are equally high");
}
END_TEST

START_TEST(two_axes_without_tokens_make_a_map_when_it_is_filled)
{
    static struct result rows[TOKENS * SPREADS];
    struct result_set set = map_of(rows, 1);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.tokens = 8;
        rows[i].measurement.tokens = 8;
        rows[i].run.d_model = 16 << (i / SPREADS);
    }
    struct phase phase = phase_of(&set);
    ck_assert_ptr_nonnull(phase.x);
    ck_assert_int_eq(phase.x->field, RUN_INPUT_SPREAD);
    ck_assert_int_eq(phase.y->field, RUN_D_MODEL);
    /* eight tokens in every row */
    assert_within(phase.panels[0].onset[2], log2(4 * 0.894), 0.003);
    struct figure figure = figure_of(&set);
    ck_assert_str_eq(figure.title,
                     "Mean row-max over spread of the drawn input and model width d_model");
    expect_part(figure.data, "map\tinput_spread\td_model\t");
    /* two lines of fifteen cells that are planned one by one fill less than three quarters */
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.input_spread = i < SPREADS ? rows[i].run.input_spread : 1;
    }
    ck_assert_ptr_null(phase_of(&set).x);
}
END_TEST

START_TEST(contours_run_where_the_row_max_reaches_the_threshold_and_one_half)
{
    static struct result rows[TOKENS * SPREADS];
    struct result_set set = map_of(rows, 1);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.saturation_row_max = 0.7;
    }
    struct figure figure = figure_of(&set);
    /* from 0.4 to 0.8: one half is at 1/4, the threshold at 3/4 of the way from column 3 */
    expect_part(figure.script, "$l0p0 << ROWMAX_EOD\n3.75 0\n3.75 1\n3.75 2\nROWMAX_EOD\n");
    expect_part(figure.script, "$l1p0 << ROWMAX_EOD\n3.25 0\n3.25 1\n3.25 2\nROWMAX_EOD\n");
    expect_part(figure.script, "'White lines: mean row-max 0.5 and 0.7.'");
    expect_part(figure.caption, "the larger is the threshold of saturation");
    expect_renders(&figure, &arena);
}
END_TEST

START_TEST(values_of_a_single_further_axis_are_taken_evenly)
{
    static struct result rows[7 * TOKENS * SPREADS];
    struct error err = ERROR_INIT;
    struct result_set set = map_of(rows, 7);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.saturation_row_max = 0.1 * (double)rows[i].run.d_k;
        rows[i].run.d_k = 64;
    }
    /* a threshold is no axis of a map; of its seven values the 1st, 3rd, 5th and 7th have one */
    struct phase phase = phase_of(&set);
    ck_assert_uint_eq(phase.panel_count, PHASE_PANELS);
    assert_near(phase.panels[1].sample->sample->saturation_row_max, 0.3, 1e-12);
    assert_near(phase.panels[3].sample->sample->saturation_row_max, 0.7, 1e-12);
    const char *text = phase_panel_name(&phase, 1, &arena, &err);
    expect_part(text, "0.3");
}
END_TEST

START_TEST(a_number_makes_room_for_the_line)
{
    static struct result rows[TOKENS * SPREADS];
    struct result_set set = map_of(rows, 1);
    struct figure figure = figure_of(&set);
    /* Numbers are 38 pixels wide with 7 to spare on either side, 0.08 of a cell of 327 to the left
     * and right of their middle. The line runs from 1.84 in row 0 to 2.77 in row 1 and 3.45 in row
     * 2. Within a fifth of row 0 it goes up to 2.024: the number of column 2 moves to 2.104. Within
     * a fifth of row 1 it goes from 2.58 to 2.90, between two numbers. */
    expect_no_part(figure.script, "\n2 0 0.20 ");
    expect_part(figure.script, "\n2.10");
    expect_part(figure.script, "\n2 1 0.20 ");
    expect_part(figure.script, "\n3 1 0.40 ");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("phase");
    TCase *cases = tcase_create("phase");
    tcase_add_test(cases, a_place_is_found_between_the_spreads_around_it);
    tcase_add_test(cases, the_onset_runs_where_the_measured_spread_meets_the_table);
    tcase_add_test(cases, other_weights_have_a_map_without_an_onset);
    tcase_add_test(cases, few_tokens_or_a_single_axis_make_no_map);
    tcase_add_test(cases, every_further_combination_has_its_own_map);
    tcase_add_test(cases, the_figure_names_line_axes_and_cells);
    tcase_add_test(cases, steps_of_an_axis_that_differ_are_told);
    tcase_add_test(cases, two_axes_without_tokens_make_a_map_when_it_is_filled);
    tcase_add_test(cases, contours_run_where_the_row_max_reaches_the_threshold_and_one_half);
    tcase_add_test(cases, values_of_a_single_further_axis_are_taken_evenly);
    tcase_add_test(cases, a_number_makes_room_for_the_line);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
