/* SPDX-License-Identifier: MIT */
/* Tests of attention/weights_projections: supports by hand, the conditions that mark the optimum,
 * supports against all prefixes of the sorted row, long rows. */
#include "weights_fixture.h"

#include <float.h>
#include <string.h>

struct hand_case {
    enum run_weights weights;
    size_t n;
    double scores[4], weights_of[4];
};

/* sparsemax by hand: (1, 0.5, 0.25) has tau = (1 + 0.5 - 1) / 2 = 0.25, which the third score
 * equals; (0.5, 0.25, 0) has tau = (0.75 - 1) / 3. entmax15 halves first: (2, 2 - 2d) with weights
 * q^2 and (q - d)^2; d = 0.2 and q = 0.8: 0.64 and 0.36. (0, -2) has tau = -1 exactly. Three equal
 * scores and one that is 2 / sqrt 3 lower, on the edge. */
static const struct hand_case hand_cases[] = {
    {WEIGHTS_SPARSEMAX, 3, {2, 1, 0.1}, {1, 0, 0}},
    {WEIGHTS_SPARSEMAX, 3, {1, 0.5, 0.25}, {0.75, 0.25, 0}},
    {WEIGHTS_SPARSEMAX, 3, {0.5, 0.25, 0}, {7 / 12.0, 4 / 12.0, 1 / 12.0}},
    {WEIGHTS_SPARSEMAX, 3, {-1, 7, 7}, {0, 0.5, 0.5}},
    {WEIGHTS_SPARSEMAX, 4, {1e308, 0, -1e308, 1e308}, {0.5, 0, 0, 0.5}},
    {WEIGHTS_SPARSEMAX, 1, {-3}, {1}},
    {WEIGHTS_SPARSEMAX, 2, {0, 1}, {0, 1}},
    {WEIGHTS_ENTMAX15, 3, {2, 0, -1}, {1, 0, 0}},
    {WEIGHTS_ENTMAX15, 2, {2, 1.6}, {0.64, 0.36}},
    {WEIGHTS_ENTMAX15, 3, {1.6, -0.5, 2}, {0.36, 0, 0.64}},
    {WEIGHTS_ENTMAX15, 4, {5, 5, 5, 5}, {0.25, 0.25, 0.25, 0.25}},
    {WEIGHTS_ENTMAX15, 4, {0, 0, 0, -1.1547005383792517}, {1 / 3.0, 1 / 3.0, 1 / 3.0, 0}},
    {WEIGHTS_ENTMAX15, 4, {1e308, 0, -1e308, 1e308}, {0.5, 0, 0, 0.5}},
    {WEIGHTS_ENTMAX15, 1, {-3}, {1}},
};

START_TEST(rows_by_hand_come_out)
{
    const struct hand_case *wanted = &hand_cases[_i];
    set_scores(wanted->n, wanted->scores);
    fill(wanted->weights, wanted->n);
    for (size_t j = 0; j < wanted->n; j++) {
        assert_within(p[j], wanted->weights_of[j], 3e-16);
        ck_assert(p[j] == 0 || wanted->weights_of[j] > 0 || p[j] < 1e-30);
    }
}
END_TEST

static const enum run_weights both[] = {WEIGHTS_SPARSEMAX, WEIGHTS_ENTMAX15};

/* The power of a projection's weights that is linear in the score, and the factor before it. */
static double excess(enum run_weights weights, double weight)
{
    return weights == WEIGHTS_SPARSEMAX ? weight : sqrt(weight);
}

/* With one tau for the whole row, p = 0 where z <= tau, z - excess(p) = tau where p > 0, and the
 * weights sum to 1: the conditions of Karush, Kuhn and Tucker of a convex problem, so enough. */
static void assert_optimal(enum run_weights weights, size_t n)
{
    double factor = weights == WEIGHTS_SPARSEMAX ? 1 : 0.5;
    double sum = 0;
    size_t top = 0;
    for (size_t j = 0; j < n; j++) {
        sum += p[j];
        top = p[j] > p[top] ? j : top;
    }
    double threshold = factor * scores[top] - excess(weights, p[top]);
    assert_within(sum, 1, 1e-15 * (double)n);
    for (size_t j = 0; j < n; j++) {
        double score = factor * scores[j];
        ck_assert(p[j] >= 0);
        if (p[j] > 0) {
            assert_within(score - excess(weights, p[j]), threshold, 1e-14);
        } else {
            ck_assert(score <= threshold + 1e-14);
        }
    }
}

START_TEST(random_rows_meet_the_conditions_of_the_optimum)
{
    static const double spreads[] = {0.01, 0.2, 1, 5, 100};
    size_t sizes[13] = {0};
    for (uint32_t number = 0; number < 1000; number++) {
        size_t n = random_row(number, spreads[number % 5]);
        fill(both[_i], n);
        assert_optimal(both[_i], n);
        size_t support = 0;
        for (size_t j = 0; j < n; j++) {
            support += p[j] > 0;
        }
        sizes[support]++;
    }
    /* The rows reach from one key to all of them. */
    for (size_t support = 1; support <= 12; support++) {
        ck_assert(sizes[support] > 0);
    }
}
END_TEST

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Keys of the definition: the longest prefix of the sorted row whose own tau lies below its last
 * score. Scores in steps of 1/8 meet tau exactly, again and again; their sums are exact. */
static size_t sparsemax_support(size_t n)
{
    double sorted[12];
    memcpy(sorted, scores, n * sizeof *scores);
    qsort(sorted, n, sizeof *sorted, falling);
    double sum = 0;
    size_t support = 0;
    for (size_t k = 0; k < n; k++) {
        sum += sorted[k];
        support = 1 + (double)(k + 1) * sorted[k] > sum ? k + 1 : support;
    }
    return support;
}

START_TEST(sparsemax_finds_the_support_that_sorting_finds)
{
    for (uint32_t number = 0; number < 2000; number++) {
        size_t n = random_row(number, 0.5);
        for (size_t j = 0; j < n; j++) {
            scores[j] = nearbyint(8 * scores[j]) / 8;
        }
        fill(WEIGHTS_SPARSEMAX, n);
        size_t support = 0;
        double norm = 0;
        for (size_t i = 0; i < n; i++) {
            support += p[i] > 0;
            for (size_t j = 0; j < n; j++) {
                norm += jacobian(i, j) * jacobian(i, j);
            }
        }
        ck_assert_uint_eq(support, sparsemax_support(n));
        assert_within(sqrt(norm), sqrt((double)support - 1), 1e-14);
    }
}
END_TEST

START_TEST(jacobians_have_their_closed_forms)
{
    for (uint32_t number = 0; number < 200; number++) {
        size_t n = random_row(number, 1);
        fill(both[_i], n);
        double u[12];
        double total = 0;
        for (size_t j = 0; j < n; j++) {
            u[j] = both[_i] == WEIGHTS_SPARSEMAX ? p[j] > 0 : sqrt(p[j]);
            total += u[j];
        }
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                assert_within(jacobian(i, j), (i == j ? u[i] : 0) - u[i] * u[j] / total, 1e-14);
            }
        }
    }
}
END_TEST

/* Scores 2^-k apart are the worst for a search by steps, equal ones the widest support. */
START_TEST(long_and_awkward_rows_are_solved)
{
    enum run_weights weights = both[_i];
    for (size_t j = 0; j < LONGEST; j++) {
        scores[j] = -ldexp(1, -(int)(j % 60));
    }
    fill(weights, LONGEST);
    assert_optimal(weights, LONGEST);
    for (size_t j = 0; j < LONGEST; j++) {
        scores[j] = -(double)j / LONGEST;
    }
    fill(weights, LONGEST);
    assert_optimal(weights, LONGEST);
    for (size_t j = 0; j < LONGEST; j++) {
        scores[j] = -2;
    }
    fill(weights, LONGEST);
    for (size_t j = 0; j < LONGEST; j++) {
        assert_near(p[j], 1.0 / LONGEST, 1e-12);
    }
    random_normals(8, RANDOM_TEST, 0, 0, LONGEST, scores);
    fill(weights, LONGEST);
    assert_optimal(weights, LONGEST);
}
END_TEST

/* (0, -1 + 2e): the weights are 1 - e and e for sparsemax. */
START_TEST(what_is_left_of_a_weight_near_1_keeps_its_digits)
{
    double small = 0x1p-50;
    const double values[] = {0, -1 + 2 * small};
    set_scores(2, values);
    fill(WEIGHTS_SPARSEMAX, 2);
    ck_assert(remainder_of[0] == small && p[1] == small && unshared[0] == 0.5);
    fill(WEIGHTS_ENTMAX15, 2);
    assert_near(remainder_of[0], p[1], 1e-15);
    const double alone[] = {0, -9};
    set_scores(2, alone);
    fill(both[_i], 2);
    ck_assert(remainder_of[0] == 0 && unshared[0] == 0 && unshared[1] == 1 && slope[1] == 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("weights_projections");
    TCase *tests = tcase_create("weights_projections");
    int cases = (int)(sizeof hand_cases / sizeof hand_cases[0]);
    tcase_add_loop_test(tests, rows_by_hand_come_out, 0, cases);
    tcase_add_loop_test(tests, random_rows_meet_the_conditions_of_the_optimum, 0, 2);
    tcase_add_test(tests, sparsemax_finds_the_support_that_sorting_finds);
    tcase_add_loop_test(tests, jacobians_have_their_closed_forms, 0, 2);
    tcase_add_loop_test(tests, long_and_awkward_rows_are_solved, 0, 2);
    tcase_add_loop_test(tests, what_is_left_of_a_weight_near_1_keeps_its_digits, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
