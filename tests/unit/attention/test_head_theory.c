/* SPDX-License-Identifier: MIT */
/* Statistical tests of attention/head: means over seeds against exact expectations, each within
 * four of its own standard errors. Seeds are fixed, so a test that passes keeps passing. */
#include "attention/normalise.h"
#include "base/random.h"
#include "head_fixture.h"
#include "numeric/matrix.h"
#include "numeric/statistics.h"

#include <string.h>

#define TOKENS 16
#define MODEL 64
#define SEEDS 200

static double x[TOKENS * MODEL];
static double samples[16][4000];

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

/* X = spread sqrt(d) O with orthonormal rows: rows 1 .. 16 of a Hadamard matrix, which have mean 0
 * and mean square spread^2. */
static void fill_orthogonal(double spread)
{
    for (size_t i = 0; i < TOKENS; i++) {
        for (size_t j = 0; j < MODEL; j++) {
            size_t common = (i + 1) & j;
            bool odd = false;
            for (; common != 0; common &= common - 1) {
                odd = !odd;
            }
            x[i * MODEL + j] = odd ? -spread : spread;
        }
    }
}

/* Given a query, scores are iid N(0, (r^2 chi / sqrt(d_k))^2), chi of d_k degrees: the expectations
 * are its one-dimensional integrals. */
START_TEST(orthogonal_tokens_saturate_as_computed)
{
    static const struct {
        double spread, row_max, trace;
    } table[] = {{1, .245811, .867572},
                 {1.5, .504624, .640883},
                 {2, .694783, .417204},
                 {3, .861290, .196145}};
    struct fixture fixture;
    fixture_open(&fixture);
    fill_orthogonal(table[_i].spread);
    struct head_input input = {.shape = {TOKENS, MODEL, 64}, .x = x, .input_id = 1};
    for (size_t seed = 0; seed < SEEDS; seed++) {
        struct run run = fixture_run(3, (int64_t)seed);
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        samples[0][seed] = m.row_max_mean;
        samples[1][seed] = m.jacobian_trace_mean * (1 - 1.0 / TOKENS);
        samples[2][seed] = m.score_row_std * m.score_row_std;
    }
    fixture_close(&fixture);
    double variance = pow(table[_i].spread, 4) * (1 - 1.0 / TOKENS);
    assert_expectation(SEEDS, samples[0], table[_i].row_max, 0.005);
    assert_expectation(SEEDS, samples[1], table[_i].trace, 0.005);
    assert_expectation(SEEDS, samples[2], variance, 0.02 * variance);
}
END_TEST

/* Queries and keys iid N(0, 1): the score spread is sqrt(d_k), and 1/sqrt(d_k) makes it 1. */
START_TEST(the_score_spread_is_the_root_of_the_key_width)
{
    static const struct {
        size_t d_k;
        double plain, scaled;
    } table[] = {
        {1, .20750, .20750}, {4, .42564, .23454}, {16, .68552, .24342}, {64, .84403, .24581}};
    struct fixture fixture;
    fixture_open(&fixture);
    fill_orthogonal(1);
    size_t d_k = table[_i].d_k;
    struct head_input input = {.shape = {TOKENS, MODEL, d_k}, .x = x, .input_id = 1};
    for (size_t seed = 0; seed < SEEDS; seed++) {
        struct run plain = fixture_run(1, (int64_t)seed);
        struct run scaled = fixture_run(3, (int64_t)seed);
        struct measurement m = fixture_measure(&fixture, &input, &plain, NULL, NULL);
        samples[0][seed] = m.score_std * m.score_std;
        samples[1][seed] = m.row_max_mean;
        m = fixture_measure(&fixture, &input, &scaled, NULL, NULL);
        samples[2][seed] = m.score_std * m.score_std;
        samples[3][seed] = m.row_max_mean;
    }
    fixture_close(&fixture);
    /* 16 orthogonal tokens share the mean row x / 16: 1/n^2 of the variance is lost to it. */
    double share = 1 - 1.0 / (TOKENS * TOKENS);
    assert_expectation(SEEDS, samples[0], (double)d_k * share, 0.04 * (double)d_k);
    assert_expectation(SEEDS, samples[1], table[_i].plain, 0.006);
    assert_expectation(SEEDS, samples[2], share, 0.04);
    assert_expectation(SEEDS, samples[3], table[_i].scaled, 0.006);
}
END_TEST

/* Of X (n, d): the squared length of the mean row, and the mean squared distance from it. */
static void split_variance(const double *rows, double *common, double *differing)
{
    double mean[MODEL] = {0};
    for (size_t i = 0; i < (size_t)TOKENS * MODEL; i++) {
        mean[i % MODEL] += rows[i] / TOKENS;
    }
    *common = pow(matrix_norm(MODEL, mean), 2);
    *differing = pow(matrix_norm((size_t)TOKENS * MODEL, rows), 2) / TOKENS - *common;
}

/* With kappa = c^2 d_k sigma_w^4: E Var(S) = kappa C (C + 2 |xbar|^2) over all entries and
 * kappa C (C + |xbar|^2) within rows, C the mean squared distance of the tokens from xbar. */
START_TEST(every_guard_combination_has_its_score_spread)
{
    enum { HEADS = 60 };
    double normalised[TOKENS * MODEL];
    random_normal_matrix(61, RANDOM_TEST, TOKENS, MODEL, x);
    for (size_t i = 0; i < (size_t)TOKENS * MODEL; i++) {
        x[i] *= 3;
    }
    normalise_layer(TOKENS, MODEL, 1e-5, x, normalised);
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = {.shape = {TOKENS, MODEL, 64}, .x = x, .input_id = 1};
    for (size_t seed = 0; seed < HEADS; seed++) {
        for (unsigned guards = 0; guards < 8; guards++) {
            struct run run = fixture_run(guards, (int64_t)seed);
            struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
            samples[guards][seed] = m.score_std * m.score_std;
            samples[8 + guards][seed] = m.score_row_std * m.score_row_std;
        }
    }
    fixture_close(&fixture);
    for (unsigned guards = 0; guards < 8; guards++) {
        double common;
        double differing;
        split_variance(guards & 4 ? normalised : x, &common, &differing);
        double kappa = (guards & 1 ? 1.0 / MODEL / MODEL : 1) * (guards & 2 ? 1 : 64);
        double overall = kappa * differing * (differing + 2 * common);
        double within = kappa * differing * (differing + common);
        assert_expectation(HEADS, samples[guards], overall, 0.04 * overall);
        assert_expectation(HEADS, samples[8 + guards], within, 0.04 * within);
        /* The rule of thumb: each guard that is off multiplies the spread by d, sqrt(d_k) or the
         * mean square of X. */
        double square = pow(statistics_rms((size_t)TOKENS * MODEL, x), 2);
        double thumb = (guards & 1 ? 1 : 64) * (guards & 2 ? 1 : 8) * (guards & 4 ? 1 : square);
        assert_near(sqrt(overall), thumb, 0.01);
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
 * query, over the draw of W_K alone. A wrong variance, scale or softmax breaks it. */
START_TEST(the_stein_identity_holds_for_every_row)
{
    enum { DRAWS = 4000 };
    unsigned guards = (unsigned)_i;
    double z_q[FEW_MODEL * FEW_KEYS];
    double z_k[FEW_MODEL * FEW_KEYS];
    double q[FEW_TOKENS * FEW_KEYS];
    double scores[FEW_TOKENS * FEW_TOKENS];
    double weights[FEW_TOKENS * FEW_TOKENS];
    random_normal_matrix(62, RANDOM_TEST, FEW_TOKENS, FEW_MODEL, x);
    random_normal_matrix(63, RANDOM_TEST, FEW_MODEL, FEW_KEYS, z_q);
    matrix_multiply(FEW_TOKENS, FEW_MODEL, FEW_KEYS, x, z_q, q);
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
        assert_expectation(DRAWS, samples[i], 0, 0.25);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("head_theory");
    TCase *tests = tcase_create("head_theory");
    tcase_add_loop_test(tests, orthogonal_tokens_saturate_as_computed, 0, 4);
    tcase_add_loop_test(tests, the_score_spread_is_the_root_of_the_key_width, 0, 4);
    tcase_add_test(tests, every_guard_combination_has_its_score_spread);
    tcase_add_loop_test(tests, the_stein_identity_holds_for_every_row, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
