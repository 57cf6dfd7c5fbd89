/* SPDX-License-Identifier: MIT */
/* Tests of numeric/triangular: factors by hand, the identity that defines them, dependent rows, and
 * what the products of rows alone could not tell. */
#include "base/random.h"
#include "numeric/lapack.h"
#include "numeric/matrix.h"
#include "numeric/orthogonal.h"
#include "numeric/product.h"
#include "numeric/triangular.h"
#include "support.h"

#include <string.h>

#define ROWS 64
#define COLUMNS 4096

static double x[ROWS * COLUMNS];
static double transposed[ROWS * COLUMNS];
static double l[ROWS * ROWS];
static double other[ROWS * ROWS];
static double products[ROWS * ROWS];
static double wanted[ROWS * ROWS];

static void factor(size_t n, size_t d, double *out)
{
    struct error err = ERROR_INIT;
    struct lapack lapack;
    double *workspace = malloc(triangular_workspace(n, d) * sizeof *workspace);
    ck_assert_ptr_nonnull(workspace);
    assert_ok(lapack_load(&lapack, &err), err);
    triangular_factor(&lapack, n, d, x, out, workspace);
    free(workspace);
}

/* l is a triangle with l lᵀ = x xᵀ, each product right to 1e-13 of the lengths. */
static void assert_factor(size_t n, size_t d)
{
    product_transpose(n, n, l, transposed);
    product_multiply(n, n, n, l, transposed, products);
    product_transpose(n, d, x, transposed);
    product_multiply(n, d, n, x, transposed, wanted);
    for (size_t i = 0; i < n; i++) {
        ck_assert(l[i * n + i] >= 0);
        for (size_t j = 0; j < n; j++) {
            ck_assert(j <= i || l[i * n + j] == 0);
            double lengths = sqrt(wanted[i * n + i] * wanted[j * n + j]);
            assert_within(products[i * n + j], wanted[i * n + j], 1e-13 * lengths);
        }
    }
}

static void draw(size_t n, size_t d)
{
    random_normal_matrix(5, RANDOM_TEST, n, d, x);
}

START_TEST(two_rows_by_hand)
{
    /* |a| = 5, a·b = 35, so b is 7 along a and sqrt(51 - 49) beside it. */
    const double pair[] = {3, 4, 0, 5, 5, 1};
    memcpy(x, pair, sizeof pair);
    factor(2, 3, l);
    assert_near(l[0], 5, 1e-15);
    ck_assert(l[1] == 0);
    assert_near(l[2], 7, 1e-15);
    assert_near(l[3], sqrt(2), 1e-14);
}
END_TEST

START_TEST(the_factor_has_the_products_of_the_rows)
{
    /* Up to 1024 + n columns are taken at once, then 1024 at a time. */
    static const size_t shapes[][2] = {{1, 2},     {5, 6},     {16, 64},   {63, 64},
                                       {12, 1036}, {12, 1037}, {12, 2061}, {64, 4096}};
    size_t n = shapes[_i][0];
    size_t d = shapes[_i][1];
    draw(n, d);
    factor(n, d, l);
    assert_factor(n, d);
}
END_TEST

START_TEST(products_alone_decide_the_factor)
{
    enum { N = 10, D = 20 };
    double basis[D * D];
    double turned[N * D];
    draw(N, D);
    /* Rows 3 and 4 depend on those before them, so that their own directions are rounding. */
    memcpy(x + 3 * D, x + D, D * sizeof *x);
    for (size_t c = 0; c < D; c++) {
        x[4 * D + c] = x[c] - 2 * x[2 * D + c];
    }
    factor(N, D, l);
    assert_factor(N, D);
    random_normal_matrix(6, RANDOM_TEST, D, D, basis);
    orthogonal_rows(D, D, basis);
    product_multiply(N, D, D, x, basis, turned);
    memcpy(x, turned, sizeof turned);
    factor(N, D, other);
    for (size_t i = 0; i < N * N; i++) {
        assert_within(other[i], l[i], 1e-13);
    }
}
END_TEST

START_TEST(a_dependent_row_leaves_its_column_empty)
{
    enum { N = 6, D = 9 };
    draw(N, D);
    memset(x, 0, D * sizeof *x);                 /* row 0 is zero */
    memcpy(x + 3 * D, x + 2 * D, D * sizeof *x); /* row 3 is row 2 */
    for (size_t c = 0; c < D; c++) {
        x[4 * D + c] = 3 * x[D + c] - x[2 * D + c]; /* row 4 lies between rows 1 and 2 */
    }
    factor(N, D, l);
    assert_factor(N, D);
    static const bool empty[N] = {true, false, false, true, true, false};
    for (size_t j = 0; j < N; j++) {
        for (size_t i = j; i < N; i++) {
            ck_assert(!empty[j] || l[i * N + j] == 0);
        }
        ck_assert(empty[j] || l[j * N + j] > 0);
    }
    for (size_t c = 0; c < N; c++) {
        assert_within(l[3 * N + c], l[2 * N + c], 1e-15);
        assert_within(l[4 * N + c], 3 * l[N + c] - l[2 * N + c], 1e-14);
    }
}
END_TEST

START_TEST(small_differences_between_rows_keep_their_digits)
{
    /* Rows (1, 1, 1, 1) and one whose last entry is 2^-30 more. The square of what lies beside the
     * first is 3/4 2^-60, which products near 4 cannot hold. */
    for (size_t c = 0; c < 8; c++) {
        x[c] = 1;
    }
    x[7] += 0x1p-30;
    factor(2, 4, l);
    assert_near(l[3], sqrt(0.75) * 0x1p-30, 1e-6);
    assert_near(hypot(l[2] - l[0], l[3]), 0x1p-30, 1e-6);
}
END_TEST

START_TEST(any_size_of_entries_will_do)
{
    static const int powers[] = {-900, 900};
    draw(5, 12);
    factor(5, 12, other);
    for (size_t i = 0; i < 5 * 12; i++) {
        x[i] = ldexp(x[i], powers[_i]);
    }
    factor(5, 12, l);
    for (size_t i = 0; i < 5 * 5; i++) {
        assert_near(l[i], ldexp(other[i], powers[_i]), 1e-13);
    }
}
END_TEST

START_TEST(what_is_not_finite_stays_so)
{
    draw(3, 8);
    x[8 + 2] = (double)NAN;
    factor(3, 8, l);
    ck_assert(isfinite(l[0]));
    ck_assert(isnan(l[3]) || isnan(l[4]));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("triangular");
    TCase *tests = tcase_create("triangular");
    tcase_add_test(tests, two_rows_by_hand);
    tcase_add_loop_test(tests, the_factor_has_the_products_of_the_rows, 0, 8);
    tcase_add_test(tests, products_alone_decide_the_factor);
    tcase_add_test(tests, a_dependent_row_leaves_its_column_empty);
    tcase_add_test(tests, small_differences_between_rows_keep_their_digits);
    tcase_add_test(tests, what_is_not_finite_stays_so);
    suite_add_tcase(suite, tests);
    /* The norm of OpenBLAS has the range of a long double, under valgrind that of a double. */
    TCase *native = tcase_create("native");
    tcase_set_tags(native, "native");
    tcase_add_loop_test(native, any_size_of_entries_will_do, 0, 2);
    suite_add_tcase(suite, native);
    return support_run(suite);
}
