/* SPDX-License-Identifier: MIT */
/* Exclude rules and kept matrices. */
#include "sweep_support.h"

#define GRID CORPUS_HEAD "grid: {seed: {from: 1, to: 4}, guards: all}\n"

START_TEST(a_rule_takes_away_the_runs_that_meet_all_its_conditions)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, GRID "exclude:\n  - {seed: [2, 3], guard_norm: on}\n");
    ck_assert_uint_eq(test.plan.points, 32);
    ck_assert_uint_eq(test.plan.count, 24);
    ck_assert_uint_eq(test.plan.rule_count, 1);
    ck_assert_str_eq(test.plan.rules[0].text, "exclude seed=[2, 3] guard_norm=on");
    ck_assert_uint_eq(test.plan.rules[0].excluded, 8);
    for (size_t i = 0; i < test.plan.count; i++) {
        const struct run *run = run_at(&test.plan, i);
        ck_assert(!(run->guard_norm && (run->seed == 2 || run->seed == 3)));
    }
    case_release(&test);
}
END_TEST

START_TEST(rules_are_listed_in_order_and_a_rule_without_a_run_shows_zero)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, GRID "exclude:\n  - {seed: 1}\n  - {guards: [none, init]}\n"
                          "  - {corpus: other}\n  - {window: 5, seed: {from: 3, to: 9}}\n");
    ck_assert_uint_eq(test.plan.rule_count, 4);
    ck_assert_uint_eq(test.plan.rules[0].excluded, 8);
    ck_assert_uint_eq(test.plan.rules[1].excluded, 6);
    ck_assert_uint_eq(test.plan.rules[2].excluded, 0);
    ck_assert_str_eq(test.plan.rules[2].text, "exclude corpus=other");
    ck_assert_uint_eq(test.plan.rules[3].excluded, 12);
    ck_assert_uint_eq(test.plan.count, 6);
    case_release(&test);
}
END_TEST

START_TEST(a_single_map_is_a_list_of_one_rule)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, GRID "exclude: {seed: 4}\n");
    ck_assert_uint_eq(test.plan.count, 24);
    case_release(&test);
}
END_TEST

START_TEST(long_conditions_are_cut_in_the_rule_text)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, GRID "exclude: {seed: [9, 8, 7, 6, 5, 4, 3, 2]}\n");
    ck_assert_str_eq(test.plan.rules[0].text, "exclude seed=[9, 8, 7, 6, 5, 4, ...]");
    ck_assert_uint_eq(test.plan.rules[0].excluded, 24);
    case_release(&test);
}
END_TEST

START_TEST(a_condition_of_a_million_seeds_is_searched_quickly)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, GAUSSIAN_HEAD "grid: {seed: {from: 1, to: 200000}}\n"
                                   "exclude: {seed: {from: 2, to: 1000000}}\n");
    ck_assert_uint_eq(test.plan.count, 1);
    ck_assert_uint_eq(test.plan.rules[0].excluded, 199999);
    case_release(&test);
}
END_TEST

START_TEST(rules_are_checked_like_settings)
{
    assert_refused(GRID "exclude: [{sead: 1}]\n", "s.yaml:4:12: unknown field 'sead'");
    assert_refused(GRID "exclude: [{seed: x}]\n", "s.yaml:4:18: seed: 'x' is not a decimal");
    assert_refused(GRID "exclude: [{}]\n", "s.yaml:4:11: exclude: a rule is a map of conditions");
    assert_refused(GRID "exclude: [seed]\n", "found a text");
    assert_refused(GRID "exclude:\n", "found nothing");
}
END_TEST

START_TEST(no_run_left_is_an_error)
{
    struct sweep_case test = CASE_INIT;
    assert_ok(case_read(&test, GRID "exclude: {corpus: demo}\n", NULL, 0), test.err);
    ck_assert(!plan_make(&test.sweep, 100, &test.arena, &test.plan, &test.err));
    assert_error(test.err, ERROR_INPUT, "s.yaml: no run is left; the rules exclude all 32");
    case_release(&test);
}
END_TEST

START_TEST(matrices_are_kept_of_all_runs)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, GRID "keep: [scores, weights]\n");
    for (size_t i = 0; i < 32; i++) {
        ck_assert_uint_eq(test.plan.keep[i], PLAN_KEEP_SCORES | PLAN_KEEP_WEIGHTS);
    }
    case_release(&test);
    test = (struct sweep_case)CASE_INIT;
    case_plan(&test, GRID "keep: weights\n");
    ck_assert_uint_eq(test.plan.keep[31], PLAN_KEEP_WEIGHTS);
    case_release(&test);
}
END_TEST

START_TEST(matrices_are_kept_where_the_conditions_hold)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, GRID "keep: {matrices: [scores], where: {seed: [1, 2], guards: none}}\n");
    for (size_t i = 0; i < 32; i++) {
        const struct run *run = run_at(&test.plan, i);
        bool kept = run->seed <= 2 && run_guards_mask(run) == 0;
        ck_assert_uint_eq(test.plan.keep[i], kept ? PLAN_KEEP_SCORES : 0);
    }
    case_release(&test);
}
END_TEST

START_TEST(nothing_is_kept_unless_asked)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, GRID);
    ck_assert_uint_eq(test.plan.keep[0], 0);
    case_release(&test);
    test = (struct sweep_case)CASE_INIT;
    case_plan(&test, GRID "keep: none\n");
    ck_assert_uint_eq(test.plan.keep[0], 0);
    case_release(&test);
}
END_TEST

START_TEST(keep_is_checked)
{
    assert_refused(GRID "keep: [score]\n", "s.yaml:4:8: keep: 'score' is no matrix");
    assert_refused(GRID "keep: []\n",
                   "keep: the list names no matrix; to keep none write keep: none");
    assert_refused(GRID "keep: [none, scores]\n", "s.yaml:4:8: keep: 'none' is no matrix");
    assert_refused(GRID "keep: ~\n", "s.yaml:4:7: keep: empty value");
    assert_refused(GRID "keep: {where: {seed: 1}}\n", "keep: 'matrices' is missing");
    assert_refused(GRID "keep: {matrices: scores, when: {}}\n", "s.yaml:4:26: unknown key 'when'");
    assert_refused(GRID "keep: {matrices: scores, where: [seed]}\n", "a map of conditions wanted");
    assert_refused(GRID "keep: {matrices: scores, where: {sed: 1}}\n", "did you mean 'seed'?");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/rules");
    TCase *tests = tcase_create("rules");
    tcase_add_test(tests, a_rule_takes_away_the_runs_that_meet_all_its_conditions);
    tcase_add_test(tests, rules_are_listed_in_order_and_a_rule_without_a_run_shows_zero);
    tcase_add_test(tests, a_single_map_is_a_list_of_one_rule);
    tcase_add_test(tests, long_conditions_are_cut_in_the_rule_text);
    tcase_add_test(tests, a_condition_of_a_million_seeds_is_searched_quickly);
    tcase_add_test(tests, rules_are_checked_like_settings);
    tcase_add_test(tests, no_run_left_is_an_error);
    tcase_add_test(tests, matrices_are_kept_of_all_runs);
    tcase_add_test(tests, matrices_are_kept_where_the_conditions_hold);
    tcase_add_test(tests, nothing_is_kept_unless_asked);
    tcase_add_test(tests, keep_is_checked);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
