/* SPDX-License-Identifier: MIT */
/* Tests of numeric/matrix: lengths at the ends of the range. */
#include "numeric/matrix.h"
#include "support.h"

#include <float.h>

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

START_TEST(the_largest_magnitude_passes_nan_on_wherever_it_stands)
{
    const double x[] = {0.5, -3, 2, -0x1p-1074, 3};
    ck_assert(matrix_largest(5, x) == 3 && matrix_largest(1, x) == 0.5);
    ck_assert(matrix_largest(0, x) == 0 && matrix_largest(1, x + 3) == 0x1p-1074);
    for (size_t place = 0; place < 20; place++) {
        double numbers[20] = {0};
        numbers[19 - place] = -(double)INFINITY;
        ck_assert(matrix_largest(20, numbers) == (double)INFINITY);
        numbers[place] = (double)NAN;
        ck_assert(isnan(matrix_largest(20, numbers)));
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("matrix");
    TCase *tests = tcase_create("matrix");
    tcase_add_loop_test(tests, the_length_of_3_4_12_is_13_at_every_size, 0, 7);
    tcase_add_test(tests, a_length_mixes_large_and_small_and_odd_counts);
    tcase_add_test(tests, a_length_passes_nan_and_infinity_on);
    tcase_add_test(tests, the_largest_magnitude_passes_nan_on_wherever_it_stands);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
