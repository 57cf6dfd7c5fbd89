/* SPDX-License-Identifier: MIT */
/* Tests src/report/view.c: which axis runs where. */
#include "example.h"

#include "report/view.h"

static struct arena arena;
static struct summary summary; /* outlives the view that points to it */

static struct view view_of(const struct result *rows, size_t count)
{
    const struct result_set set = {.name = "x",
                                   .title = "x",
                                   .sweep_text = "",
                                   .planned = (int64_t)count,
                                   .whole = rows,
                                   .count = count};
    struct error err = ERROR_INIT;
    struct view view;
    assert_ok(summary_make(&set, &arena, &summary, &err), err);
    assert_ok(view_make(&summary, &arena, &view, &err), err);
    return view;
}

/* A gaussian run at a place. */
static void put(struct result *row, int64_t index, unsigned guards, int64_t d_k)
{
    memset(row, 0, sizeof *row);
    row->index = index;
    row->message = "";
    row->run = example_run("demo", guards, 1);
    row->run.d_k = d_k;
}

START_TEST(the_main_sweep_runs_along_corpora_and_splits_by_norm)
{
    struct result_set set = example_set(&arena, 2);
    struct view view = view_of(set.whole, set.count);
    ck_assert_int_eq(view.x->field, RUN_CORPUS);
    ck_assert_int_eq(view.scale, SCALE_CATEGORIES);
    ck_assert_int_eq(view.lines->field, AXIS_GUARDS);
    ck_assert(view.split);
    ck_assert_uint_eq(view.line_count, 4);
    ck_assert_uint_eq(view.facet_count, 1);
    struct view_curve curve;
    struct error err = ERROR_INIT;
    assert_ok(view_curve(&view, 0, true, 3, &arena, &curve, &err), err);
    ck_assert_uint_eq(curve.count, 3);
    ck_assert_str_eq(run_guards_text(curve.points[2].group->sample), "init+scale+norm");
    ck_assert_str_eq(curve.points[2].group->sample->corpus, "harbour");
    assert_near(curve.points[2].x, 2, 0);
}
END_TEST

START_TEST(few_guard_sets_stay_on_one_panel)
{
    static const unsigned guards[] = {0, 3, 7};
    struct result rows[9];
    for (size_t i = 0; i < 9; i++) {
        put(&rows[i], (int64_t)i, guards[i % 3], (int64_t)1 << (i / 3 * 2));
    }
    struct view view = view_of(rows, 9);
    ck_assert(!view.split);
    ck_assert_uint_eq(view.line_count, 3);
    ck_assert_int_eq(view.x->field, RUN_D_K);
    ck_assert_int_eq(view.scale, SCALE_LOG);
    assert_near(view.x_least, 1, 0);
    assert_near(view.x_most, 16, 0);
}
END_TEST

START_TEST(points_of_a_curve_rise_in_x_whatever_the_plan)
{
    static const int64_t planned[] = {64, 4, 16, 1};
    struct result rows[4];
    for (size_t i = 0; i < 4; i++) {
        put(&rows[i], (int64_t)i, 0, planned[i]);
    }
    struct view view = view_of(rows, 4);
    struct view_curve curve;
    struct error err = ERROR_INIT;
    assert_ok(view_curve(&view, 0, false, 0, &arena, &curve, &err), err);
    ck_assert_uint_eq(curve.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_near(curve.points[i].x, pow(4, (double)i), 0);
    }
    ck_assert_ptr_null(view.lines);
}
END_TEST

START_TEST(only_guards_run_along_x)
{
    struct result rows[8];
    for (unsigned i = 0; i < 8; i++) {
        put(&rows[i], i, i, 64);
    }
    struct view view = view_of(rows, 8);
    ck_assert_int_eq(view.x->field, AXIS_GUARDS);
    ck_assert_ptr_null(view.lines);
    ck_assert(!view.split);
    ck_assert_uint_eq(view.line_count, 1);
}
END_TEST

START_TEST(a_single_point_has_no_axis)
{
    struct result row;
    put(&row, 0, 0, 64);
    struct view view = view_of(&row, 1);
    ck_assert_ptr_null(view.x);
    ck_assert_ptr_null(view.lines);
    ck_assert_uint_eq(view.facet_count, 1);
    ck_assert_str_eq(view_x_label(&view), "");
}
END_TEST

START_TEST(zipped_axes_make_no_facets)
{
    struct result rows[4];
    for (size_t i = 0; i < 4; i++) {
        put(&rows[i], (int64_t)i, 0, (int64_t)8 << i);
        rows[i].run.d_model = (int64_t)16 << i;
    }
    struct view view = view_of(rows, 4);
    ck_assert_uint_eq(view.facet_count, 1);
    ck_assert_uint_eq(view.facet_axis_count, 0);
}
END_TEST

START_TEST(more_combinations_than_nine_are_left_out_and_counted)
{
    struct result rows[96];
    for (size_t i = 0; i < 96; i++) {
        put(&rows[i], (int64_t)i, i % 2 == 0 ? 0 : 3, 64);
        rows[i].run.d_k = (int64_t)1 << (i / 2 % 3);
        rows[i].run.position = i / 6 % 2 == 0 ? POSITION_SINUSOIDAL : POSITION_NONE;
        rows[i].run.norm = i / 12 % 2 == 0 ? NORM_LAYER : NORM_RMS;
        rows[i].run.mask = i / 48 == 0 ? MASK_NONE : MASK_CAUSAL;
    }
    struct view view = view_of(rows, 24);
    ck_assert_uint_eq(view.facet_count, 4);
    ck_assert_uint_eq(view.groups_left_out, 0);
    for (size_t i = 24; i < 96; i += i % 24 == 23 ? 25 : 1) {
        rows[i].run.unknown_words = UNKNOWN_WORDS_SKIP;
    }
    view = view_of(rows, 96);
    ck_assert_uint_eq(view.facet_count, VIEW_FACETS);
    ck_assert_uint_eq(view.groups_left_out, 42); /* seven of 16 combinations of six groups */
}
END_TEST

START_TEST(a_limit_of_no_sentences_stands_at_what_was_read)
{
    static const int64_t limits[] = {8, 64, 512, 0};
    struct result rows[4];
    for (size_t i = 0; i < 4; i++) {
        put(&rows[i], (int64_t)i, 3, 64);
        rows[i].run.sentence_limit = limits[i];
        rows[i].measurement.corpus_sentences = limits[i] == 0 ? 3008 : limits[i];
    }
    struct view view = view_of(rows, 4);
    ck_assert_int_eq(view.x->field, RUN_SENTENCE_LIMIT);
    assert_near(view.x_least, 8, 0);
    assert_near(view.x_most, 3008, 0);
    ck_assert_int_eq(view.scale, SCALE_LOG);
}
END_TEST

START_TEST(of_axes_without_a_scale_the_longest_runs_along_x)
{
    struct result rows[6];
    for (size_t i = 0; i < 6; i++) {
        put(&rows[i], (int64_t)i, 3, 64);
        rows[i].run.mask = i / 3 == 0 ? MASK_NONE : MASK_CAUSAL;
        rows[i].run.precision = (int)(i % 3);
    }
    struct view view = view_of(rows, 6);
    ck_assert_int_eq(view.x->field, RUN_PRECISION);
    ck_assert_int_eq(view.lines->field, RUN_MASK);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view");
    TCase *cases = tcase_create("layout");
    tcase_add_test(cases, the_main_sweep_runs_along_corpora_and_splits_by_norm);
    tcase_add_test(cases, few_guard_sets_stay_on_one_panel);
    tcase_add_test(cases, points_of_a_curve_rise_in_x_whatever_the_plan);
    tcase_add_test(cases, only_guards_run_along_x);
    tcase_add_test(cases, a_single_point_has_no_axis);
    tcase_add_test(cases, zipped_axes_make_no_facets);
    tcase_add_test(cases, more_combinations_than_nine_are_left_out_and_counted);
    tcase_add_test(cases, a_limit_of_no_sentences_stands_at_what_was_read);
    tcase_add_test(cases, of_axes_without_a_scale_the_longest_runs_along_x);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
