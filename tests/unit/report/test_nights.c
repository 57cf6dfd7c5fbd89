/* SPDX-License-Identifier: MIT */
/* Tests src/report/nights.c: which nights, groups and measures of a history a report shows. */
#include "nights_example.h"

START_TEST(a_step_is_found_between_the_nights_of_this_sweep)
{
    struct nights_example *example = nights_example_make(2);
    nights_example_add(example, "2026-11-01", 0.1);
    nights_example_add(example, "2026-11-02", 0.1);
    nights_example_add(example, "2026-11-03", 0.9)->name = "other";
    nights_example_add(example, "2026-11-04", 0.3);
    nights_example_add(example, "2026-11-05", 0.3);
    const struct nights *nights = nights_example_choose(example);
    ck_assert_uint_eq(nights->total, 4);
    ck_assert_uint_eq(nights->shown.count, 4);
    ck_assert_uint_eq(nights->steps.count, 1);
    ck_assert_str_eq(nights->steps.items[0].date, "2026-11-04");
    ck_assert_uint_eq(nights->steps.items[0].night, 2); /* of this sweep */
    ck_assert_str_eq(nights->steps.items[0].where, "d_k=16");
    assert_near(nights_value(nights, 0, 1, 1), 0.1, 0);
    assert_near(nights_value(nights, 0, 1, 2), 0.3, 0);
    assert_near(nights_value(nights, 0, 0, 2), 0.1, 0);
    nights_example_end(example);
}
END_TEST

START_TEST(tolerances_decide_what_is_a_step)
{
    struct nights_example *example = nights_example_make(2);
    /* for d_k = 16 alone: the rule is met by the run behind the report's group */
    const double sixteen = 16;
    const struct tolerance_condition condition = {RUN_D_K, 1, &sixteen, NULL};
    const struct tolerance_rule rule = {TOLERANCE_EVERY, 0.5, 0, &condition, 1};
    nights_example_add(example, "2026-11-01", 0.1);
    nights_example_add(example, "2026-11-02", 0.3);
    nights_example_add(example, "2026-11-03", 0.3);
    ck_assert_uint_eq(nights_example_choose(example)->steps.count, 1);
    example->tolerances = (struct tolerance_set){&rule, 1};
    ck_assert_uint_eq(nights_example_choose(example)->steps.count, 0);
    nights_example_end(example);
}
END_TEST

START_TEST(the_last_night_is_compared_with_the_results)
{
    struct nights_example *example = nights_example_make(2);
    nights_example_add(example, "2026-11-01", 0.3);
    ck_assert(!nights_example_choose(example)->current);
    nights_example_add(example, "2026-11-02", 0.1);
    ck_assert(nights_example_choose(example)->current);
    nights_example_end(example);
}
END_TEST

START_TEST(a_sweep_without_nights_or_common_groups_has_nothing_to_draw)
{
    struct nights_example *example = nights_example_make(2);
    ck_assert_uint_eq(nights_example_choose(example)->shown.count, 0);
    ck_assert_uint_eq(example->made.measure_count, 0);
    nights_example_add(example, "2026-11-01", 0.1)->group_count = 0;
    ck_assert_uint_eq(nights_example_choose(example)->shown.count, 1);
    ck_assert_uint_eq(example->made.groups, 0);
    ck_assert_uint_eq(example->made.measure_count, 0);
    nights_example_end(example);
}
END_TEST

START_TEST(the_latest_nights_are_shown)
{
    struct nights_example *example = nights_example_make(2);
    for (size_t n = 0; n < NIGHTS_LIMIT + 5; n++) {
        nights_example_add(example, n == 5 ? "2026-01-06" : "2026-02-02", 0.1);
    }
    const struct nights *nights = nights_example_choose(example);
    ck_assert_uint_eq(nights->total, NIGHTS_LIMIT + 5);
    ck_assert_uint_eq(nights->shown.count, NIGHTS_LIMIT);
    ck_assert_str_eq(nights->shown.nights[0].date, "2026-01-06");
    nights_example_end(example);
}
END_TEST

/* Of twelve groups the last one stepped: it takes the place of the eighth. */
START_TEST(groups_and_measures_that_stepped_are_drawn_before_others)
{
    struct nights_example *example = nights_example_make(12);
    for (int n = 0; n < 4; n++) {
        nights_example_add(example, "2026-11-01", n < 2 ? 0.1 : 0.3);
        double *last = nights_example_means(example, 11);
        for (int m = MEASURE_INPUT_STD; m <= MEASURE_SATURATED_ROWS; m++) {
            last[m] = n < 2 ? 0.1 : 0.3;
        }
    }
    const struct nights *nights = nights_example_choose(example);
    ck_assert_uint_eq(nights->groups, 12);
    ck_assert_uint_eq(nights->line_count, NIGHTS_LINES);
    ck_assert_str_eq(nights->lines[6], "d_k=56");
    ck_assert_str_eq(nights->lines[7], "d_k=96");
    static const int wanted[NIGHTS_MEASURES] = {
        MEASURE_ROW_MAX_MEAN,   MEASURE_JACOBIAN_NORM_MEAN, MEASURE_SCORE_STD,
        MEASURE_SATURATED_ROWS, MEASURE_GRADIENT_WQ,        MEASURE_ENTROPY_NORMALISED_MEAN};
    ck_assert_uint_eq(nights->measure_count, NIGHTS_MEASURES);
    for (size_t m = 0; m < NIGHTS_MEASURES; m++) {
        ck_assert_int_eq(nights->measures[m], wanted[m]);
    }
    nights_example_end(example);
}
END_TEST

START_TEST(quiet_nights_draw_three_measures_and_those_with_a_mean_only)
{
    struct nights_example *example = nights_example_make(2);
    nights_example_add(example, "2026-11-01", 0.1);
    ck_assert_uint_eq(nights_example_choose(example)->measure_count, 3);
    for (size_t g = 0; g < 2; g++) {
        double *group = nights_example_means(example, g);
        group[MEASURE_JACOBIAN_NORM_MEAN] = (double)NAN;
    }
    ck_assert_uint_eq(nights_example_choose(example)->measure_count, 2);
    ck_assert_int_eq(example->made.measures[1], MEASURE_SCORE_STD);
    nights_example_end(example);
}
END_TEST

START_TEST(a_night_is_marked_by_what_its_check_found)
{
    ck_assert_int_eq(nights_mark(&(struct history_night){.verdict = "pass"}), NIGHT_PASS);
    ck_assert_int_eq(nights_mark(&(struct history_night){.verdict = "pass", .improvements = 1}),
                     NIGHT_IMPROVED);
    ck_assert_int_eq(nights_mark(&(struct history_night){
                         .verdict = "fail", .regressions = 1, .improvements = 1}),
                     NIGHT_REGRESSION);
    ck_assert_int_eq(nights_mark(&(struct history_night){.verdict = "fail"}), NIGHT_STRICT);
    ck_assert_int_eq(nights_mark(&(struct history_night){.verdict = "nothing compared"}),
                     NIGHT_NOT_COMPARED);
}
END_TEST

START_TEST(numbers_have_the_digits_that_tell_them_apart)
{
    char numbers[2][NIGHTS_NUMBER_SIZE];
    nights_numbers(0.43512, 0.52184, numbers);
    ck_assert_str_eq(numbers[0], "0.4351");
    ck_assert_str_eq(numbers[1], "0.5218");
    nights_numbers(1, 1.000001, numbers);
    ck_assert_str_eq(numbers[0], "1");
    ck_assert_str_eq(numbers[1], "1.000001");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nights");
    TCase *cases = tcase_create("choice");
    tcase_add_test(cases, a_step_is_found_between_the_nights_of_this_sweep);
    tcase_add_test(cases, tolerances_decide_what_is_a_step);
    tcase_add_test(cases, the_last_night_is_compared_with_the_results);
    tcase_add_test(cases, a_sweep_without_nights_or_common_groups_has_nothing_to_draw);
    tcase_add_test(cases, the_latest_nights_are_shown);
    tcase_add_test(cases, groups_and_measures_that_stepped_are_drawn_before_others);
    tcase_add_test(cases, quiet_nights_draw_three_measures_and_those_with_a_mean_only);
    tcase_add_test(cases, a_night_is_marked_by_what_its_check_found);
    tcase_add_test(cases, numbers_have_the_digits_that_tell_them_apart);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
