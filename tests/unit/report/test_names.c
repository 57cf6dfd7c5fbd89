/* SPDX-License-Identifier: MIT */
/* Tests src/report/names.c: what values, lines and facets are called. */
#include "sections_example.h"

static struct arena arena;
static struct sections_example example;

static const char *label(size_t value)
{
    struct error err = ERROR_INIT;
    return view_value_label(&example.summary.axes[0], value, &arena, &err);
}

static const char *phrase(size_t value)
{
    struct error err = ERROR_INIT;
    return view_value_phrase(&example.summary.axes[0], value, &arena, &err);
}

START_TEST(a_path_loses_its_folders_where_that_stays_clear)
{
    static struct result rows[3];
    static const char *const corpora[] = {"/data/one/text.txt", "/data/two/text.txt",
                                          "corpora/harbour.txt"};
    const struct result_set set = sections_example_rows(rows, 3);
    for (size_t i = 0; i < 3; i++) {
        rows[i].run.corpus = corpora[i];
        rows[i].run.corpus_digest = corpora[i];
    }
    sections_example_make(&example, &set, &arena);
    ck_assert_str_eq(label(2), "harbour");
    ck_assert_str_eq(label(0), "/data/one/text.txt");
    ck_assert_str_eq(phrase(2), "harbour");
}
END_TEST

START_TEST(a_dataset_keeps_its_name_whole)
{
    static struct result rows[2];
    static const char *const queries[] = {"models/small.safetensors:layers.0.q_proj.weight",
                                          "models/small.safetensors:layers.1.q_proj.weight"};
    const struct result_set set = sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.source = SOURCE_ARRAYS;
        rows[i].run.w_q = queries[i];
        rows[i].run.w_q_digest = queries[i];
    }
    sections_example_make(&example, &set, &arena);
    ck_assert_str_eq(label(0), "small:layers.0.q_proj.weight");
}
END_TEST

START_TEST(numbers_come_with_their_field)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[1].run.d_k = 128;
    sections_example_make(&example, &set, &arena);
    ck_assert_str_eq(phrase(1), "d_k = 128");
    rows[1].run.d_k = 1024;
    ck_assert_str_eq(phrase(1), "d_k = 1,024");
    ck_assert_str_eq(view_x_label(&example.view), "key dimension d_k");
}
END_TEST

START_TEST(the_spread_that_is_set_is_told_from_the_spread_that_is_measured)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[0].run.source = SOURCE_GAUSSIAN;
    rows[1].run.source = SOURCE_GAUSSIAN;
    rows[1].run.input_spread = 2;
    sections_example_make(&example, &set, &arena);
    ck_assert_str_eq(view_x_label(&example.view), "spread of the drawn input");
}
END_TEST

START_TEST(sentence_limits_are_sentences)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[1].run.sentence_limit = 512;
    sections_example_make(&example, &set, &arena);
    ck_assert_str_eq(phrase(0), "all sentences");
    ck_assert_str_eq(phrase(1), "512 sentences");
}
END_TEST

START_TEST(guard_sets_have_names_and_styles_of_their_own)
{
    struct result_set set = example_set(&arena, 1);
    struct error err = ERROR_INIT;
    sections_example_make(&example, &set, &arena);
    ck_assert_str_eq(view_guards_name(0), "none");
    ck_assert_str_eq(view_guards_name(6), "scale + norm");
    const struct run none = {.guard_init = false};
    const struct run two = {.guard_scale = true, .guard_norm = true};
    ck_assert_uint_eq(view_guards_on(&none), 0);
    ck_assert_uint_eq(view_guards_on(&two), 2);
    ck_assert_str_eq(view_line_name(&example.view, 3, &arena, &err), "init + scale");
    ck_assert_uint_eq(view_line_style(&example.view, 3), 3);
    ck_assert_str_eq(view_facet_name(&example.view, &example.summary.groups[0], &arena, &err), "");
}
END_TEST

START_TEST(values_of_a_factor_axis_are_short)
{
    static struct result rows[3];
    const struct result_set set = sections_example_rows(rows, 3);
    for (size_t i = 0; i < 3; i++) {
        rows[i].run.score_factor = pow(1.41421356, (double)i) / 1.41421356;
    }
    sections_example_make(&example, &set, &arena);
    ck_assert_str_eq(label(0), "0.707");
    ck_assert_str_eq(label(1), "1");
    ck_assert_str_eq(phrase(2), "score_factor = 1.41");
    char number[NUMBER_SIZE];
    ck_assert_str_eq(view_x_number(&example.view, rows[2].run.score_factor, number), "1.41");
}
END_TEST

START_TEST(long_rows_of_scores_are_named_by_place_size_and_beginning)
{
    static struct result rows[3];
    struct error err = ERROR_INIT;
    const struct result_set set = sections_example_rows(rows, 3);
    static const char *const scores[] = {"2,1,0.1", "1,2,3,4,5,6,7,8,9,10,11,12",
                                         "1,2,3,4,5,6,7,8;8,7,6,5,4,3,2,-1"};
    for (size_t i = 0; i < 3; i++) {
        rows[i].run.source = SOURCE_SCORES;
        rows[i].run.scores = scores[i];
    }
    sections_example_make(&example, &set, &arena);
    ck_assert_str_eq(label(0), "2, 1, 0.1");
    ck_assert_str_eq(label(1), "(2) 1 × 12: 1, 2, 3, 4, 5, …");
    ck_assert_str_eq(label(2), "(3) 2 × 8: 1, 2, 3, 4, 5, …");
    ck_assert_str_eq(view_value_text(&example.summary.axes[0], 2, &arena, &err),
                     "1, 2, 3, 4, 5, 6, 7, 8; 8, 7, 6, 5, 4, 3, 2, -1");
}
END_TEST

START_TEST(heads_and_absent_options_carry_the_name_of_their_axis)
{
    static struct result rows[2];
    struct error err = ERROR_INIT;
    struct result_set set = sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.source = SOURCE_ARRAYS;
        rows[i].run.head = (int64_t)i;
    }
    sections_example_make(&example, &set, &arena);
    ck_assert_str_eq(phrase(1), "head 1");
    ck_assert_int_eq(example.view.scale, SCALE_CATEGORIES);
    set = sections_example_rows(rows, 2);
    rows[1].run.mask = MASK_CAUSAL;
    sections_example_make(&example, &set, &arena);
    ck_assert(view_names_need_axis(&example.summary.axes[0]));
    ck_assert_str_eq(view_value_label(&example.summary.axes[0], 0, &arena, &err), "none");
    rows[1].run.mask = MASK_NONE;
    rows[1].run.weights = WEIGHTS_SUM;
    sections_example_make(&example, &set, &arena);
    ck_assert(!view_names_need_axis(&example.summary.axes[0]));
}
END_TEST

START_TEST(facets_of_many_axes_are_named_by_what_differs_from_the_base)
{
    static struct result rows[24];
    struct error err = ERROR_INIT;
    const struct result_set set = sections_example_rows(rows, 24);
    for (size_t i = 0; i < 24; i++) {
        bool other = i / 6 % 2 == 1;
        rows[i].run.guard_norm = i % 2 == 1;
        rows[i].run.d_k = (int64_t)8 << i / 2 % 3;
        rows[i].run.position = other ? POSITION_NONE : POSITION_SINUSOIDAL;
        rows[i].run.norm = other ? NORM_RMS : NORM_LAYER;
        rows[i].run.mask = i / 12 == 0 ? MASK_NONE : MASK_CAUSAL;
    }
    sections_example_make(&example, &set, &arena);
    const struct summary_group *groups = example.summary.groups;
    ck_assert_str_eq(view_facet_name(&example.view, &groups[0], &arena, &err), "base");
    ck_assert_str_eq(view_facet_name(&example.view, &groups[6], &arena, &err),
                     "position = none, norm = rms");
    ck_assert_str_eq(view_facet_name(&example.view, &groups[18], &arena, &err),
                     "position = none, norm = rms, mask = causal");
    ck_assert_str_eq(view_facet_base(&example.view, &arena, &err),
                     "position = sinusoidal, norm = layer, mask = none");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("names");
    TCase *cases = tcase_create("names");
    tcase_add_test(cases, a_path_loses_its_folders_where_that_stays_clear);
    tcase_add_test(cases, a_dataset_keeps_its_name_whole);
    tcase_add_test(cases, numbers_come_with_their_field);
    tcase_add_test(cases, the_spread_that_is_set_is_told_from_the_spread_that_is_measured);
    tcase_add_test(cases, sentence_limits_are_sentences);
    tcase_add_test(cases, guard_sets_have_names_and_styles_of_their_own);
    tcase_add_test(cases, values_of_a_factor_axis_are_short);
    tcase_add_test(cases, long_rows_of_scores_are_named_by_place_size_and_beginning);
    tcase_add_test(cases, heads_and_absent_options_carry_the_name_of_their_axis);
    tcase_add_test(cases, facets_of_many_axes_are_named_by_what_differs_from_the_base);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
