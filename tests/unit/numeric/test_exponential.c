/* SPDX-License-Identifier: MIT */
/* Tests of numeric/exponential and numeric/lanes. */
#include "base/random.h"
#include "numeric/exponential.h"
#include "numeric/lanes.h"
#include "support.h"

#include <float.h>

/* Units of the last place between the function and e^x in 80 bits. */
static double error_of(double x)
{
    long double exact = expl((long double)x);
    double unit = nextafter((double)exact, (double)INFINITY) - (double)exact;
    return (double)fabsl(((long double)exponential(x) - exact) / (long double)unit);
}

START_TEST(it_is_within_a_unit_of_the_last_place)
{
    static const double widths[] = {1e-12, 1e-3, 1, 50, 708};
    double uniforms[1000];
    for (uint32_t row = 0; row < 20; row++) {
        random_uniforms(1, RANDOM_TEST, row, 0, 1000, uniforms);
        for (size_t i = 0; i < 1000; i++) {
            double x = -widths[_i] * uniforms[i];
            ck_assert_msg(error_of(x) < 1, "exponential(%.17g) is %g units off", x, error_of(x));
        }
    }
}
END_TEST

MANY_TARGETS_VOID(exponentials, (size_t n, const double *x, double *out), (n, x, out))
{
    for (size_t i = 0; i < n; i++) {
        out[i] = exponential(x[i]);
    }
}

START_TEST(every_level_of_processor_gives_the_same_bits)
{
    double arguments[1000];
    double out[1000];
    random_uniforms(2, RANDOM_TEST, 0, 0, 1000, arguments);
    for (size_t i = 0; i < 1000; i++) {
        arguments[i] *= -760;
    }
    exponentials(1000, arguments, out);
    for (size_t i = 0; i < 1000; i++) {
        double one = exponential(arguments[i]); /* alone, as any processor does it */
        ck_assert_mem_eq(&one, out + i, sizeof one);
    }
}
END_TEST

START_TEST(a_subnormal_result_is_rounded_once)
{
    for (int step = 0; step < 110; step++) {
        double x = -708 - 0.37 * step;
        assert_within(exponential(x), (double)expl((long double)x), DBL_TRUE_MIN);
    }
    ck_assert(exponential(-745.1) == DBL_TRUE_MIN);
    ck_assert(exponential(-745.2) == 0 && exponential(-900) == 0);
}
END_TEST

START_TEST(the_ends_are_exact)
{
    ck_assert(exponential(0) == 1 && exponential(-0.0) == 1);
    ck_assert(exponential(-(double)INFINITY) == 0 && exponential(-DBL_MAX) == 0);
    ck_assert(exponential_power(0) == 1 && exponential_power(-1022) == DBL_MIN);
    ck_assert(exponential_power(1023) == 0x1p1023);
}
END_TEST

START_TEST(lanes_take_and_give_no_more_than_there_is)
{
    const double numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (size_t count = 0; count <= 9; count++) {
        lanes rest;
        double out[9] = {0};
        const double *eight = lanes_of(count, numbers, &rest);
        ck_assert(count < LANES || eight == numbers);
        double most = (double)(count < LANES ? count : LANES);
        ck_assert(lanes_sum(eight) == most * (most + 1) / 2);
        lanes_store(count, (const lanes *)eight, out);
        for (size_t i = 0; i < 9; i++) {
            ck_assert(out[i] == (i < count && i < LANES ? numbers[i] : 0));
        }
    }
}
END_TEST

START_TEST(ends_of_lanes_and_the_finite_are_told)
{
    const double eight[] = {2, 5, -0.0, -3, (double)INFINITY, 2, -4, 8};
    ck_assert(lanes_largest(eight) == (double)INFINITY && lanes_least(eight) == -4);
    double alike[LANES];
    lanes_fill(-0.5, alike);
    ck_assert(lanes_largest(alike) == -0.5 && lanes_least(alike) == -0.5);
    ck_assert(lanes_sum(alike) == -4);
    double numbers[13] = {DBL_MAX, -DBL_MAX, DBL_TRUE_MIN, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    ck_assert(lanes_finite(13, numbers) && lanes_finite(0, numbers));
    for (size_t i = 0; i < 13; i++) {
        double kept = numbers[i];
        numbers[i] = i % 2 == 0 ? (double)NAN : -(double)INFINITY;
        ck_assert(!lanes_finite(13, numbers) && lanes_finite(i, numbers));
        numbers[i] = kept;
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("exponential");
    TCase *tests = tcase_create("exponential");
    tcase_add_test(tests, every_level_of_processor_gives_the_same_bits);
    tcase_add_test(tests, a_subnormal_result_is_rounded_once);
    tcase_add_test(tests, the_ends_are_exact);
    tcase_add_test(tests, lanes_take_and_give_no_more_than_there_is);
    tcase_add_test(tests, ends_of_lanes_and_the_finite_are_told);
    suite_add_tcase(suite, tests);
    /* Under valgrind a long double is no more exact than a double. */
    TCase *native = tcase_create("native");
    tcase_set_tags(native, "native");
    tcase_add_loop_test(native, it_is_within_a_unit_of_the_last_place, 0, 5);
    suite_add_tcase(suite, native);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
