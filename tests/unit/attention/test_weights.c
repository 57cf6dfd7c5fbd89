/* SPDX-License-Identifier: MIT */
/* Tests of attention/weights (weights_softmax.c, weights_ratios.c): rows by hand, sums, shifts,
 * extreme scores, and every Jacobian against differences. The sparse projections have their own
 * file. */
#include "attention/softmax.h"
#include "run/fields.h"
#include "weights_fixture.h"

#include <float.h>
#include <string.h>

struct hand_case {
    enum run_weights weights;
    size_t n;
    double scores[4], weights_of[4];
    double tolerance;
};

/* softmax: e^2, e, e^0.1 over their sum 11.2125 (7.389056, 2.718282, 1.105171).
 * plus_one: e / (1 + e + 1/e) with sum 4.086161; sigmoid of (ln 3, ln 9, 0) among three keys has
 * odds 1, 3, 1/3. */
static const struct hand_case hand_cases[] = {
    {WEIGHTS_SOFTMAX, 3, {2, 1, 0.1}, {0.659001, 0.242433, 0.098566}, 5e-7},
    {WEIGHTS_SOFTMAX, 3, {1002, 1000, 997}, {0.8756, 0.1185, 0.0059}, 5e-5},
    {WEIGHTS_SOFTMAX, 1, {-5}, {1}, 0},
    {WEIGHTS_SOFTMAX_PLUS_ONE, 2, {1, -1}, {0.665241, 0.090031}, 5e-7},
    {WEIGHTS_SOFTMAX_PLUS_ONE, 1, {0}, {0.5}, 0},
    {WEIGHTS_SIGMOID, 3, {1.0986122886681098, 2.1972245773362196, 0}, {0.5, 0.75, 0.25}, 1e-15},
    {WEIGHTS_SIGMOID, 1, {0}, {0.5}, 0},
    {WEIGHTS_SOFTPLUS, 3, {-2, 0, 1}, {0.059, 0.325, 0.616}, 6e-4},
    {WEIGHTS_SOFTPLUS, 2, {0, 0}, {0.5, 0.5}, 0},
    {WEIGHTS_SQUARE, 3, {-3, 2, 1}, {9 / 14.0, 4 / 14.0, 1 / 14.0}, 1e-16},
    {WEIGHTS_SQUARE, 2, {-2, 2}, {0.5, 0.5}, 0},
    {WEIGHTS_SUM, 2, {1, -3}, {-0.5, 1.5}, 0},
    {WEIGHTS_SUM, 3, {1, 2, 5}, {0.125, 0.25, 0.625}, 0},
    {WEIGHTS_ARGMAX, 3, {3, 2, 1}, {1, 0, 0}, 0},
    {WEIGHTS_ARGMAX, 4, {1, 3, 3, 2}, {0, 0.5, 0.5, 0}, 0},
    {WEIGHTS_ARGMAX, 1, {-7}, {1}, 0},
};

START_TEST(rows_by_hand_come_out)
{
    const struct hand_case *wanted = &hand_cases[_i];
    set_scores(wanted->n, wanted->scores);
    fill(wanted->weights, wanted->n);
    for (size_t j = 0; j < wanted->n; j++) {
        assert_within(p[j], wanted->weights_of[j], wanted->tolerance);
    }
}
END_TEST

START_TEST(alternatives_are_those_of_the_field)
{
    const struct field *field = &run_fields[RUN_WEIGHTS];
    for (size_t i = 0; i < WEIGHTS_COUNT; i++) {
        ck_assert_str_eq(weights_alternatives[i].name, field->choices[i]);
    }
    ck_assert(field->choices[WEIGHTS_COUNT] == NULL);
}
END_TEST

static const double spreads[] = {0.1, 1, 4};
#define SPREADS 3

/* A difference quotient tells nothing within its step of a place where the row has a kink (a
 * sparse weight on the edge of being zero, a tie) or nearly no value (sum, square). */
static bool far_from_kinks(enum run_weights weights, size_t n)
{
    double total = 0;
    double squares = 0;
    for (size_t j = 0; j < n; j++) {
        total += scores[j];
        squares += scores[j] * scores[j];
    }
    if (weights == WEIGHTS_SUM) {
        return fabs(total) > 0.2 * sqrt(squares);
    }
    if (weights != WEIGHTS_SPARSEMAX && weights != WEIGHTS_ENTMAX15) {
        return true;
    }
    double factor = weights == WEIGHTS_SPARSEMAX ? 1 : 0.5;
    size_t top = 0;
    for (size_t j = 1; j < n; j++) {
        top = p[j] > p[top] ? j : top;
    }
    double over = weights == WEIGHTS_SPARSEMAX ? p[top] : sqrt(p[top]);
    double threshold = factor * scores[top] - over;
    for (size_t j = 0; j < n; j++) {
        if (fabs(factor * scores[j] - threshold) < 1e-3) {
            return false;
        }
    }
    return true;
}

/* sum and square bend the more the smaller what they divide by. */
static double step_for(enum run_weights weights, size_t n)
{
    double total = 0;
    double squares = 0;
    for (size_t j = 0; j < n; j++) {
        total += scores[j];
        squares += scores[j] * scores[j];
    }
    return weights == WEIGHTS_SUM      ? 2e-3 * fabs(total)
           : weights == WEIGHTS_SQUARE ? 2e-3 * sqrt(squares)
                                       : 4e-4;
}

/* The error of a central difference falls with the square of its step; two steps and Richardson's
 * extrapolation leave the fourth power. */
static void assert_column(enum run_weights weights, size_t n, size_t j, double step)
{
    double weights_at[4][16];
    static const double steps[4] = {1, -1, 0.5, -0.5};
    double wanted[16];
    double scale = 0;
    for (size_t i = 0; i < n; i++) {
        wanted[i] = jacobian(i, j);
        scale = fmax(scale, fabs(wanted[i]));
    }
    double score = scores[j];
    for (int k = 0; k < 4; k++) {
        scores[j] = score + steps[k] * step;
        fill(weights, n);
        memcpy(weights_at[k], p, n * sizeof *p);
    }
    scores[j] = score;
    for (size_t i = 0; i < n; i++) {
        double wide = (weights_at[0][i] - weights_at[1][i]) / (2 * step);
        double close = (weights_at[2][i] - weights_at[3][i]) / step;
        assert_within((4 * close - wide) / 3, wanted[i], 1e-6 * scale + 2e-12);
    }
    fill(weights, n);
}

START_TEST(the_jacobian_is_what_differences_say)
{
    enum run_weights weights = (enum run_weights)_i;
    int checked = 0;
    for (uint32_t number = 0; number < 300; number++) {
        size_t n = random_row(number, spreads[number % SPREADS]);
        fill(weights, n);
        if (!far_from_kinks(weights, n)) {
            continue;
        }
        for (size_t j = 0; j < n; j++) {
            assert_column(weights, n, j, step_for(weights, n));
        }
        checked++;
    }
    ck_assert_int_gt(checked, 200);
}
END_TEST

START_TEST(rows_sum_to_1_where_they_claim_to_and_not_above_elsewhere)
{
    enum run_weights weights = (enum run_weights)_i;
    bool fell_short = false;
    for (uint32_t number = 0; number < 300; number++) {
        size_t n = random_row(number, spreads[number % SPREADS]);
        fill(weights, n);
        double sum = 0;
        double size = 0;
        for (size_t j = 0; j < n; j++) {
            sum += p[j];
            size += fabs(p[j]);
        }
        if (weights_alternatives[weights].sums_to_one) {
            assert_within(sum, 1, 1e-15 * (double)n * size);
        }
        fell_short = fell_short || fabs(sum - 1) > 0.01;
    }
    ck_assert(fell_short == !weights_alternatives[weights].sums_to_one);
}
END_TEST

START_TEST(what_is_left_of_1_is_left)
{
    enum run_weights weights = (enum run_weights)_i;
    for (uint32_t number = 0; number < 300; number++) {
        size_t n = random_row(number, spreads[number % SPREADS]);
        fill(weights, n);
        double size = 1;
        for (size_t j = 0; j < n; j++) {
            size += fabs(p[j]);
        }
        for (size_t j = 0; j < n; j++) {
            assert_within(remainder_of[j], 1 - p[j], 1e-15 * (double)n * size);
            assert_within(unshared[j], 1 - share[j], 1e-15 * (double)n * size);
        }
    }
}
END_TEST

/* Shifts by 512 are exact for scores in steps of 2^-20. */
START_TEST(a_shift_changes_nothing_where_the_table_says_so)
{
    enum run_weights weights = (enum run_weights)_i;
    bool changed = false;
    for (uint32_t number = 1; number < 200; number++) {
        size_t n = random_row(number, 1);
        double before[12];
        for (size_t j = 0; j < n; j++) {
            scores[j] = nearbyint(ldexp(scores[j], 20)) * 0x1p-20;
        }
        fill(weights, n);
        memcpy(before, p, n * sizeof *p);
        double row_sum = 0;
        for (size_t j = 0; j < n; j++) {
            row_sum += jacobian(0, j);
            scores[j] += 512;
        }
        fill(weights, n);
        for (size_t j = 0; j < n; j++) {
            changed = changed || fabs(p[j] - before[j]) > 1e-14;
        }
        if (weights_alternatives[weights].shift_invariant) {
            assert_within(row_sum, 0, 1e-14);
        }
    }
    ck_assert(changed == !weights_alternatives[weights].shift_invariant);
}
END_TEST

START_TEST(softmax_is_the_softmax_of_a_row_without_its_measures)
{
    static double wanted[LONGEST];
    for (uint32_t number = 0; number < 200; number++) {
        size_t n = random_row(number, 20);
        struct row_measures measures = softmax_row(n, scores, wanted);
        fill(WEIGHTS_SOFTMAX, n);
        for (size_t j = 0; j < n; j++) {
            assert_near(p[j], wanted[j], 1e-15);
            ck_assert(slope[j] == p[j] && share[j] == p[j] && unshared[j] == remainder_of[j]);
        }
        assert_near(remainder_of[measures.arg_max], measures.others, 1e-15);
    }
}
END_TEST

/* diag(p) - p pT, though p sums to less than 1. */
START_TEST(softmax_plus_one_has_the_jacobian_of_softmax)
{
    for (uint32_t number = 0; number < 100; number++) {
        size_t n = random_row(number, 3);
        fill(WEIGHTS_SOFTMAX_PLUS_ONE, n);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                assert_within(jacobian(i, j), (i == j ? p[i] : 0) - p[i] * p[j], 1e-15);
            }
        }
    }
}
END_TEST

/* The weights that are not the largest are e^-40, e^-50 and, for plus one, e^-60 beside them; for
 * softplus 1e-17 beside 40 would be lost in a difference, too. */
START_TEST(what_is_left_of_a_weight_near_1_keeps_its_digits)
{
    const double gaps[] = {60, 20, 10};
    set_scores(3, gaps);
    double small = exp(-40) + exp(-50);
    fill(WEIGHTS_SOFTMAX, 3);
    ck_assert(p[0] == 1);
    assert_near(remainder_of[0], small, 1e-15);
    fill(WEIGHTS_SOFTMAX_PLUS_ONE, 3);
    assert_near(remainder_of[0], small + exp(-60), 1e-15);
    fill(WEIGHTS_SIGMOID, 3);
    assert_near(remainder_of[0], 3 * exp(-60), 1e-15);
    assert_near(slope[0], 3 * exp(-60), 1e-15);

    const double soft[] = {40, -50, -60};
    set_scores(3, soft);
    fill(WEIGHTS_SOFTPLUS, 3);
    assert_near(remainder_of[0], (exp(-50) + exp(-60)) / 40, 1e-14);
    const double plain[] = {1, 1e-20, 1e-10};
    set_scores(3, plain);
    fill(WEIGHTS_SUM, 3);
    assert_near(remainder_of[0], 1e-10, 1e-9);
    fill(WEIGHTS_SQUARE, 3);
    assert_near(remainder_of[0], 1e-20, 1e-15);
}
END_TEST

START_TEST(rows_without_a_value_are_not_numbers)
{
    memset(scores, 0, 3 * sizeof *scores);
    fill(WEIGHTS_SQUARE, 3);
    for (size_t j = 0; j < 3; j++) {
        ck_assert(isnan(p[j]) && isnan(slope[j]) && isnan(remainder_of[j]) && isnan(share[j]));
    }
    fill(WEIGHTS_SUM, 1);
    ck_assert(isnan(p[0]) && isnan(remainder_of[0]));
    const double opposite[] = {1, -1};
    set_scores(2, opposite);
    fill(WEIGHTS_SUM, 2);
    ck_assert(isinf(p[0]) && p[0] > 0 && isinf(p[1]) && p[1] < 0 && !isfinite(slope[0]));
}
END_TEST

START_TEST(argmax_has_no_derivative_at_a_tie_and_none_but_0_elsewhere)
{
    const double values[] = {3, 2, 1};
    set_scores(3, values);
    fill(WEIGHTS_ARGMAX, 3);
    ck_assert(slope[0] == 0 && slope[1] == 0 && slope[2] == 0 && remainder_of[0] == 0);
    scores[1] = 3;
    fill(WEIGHTS_ARGMAX, 3);
    ck_assert(isnan(slope[0]) && isnan(slope[1]) && isnan(slope[2]));
    ck_assert(p[0] == 0.5 && p[2] == 0 && remainder_of[0] == 0.5 && unshared[2] == 1);
    fill(WEIGHTS_ARGMAX, 1);
    ck_assert(slope[0] == 0 && p[0] == 1 && remainder_of[0] == 0);
}
END_TEST

/* Two equal scores at the end of the range and one at the other end. */
START_TEST(scores_at_the_end_of_the_range_are_data)
{
    enum run_weights weights = (enum run_weights)_i;
    const double ends[] = {1.5e308, -1.5e308, 1.5e308};
    /* Shares by hand; sum: 1, -1, 1 over 1. */
    double top = weights == WEIGHTS_SIGMOID || weights == WEIGHTS_SUM ? 1
                 : weights == WEIGHTS_SQUARE                          ? 1 / 3.0
                                                                      : 0.5;
    double bottom = weights == WEIGHTS_SUM ? -1 : weights == WEIGHTS_SQUARE ? 1 / 3.0 : 0;
    set_scores(3, ends);
    fill(weights, 3);
    assert_within(p[0], top, 3e-16);
    assert_within(p[1], bottom, 3e-16);
    assert_within(p[2], top, 3e-16);
    for (size_t j = 0; j < 3; j++) {
        ck_assert(isfinite(remainder_of[j]) && isfinite(unshared[j]));
        ck_assert(weights == WEIGHTS_ARGMAX || isfinite(slope[j]));
    }
}
END_TEST

/* ln(1 + e^s) is e^s there: the weights of softmax, which does not underflow. */
START_TEST(softplus_of_a_row_far_below_0_is_softmax)
{
    const double low[] = {-900, -901, -950};
    double wanted[3];
    set_scores(3, low);
    softmax_row(3, scores, wanted);
    fill(WEIGHTS_SOFTPLUS, 3);
    for (size_t j = 0; j < 3; j++) {
        assert_near(p[j], wanted[j], 1e-15);
        assert_near(slope[j], wanted[j], 1e-15);
    }
    /* Either side of the change from one form to the other. */
    for (int side = 0; side < 2; side++) {
        scores[0] = nextafter(-40, side == 0 ? -50 : 0);
        scores[1] = -41;
        fill(WEIGHTS_SOFTPLUS, 2);
        assert_near(p[1], 1 / (1 + M_E), 1e-14);
        assert_near(slope[1], p[1], 1e-14);
    }
}
END_TEST

START_TEST(squares_of_tiny_scores_do_not_vanish)
{
    const double tiny[] = {3e-200, -4e-200};
    set_scores(2, tiny);
    fill(WEIGHTS_SQUARE, 2);
    assert_near(p[0], 0.36, 1e-15);
    assert_near(p[1], 0.64, 1e-15);
    assert_near(slope[0], 2 * 3 / 25.0 * 1e200, 1e-14);
}
END_TEST

START_TEST(a_row_in_place_gives_the_same_bits)
{
    static double inside[LONGEST];
    enum run_weights weights = (enum run_weights)_i;
    for (uint32_t number = 0; number < 60; number++) {
        size_t n = random_row(number, spreads[number % SPREADS]);
        memcpy(inside, scores, n * sizeof *scores);
        fill(weights, n);
        double a[2][12];
        memcpy(a[0], slope, n * sizeof *slope);
        memcpy(a[1], remainder_of, n * sizeof *remainder_of);
        const struct weights_row in_place = {inside, slope, share, unshared, remainder_of};
        weights_alternatives[weights].fill(n, inside, &in_place);
        ck_assert_mem_eq(inside, p, n * sizeof *p);
        ck_assert_mem_eq(a[0], slope, n * sizeof *slope);
        ck_assert_mem_eq(a[1], remainder_of, n * sizeof *remainder_of);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("weights");
    TCase *tests = tcase_create("weights");
    int cases = (int)(sizeof hand_cases / sizeof hand_cases[0]);
    tcase_add_loop_test(tests, rows_by_hand_come_out, 0, cases);
    tcase_add_test(tests, alternatives_are_those_of_the_field);
    tcase_add_loop_test(tests, the_jacobian_is_what_differences_say, 0, WEIGHTS_COUNT);
    tcase_add_loop_test(tests, rows_sum_to_1_where_they_claim_to_and_not_above_elsewhere, 0,
                        WEIGHTS_COUNT);
    tcase_add_loop_test(tests, what_is_left_of_1_is_left, 0, WEIGHTS_COUNT);
    tcase_add_loop_test(tests, a_shift_changes_nothing_where_the_table_says_so, 0, WEIGHTS_COUNT);
    tcase_add_test(tests, softmax_is_the_softmax_of_a_row_without_its_measures);
    tcase_add_test(tests, softmax_plus_one_has_the_jacobian_of_softmax);
    tcase_add_test(tests, what_is_left_of_a_weight_near_1_keeps_its_digits);
    tcase_add_test(tests, rows_without_a_value_are_not_numbers);
    tcase_add_test(tests, argmax_has_no_derivative_at_a_tie_and_none_but_0_elsewhere);
    tcase_add_loop_test(tests, scores_at_the_end_of_the_range_are_data, 0, WEIGHTS_COUNT);
    tcase_add_test(tests, softplus_of_a_row_far_below_0_is_softmax);
    tcase_add_test(tests, squares_of_tiny_scores_do_not_vanish);
    tcase_add_loop_test(tests, a_row_in_place_gives_the_same_bits, 0, WEIGHTS_COUNT);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
