/* SPDX-License-Identifier: MIT */
/* Tests of numeric/matrix: products against sums written out, lengths at the ends of the range. */
#include "base/random.h"
#include "numeric/matrix.h"
#include "support.h"

#include <float.h>
#include <string.h>

#define LARGEST 130

static double left[LARGEST * LARGEST];
static double right[LARGEST * LARGEST];
static double product[LARGEST * LARGEST];

/* Every entry against the plain sum over m; stride and step pick b or bᵀ. */
static void assert_product(size_t n, size_t m, size_t k, size_t row_step, size_t column_step)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < k; j++) {
            double sum = 0;
            double size = 0;
            for (size_t l = 0; l < m; l++) {
                double term = left[i * m + l] * right[l * row_step + j * column_step];
                sum += term;
                size += fabs(term);
            }
            assert_within(product[i * k + j], sum, 2 * (double)m * DBL_EPSILON * size);
        }
    }
}

static const size_t shapes[][3] = {{1, 1, 1},    {1, 5, 3},    {3, 1, 5},    {8, 64, 64},
                                   {8, 64, 8},   {16, 16, 16}, {24, 24, 24}, {7, 13, 129},
                                   {64, 64, 64}, {64, 64, 65}, {5, 130, 70}, {130, 3, 130}};

static void fill(void)
{
    random_normal_matrix(1, RANDOM_TEST, LARGEST, LARGEST, left);
    random_normal_matrix(2, RANDOM_TEST, LARGEST, LARGEST, right);
    memset(product, 0xff, sizeof product);
}

START_TEST(a_product_is_the_sum_over_the_inner_index)
{
    const size_t *shape = shapes[_i];
    fill();
    matrix_multiply(shape[0], shape[1], shape[2], left, right, product);
    assert_product(shape[0], shape[1], shape[2], shape[2], 1);
}
END_TEST

START_TEST(a_transposed_product_is_the_table_of_dot_products)
{
    const size_t *shape = shapes[_i];
    fill();
    matrix_multiply_transposed(shape[0], shape[1], shape[2], left, right, product);
    assert_product(shape[0], shape[1], shape[2], 1, shape[1]);
}
END_TEST

START_TEST(products_by_hand)
{
    const double a[] = {1, 2, 3, 4, 5, 6};
    const double b[] = {1, 0, -1, 2, 1, 0};
    double c[4];
    matrix_multiply(2, 3, 2, a, b, c);
    const double plain[] = {2, 4, 5, 10};
    ck_assert_mem_eq(c, plain, sizeof c);
    matrix_multiply_transposed(2, 3, 2, a, b, c);
    const double transposed[] = {-2, 4, -2, 13};
    ck_assert_mem_eq(c, transposed, sizeof c);
}
END_TEST

START_TEST(an_empty_inner_index_gives_zeros)
{
    double c[4] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    const double zeros[4] = {0, 0, 0, 0};
    matrix_multiply(2, 0, 2, left, right, c);
    ck_assert_mem_eq(c, zeros, sizeof c);
    c[0] = (double)NAN;
    matrix_multiply_transposed(2, 0, 2, left, right, c);
    ck_assert_mem_eq(c, zeros, sizeof c);
    matrix_multiply(0, 2, 2, left, right, c);
    matrix_multiply_transposed(2, 2, 0, left, right, c);
    ck_assert_mem_eq(c, zeros, sizeof c);
}
END_TEST

START_TEST(a_product_passes_nan_and_infinity_on)
{
    const double a[] = {(double)NAN, 0, 1, (double)INFINITY};
    const double b[] = {1, 2, 3, 4};
    double c[4];
    matrix_multiply(2, 2, 2, a, b, c);
    ck_assert(isnan(c[0]) && isnan(c[1]));
    ck_assert(isinf(c[2]) && isinf(c[3]));
}
END_TEST

START_TEST(the_length_of_3_4_12_is_13_at_every_size)
{
    static const double scales[] = {1, 1e300, 1e-300, 0x1p-1070, 0x1p1019, 1e-160, 1e160};
    double x[] = {3, -4, 12};
    for (size_t i = 0; i < 3; i++) {
        x[i] *= scales[_i];
    }
    assert_near(matrix_norm(3, x), 13 * scales[_i], 4 * DBL_EPSILON);
}
END_TEST

START_TEST(a_length_mixes_large_and_small_and_odd_counts)
{
    const double mixed[] = {1e-200, 2e200, 1e-320, 1e200, 2e200};
    assert_near(matrix_norm(5, mixed), 3e200, 1e-15);
    double ones[101];
    for (size_t i = 0; i < 101; i++) {
        ones[i] = 1;
    }
    assert_near(matrix_norm(101, ones), 10.04987562112089, 1e-15);
    ck_assert(matrix_norm(100, ones) == 10);
    ck_assert(matrix_norm(0, ones) == 0);
}
END_TEST

START_TEST(a_length_passes_nan_and_infinity_on)
{
    const double x[] = {1, (double)INFINITY, (double)NAN};
    ck_assert(isinf(matrix_norm(2, x)));
    ck_assert(isnan(matrix_norm(3, x)));
}
END_TEST

START_TEST(one_thread_gives_the_same_product)
{
    fill();
    matrix_multiply(130, 130, 130, left, right, product);
    static double before[LARGEST * LARGEST];
    memcpy(before, product, sizeof before);
    matrix_use_one_thread();
    matrix_multiply(130, 130, 130, left, right, product);
    assert_near(product[77], before[77], 1e-12);
    assert_product(130, 130, 130, 130, 1);
}
END_TEST

START_TEST(the_kernel_has_a_name_and_the_library_a_version)
{
    char version[MATRIX_VERSION_SIZE];
    ck_assert(strlen(matrix_kernel_name()) > 0);
    ck_assert_ptr_eq(matrix_blas_version(version), version);
    ck_assert_uint_eq(strspn(version, "0123456789."), strlen(version));
    ck_assert(strchr(version, '.') != NULL);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("matrix");
    TCase *tests = tcase_create("matrix");
    int count = (int)(sizeof shapes / sizeof shapes[0]);
    tcase_add_loop_test(tests, a_product_is_the_sum_over_the_inner_index, 0, count);
    tcase_add_loop_test(tests, a_transposed_product_is_the_table_of_dot_products, 0, count);
    tcase_add_test(tests, products_by_hand);
    tcase_add_test(tests, an_empty_inner_index_gives_zeros);
    tcase_add_test(tests, a_product_passes_nan_and_infinity_on);
    tcase_add_loop_test(tests, the_length_of_3_4_12_is_13_at_every_size, 0, 7);
    tcase_add_test(tests, a_length_mixes_large_and_small_and_odd_counts);
    tcase_add_test(tests, a_length_passes_nan_and_infinity_on);
    tcase_add_test(tests, one_thread_gives_the_same_product);
    tcase_add_test(tests, the_kernel_has_a_name_and_the_library_a_version);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
