/* SPDX-License-Identifier: MIT */
/* run/tolerance: which rule holds for a run, and which side of a measure is the better one. */
#include "run/tolerance.h"
#include "support.h"

#include <string.h>

START_TEST(without_a_rule_counts_are_exact_and_reals_have_both_parts)
{
    const struct tolerance_set none = {NULL, 0};
    const struct run run = run_default();
    struct tolerance real = tolerance_of(&none, MEASURE_ROW_MAX_MEAN, &run);
    assert_near(real.atol, 1e-10, 0);
    assert_near(real.rtol, 1e-8, 0);
    struct tolerance count = tolerance_of(&none, MEASURE_NONFINITE, &run);
    assert_near(count.atol, 0, 0);
    assert_near(count.rtol, 0, 0);
}
END_TEST

START_TEST(a_rule_of_the_measure_beats_one_for_all_and_leaves_open_what_it_does_not_say)
{
    const struct tolerance_rule rules[] = {
        {MEASURE_ENTROPY_MEAN, (double)NAN, 0.5, NULL, 0},
        {TOLERANCE_EVERY, 2, 3, NULL, 0},
    };
    const struct tolerance_set set = {rules, 2};
    const struct run run = run_default();
    struct tolerance entropy = tolerance_of(&set, MEASURE_ENTROPY_MEAN, &run);
    assert_near(entropy.atol, 1e-10, 0);
    assert_near(entropy.rtol, 0.5, 0);
    struct tolerance other = tolerance_of(&set, MEASURE_TOKENS, &run);
    assert_near(other.atol, 2, 0);
    assert_near(other.rtol, 3, 0);
}
END_TEST

START_TEST(of_the_rules_that_a_run_meets_the_last_one_holds)
{
    static const double formats[] = {PRECISION_FP16, PRECISION_BF16};
    static const double sets[] = {0, 3}; /* none, init+scale */
    static const char *const corpora[] = {"demo", "kitchen"};
    const struct tolerance_condition rough[] = {{RUN_PRECISION, 2, formats, NULL}};
    const struct tolerance_condition both[] = {{TOLERANCE_GUARDS, 2, sets, NULL},
                                               {RUN_CORPUS, 2, NULL, corpora}};
    const struct tolerance_rule rules[] = {
        {MEASURE_SCORE_STD, 0, 1, NULL, 0},
        {MEASURE_SCORE_STD, 0, 2, rough, 1},
        {MEASURE_SCORE_STD, 0, 3, both, 2},
    };
    const struct tolerance_set set = {rules, 3};
    struct run run = run_default();
    assert_near(tolerance_of(&set, MEASURE_SCORE_STD, &run).rtol, 1, 0);
    run.precision = PRECISION_BF16;
    assert_near(tolerance_of(&set, MEASURE_SCORE_STD, &run).rtol, 2, 0);
    run.corpus = "kitchen"; /* and no guard */
    assert_near(tolerance_of(&set, MEASURE_SCORE_STD, &run).rtol, 3, 0);
    run.guard_init = true;
    assert_near(tolerance_of(&set, MEASURE_SCORE_STD, &run).rtol, 2, 0);
    run.guard_scale = true;
    assert_near(tolerance_of(&set, MEASURE_SCORE_STD, &run).rtol, 3, 0);
    run.corpus = "harbour";
    assert_near(tolerance_of(&set, MEASURE_SCORE_STD, &run).rtol, 2, 0);
}
END_TEST

START_TEST(away_from_saturation_is_better_and_spreads_have_no_better_side)
{
    ck_assert_int_eq(measure_direction(MEASURE_ROW_MAX_MEAN), DIRECTION_LOWER);
    ck_assert_int_eq(measure_direction(MEASURE_SATURATED_ROWS), DIRECTION_LOWER);
    ck_assert_int_eq(measure_direction(MEASURE_JACOBIAN_NORM_MEAN), DIRECTION_HIGHER);
    ck_assert_int_eq(measure_direction(MEASURE_ENTROPY_MEAN), DIRECTION_HIGHER);
    ck_assert_int_eq(measure_direction(MEASURE_SCORE_STD), DIRECTION_NONE);
    ck_assert_int_eq(measure_direction(MEASURE_GRADIENT_WQ), DIRECTION_NONE);
    ck_assert_int_eq(measure_direction(MEASUREMENT_FIELD_COUNT), DIRECTION_NONE);
    ck_assert_str_eq(measure_direction_text(DIRECTION_LOWER), "lower is better");
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("tolerance");
    tcase_add_test(all, without_a_rule_counts_are_exact_and_reals_have_both_parts);
    tcase_add_test(all,
                   a_rule_of_the_measure_beats_one_for_all_and_leaves_open_what_it_does_not_say);
    tcase_add_test(all, of_the_rules_that_a_run_meets_the_last_one_holds);
    tcase_add_test(all, away_from_saturation_is_better_and_spreads_have_no_better_side);
    Suite *suite = suite_create("run.tolerance");
    suite_add_tcase(suite, all);
    return support_run(suite);
}
