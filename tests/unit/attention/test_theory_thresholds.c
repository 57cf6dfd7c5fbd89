/* SPDX-License-Identifier: MIT */
/* Tests src/attention/theory_thresholds.c against tables made apart from this code, and by putting
 * its roots into the expectations. */
#include "attention/theory.h"
#include "support.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* The traces by interpolation on 60 points of another rule: right to 0.002 of their size. The onset
 * of 1024 keys is that of a plain sum over scores: the trace is 0.90115 at 2.732, 0.899996 at
 * 2.7412. */
static const struct {
    size_t n;
    double onset, saturated, collapsed;
    double half, nine_tenths, nineteen_twentieths; /* spreads of E[max p] */
} table[] = {{5, 0.740, 2.554, 14.49, 1.166, 8.05, 16.15},
             {8, 0.894, 2.913, 16.22, 1.620, 9.90, 19.81},
             {64, 1.702, 4.484, 23.81, 3.168, 16.43, 32.69},
             {1024, 2.741, 6.285, 32.53, 4.649, 22.82, 45.34}};

START_TEST(the_trace_crosses_its_levels_at_the_tabulated_spreads)
{
    struct theory_thresholds thresholds;
    theory_thresholds(table[_i].n, &thresholds);
    assert_near(thresholds.onset, table[_i].onset, 0.002);
    assert_near(thresholds.saturated, table[_i].saturated, 0.002);
    assert_near(thresholds.collapsed, table[_i].collapsed, 0.002);
}
END_TEST

START_TEST(the_row_max_crosses_its_levels_to_the_last_digit)
{
    size_t n = table[_i].n;
    assert_within(theory_spread_at_row_max(n, 0.5), table[_i].half, 0.00051);
    assert_within(theory_spread_at_row_max(n, 0.9), table[_i].nine_tenths, 0.0051);
    assert_within(theory_spread_at_row_max(n, 0.95), table[_i].nineteen_twentieths, 0.0051);
}
END_TEST

START_TEST(the_expectations_at_the_roots_are_the_levels)
{
    static const size_t keys[] = {3, 1 << 20};
    double scale = 1 - 1 / (double)keys[_i];
    struct theory_thresholds thresholds;
    struct theory theory;
    theory_thresholds(keys[_i], &thresholds);
    theory_iid(keys[_i], thresholds.onset, &theory);
    assert_within(theory.jacobian_trace / scale, 0.9, 1e-11);
    theory_iid(keys[_i], thresholds.saturated, &theory);
    assert_within(theory.jacobian_trace / scale, 0.5, 1e-11);
    theory_iid(keys[_i], thresholds.collapsed, &theory);
    assert_within(theory.jacobian_trace / scale, 0.1, 1e-11);
    theory_iid(keys[_i], theory_spread_at_row_max(keys[_i], 0.6), &theory);
    assert_within(theory.row_max, 0.6, 1e-11);
}
END_TEST

START_TEST(levels_near_their_limits_follow_the_leading_terms)
{
    /* 1 - E[max p] = a_n ln 2 / spread + ..., and E[max p] = 1/n + a_n spread / n + ... */
    double maximum = theory_expected_maximum(64);
    assert_near(theory_spread_at_row_max(64, 1 - 1e-6), maximum * log(2) / 1e-6, 1e-5);
    assert_near(theory_spread_at_row_max(64, (1 + 1e-4) / 64), 1e-4 / maximum, 1e-3);
}
END_TEST

START_TEST(what_no_spread_gives_is_undefined)
{
    struct theory_thresholds thresholds;
    theory_thresholds(1, &thresholds);
    ck_assert(isnan(thresholds.onset) && isnan(thresholds.saturated));
    ck_assert(isnan(thresholds.collapsed));
    ck_assert(isnan(theory_spread_at_trace(8, 0)) && isnan(theory_spread_at_trace(8, 1)));
    ck_assert(isnan(theory_spread_at_trace(8, (double)NAN)));
    ck_assert(isnan(theory_spread_at_row_max(1, 0.5)));
    ck_assert(isnan(theory_spread_at_row_max(8, 0.125)));
    ck_assert(isnan(theory_spread_at_row_max(8, 1)));
    ck_assert(isnan(theory_spread_at_row_max(8, 0)));
    ck_assert(isnan(theory_spread_at_row_max(8, (double)NAN)));
    struct theory_causal causal;
    theory_causal(1, 2, &causal);
    ck_assert(isnan(causal.row_max) && isnan(causal.jacobian_trace));
}
END_TEST

/* Rows of 1 to 16 keys, to six decimals, by another rule; `all` counts row 1, whose weight is 1. */
START_TEST(causal_rows_meet_their_table)
{
    static const struct {
        double spread, all, row_max, trace;
    } rows[] = {{0.5, 0.310648, 0.264692, 0.962333},
                {1, 0.423022, 0.384557, 0.867500},
                {2, 0.605315, 0.579002, 0.645479},
                {4, 0.779415, 0.764709, 0.380584},
                {8, 0.887243, 0.879726, 0.199125}};
    struct theory_causal causal;
    theory_causal(16, rows[_i].spread, &causal);
    assert_within(causal.row_max, rows[_i].row_max, 5.1e-7);
    assert_within((1 + 15 * causal.row_max) / 16, rows[_i].all, 5.1e-7);
    assert_within(causal.jacobian_trace, rows[_i].trace, 5.1e-7);
}
END_TEST

START_TEST(causal_rows_without_spread_are_uniform)
{
    struct theory_causal causal;
    theory_causal(4, 0, &causal);
    assert_near(causal.row_max, (1.0 / 2 + 1.0 / 3 + 1.0 / 4) / 3, 1e-15);
    assert_near(causal.jacobian_trace, 1, 1e-15);
}
END_TEST

static Suite *thresholds_suite(void)
{
    Suite *suite = suite_create("attention/theory_thresholds");
    TCase *cases = tcase_create("thresholds");
    tcase_add_loop_test(cases, the_trace_crosses_its_levels_at_the_tabulated_spreads, 0,
                        COUNT(table));
    tcase_add_loop_test(cases, the_row_max_crosses_its_levels_to_the_last_digit, 0, COUNT(table));
    tcase_add_loop_test(cases, the_expectations_at_the_roots_are_the_levels, 0, 2);
    tcase_add_test(cases, levels_near_their_limits_follow_the_leading_terms);
    tcase_add_test(cases, what_no_spread_gives_is_undefined);
    tcase_add_loop_test(cases, causal_rows_meet_their_table, 0, 5);
    tcase_add_test(cases, causal_rows_without_spread_are_uniform);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(thresholds_suite());
}
