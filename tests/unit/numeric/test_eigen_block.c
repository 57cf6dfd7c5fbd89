/* SPDX-License-Identifier: MIT */
/* Block iteration on matrices whose pairs are known, which stop ARPACK or could: a low rank, values
 * repeated more often than pairs are wanted, +x beside -x. */
#include "numeric/eigen_internal.h"

#include "arena_fixture.h"

#include <string.h>

#define N ((size_t)300)

/* 30, 29, ..., 1 on axes far from each other, the rest 0. */
static void low_rank_product(const void *matrix, size_t n, const double *x, double *y)
{
    (void)matrix;
    memset(y, 0, n * sizeof *y);
    for (size_t k = 1; k <= 30; k++) {
        y[7 * k] = (double)k * x[7 * k];
    }
}

/* 5, 4, 3, 2 and 1, each for a fifth of the axes. */
static void plateau_product(const void *matrix, size_t n, const double *x, double *y)
{
    (void)matrix;
    for (size_t i = 0; i < n; i++) {
        y[i] = (double)(5 - i % 5) * x[i];
    }
}

/* Blocks (0 1; 1 0) along the diagonal: 1 and -1, n / 2 times each. */
static void swap_product(const void *matrix, size_t n, const double *x, double *y)
{
    (void)matrix;
    for (size_t i = 0; i < n; i++) {
        y[i] = x[i ^ 1];
    }
}

/* Blocks (0 1; -1 0) along the diagonal: not symmetric, and no pair is real. */
static void turn_product(const void *matrix, size_t n, const double *x, double *y)
{
    (void)matrix;
    for (size_t i = 0; i < n; i += 2) {
        y[i] = x[i + 1];
        y[i + 1] = -x[i];
    }
}

static void broken_product(const void *matrix, size_t n, const double *x, double *y)
{
    (void)matrix;
    memcpy(y, x, n * sizeof *y);
    y[n - 1] = (double)NAN;
}

static bool solve(const struct eigen_problem *problem, double *values, double *vectors)
{
    return eigen_block(problem, values, vectors, doubles(eigen_block_workspace(problem)), &err);
}

/* A v_k = lambda_k v_k, and the vectors are orthonormal, to `tolerance` of the first value. */
static void check_vectors(const struct eigen_problem *problem, const double *values,
                          const double *vectors, double tolerance)
{
    double image[N];
    for (size_t k = 0; k < problem->count; k++) {
        const double *v = vectors + k * N;
        problem->product(NULL, N, v, image);
        for (size_t i = 0; i < N; i++) {
            assert_within(image[i], values[k] * v[i], tolerance * fabs(values[0]));
        }
        for (size_t l = 0; l <= k; l++) {
            double dot = 0;
            for (size_t i = 0; i < N; i++) {
                dot += v[i] * vectors[l * N + i];
            }
            assert_within(dot, l == k ? 1 : 0, tolerance);
        }
    }
}

/* The values, of vectors that are as they should be to that tolerance. */
static const double *solve_well(const struct eigen_problem *problem, double tolerance)
{
    double *values = doubles(problem->count);
    double *vectors = doubles(problem->count * N);
    assert_ok(solve(problem, values, vectors), err);
    check_vectors(problem, values, vectors, tolerance);
    return values;
}

START_TEST(more_pairs_than_the_rank_end_in_zeros)
{
    const struct eigen_problem problem = {N, 40, low_rank_product, NULL, NULL};
    const double *values = solve_well(&problem, 1e-12);
    for (size_t k = 0; k < 40; k++) {
        assert_within(values[k], k < 30 ? (double)(30 - k) : 0, 1e-12);
    }
}
END_TEST

START_TEST(a_value_repeated_more_often_than_pairs_are_wanted_fills_them_all)
{
    const struct eigen_problem problem = {N, 20, plateau_product, NULL, NULL};
    const double *values = solve_well(&problem, 1e-11);
    for (size_t k = 0; k < 20; k++) {
        assert_near(values[k], 5, 1e-12);
    }
}
END_TEST

START_TEST(opposite_values_that_repeat_do_not_turn_round_for_ever)
{
    const struct eigen_problem problem = {N, 30, swap_product, NULL, NULL};
    const double *values = solve_well(&problem, 1e-12);
    for (size_t k = 0; k < 30; k++) {
        assert_near(fabs(values[k]), 1, 1e-13);
        ck_assert(k == 0 || values[k] <= values[k - 1] + 1e-13);
    }
}
END_TEST

START_TEST(a_matrix_without_real_pairs_ends_with_a_residual)
{
    const struct eigen_problem problem = {N, 1, turn_product, NULL, NULL};
    ck_assert(!solve(&problem, doubles(1), doubles(N)));
    assert_error(err, ERROR_INTERNAL, "order 300 did not converge");
}
END_TEST

START_TEST(what_is_not_finite_is_refused)
{
    const struct eigen_problem problem = {N, 3, broken_product, NULL, NULL};
    ck_assert(!solve(&problem, doubles(3), doubles(3 * N)));
    assert_error(err, ERROR_INTERNAL, "not finite");
}
END_TEST

START_TEST(a_word_from_outside_ends_it)
{
    const atomic_int stop = 2;
    const struct eigen_problem problem = {N, 3, swap_product, NULL, &stop};
    ck_assert(!solve(&problem, doubles(3), doubles(3 * N)));
    ck_assert_int_eq(err.code, ERROR_INTERRUPTED);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("eigen_block");
    TCase *tests = tcase_create("eigen_block");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, more_pairs_than_the_rank_end_in_zeros);
    tcase_add_test(tests, a_value_repeated_more_often_than_pairs_are_wanted_fills_them_all);
    tcase_add_test(tests, opposite_values_that_repeat_do_not_turn_round_for_ever);
    tcase_add_test(tests, a_matrix_without_real_pairs_ends_with_a_residual);
    tcase_add_test(tests, what_is_not_finite_is_refused);
    tcase_add_test(tests, a_word_from_outside_ends_it);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
