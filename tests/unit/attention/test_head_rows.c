/* SPDX-License-Identifier: MIT */
/* Tests of attention/head_rows: blocks of rows against the whole matrix, kept matrices, and rows
 * that are not finite. */
#include "base/random.h"
#include "head_fixture.h"
#include "numeric/statistics.h"

#include <string.h>

#define LARGEST 200
#define MODEL 16
#define KEYS 6

static double x[LARGEST * MODEL];
static double z_q[MODEL * KEYS];
static double z_k[MODEL * KEYS];
static double scores[LARGEST * LARGEST];
static double weights[LARGEST * LARGEST];

static struct head_input random_input(size_t tokens)
{
    random_normal_matrix(41, RANDOM_TEST, LARGEST, MODEL, x);
    random_normal_matrix(42, RANDOM_TEST, MODEL, KEYS, z_q);
    random_normal_matrix(43, RANDOM_TEST, MODEL, KEYS, z_k);
    return (struct head_input){
        .shape = {tokens, MODEL, KEYS}, .x = x, .input_id = 0, .z_q = z_q, .z_k = z_k};
}

static double dot(const double *row, const double *z, size_t column)
{
    double sum = 0;
    for (size_t l = 0; l < MODEL; l++) {
        sum += row[l] * z[l * KEYS + column];
    }
    return sum;
}

START_TEST(scores_are_the_products_across_block_borders)
{
    static const size_t sizes[] = {2, 63, 64, 65, 128, 200};
    size_t n = sizes[_i];
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(n);
    struct run run = fixture_run(3, 1);
    fixture_measure(&fixture, &input, &run, scores, weights);
    fixture_close(&fixture);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t c = 0; c < KEYS; c++) {
                sum += dot(x + i * MODEL, z_q, c) * dot(x + j * MODEL, z_k, c);
            }
            assert_within(scores[i * n + j], sum / MODEL / sqrt(KEYS), 1e-13);
        }
    }
}
END_TEST

/* Measures of the kept matrices by their definitions. */
static void assert_measures(size_t n, const struct measurement *m)
{
    double largest = 0;
    double top = 0;
    double variance = 0;
    double log_others = 0;
    for (size_t i = 0; i < n; i++) {
        double row_max = 0;
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            largest = fmax(largest, fabs(scores[i * n + j]));
            row_max = fmax(row_max, weights[i * n + j]);
            sum += weights[i * n + j];
        }
        assert_within(sum, 1, ((double)n + 2) * 1.2e-16);
        top += row_max / (double)n;
        log_others += log1p(-row_max) / (double)n;
        variance += moments_variance(moments_of(n, scores + i * n)) / (double)n;
    }
    ck_assert(m->score_abs_max == largest);
    assert_near(m->row_max_mean, top, 1e-13);
    assert_near(m->log_one_minus_row_max_mean, log_others, 1e-11);
    assert_near(m->score_row_std, sqrt(variance), 1e-13);
    assert_near(m->score_std, moments_std(moments_of(n * n, scores)), 1e-13);
}

START_TEST(measures_are_those_of_the_whole_matrix)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(150);
    for (unsigned guards = 1; guards < 8; guards += 2) {
        struct run run = fixture_run(guards, 1);
        struct measurement m = fixture_measure(&fixture, &input, &run, scores, weights);
        assert_measures(150, &m);
        ck_assert(m.tokens == 150 && m.nonfinite == 0);
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(keeping_matrices_changes_no_measure)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(70);
    struct run run = fixture_run(7, 1);
    struct measurement none = fixture_measure(&fixture, &input, &run, NULL, NULL);
    struct measurement both = fixture_measure(&fixture, &input, &run, scores, weights);
    struct measurement one = fixture_measure(&fixture, &input, &run, NULL, weights);
    ck_assert_mem_eq(&none, &both, sizeof none);
    ck_assert_mem_eq(&none, &one, sizeof none);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_token_that_is_not_finite_is_counted_and_seen)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(5);
    x[2 * MODEL + 3] = bad[_i];
    struct run run = fixture_run(3, 1);
    struct measurement m = fixture_measure(&fixture, &input, &run, scores, weights);
    fixture_close(&fixture);
    /* Row 2 and column 2. */
    ck_assert_int_eq(m.nonfinite, 9);
    ck_assert(isfinite(scores[0]) && !isfinite(scores[2]) && isnan(weights[0]));
    ck_assert(isnan(m.row_max_mean) && isnan(m.row_max_median) && isnan(m.saturated_rows));
    ck_assert(isnan(m.entropy_mean) && isnan(m.effective_keys_mean));
    ck_assert(isnan(m.jacobian_norm_mean) && isnan(m.jacobian_norm_median));
    ck_assert(isnan(m.jacobian_trace_mean) && isnan(m.log_one_minus_row_max_mean));
    ck_assert(isnan(m.gradient_wq) && isnan(m.gradient_wk));
    ck_assert(isnan(m.gradient_wq_ratio) && isnan(m.gradient_wk_ratio));
    ck_assert(isnan(m.score_std) && isnan(m.score_row_std) && !isfinite(m.score_abs_max));
    ck_assert(isnan(m.raw_input_std) && isnan(m.input_std) && !isfinite(m.input_rms));
}
END_TEST

START_TEST(one_overflowing_score_spoils_its_row_only)
{
    /* Keys are scalars 1 and 1e200, queries 1 and 1e200: only the product of the two is infinite.
     */
    const double tokens[] = {1, 1e200};
    const double one[] = {1};
    struct head_input input = {
        .shape = {2, 1, 1}, .x = tokens, .input_id = 0, .z_q = one, .z_k = one};
    struct fixture fixture;
    fixture_open(&fixture);
    struct run run = fixture_run(0, 1);
    struct measurement m = fixture_measure(&fixture, &input, &run, scores, weights);
    fixture_close(&fixture);
    ck_assert_int_eq(m.nonfinite, 1);
    assert_near(m.score_abs_max, (double)INFINITY, 0);
    ck_assert(weights[0] == 0 && weights[1] == 1 && isnan(weights[2]) && isnan(weights[3]));
    ck_assert(isnan(m.row_max_mean));
}
END_TEST

START_TEST(huge_finite_scores_saturate_without_a_nan)
{
    /* The identity times 1e150: each token sees itself at 1e300 and the others at 0. */
    double tokens[9] = {0};
    double identity[9] = {0};
    for (size_t i = 0; i < 3; i++) {
        tokens[4 * i] = 1e150;
        identity[4 * i] = 1;
    }
    struct head_input input = {
        .shape = {3, 3, 3}, .x = tokens, .input_id = 0, .z_q = identity, .z_k = identity};
    struct fixture fixture;
    fixture_open(&fixture);
    struct run run = fixture_run(0, 1);
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    ck_assert(m.nonfinite == 0 && m.row_max_mean == 1 && m.saturated_rows == 1);
    assert_near(m.score_abs_max, 1e300, 1e-15);
    assert_near(m.log_one_minus_row_max_mean, -1e300, 1e-15);
    ck_assert(m.entropy_mean == 0 && m.jacobian_norm_mean == 0 && m.gradient_wq == 0);
    ck_assert(m.gradient_wq_ratio == 0 && m.gradient_wk_ratio == 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head_rows");
    TCase *tests = tcase_create("head_rows");
    tcase_add_loop_test(tests, scores_are_the_products_across_block_borders, 0, 6);
    tcase_add_test(tests, measures_are_those_of_the_whole_matrix);
    tcase_add_test(tests, keeping_matrices_changes_no_measure);
    tcase_add_loop_test(tests, a_token_that_is_not_finite_is_counted_and_seen, 0, 3);
    tcase_add_test(tests, one_overflowing_score_spoils_its_row_only);
    tcase_add_test(tests, huge_finite_scores_saturate_without_a_nan);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
