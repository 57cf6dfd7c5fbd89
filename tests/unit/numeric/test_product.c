/* SPDX-License-Identifier: MIT */
/* Tests of numeric/product: sums written out, every level of processor, and bits that do not
 * depend on the shape around an entry. */
#include "base/random.h"
#include "numeric/lanes.h"
#include "numeric/product.h"
#include "support.h"

#include <float.h>
#include <string.h>

#define LARGEST 300

static double left[LARGEST * LARGEST];
static double right[LARGEST * LARGEST];
static double origin[LARGEST];
static double out[LARGEST * LARGEST];
static double squares[LARGEST * LARGEST];
static double strips[LARGEST * (LARGEST + LANES)];

static const size_t shapes[][3] = {{1, 1, 1},     {1, 5, 3},     {3, 1, 5},     {8, 16, 16},
                                   {12, 16, 12},  {15, 7, 17},   {7, 13, 129},  {64, 64, 64},
                                   {5, 200, 70},  {9, 300, 300}, {130, 3, 130}, {33, 193, 257},
                                   {140, 500, 50}};
#define SHAPES ((int)(sizeof shapes / sizeof shapes[0]))

static void fill(void)
{
    random_normal_matrix(1, RANDOM_TEST, LARGEST, LARGEST, left);
    random_normal_matrix(2, RANDOM_TEST, LARGEST, LARGEST, right);
    random_normals(3, RANDOM_TEST, 0, 0, LARGEST, origin);
    memset(out, 0xff, sizeof out);
}

/* Every entry against the sum in 80 bits: a chain of m steps is off by at most m rounding errors of
 * its terms, those of squared entries by one more each. */
static void assert_power(size_t n, size_t m, size_t k, const double *from, int power,
                         const double *result)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < k; j++) {
            long double sum = 0;
            long double size = 0;
            for (size_t l = 0; l < m; l++) {
                double entry = right[l * k + j] - (from == NULL ? 0 : from[j]);
                long double factor = (long double)left[i * m + l];
                long double term = (power == 2 ? factor * factor : factor) * (long double)entry;
                sum += term;
                size += fabsl(term);
            }
            double bound = (double)(m + (size_t)power - 1) * DBL_EPSILON * (double)size;
            assert_within(result[i * k + j], (double)sum, bound);
        }
    }
}

static void assert_product(size_t n, size_t m, size_t k, const double *from)
{
    assert_power(n, m, k, from, 1, out);
}

START_TEST(a_product_is_the_sum_over_the_inner_index)
{
    const size_t *shape = shapes[_i];
    fill();
    product_multiply(shape[0], shape[1], shape[2], left, right, out);
    assert_product(shape[0], shape[1], shape[2], NULL);
}
END_TEST

START_TEST(an_origin_is_taken_from_each_row_first_and_squares_go_along)
{
    const size_t *shape = shapes[_i];
    fill();
    product_multiply_both(shape[0], shape[1], shape[2], left, right, origin, out, squares);
    assert_product(shape[0], shape[1], shape[2], origin);
    assert_power(shape[0], shape[1], shape[2], origin, 2, squares);
}
END_TEST

/* Steps of any length are one chain, as the rows of b become known. */
START_TEST(a_product_in_steps_is_the_product)
{
    static double whole[LARGEST * LARGEST];
    const size_t *shape = shapes[_i];
    fill();
    product_multiply(shape[0], shape[1], shape[2], left, right, whole);
    for (size_t length = 1; length <= shape[1]; length += 1 + length / 2) {
        struct product_steps steps = {0, 0, shape[1]};
        memset(out, 0xff, sizeof out);
        for (; steps.begin < shape[1]; steps.begin = steps.end) {
            size_t left_over = shape[1] - steps.begin;
            steps.end += length < left_over ? length : left_over;
            product_continue(shape[0], &steps, shape[2], left, right, out);
        }
        ck_assert_mem_eq(out, whole, shape[0] * shape[2] * sizeof *out);
    }
}
END_TEST

/* Some rows of b after the other, in strips, added to zeros, is the product, too. */
START_TEST(products_of_strips_add_up_to_the_product)
{
    static double whole[LARGEST * LARGEST];
    const size_t *shape = shapes[_i];
    size_t m = shape[1];
    size_t k = shape[2];
    size_t apart = k + 3;
    fill();
    product_multiply(shape[0], m, k, left, right, whole);
    memset(out, 0, sizeof out);
    for (size_t first = 0; first < m; first += 77) {
        size_t count = m - first < 77 ? m - first : 77;
        static double columns[LARGEST * LARGEST];
        product_transpose(count, k, right + first * k, columns);
        product_make_strips(k, count, columns, strips);
        product_add_strips(shape[0], count, k, left + first, m, strips, out, apart);
    }
    for (size_t i = 0; i < shape[0]; i++) {
        ck_assert_mem_eq(out + i * apart, whole + i * k, k * sizeof *out);
        ck_assert(out[i * apart + k] == 0);
    }
}
END_TEST

START_TEST(levels_that_fuse_agree_to_the_bit)
{
    const size_t *shape = shapes[_i];
    static double first[LARGEST * LARGEST];
    fill();
    for (int level = PROCESSOR_AVX2; level <= (int)processor_best(); level++) {
        ck_assert(support_use_level((enum processor_level)level));
        product_multiply_both(shape[0], shape[1], shape[2], left, right, origin, out, squares);
        if (level == PROCESSOR_AVX2) {
            memcpy(first, out, sizeof first);
        }
        ck_assert_mem_eq(out, first, sizeof first);
    }
}
END_TEST

START_TEST(an_entry_depends_on_its_row_and_column_alone)
{
    enum { N = 29, M = 250, K = 41 };
    fill();
    product_multiply(N, M, K, left, right, out);
    for (size_t i = 0; i < N; i += 7) {
        static double row[K];
        product_multiply(1, M, K, left + i * M, right, row);
        ck_assert_mem_eq(row, out + i * K, sizeof row);
    }
    for (size_t j = 0; j < K; j++) {
        double column[M];
        double entry;
        for (size_t l = 0; l < M; l++) {
            column[l] = right[l * K + j];
        }
        product_multiply(1, M, 1, left, column, &entry);
        ck_assert(entry == out[j]);
    }
}
END_TEST

START_TEST(products_by_hand)
{
    const double a[] = {1, 2, 3, 4, 5, 6};
    const double b[] = {1, -1, 0, 2, -1, 1};
    const double from[] = {1, 2};
    double c[4];
    product_multiply(2, 3, 2, a, b, c);
    const double plain[] = {-2, 6, -2, 12};
    ck_assert_mem_eq(c, plain, sizeof c);
    double d[4];
    product_multiply_both(2, 3, 2, a, b, from, c, d);
    /* less 1 and 2 times the sums of the rows of a, 6 and 15 */
    const double shifted[] = {-8, -6, -17, -18};
    ck_assert_mem_eq(c, shifted, sizeof c);
    /* 1 4 9 and 16 25 36 times the rows of b less 1 and 2: 0 -3, -1 0, -2 -1 */
    const double squared[] = {-22, -12, -97, -84};
    ck_assert_mem_eq(d, squared, sizeof d);
    product_make_strips(2, 3, a, out);
    const double turned[] = {1, 4, 0, 0, 0, 0, 0, 0, 2, 5, 0, 0,
                             0, 0, 0, 0, 3, 6, 0, 0, 0, 0, 0, 0};
    ck_assert_uint_eq(product_strips_size(3, 2) * sizeof *turned, sizeof turned);
    ck_assert_mem_eq(out, turned, sizeof turned);
}
END_TEST

START_TEST(a_transpose_of_any_shape_turns_back)
{
    static double back[19 * 33];
    fill();
    product_transpose(19, 33, left, out);
    ck_assert(out[5 * 19 + 11] == left[11 * 33 + 5]);
    product_transpose(33, 19, out, back);
    ck_assert_mem_eq(back, left, sizeof back);
}
END_TEST

/* The right side of a shape, turned and cut into strips. */
static void fill_strips(size_t m, size_t k)
{
    static double rows[LARGEST * LARGEST];
    for (size_t l = 0; l < m; l++) {
        for (size_t j = 0; j < k; j++) {
            rows[j * m + l] = right[l * k + j];
        }
    }
    product_make_strips(k, m, rows, strips);
}

START_TEST(strips_give_the_bits_of_plain_products_and_touch_nothing_else)
{
    const size_t *shape = shapes[_i];
    size_t k = shape[2];
    size_t apart = k + 3;
    static double wide[LARGEST * (LARGEST + 3)];
    fill();
    fill_strips(shape[1], k);
    memset(wide, 0xff, sizeof wide);
    product_multiply(shape[0], shape[1], k, left, right, out);
    product_multiply_strips(shape[0], shape[1], k, left, strips, wide, apart);
    for (size_t i = 0; i < shape[0]; i++) {
        ck_assert_mem_eq(wide + i * apart, out + i * k, k * sizeof *out);
        ck_assert(isnan(wide[i * apart + k]) && isnan(wide[i * apart + k + 2]));
    }
}
END_TEST

START_TEST(some_strips_are_some_columns)
{
    enum { N = 5, M = 40, K = 37, FROM = 16 };
    static double part[N * (K - FROM)];
    fill();
    fill_strips(M, K);
    product_multiply(N, M, K, left, right, out);
    product_multiply_strips(N, M, K - FROM, left, strips + (size_t)FROM * M, part, K - FROM);
    for (size_t i = 0; i < N; i++) {
        ck_assert_mem_eq(part + i * (K - FROM), out + i * K + FROM, sizeof part / N);
    }
}
END_TEST

START_TEST(an_empty_index_gives_zeros_or_nothing)
{
    double c[4] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    const double zeros[4] = {0, 0, 0, 0};
    product_multiply(2, 0, 2, left, right, c);
    ck_assert_mem_eq(c, zeros, sizeof c);
    product_multiply(0, 2, 2, left, right, c);
    product_multiply(2, 2, 0, left, right, c);
    ck_assert_mem_eq(c, zeros, sizeof c);
    double squared[4] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    c[0] = 1;
    product_multiply_both(2, 0, 2, left, right, NULL, c, squared);
    ck_assert_mem_eq(c, zeros, sizeof c);
    ck_assert_mem_eq(squared, zeros, sizeof squared);
}
END_TEST

START_TEST(nan_and_infinity_stay_in_their_row_and_column)
{
    fill();
    left[3 * 20 + 4] = (double)NAN;
    right[7 * 21 + 20] = (double)INFINITY;
    product_multiply(10, 20, 21, left, right, out);
    for (size_t i = 0; i < 10; i++) {
        for (size_t j = 0; j < 21; j++) {
            ck_assert((isnan(out[i * 21 + j]) != 0) == (i == 3));
            ck_assert((isinf(out[i * 21 + j]) != 0) == (i != 3 && j == 20));
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("product");
    TCase *tests = tcase_create("product");
    tcase_add_loop_test(tests, a_product_is_the_sum_over_the_inner_index, 0, SHAPES);
    tcase_add_loop_test(tests, an_origin_is_taken_from_each_row_first_and_squares_go_along, 0,
                        SHAPES);
    tcase_add_loop_test(tests, a_product_in_steps_is_the_product, 0, SHAPES);
    tcase_add_loop_test(tests, products_of_strips_add_up_to_the_product, 0, SHAPES);
    tcase_add_loop_test(tests, levels_that_fuse_agree_to_the_bit, 0, SHAPES);
    tcase_add_test(tests, an_entry_depends_on_its_row_and_column_alone);
    tcase_add_test(tests, products_by_hand);
    tcase_add_loop_test(tests, strips_give_the_bits_of_plain_products_and_touch_nothing_else, 0,
                        SHAPES);
    tcase_add_test(tests, some_strips_are_some_columns);
    tcase_add_test(tests, a_transpose_of_any_shape_turns_back);
    tcase_add_test(tests, an_empty_index_gives_zeros_or_nothing);
    tcase_add_test(tests, nan_and_infinity_stay_in_their_row_and_column);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
