/* SPDX-License-Identifier: MIT */
/* Tests of attention/head_upstream_grams: few tokens where squares are tiny or small beside what
 * they are made of. */
#include "upstream_example.h"

START_TEST(saturated_rows_keep_the_digits_of_their_gradient)
{
    /* The largest weights lack about 1e-30, 1e-100 and 1e-250 of 1 at most. */
    static const double factors[] = {70, 230, 575};
    static const struct head_shape sizes[] = {{3, 3, 3}, {5, 3, 3}};
    struct arena arena = {NULL};
    struct fixture fixture;
    fixture_open(&fixture);
    struct example example = make_example(&arena, sizes[_i % 2]);
    struct head_shape shape = example.input.shape;
    struct run run = plain_run(shape.d_k);
    /* Each token a corner of a triangle, or the middle: scores of a row are 1, 0 and -1 times the
     * factor, or all but equal. */
    for (size_t i = 0; i < shape.tokens * shape.d_model; i++) {
        size_t row = i / shape.d_model;
        size_t column = i % shape.d_model;
        example.x[i] = row % 3 == column ? 1 + 0.01 * (double)row : 0;
        if (i < 9) {
            example.z_q[i] = i % 3 == i / 3;
            example.z_k[i] = i % 3 == i / 3 ? 1 : i % 3 == (i / 3 + 1) % 3 ? 0.1 : 0;
        }
    }
    run.score_factor = factors[_i / 2];
    struct measurement m = fixture_measure(&fixture, &example.input, &run, NULL, example.weights);
    assert_plain_sums(&example, &run, run.score_factor, &m, 1e-12);
    ck_assert(sizes[_i % 2].tokens > 3 || m.gradient_wq < 1e-20);
    fixture_close(&fixture);
    arena_release(&arena);
}
END_TEST

START_TEST(equal_tokens_have_no_gradient_but_what_shifts_bring)
{
    /* Nothing distinguishes the keys: of softmax, what reaches the scores of a row sums to 0. */
    struct arena arena = {NULL};
    struct fixture fixture;
    fixture_open(&fixture);
    struct example example = make_example(&arena, (struct head_shape){20, _i == 0 ? 30 : 7, 25});
    size_t d = example.input.shape.d_model;
    for (size_t i = d; i < 20 * d; i++) {
        example.x[i] = example.x[i - d];
    }
    struct run run = plain_run(25);
    struct measurement m = fixture_measure(&fixture, &example.input, &run, NULL, NULL);
    ck_assert(m.gradient_wq == 0 && m.gradient_wk == 0);
    run.weights = WEIGHTS_SIGMOID;
    m = fixture_measure(&fixture, &example.input, &run, NULL, NULL);
    ck_assert(m.gradient_wq > 0 && m.gradient_wk > 0);
    fixture_close(&fixture);
    arena_release(&arena);
}
END_TEST

START_TEST(equal_tokens_have_none_through_a_norm_either)
{
    /* Equal keys have one derivative of their norm, and what reaches all of them sums to 0: by all
     * upstreams the closed form is 0 as well, and a ratio is 0/0. */
    static const int norms[] = {QK_NORM_L2, QK_NORM_LAYER, QK_NORM_RMS};
    static const size_t tokens[] = {2, 20, 130};
    struct arena arena = {NULL};
    struct fixture fixture;
    fixture_open(&fixture);
    struct example example = make_example(&arena, (struct head_shape){tokens[_i / 3], 7, 4});
    for (size_t i = 7; i < tokens[_i / 3] * 7; i++) {
        example.x[i] = example.x[i - 7];
    }
    struct run run = plain_run(4);
    run.qk_norm = norms[_i % 3];
    struct measurement m = fixture_measure(&fixture, &example.input, &run, NULL, NULL);
    ck_assert(m.gradient_wq == 0 && m.gradient_wk == 0);
    ck_assert(isnan(m.gradient_wq_ratio) && isnan(m.gradient_wk_ratio));
    run.upstream = UPSTREAM_EXPECTED;
    m = fixture_measure(&fixture, &example.input, &run, NULL, NULL);
    ck_assert(m.gradient_wq == 0 && m.gradient_wk == 0);
    fixture_close(&fixture);
    arena_release(&arena);
}
END_TEST

START_TEST(a_tie_leaves_no_number_whatever_the_rows_behind_it)
{
    /* The first two tokens are equal, so that argmax has a tie in the row that sees these two, and
     * no slope there. Of the third token the score with itself is the larger one, which has none.
     */
    struct arena arena = {NULL};
    struct fixture fixture;
    fixture_open(&fixture);
    struct example example = make_example(&arena, (struct head_shape){3, 4, 3});
    memcpy(example.z_k, example.z_q, 12 * sizeof(double));
    for (size_t c = 0; c < 4; c++) {
        example.x[4 + c] = example.x[c];
        example.x[8 + c] = -example.x[c];
    }
    struct run run = plain_run(3);
    run.weights = WEIGHTS_ARGMAX;
    run.mask = MASK_CAUSAL;
    struct measurement m = fixture_measure(&fixture, &example.input, &run, NULL, NULL);
    ck_assert(isnan(m.gradient_wq) && isnan(m.gradient_wk));
    run.upstream = UPSTREAM_EXPECTED;
    m = fixture_measure(&fixture, &example.input, &run, NULL, NULL);
    ck_assert(isnan(m.gradient_wq) && isnan(m.gradient_wk));
    fixture_close(&fixture);
    arena_release(&arena);
}
END_TEST

START_TEST(nearly_equal_tokens_keep_what_their_differences_tell)
{
    /* Tokens differ by a millionth, and so do keys, which are rounded: ten digits are left. */
    struct arena arena = {NULL};
    struct fixture fixture;
    fixture_open(&fixture);
    struct example example = make_example(&arena, (struct head_shape){20, 30, 25});
    for (size_t i = 0; i < (size_t)20 * 30; i++) {
        example.x[i] = example.x[i % 30] + (i < 30 ? 0 : 1e-6 * example.x[i]);
    }
    struct run run = plain_run(25);
    run.score_factor = 0.02;
    struct measurement m = fixture_measure(&fixture, &example.input, &run, NULL, example.weights);
    assert_plain_sums(&example, &run, run.score_factor, &m, 1e-9);
    fixture_close(&fixture);
    arena_release(&arena);
}
END_TEST

START_TEST(a_far_token_that_has_no_weight_takes_no_digits)
{
    /* Rows see one token alone or not at all: whatever its length, nothing reaches its scores. */
    struct arena arena = {NULL};
    struct fixture fixture;
    fixture_open(&fixture);
    struct example example = make_example(&arena, (struct head_shape){20, 30, 25});
    for (size_t c = 0; c < 30; c++) {
        example.x[(size_t)5 * 30 + c] *= 1e7;
    }
    struct run run = plain_run(25);
    run.score_factor = 0.01;
    struct measurement m = fixture_measure(&fixture, &example.input, &run, NULL, example.weights);
    assert_plain_sums(&example, &run, run.score_factor, &m, 1e-12);
    ck_assert(m.gradient_wq > 0.1 && m.row_max_mean < 0.9);
    fixture_close(&fixture);
    arena_release(&arena);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head_upstream_grams");
    TCase *tests = tcase_create("head_upstream_grams");
    tcase_add_loop_test(tests, equal_tokens_have_no_gradient_but_what_shifts_bring, 0, 2);
    tcase_add_loop_test(tests, equal_tokens_have_none_through_a_norm_either, 0, 9);
    tcase_add_test(tests, a_far_token_that_has_no_weight_takes_no_digits);
    tcase_add_test(tests, a_tie_leaves_no_number_whatever_the_rows_behind_it);
    tcase_add_test(tests, nearly_equal_tokens_keep_what_their_differences_tell);
    suite_add_tcase(suite, tests);
    /* Under valgrind a long double has the range of a double, which the plain sums leave. */
    TCase *native = tcase_create("native");
    tcase_set_tags(native, "native");
    tcase_add_loop_test(native, saturated_rows_keep_the_digits_of_their_gradient, 0, 6);
    suite_add_tcase(suite, native);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
