/* SPDX-License-Identifier: MIT */
/* Tests src/report/panel_choice.c: when there is a panel, and what it offers. */
#include "panel_example.h"

static struct arena arena;

START_TEST(the_main_sweep_offers_corpora_guards_and_the_seeds_that_keep_weights)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 4);
    panel_example_choose(&example, &set, &arena);
    ck_assert_ptr_null(example.choice.lack);
    ck_assert_int_eq(example.choice.trend->field, RUN_CORPUS);
    ck_assert_uint_eq(example.choice.guards->count, 8);
    ck_assert_uint_eq(example.choice.seed_count, 1);
    ck_assert_int_eq(example.choice.seeds[0], 1);
}
END_TEST

START_TEST(without_weights_the_report_says_what_keeps_them)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 1);
    struct result *rows = panel_example_own(&set, &arena);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].kept.weights = NULL;
    }
    panel_example_choose(&example, &set, &arena);
    ck_assert_ptr_nonnull(
        strstr(example.choice.lack, "`keep: {matrices: [weights], where: {seed: 1}}`"));
}
END_TEST

START_TEST(without_switched_guards_the_report_says_what_switches_them)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 1);
    struct result *rows = panel_example_own(&set, &arena);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.guard_init = rows[i].run.guard_scale = rows[i].run.guard_norm = true;
    }
    panel_example_choose(&example, &set, &arena);
    ck_assert_ptr_nonnull(strstr(example.choice.lack, "`guards: all`"));
}
END_TEST

/* A sweep may store few measures; of those that are shown only the row-max has to be there. */
START_TEST(without_row_max_the_report_says_what_stores_it)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 1);
    set.lacking = UINT64_C(1) << MEASURE_SCORE_STD;
    panel_example_choose(&example, &set, &arena);
    ck_assert_ptr_null(example.choice.lack);
    set.lacking = UINT64_C(1) << MEASURE_ROW_MAX_MEAN;
    panel_example_choose(&example, &set, &arena);
    ck_assert_ptr_nonnull(strstr(example.choice.lack, "`row_max_mean` among the `measures`"));
}
END_TEST

START_TEST(weights_of_failed_runs_and_of_runs_outside_the_plan_do_not_count)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 1);
    struct result *rows = panel_example_own(&set, &arena);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].status = i % 2 == 0 ? RESULT_FAILED : RESULT_OK;
        rows[i].index = i % 2 == 0 ? (int64_t)i : -1;
    }
    panel_example_choose(&example, &set, &arena);
    ck_assert_ptr_nonnull(example.choice.lack);
}
END_TEST

/* Gaussian input without any axis but the guards. */
START_TEST(a_sweep_of_guards_alone_has_a_panel_without_an_axis)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 1);
    set.count = EXAMPLE_GUARDS;
    panel_example_choose(&example, &set, &arena);
    ck_assert_ptr_null(example.choice.lack);
    ck_assert_ptr_null(example.choice.trend);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("panel_choice");
    tcase_add_test(all, the_main_sweep_offers_corpora_guards_and_the_seeds_that_keep_weights);
    tcase_add_test(all, without_weights_the_report_says_what_keeps_them);
    tcase_add_test(all, without_switched_guards_the_report_says_what_switches_them);
    tcase_add_test(all, without_row_max_the_report_says_what_stores_it);
    tcase_add_test(all, weights_of_failed_runs_and_of_runs_outside_the_plan_do_not_count);
    tcase_add_test(all, a_sweep_of_guards_alone_has_a_panel_without_an_axis);
    Suite *suite = suite_create("report.panel_choice");
    suite_add_tcase(suite, all);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
