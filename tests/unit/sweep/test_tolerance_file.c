/* SPDX-License-Identifier: MIT */
/* sweep/tolerance_file: tolerance files to rules, and every way to get one wrong. */
#include "support.h"
#include "sweep/tolerance_file.h"

#include <string.h>

struct tolerance_case {
    struct arena arena;
    struct error err;
    struct tolerance_set set;
};

static bool parse(struct tolerance_case *test, const char *text)
{
    return tolerance_parse("t.yaml", text, strlen(text), &test->arena, &test->set, &test->err);
}

static void assert_refused(const char *text, const char *message)
{
    struct tolerance_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    ck_assert_msg(!parse(&test, text), "accepted: %s", text);
    assert_error(test.err, ERROR_INPUT, message);
    arena_release(&test.arena);
}

START_TEST(a_measure_has_one_rule_or_a_list_and_default_stands_for_the_others)
{
    struct tolerance_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    assert_ok(parse(&test,
                    "row_max_mean: {atol: 1e-6, rtol: 0}\n"
                    "gradient_wq:\n"
                    "  - {rtol: 1e-6}\n"
                    "  - {rtol: 0.5, where: {precision: [fp16, bf16], seed: {from: 2, to: 3}}}\n"
                    "default: {atol: 3}\n"),
              test.err);
    ck_assert_uint_eq(test.set.count, 4);
    ck_assert_int_eq(test.set.rules[0].measure, MEASURE_ROW_MAX_MEAN);
    assert_near(test.set.rules[0].atol, 1e-6, 0);
    assert_near(test.set.rules[0].rtol, 0, 0);
    ck_assert(isnan(test.set.rules[1].atol));
    ck_assert_int_eq(test.set.rules[3].measure, TOLERANCE_EVERY);
    struct run run = run_default();
    assert_near(tolerance_of(&test.set, MEASURE_GRADIENT_WQ, &run).rtol, 1e-6, 0);
    run.precision = PRECISION_FP16;
    assert_near(tolerance_of(&test.set, MEASURE_GRADIENT_WQ, &run).rtol, 1e-6, 0);
    run.seed = 3;
    assert_near(tolerance_of(&test.set, MEASURE_GRADIENT_WQ, &run).rtol, 0.5, 0);
    assert_near(tolerance_of(&test.set, MEASURE_GRADIENT_WQ, &run).atol, 1e-10, 0);
    assert_near(tolerance_of(&test.set, MEASURE_GRADIENT_WK, &run).atol, 3, 0);
    arena_release(&test.arena);
}
END_TEST

START_TEST(conditions_may_be_texts_switches_and_guard_sets_in_any_order)
{
    struct tolerance_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    assert_ok(parse(&test, "score_std:\n"
                           "  - {rtol: 1, where: {guards: [init+scale, none]}}\n"
                           "  - {rtol: 2, where: {corpus: [kitchen, demo], guard_norm: on}}\n"
                           "  - {rtol: 3, where: {input_spread: [0.5, 2]}}\n"),
              test.err);
    struct run run = run_default();
    run.corpus = "demo";
    assert_near(tolerance_of(&test.set, MEASURE_SCORE_STD, &run).rtol, 1, 0);
    run.guard_init = run.guard_scale = true;
    assert_near(tolerance_of(&test.set, MEASURE_SCORE_STD, &run).rtol, 1, 0);
    run.guard_norm = true;
    assert_near(tolerance_of(&test.set, MEASURE_SCORE_STD, &run).rtol, 2, 0);
    run.corpus = "harbour";
    assert_near(tolerance_of(&test.set, MEASURE_SCORE_STD, &run).rtol, 1e-8, 0);
    run.input_spread = 0.5;
    assert_near(tolerance_of(&test.set, MEASURE_SCORE_STD, &run).rtol, 3, 0);
    arena_release(&test.arena);
}
END_TEST

START_TEST(an_empty_file_is_told_how_a_tolerance_file_begins)
{
    static const char *const texts[] = {"", "# only a comment\n", "---\n", "\xEF\xBB\xBF"};
    assert_refused(texts[0], "t.yaml:1:1: the file is empty; a tolerance file is a map of "
                             "measures, such as row_max_mean: {rtol: 1e-6}");
    for (size_t i = 0; i < 4; i++) {
        assert_refused(texts[i], "a tolerance file is a map of measures, such as row_max_mean");
    }
}
END_TEST

START_TEST(a_tolerance_that_would_disarm_the_check_is_refused)
{
    assert_refused("row_max_mean: {rtol: nan}", "t.yaml:1:22: rtol: 'nan' is no tolerance");
    assert_refused("row_max_mean: {rtol: .inf}", "'.inf' is no tolerance");
    assert_refused("row_max_mean: {atol: -1e-9}", "atol: '-1e-9' is no tolerance");
    assert_refused("row_max_mean: {atol: 1e999}", "'1e999' is no tolerance");
    assert_refused("row_max_mean: {atol: \"1\"}", "without quotes");
    assert_refused("row_max_mean: {atol: }", "atol: empty value");
}
END_TEST

START_TEST(unknown_names_come_with_a_suggestion)
{
    assert_refused("row_max_men: {rtol: 1}",
                   "t.yaml:1:1: unknown measure 'row_max_men'; did you mean 'row_max_mean'?");
    assert_refused("defalt: {rtol: 1}", "did you mean 'default'?");
    assert_refused("seed: {rtol: 1}", "'seed' is a field, not a measure");
    assert_refused("xyzzy: {rtol: 1}", "'rowmax fields' lists them");
    assert_refused("entropy_mean: {rtoll: 1}", "unknown key 'rtoll'; did you mean 'rtol'?");
    assert_refused("entropy_mean: {rtol: 1, where: {presision: fp16}}",
                   "unknown field 'presision'; did you mean 'precision'?");
    assert_refused("entropy_mean: {rtol: 1, where: {precision: fp15}}", "fp15");
}
END_TEST

START_TEST(what_is_no_rule_says_what_one_is)
{
    assert_refused("- 1", "a tolerance file is a map of measures");
    assert_refused("", "");
    assert_refused("entropy_mean: 1e-9", "a map such as {atol: 1e-9, rtol: 1e-6} wanted");
    assert_refused("entropy_mean: []", "the list has no rule");
    assert_refused("entropy_mean: [{where: {seed: 1}}]", "neither atol nor rtol is given");
    assert_refused("entropy_mean: {rtol: 1, where: {}}", "found an empty map");
    assert_refused("entropy_mean: {rtol: 1}\nentropy_mean: {rtol: 2}", "t.yaml:2:1:");
}
END_TEST

START_TEST(all_faults_come_at_once)
{
    struct tolerance_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    ck_assert(!parse(&test, "entropy_men: {rtol: 1}\nscore_std: {rtol: -1, atol: inf}\n"));
    const char *first = strstr(test.err.message, "t.yaml:1:1:");
    const char *second = strstr(test.err.message, "t.yaml:2:19:");
    const char *third = strstr(test.err.message, "t.yaml:2:29:");
    ck_assert_msg(first != NULL && second > first && third > second, "%s", test.err.message);
    arena_release(&test.arena);
}
END_TEST

START_TEST(the_rules_of_a_misspelt_measure_are_read_for_their_own_faults)
{
    struct tolerance_case test = {{NULL}, ERROR_INIT, {NULL, 0}};
    ck_assert(!parse(&test, "entropy_men: [{rtol: -1, where: {sed: 1}}, 7, {}]\nxyzzy: 7\n"));
    ck_assert_str_eq(test.err.message,
                     "t.yaml:1:1: unknown measure 'entropy_men'; did you mean 'entropy_mean'?\n"
                     "t.yaml:1:22: rtol: '-1' is no tolerance; write a finite number, 0 or larger\n"
                     "t.yaml:1:34: unknown field 'sed'; did you mean 'seed'?\n"
                     "t.yaml:1:44: entropy_men: a map such as {atol: 1e-9, rtol: 1e-6} wanted, "
                     "found a text\n"
                     "t.yaml:1:47: entropy_men: neither atol nor rtol is given\n"
                     "t.yaml:2:1: unknown measure 'xyzzy'; 'rowmax fields' lists them, and "
                     "'default' stands for all others");
    arena_release(&test.arena);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("tolerance_file");
    tcase_add_test(all, a_measure_has_one_rule_or_a_list_and_default_stands_for_the_others);
    tcase_add_test(all, conditions_may_be_texts_switches_and_guard_sets_in_any_order);
    tcase_add_test(all, an_empty_file_is_told_how_a_tolerance_file_begins);
    tcase_add_test(all, a_tolerance_that_would_disarm_the_check_is_refused);
    tcase_add_test(all, unknown_names_come_with_a_suggestion);
    tcase_add_test(all, what_is_no_rule_says_what_one_is);
    tcase_add_test(all, all_faults_come_at_once);
    tcase_add_test(all, the_rules_of_a_misspelt_measure_are_read_for_their_own_faults);
    Suite *suite = suite_create("sweep.tolerance_file");
    suite_add_tcase(suite, all);
    return support_run(suite);
}
