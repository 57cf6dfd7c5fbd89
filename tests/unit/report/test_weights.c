/* SPDX-License-Identifier: MIT */
/* Tests src/report/weights.c and weights_layout.c: which kept weights are shown, and where. */
#include "example.h"

#include "report/weights.h"

static struct arena arena;

static bool choose(struct result_set *set, struct summary *summary, struct weights *weights)
{
    struct error err = ERROR_INIT;
    assert_ok(summary_make(set, &arena, summary, &err), err);
    assert_ok(weights_choose(set, summary, &arena, weights, &err), err);
    return weights->kept > 0;
}

START_TEST(the_main_sweep_shows_three_guard_sets_on_three_corpora)
{
    struct result_set set = example_set(&arena, 2);
    struct summary summary;
    struct weights weights;
    ck_assert(choose(&set, &summary, &weights));
    ck_assert_uint_eq(weights.rows, 3);
    ck_assert_uint_eq(weights.columns, 3);
    ck_assert_int_eq(weights.seed, 1);
    ck_assert_str_eq(run_guards_text(&weights.panels[0][0]->run), "none");
    ck_assert_str_eq(run_guards_text(&weights.panels[1][0]->run), "init+scale");
    ck_assert_str_eq(run_guards_text(&weights.panels[2][2]->run), "init+scale+norm");
    ck_assert_str_eq(weights.panels[2][2]->run.corpus, "harbour");
    ck_assert(weights.same_words);
}
END_TEST

START_TEST(without_kept_weights_there_is_no_heat_map)
{
    struct result_set set = example_set(&arena, 1);
    struct result *rows = arena_alloc(&arena, set.count, sizeof *rows, &(struct error)ERROR_INIT);
    memcpy(rows, set.whole, set.count * sizeof *rows);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].kept.weights = NULL;
    }
    set.whole = rows;
    struct summary summary;
    struct weights weights;
    ck_assert(!choose(&set, &summary, &weights));
}
END_TEST

START_TEST(a_panel_that_was_not_kept_stays_empty)
{
    struct result_set set = example_set(&arena, 1);
    struct result *rows = arena_alloc(&arena, set.count, sizeof *rows, &(struct error)ERROR_INIT);
    memcpy(rows, set.whole, set.count * sizeof *rows);
    rows[3].kept.weights = NULL; /* demo, init + scale */
    set.whole = rows;
    struct summary summary;
    struct weights weights;
    ck_assert(choose(&set, &summary, &weights));
    ck_assert_ptr_null(weights.panels[1][0]);
    ck_assert_ptr_nonnull(weights.panels[1][1]);
}
END_TEST

/* `count` settings that differ in d_k, with the row-max that a test gives them. */
static struct result_set line_of(struct result *rows, size_t count, const double *row_max)
{
    static double kept[EXAMPLE_TOKENS * EXAMPLE_TOKENS];
    for (size_t i = 0; i < count; i++) {
        memset(&rows[i], 0, sizeof rows[i]);
        example_fill(&rows[i], 0, 3, 1, kept);
        rows[i].index = (int64_t)i;
        rows[i].run.d_k = (int64_t)i + 1;
        rows[i].measurement.row_max_mean = row_max == NULL ? 0.5 : row_max[i];
    }
    return (struct result_set){.whole = rows, .count = count, .planned = (int64_t)count};
}

START_TEST(up_to_twelve_values_are_listed_in_few_rows)
{
    static struct result rows[10];
    struct result_set set = line_of(rows, 10, NULL);
    struct summary summary;
    struct weights weights;
    ck_assert(choose(&set, &summary, &weights));
    ck_assert(weights.listed);
    ck_assert_uint_eq(weights.rows, 3);
    ck_assert_uint_eq(weights.columns, 4);
    ck_assert_uint_eq(weights.shown, 10);
    ck_assert_int_eq(weights.panels[2][1]->run.d_k, 10);
    ck_assert_ptr_null(weights.panels[2][2]);
}
END_TEST

/* 12 of 30, evenly: places 0, 3, 5, 8, 11, 13, ...; the most saturated, at 7, takes the place of
 * its neighbour at 8. */
START_TEST(many_values_are_thinned_and_keep_the_most_saturated)
{
    static struct result rows[30];
    double row_max[30];
    for (size_t i = 0; i < 30; i++) {
        row_max[i] = i == 7 ? 0.95 : 0.5;
    }
    struct result_set set = line_of(rows, 30, row_max);
    struct summary summary;
    struct weights weights;
    ck_assert(choose(&set, &summary, &weights));
    ck_assert_uint_eq(weights.kept, 30);
    ck_assert_uint_eq(weights.shown, 12);
    ck_assert_int_eq(weights.panels[0][0]->run.d_k, 1);
    ck_assert_int_eq(weights.panels[0][3]->run.d_k, 8);
    ck_assert_int_eq(weights.panels[2][3]->run.d_k, 30);
    ck_assert_int_eq(weights.base->sample->d_k, 8);
}
END_TEST

/* Two files with four heads each, and a second field that goes with the file. */
START_TEST(two_axes_that_all_fit_are_shown_whole)
{
    static struct result rows[8];
    struct result_set set = line_of(rows, 8, NULL);
    for (size_t i = 0; i < 8; i++) {
        rows[i].run.d_k = 8;
        rows[i].run.d_model = i < 4 ? 16 : 32;
        rows[i].run.sentence = i < 4 ? "the cat" : "the mouse";
        rows[i].run.window = (int64_t)(i % 4) + 1;
        rows[i].measurement.row_max_mean = i == 6 ? 0.99 : 0.4;
    }
    struct summary summary;
    struct weights weights;
    ck_assert(choose(&set, &summary, &weights));
    ck_assert(!weights.listed);
    ck_assert_uint_eq(weights.rows * weights.columns, 8);
    ck_assert_uint_eq(weights.shown, 8);
    ck_assert_ptr_eq(weights.base->sample, &rows[6].run);
    size_t bound = 0;
    for (size_t a = 0; a < summary.axis_count; a++) {
        bound += weights.parts[a] == WEIGHTS_BOUND;
    }
    ck_assert_uint_eq(bound, 1);
}
END_TEST

/* 4 x 3 x 2 settings; the row-max moves by 0.15 a step of d_k, 0.1 of d_model, 0.02 of the window.
 * So d_k stands in columns, d_model in rows, and the window is held where row-max is largest. */
START_TEST(of_three_axes_those_that_matter_are_shown_through_the_most_saturated)
{
    static struct result rows[24];
    struct result_set set = line_of(rows, 24, NULL);
    for (size_t i = 0; i < 24; i++) {
        rows[i].run.window = (int64_t)(i / 12) + 1;
        rows[i].run.d_model = (int64_t)(i / 4 % 3) + 1;
        rows[i].run.d_k = (int64_t)(i % 4) + 1;
        rows[i].measurement.row_max_mean = 0.3 * (double)rows[i].run.d_k / 2 +
                                           0.1 * (double)rows[i].run.d_model +
                                           0.02 * (double)rows[i].run.window;
    }
    struct summary summary;
    struct weights weights;
    ck_assert(choose(&set, &summary, &weights));
    ck_assert_int_eq(weights.column_axis->field, RUN_D_K);
    ck_assert_int_eq(weights.row_axis->field, RUN_D_MODEL);
    ck_assert_uint_eq(weights.columns, 4);
    ck_assert_uint_eq(weights.rows, 3);
    ck_assert_uint_eq(weights.shown, 12);
    ck_assert_uint_eq(weights.kept, 24);
    for (size_t i = 0; i < 12; i++) {
        ck_assert_int_eq(weights.panels[i / 4][i % 4]->run.window, 2);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("weights");
    TCase *cases = tcase_create("choice");
    tcase_add_test(cases, the_main_sweep_shows_three_guard_sets_on_three_corpora);
    tcase_add_test(cases, without_kept_weights_there_is_no_heat_map);
    tcase_add_test(cases, a_panel_that_was_not_kept_stays_empty);
    tcase_add_test(cases, up_to_twelve_values_are_listed_in_few_rows);
    tcase_add_test(cases, many_values_are_thinned_and_keep_the_most_saturated);
    tcase_add_test(cases, two_axes_that_all_fit_are_shown_whole);
    tcase_add_test(cases, of_three_axes_those_that_matter_are_shown_through_the_most_saturated);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
