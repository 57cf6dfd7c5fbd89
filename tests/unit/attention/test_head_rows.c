/* SPDX-License-Identifier: MIT */
/* Tests of attention/head_rows: blocks of rows against the whole matrix, kept matrices, and rows
 * that are not finite. */
#include "attention/weights.h"
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
        variance += pow(moments_std(moments_of(n, scores + i * n)), 2) / (double)n;
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

START_TEST(a_product_that_overflows_downwards_has_no_weight_but_is_a_key)
{
    /* Queries 1 and 1e200, keys -1 and -1e200: scores (-1, -1e200) and (-1e200, -infinity). */
    const double tokens[] = {1, 1e200};
    const double one[] = {1};
    const double minus[] = {-1};
    struct head_input input = {
        .shape = {2, 1, 1}, .x = tokens, .input_id = 0, .z_q = one, .z_k = minus};
    struct fixture fixture;
    fixture_open(&fixture);
    struct run run = fixture_run(0, 1);
    struct measurement m = fixture_measure(&fixture, &input, &run, scores, weights);
    fixture_close(&fixture);
    ck_assert(m.nonfinite == 1 && m.undefined_rows == 0);
    ck_assert(weights[2] == 1 && weights[3] == 0 && scores[3] == -(double)INFINITY);
    ck_assert(m.row_max_mean == 1 && m.max_column_mean == 1 && m.jacobian_trace_mean == 0);
    ck_assert(isnan(m.score_row_std));
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

/* Row i of a head with a causal mask is the last row of a head of its first i + 1 tokens. */
START_TEST(a_causal_row_is_the_last_row_of_the_tokens_so_far)
{
    enum { MOST = 70 };
    static double alone[LARGEST];
    static const size_t rows[] = {0, 1, 7, 62, 63, 64, 65, 69};
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(MOST);
    struct run run = fixture_run(3, 1);
    run.mask = MASK_CAUSAL;
    run.position = _i % 2 == 0 ? POSITION_NONE : POSITION_ROPE;
    run.qk_norm = _i / 2 == 0 ? QK_NORM_NONE : QK_NORM_LAYER;
    run.score_scale = _i % 2 == 0 ? SCORE_SCALE_LOG_N : SCORE_SCALE_SQRT;
    struct measurement m = fixture_measure(&fixture, &input, &run, scores, weights);
    ck_assert(m.nonfinite == 0 && m.undefined_rows == 0);
    memcpy(alone, scores, sizeof alone);
    static double masked[MOST * MOST];
    static double masked_weights[MOST * MOST];
    memcpy(masked, scores, sizeof masked);
    memcpy(masked_weights, weights, sizeof masked_weights);
    run.mask = MASK_NONE;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        size_t i = rows[r];
        input.shape.tokens = i + 1;
        fixture_measure(&fixture, &input, &run, scores, weights);
        for (size_t j = 0; j < MOST; j++) {
            double score = masked[i * MOST + j];
            double weight = masked_weights[i * MOST + j];
            if (j > i) {
                ck_assert(isnan(score) && weight == 0);
            } else {
                assert_within(score, scores[i * (i + 1) + j], 1e-13);
                assert_within(weight, weights[i * (i + 1) + j], 1e-13);
            }
        }
    }
    fixture_close(&fixture);
}
END_TEST

/* Measures of a causal head are means over rows 2 to n of what those rows are alone. */
START_TEST(causal_means_are_over_rows_of_two_keys_and_more)
{
    enum { TOKENS = 9 };
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(TOKENS);
    struct run run = fixture_run(3, 1);
    run.mask = MASK_CAUSAL;
    struct measurement causal = fixture_measure(&fixture, &input, &run, scores, weights);
    double row_max = 0;
    double share = 0;
    double trace = 0;
    double variance = 0;
    for (size_t i = 1; i < TOKENS; i++) {
        double keys = (double)i + 1;
        double largest = 0;
        double squares = 0;
        double nats = 0;
        for (size_t j = 0; j <= i; j++) {
            double p = weights[i * TOKENS + j];
            largest = fmax(largest, p);
            squares += p * p;
            nats -= p * log(p);
        }
        row_max += largest / (TOKENS - 1);
        trace += (1 - squares) / (1 - 1 / keys) / (TOKENS - 1);
        share += nats / log(keys) / (TOKENS - 1);
        variance += pow(moments_std(moments_of(i + 1, scores + i * TOKENS)), 2) / (TOKENS - 1);
    }
    fixture_close(&fixture);
    assert_near(causal.row_max_mean, row_max, 1e-13);
    assert_near(causal.jacobian_trace_mean, trace, 1e-13);
    assert_near(causal.entropy_normalised_mean, share, 1e-13);
    assert_near(causal.score_row_std, sqrt(variance), 1e-13);
    ck_assert(isfinite(causal.log_one_minus_row_max_mean)); /* row 1 would make it -infinity */
}
END_TEST

/* The last query stands at the last key, however many of either there are. */
START_TEST(fewer_queries_are_the_last_ones)
{
    enum { MOST = 12 };
    static const struct {
        size_t queries, keys;
    } table[] = {{5, 12}, {1, 12}, {12, 5}, {12, 1}};
    size_t queries = table[_i].queries;
    size_t keys = table[_i].keys;
    static double q[MOST * KEYS];
    static double k[MOST * KEYS];
    static double square[MOST * MOST];
    static double square_weights[MOST * MOST];
    random_normal_matrix(44, RANDOM_TEST, MOST, KEYS, q);
    random_normal_matrix(45, RANDOM_TEST, MOST, KEYS, k);
    struct fixture fixture;
    fixture_open(&fixture);
    struct run run = fixture_run(2, 1);
    run.position = POSITION_ROPE;
    run.mask = MASK_CAUSAL;
    struct head_input input = {.shape = {MOST, 0, KEYS}, .q = q, .k = k, .queries = MOST};
    if (keys < MOST) {
        /* As many queries as keys: the last ones, and places count from them. */
        input.shape.tokens = keys;
        input.queries = keys;
        input.q = q + (MOST - keys) * KEYS;
    }
    size_t side = input.queries;
    fixture_measure(&fixture, &input, &run, square, square_weights);
    input = (struct head_input){.shape = {keys, 0, KEYS}, .k = k, .queries = queries};
    input.q = q + (MOST - queries) * KEYS;
    struct measurement m = fixture_measure(&fixture, &input, &run, scores, weights);
    fixture_close(&fixture);
    size_t common = queries < side ? queries : side;
    for (size_t i = 0; i < common * keys; i++) {
        size_t here = (queries - common) * keys + i;
        size_t there = (side - common) * keys + i;
        ck_assert(support_near(scores[here], square[there], 0, 1e-14));
        ck_assert(support_near(weights[here], square_weights[there], 0, 1e-14));
    }
    /* Queries before the first key see nothing. */
    ck_assert_int_eq(m.undefined_rows, (int64_t)(queries - common));
    ck_assert(m.queries == (int64_t)queries && m.tokens == (int64_t)keys);
}
END_TEST

START_TEST(guards_bound_every_score)
{
    /* |q| |k| is gain under l2, and at most gain d_k under layer and rms, which sqrt(d_k) divides.
     */
    const double gain = 3;
    const double bounds[] = {0, gain / sqrt(KEYS), gain * sqrt(KEYS), gain * sqrt(KEYS)};
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(50);
    for (int norm = QK_NORM_L2; norm <= QK_NORM_RMS; norm++) {
        struct run run = fixture_run(2, 1);
        run.qk_norm = norm;
        run.qk_gain = gain;
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        ck_assert(m.score_abs_max <= bounds[norm] * (1 + 1e-14));
        ck_assert(m.score_abs_max > bounds[norm] / 2);
        assert_near(m.q_norm, norm == QK_NORM_L2 ? 1 : sqrt(KEYS), 1e-3);
    }
    struct run run = fixture_run(0, 1);
    run.softcap = 8;
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    ck_assert(m.score_abs_max <= 8 && m.score_abs_max > 7.9);
}
END_TEST

START_TEST(a_query_key_norm_forgets_the_size_of_the_input)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(20);
    static double before[20 * 20];
    struct run run = fixture_run(2, 1);
    run.qk_norm = QK_NORM_L2 + _i;
    run.norm_epsilon = 0;
    run.position = POSITION_ROPE;
    fixture_measure(&fixture, &input, &run, before, NULL);
    for (size_t i = 0; i < (size_t)20 * MODEL; i++) {
        x[i] *= 4;
    }
    fixture_measure(&fixture, &input, &run, scores, NULL);
    fixture_close(&fixture);
    ck_assert_mem_eq(scores, before, sizeof before);
}
END_TEST

START_TEST(weights_sum_to_1_where_they_are_shares)
{
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(33);
    for (int kind = 0; kind < WEIGHTS_COUNT; kind++) {
        struct run run = fixture_run(1, 1);
        run.weights = kind;
        run.mask = MASK_CAUSAL;
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, weights);
        bool shares = weights_alternatives[kind].sums_to_one;
        ck_assert(m.undefined_rows == 0 && (fabs(m.weight_sum_mean - 1) < 1e-12) == shares);
        for (size_t i = 0; i < 33 && shares; i++) {
            double sum = 0;
            double largest = 1;
            for (size_t j = 0; j < 33; j++) {
                sum += weights[i * 33 + j];
                largest = fmax(largest, fabs(weights[i * 33 + j]));
            }
            assert_within(sum, 1, 1e-14 * largest);
        }
    }
    fixture_close(&fixture);
}
END_TEST

START_TEST(equal_keys_have_equal_scores_to_the_bit)
{
    /* Repeated words, anywhere in the row: an argmax ties only if no rounding tells them apart. */
    static const size_t sizes[] = {3, 7, 8, 13, 31, 64, 100, 131, 200};
    size_t n = sizes[_i];
    struct fixture fixture;
    fixture_open(&fixture);
    for (size_t d_k = 1; d_k <= KEYS; d_k++) {
        struct head_input input = random_input(n);
        input.shape.d_k = d_k;
        for (size_t i = 2; i < n; i++) {
            memcpy(x + i * MODEL, x + i % 2 * MODEL, MODEL * sizeof *x);
        }
        struct run run = fixture_run(0, 1);
        run.position = POSITION_NONE;
        run.weights = WEIGHTS_ARGMAX;
        fixture_measure(&fixture, &input, &run, scores, weights);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                ck_assert(scores[i * n + j] == scores[i * n + j % 2]);
            }
        }
    }
    fixture_close(&fixture);
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
    tcase_add_test(tests, a_product_that_overflows_downwards_has_no_weight_but_is_a_key);
    tcase_add_test(tests, huge_finite_scores_saturate_without_a_nan);
    tcase_add_loop_test(tests, a_causal_row_is_the_last_row_of_the_tokens_so_far, 0, 4);
    tcase_add_test(tests, causal_means_are_over_rows_of_two_keys_and_more);
    tcase_add_loop_test(tests, fewer_queries_are_the_last_ones, 0, 4);
    tcase_add_test(tests, guards_bound_every_score);
    tcase_add_loop_test(tests, a_query_key_norm_forgets_the_size_of_the_input, 0, 3);
    tcase_add_test(tests, weights_sum_to_1_where_they_are_shares);
    tcase_add_loop_test(tests, equal_keys_have_equal_scores_to_the_bit, 0, 9);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
