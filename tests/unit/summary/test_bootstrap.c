/* SPDX-License-Identifier: MIT */
/* Tests src/summary/bootstrap.c: what is drawn, and the percentile interval. */
#include "summary/bootstrap.h"
#include "support.h"

START_TEST(a_resample_draws_as_often_as_there_are_units)
{
    enum { UNITS = 150 }; /* no divisor of what is made at once */
    double times[UNITS];
    struct bootstrap bootstrap;
    bootstrap_start(&bootstrap, UNITS);
    for (int r = 0; r < 20; r++) {
        double sum = 0;
        bootstrap_draw(&bootstrap, times);
        for (size_t u = 0; u < UNITS; u++) {
            ck_assert(times[u] >= 0 && times[u] == floor(times[u]));
            sum += times[u];
        }
        assert_near(sum, UNITS, 0);
    }
}
END_TEST

START_TEST(the_same_resample_is_the_same_draw)
{
    double first[9];
    double again[9];
    double other[9];
    bool differs = false;
    struct bootstrap bootstrap;
    bootstrap_start(&bootstrap, 9);
    bootstrap_draw(&bootstrap, first);
    bootstrap_draw(&bootstrap, other);
    bootstrap_start(&bootstrap, 9);
    bootstrap_draw(&bootstrap, again);
    for (size_t u = 0; u < 9; u++) {
        assert_near(first[u], again[u], 0);
        differs = differs || first[u] != other[u];
    }
    ck_assert(differs);
}
END_TEST

/* Binomial(20, 1/20): mean 1, variance 0.95, left out with chance 0.95^20 = 0.358. The standard
 * errors over 2000 resamples of 20 units, which are all but independent, are 0.005 and 0.0024. */
START_TEST(every_unit_is_drawn_alike)
{
    enum { UNITS = 20 };
    double times[UNITS];
    double squares = 0;
    double left_out = 0;
    double each[UNITS] = {0};
    struct bootstrap bootstrap;
    bootstrap_start(&bootstrap, UNITS);
    for (int r = 0; r < BOOTSTRAP_RESAMPLES; r++) {
        bootstrap_draw(&bootstrap, times);
        for (size_t u = 0; u < UNITS; u++) {
            each[u] += times[u] / BOOTSTRAP_RESAMPLES;
            squares += (times[u] - 1) * (times[u] - 1) / (UNITS * BOOTSTRAP_RESAMPLES);
            left_out += times[u] == 0 ? 1.0 / (UNITS * BOOTSTRAP_RESAMPLES) : 0;
        }
    }
    assert_within(squares, 0.95, 0.03);
    assert_within(left_out, 0.3585, 0.01);
    for (size_t u = 0; u < UNITS; u++) {
        assert_within(each[u], 1, 0.09); /* four standard errors of 0.0218 */
    }
}
END_TEST

START_TEST(the_interval_is_the_middle_95_percent)
{
    double values[41]; /* 40 .. 0: type 7 places its quantiles at 1 and 39 */
    for (size_t i = 0; i < 41; i++) {
        values[i] = (double)(40 - i);
    }
    struct interval interval = bootstrap_interval(41, values, 0.025);
    assert_near(interval.low, 1, 1e-12);
    assert_near(interval.high, 39, 1e-12);
    double few[] = {1, 2}; /* a fortieth of the way from each end */
    interval = bootstrap_interval(2, few, 0.025);
    assert_near(interval.low, 1.025, 1e-12);
    assert_near(interval.high, 1.975, 1e-12);
}
END_TEST

START_TEST(an_end_is_open_when_it_meets_infinity)
{
    double values[41];
    for (size_t i = 0; i < 41; i++) {
        values[i] = i < 2 ? (double)INFINITY : (double)i;
    }
    struct interval interval = bootstrap_interval(41, values, 0.025);
    assert_near(interval.low, 3, 1e-12);
    ck_assert(isinf(interval.high) && interval.high > 0);
    double few[] = {-(double)INFINITY, 5, 6};
    interval = bootstrap_interval(3, few, 0.025);
    ck_assert(isinf(interval.low) && interval.low < 0);
    assert_near(interval.high, 5.95, 1e-12);
    double one = 3;
    assert_near(bootstrap_interval(1, &one, 0.025).low, 3, 0);
    ck_assert(isnan(bootstrap_interval(0, &one, 0.025).low));
}
END_TEST

/* Phi(-t(0.975, n - 1) sqrt(n / (n - 1))): t is 2.20099 at 11 degrees, 2.77645 at 4. */
START_TEST(few_units_leave_out_less)
{
    assert_near(bootstrap_tail(12), 0.0107566, 1e-3);
    assert_near(bootstrap_tail(5), 0.00095457, 1e-3);
    assert_near(bootstrap_tail(1000000), 0.025, 1e-4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bootstrap");
    TCase *cases = tcase_create("bootstrap");
    tcase_add_test(cases, a_resample_draws_as_often_as_there_are_units);
    tcase_add_test(cases, the_same_resample_is_the_same_draw);
    tcase_add_test(cases, every_unit_is_drawn_alike);
    tcase_add_test(cases, the_interval_is_the_middle_95_percent);
    tcase_add_test(cases, few_units_leave_out_less);
    tcase_add_test(cases, an_end_is_open_when_it_meets_infinity);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
