/* SPDX-License-Identifier: MIT */
/* Singular triplets by hand, of matrices made from known ones, and the iteration against LAPACK. */
#include "numeric/singular.h"

#include "base/random.h"
#include "arena_fixture.h"

#include <string.h>

struct triplets {
    size_t n, count;
    double *values, *left;
};

/* `matrix` is an (n, n) array, row-major, mostly zeros. */
static void product(const void *matrix, size_t n, const double *x, double *y)
{
    const double *a = matrix;
    for (size_t i = 0; i < n; i++) {
        y[i] = 0;
        for (size_t j = 0; j < n; j++) {
            y[i] += a[i * n + j] * x[j];
        }
    }
}

static void transposed(const void *matrix, size_t n, const double *x, double *y)
{
    const double *a = matrix;
    memset(y, 0, n * sizeof *y);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            y[j] += a[i * n + j] * x[i];
        }
    }
}

static struct triplets solve(size_t n, size_t count, const double *matrix)
{
    struct singular_problem problem = {n, count, product, transposed, matrix, NULL};
    struct triplets found = {n, count, doubles(count), doubles(count * n)};
    size_t workspace = singular_workspace(&problem);
    ck_assert_uint_gt(workspace, 0);
    assert_ok(singular_leading(&problem, found.values, found.left, doubles(workspace), &err), err);
    return found;
}

/* A Aᵀ u = sigma² u, U orthonormal, values falling, the largest entry of each u positive. */
static void check_left(const struct triplets *found, const double *matrix, double tolerance)
{
    size_t n = found->n;
    double *image = doubles(n);
    double *back = doubles(n);
    for (size_t k = 0; k < found->count; k++) {
        const double *u = found->left + k * n;
        double square = found->values[k] * found->values[k];
        double lowest = 0;
        double highest = 0;
        transposed(matrix, n, u, image);
        product(matrix, n, image, back);
        ck_assert(k == 0 || found->values[k] <= found->values[k - 1] * (1 + 1e-12));
        for (size_t i = 0; i < n; i++) {
            assert_within(back[i], square * u[i], tolerance * found->values[0] * found->values[0]);
            lowest = fmin(lowest, u[i]);
            highest = fmax(highest, u[i]);
        }
        ck_assert_msg(highest >= -lowest * (1 - 1e-7), "vector %zu has the wrong sign", k);
        for (size_t l = 0; l <= k; l++) {
            double dot = 0;
            for (size_t i = 0; i < n; i++) {
                dot += u[i] * found->left[l * n + i];
            }
            assert_within(dot, l == k ? 1 : 0, 1e-8);
        }
    }
}

/* Multiplies by the reflection I - 2 p pᵀ, p a random unit vector, from the left. */
static void reflect(size_t n, uint32_t name, double *matrix, bool transpose)
{
    double *p = doubles(n);
    double squares = 0;
    random_normals(7, RANDOM_TEST, name, 0, n, p);
    for (size_t i = 0; i < n; i++) {
        squares += p[i] * p[i];
    }
    size_t down = transpose ? 1 : n;
    size_t across = transpose ? n : 1;
    for (size_t j = 0; j < n; j++) {
        double along = 0;
        for (size_t i = 0; i < n; i++) {
            along += p[i] * matrix[i * down + j * across];
        }
        for (size_t i = 0; i < n; i++) {
            matrix[i * down + j * across] -= 2 * p[i] * along / squares;
        }
    }
}

START_TEST(two_rows_are_solved_by_hand)
{
    /* A Aᵀ = (9 12; 12 41): 45 with (1, 3), 5 with (3, -1). */
    const double matrix[] = {3, 0, 4, 5};
    struct triplets found = solve(2, 2, matrix);
    const double wanted[] = {1, 3, 3, -1};
    assert_near(found.values[0], sqrt(45), 1e-14);
    assert_near(found.values[1], sqrt(5), 1e-14);
    for (size_t i = 0; i < 4; i++) {
        assert_near(found.left[i], wanted[i] / sqrt(10), 1e-14);
    }
}
END_TEST

START_TEST(the_left_side_is_taken_and_not_the_right)
{
    const double matrix[] = {0, 2, 0, 0};
    struct triplets found = solve(2, 2, matrix);
    assert_near(found.values[0], 2, 1e-15);
    ck_assert(found.values[1] == 0);
    assert_near(found.left[0], 1, 1e-15);
    ck_assert(found.left[1] == 0 && found.left[2] == 0 && found.left[3] == 0);
}
END_TEST

static const struct {
    size_t n, count;
} sizes[] = {{60, 60}, {60, 24}, {300, 24}};

START_TEST(small_values_are_as_right_as_large_ones)
{
    /* H1 S H2 with values from 1 down by 10^(1/5) each: the last of 24 is 2.5e-5, whose square the
     * rounding of A Aᵀ would spoil in the seventh digit. */
    size_t n = sizes[_i].n;
    double *matrix = doubles(n * n);
    for (size_t i = 0; i < n; i++) {
        matrix[i * n + i] = pow(10, -(double)i / 5);
    }
    reflect(n, 1, matrix, false);
    reflect(n, 2, matrix, true);
    struct triplets found = solve(n, sizes[_i].count, matrix);
    for (size_t k = 0; k < sizes[_i].count; k++) {
        double wanted = pow(10, -(double)k / 5);
        if (wanted > 1.01 * SINGULAR_LEAST) {
            assert_near(found.values[k], wanted, 1e-8);
        } else if (wanted < 0.99 * SINGULAR_LEAST) {
            ck_assert(found.values[k] == 0);
        }
    }
    found.count = 24;
    check_left(&found, matrix, 1e-12);
}
END_TEST

/* y = (0 A; Aᵀ 0) x, written down again for the judge. */
static void judge_product(const void *matrix, size_t order, const double *x, double *y)
{
    product(matrix, order / 2, x + order / 2, y);
    transposed(matrix, order / 2, x, y + order / 2);
}

START_TEST(the_iteration_agrees_with_lapack_on_every_value)
{
    enum { N = 200, COUNT = 32 };
    double *matrix = doubles((size_t)N * N);
    double *drawn = doubles((size_t)N * N);
    random_normal_matrix(3, RANDOM_TEST, N, N, drawn);
    for (size_t i = 0; i < (size_t)N * N; i++) {
        matrix[i] = drawn[i] > 1.3 ? drawn[i] : 0;
    }
    struct triplets found = solve(N, COUNT, matrix);
    check_left(&found, matrix, 1e-12);
    /* All pairs are wanted, so eigen.h promises LAPACK. */
    struct eigen_problem all = {(size_t)2 * N, (size_t)2 * N, judge_product, matrix, NULL};
    double *values = doubles((size_t)2 * N);
    double *vectors = doubles((size_t)4 * N * N);
    assert_ok(eigen_leading(&all, values, vectors, doubles(eigen_workspace(&all)), &err), err);
    size_t positive = 0;
    for (size_t k = 0; k < (size_t)2 * N && positive < COUNT; k++) {
        if (values[k] > 0) {
            assert_near(found.values[positive++], values[k], 1e-12);
        }
    }
    ck_assert_uint_eq(positive, COUNT);
}
END_TEST

START_TEST(values_beyond_the_rank_are_zero)
{
    /* a bᵀ with a = 1, 2, ..., n and b = 1, 1, ...: |a| |b|, then nothing. */
    const size_t orders[] = {5, 150, 300};
    for (size_t s = 0; s < 3; s++) {
        size_t n = orders[s];
        double *matrix = doubles(n * n);
        double squares = 0;
        for (size_t i = 0; i < n; i++) {
            squares += (double)((i + 1) * (i + 1));
            for (size_t j = 0; j < n; j++) {
                matrix[i * n + j] = (double)(i + 1);
            }
        }
        struct triplets found = solve(n, 4, matrix);
        assert_near(found.values[0], sqrt(squares * (double)n), 1e-12);
        for (size_t i = 0; i < n; i++) {
            assert_near(found.left[i], (double)(i + 1) / sqrt(squares), 1e-10);
        }
        for (size_t k = 1; k < 4; k++) {
            ck_assert(found.values[k] == 0 && found.left[k * n] == 0);
        }
    }
}
END_TEST

START_TEST(a_zero_matrix_has_zero_values)
{
    const size_t orders[] = {1, 3, 200};
    for (size_t s = 0; s < 3; s++) {
        struct triplets found = solve(orders[s], 1, doubles(orders[s] * orders[s]));
        ck_assert(found.values[0] == 0 && found.left[0] == 0);
    }
}
END_TEST

START_TEST(repeated_values_have_orthonormal_vectors)
{
    /* A cyclic shift: every value is 1. Which ones of +1 and -1 the iteration meets hangs on its
     * start vector, so several orders are tried. */
    const size_t orders[] = {40, 200, 201, 230, 260};
    for (size_t s = 0; s < 5; s++) {
        size_t n = orders[s];
        double *matrix = doubles(n * n);
        for (size_t i = 0; i < n; i++) {
            matrix[i * n + (i + 1) % n] = 1;
        }
        struct triplets found = solve(n, 6, matrix);
        for (size_t k = 0; k < 6; k++) {
            assert_near(found.values[k], 1, 1e-12);
        }
        check_left(&found, matrix, 1e-10);
    }
}
END_TEST

START_TEST(a_last_value_that_repeats_is_found_whatever_signs_come_first)
{
    /* Blocks (b 0; 0 b) of the entries b of a random matrix: its values, each twice. Of an odd
     * number wanted the last is one of such two. */
    enum { HALF = 70, ORDER = 2 * HALF };
    double *block = doubles((size_t)HALF * HALF);
    double *matrix = doubles((size_t)ORDER * ORDER);
    random_normal_matrix((uint64_t)_i, RANDOM_TEST, HALF, HALF, block);
    for (size_t i = 0; i < HALF; i++) {
        for (size_t j = 0; j < HALF; j++) {
            matrix[2 * i * ORDER + 2 * j] = block[i * HALF + j];
            matrix[(2 * i + 1) * ORDER + 2 * j + 1] = block[i * HALF + j];
        }
    }
    struct triplets once = solve(HALF, 9, block);
    for (size_t count = 3; count < 18; count += 4) {
        struct triplets found = solve(ORDER, count, matrix);
        for (size_t k = 0; k < count; k++) {
            assert_near(found.values[k], once.values[k / 2], 1e-12);
        }
        check_left(&found, matrix, 1e-9);
    }
}
END_TEST

START_TEST(a_matrix_that_is_not_finite_is_refused)
{
    double matrix[] = {1, 2, (double)NAN, 4};
    struct singular_problem problem = {2, 1, product, transposed, matrix, NULL};
    double values[1];
    double left[2];
    double *workspace = doubles(singular_workspace(&problem));
    ck_assert(!singular_leading(&problem, values, left, workspace, &err));
    assert_error(err, ERROR_INTERNAL, "not finite");
    problem.n = SIZE_MAX / 2;
    ck_assert_uint_eq(singular_workspace(&problem), 0);
}
END_TEST

/* The quick way; false where it leaves the problem to the other one. */
static bool solve_quickly(size_t n, size_t count, const double *matrix, struct triplets *found)
{
    struct singular_problem problem = {n, count, product, transposed, matrix, NULL};
    *found = (struct triplets){n, count, doubles(count), doubles(count * n)};
    bool solved = false;
    double *workspace = doubles(singular_quick_workspace(&problem));
    ck_assert_uint_lt(singular_quick_workspace(&problem), singular_workspace(&problem));
    assert_ok(singular_quick(&problem, found->values, found->left, workspace, &solved, &err), err);
    return solved;
}

static const size_t quick_orders[] = {150, 300};

START_TEST(the_quick_way_is_right_where_no_value_is_small)
{
    /* H1 S H2 with values from 1 down by 10^(1/20) each: the last of 24 is 0.071. */
    size_t n = quick_orders[_i];
    double *matrix = doubles(n * n);
    for (size_t i = 0; i < n; i++) {
        matrix[i * n + i] = pow(10, -(double)i / 20);
    }
    reflect(n, 1, matrix, false);
    reflect(n, 2, matrix, true);
    struct triplets found;
    struct triplets slow = solve(n, 24, matrix);
    ck_assert(solve_quickly(n, 24, matrix, &found));
    for (size_t k = 0; k < 24; k++) {
        assert_near(found.values[k], pow(10, -(double)k / 20), 1e-12);
        for (size_t i = 0; i < n; i++) {
            assert_within(found.left[k * n + i], slow.left[k * n + i], 1e-11);
        }
    }
    check_left(&found, matrix, 1e-13);
}
END_TEST

START_TEST(the_quick_way_leaves_small_values_and_small_matrices_alone)
{
    /* The same, the last of 45 is 0.0063; the first 40 are above 0.011. */
    size_t n = 300;
    double *matrix = doubles(n * n);
    for (size_t i = 0; i < n; i++) {
        matrix[i * n + i] = pow(10, -(double)i / 20);
    }
    struct triplets found;
    ck_assert(solve_quickly(n, 40, matrix, &found));
    ck_assert(!solve_quickly(n, 45, matrix, &found));
    ck_assert(!solve_quickly(n, 3, doubles(n * n), &found));
    ck_assert(!solve_quickly(8, 2, matrix, &found));
}
END_TEST

static Suite *singular_suite(void)
{
    Suite *suite = suite_create("singular");
    TCase *cases = tcase_create("singular");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, two_rows_are_solved_by_hand);
    tcase_add_test(cases, the_left_side_is_taken_and_not_the_right);
    tcase_add_loop_test(cases, small_values_are_as_right_as_large_ones, 0,
                        (int)(sizeof sizes / sizeof sizes[0]));
    tcase_add_test(cases, the_iteration_agrees_with_lapack_on_every_value);
    tcase_add_test(cases, values_beyond_the_rank_are_zero);
    tcase_add_test(cases, a_zero_matrix_has_zero_values);
    tcase_add_test(cases, repeated_values_have_orthonormal_vectors);
    tcase_add_loop_test(cases, a_last_value_that_repeats_is_found_whatever_signs_come_first, 0, 3);
    tcase_add_loop_test(cases, the_quick_way_is_right_where_no_value_is_small, 0,
                        (int)(sizeof quick_orders / sizeof quick_orders[0]));
    tcase_add_test(cases, the_quick_way_leaves_small_values_and_small_matrices_alone);
    tcase_add_test(cases, a_matrix_that_is_not_finite_is_refused);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(singular_suite());
}
