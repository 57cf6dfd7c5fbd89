/* SPDX-License-Identifier: MIT */
/* Tests of attention/head: heads small enough for a hand, the guards' algebra, the reference, and
 * the gradients against all upstreams one by one. */
#include "attention/normalise.h"
#include "base/random.h"
#include "head_fixture.h"
#include "table.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#define TOKENS 9
#define MODEL 12
#define KEYS 5

static double x[TOKENS * MODEL];
static double z_q[MODEL * MODEL];
static double z_k[MODEL * MODEL];
static double scores[TOKENS * TOKENS];
static double weights[TOKENS * TOKENS];

static struct head_input random_input(struct head_shape shape)
{
    random_normal_matrix(31, RANDOM_TEST, shape.tokens, shape.d_model, x);
    random_normal_matrix(32, RANDOM_TEST, shape.d_model, shape.d_k, z_q);
    random_normal_matrix(33, RANDOM_TEST, shape.d_model, shape.d_k, z_k);
    return (struct head_input){.shape = shape, .x = x, .z_q = z_q, .z_k = z_k};
}

START_TEST(a_single_token_attends_to_itself)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input((struct head_shape){1, MODEL, KEYS});
    for (unsigned guards = 0; guards < 8; guards++) {
        struct run run = fixture_run(guards, 1);
        struct measurement m = fixture_measure(&fixture, &input, &run, scores, weights);
        ck_assert(m.tokens == 1 && m.nonfinite == 0 && weights[0] == 1);
        ck_assert(m.row_max_mean == 1 && m.row_max_median == 1 && m.saturated_rows == 1);
        assert_near(m.log_one_minus_row_max_mean, -(double)INFINITY, 0);
        ck_assert(m.entropy_mean == 0 && m.effective_keys_mean == 1);
        ck_assert(m.jacobian_norm_mean == 0 && m.jacobian_norm_median == 0);
        ck_assert(isnan(m.jacobian_trace_mean));
        ck_assert(m.gradient_wq == 0 && m.gradient_wk == 0);
        ck_assert(isnan(m.gradient_wq_ratio) && isnan(m.gradient_wk_ratio));
        ck_assert(m.score_std == 0 && m.score_row_std == 0);
        ck_assert(m.score_abs_max == fabs(scores[0]));
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(equal_tokens_share_their_attention)
{
    enum { MOST = 67 };
    static const size_t counts[] = {2, 8, 9, MOST};
    size_t n = counts[_i];
    double count = (double)n;
    double same[MOST * MODEL];
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input((struct head_shape){1, MODEL, KEYS});
    for (size_t i = 0; i < n; i++) {
        memcpy(same + i * MODEL, x, MODEL * sizeof *x);
    }
    input.x = same;
    input.shape.tokens = n;
    struct run run = fixture_run(0, 1);
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    assert_near(m.row_max_mean, 1 / count, 1e-13);
    assert_near(m.row_max_median, 1 / count, 1e-13);
    assert_near(m.entropy_mean, log(count), 1e-13);
    assert_near(m.effective_keys_mean, count, 1e-13);
    assert_near(m.jacobian_norm_mean, sqrt(count - 1) / count, 1e-13);
    assert_near(m.jacobian_trace_mean, 1, 1e-13);
    assert_near(m.log_one_minus_row_max_mean, log1p(-1 / count), 1e-12);
    ck_assert(m.saturated_rows == 0);
    assert_within(m.score_std, 0, 1e-13 * m.score_abs_max);
    assert_within(m.score_row_std, 0, 1e-13 * m.score_abs_max);
    /* Keys that do not differ take no gradient whatever the weights: no rounding is left over. */
    ck_assert(m.gradient_wq == 0 && m.gradient_wk == 0);
    ck_assert(isnan(m.gradient_wq_ratio) && isnan(m.gradient_wk_ratio));
}
END_TEST

START_TEST(an_identity_head_by_hand)
{
    /* X = W_Q = W_K = I: S = I, each row has the gap 1 between its two keys. */
    const double identity[] = {1, 0, 0, 1};
    struct head_input input = {
        .shape = {2, 2, 2}, .x = identity, .input_id = 0, .z_q = identity, .z_k = identity};
    struct fixture fixture;
    fixture_open(&fixture);
    struct run run = fixture_run(0, 1);
    run.saturation_row_max = 0.73;
    struct measurement m = fixture_measure(&fixture, &input, &run, scores, weights);
    fixture_close(&fixture);
    ck_assert_mem_eq(scores, identity, sizeof identity);
    double p = 1 / (1 + exp(-1));
    double slope = p * (1 - p);
    assert_near(weights[0], p, 1e-15);
    assert_near(weights[1], 1 - p, 1e-15);
    ck_assert(m.raw_input_std == 0.5 && m.input_std == 0.5 && m.score_std == 0.5);
    assert_near(m.input_rms, sqrt(0.5), 1e-15);
    ck_assert(m.score_row_std == 0.5 && m.score_abs_max == 1);
    assert_near(m.row_max_mean, p, 1e-15);
    assert_near(m.row_max_median, p, 1e-15);
    assert_near(m.log_one_minus_row_max_mean, log(1 - p), 1e-15);
    assert_near(m.entropy_mean, -p * log(p) - (1 - p) * log(1 - p), 1e-15);
    assert_near(m.jacobian_norm_mean, 2 * slope, 1e-15);
    assert_near(m.jacobian_norm_median, 2 * slope, 1e-15);
    assert_near(m.jacobian_trace_mean, 4 * slope, 1e-15);
    /* |J K|_F = sqrt(2) slope |k_0 - k_1| = 2 slope in each of the two rows, |x_i| = |q_i| = 1. */
    assert_near(m.gradient_wq, 2 * sqrt(2) * slope, 1e-15);
    assert_near(m.gradient_wk, 2 * sqrt(2) * slope, 1e-15);
    assert_near(m.gradient_wq_ratio, 4 * slope, 1e-15);
    assert_near(m.gradient_wk_ratio, 4 * slope, 1e-15);
    ck_assert(m.saturated_rows == 1 && m.nonfinite == 0); /* p = 0.7311 */
}
END_TEST

START_TEST(the_threshold_counts_rows)
{
    /* Keys I, queries diag(0, 2, 4, 6): rows peak at 1/4 and at e^a / (e^a + 3). */
    const double queries[] = {0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 6};
    const double identity[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const double thresholds[] = {0.25, 0.26, 0.8, 0.95, 1};
    static const double shares[] = {1, 0.75, 0.5, 0.25, 0};
    struct head_input input = {
        .shape = {4, 4, 4}, .x = identity, .input_id = 0, .z_q = queries, .z_k = identity};
    struct fixture fixture;
    fixture_open(&fixture);
    struct run run = fixture_run(0, 1);
    run.saturation_row_max = thresholds[_i];
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    ck_assert(m.saturated_rows == shares[_i]);
    double second = exp(2) / (exp(2) + 3);
    double third = exp(4) / (exp(4) + 3);
    assert_near(m.row_max_median, (second + third) / 2, 1e-15);
}
END_TEST

START_TEST(doubling_the_input_quadruples_the_scores)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input((struct head_shape){TOKENS, MODEL, KEYS});
    double single[TOKENS * TOKENS];
    struct run run = fixture_run(3, 1);
    struct measurement before = fixture_measure(&fixture, &input, &run, single, NULL);
    struct run normalised = fixture_run(7, 1);
    normalised.norm = NORM_RMS;
    normalised.norm_epsilon = 0;
    struct measurement free = fixture_measure(&fixture, &input, &normalised, NULL, NULL);
    for (size_t i = 0; i < (size_t)TOKENS * MODEL; i++) {
        x[i] *= 2;
    }
    struct measurement after = fixture_measure(&fixture, &input, &run, scores, NULL);
    for (size_t i = 0; i < (size_t)TOKENS * TOKENS; i++) {
        ck_assert(scores[i] == 4 * single[i]);
    }
    ck_assert(after.score_std == 4 * before.score_std);
    ck_assert(after.raw_input_std == 2 * before.raw_input_std);
    /* Without an epsilon the input guard takes the doubling out altogether. */
    struct measurement same = fixture_measure(&fixture, &input, &normalised, NULL, NULL);
    ck_assert(same.raw_input_std == 2 * free.raw_input_std);
    same.raw_input_std = free.raw_input_std;
    ck_assert_mem_eq(&same, &free, sizeof same);
    fixture_close(&fixture);
}
END_TEST

START_TEST(guards_scale_the_scores_by_exactly_their_factor)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input((struct head_shape){TOKENS, MODEL, KEYS});
    double plain[TOKENS * TOKENS];
    for (unsigned guards = 0; guards < 8; guards++) {
        struct run run = fixture_run(guards, 1);
        fixture_measure(&fixture, &input, &run, scores, NULL);
        if ((guards & 3) == 0) {
            memcpy(plain, scores, sizeof plain);
        }
        double factor = (guards & 1 ? 1.0 / MODEL : 1) * (guards & 2 ? 1 / sqrt(KEYS) : 1);
        for (size_t i = 0; i < (size_t)TOKENS * TOKENS; i++) {
            ck_assert(scores[i] == plain[i] * factor);
        }
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(weights_as_given_are_not_divided)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input((struct head_shape){TOKENS, MODEL, KEYS});
    struct run run = fixture_run(2, 1);
    struct measurement off = fixture_measure(&fixture, &input, &run, NULL, NULL);
    run.weights_as_given = true;
    run.guard_init = true;
    struct measurement given = fixture_measure(&fixture, &input, &run, NULL, NULL);
    ck_assert_mem_eq(&given, &off, sizeof off);
    /* Draws of a seed are not given, so there the guard holds. */
    input.z_q = NULL;
    input.z_k = NULL;
    struct measurement drawn = fixture_measure(&fixture, &input, &run, NULL, NULL);
    run.weights_as_given = false;
    struct measurement guarded = fixture_measure(&fixture, &input, &run, NULL, NULL);
    ck_assert_mem_eq(&drawn, &guarded, sizeof drawn);
    fixture_close(&fixture);
}
END_TEST

START_TEST(drawn_weights_are_the_matrices_of_the_seed)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input((struct head_shape){TOKENS, MODEL, KEYS});
    random_normal_matrix(77, RANDOM_QUERY, MODEL, KEYS, z_q);
    random_normal_matrix(77, RANDOM_KEY, MODEL, KEYS, z_k);
    struct run run = fixture_run(7, 77);
    struct measurement given = fixture_measure(&fixture, &input, &run, NULL, NULL);
    input.z_q = NULL;
    input.z_k = NULL;
    struct measurement drawn = fixture_measure(&fixture, &input, &run, NULL, NULL);
    /* What is given is no draw whose spread could be predicted. */
    ck_assert(isnan(given.predicted_score_std) && isnan(given.predicted_score_row_std));
    given.predicted_score_std = drawn.predicted_score_std;
    given.predicted_score_row_std = drawn.predicted_score_row_std;
    ck_assert_mem_eq(&given, &drawn, sizeof given);
    fixture_close(&fixture);
}
END_TEST

START_TEST(the_norm_guard_measures_before_and_after)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input((struct head_shape){TOKENS, MODEL, KEYS});
    for (size_t i = 0; i < (size_t)TOKENS * MODEL; i++) {
        x[i] = 3 * x[i] + 10;
    }
    struct run run = fixture_run(4, 1);
    run.norm_epsilon = 0;
    struct measurement layer = fixture_measure(&fixture, &input, &run, NULL, NULL);
    assert_near(layer.input_std, 1, 1e-14);
    assert_near(layer.input_rms, 1, 1e-14);
    ck_assert(layer.raw_input_std > 2 && layer.raw_input_std < 4);
    run.norm = NORM_RMS;
    struct measurement rms = fixture_measure(&fixture, &input, &run, NULL, NULL);
    assert_near(rms.input_rms, 1, 1e-14);
    ck_assert(rms.input_std < 0.5 && rms.raw_input_std == layer.raw_input_std);
    fixture_close(&fixture);
}
END_TEST

static double reference(struct table table, const char *row, const char *column)
{
    return table_number(table, row, column);
}

static void compare_combination(struct table table, const char *row, const struct measurement *m)
{
    double n = (double)m->tokens;
    double largest = fmax(-reference(table, row, "score_min"), reference(table, row, "score_max"));
    assert_near(m->input_std, reference(table, row, "input_std_pop"), 1e-12);
    assert_near(m->input_rms, reference(table, row, "input_rms"), 1e-12);
    assert_near(m->score_std, reference(table, row, "score_std_pop"), 1e-12);
    assert_near(m->score_abs_max, largest, 1e-12);
    assert_near(m->row_max_mean, reference(table, row, "mean_rowmax"), 1e-12);
    assert_near(m->entropy_mean, reference(table, row, "mean_entropy_nats"), 1e-12);
    assert_near(m->jacobian_norm_mean, reference(table, row, "jac_fro_mean"), 1e-12);
    assert_near(m->jacobian_trace_mean, reference(table, row, "jac_trace_mean") / (1 - 1 / n),
                1e-12);
    /* The reference's norms of dA/dW: the root of the sum over all unit upstreams. */
    assert_near(m->gradient_wq, reference(table, row, "dA_dWQ_fro"), 1e-12);
    assert_near(m->gradient_wk, reference(table, row, "dA_dWK_fro"), 1e-12);
    size_t count = (size_t)(m->tokens * m->tokens);
    const double *wanted_scores = table_values(table, row, "S", count);
    const double *wanted_weights = table_values(table, row, "A", count);
    for (size_t i = 0; i < count; i++) {
        assert_within(scores[i], wanted_scores[i], 1e-12 * largest);
        /* A score's rounding passes through the exponential whole. */
        assert_near(weights[i], wanted_weights[i], 1e-12);
    }
}

START_TEST(every_guard_combination_equals_the_reference)
{
    struct table table = table_read(TEST_REFERENCE_DIR "/guards.tsv");
    const char *name = _i < 8 ? "small" : "small_tie";
    unsigned guards = (unsigned)_i % 8;
    struct head_shape shape = {(size_t)table_number(table, name, "n"),
                               (size_t)table_number(table, name, "d_model"),
                               (size_t)table_number(table, name, "d_k")};
    struct head_input input = {.shape = shape,
                               .x = table_values(table, name, "X", shape.tokens * shape.d_model),
                               .z_q = table_values(table, name, "ZQ", shape.d_model * shape.d_k),
                               .z_k = table_values(table, name, "ZK", shape.d_model * shape.d_k)};
    struct run run = fixture_run(guards, 1);
    run.norm_epsilon = table_number(table, name, "ln_eps");
    char row[80];
    snprintf(row, sizeof row, "%s init=%s scale=%s ln=%s", name, guards & 1 ? "on" : "off",
             guards & 2 ? "on" : "off", guards & 4 ? "on" : "off");
    struct fixture fixture;
    fixture_open(&fixture);
    struct measurement m = fixture_measure(&fixture, &input, &run, scores, weights);
    fixture_close(&fixture);
    compare_combination(table, row, &m);
}
END_TEST

/* root(sum over upstreams E_ij of |dL/dW|_F^2) = |dP/dW|_F by central differences in W = factor Z.
 */
static double difference_quotient(struct fixture *fixture, const struct head_input *input,
                                  const struct run *run, double *z, double factor)
{
    double up[TOKENS * TOKENS];
    double down[TOKENS * TOKENS];
    double step = 1e-5;
    double squares = 0;
    for (size_t e = 0; e < input->shape.d_model * input->shape.d_k; e++) {
        double kept = z[e];
        z[e] = kept + step;
        fixture_measure(fixture, input, run, NULL, up);
        z[e] = kept - step;
        fixture_measure(fixture, input, run, NULL, down);
        z[e] = kept;
        for (size_t i = 0; i < input->shape.tokens * input->shape.tokens; i++) {
            double slope = (up[i] - down[i]) / (2 * step * factor);
            squares += slope * slope;
        }
    }
    return sqrt(squares);
}

START_TEST(gradients_equal_finite_differences_over_all_upstreams)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input((struct head_shape){4, 3, 2});
    struct run run = fixture_run((unsigned)_i, 1);
    double factor = run.guard_init ? 1 / sqrt(3) : 1;
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    assert_near(m.gradient_wq, difference_quotient(&fixture, &input, &run, z_q, factor), 1e-7);
    assert_near(m.gradient_wk, difference_quotient(&fixture, &input, &run, z_k, factor), 1e-7);
    fixture_close(&fixture);
}
END_TEST

/* Element (l, c) of dL/dW_Q for L = P_ij: c sum_k x_il J_jk k_kc. */
static double backpropagated(const struct head_input *input, const double *p, const double *k,
                             size_t i, size_t j)
{
    size_t n = input->shape.tokens;
    double squares = 0;
    for (size_t l = 0; l < input->shape.d_model; l++) {
        for (size_t c = 0; c < input->shape.d_k; c++) {
            double slope = 0;
            for (size_t t = 0; t < n; t++) {
                double jacobian = (j == t ? p[i * n + j] : 0) - p[i * n + j] * p[i * n + t];
                slope +=
                    input->x[i * input->shape.d_model + l] * jacobian * k[t * input->shape.d_k + c];
            }
            squares += slope * slope;
        }
    }
    return squares;
}

START_TEST(the_query_gradient_equals_explicit_backpropagation)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input((struct head_shape){4, 3, 2});
    struct run run = fixture_run(2, 1);
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, weights);
    fixture_close(&fixture);
    double keys[4 * 2] = {0};
    for (size_t t = 0; t < 4; t++) {
        for (size_t l = 0; l < 3; l++) {
            keys[t * 2] += x[t * 3 + l] * z_k[l * 2];
            keys[t * 2 + 1] += x[t * 3 + l] * z_k[l * 2 + 1];
        }
    }
    double squares = 0;
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            squares += backpropagated(&input, weights, keys, i, j);
        }
    }
    assert_near(m.gradient_wq, sqrt(squares / 2), 1e-12);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head");
    TCase *tests = tcase_create("head");
    tcase_add_test(tests, a_single_token_attends_to_itself);
    tcase_add_loop_test(tests, equal_tokens_share_their_attention, 0, 4);
    tcase_add_test(tests, an_identity_head_by_hand);
    tcase_add_loop_test(tests, the_threshold_counts_rows, 0, 5);
    tcase_add_test(tests, doubling_the_input_quadruples_the_scores);
    tcase_add_test(tests, guards_scale_the_scores_by_exactly_their_factor);
    tcase_add_test(tests, weights_as_given_are_not_divided);
    tcase_add_test(tests, drawn_weights_are_the_matrices_of_the_seed);
    tcase_add_test(tests, the_norm_guard_measures_before_and_after);
    tcase_add_loop_test(tests, every_guard_combination_equals_the_reference, 0, 16);
    tcase_add_loop_test(tests, gradients_equal_finite_differences_over_all_upstreams, 0, 8);
    tcase_add_test(tests, the_query_gradient_equals_explicit_backpropagation);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
