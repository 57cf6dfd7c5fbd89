/* SPDX-License-Identifier: MIT */
/* Ranges: which values they hold, to the bit, and what is refused. */
#include "sweep_support.h"

#include <inttypes.h>
#include <stdio.h>

/* Plans a gaussian sweep over one axis; `spelled` is the value of `field`. */
static void plan_axis(struct sweep_case *test, const char *field, const char *spelled)
{
    char text[512];
    snprintf(text, sizeof text, GAUSSIAN_HEAD "grid:\n  %s: %s\n", field, spelled);
    case_plan(test, text);
}

static void assert_seeds(const char *spelled, const int64_t *expected, size_t count)
{
    struct sweep_case test = CASE_INIT;
    plan_axis(&test, "seed", spelled);
    ck_assert_uint_eq(test.plan.count, count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(run_at(&test.plan, i)->seed, expected[i]);
    }
    case_release(&test);
}

static void assert_spreads(const char *spelled, const double *expected, size_t count)
{
    struct sweep_case test = CASE_INIT;
    plan_axis(&test, "input_spread", spelled);
    ck_assert_uint_eq(test.plan.count, count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_msg(run_at(&test.plan, i)->input_spread == expected[i], "%zu: %.17g", i,
                      run_at(&test.plan, i)->input_spread);
    }
    case_release(&test);
}

static void refuse(const char *field, const char *spelled, const char *message)
{
    char text[512];
    snprintf(text, sizeof text, GAUSSIAN_HEAD "grid:\n  %s: %s\n", field, spelled);
    assert_refused(text, message);
}

START_TEST(integer_ranges_include_their_end)
{
    assert_seeds("{from: 1, to: 4}", (const int64_t[]){1, 2, 3, 4}, 4);
    assert_seeds("{from: 2, to: 8, step: 3}", (const int64_t[]){2, 5, 8}, 3);
    assert_seeds("{from: 8, to: 2, step: -3}", (const int64_t[]){8, 5, 2}, 3);
    assert_seeds("{from: 7, to: 7}", (const int64_t[]){7}, 1);
    assert_seeds("{from: 1, to: 16, factor: 2}", (const int64_t[]){1, 2, 4, 8, 16}, 5);
}
END_TEST

START_TEST(a_step_that_misses_the_end_stops_before_it)
{
    assert_seeds("{from: 1, to: 10, step: 4}", (const int64_t[]){1, 5, 9}, 3);
    assert_seeds("{from: 1, to: 12, step: 4}", (const int64_t[]){1, 5, 9}, 3);
    assert_seeds("{from: 3, to: 100, factor: 5}", (const int64_t[]){3, 15, 75}, 3);
    assert_spreads("{from: 0, to: 1, step: 0.4}", (const double[]){0, 0.4, 0.8}, 3);
}
END_TEST

START_TEST(ranges_may_stand_in_a_list)
{
    assert_seeds("[0, {from: 4, to: 5}, 9]", (const int64_t[]){0, 4, 5, 9}, 4);
}
END_TEST

START_TEST(real_ranges_hold_the_very_decimals)
{
    assert_spreads("{from: 0, to: 1, step: 0.1}",
                   (const double[]){0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}, 11);
    assert_spreads(
        "{from: 0.01, to: 0.03, step: 0.002}",
        (const double[]){0.01, 0.012, 0.014, 0.016, 0.018, 0.02, 0.022, 0.024, 0.026, 0.028, 0.03},
        11);
    assert_spreads("{from: 1, to: 4}", (const double[]){1, 2, 3, 4}, 4);
    assert_spreads("{from: 0.3, to: 0, step: -1e-1}", (const double[]){0.3, 0.2, 0.1, 0}, 4);
}
END_TEST

START_TEST(a_twentieth_reaches_one_in_twenty_one_values)
{
    struct sweep_case test = CASE_INIT;
    plan_axis(&test, "input_spread", "{from: 0, to: 1, step: 0.05}");
    ck_assert_uint_eq(test.plan.count, 21);
    ck_assert(run_at(&test.plan, 20)->input_spread == 1.0);
    ck_assert(run_at(&test.plan, 3)->input_spread == 0.15);
    case_release(&test);
}
END_TEST

START_TEST(factors_keep_decimals_and_powers_exact)
{
    assert_spreads("{from: 0.00001, to: 10, factor: 10}",
                   (const double[]){0.00001, 0.0001, 0.001, 0.01, 0.1, 1, 10}, 7);
    assert_spreads("{from: 1, to: 2, factor: 1.5}", (const double[]){1, 1.5}, 2);
    struct sweep_case test = CASE_INIT;
    plan_axis(&test, "input_spread", "{from: 1, to: 1152921504606846976, factor: 2}");
    ck_assert_uint_eq(test.plan.count, 61);
    ck_assert(run_at(&test.plan, 59)->input_spread == 576460752303423488.0);
    case_release(&test);
}
END_TEST

START_TEST(steps_that_lead_nowhere_are_refused)
{
    refuse("seed", "{from: 1, to: 4, step: 0}",
           "s.yaml:4:32: seed: the step of a range cannot be 0");
    refuse("seed", "{from: 1, to: 4, step: -1}", "s.yaml:4:9: seed: the step leads away from 'to'");
    refuse("seed", "{from: 1, to: 4, step: -1}", "'to'; give it the other sign, or swap");
    refuse("seed", "{from: 4, to: 1}",
           "the step of 1 leads away from 'to'; give a negative step, or swap 'from' and 'to'");
    refuse("input_spread", "{from: 1, to: 0}", "'to'; give a negative step, or swap");
    refuse("input_spread", "{from: 0, to: 1, step: 0}", "the step of a range cannot be 0");
    refuse("input_spread", "{from: 0, to: 1, step: -0.1}", "the step leads away from 'to'");
    refuse("input_spread", "{from: 0, to: 1, step: nan}", "a range takes finite decimal numbers");
    refuse("input_spread", "{from: 0, to: .inf}", "a range takes finite decimal numbers");
    refuse("input_spread", "{from: 0, to: 1e999}", "a range takes finite decimal numbers");
    refuse("seed", "{from: 1, to: 4, factor: 1}", "the factor of a range must be above 1");
    refuse("input_spread", "{from: 1, to: 4, factor: 0.5}",
           "the factor of a range must be above 1");
    refuse("seed", "{from: 0, to: 4, factor: 2}", "needs 'from' above 0");
    refuse("input_spread", "{from: 2, to: 1, factor: 2}",
           "needs 'from' above 0 and 'to' not below");
}
END_TEST

START_TEST(ranges_that_do_not_fit_the_field_are_refused)
{
    refuse("seed", "{from: 1.5, to: 4}", "s.yaml:4:16: seed: a range of this field takes decimal");
    refuse("seed", "{from: 1, to: 4, step: 0.5}", "a range of this field takes decimal integers");
    refuse("seed", "{from: '1', to: 4}", "a range takes numbers without quotes");
    refuse("seed", "{from: -3, to: 4}", "s.yaml:4:9: seed: '-3' is out of range");
    refuse("d_k", "{from: 1, to: 3000000, step: 1000000}", "d_k: '2000001' is out of range");
    refuse("position", "{from: 1, to: 4}", "position: a range needs a number field");
}
END_TEST

START_TEST(only_the_values_of_a_range_must_fit_the_field)
{
    struct sweep_case test = CASE_INIT;
    plan_axis(&test, "d_k", "{from: 1, to: 2000000, factor: 10}");
    ck_assert_uint_eq(test.plan.count, 7);
    ck_assert_int_eq(run_at(&test.plan, 6)->d_k, 1000000);
    case_release(&test);
    refuse("d_k", "{from: 2, to: 2000000, factor: 10}", "d_k: '2000000' is out of range");
    refuse("seed", "{from: 1, to: 9223372036854775807, factor: 2}",
           "seed: '4611686018427387904' is out of range");
    struct sweep_case reals = CASE_INIT;
    plan_axis(&reals, "softcap", "{from: 1e297, to: 2e300, factor: 10}");
    ck_assert_uint_eq(reals.plan.count, 4);
    ck_assert(run_at(&reals.plan, 3)->softcap == 1e300);
    case_release(&reals);
    refuse("softcap", "{from: 2e297, to: 2e300, factor: 10}", "softcap: '2e+300' is out of range");
}
END_TEST

START_TEST(range_keys_are_checked)
{
    refuse("seed", "{from: 1, too: 4}", "seed: unknown key 'too' in a range; did you mean 'to'?");
    refuse("seed", "{from: 1, until: 4}", "it has from, to, and step or factor");
    refuse("seed", "{from: 1}", "s.yaml:4:9: seed: a range needs 'from' and 'to'");
    refuse("seed", "{}", "a range needs 'from' and 'to'");
    refuse("seed", "{from: 1, to: }", "seed: empty value");
    refuse("seed", "{from: 1, to: 9, step: 2, factor: 2}", "'step' or 'factor', not both");
}
END_TEST

START_TEST(long_ranges_are_counted_not_built)
{
    refuse("seed", "{from: 0, to: 9007199254740991}", "more than 1000000 values, the limit");
    refuse("seed", "{from: -9223372036854775808, to: 9223372036854775807}",
           "more than 1000000 values, the limit");
    refuse("seed", "{from: 0, to: 1000000}", "more than 1000000 values, the limit");
    refuse("input_spread", "{from: 0, to: 1, step: 1e-300}", "more than 1000000 values");
    refuse("input_spread", "{from: 1, to: 2, factor: 1.0000000001}", "more than 1000000 values");
    refuse("seed",
           "[{from: 1, to: 1000000}, {from: 1, to: 1000000}, {from: 1, to: 1000000}, "
           "{from: 1, to: 1000000}, {from: 1, to: 1000000}, {from: 1, to: 1000000}, "
           "{from: 1, to: 1000000}, {from: 1, to: 1000000}, 1, 2]",
           "s.yaml:4:178: seed: more than 8000000 values in all, the limit");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/ranges");
    TCase *tests = tcase_create("ranges");
    tcase_add_test(tests, integer_ranges_include_their_end);
    tcase_add_test(tests, a_step_that_misses_the_end_stops_before_it);
    tcase_add_test(tests, ranges_may_stand_in_a_list);
    tcase_add_test(tests, real_ranges_hold_the_very_decimals);
    tcase_add_test(tests, a_twentieth_reaches_one_in_twenty_one_values);
    tcase_add_test(tests, factors_keep_decimals_and_powers_exact);
    tcase_add_test(tests, steps_that_lead_nowhere_are_refused);
    tcase_add_test(tests, ranges_that_do_not_fit_the_field_are_refused);
    tcase_add_test(tests, only_the_values_of_a_range_must_fit_the_field);
    tcase_add_test(tests, range_keys_are_checked);
    tcase_add_test(tests, long_ranges_are_counted_not_built);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
