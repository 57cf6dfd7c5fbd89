/* SPDX-License-Identifier: MIT */
/* attention/head_stream: long rows, taken piece by piece, against the same scores given whole; and
 * bits that do not depend on what else is asked for. */
#include "base/random.h"
#include "head_fixture.h"

#include <string.h>

#define TOKENS ((size_t)1500)
#define MODEL ((size_t)8)

static double x[TOKENS * MODEL];
static double scores[TOKENS * TOKENS];
static double weights[TOKENS * TOKENS];

static struct head_input input_of_x(void)
{
    random_normal_matrix(51, RANDOM_TEST, TOKENS, MODEL, x);
    return (struct head_input){.shape = {TOKENS, MODEL, 4}, .x = x, .input_id = 1};
}

static struct run run_of(bool causal)
{
    struct run run = fixture_run(causal ? 7 : 4, 3);
    run.mask = causal ? MASK_CAUSAL : MASK_NONE;
    return run;
}

static void assert_same_rows(const struct measurement *a, const struct measurement *b)
{
    ck_assert(a->score_std == b->score_std && a->score_row_std == b->score_row_std);
    ck_assert(a->score_abs_max == b->score_abs_max && a->max_logit == b->max_logit);
    ck_assert(a->row_max_mean == b->row_max_mean && a->row_max_median == b->row_max_median);
    ck_assert(a->entropy_mean == b->entropy_mean);
    ck_assert(a->log_one_minus_row_max_mean == b->log_one_minus_row_max_mean);
    ck_assert(a->jacobian_norm_mean == b->jacobian_norm_mean);
    ck_assert(a->jacobian_trace_median == b->jacobian_trace_median);
    ck_assert(a->nonfinite == b->nonfinite && a->undefined_rows == b->undefined_rows);
}

START_TEST(what_else_is_asked_for_moves_no_bit)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = input_of_x();
    struct run run = run_of(_i == 1);
    struct measurement all = fixture_measure(&fixture, &input, &run, scores, weights);
    ck_assert(all.gradient_wq > 0 && all.max_column_mean > 0);
    struct measurement plain = fixture_measure(&fixture, &input, &run, NULL, NULL);
    assert_same_rows(&plain, &all);
    ck_assert(plain.gradient_wk == all.gradient_wk);
    ck_assert(plain.max_column_mean == all.max_column_mean);
    input.no_gradients = true;
    struct measurement forward = fixture_measure(&fixture, &input, &run, NULL, NULL);
    assert_same_rows(&forward, &all);
    ck_assert(forward.max_column_mean == all.max_column_mean);
    input.no_columns = true;
    struct measurement least = fixture_measure(&fixture, &input, &run, NULL, NULL);
    assert_same_rows(&least, &all);
    ck_assert(isnan(least.max_column_mean));
    fixture_close(&fixture);
}
END_TEST

START_TEST(streamed_rows_are_those_of_the_same_scores_given_whole)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = input_of_x();
    struct run run = run_of(_i == 1);
    struct measurement streamed = fixture_measure(&fixture, &input, &run, scores, weights);
    size_t wrong = 0;
    for (size_t i = 0; i < TOKENS; i++) {
        double sum = 0;
        for (size_t j = 0; j < TOKENS; j++) {
            bool masked = _i == 1 && j > i;
            wrong += isnan(scores[i * TOKENS + j]) != masked;
            wrong += masked && weights[i * TOKENS + j] != 0;
            scores[i * TOKENS + j] = masked ? -(double)INFINITY : scores[i * TOKENS + j];
            sum += weights[i * TOKENS + j];
        }
        assert_near(sum, 1, 1e-13);
    }
    ck_assert_uint_eq(wrong, 0);
    const struct head_input given = {.shape = {TOKENS, 0, 0}, .scores = scores, .queries = TOKENS};
    struct run whole = run_default();
    struct measurement wanted = fixture_measure(&fixture, &given, &whole, NULL, NULL);
    assert_near(streamed.score_std, wanted.score_std, 1e-13);
    assert_near(streamed.score_row_std, wanted.score_row_std, 1e-13);
    ck_assert(streamed.score_abs_max == wanted.score_abs_max);
    assert_near(streamed.row_max_mean, wanted.row_max_mean, 1e-13);
    assert_near(streamed.entropy_mean, wanted.entropy_mean, 1e-13);
    assert_near(streamed.jacobian_rms, wanted.jacobian_rms, 1e-13);
    assert_near(streamed.jacobian_trace_mean, wanted.jacobian_trace_mean, 1e-13);
    assert_near(streamed.max_column_mean, wanted.max_column_mean, 1e-13);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_token_that_is_not_finite_spoils_its_row_and_the_rows_that_see_it)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = input_of_x();
    struct run run = run_of(true);
    run.guard_norm = false;
    x[1400 * MODEL] = (double)NAN;
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, weights);
    /* All 1,401 scores of its own row, one of each of the 99 after it. */
    ck_assert_int_eq(m.nonfinite, 1500);
    ck_assert_int_eq(m.undefined_rows, 100);
    assert_near(weights[TOKENS] + weights[TOKENS + 1], 1, 1e-15);
    ck_assert(isnan(weights[1450 * TOKENS]));
    fixture_close(&fixture);
}
END_TEST

static Suite *stream_suite(void)
{
    Suite *suite = suite_create("head_stream");
    TCase *cases = tcase_create("stream");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, what_else_is_asked_for_moves_no_bit, 0, 2);
    tcase_add_loop_test(cases, streamed_rows_are_those_of_the_same_scores_given_whole, 0, 2);
    tcase_add_test(cases, a_token_that_is_not_finite_spoils_its_row_and_the_rows_that_see_it);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(stream_suite());
}
