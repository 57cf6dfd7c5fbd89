/* SPDX-License-Identifier: MIT */
/* Eigenpairs by hand, by closed form, and ARPACK against LAPACK. */
#include "numeric/eigen.h"

#include "base/random.h"
#include "arena_fixture.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

struct pairs {
    size_t n, count;
    double *values, *vectors;
};

/* `matrix` is an (n, n) array of doubles, mostly zeros: columns of a zero x cost nothing. */
static void dense_product(const void *matrix, size_t n, const double *x, double *y)
{
    const double *a = matrix;
    memset(y, 0, n * sizeof *y);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; x[j] != 0 && i < n; i++) {
            y[i] += a[j * n + i] * x[j]; /* symmetric */
        }
    }
}

/* The path graph's Laplacian with both ends held: 2 on the diagonal, -1 beside it. */
static void path_product(const void *matrix, size_t n, const double *x, double *y)
{
    (void)matrix;
    for (size_t i = 0; i < n; i++) {
        y[i] = 2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0);
    }
}

static void zero_product(const void *matrix, size_t n, const double *x, double *y)
{
    (void)matrix;
    (void)x;
    memset(y, 0, n * sizeof *y);
}

/* Rank one, u uᵀ with u = 1, 2, ..., n. */
static void rank_one_product(const void *matrix, size_t n, const double *x, double *y)
{
    (void)matrix;
    double dot = 0;
    for (size_t i = 0; i < n; i++) {
        dot += (double)(i + 1) * x[i];
    }
    for (size_t i = 0; i < n; i++) {
        y[i] = dot * (double)(i + 1);
    }
}

/* Blocks (0 1; 1 0) along the diagonal: the values are 1 and -1, n / 2 times each. */
static void swap_product(const void *matrix, size_t n, const double *x, double *y)
{
    (void)matrix;
    for (size_t i = 0; i < n; i++) {
        y[i] = x[i ^ 1];
    }
}

static void diagonal_product(const void *matrix, size_t n, const double *x, double *y)
{
    const double *diagonal = matrix;
    for (size_t i = 0; i < n; i++) {
        y[i] = diagonal[i] * x[i];
    }
}

static struct pairs solve(size_t n, size_t count, eigen_product *product, const void *matrix)
{
    struct eigen_problem problem = {n, count, product, matrix, NULL};
    struct pairs pairs = {n, count, doubles(count), doubles(count * n)};
    size_t workspace = eigen_workspace(&problem);
    ck_assert_uint_gt(workspace, 0);
    assert_ok(eigen_leading(&problem, pairs.values, pairs.vectors, doubles(workspace), &err), err);
    return pairs;
}

/* max_k |A v_k - lambda_k v_k| and max |V Vᵀ - I| are at most `tolerance` (times |lambda_1|). */
static void check_pairs(const struct pairs *pairs, eigen_product *product, const void *matrix,
                        double tolerance)
{
    size_t n = pairs->n;
    double *image = doubles(n);
    for (size_t k = 0; k < pairs->count; k++) {
        const double *v = pairs->vectors + k * n;
        product(matrix, n, v, image);
        for (size_t i = 0; i < n; i++) {
            assert_within(image[i], pairs->values[k] * v[i], tolerance * fabs(pairs->values[0]));
        }
        for (size_t l = 0; l <= k; l++) {
            double dot = 0;
            for (size_t i = 0; i < n; i++) {
                dot += v[i] * pairs->vectors[l * n + i];
            }
            assert_within(dot, l == k ? 1 : 0, tolerance);
        }
    }
}

static void check_signs(const struct pairs *pairs)
{
    for (size_t k = 0; k < pairs->count; k++) {
        const double *v = pairs->vectors + k * pairs->n;
        double lowest = 0;
        double highest = 0;
        for (size_t i = 0; i < pairs->n; i++) {
            lowest = fmin(lowest, v[i]);
            highest = fmax(highest, v[i]);
        }
        ck_assert_msg(highest >= -lowest * (1 - 1e-8), "vector %zu has the wrong sign", k);
    }
}

/* A sparse symmetric matrix: about `per_row` normal entries a row. */
static double *random_sparse(size_t n, size_t per_row)
{
    double *a = doubles(n * n);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < per_row / 2; k++) {
            /* Any spread of places will do: steps of a prime. */
            size_t j = (i * 7919 + k * 104729 + k * k * i) % n;
            double value = 0;
            random_normals(8, RANDOM_TEST, (uint32_t)i, (uint32_t)k, 1, &value);
            a[i * n + j] = value;
            a[j * n + i] = value;
        }
    }
    return a;
}

START_TEST(a_diagonal_matrix_gives_its_entries_by_falling_magnitude)
{
    const double diagonal[] = {1, -5, 3, 0};
    struct pairs pairs = solve(4, 4, diagonal_product, diagonal);
    const double values[] = {-5, 3, 1, 0};
    const size_t axes[] = {1, 2, 0, 3};
    for (size_t k = 0; k < 4; k++) {
        assert_within(pairs.values[k], values[k], 1e-15);
        for (size_t i = 0; i < 4; i++) {
            assert_within(pairs.vectors[4 * k + i], i == axes[k] ? 1 : 0, 1e-15);
        }
    }
}
END_TEST

START_TEST(a_two_by_two_matrix_has_the_pairs_computed_by_hand)
{
    const double a[] = {2, 1, 1, 2};
    struct pairs pairs = solve(2, 2, dense_product, a);
    const double half = sqrt(0.5);
    assert_near(pairs.values[0], 3, 1e-15);
    assert_near(pairs.values[1], 1, 1e-15);
    assert_near(pairs.vectors[0], half, 1e-15);
    assert_near(pairs.vectors[1], half, 1e-15);
    /* Both entries are as large: the first is the positive one. */
    assert_near(pairs.vectors[2], half, 1e-15);
    assert_near(pairs.vectors[3], -half, 1e-15);
}
END_TEST

START_TEST(opposite_values_come_with_the_positive_first)
{
    const double a[] = {0, 2, 0, 0, /**/ 2, 0, 0, 0, /**/ 0, 0, 0, 3, /**/ 0, 0, 3, 0};
    struct pairs pairs = solve(4, 4, dense_product, a);
    const double values[] = {3, -3, 2, -2};
    for (size_t k = 0; k < 4; k++) {
        assert_near(pairs.values[k], values[k], 1e-14);
    }
    check_pairs(&pairs, dense_product, a, 1e-14);
}
END_TEST

START_TEST(the_path_graph_has_its_known_spectrum_whichever_solver_is_used)
{
    const size_t orders[] = {5, 256, 300};
    for (size_t t = 0; t < 3; t++) {
        size_t n = orders[t];
        size_t count = 5;
        struct pairs pairs = solve(n, count, path_product, NULL);
        for (size_t k = 0; k < count; k++) {
            /* The largest first: 2 - 2 cos(m pi / (n + 1)) with m = n, n - 1, ... */
            double m = (double)(n - k);
            assert_near(pairs.values[k], 2 - 2 * cos(m * PI / (double)(n + 1)), 1e-12);
        }
        check_pairs(&pairs, path_product, NULL, 1e-12);
        check_signs(&pairs);
    }
}
END_TEST

START_TEST(arpack_agrees_with_lapack_on_a_random_sparse_matrix)
{
    size_t n = 600;
    size_t count = 40;
    const double *a = random_sparse(n, 12);
    struct pairs sparse = solve(n, count, dense_product, a);
    struct pairs dense = solve(n, n, dense_product, a);
    for (size_t k = 0; k < count; k++) {
        assert_near(sparse.values[k], dense.values[k], 1e-12);
    }
    check_pairs(&sparse, dense_product, a, 1e-11);
    dense.count = count; /* as many suffice */
    check_pairs(&dense, dense_product, a, 1e-11);
    check_signs(&sparse);
    check_signs(&dense);
    for (size_t i = 0; i < n; i++) {
        assert_within(sparse.vectors[i], dense.vectors[i], 1e-10);
    }
}
END_TEST

START_TEST(the_same_problem_gives_the_same_bytes)
{
    size_t n = 600;
    const double *a = random_sparse(n, 12);
    struct pairs first = solve(n, 20, dense_product, a);
    struct pairs second = solve(n, 20, dense_product, a);
    ck_assert(memcmp(first.values, second.values, 20 * sizeof(double)) == 0);
    ck_assert(memcmp(first.vectors, second.vectors, 20 * n * sizeof(double)) == 0);
}
END_TEST

START_TEST(a_matrix_of_low_rank_gives_the_same_bytes_whatever_was_solved_before)
{
    size_t n = 400;
    struct pairs first = solve(n, 16, rank_one_product, NULL);
    solve(n, 9, swap_product, NULL);
    struct pairs second = solve(n, 16, rank_one_product, NULL);
    /* 1^2 + 2^2 + ... + 400^2 */
    assert_near(first.values[0], 21413400, 1e-12);
    for (size_t k = 1; k < 16; k++) {
        assert_within(first.values[k], 0, (double)n * DBL_EPSILON * first.values[0]);
    }
    check_pairs(&first, rank_one_product, NULL, 1e-11);
    ck_assert(memcmp(first.values, second.values, 16 * sizeof(double)) == 0);
    ck_assert(memcmp(first.vectors, second.vectors, 16 * n * sizeof(double)) == 0);
}
END_TEST

START_TEST(repeated_values_give_an_orthonormal_set)
{
    size_t n = 400;
    struct pairs pairs = solve(n, 30, swap_product, NULL);
    for (size_t k = 0; k < 30; k++) {
        assert_near(fabs(pairs.values[k]), 1, 1e-13);
        ck_assert(k == 0 || pairs.values[k] <= pairs.values[k - 1] + 1e-13);
    }
    check_pairs(&pairs, swap_product, NULL, 1e-12);
}
END_TEST

/* Rank 30, n = 700: the values are 30, 29, ..., 1 on unrelated axes, the rest 0. */
static void low_rank_product(const void *matrix, size_t n, const double *x, double *y)
{
    (void)matrix;
    memset(y, 0, n * sizeof *y);
    for (size_t k = 1; k <= 30; k++) {
        y[7 * k] = (double)k * x[7 * k];
    }
}

START_TEST(more_pairs_than_the_rank_end_in_zeros)
{
    size_t n = 700;
    struct pairs pairs = solve(n, 64, low_rank_product, NULL);
    for (size_t k = 0; k < 64; k++) {
        assert_within(pairs.values[k], k < 30 ? (double)(30 - k) : 0, 1e-12);
    }
    check_pairs(&pairs, low_rank_product, NULL, 1e-12);
}
END_TEST

/* Five values, 60 times each: 5, 4, 3, 2, 1. */
static void plateau_product(const void *matrix, size_t n, const double *x, double *y)
{
    (void)matrix;
    for (size_t i = 0; i < n; i++) {
        y[i] = (double)(5 - i % 5) * x[i];
    }
}

START_TEST(a_value_repeated_more_often_than_pairs_are_wanted_fills_them_all)
{
    struct pairs pairs = solve(300, 20, plateau_product, NULL);
    for (size_t k = 0; k < 20; k++) {
        assert_near(pairs.values[k], 5, 1e-12);
    }
    check_pairs(&pairs, plateau_product, NULL, 1e-11);
}
END_TEST

START_TEST(two_equal_halves_give_every_value_twice)
{
    size_t half = 150;
    size_t n = 2 * half;
    const double *block = random_sparse(half, 12);
    double *a = doubles(n * n);
    for (size_t i = 0; i < half; i++) {
        memcpy(a + i * n, block + i * half, half * sizeof *a);
        memcpy(a + (half + i) * n + half, block + i * half, half * sizeof *a);
    }
    struct pairs one = solve(half, 10, dense_product, block);
    struct pairs both = solve(n, 20, dense_product, a);
    for (size_t k = 0; k < 20; k++) {
        assert_near(both.values[k], one.values[k / 2], 1e-12);
    }
}
END_TEST

START_TEST(a_pair_of_opposite_values_at_the_cut_leaves_the_positive_one)
{
    size_t n = 300;
    double *diagonal = doubles(n);
    for (size_t i = 0; i < n; i++) {
        diagonal[i] = (i % 2 == 0 ? 1 : -1) * (double)(1 + i / 2);
    }
    struct pairs pairs = solve(n, 3, diagonal_product, diagonal);
    assert_near(pairs.values[0], 150, 1e-13);
    assert_near(pairs.values[1], -150, 1e-13);
    assert_near(pairs.values[2], 149, 1e-13);
    check_pairs(&pairs, diagonal_product, diagonal, 1e-12);
}
END_TEST

START_TEST(all_pairs_of_a_matrix_rebuild_it)
{
    size_t n = 20;
    const double *a = random_sparse(n, 8);
    struct pairs pairs = solve(n, n, dense_product, a);
    for (size_t i = 0; i < n * n; i++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++) {
            sum += pairs.values[k] * pairs.vectors[k * n + i / n] * pairs.vectors[k * n + i % n];
        }
        assert_within(sum, a[i], 1e-13);
    }
}
END_TEST

START_TEST(a_matrix_of_one_entry_is_its_own_value)
{
    const double a[] = {-2.5};
    struct pairs pairs = solve(1, 1, dense_product, a);
    assert_near(pairs.values[0], -2.5, 0);
    assert_near(pairs.vectors[0], 1, 0);
}
END_TEST

START_TEST(the_zero_matrix_has_zero_values_and_orthonormal_vectors)
{
    const size_t orders[] = {6, 300};
    for (size_t t = 0; t < 2; t++) {
        struct pairs pairs = solve(orders[t], 6, zero_product, NULL);
        for (size_t k = 0; k < 6; k++) {
            assert_within(pairs.values[k], 0, 0);
        }
        check_pairs(&pairs, zero_product, NULL, 1e-13);
        double dot = 0;
        for (size_t i = 0; i < orders[t]; i++) {
            dot += pairs.vectors[i] * pairs.vectors[i];
        }
        assert_near(dot, 1, 1e-13);
    }
}
END_TEST

START_TEST(a_matrix_that_is_not_finite_is_refused)
{
    const size_t orders[] = {2, 300};
    for (size_t t = 0; t < 2; t++) {
        double *diagonal = doubles(orders[t]);
        diagonal[1] = (double)NAN;
        struct eigen_problem problem = {orders[t], 1, diagonal_product, diagonal, NULL};
        double value = 0;
        err = (struct error)ERROR_INIT;
        ck_assert(!eigen_leading(&problem, &value, doubles(orders[t]),
                                 doubles(eigen_workspace(&problem)), &err));
        assert_error(err, ERROR_INTERNAL, "not finite");
    }
}
END_TEST

START_TEST(a_word_from_outside_ends_the_solver)
{
    const atomic_int stop = 2;
    for (size_t n = 20; n <= 1000; n += 980) {
        struct eigen_problem problem = {n, 3, path_product, NULL, &stop};
        double *workspace = doubles(eigen_workspace(&problem));
        err = (struct error)ERROR_INIT;
        ck_assert(!eigen_leading(&problem, doubles(3), doubles(3 * n), workspace, &err));
        ck_assert_int_eq(err.code, ERROR_INTERRUPTED);
    }
}
END_TEST

START_TEST(an_order_beyond_the_libraries_is_refused)
{
    struct eigen_problem problem = {SIZE_MAX / 2, 1, zero_product, NULL, NULL};
    double value = 0;
    ck_assert_uint_eq(eigen_workspace(&problem), 0);
    ck_assert(!eigen_leading(&problem, &value, &value, &value, &err));
    assert_error(err, ERROR_INTERNAL, "too large");
    problem = (struct eigen_problem){1000000, 100000, zero_product, NULL, NULL};
    ck_assert_uint_eq(eigen_workspace(&problem), 0);
}
END_TEST

static Suite *eigen_suite(void)
{
    Suite *suite = suite_create("eigen");
    TCase *cases = tcase_create("eigen");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, a_diagonal_matrix_gives_its_entries_by_falling_magnitude);
    tcase_add_test(cases, a_two_by_two_matrix_has_the_pairs_computed_by_hand);
    tcase_add_test(cases, opposite_values_come_with_the_positive_first);
    tcase_add_test(cases, the_path_graph_has_its_known_spectrum_whichever_solver_is_used);
    tcase_add_test(cases, arpack_agrees_with_lapack_on_a_random_sparse_matrix);
    tcase_add_test(cases, the_same_problem_gives_the_same_bytes);
    tcase_add_test(cases, a_matrix_of_low_rank_gives_the_same_bytes_whatever_was_solved_before);
    tcase_add_test(cases, repeated_values_give_an_orthonormal_set);
    tcase_add_test(cases, more_pairs_than_the_rank_end_in_zeros);
    tcase_add_test(cases, a_value_repeated_more_often_than_pairs_are_wanted_fills_them_all);
    tcase_add_test(cases, two_equal_halves_give_every_value_twice);
    tcase_add_test(cases, a_pair_of_opposite_values_at_the_cut_leaves_the_positive_one);
    tcase_add_test(cases, all_pairs_of_a_matrix_rebuild_it);
    tcase_add_test(cases, a_matrix_of_one_entry_is_its_own_value);
    tcase_add_test(cases, the_zero_matrix_has_zero_values_and_orthonormal_vectors);
    tcase_add_test(cases, a_matrix_that_is_not_finite_is_refused);
    tcase_add_test(cases, a_word_from_outside_ends_the_solver);
    tcase_add_test(cases, an_order_beyond_the_libraries_is_refused);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(eigen_suite());
}
