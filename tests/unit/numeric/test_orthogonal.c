/* SPDX-License-Identifier: MIT */
/* Tests of numeric/orthogonal: bases by hand, nearly dependent rows, and rows that have none. */
#include "base/random.h"
#include "numeric/matrix.h"
#include "numeric/orthogonal.h"
#include "numeric/product.h"
#include "support.h"

#include <string.h>

#define MOST 120

static double x[MOST * MOST];
static double kept[MOST * MOST];
static double products[MOST * MOST];
static double turned[MOST * MOST];

static void assert_orthonormal(size_t n, size_t d, double tolerance)
{
    product_transpose(n, d, x, turned);
    product_multiply(n, d, n, x, turned, products);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            assert_within(products[i * n + j], i == j, tolerance);
        }
    }
}

/* Each row of x is a positive multiple of kept's, less what lies along the rows before it. */
static void assert_same_spans(size_t n, size_t d, double tolerance)
{
    for (size_t i = 0; i < n; i++) {
        double rest[MOST];
        memcpy(rest, kept + i * d, d * sizeof *rest);
        for (size_t j = 0; j <= i; j++) {
            double product = 0;
            for (size_t c = 0; c < d; c++) {
                product += x[j * d + c] * kept[i * d + c];
            }
            for (size_t c = 0; c < d; c++) {
                rest[c] -= product * x[j * d + c];
            }
            ck_assert(j < i || product > 0);
        }
        assert_within(matrix_norm(d, rest) / matrix_norm(d, kept + i * d), 0, tolerance);
    }
}

START_TEST(two_rows_by_hand)
{
    /* (3, 4, 0) / 5; then (5, 5, 1) less 7 times that: (0.8, -0.6, 1) / sqrt(2). */
    double pair[] = {3, 4, 0, 5, 5, 1};
    orthogonal_rows(2, 3, pair);
    const double wanted[] = {0.6, 0.8, 0, 0.8 / sqrt(2), -0.6 / sqrt(2), 1 / sqrt(2)};
    for (size_t i = 0; i < 6; i++) {
        assert_within(pair[i], wanted[i], 1e-15);
    }
}
END_TEST

START_TEST(normal_rows_become_an_orthonormal_basis_of_their_spans)
{
    static const size_t shapes[][2] = {{1, 1}, {1, 7}, {5, 5}, {16, 64}, {MOST, MOST}};
    size_t n = shapes[_i][0];
    size_t d = shapes[_i][1];
    random_normal_matrix(1, RANDOM_TEST, n, d, x);
    memcpy(kept, x, n * d * sizeof *x);
    orthogonal_rows(n, d, x);
    assert_orthonormal(n, d, 1e-14);
    assert_same_spans(n, d, 1e-13);
}
END_TEST

START_TEST(orthonormal_rows_stay)
{
    double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double wanted[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    orthogonal_rows(3, 3, identity);
    ck_assert_mem_eq(identity, wanted, sizeof wanted);
}
END_TEST

START_TEST(nearly_dependent_rows_are_orthogonal_to_the_last_digit)
{
    /* One pass over rows that differ by 1e-8 leaves products of 1e-8 (Läuchli's matrix). */
    enum { ROWS = 6 };
    memset(x, 0, sizeof x);
    for (size_t i = 0; i < ROWS; i++) {
        x[i * (ROWS + 1)] = 1;
        x[i * (ROWS + 1) + i + 1] = 1e-8;
    }
    orthogonal_rows(ROWS, ROWS + 1, x);
    assert_orthonormal(ROWS, ROWS + 1, 1e-15);
}
END_TEST

START_TEST(rows_of_any_size_have_a_direction)
{
    double pair[] = {3e300, 4e300, 5e-300, 5e-300};
    orthogonal_rows(2, 2, pair);
    const double wanted[] = {0.6, 0.8, 0.8, -0.6};
    for (size_t i = 0; i < 4; i++) {
        assert_within(pair[i], wanted[i], 1e-14);
    }
}
END_TEST

START_TEST(a_dependent_row_is_no_number)
{
    static const size_t sizes[] = {2, 10, 40, MOST};
    size_t n = sizes[_i];
    random_normal_matrix(2, RANDOM_TEST, n, MOST, x);
    /* The last row is a sum of all before it: rounding leaves something of it. */
    for (size_t c = 0; c < MOST; c++) {
        double sum = 0;
        for (size_t i = 0; i + 1 < n; i++) {
            sum += x[i * MOST + c] / 3;
        }
        x[(n - 1) * MOST + c] = sum;
    }
    orthogonal_rows(n, MOST, x);
    assert_orthonormal(n - 1, MOST, 1e-14);
    for (size_t c = 0; c < MOST; c++) {
        ck_assert(isnan(x[(n - 1) * MOST + c]));
    }
}
END_TEST

START_TEST(rows_behind_one_without_a_direction_have_none)
{
    static const double firsts[] = {0, (double)NAN, (double)INFINITY};
    double rows[] = {firsts[_i], 0, 0, 1};
    orthogonal_rows(2, 2, rows);
    ck_assert(isnan(rows[0]) && isnan(rows[1]) && isnan(rows[2]) && isnan(rows[3]));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("orthogonal");
    TCase *tests = tcase_create("orthogonal");
    tcase_add_test(tests, two_rows_by_hand);
    tcase_add_loop_test(tests, normal_rows_become_an_orthonormal_basis_of_their_spans, 0, 5);
    tcase_add_test(tests, orthonormal_rows_stay);
    tcase_add_test(tests, nearly_dependent_rows_are_orthogonal_to_the_last_digit);
    tcase_add_test(tests, rows_of_any_size_have_a_direction);
    tcase_add_loop_test(tests, a_dependent_row_is_no_number, 0, 4);
    tcase_add_loop_test(tests, rows_behind_one_without_a_direction_have_none, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
