/* SPDX-License-Identifier: MIT */
/* The axes as a plan lists them. */
#include "sweep_support.h"

static void assert_axis(const struct sweep_case *test, size_t index, const char *name,
                        size_t values)
{
    ck_assert_uint_lt(index, test->plan.axis_count);
    ck_assert_str_eq(test->plan.axes[index].name, name);
    ck_assert_uint_eq(test->plan.axes[index].values, values);
}

START_TEST(an_axis_of_several_grids_is_listed_once_with_its_distinct_values)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD "grid:\n  - {seed: [1, 2, 2], guards: all}\n"
                                 "  - {d_k: [8], seed: [2, 3]}\n");
    ck_assert_uint_eq(test.plan.axis_count, 3);
    assert_axis(&test, 0, "seed", 3);
    assert_axis(&test, 1, "guards", 8);
    assert_axis(&test, 2, "d_k", 1);
    case_release(&test);
}
END_TEST

START_TEST(a_zip_is_one_axis_and_counts_distinct_pairs)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD "zip: {d_model: [8, 8, 8], d_k: [2, 4, 2]}\n"
                                 "grid: {seed: [1, 2]}\n");
    ck_assert_uint_eq(test.plan.axis_count, 2);
    assert_axis(&test, 0, "d_model,d_k", 2);
    assert_axis(&test, 1, "seed", 2);
    ck_assert_uint_eq(test.plan.count, 4);
    case_release(&test);
}
END_TEST

START_TEST(fixed_values_are_no_axes)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD "grid: {window: 5}\nsaturation: {row_max: 0.5}\n");
    ck_assert_uint_eq(test.plan.axis_count, 1);
    assert_axis(&test, 0, "window", 1);
    case_release(&test);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/axes");
    TCase *tests = tcase_create("axes");
    tcase_add_test(tests, an_axis_of_several_grids_is_listed_once_with_its_distinct_values);
    tcase_add_test(tests, a_zip_is_one_axis_and_counts_distinct_pairs);
    tcase_add_test(tests, fixed_values_are_no_axes);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
