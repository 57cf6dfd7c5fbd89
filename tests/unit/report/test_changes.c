/* SPDX-License-Identifier: MIT */
/* Tests src/report/changes.c: what moved between two results sets. */
#include "changes_example.h"

/* Adds these differences to the mean row-max of d_k = 16 in the second set. */
static void move(struct changes_example *example, double first, double second, double third)
{
    const double differences[] = {first, second, third};
    for (size_t i = 0; i < CHANGES_EXAMPLE_SEEDS; i++) {
        example->rows[1][3 + i].measurement.row_max_mean = 0.5 + differences[i];
    }
}

static enum change_kind kind_of(struct changes_example *example, size_t group)
{
    return changes_of(changes_example_compare(example), group, MEASURE_ROW_MAX_MEAN)->kind;
}

START_TEST(equal_sets_have_not_moved)
{
    struct changes_example *example = changes_example_make();
    example->rows[0][1].measurement.entropy_mean = (double)NAN;
    example->rows[1][1].measurement.entropy_mean = (double)NAN;
    const struct changes *changes = changes_example_compare(example);
    ck_assert_uint_eq(changes->identical, 6);
    ck_assert_uint_eq(changes->within + changes->moved + changes->turned, 0);
    ck_assert_uint_eq(changes_count(changes, MEASURE_ROW_MAX_MEAN, CHANGE_NONE, 0), 2);
    ck_assert_uint_eq(changes_count(changes, MEASURE_ENTROPY_MEAN, CHANGE_NONE, 0), 2);
    ck_assert_uint_eq(changes->verdicts[SATURATION_NO][SATURATION_NO], 2);
    changes_example_end(example);
}
END_TEST

/* t(0.975, 2) = 4.30265; differences 0.2, 0.3, 0.4 have mean 0.3 and standard deviation 0.1, so a
 * half width of 4.30265 * 0.1 / sqrt(3) = 0.248414: clear of 0. With 0.1, 0.2, 0.3 it is not. */
START_TEST(a_mean_moves_when_the_paired_interval_leaves_out_zero)
{
    struct changes_example *example = changes_example_make();
    move(example, 0.2, 0.3, 0.4);
    ck_assert_int_eq(kind_of(example, 1), CHANGE_MOVED);
    const struct estimate *difference =
        &changes_of(&example->made, 1, MEASURE_ROW_MAX_MEAN)->difference;
    ck_assert_uint_eq(difference->count, 3);
    assert_within(difference->mean, 0.3, 1e-15);
    assert_within(difference->half_width, 0.248414, 2e-5);
    assert_within(changes_size(&example->made, 1, MEASURE_ROW_MAX_MEAN), 0.3, 1e-15);
    changes_example_end(example);
}
END_TEST

START_TEST(settings_and_runs_that_moved_are_counted)
{
    struct changes_example *example = changes_example_make();
    move(example, 0.2, 0.3, 0.4);
    const struct changes *changes = changes_example_compare(example);
    ck_assert_uint_eq(changes_count(changes, MEASURE_ROW_MAX_MEAN, CHANGE_MOVED, 1), 1);
    ck_assert_uint_eq(changes_count(changes, MEASURE_ROW_MAX_MEAN, CHANGE_MOVED, -1), 0);
    ck_assert_uint_eq(changes_count(changes, MEASURE_ROW_MAX_MEAN, CHANGE_NONE, 0), 1);
    ck_assert_uint_eq(changes->moved, 3);
    ck_assert_uint_eq(changes->identical, 3);
    move(example, 0.1, 0.2, 0.3);
    ck_assert_int_eq(kind_of(example, 1), CHANGE_SCATTERED);
    ck_assert_uint_eq(example->made.moved, 3); /* the runs did all the same */
    changes_example_end(example);
}
END_TEST

/* The default tolerance of row-max is 1e-10 + 1e-8 * 0.5 = 5.1e-9. */
START_TEST(what_stays_within_the_tolerance_has_not_moved)
{
    struct changes_example *example = changes_example_make();
    move(example, 5e-9, 5e-9, 5e-9);
    ck_assert_int_eq(kind_of(example, 1), CHANGE_WITHIN);
    ck_assert_uint_eq(example->made.within, 3);
    move(example, 6e-9, 6e-9, 6e-9);
    ck_assert_int_eq(kind_of(example, 1), CHANGE_MOVED);
    const struct tolerance_rule rule = {MEASURE_ROW_MAX_MEAN, 1e-8, 0, NULL, 0};
    const struct tolerance_set rules = {&rule, 1};
    assert_ok(changes_make(example->sides, &rules, &example->arena, &example->made, &example->err),
              example->err);
    ck_assert_int_eq(changes_of(&example->made, 1, MEASURE_ROW_MAX_MEAN)->kind, CHANGE_WITHIN);
    changes_example_end(example);
}
END_TEST

/* Relative to the larger mean: 2 to 8 is 6 of 8. */
START_TEST(sizes_are_relative_unless_the_measure_is_a_share)
{
    struct changes_example *example = changes_example_make();
    for (size_t i = 0; i < 3; i++) {
        example->rows[1][i].measurement.score_std = 8;
    }
    const struct changes *changes = changes_example_compare(example);
    assert_near(changes_size(changes, 0, MEASURE_SCORE_STD), 0.75, 1e-15);
    example->rows[1][0].measurement.score_std = (double)NAN;
    changes = changes_example_compare(example);
    ck_assert_int_eq(changes_of(changes, 0, MEASURE_SCORE_STD)->kind, CHANGE_MOVED);
    ck_assert(isinf(changes_size(changes, 0, MEASURE_SCORE_STD)));
    changes_example_end(example);
}
END_TEST

START_TEST(verdicts_are_counted_by_both_sides)
{
    struct changes_example *example = changes_example_make();
    move(example, 0.45, 0.45, 0.45); /* to 0.95, above the threshold of 0.9 */
    const struct changes *changes = changes_example_compare(example);
    ck_assert_uint_eq(changes->turned, 1);
    ck_assert_uint_eq(changes->verdicts[SATURATION_NO][SATURATION_YES], 1);
    ck_assert_uint_eq(changes->verdicts[SATURATION_NO][SATURATION_NO], 1);
    changes_example_end(example);
}
END_TEST

/* A threshold of 0.4 in the second file alone: means of 0.5 reach it there. */
START_TEST(each_file_is_judged_by_its_own_threshold)
{
    struct changes_example *example = changes_example_make();
    for (size_t i = 0; i < CHANGES_EXAMPLE_ROWS; i++) {
        example->rows[1][i].run.saturation_row_max = 0.4;
        example->rows[1][i].key += 1000;
    }
    const struct changes *changes = changes_example_compare(example);
    ck_assert_uint_eq(changes->pairs.held, UINT64_C(1) << RUN_SATURATION_ROW_MAX);
    ck_assert_uint_eq(changes->verdicts[SATURATION_NO][SATURATION_YES], 2);
    changes_example_end(example);
}
END_TEST

START_TEST(runs_that_failed_or_stand_alone_are_counted_and_left_out)
{
    struct changes_example *example = changes_example_make();
    example->rows[0][0].status = RESULT_FAILED;
    example->rows[1][1].status = RESULT_FAILED;
    example->rows[0][2].status = RESULT_FAILED;
    example->rows[1][2].status = RESULT_FAILED;
    example->rows[1][5].run.seed = 9;
    example->rows[1][5].key = 999;
    example->rows[0][4].index = -1;
    const struct changes *changes = changes_example_compare(example);
    ck_assert_uint_eq(changes->failed_in[0], 1);
    ck_assert_uint_eq(changes->failed_in[1], 1);
    ck_assert_uint_eq(changes->failed_in_both, 1);
    ck_assert_uint_eq(changes->alone[0], 1); /* seed 3 of d_k = 16 */
    ck_assert_uint_eq(changes->alone[1], 2); /* its seed 9, and seed 2, stale in the first */
    ck_assert_uint_eq(changes->beyond[0], 1);
    ck_assert_uint_eq(changes->compared, 1);
    ck_assert_uint_eq(changes->summaries[1].group_count, 1);
    changes_example_end(example);
}
END_TEST

START_TEST(measures_that_one_file_lacks_are_not_compared)
{
    struct changes_example *example = changes_example_make();
    example->sets[0].lacking = UINT64_C(1) << MEASURE_ROW_MAX_MEDIAN;
    example->rows[1][0].measurement.row_max_median = 0.7;
    const struct changes *changes = changes_example_compare(example);
    ck_assert(!changes_knows(changes, MEASURE_ROW_MAX_MEDIAN));
    ck_assert_uint_eq(changes->identical, 6);
    changes_example_end(example);
}
END_TEST

START_TEST(sweeps_without_a_common_run_are_refused_with_what_differs)
{
    struct changes_example *example = changes_example_make();
    for (size_t i = 0; i < CHANGES_EXAMPLE_ROWS; i++) {
        example->rows[1][i].run.seed += 10;
        example->rows[1][i].key += 1000;
    }
    ck_assert(!changes_make(example->sides, NULL, &example->arena, &example->made, &example->err));
    assert_error(example->err, ERROR_INPUT, "'monday.h5' and 'tuesday.h5' have no run in common");
    assert_error(example->err, ERROR_INPUT, "seed is 1–3 in the first and 11–13 in the second");
    changes_example_end(example);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("changes");
    TCase *cases = tcase_create("comparison");
    tcase_add_test(cases, equal_sets_have_not_moved);
    tcase_add_test(cases, a_mean_moves_when_the_paired_interval_leaves_out_zero);
    tcase_add_test(cases, settings_and_runs_that_moved_are_counted);
    tcase_add_test(cases, what_stays_within_the_tolerance_has_not_moved);
    tcase_add_test(cases, sizes_are_relative_unless_the_measure_is_a_share);
    tcase_add_test(cases, verdicts_are_counted_by_both_sides);
    tcase_add_test(cases, each_file_is_judged_by_its_own_threshold);
    tcase_add_test(cases, runs_that_failed_or_stand_alone_are_counted_and_left_out);
    tcase_add_test(cases, measures_that_one_file_lacks_are_not_compared);
    tcase_add_test(cases, sweeps_without_a_common_run_are_refused_with_what_differs);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
