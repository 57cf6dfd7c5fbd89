/* SPDX-License-Identifier: MIT */
/* Statistical tests of attention/head: means over thousands of heads against exact expectations,
 * each within four of its own standard errors. Seeds are fixed, so a test that passes keeps
 * passing. */
#include "attention/normalise.h"
#include "attention/theory.h"
#include "base/random.h"
#include "head_fixture.h"
#include "numeric/matrix.h"
#include "numeric/product.h"
#include "numeric/orthogonal.h"
#include "numeric/statistics.h"
#include "orthonormal_theory.h"

#include <string.h>

#define HEADS 2000
#define TOKENS 16
#define MODEL 16

static double x[TOKENS * MODEL];
static double samples[16][2 * HEADS];

/* The mean of a sample lies within four standard errors of its expectation, and the sample is large
 * enough for that to say something. */
static void assert_expectation(size_t n, const double *sample, double expected, double resolution)
{
    double mean = statistics_mean(n, sample);
    double error = statistics_sample_std(n, sample) / sqrt((double)n);
    ck_assert_msg(fabs(mean - expected) <= 4 * error,
                  "mean %.6g, standard error %.2g, expected %.6g", mean, error, expected);
    ck_assert_msg(error <= resolution, "standard error %.2g is above %.2g", error, resolution);
}

/* X = rms sqrt(d) O with orthonormal rows of random direction. */
static struct head_input orthogonal_input(double rms, size_t d_k)
{
    random_normal_matrix(60, RANDOM_TEST, TOKENS, MODEL, x);
    orthogonal_rows(TOKENS, MODEL, x);
    for (size_t i = 0; i < (size_t)TOKENS * MODEL; i++) {
        x[i] *= rms * sqrt(MODEL);
    }
    return (struct head_input){.shape = {TOKENS, MODEL, d_k}, .x = x, .input_id = 1};
}

/* Given a query, scores are iid N(0, (r^2 chi / sqrt(d_k))^2), chi of d_k degrees. */
START_TEST(orthogonal_tokens_saturate_as_computed)
{
    static const struct {
        double rms;
        size_t d_k;
    } table[] = {{1, 64}, {1.5, 64}, {2, 64}, {3, 64}, {1, 1}, {1.5, 8}};
    double rms = table[_i].rms;
    size_t d_k = table[_i].d_k;
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = orthogonal_input(rms, d_k);
    for (size_t seed = 0; seed < HEADS; seed++) {
        struct run run = fixture_run(3, (int64_t)seed);
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        samples[0][seed] = m.row_max_mean;
        samples[1][seed] = m.jacobian_trace_mean * (1 - 1.0 / TOKENS);
        samples[2][seed] = m.jacobian_rms * m.jacobian_rms;
        samples[3][seed] = m.entropy_mean;
        samples[4][seed] = m.score_row_std * m.score_row_std;
    }
    fixture_close(&fixture);
    struct theory theory;
    theory_orthonormal(TOKENS, d_k, rms, &theory);
    double variance = pow(rms, 4) * (1 - 1.0 / TOKENS);
    assert_expectation(HEADS, samples[0], theory.row_max, 0.004);
    assert_expectation(HEADS, samples[1], theory.jacobian_trace, 0.005);
    assert_expectation(HEADS, samples[2], pow(theory.jacobian_rms, 2), 0.002);
    assert_expectation(HEADS, samples[3], theory.entropy, 0.015);
    assert_expectation(HEADS, samples[4], variance, 0.05 * variance);
}
END_TEST

/* Vaswani et al. 2017, footnote 4. Queries and keys iid N(0, 1): the score spread is sqrt(d_k), and
 * 1/sqrt(d_k) makes it 1. The expectations are the one-dimensional integrals over chi. */
START_TEST(the_score_spread_is_the_root_of_the_key_width)
{
    static const struct {
        size_t d_k;
        double plain, plain_trace, scaled, scaled_trace;
    } table[] = {{1, .20750, .93076, .20750, .93076},
                 {4, .42564, .75770, .23454, .92626},
                 {16, .68552, .45648, .24342, .92552},
                 {64, .84403, .23456, .24581, .92541}};
    struct fixture fixture;
    fixture_open(&fixture);
    size_t d_k = table[_i].d_k;
    struct head_input input = orthogonal_input(1, d_k);
    for (size_t seed = 0; seed < HEADS; seed++) {
        for (unsigned scaled = 0; scaled < 2; scaled++) {
            struct run run = fixture_run(1 + 2 * scaled, (int64_t)seed);
            struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
            double(*out)[2 * HEADS] = samples + (size_t)4 * scaled;
            out[0][seed] = m.score_std * m.score_std;
            out[1][seed] = m.row_max_mean;
            out[2][seed] = m.jacobian_trace_mean;
        }
    }
    fixture_close(&fixture);
    /* 16 orthogonal tokens share the mean row x / 16: 1/n^2 of the variance is lost to it. */
    double share = 1 - 1.0 / (TOKENS * TOKENS);
    double width = (double)d_k;
    assert_expectation(HEADS, samples[0], width * share, 0.05 * width);
    assert_expectation(HEADS, samples[1], table[_i].plain, 0.003);
    assert_expectation(HEADS, samples[2], table[_i].plain_trace, 0.003);
    assert_expectation(HEADS, samples[4], share, 0.05);
    assert_expectation(HEADS, samples[5], table[_i].scaled, 0.003);
    assert_expectation(HEADS, samples[6], table[_i].scaled_trace, 0.003);
}
END_TEST

/* Under a causal mask row i has i keys. Row 1 has nothing to choose and is left out. */
START_TEST(causal_rows_saturate_as_computed)
{
    static const struct {
        double spread, row_max, trace;
    } table[] = {{0.5, .264692, .962333},
                 {1, .384557, .867500},
                 {2, .579002, .645479},
                 {4, .764709, .380584},
                 {8, .879726, .199125}};
    struct theory_causal theory;
    theory_causal(TOKENS, table[_i].spread, &theory);
    assert_within(theory.row_max, table[_i].row_max, 5e-6);
    assert_within(theory.jacobian_trace, table[_i].trace, 5e-6);
    /* One column, the queries all the spread and the keys N(0, 1): rows share their scores, which
     * changes no expectation. */
    struct fixture fixture;
    fixture_open(&fixture);
    double q[TOKENS];
    double k[TOKENS];
    struct head_input input = {.shape = {TOKENS, 0, 1}, .q = q, .k = k, .queries = TOKENS};
    for (size_t i = 0; i < TOKENS; i++) {
        q[i] = table[_i].spread;
    }
    struct run run = fixture_run(2, 1);
    run.mask = MASK_CAUSAL;
    run.position = POSITION_NONE;
    for (size_t head = 0; head < 2 * (size_t)HEADS; head++) {
        random_normals(70, RANDOM_TEST, (uint32_t)head, 0, TOKENS, k);
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        samples[0][head] = m.row_max_mean;
        samples[1][head] = m.jacobian_trace_mean;
    }
    fixture_close(&fixture);
    assert_expectation(2 * (size_t)HEADS, samples[0], theory.row_max, 0.003);
    assert_expectation(2 * (size_t)HEADS, samples[1], theory.jacobian_trace, 0.005);
}
END_TEST

/* Tokens of different lengths with a common part: normal ones, row i times 0.5 + i / 4, and one
 * vector added to all. */
static void fill_lopsided(size_t n, size_t d, double common)
{
    random_normal_matrix(61, RANDOM_TEST, n, d, x);
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < d; c++) {
            x[i * d + c] = x[i * d + c] * (0.5 + 0.25 * (double)i) + common * (double)(c % 3);
        }
    }
}

/* With kappa = c^2 d_k sigma_w^4: E Var(S) = kappa T (T + 2 |xbar|^2) over all entries and
 * kappa T (T + |xbar|^2) within rows, T the mean squared distance of the tokens from xbar. The
 * means of the rows make up the difference, kappa T |xbar|^2. */
START_TEST(score_variances_are_those_predicted)
{
    enum { N = 6, D = 5, DRAWS = 2 * HEADS };
    static const struct {
        double common;
        size_t d_k;
        int scale;
    } table[] = {{0, 8, SCORE_SCALE_SQRT},
                 {1, 8, SCORE_SCALE_SQRT},
                 {3, 4, SCORE_SCALE_LINEAR},
                 {1, 16, SCORE_SCALE_LOG_N}};
    struct fixture fixture;
    fixture_open(&fixture);
    fill_lopsided(N, D, table[_i].common);
    struct head_input input = {.shape = {N, D, table[_i].d_k}, .x = x, .input_id = 1};
    double overall = 0;
    double within = 0;
    for (size_t seed = 0; seed < DRAWS; seed++) {
        struct run run = fixture_run(3, (int64_t)seed);
        run.score_scale = table[_i].scale;
        run.score_factor = -1.5;
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        samples[0][seed] = m.score_std * m.score_std;
        samples[1][seed] = m.score_row_std * m.score_row_std;
        overall = m.predicted_score_std * m.predicted_score_std;
        within = m.predicted_score_row_std * m.predicted_score_row_std;
    }
    fixture_close(&fixture);
    assert_expectation(DRAWS, samples[0], overall, 0.05 * overall);
    assert_expectation(DRAWS, samples[1], within, 0.05 * within);
    ck_assert(within >= overall / 2 && within < overall);
    /* The same from the tokens. */
    double mean[D] = {0};
    double length = 0;
    for (size_t i = 0; i < (size_t)N * D; i++) {
        mean[i % D] += x[i] / N;
        length += x[i] * x[i] / N;
    }
    double common = pow(matrix_norm(D, mean), 2);
    double d_k = (double)table[_i].d_k;
    double factor = table[_i].scale == SCORE_SCALE_LINEAR  ? 1 / d_k
                    : table[_i].scale == SCORE_SCALE_LOG_N ? log(N) / sqrt(d_k)
                                                           : 1 / sqrt(d_k);
    double kappa = pow(1.5 * factor / D, 2) * d_k;
    assert_near(within, kappa * (length - common) * length, 1e-12);
    assert_near(overall, kappa * (length - common) * (length + common), 1e-12);
}
END_TEST

/* Each guard that is off multiplies the spread: by d, by sqrt(d_k), and by the mean square of X. */
START_TEST(every_guard_combination_has_its_score_spread)
{
    enum { KEYS = 8, SPREAD = 3 };
    struct fixture fixture;
    fixture_open(&fixture);
    random_normal_matrix(61, RANDOM_TEST, TOKENS, MODEL, x);
    for (size_t i = 0; i < (size_t)TOKENS * MODEL; i++) {
        x[i] *= SPREAD;
    }
    struct head_input input = {.shape = {TOKENS, MODEL, KEYS}, .x = x, .input_id = 1};
    double predicted[8];
    double predicted_row[8];
    double entries = TOKENS * TOKENS;
    static double scores[TOKENS * TOKENS];
    for (size_t seed = 0; seed < HEADS; seed++) {
        for (unsigned guards = 0; guards < 8; guards++) {
            struct run run = fixture_run(guards, (int64_t)seed);
            struct measurement m = fixture_measure(&fixture, &input, &run, scores, NULL);
            /* The mean square, whose expectation has the simplest form. */
            samples[guards][seed] = pow(matrix_norm((size_t)entries, scores), 2) / entries;
            samples[8 + guards][seed] = m.score_row_std * m.score_row_std;
            predicted[guards] = m.predicted_score_std;
            predicted_row[guards] = m.predicted_score_row_std;
        }
    }
    fixture_close(&fixture);
    double square = pow(statistics_rms((size_t)TOKENS * MODEL, x), 2);
    for (unsigned guards = 0; guards < 8; guards++) {
        double formula =
            (guards & 1 ? 1 : MODEL) * (guards & 2 ? 1 : sqrt(KEYS)) * (guards & 4 ? 1 : square);
        double wanted = formula * formula;
        double within = predicted_row[guards] * predicted_row[guards];
        assert_expectation(HEADS, samples[guards], wanted, 0.02 * wanted);
        assert_expectation(HEADS, samples[8 + guards], within, 0.02 * within);
        /* Tokens that are independent have little in common: 1/n of their square. */
        assert_near(predicted[guards], formula, 0.01);
        assert_near(predicted_row[guards], formula, 0.08);
    }
}
END_TEST

#define FEW_TOKENS 6
#define FEW_MODEL 5
#define FEW_KEYS 4

/* sum_j p_j |x_j - xbar|^2 for one row of weights. */
static double weighted_variance(const double *p)
{
    double mean[FEW_MODEL] = {0};
    double variance = 0;
    for (size_t j = 0; j < FEW_TOKENS; j++) {
        for (size_t c = 0; c < FEW_MODEL; c++) {
            mean[c] += p[j] * x[j * FEW_MODEL + c];
        }
    }
    for (size_t j = 0; j < FEW_TOKENS; j++) {
        for (size_t c = 0; c < FEW_MODEL; c++) {
            variance += p[j] * pow(x[j * FEW_MODEL + c] - mean[c], 2);
        }
    }
    return variance;
}

/* Stein: E[sum_j p_j s_j | q] = c^2 sigma_w^2 |q|^2 E[sum_j p_j |x_j - xbar|^2] for any X and any
 * query, over the draw of W_K alone. A wrong variance, scale or softmax breaks it. The test number
 * names the guards, and whether tokens have a common part. */
START_TEST(the_stein_identity_holds_for_every_row)
{
    enum { DRAWS = 2 * HEADS };
    unsigned guards = (unsigned)_i % 4;
    double z_q[FEW_MODEL * FEW_KEYS];
    double z_k[FEW_MODEL * FEW_KEYS];
    double q[FEW_TOKENS * FEW_KEYS];
    double scores[FEW_TOKENS * FEW_TOKENS];
    double weights[FEW_TOKENS * FEW_TOKENS];
    fill_lopsided(FEW_TOKENS, FEW_MODEL, _i < 4 ? 0 : 1);
    random_normal_matrix(63, RANDOM_TEST, FEW_MODEL, FEW_KEYS, z_q);
    product_multiply(FEW_TOKENS, FEW_MODEL, FEW_KEYS, x, z_q, q);
    double variance = guards & 1 ? 1.0 / FEW_MODEL : 1; /* of an entry of W */
    double square = guards & 2 ? 1.0 / FEW_KEYS : 1;    /* c^2 */
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = {
        .shape = {FEW_TOKENS, FEW_MODEL, FEW_KEYS}, .x = x, .input_id = 1, .z_q = z_q, .z_k = z_k};
    struct run run = fixture_run(guards, 1);
    for (size_t draw = 0; draw < DRAWS; draw++) {
        random_normal_matrix(1000 + draw, RANDOM_TEST, FEW_MODEL, FEW_KEYS, z_k);
        fixture_measure(&fixture, &input, &run, scores, weights);
        for (size_t i = 0; i < FEW_TOKENS; i++) {
            const double *p = weights + i * FEW_TOKENS;
            double length = variance * pow(matrix_norm(FEW_KEYS, q + i * FEW_KEYS), 2);
            double left = 0;
            for (size_t j = 0; j < FEW_TOKENS; j++) {
                left += p[j] * scores[i * FEW_TOKENS + j];
            }
            samples[i][draw] = left / (square * variance * length) - weighted_variance(p);
        }
    }
    fixture_close(&fixture);
    for (size_t i = 0; i < FEW_TOKENS; i++) {
        assert_expectation(DRAWS, samples[i], 0, 0.5);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head_theory");
    TCase *tests = tcase_create("head_theory");
    tcase_add_loop_test(tests, orthogonal_tokens_saturate_as_computed, 0, 6);
    tcase_add_loop_test(tests, the_score_spread_is_the_root_of_the_key_width, 0, 4);
    tcase_add_loop_test(tests, causal_rows_saturate_as_computed, 0, 5);
    tcase_add_loop_test(tests, score_variances_are_those_predicted, 0, 4);
    tcase_add_test(tests, every_guard_combination_has_its_score_spread);
    tcase_add_loop_test(tests, the_stein_identity_holds_for_every_row, 0, 8);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
