/* SPDX-License-Identifier: MIT */
/* Tests of numeric/statistics: by hand, at the ends of the range, and against published tables. */
#include "base/random.h"
#include "numeric/statistics.h"
#include "support.h"

#include <float.h>

#define MANY 1000

static double numbers[MANY];

START_TEST(moments_by_hand)
{
    const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct moments m = moments_of(8, x);
    ck_assert(m.count == 8 && m.mean == 5 && m.squares == 32);
    ck_assert(moments_std(m) == 2);
}
END_TEST

START_TEST(moments_of_nothing_and_of_one_number)
{
    const double x[] = {3.25};
    struct moments none = moments_of(0, x);
    ck_assert(none.count == 0 && isnan(moments_std(none)));
    struct moments one = moments_of(1, x);
    ck_assert(one.count == 1 && one.mean == 3.25 && moments_std(one) == 0);
}
END_TEST

START_TEST(a_constant_has_exactly_no_spread)
{
    for (size_t i = 0; i < MANY; i++) {
        numbers[i] = 0.1;
    }
    for (size_t n = 1; n < 40; n++) {
        struct moments m = moments_of(n, numbers);
        ck_assert(m.mean == 0.1 && m.squares == 0);
        m = moments_merge(m, moments_of(MANY, numbers));
        ck_assert(m.mean == 0.1 && m.squares == 0);
    }
}
END_TEST

START_TEST(a_large_offset_does_not_cancel)
{
    /* 1e9 + {4, 7, 13, 16}: the population variance is 22.5. */
    const double x[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    ck_assert(moments_of(4, x).squares == 4 * 22.5);
    /* 1e8 + {0.25, ...}: exact in binary, variance of 0, .25, .5, .75 is 5/64. */
    const double y[] = {1e8, 1e8 + 0.25, 1e8 + 0.5, 1e8 + 0.75};
    assert_near(moments_of(4, y).squares, 4 * 5.0 / 64, 1e-15);
}
END_TEST

START_TEST(merged_moments_are_those_of_the_whole)
{
    random_normals(3, RANDOM_TEST, 0, 0, MANY, numbers);
    for (size_t i = 0; i < MANY; i++) {
        numbers[i] += 100;
    }
    struct moments whole = moments_of(MANY, numbers);
    struct moments merged = {0, 0, 0, 1};
    for (size_t start = 0, size = 1; start < MANY; start += size, size += 7) {
        size_t count = start + size < MANY ? size : MANY - start;
        merged = moments_merge(merged, moments_of(count, numbers + start));
    }
    ck_assert(merged.count == MANY);
    assert_near(merged.mean, whole.mean, 1e-14);
    assert_near(merged.squares, whole.squares, 1e-13);
    struct moments same = moments_merge(whole, (struct moments){0, 0, 0, 1});
    ck_assert(same.mean == whole.mean && same.squares == whole.squares);
}
END_TEST

START_TEST(spreads_are_right_where_squares_overflow_or_vanish)
{
    /* (2, 4, 4, 4, 5, 5, 7, 9) has mean 5 and spread 2. */
    static const double plain[8] = {2, 4, 4, 4, 5, 5, 7, 9};
    static const double scales[] = {1e-200, 1e-300, 1e200, 1e307, 1};
    for (size_t s = 0; s < 5; s++) {
        double x[8];
        for (size_t i = 0; i < 8; i++) {
            x[i] = plain[i] * scales[s];
        }
        assert_near(moments_std(moments_of(8, x)), 2 * scales[s], 1e-14);
        struct moments merged = moments_merge(moments_of(3, x), moments_of(5, x + 3));
        assert_near(moments_std(merged), 2 * scales[s], 1e-14);
        assert_near(merged.mean, 5 * scales[s], 1e-14);
        /* One number at a time: every part is constant, all the spread lies between them. */
        struct moments single = {0, 0, 0, 1};
        for (size_t i = 0; i < 8; i++) {
            single = moments_merge(single, moments_of(1, x + i));
        }
        assert_near(moments_std(single), 2 * scales[s], 1e-14);
    }
}
END_TEST

START_TEST(constants_that_differ_by_a_subnormal_number_have_its_half_as_spread)
{
    static const double x[] = {0, 0x1p-1073};
    struct moments m = moments_merge(moments_of(1, x), moments_of(1, x + 1));
    ck_assert(m.mean == 0x1p-1074 && moments_std(m) == 0x1p-1074);
}
END_TEST

START_TEST(moments_pass_nan_on)
{
    const double x[] = {1, (double)NAN, 3};
    struct moments m = moments_of(3, x);
    ck_assert(isnan(m.mean) && isnan(moments_std(m)));
    m = moments_merge(moments_of(1, x), m);
    ck_assert(isnan(m.mean) && isnan(moments_std(m)));
    const double y[] = {1, (double)INFINITY};
    ck_assert(isnan(moments_std(moments_of(2, y))));
}
END_TEST

START_TEST(deviations_from_a_centre_tell_moments_while_little_cancels_or_underflows)
{
    const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
    double small[8];
    struct moments m;
    struct deviations near = deviations_from(4, 8, x);
    ck_assert(near.sum == 8 && near.squares == 40);
    ck_assert(deviations_moments(near, 4, 8, &m));
    ck_assert(m.count == 8 && m.mean == 5 && m.squares == 32 && m.unit == 1);
    ck_assert(deviations_std(near, 4, 8) == 2);
    /* 232 of which 200 cancel */
    struct deviations far = deviations_from(0, 8, x);
    ck_assert(far.sum == 40 && far.squares == 232);
    ck_assert(!deviations_moments(far, 0, 8, &m));
    ck_assert(deviations_std(far, 0, 8) == 2);
    for (size_t i = 0; i < 8; i++) {
        small[i] = x[i] * 0x1p-500;
    }
    struct deviations lost = deviations_from(0x1p-498, 8, small);
    ck_assert(!deviations_moments(lost, 0x1p-498, 8, &m));
    ck_assert(deviations_std(lost, 0x1p-498, 8) < 0);
    small[3] = (double)NAN;
    struct deviations unknown = deviations_from(0, 8, small);
    ck_assert(!deviations_moments(unknown, 0, 8, &m));
    ck_assert(deviations_std(unknown, 0, 8) < 0);
}
END_TEST

START_TEST(means_by_hand)
{
    const double x[] = {1, 2, 3, 4, 5};
    ck_assert(statistics_mean(5, x) == 3);
    ck_assert(isnan(statistics_mean(0, x)));
    const double y[] = {1, (double)NAN};
    ck_assert(isnan(statistics_mean(2, y)));
    const double infinite[] = {1, (double)INFINITY};
    ck_assert(isinf(statistics_mean(2, infinite)));
}
END_TEST

START_TEST(a_mean_outlives_the_overflow_of_its_sum)
{
    const double x[] = {1.5e308, 1e308, 1.25e308, 1.25e308};
    assert_near(statistics_mean(4, x), 1.25e308, 1e-15);
    const double opposite[] = {1e308, -1e308};
    ck_assert(statistics_mean(2, opposite) == 0);
}
END_TEST

START_TEST(a_pairwise_mean_keeps_its_digits)
{
    for (size_t i = 0; i < MANY; i++) {
        numbers[i] = i == 0 ? 1 : 0x1p-53;
    }
    /* Added one by one to 1, every small number would be rounded away. */
    assert_near(statistics_mean(MANY, numbers) * MANY - 1, 999 * 0x1p-53, 0.35);
}
END_TEST

START_TEST(the_root_mean_square_by_hand)
{
    const double x[] = {3, 4, 5e-324};
    assert_near(statistics_rms(2, x), 3.5355339059327378, 1e-15);
    ck_assert(statistics_rms(1, x + 2) == 5e-324);
    ck_assert(isnan(statistics_rms(0, x)));
    const double large[] = {3e200, 4e200};
    assert_near(statistics_rms(2, large), 3.5355339059327378e200, 1e-15);
}
END_TEST

START_TEST(medians_by_hand)
{
    double odd[] = {9, 1, 5};
    ck_assert(statistics_median(3, odd) == 5);
    double even[] = {4, 1, 3, 2};
    ck_assert(statistics_median(4, even) == 2.5);
    double one[] = {7};
    ck_assert(statistics_median(1, one) == 7);
    ck_assert(isnan(statistics_median(0, one)));
    double missing[] = {1, 2, (double)NAN};
    ck_assert(isnan(statistics_median(3, missing)));
    double huge[] = {1.5e308, 1.7e308};
    assert_near(statistics_median(2, huge), 1.6e308, 1e-15);
    double endless[] = {-(double)INFINITY, 3, -(double)INFINITY, -(double)INFINITY};
    assert_near(statistics_median(4, endless), -(double)INFINITY, 0);
}
END_TEST

/* A prime that does not divide n: i * prime mod n is a permutation of 0 .. n - 1. */
START_TEST(the_median_of_few_numbers_is_known_for_every_count)
{
    const double endless = (double)INFINITY;
    double few[64];
    for (size_t n = 1; n <= 64; n++) {
        size_t prime = n % 19 == 0 ? 23 : 19;
        for (size_t i = 0; i < n; i++) {
            few[i] = (double)(i * prime % n) - 7;
        }
        ck_assert(statistics_median(n, few) == (double)(n - 1) / 2 - 7);
        /* Each number twice, and as many at either end of the range. */
        for (size_t i = 0; i < n; i++) {
            few[i] = (double)(i * prime % n / 2);
        }
        double low = (double)((n - 1) / 2 / 2);
        double high = (double)(n / 2 / 2);
        ck_assert(statistics_median(n, few) == (low + high) / 2);
        for (size_t i = 0; i < n; i++) {
            few[i] = i % 2 == 0 ? endless : -endless;
        }
        double middle = statistics_median(n, few);
        ck_assert(n % 2 == 0 ? isnan(middle) : middle == endless);
    }
}
END_TEST

START_TEST(the_median_of_a_shuffle_is_known)
{
    /* 377 has no factor in common with 1000: i * 377 mod 1000 is a permutation of 0 .. 999. */
    for (size_t i = 0; i < MANY; i++) {
        numbers[i] = (double)(i * 377 % MANY);
    }
    ck_assert(statistics_median(MANY, numbers) == 499.5);
    for (size_t i = 0; i < MANY; i++) {
        numbers[i] = (double)(i * 377 % MANY);
    }
    ck_assert(statistics_median(MANY - 1, numbers) ==
              (numbers[MANY - 1] <= 499 ? 500 : 499)); /* the last one left out */
}
END_TEST

START_TEST(sample_spread_and_interval_by_hand)
{
    const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
    assert_near(statistics_sample_std(8, x), 2.1380899352993950, 1e-15);
    ck_assert(isnan(statistics_sample_std(1, x)));
    /* 2.36462425 * 2.13808994 / sqrt(8) */
    assert_near(statistics_interval(8, x), 1.7874879, 1e-7);
    ck_assert(isnan(statistics_interval(1, x)));
    const double pair[] = {0, 2};
    assert_near(statistics_interval(2, pair), 12.7062047, 1e-8);
    /* The same, 2^-600 and 2^600 times: squares vanish or overflow, the spread does not. */
    const double scales[] = {0x1p-600, 0x1p600};
    for (size_t s = 0; s < 2; s++) {
        double scaled[8];
        for (size_t i = 0; i < 8; i++) {
            scaled[i] = x[i] * scales[s];
        }
        assert_near(statistics_sample_std(8, scaled) / scales[s], 2.1380899352993950, 1e-15);
        assert_near(statistics_interval(8, scaled) / scales[s], 1.7874879, 1e-7);
    }
}
END_TEST

START_TEST(student_quantiles_are_those_of_the_tables)
{
    static const struct {
        size_t degrees;
        double quantile;
    } table[] = {{1, 12.7062047362},  {2, 4.3026527297},   {5, 2.5705818356},  {10, 2.2281388520},
                 {20, 2.0859634473},  {21, 2.0796138447},  {31, 2.0395134464}, {60, 2.0002978220},
                 {120, 1.9799304051}, {1000000, 1.9599664}};
    assert_near(statistics_student(table[_i].degrees), table[_i].quantile, 1e-6);
}
END_TEST

START_TEST(student_quantiles_fall_with_the_degrees)
{
    ck_assert(isnan(statistics_student(0)));
    for (size_t degrees = 1; degrees < 200; degrees++) {
        ck_assert(statistics_student(degrees + 1) < statistics_student(degrees));
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("statistics");
    TCase *tests = tcase_create("statistics");
    tcase_add_test(tests, moments_by_hand);
    tcase_add_test(tests, moments_of_nothing_and_of_one_number);
    tcase_add_test(tests, a_constant_has_exactly_no_spread);
    tcase_add_test(tests, a_large_offset_does_not_cancel);
    tcase_add_test(tests, merged_moments_are_those_of_the_whole);
    tcase_add_test(tests, spreads_are_right_where_squares_overflow_or_vanish);
    tcase_add_test(tests, constants_that_differ_by_a_subnormal_number_have_its_half_as_spread);
    tcase_add_test(tests, moments_pass_nan_on);
    tcase_add_test(tests, deviations_from_a_centre_tell_moments_while_little_cancels_or_underflows);
    tcase_add_test(tests, means_by_hand);
    tcase_add_test(tests, a_mean_outlives_the_overflow_of_its_sum);
    tcase_add_test(tests, a_pairwise_mean_keeps_its_digits);
    tcase_add_test(tests, the_root_mean_square_by_hand);
    tcase_add_test(tests, medians_by_hand);
    tcase_add_test(tests, the_median_of_few_numbers_is_known_for_every_count);
    tcase_add_test(tests, the_median_of_a_shuffle_is_known);
    tcase_add_test(tests, sample_spread_and_interval_by_hand);
    tcase_add_loop_test(tests, student_quantiles_are_those_of_the_tables, 0, 10);
    tcase_add_test(tests, student_quantiles_fall_with_the_degrees);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
