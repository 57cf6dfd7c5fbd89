/* SPDX-License-Identifier: MIT */
/* Collapsed draws against drawn weights: 2,000 heads of each, seeds 1 to 2,000, and every measure.
 * Two samples of one law differ by more than the bounds below in one comparison of 10,000, and of
 * 16,000. There are about 300 of each kind here, so that chance alone passes with a probability
 * of 95 %; the seeds are fixed, and so is the outcome. The bounds were set before the first run. */
#include "base/random.h"
#include "head_fixture.h"

#include <string.h>

#define HEADS 2000
#define LEAST_PROBABILITY 1e-4 /* of Kolmogorov and Smirnov */
#define MOST_ERRORS 4.0        /* of the difference of means, in standard errors */
#define LARGEST 128            /* entries of X */

static double samples[2][MEASUREMENT_FIELD_COUNT][HEADS]; /* by enum run_draw */

enum tokens { INDEPENDENT, REPEATED, DEPENDENT };

static const struct {
    struct head_shape shape;
    enum tokens tokens;
    unsigned guards; /* 1 init, 2 scale, 4 norm */
    enum run_mask mask;
    enum run_weights weights;
} cases[] = {
    {{5, 12, 3}, INDEPENDENT, 3, MASK_NONE, WEIGHTS_SOFTMAX},    /* d_k < n */
    {{5, 12, 5}, INDEPENDENT, 3, MASK_NONE, WEIGHTS_SOFTMAX},    /* d_k = n */
    {{5, 12, 8}, INDEPENDENT, 3, MASK_NONE, WEIGHTS_SOFTMAX},    /* n < d_k < 2 n */
    {{4, 12, 8}, INDEPENDENT, 7, MASK_NONE, WEIGHTS_SOFTMAX},    /* d_k = 2 n */
    {{5, 25, 16}, INDEPENDENT, 2, MASK_CAUSAL, WEIGHTS_SOFTMAX}, /* d_k > 2 n, saturated */
    {{5, 5, 11}, INDEPENDENT, 3, MASK_NONE, WEIGHTS_SOFTMAX},    /* d = n */
    {{7, 4, 2}, INDEPENDENT, 3, MASK_NONE, WEIGHTS_SOFTMAX},     /* n > d > d_k */
    {{7, 4, 6}, INDEPENDENT, 7, MASK_NONE, WEIGHTS_SOFTMAX},     /* n > d, d < d_k < 2 d */
    {{7, 3, 20}, INDEPENDENT, 3, MASK_CAUSAL, WEIGHTS_SOFTMAX},  /* n > d, d_k > 2 d */
    {{6, 10, 14}, REPEATED, 7, MASK_NONE, WEIGHTS_SOFTMAX},      /* rank 3 */
    {{6, 10, 7}, DEPENDENT, 3, MASK_NONE, WEIGHTS_SOFTMAX},      /* rank 4 */
    {{4, 9, 10}, INDEPENDENT, 3, MASK_NONE, WEIGHTS_SPARSEMAX},
};
#define CASES ((int)(sizeof cases / sizeof cases[0]))

static void make_tokens(struct head_shape shape, enum tokens tokens, double *x)
{
    size_t d = shape.d_model;
    ck_assert(shape.tokens * d <= LARGEST);
    random_normal_matrix(31, RANDOM_TEST, shape.tokens, d, x);
    for (size_t c = 0; tokens == REPEATED && c < d; c++) {
        x[2 * d + c] = x[4 * d + c] = x[c];
        x[5 * d + c] = x[d + c];
    }
    for (size_t c = 0; tokens == DEPENDENT && c < d; c++) {
        x[2 * d + c] = x[c] + x[d + c];
        x[5 * d + c] = 0.5 * x[4 * d + c] - x[c];
    }
}

static void sample(int number, enum run_draw draw)
{
    double x[LARGEST];
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = {.shape = cases[number].shape, .x = x, .input_id = 1};
    make_tokens(input.shape, cases[number].tokens, x);
    for (int64_t seed = 1; seed <= HEADS; seed++) {
        struct run run = fixture_run(cases[number].guards, seed);
        run.draw = (int)draw;
        run.mask = (int)cases[number].mask;
        run.weights = (int)cases[number].weights;
        struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
        for (int f = 0; f < MEASUREMENT_FIELD_COUNT; f++) {
            samples[draw][f][seed - 1] = field_value_number(&measurement_fields[f], &m);
        }
    }
    fixture_close(&fixture);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The largest distance between two empirical distributions. Sorts both. */
static double largest_distance(double *a, double *b)
{
    size_t i = 0;
    size_t j = 0;
    double largest = 0;
    qsort(a, HEADS, sizeof *a, compare);
    qsort(b, HEADS, sizeof *b, compare);
    while (i < HEADS && j < HEADS) {
        double value = fmin(a[i], b[j]);
        while (i < HEADS && a[i] <= value) {
            i++;
        }
        while (j < HEADS && b[j] <= value) {
            j++;
        }
        largest = fmax(largest, fabs((double)i - (double)j) / HEADS);
    }
    return largest;
}

/* Of a distance as large, for large samples: 2 sum (-1)^(k-1) exp(-2 k^2 t^2). */
static double probability(double distance)
{
    double t = distance * sqrt(HEADS / 2.0);
    double sum = 0;
    for (int k = 1; k <= 100; k++) {
        sum += (k % 2 == 1 ? 2 : -2) * exp(-2.0 * k * k * t * t);
    }
    return t < 0.2 ? 1 : sum;
}

static void assert_same_means(const char *name, const double *a, const double *b)
{
    const double *sides[] = {a, b};
    double mean[2];
    double variance[2];
    for (int side = 0; side < 2; side++) {
        double sum = 0;
        double squares = 0;
        for (size_t i = 0; i < HEADS; i++) {
            sum += sides[side][i] - a[0];
        }
        for (size_t i = 0; i < HEADS; i++) {
            double beyond = sides[side][i] - a[0] - sum / HEADS;
            squares += beyond * beyond;
        }
        mean[side] = sum / HEADS;
        variance[side] = squares / HEADS;
    }
    double error = sqrt((variance[0] + variance[1]) / HEADS);
    double difference = fabs(mean[1] - mean[0]);
    ck_assert_msg(difference <= MOST_ERRORS * error + 1e-12 * fabs(a[0]),
                  "%s: the means differ by %g standard errors", name, difference / error);
}

static double covariance(const double *a, const double *b)
{
    double sums[3] = {0};
    for (size_t i = 0; i < HEADS; i++) {
        sums[0] += a[i];
        sums[1] += b[i];
    }
    for (size_t i = 0; i < HEADS; i++) {
        sums[2] += (a[i] - sums[0] / HEADS) * (b[i] - sums[1] / HEADS);
    }
    return sums[2] / HEADS;
}

/* The weights of queries and of keys are independent, so that the lengths of these are: their
 * correlation is 0, give or take 1 / sqrt(heads). */
static void assert_independent(const double *q, const double *k)
{
    double correlation = covariance(q, k) / sqrt(covariance(q, q) * covariance(k, k));
    assert_within(correlation, 0, MOST_ERRORS / sqrt(HEADS));
}

/* Sorts both. */
static void assert_same_law(const char *name, double *drawn, double *collapsed)
{
    assert_same_means(name, drawn, collapsed);
    double distance = largest_distance(drawn, collapsed);
    ck_assert_msg(probability(distance) > LEAST_PROBABILITY,
                  "%s: a distance of %g, which has probability %g", name, distance,
                  probability(distance));
}

static int count_undefined(const double *values)
{
    int undefined = 0;
    for (size_t i = 0; i < HEADS; i++) {
        undefined += isnan(values[i]);
    }
    return undefined;
}

START_TEST(every_measure_has_the_law_that_drawn_weights_give_it)
{
    int compared = 0;
    sample(_i, DRAW_WEIGHTS);
    sample(_i, DRAW_COLLAPSED);
    assert_independent(samples[DRAW_COLLAPSED][MEASURE_Q_NORM],
                       samples[DRAW_COLLAPSED][MEASURE_K_NORM]);
    for (int f = 0; f < MEASUREMENT_FIELD_COUNT; f++) {
        const char *name = measurement_fields[f].name;
        double *drawn = samples[DRAW_WEIGHTS][f];
        double *collapsed = samples[DRAW_COLLAPSED][f];
        int undefined = count_undefined(drawn);
        ck_assert_msg(undefined == count_undefined(collapsed), "%s: not as often NaN", name);
        ck_assert_msg(undefined == 0 || undefined == HEADS, "%s is NaN now and then", name);
        if (undefined == 0 && !isinf(drawn[0])) {
            assert_same_law(name, drawn, collapsed);
            compared++;
        }
    }
    /* All but the spreads predicted under a mask, and the depth of weights that reach 1. */
    ck_assert_int_ge(compared, MEASUREMENT_FIELD_COUNT - 3);
}
END_TEST

/* Kolmogorov's distribution: 5 % lie beyond 1.3581, 0.1 % beyond 1.9495 (any table). */
START_TEST(the_probability_of_a_distance_is_that_of_tables)
{
    double unit = 1 / sqrt(HEADS / 2.0);
    assert_within(probability(1.3581 * unit), 0.05, 1e-5);
    assert_within(probability(1.9495 * unit), 0.001, 1e-6);
    ck_assert(probability(0) == 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("collapsed_law");
    TCase *tests = tcase_create("collapsed_law");
    tcase_add_test(tests, the_probability_of_a_distance_is_that_of_tables);
    tcase_add_loop_test(tests, every_measure_has_the_law_that_drawn_weights_give_it, 0, CASES);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
