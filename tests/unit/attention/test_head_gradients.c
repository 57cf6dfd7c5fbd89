/* SPDX-License-Identifier: MIT */
/* Tests of attention/head_gradients: for every alternative, guard, cap, mask and rotation, what
 * reaches W_Q and W_K against finite differences of the weights, summed over all unit upstreams. */
#include "gradient_variants.h"

#include <string.h>

START_TEST(gradients_equal_finite_differences_over_all_upstreams)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct run run = run_of(&variants[_i]);
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct head_input input = random_input(10 * seed);
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        double wq = difference_quotient(&fixture, &input, &run, z_q, NULL);
        double wk = difference_quotient(&fixture, &input, &run, z_k, NULL);
        assert_within(m.gradient_wq, wq, 1e-7 * wq + 1e-10);
        assert_within(m.gradient_wk, wk, 1e-7 * wk + 1e-10);
        ck_assert(run.weights == WEIGHTS_ARGMAX ? wq == 0 : wq > 1e-4);
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(ratios_are_to_the_gradient_of_flat_scores)
{
    assert_ratios_are_to_flat_scores(variants[_i], UPSTREAM_EXPECTED);
}
END_TEST

START_TEST(two_tokens_by_hand)
{
    /* X = I and W_Q = W_K: |J V|_F = sqrt(2) p (1 - p) |v_0 - v_1| in each row, |x_i| = 1,
     * |x_0 - x_1|^2 = 2, c = 1/2 and W = Z / sqrt(3). */
    double weights[4];
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(3);
    memset(x, 0, sizeof x);
    x[0] = 1;
    x[MODEL + 1] = 1;
    input.shape.tokens = 2;
    input.z_k = z_q;
    struct run run = run_of(&variants[0]);
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, weights);
    fixture_close(&fixture);
    double slope0 = weights[0] * weights[1];
    double slope1 = weights[2] * weights[3];
    double lengths[3] = {0, 0, 0}; /* |q_0|^2, |q_1|^2, |q_0 - q_1|^2 before the init guard */
    for (size_t c = 0; c < KEYS; c++) {
        lengths[0] += z_q[c] * z_q[c];
        lengths[1] += z_q[KEYS + c] * z_q[KEYS + c];
        lengths[2] += pow(z_q[c] - z_q[KEYS + c], 2);
    }
    double factor = 0.5 / sqrt(3);
    double squares = slope0 * slope0 + slope1 * slope1;
    assert_near(m.gradient_wq, factor * sqrt(2 * squares * lengths[2]), 1e-14);
    double turned = slope0 * slope0 * lengths[0] + slope1 * slope1 * lengths[1];
    assert_near(m.gradient_wk, factor * sqrt(2 * turned * 2), 1e-14);
}
END_TEST

START_TEST(a_lone_key_moves_its_weight_where_weights_need_no_others)
{
    /* The second token is 0, so that all comes from the first row, which sees the first key alone:
     * p = 1 / (1 + exp(-s)) by both kinds of weights, and |dL/dW_Q| = c p (1 - p) |x_0| |k_0|,
     * times the number drawn for it. With scores times ln 1 nothing is left. */
    static const int kinds[] = {WEIGHTS_SIGMOID, WEIGHTS_SOFTMAX_PLUS_ONE};
    double upstream[4];
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(3);
    input.shape = (struct head_shape){2, MODEL, 3}; /* no more tokens than dimensions */
    memset(x, 0, sizeof x);
    x[0] = 2;
    struct run run = run_of(&(struct variant){.weights = kinds[_i / 2], .mask = MASK_CAUSAL});
    run.upstream = _i % 2 == 0 ? UPSTREAM_EXPECTED : UPSTREAM_DRAWN;
    random_normal_matrix((uint64_t)run.seed, RANDOM_UPSTREAM, 2, 2, upstream);
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    run.score_scale = SCORE_SCALE_LOG_N;
    struct measurement flat = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    double q = 2 * hypot(hypot(z_q[0], z_q[1]), z_q[2]) / sqrt(MODEL);
    double k = 2 * hypot(hypot(z_k[0], z_k[1]), z_k[2]) / sqrt(MODEL);
    double score = 4 * (z_q[0] * z_k[0] + z_q[1] * z_k[1] + z_q[2] * z_k[2]) / MODEL / sqrt(3);
    double p = 1 / (1 + exp(-score));
    double slope = p * (1 - p) / sqrt(3) * (_i % 2 == 0 ? 1 : fabs(upstream[0]));
    assert_near(m.gradient_wq, slope * 2 * k, 1e-13);
    assert_near(m.gradient_wk, slope * 2 * q, 1e-13);
    ck_assert(flat.gradient_wq == 0 && flat.gradient_wk == 0);
    assert_near(m.row_max_mean, 1.0 / 3, 1e-14); /* of the second row alone */
}
END_TEST

START_TEST(a_norm_swamped_by_its_epsilon_is_a_factor)
{
    /* x / sqrt(mean square + 1e12) is x / 1e6, on both sides; the gain takes it back. */
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(5);
    struct run plain = run_of(&variants[0]);
    struct run normed = run_of(&variants[0]);
    normed.qk_norm = QK_NORM_RMS;
    normed.norm_epsilon = 1e12;
    normed.qk_gain = 1e12;
    struct measurement wanted = fixture_measure(&fixture, &input, &plain, NULL, NULL);
    struct measurement m = fixture_measure(&fixture, &input, &normed, NULL, NULL);
    fixture_close(&fixture);
    assert_near(m.row_max_mean, wanted.row_max_mean, 1e-10);
    assert_near(m.gradient_wq, wanted.gradient_wq, 1e-10);
    assert_near(m.gradient_wk, wanted.gradient_wk, 1e-10);
    assert_near(m.gradient_wq_ratio, wanted.gradient_wq_ratio, 1e-10);
    assert_near(m.gradient_wk_ratio, wanted.gradient_wk_ratio, 1e-10);
}
END_TEST

START_TEST(saturated_rows_keep_the_digits_of_their_gradient)
{
    /* Rows (g, 0) and (0, g): sqrt(2) e |k_0 - k_1| = 2 e in each of two rows. A far cap and a norm
     * of rows that have length 1 already leave the weights, and choose the other forms. */
    const double identity[] = {1, 0, 0, 1};
    struct head_input input = {.shape = {2, 2, 2}, .x = identity, .z_q = identity, .z_k = identity};
    static const double gaps[] = {40, 300, 600, 690};
    struct fixture fixture;
    fixture_open(&fixture);
    struct run run = fixture_run(0, 1);
    run.position = POSITION_NONE;
    run.score_factor = gaps[_i];
    struct measurement plain = fixture_measure(&fixture, &input, &run, NULL, NULL);
    run.softcap = 1e9;
    struct measurement capped = fixture_measure(&fixture, &input, &run, NULL, NULL);
    run.softcap = 0;
    run.qk_norm = QK_NORM_L2;
    struct measurement normed = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    double wanted = gaps[_i] * 2 * sqrt(2) * exp(-gaps[_i]);
    assert_near(plain.gradient_wq, wanted, 1e-12);
    assert_near(plain.gradient_wk, wanted, 1e-12);
    assert_near(capped.gradient_wq, wanted, 1e-6);
    assert_near(capped.gradient_wk, wanted, 1e-6);
    /* Of k_0 - k_1 the query's norm leaves the part across the query: length 1 of sqrt(2). */
    assert_near(normed.gradient_wq, wanted / sqrt(2), 1e-12);
    assert_near(normed.gradient_wk, wanted / sqrt(2), 1e-12);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head_gradients");
    TCase *tests = tcase_create("head_gradients");
    tcase_add_loop_test(tests, gradients_equal_finite_differences_over_all_upstreams, 0, VARIANTS);
    tcase_add_loop_test(tests, ratios_are_to_the_gradient_of_flat_scores, 0, VARIANTS);
    tcase_add_test(tests, two_tokens_by_hand);
    tcase_add_loop_test(tests, a_lone_key_moves_its_weight_where_weights_need_no_others, 0, 4);
    tcase_add_test(tests, a_norm_swamped_by_its_epsilon_is_a_factor);
    tcase_add_loop_test(tests, saturated_rows_keep_the_digits_of_their_gradient, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
