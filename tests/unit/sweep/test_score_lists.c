/* SPDX-License-Identifier: MIT */
/* Scores in a sweep: a list is a row, a list of lists one value, deeper lists an axis. */
#include "sweep_support.h"

#include <stdio.h>

#define SCORES_HEAD "rowmax: 1\nfixed: {source: scores}\ngrid:\n"

static void plan_scores(struct sweep_case *test, const char *grid)
{
    char text[512];
    snprintf(text, sizeof text, SCORES_HEAD "  %s\n", grid);
    case_plan(test, text);
}

static void refuse_scores(const char *grid, const char *message)
{
    char text[512];
    snprintf(text, sizeof text, SCORES_HEAD "  %s\n", grid);
    assert_refused(text, message);
}

START_TEST(a_list_is_one_value_in_one_spelling)
{
    static const struct {
        const char *grid, *scores;
    } cases[] = {{"scores: [2, 1, .1]", "2,1,0.1"},
                 {"scores: [[2, 1], [0.0, -.inf]]", "2,1;0,-inf"},
                 {"scores: [[5]]", "5"},
                 {"scores: -3e0", "-3"},
                 {"scores: '2 1; 3 4'", "2,1;3,4"},
                 {"scores:\n    - [1, 2]\n    - [3, 4]", "1,2;3,4"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sweep_case test = CASE_INIT;
        plan_scores(&test, cases[i].grid);
        ck_assert_uint_eq(test.plan.count, 1);
        ck_assert_str_eq(run_at(&test.plan, 0)->scores, cases[i].scores);
        case_release(&test);
    }
}
END_TEST

START_TEST(a_list_of_values_is_an_axis)
{
    struct sweep_case test = CASE_INIT;
    plan_scores(&test, "scores: [[[1, 2]], [[3, 4], [5, 6]], [[1.0, 2.0]]]");
    ck_assert_uint_eq(test.plan.points, 3);
    ck_assert_uint_eq(test.plan.count, 2);
    ck_assert_str_eq(run_at(&test.plan, 1)->scores, "3,4;5,6");
    case_release(&test);
    test = (struct sweep_case)CASE_INIT;
    case_plan(&test, "rowmax: 1\nfixed: {source: scores}\n"
                     "zip: {scores: [[[1, 2]], [[3, 4]]], score_factor: [1, -2]}\n");
    ck_assert_uint_eq(test.plan.count, 2);
    ck_assert_str_eq(run_at(&test.plan, 1)->scores, "3,4");
    ck_assert(run_at(&test.plan, 1)->score_factor == -2);
    case_release(&test);
}
END_TEST

START_TEST(conditions_know_a_value_by_its_numbers)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, SCORES_HEAD "  scores: [[[1, 2]], [[3, 4]], [[5, 6]]]\n"
                                 "exclude: [{scores: [1.0, 2.0]}, {scores: [[[5, 6]], [[7]]]}]\n");
    ck_assert_uint_eq(test.plan.count, 1);
    ck_assert_str_eq(run_at(&test.plan, 0)->scores, "3,4");
    ck_assert_str_eq(test.plan.rules[0].text, "exclude scores=[1.0, 2.0]");
    case_release(&test);
}
END_TEST

START_TEST(a_set_takes_both_forms)
{
    static const char *const sets[] = {"scores=4,5", "scores=[[4, 5]]"};
    for (size_t i = 0; i < 2; i++) {
        struct sweep_case test = CASE_INIT;
        case_plan_sets(&test, SCORES_HEAD "  scores: [1, 2]\n", &sets[i], 1);
        ck_assert_uint_eq(test.plan.count, 1);
        ck_assert_str_eq(run_at(&test.plan, 0)->scores, "4,5");
        case_release(&test);
    }
}
END_TEST

START_TEST(faults_are_told_where_they_stand)
{
    refuse_scores("scores: [1, x]", "s.yaml:4:15: scores: 'x' is no score");
    refuse_scores("scores: [[1, 2], [3, .inf]]", "s.yaml:4:24: scores: '.inf' is no score");
    refuse_scores("scores: ['1', 2]", "s.yaml:4:12: scores: a number in quotes is a text");
    refuse_scores("scores:\n    - 1 2\n    - 3", "s.yaml:5:7: scores: one number wanted");
    refuse_scores("scores: [1, ~]", "s.yaml:4:15: scores: empty value");
    refuse_scores("scores: [1, [2]]", "s.yaml:4:15: scores: one value wanted, found a list");
    refuse_scores("scores: [[1], 2]", "s.yaml:4:17: scores: a row wanted, such as [2, 1, 0.1]");
    refuse_scores("scores: [[[1]], 2]", "s.yaml:4:19: scores: a list of rows wanted");
    refuse_scores("scores: [[1, 2], [3]]", "s.yaml:4:11: scores: rows of scores differ in length");
    refuse_scores("scores: [[1], []]", "s.yaml:4:17: scores: a row of scores is empty");
    refuse_scores("scores: []", "s.yaml:4:11: scores: a row of scores is empty");
    refuse_scores("scores: {from: 1, to: 2}", "scores: a range needs a number field");
    refuse_scores("scores: [[[[1]]]]", "scores: one value wanted, found a list");
    assert_refused("rowmax: 1\nfixed: {source: scores, scores: [[[1]], [[2]]]}\n",
                   "s.yaml:2:33: scores: one value wanted, a row or a list of rows");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/score_lists");
    TCase *tests = tcase_create("score lists");
    tcase_add_test(tests, a_list_is_one_value_in_one_spelling);
    tcase_add_test(tests, a_list_of_values_is_an_axis);
    tcase_add_test(tests, conditions_know_a_value_by_its_numbers);
    tcase_add_test(tests, a_set_takes_both_forms);
    tcase_add_test(tests, faults_are_told_where_they_stand);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
