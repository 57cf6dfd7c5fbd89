/* SPDX-License-Identifier: MIT */
/* Tests of attention/head_measures: which rows a mean is over, rows without weights, and what is
 * undefined, on given scores, given queries and keys, and small inputs. */
#include "attention/weights.h"
#include "base/random.h"
#include "head_fixture.h"
#include "numeric/statistics.h"

#include <string.h>

static const double infinity = (double)INFINITY;

static double scores[64];
static double weights[64];

/* Measures of given scores. */
static struct measurement measure_scores(size_t queries, size_t keys, const double *given,
                                         const struct run *run)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = {.shape = {keys, 0, 0}, .scores = given, .queries = queries};
    struct measurement m = fixture_measure(&fixture, &input, run, scores, weights);
    fixture_close(&fixture);
    return m;
}

/* Bits of what is not a number may differ. */
static void assert_equal_measures(const struct measurement *a, const struct measurement *b)
{
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        const struct field *field = &measurement_fields[i];
        if (field->kind == FIELD_REAL) {
            double left;
            double right;
            memcpy(&left, (const char *)a + field->offset, sizeof left);
            memcpy(&right, (const char *)b + field->offset, sizeof right);
            ck_assert_msg(support_near(left, right, 0, 0), "%s: %.17g, expected %.17g", field->name,
                          left, right);
        }
    }
}

START_TEST(given_scores_by_hand)
{
    /* Row 1 is (ln 3, 0): p = 3/4, 1/4; row 2 (0, 0): halves. */
    const double given[] = {log(3), 0, 0, 0};
    struct run run = run_default();
    run.saturation_row_max = 0.75;
    struct measurement m = measure_scores(2, 2, given, &run);
    ck_assert(m.tokens == 2 && m.queries == 2 && m.undefined_rows == 0 && m.nonfinite == 0);
    assert_near(m.row_max_mean, 0.625, 1e-15);
    assert_near(m.row_max_median, 0.625, 1e-15);
    assert_near(m.max_column_mean, 0.625, 1e-15);
    assert_near(m.weight_sum_mean, 1, 1e-15);
    /* |J|_F = 2 p (1 - p): 3/8 and 1/2; tr J twice p (1 - p), over 1 - 1/2. */
    assert_near(m.jacobian_norm_mean, 7.0 / 16, 1e-15);
    assert_near(m.jacobian_norm_median, 7.0 / 16, 1e-15);
    assert_near(m.jacobian_rms, sqrt((9.0 / 64 + 0.25) / 2), 1e-15);
    assert_near(m.jacobian_trace_mean, 0.875, 1e-15);
    assert_near(m.jacobian_trace_median, 0.875, 1e-15);
    double nats = log(4) - 0.75 * log(3);
    assert_near(m.entropy_mean, (nats + log(2)) / 2, 1e-15);
    assert_near(m.entropy_normalised_mean, (nats / log(2) + 1) / 2, 1e-15);
    assert_near(m.effective_keys_mean, (exp(nats) + 2) / 2, 1e-15);
    assert_near(m.log_one_minus_row_max_mean, -(log(4) + log(2)) / 2, 1e-15);
    ck_assert(m.saturated_rows == 0.5);
    assert_near(m.score_abs_max, log(3), 0);
    assert_near(m.max_logit, log(3), 0);
    assert_near(m.score_row_std, log(3) / sqrt(8), 1e-15);
    assert_near(m.score_std, log(3) * sqrt(3) / 4, 1e-15);
    /* There is no input and no projection. */
    ck_assert(isnan(m.raw_input_std) && isnan(m.input_std) && isnan(m.input_rms));
    ck_assert(isnan(m.input_token_std) && isnan(m.q_norm) && isnan(m.k_norm));
    ck_assert(isnan(m.gradient_wq) && isnan(m.gradient_wk) && isnan(m.gradient_wq_ratio));
    ck_assert(isnan(m.gradient_wk_ratio) && isnan(m.predicted_score_std));
    ck_assert(isnan(m.predicted_score_row_std));
}
END_TEST

START_TEST(the_largest_score_has_its_sign)
{
    const double given[] = {-5, -3, -8, -4};
    struct run run = run_default();
    struct measurement m = measure_scores(2, 2, given, &run);
    ck_assert(m.max_logit == -3 && m.score_abs_max == 8);
    run.score_factor = -2;
    m = measure_scores(2, 2, given, &run);
    ck_assert(m.max_logit == 16 && m.score_abs_max == 16);
}
END_TEST

START_TEST(rows_with_less_than_two_keys_are_in_no_mean)
{
    /* The second row sees one key and the third none. */
    const double given[] = {1, 2, 0.5, -infinity, 9, -infinity, -infinity, -infinity, -infinity};
    struct run run = run_default();
    struct measurement m = measure_scores(3, 3, given, &run);
    ck_assert_int_eq(m.undefined_rows, 1);
    ck_assert_int_eq(m.nonfinite, 0);
    ck_assert(weights[3] == 0 && weights[4] == 1 && weights[5] == 0);
    ck_assert(weights[6] == 0 && weights[7] == 0 && weights[8] == 0);
    ck_assert(m.max_logit == 9); /* a score all the same */
    ck_assert(scores[3] == -infinity && scores[4] == 9 && scores[6] == -infinity);
    struct measurement first = measure_scores(1, 3, given, &run);
    m.max_logit = first.max_logit;
    m.score_abs_max = first.score_abs_max;
    m.score_std = first.score_std;
    assert_equal_measures(&m, &first);
}
END_TEST

START_TEST(nothing_is_left_where_every_row_is_masked)
{
    const double given[] = {-infinity, -infinity, -infinity, -infinity, -infinity, 3};
    struct run run = run_default();
    struct measurement m = measure_scores(3, 2, given, &run);
    ck_assert_int_eq(m.undefined_rows, 2);
    ck_assert(isnan(m.row_max_mean) && isnan(m.row_max_median) && isnan(m.entropy_mean));
    ck_assert(isnan(m.jacobian_norm_mean) && isnan(m.jacobian_rms) && isnan(m.saturated_rows));
    ck_assert(isnan(m.max_column_mean) && isnan(m.score_row_std) && isnan(m.gradient_wq));
    ck_assert(isnan(m.gradient_wk) && m.max_logit == 3 && m.score_std == 0);
    m = measure_scores(2, 2, given, &run);
    ck_assert_int_eq(m.undefined_rows, 2);
    ck_assert(isnan(m.score_abs_max) && isnan(m.max_logit) && isnan(m.score_std));
}
END_TEST

START_TEST(a_masked_key_might_as_well_not_be_there)
{
    static const double with[] = {-(double)INFINITY, 1, 2.5, -(double)INFINITY, -1,
                                  -(double)INFINITY, 0, 0.5, -(double)INFINITY, 3};
    static const double without[] = {1, 2.5, -1, 0, 0.5, 3};
    for (int kind = 0; kind < WEIGHTS_COUNT; kind++) {
        struct run run = run_default();
        run.weights = kind;
        run.softcap = _i;
        struct measurement m = measure_scores(2, 5, with, &run);
        struct measurement wanted = measure_scores(2, 3, without, &run);
        assert_equal_measures(&m, &wanted);
        ck_assert(m.nonfinite == 0 && m.undefined_rows == 0 && m.tokens == 5);
    }
}
END_TEST

START_TEST(one_row_that_is_no_number_is_counted_and_seen)
{
    /* +infinity has no weights either; given, it can only come of an overflow. */
    static const double factors[] = {1, 1e300};
    const double given[] = {1, 2, 3, 4, _i == 0 ? (double)NAN : 1e300, 0};
    struct run run = run_default();
    run.score_factor = factors[_i];
    struct measurement m = measure_scores(3, 2, given, &run);
    ck_assert_int_eq(m.undefined_rows, 1);
    ck_assert_int_eq(m.nonfinite, 1);
    ck_assert(isnan(weights[4]) && isnan(weights[5]) && weights[3] > weights[2]);
    ck_assert(isnan(m.row_max_mean) && isnan(m.row_max_median) && isnan(m.saturated_rows));
    ck_assert(isnan(m.entropy_mean) && isnan(m.entropy_normalised_mean));
    ck_assert(isnan(m.effective_keys_mean) && isnan(m.weight_sum_mean));
    ck_assert(isnan(m.max_column_mean) && isnan(m.jacobian_norm_mean) && isnan(m.jacobian_rms));
    ck_assert(isnan(m.jacobian_norm_median) && isnan(m.jacobian_trace_mean));
    ck_assert(isnan(m.log_one_minus_row_max_mean) && isnan(m.score_row_std));
    ck_assert(_i == 0 ? isnan(m.score_abs_max) && isnan(m.max_logit)
                      : m.score_abs_max == infinity && m.max_logit == infinity);
}
END_TEST

START_TEST(a_given_score_that_overflows_downwards_is_no_masked_key)
{
    const double given[] = {-1e300, 1, 2};
    struct run run = run_default();
    run.score_factor = 1e200;
    struct measurement m = measure_scores(1, 3, given, &run);
    ck_assert_int_eq(m.nonfinite, 1);
    ck_assert(m.score_abs_max == infinity && scores[0] == -infinity && weights[0] == 0);
    run.softcap = 3;
    m = measure_scores(1, 3, given, &run);
    ck_assert(m.nonfinite == 0 && scores[0] == -3 && weights[0] > 0);
}
END_TEST

START_TEST(rounding_away_a_key_is_no_mask)
{
    /* In fp16, row 1 overflows upwards, row 2 has one key left of three, row 3 all of two. */
    const double given[] = {7e4, 0, 0, 5, -7e4, -8e4, -infinity, 1, 1};
    struct run run = run_default();
    run.precision = PRECISION_FP16;
    struct measurement m = measure_scores(3, 3, given, &run);
    ck_assert_int_eq(m.undefined_rows, 1);
    ck_assert_int_eq(m.nonfinite, 0); /* the scores themselves are numbers */
    ck_assert(isnan(m.row_max_mean) && isnan(weights[0]) && weights[3] == 1 && weights[4] == 0);
    m = measure_scores(2, 3, given + 3, &run);
    ck_assert_int_eq(m.undefined_rows, 0);
    ck_assert(m.row_max_mean == 0.75 && m.saturated_rows == 0.5 && m.jacobian_norm_mean == 0.25);
    assert_near(m.entropy_normalised_mean, 0.5, 1e-15);
}
END_TEST

START_TEST(guards_of_projections_leave_given_scores_alone)
{
    const double given[] = {1, 2, 0, -1};
    struct run plain = run_default();
    plain.guard_init = plain.guard_scale = plain.guard_norm = false;
    struct measurement wanted = measure_scores(2, 2, given, &plain);
    struct run run = fixture_run(7, 5);
    run.qk_norm = QK_NORM_L2;
    run.qk_gain = 10;
    run.position = POSITION_ROPE;
    run.score_scale = SCORE_SCALE_LOG_N;
    struct measurement m = measure_scores(2, 2, given, &run);
    assert_equal_measures(&m, &wanted);
    ck_assert_mem_eq(scores, given, sizeof given);
}
END_TEST

START_TEST(a_constant_changes_nothing_where_the_table_says_so)
{
    static const double given[] = {0.5, 1.25, 2, 0.25, 3, 1};
    static const double shifted[] = {64.5, 65.25, 66, 64.25, 67, 65};
    for (int kind = 0; kind < WEIGHTS_COUNT; kind++) {
        struct run run = run_default();
        run.weights = kind;
        double before[6];
        measure_scores(2, 3, given, &run);
        memcpy(before, weights, sizeof before);
        measure_scores(2, 3, shifted, &run);
        bool same = memcmp(before, weights, sizeof before) == 0;
        ck_assert(same == weights_alternatives[kind].shift_invariant);
    }
}
END_TEST

START_TEST(a_sink_is_seen_by_its_column)
{
    /* Every row puts e / (e + 1) on its first key. */
    const double given[] = {1, 0, 3, 2, -1, -2};
    struct run run = run_default();
    struct measurement m = measure_scores(3, 2, given, &run);
    assert_near(m.max_column_mean, exp(1) / (exp(1) + 1), 1e-15);
    /* Each row its own key: the maximum is as sharp, but no key has it. */
    const double spread[] = {1, 0, 0, 1};
    m = measure_scores(2, 2, spread, &run);
    assert_near(m.max_column_mean, 0.5, 1e-15);
    assert_near(m.row_max_mean, exp(1) / (exp(1) + 1), 1e-15);
}
END_TEST

START_TEST(weights_that_are_no_shares_have_their_own_sum)
{
    /* softmax_plus_one of zeros: 1/3 each, the third with the one; entropy is that of shares. */
    const double given[] = {0, 0};
    struct run run = run_default();
    run.weights = WEIGHTS_SOFTMAX_PLUS_ONE;
    struct measurement m = measure_scores(1, 2, given, &run);
    assert_near(m.weight_sum_mean, 2.0 / 3, 1e-15);
    assert_near(m.row_max_mean, 1.0 / 3, 1e-15);
    assert_near(m.entropy_mean, log(2), 1e-15);
    assert_near(m.log_one_minus_row_max_mean, log(2.0 / 3), 1e-15);
    /* sigmoid with bias -ln 2: e^0 / (2 + e^0) as well, but its keys do not compete. */
    run.weights = WEIGHTS_SIGMOID;
    m = measure_scores(1, 2, given, &run);
    assert_near(m.row_max_mean, 1.0 / 3, 1e-15);
    assert_near(m.jacobian_norm_mean, sqrt(2) * 2 / 9, 1e-15);
}
END_TEST

START_TEST(a_single_key_has_no_normalised_measure)
{
    const double given[] = {0};
    for (int kind = WEIGHTS_SOFTMAX; kind <= WEIGHTS_SIGMOID; kind++) {
        struct run run = run_default();
        run.weights = kind;
        struct measurement m = measure_scores(1, 1, given, &run);
        ck_assert(m.row_max_mean == (kind == WEIGHTS_SOFTMAX ? 1 : 0.5));
        ck_assert(m.jacobian_norm_mean == (kind == WEIGHTS_SOFTMAX ? 0 : 0.25));
        ck_assert(isnan(m.jacobian_trace_mean) && isnan(m.entropy_normalised_mean));
    }
}
END_TEST

START_TEST(given_queries_and_keys_by_hand)
{
    /* One query (3, 4) on the keys (1, 0), (0, 2), (0, 0): products 3, 8, 0, over sqrt(2). */
    const double q[] = {3, 4};
    const double k[] = {1, 0, 0, 2, 0, 0};
    struct head_input input = {.shape = {3, 0, 2}, .q = q, .k = k, .queries = 1};
    struct fixture fixture;
    fixture_open(&fixture);
    struct run run = fixture_run(7, 1);
    run.position = POSITION_NONE;
    struct measurement m = fixture_measure(&fixture, &input, &run, scores, weights);
    ck_assert(m.tokens == 3 && m.queries == 1 && isnan(m.gradient_wq) && isnan(m.input_rms));
    assert_near(scores[0], 3 / sqrt(2), 1e-15);
    assert_near(scores[1], 8 / sqrt(2), 1e-15);
    ck_assert(scores[2] == 0 && m.q_norm == 5 && m.k_norm == 1);
    /* Directions alone: 0.6 and 0.8, and a key without one makes its row undefined. */
    run.qk_norm = QK_NORM_L2;
    run.qk_gain = 10;
    run.guard_scale = false;
    input.shape.tokens = 2;
    m = fixture_measure(&fixture, &input, &run, scores, weights);
    assert_near(scores[0], 6, 1e-15);
    assert_near(scores[1], 8, 1e-15);
    ck_assert(m.q_norm == 1 && m.k_norm == 1);
    input.shape.tokens = 3;
    m = fixture_measure(&fixture, &input, &run, scores, weights);
    fixture_close(&fixture);
    ck_assert(m.undefined_rows == 1 && m.nonfinite == 1 && isnan(m.row_max_mean));
}
END_TEST

START_TEST(lengths_of_queries_and_keys_hold_the_init_guard)
{
    const double x[] = {3, 0, 0, 4};
    const double identity[] = {1, 0, 0, 1};
    struct head_input input = {.shape = {2, 2, 2}, .x = x, .z_q = x, .z_k = identity};
    struct fixture fixture;
    fixture_open(&fixture);
    for (unsigned guards = 0; guards < 2; guards++) {
        struct run run = fixture_run(guards, 1);
        run.position = POSITION_NONE;
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        double factor = guards & 1 ? 1 / sqrt(2) : 1;
        assert_near(m.q_norm, 12.5 * factor, 1e-15);
        assert_near(m.k_norm, 3.5 * factor, 1e-15);
        run.position = POSITION_ROPE;
        m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        assert_near(m.q_norm, 12.5 * factor, 1e-15);
        assert_near(m.k_norm, 3.5 * factor, 1e-15);
        /* Rows (3, 0), (0, 4): mean (1.5, 2), each 2.5 away from it. */
        assert_near(m.input_token_std, 2.5 / sqrt(2), 1e-15);
    }
    fixture_close(&fixture);
}
END_TEST

static struct measurement predict(const struct run *run, const double *x, const double *z)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = {.shape = {2, 3, 4}, .x = x, .z_q = z, .z_k = z};
    struct measurement m = fixture_measure(&fixture, &input, run, NULL, NULL);
    fixture_close(&fixture);
    return m;
}

START_TEST(predictions_by_hand_and_where_there_is_none)
{
    /* Rows (2, 0, 0) and (0, 0, 0): M = 2, T = 1, |xbar|^2 = 1, so T (T + 2) = 3 and M T = 2, times
     * kappa = c^2 d_k sigma^4. Guards: c^2 = 1/4, sigma^4 = 1/9. */
    const double x[] = {2, 0, 0, 0, 0, 0};
    const double z[12] = {1};
    for (unsigned guards = 0; guards < 4; guards++) {
        struct run run = fixture_run(guards, 1);
        run.position = POSITION_NONE;
        double kappa = (guards & 1 ? 1.0 / 9 : 1) * (guards & 2 ? 1 : 4);
        struct measurement m = predict(&run, x, NULL);
        assert_near(m.predicted_score_std, sqrt(3 * kappa), 1e-15);
        assert_near(m.predicted_score_row_std, sqrt(2 * kappa), 1e-15);
        run.score_factor = -3;
        m = predict(&run, x, NULL);
        assert_near(m.predicted_score_std, 3 * sqrt(3 * kappa), 1e-15);
    }
    struct run run = fixture_run(3, 1);
    run.score_scale = SCORE_SCALE_LOG_N;
    assert_near(predict(&run, x, NULL).predicted_score_std, log(2) * sqrt(3) / 3, 1e-15);
    run.score_scale = SCORE_SCALE_LINEAR;
    assert_near(predict(&run, x, NULL).predicted_score_std, sqrt(3) / 6, 1e-15);
    ck_assert(isnan(predict(&run, x, z).predicted_score_std));
    run.softcap = 1;
    ck_assert(isnan(predict(&run, x, NULL).predicted_score_std));
    run.softcap = 0;
    run.mask = MASK_CAUSAL;
    ck_assert(isnan(predict(&run, x, NULL).predicted_score_row_std));
    run.mask = MASK_NONE;
    run.qk_norm = QK_NORM_RMS;
    ck_assert(isnan(predict(&run, x, NULL).predicted_score_row_std));
    run.qk_norm = QK_NORM_NONE;
    run.position = POSITION_ROPE;
    ck_assert(isnan(predict(&run, x, NULL).predicted_score_std));
}
END_TEST

START_TEST(tokens_without_a_common_part_have_a_prediction)
{
    /* Rows a and -a: xbar is 0, of which rounding may leave less. Both spreads are kappa T. */
    for (uint32_t number = 0; number < 300; number++) {
        double x[6];
        random_normals(1, RANDOM_TEST, number, 0, 3, x);
        for (size_t c = 0; c < 3; c++) {
            x[3 + c] = -x[c];
        }
        struct run run = fixture_run(3, 1);
        run.position = POSITION_NONE;
        struct measurement m = predict(&run, x, NULL);
        double length = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / 3;
        assert_near(m.predicted_score_std, length, 1e-7);
        assert_near(m.predicted_score_row_std, length, 1e-14);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head_measures");
    TCase *tests = tcase_create("head_measures");
    tcase_add_test(tests, given_scores_by_hand);
    tcase_add_test(tests, the_largest_score_has_its_sign);
    tcase_add_test(tests, rows_with_less_than_two_keys_are_in_no_mean);
    tcase_add_test(tests, nothing_is_left_where_every_row_is_masked);
    tcase_add_loop_test(tests, a_masked_key_might_as_well_not_be_there, 0, 2);
    tcase_add_loop_test(tests, one_row_that_is_no_number_is_counted_and_seen, 0, 2);
    tcase_add_test(tests, a_given_score_that_overflows_downwards_is_no_masked_key);
    tcase_add_test(tests, rounding_away_a_key_is_no_mask);
    tcase_add_test(tests, guards_of_projections_leave_given_scores_alone);
    tcase_add_test(tests, a_constant_changes_nothing_where_the_table_says_so);
    tcase_add_test(tests, a_sink_is_seen_by_its_column);
    tcase_add_test(tests, weights_that_are_no_shares_have_their_own_sum);
    tcase_add_test(tests, a_single_key_has_no_normalised_measure);
    tcase_add_test(tests, given_queries_and_keys_by_hand);
    tcase_add_test(tests, lengths_of_queries_and_keys_hold_the_init_guard);
    tcase_add_test(tests, predictions_by_hand_and_where_there_is_none);
    tcase_add_test(tests, tokens_without_a_common_part_have_a_prediction);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
