/* SPDX-License-Identifier: MIT */
/* Tests src/report/worked_row.c: the numbers of a row worked out again. */
#include "scores_example.h"

#include "report/worked.h"

static const double five[5] = {-1.848, -0.344, -0.749, -1.442, 0.860};

static struct worked_row row_of(const struct result *result, size_t query)
{
    struct worked_row row;
    worked_row_make(result, query, &row);
    return row;
}

/* The scores are ln(3.94 w) of w = .04 .18 .12 .06 .60, rounded to three decimals, so weights and
 * sum come back to two. */
START_TEST(a_row_has_its_exponentials_weights_and_slopes)
{
    static const double weights[5] = {0.04, 0.18, 0.12, 0.06, 0.60};
    const struct result result = scores_example_result(1, 5, five);
    struct worked_row row = row_of(&result, 0);
    ck_assert_uint_eq(row.keys, 5);
    assert_within(row.total, 3.94, 0.005);
    double sum = 0;
    for (size_t i = 0; i < 5; i++) {
        assert_within(row.weights[i], weights[i], 0.0005);
        assert_near(row.exponentials[i], exp(five[i]), 1e-15);
        assert_near(worked_row_jacobian(&row, i, i), row.weights[i] * (1 - row.weights[i]), 1e-12);
        assert_near(worked_row_jacobian(&row, i, (i + 1) % 5),
                    -row.weights[i] * row.weights[(i + 1) % 5], 1e-12);
        sum += worked_row_jacobian(&row, i, i);
    }
    assert_near(row.measures.jacobian_trace, sum, 1e-12);
    ck_assert(!row.overflows);
}
END_TEST

/* Every alternative's derivative against central differences of the weights that weigh_row itself
 * makes of moved scores. The row is away from the kinks of sparsemax, entmax and argmax. */
START_TEST(the_jacobian_is_the_derivative_of_every_alternative)
{
    static const double scores[3] = {1.5, 1.1, 0.7};
    const double step = 1e-5;
    for (int w = 0; w < WEIGHTS_COUNT; w++) {
        struct result result = scores_example_result(1, 3, scores);
        result.run.weights = w;
        struct worked_row here = row_of(&result, 0);
        for (size_t j = 0; j < 3; j++) {
            double moved[3] = {scores[0], scores[1], scores[2]};
            result.kept.scores = moved;
            moved[j] = scores[j] + step;
            struct worked_row above = row_of(&result, 0);
            moved[j] = scores[j] - step;
            struct worked_row below = row_of(&result, 0);
            for (size_t i = 0; i < 3; i++) {
                double slope = (above.weights[i] - below.weights[i]) / (2 * step);
                assert_within(worked_row_jacobian(&here, i, j), slope, 1e-8);
            }
        }
    }
}
END_TEST

START_TEST(one_less_a_weight_near_one_keeps_its_digits)
{
    static const double scores[2] = {40, 0};
    const struct result result = scores_example_result(1, 2, scores);
    struct worked_row row = row_of(&result, 0);
    /* p (1 - p) of two keys is 1 / (2 + 2 cosh 40) = exp(-40) to 4e-18 */
    assert_near(worked_row_jacobian(&row, 0, 0), exp(-40), 1e-14);
}
END_TEST

START_TEST(masked_keys_at_the_end_are_left_out_and_others_weigh_nothing)
{
    static const double scores[5] = {1, -(double)INFINITY, 2, -(double)INFINITY, -(double)INFINITY};
    const struct result result = scores_example_result(1, 5, scores);
    struct worked_row row = row_of(&result, 0);
    ck_assert_uint_eq(row.keys, 3);
    ck_assert_uint_eq(row.hidden, 2);
    assert_near(row.weights[1], 0, 0);
    assert_near(row.weights[2], 1 / (1 + exp(-1)), 1e-15);
    assert_near(worked_row_jacobian(&row, 1, 2), 0, 0);
    struct result causal = scores_example_result(5, 5, NULL);
    static double matrix[25];
    causal.kept.scores = matrix;
    causal.run.mask = MASK_CAUSAL;
    for (size_t i = 0; i < 25; i++) {
        matrix[i] = i % 5 > i / 5 ? (double)NAN : 1;
    }
    row = row_of(&causal, 1);
    ck_assert_uint_eq(row.keys, 2);
    assert_near(row.weights[0], 0.5, 1e-15);
}
END_TEST

START_TEST(a_row_without_any_key_is_masked)
{
    static const double scores[2] = {-(double)INFINITY, -(double)INFINITY};
    const struct result result = scores_example_result(1, 2, scores);
    struct worked_row row = row_of(&result, 0);
    ck_assert_uint_eq(row.keys, 0);
    ck_assert_int_eq(row.state, ROW_MASKED);
}
END_TEST

/* 65504 is the largest fp16 number: exp(12) = 162755 overflows it, exp(11) = 59874 rounds to a
 * multiple of 32 there, 59872. */
START_TEST(a_narrow_format_rounds_what_was_taken_as_it_was)
{
    static const double scores[2] = {12, 11};
    struct result result = scores_example_result(1, 2, scores);
    result.run.precision = PRECISION_FP16;
    struct worked_row row = row_of(&result, 0);
    ck_assert(row.overflows);
    ck_assert_int_eq(row.state, ROW_DEFINED);
    assert_near(row.exponentials[0], (double)INFINITY, 0);
    assert_near(row.exponentials[1], exp(11), 0);
    assert_near(row.shifted[1], exp(-1), 0);
    result.run.stabilise = false;
    row = row_of(&result, 0);
    ck_assert_int_eq(row.state, ROW_UNDEFINED);
    assert_near(row.exponentials[1], 59872, 0);
    assert_near(row.total, (double)INFINITY, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("worked row");
    TCase *cases = tcase_create("numbers");
    tcase_add_test(cases, a_row_has_its_exponentials_weights_and_slopes);
    tcase_add_test(cases, the_jacobian_is_the_derivative_of_every_alternative);
    tcase_add_test(cases, one_less_a_weight_near_one_keeps_its_digits);
    tcase_add_test(cases, masked_keys_at_the_end_are_left_out_and_others_weigh_nothing);
    tcase_add_test(cases, a_row_without_any_key_is_masked);
    tcase_add_test(cases, a_narrow_format_rounds_what_was_taken_as_it_was);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
