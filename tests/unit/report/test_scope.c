/* SPDX-License-Identifier: MIT */
/* Tests src/report/scope.c: what the runs of a sweep have in common. */
#include "sections_example.h"

#include "report/scope.h"

static struct arena arena;
static struct sections_example example;

static struct result rows[2];

/* The scope of two settings that differ in their score factor. */
static struct scope scope_of_rows(void)
{
    const struct result_set set = {
        .name = "", .title = "", .sweep_text = "", .planned = 2, .whole = rows, .count = 2};
    rows[1].run.score_factor = 2;
    sections_example_make(&example, &set, &arena);
    return scope_of(&example.summary);
}

START_TEST(given_scores_read_no_input_and_draw_nothing)
{
    sections_example_rows(rows, 2);
    struct scope scope = scope_of_rows();
    ck_assert(scope.inputs && scope.products && scope.drawn && scope.factor);
    rows[0].run.source = SOURCE_SCORES;
    rows[1].run.source = SOURCE_SCORES;
    scope = scope_of_rows();
    ck_assert(!scope.inputs && !scope.products && !scope.drawn);
    ck_assert_uint_eq(scope.sources, 1U << SOURCE_SCORES);
}
END_TEST

START_TEST(arrays_are_drawn_where_a_projection_is_missing)
{
    sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.source = SOURCE_ARRAYS;
        rows[i].run.x = "x.npy";
        rows[i].run.w_q = "q.npy";
    }
    ck_assert(scope_of_rows().drawn);
    rows[0].run.w_k = "k.npy";
    rows[1].run.w_k = "k.npy";
    ck_assert(!scope_of_rows().drawn);
    ck_assert(scope_of_rows().inputs);
    const struct scope scope = scope_of_rows();
    ck_assert(scope_looks_inside(&scope));
}
END_TEST

START_TEST(weights_tell_whether_rows_sum_to_one)
{
    sections_example_rows(rows, 2);
    struct scope scope = scope_of_rows();
    ck_assert(scope_softmax_only(&scope));
    ck_assert(!scope_sum_is_free(&scope));
    rows[1].run.weights = WEIGHTS_SIGMOID;
    scope = scope_of_rows();
    ck_assert(!scope_softmax_only(&scope));
    ck_assert(scope_sum_is_free(&scope));
    rows[1].run.weights = WEIGHTS_SPARSEMAX;
    scope = scope_of_rows();
    ck_assert(!scope_sum_is_free(&scope));
}
END_TEST

START_TEST(the_scale_guard_does_what_its_scale_says)
{
    sections_example_rows(rows, 2);
    struct scope scope = scope_of_rows();
    ck_assert_str_eq(scope_scale_words(&scope), "divided by √d_k");
    rows[0].run.score_scale = SCORE_SCALE_LINEAR;
    rows[1].run.score_scale = SCORE_SCALE_LINEAR;
    scope = scope_of_rows();
    ck_assert_str_eq(scope_scale_words(&scope), "divided by d_k");
    rows[1].run.score_scale = SCORE_SCALE_LOG_N;
    scope = scope_of_rows();
    ck_assert_str_eq(scope_scale_words(&scope), "scaled by score_scale");
    rows[0].run.guard_scale = false;
    scope = scope_of_rows();
    ck_assert_str_eq(scope_scale_words(&scope), "multiplied by (ln n)/√d_k");
}
END_TEST

START_TEST(a_measure_counts_when_a_setting_has_it)
{
    sections_example_rows(rows, 2);
    rows[0].measurement.input_std = (double)NAN;
    rows[1].measurement.input_std = 1;
    scope_of_rows();
    ck_assert(scope_measured(&example.summary, MEASURE_INPUT_STD));
    rows[1].measurement.input_std = (double)NAN;
    scope_of_rows();
    ck_assert(!scope_measured(&example.summary, MEASURE_INPUT_STD));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scope");
    TCase *cases = tcase_create("scope");
    tcase_add_test(cases, given_scores_read_no_input_and_draw_nothing);
    tcase_add_test(cases, arrays_are_drawn_where_a_projection_is_missing);
    tcase_add_test(cases, weights_tell_whether_rows_sum_to_one);
    tcase_add_test(cases, the_scale_guard_does_what_its_scale_says);
    tcase_add_test(cases, a_measure_counts_when_a_setting_has_it);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
