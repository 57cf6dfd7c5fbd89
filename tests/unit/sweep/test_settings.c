/* SPDX-License-Identifier: MIT */
/* Values: typed by their field, lists, guard sets, and the refusals. */
#include "sweep_support.h"

#include <stdio.h>

static void plan_grid(struct sweep_case *test, const char *grid)
{
    char text[1024];
    snprintf(text, sizeof text, GAUSSIAN_HEAD "grid:\n  %s\n", grid);
    case_plan(test, text);
}

static void refuse_grid(const char *grid, const char *message)
{
    char text[1024];
    snprintf(text, sizeof text, GAUSSIAN_HEAD "grid:\n  %s\n", grid);
    assert_refused(text, message);
}

START_TEST(reals_are_accepted_in_every_decimal_form)
{
    static const char *const forms[] = {"1e-3", "1E-3", ".5", "1.", "+0.5", "1.0e+3", "1e-0"};
    static const double values[] = {0.001, 0.001, 0.5, 1, 0.5, 1000, 1};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct sweep_case test = CASE_INIT;
        char grid[64];
        snprintf(grid, sizeof grid, "input_spread: %s", forms[i]);
        plan_grid(&test, grid);
        ck_assert_uint_eq(test.plan.count, 1);
        ck_assert(run_at(&test.plan, 0)->input_spread == values[i]);
        case_release(&test);
    }
}
END_TEST

START_TEST(integers_are_plain_decimals_in_range)
{
    refuse_grid("d_k: 1e3", "s.yaml:4:8: d_k: '1e3' is not an integer");
    refuse_grid("d_k: 8.0", "s.yaml:4:8: d_k: '8.0' is not an integer");
    refuse_grid("d_k: [08, 010]", "s.yaml:4:9: d_k: '08' has a leading zero; write 8");
    refuse_grid("d_k: [08, 010]", "s.yaml:4:13: d_k: '010' has a leading zero; write 10");
    refuse_grid("d_k: 1_000", "s.yaml:4:8: d_k: '1_000' is not a decimal integer");
    refuse_grid("d_k: 0x10", "d_k: '0x10' is not a decimal integer");
    refuse_grid("d_k: 12:30", "d_k: '12:30' is not a decimal integer");
    refuse_grid("d_k: 0", "d_k: '0' is out of range");
    refuse_grid("d_k: 99999999999999999999",
                "d_k: '99999999999999999999' is out of the range of integers");
    refuse_grid("input_spread: .inf", "input_spread: '.inf' is not a finite decimal number");
    refuse_grid("input_spread: -1", "input_spread: '-1' is out of range");
}
END_TEST

/* 65 digits, one more than a value may have. */
START_TEST(a_number_that_is_no_number_any_more_is_refused)
{
    refuse_grid("d_k: 11111111112222222222333333333344444444445555555555666666666677777",
                "is too long for a value");
}
END_TEST

START_TEST(switches_take_words_without_quotes)
{
    struct sweep_case test = CASE_INIT;
    plan_grid(&test, "guard_norm: [off, False, no, on, TRUE, yes]");
    ck_assert_uint_eq(test.plan.points, 6);
    ck_assert_uint_eq(test.plan.count, 2);
    ck_assert(!run_at(&test.plan, 0)->guard_norm);
    ck_assert(run_at(&test.plan, 1)->guard_norm);
    case_release(&test);
    refuse_grid("guard_norm: 'no'", "s.yaml:4:15: guard_norm: 'no' is in quotes and so a text; "
                                    "write on or off without quotes");
    refuse_grid("guard_norm: 0", "s.yaml:4:15: guard_norm: '0' is not a switch; write on or off");
    refuse_grid("guard_norm: maybe", "guard_norm: 'maybe' is not a switch");
}
END_TEST

START_TEST(numbers_in_quotes_are_texts)
{
    refuse_grid(
        "d_k: '64'",
        "s.yaml:4:8: d_k: '64' is in quotes and so a text; write the number without quotes");
    refuse_grid("input_spread: \"0.5\"", "input_spread: '0.5' is in quotes and so a text");
}
END_TEST

START_TEST(texts_are_kept_as_written)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, "rowmax: 1\ngrid:\n  corpus: [no, null, '~', 1e-3, \"on\"]\n"
                     "  sentence: on\n");
    static const char *const corpora[] = {"no", "null", "~", "1e-3", "on"};
    ck_assert_uint_eq(test.plan.count, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_str_eq(run_at(&test.plan, i)->corpus, corpora[i]);
        ck_assert_str_eq(run_at(&test.plan, i)->sentence, "on");
    }
    case_release(&test);
}
END_TEST

START_TEST(empty_values_are_refused)
{
    assert_refused("rowmax: 1\nfixed:\n  corpus: ~\n  sentence:\n",
                   "s.yaml:3:11: corpus: empty value\ns.yaml:4:12: sentence: empty value");
    assert_refused("rowmax: 1\nfixed: {corpus: demo, sentence: ''}\n",
                   "s.yaml:2:33: sentence: empty value");
    refuse_grid("d_k: [8, ~]", "s.yaml:4:12: d_k: empty value");
    refuse_grid("d_k:", "d_k: empty value");
    refuse_grid("guards: ~", "guards: empty value");
    refuse_grid("d_k: []", "s.yaml:4:8: d_k: axis has no values");
    refuse_grid("guards: []", "s.yaml:4:11: guards: axis has no values");
}
END_TEST

START_TEST(choices_list_what_is_allowed)
{
    struct sweep_case test = CASE_INIT;
    plan_grid(&test, "position: [none, 'sinusoidal']");
    ck_assert_uint_eq(test.plan.count, 2);
    ck_assert_int_eq(run_at(&test.plan, 0)->position, POSITION_NONE);
    ck_assert_int_eq(run_at(&test.plan, 1)->position, POSITION_SINUSOIDAL);
    case_release(&test);
    refuse_grid("position: sinus", "position: 'sinus' is not one of: sinusoidal, none");
    refuse_grid("position: [[none]]", "s.yaml:4:14: position: one value wanted, found a list");
}
END_TEST

START_TEST(all_guards_are_the_eight_sets_in_order)
{
    static const char *const spelled[] = {"guards: all", "guards: [all]"};
    for (size_t i = 0; i < 2; i++) {
        struct sweep_case test = CASE_INIT;
        plan_grid(&test, spelled[i]);
        ck_assert_uint_eq(test.plan.count, 8);
        for (unsigned mask = 0; mask < 8; mask++) {
            ck_assert_uint_eq(run_guards_mask(run_at(&test.plan, mask)), mask);
        }
        case_release(&test);
    }
}
END_TEST

START_TEST(guard_sets_are_chosen_by_name)
{
    struct sweep_case test = CASE_INIT;
    plan_grid(&test, "guards: [none, init+scale, norm+scale+init]");
    ck_assert_uint_eq(test.plan.count, 3);
    ck_assert_str_eq(run_guards_text(run_at(&test.plan, 0)), "none");
    ck_assert_str_eq(run_guards_text(run_at(&test.plan, 1)), "init+scale");
    ck_assert_str_eq(run_guards_text(run_at(&test.plan, 2)), "init+scale+norm");
    case_release(&test);
    refuse_grid("guards: [none, all]", "s.yaml:4:18: guards: 'all' stands for the eight sets");
    refuse_grid("guards: init+skale", "guards: 'init+skale' is no guard set");
    refuse_grid("guards: {from: 1, to: 2}", "guards: one value wanted, found a map");
}
END_TEST

START_TEST(fixed_takes_one_value)
{
    assert_refused(CORPUS_HEAD "zip: {seed: 1}\nsaturation: {row_max: [0.8, 0.9]}\n",
                   "saturation_row_max: one value wanted");
    assert_refused("rowmax: 1\nfixed: {seed: [1, 2]}\n", "s.yaml:2:15: seed: one value wanted");
    assert_refused("rowmax: 1\nfixed: {seed: {from: 1, to: 2}}\n", "seed: one value wanted");
    assert_refused("rowmax: 1\nfixed: {guards: all}\n", "guards: one value wanted");
    struct sweep_case test = CASE_INIT;
    case_plan(&test, "rowmax: 1\nfixed: {corpus: demo, sentence: a b, guards: init+norm}\n");
    ck_assert_uint_eq(run_guards_mask(run_at(&test.plan, 0)), 5);
    case_release(&test);
}
END_TEST

START_TEST(unknown_fields_get_a_suggestion)
{
    refuse_grid("d_modle: 3", "s.yaml:4:3: unknown field 'd_modle'; did you mean 'd_model'?");
    refuse_grid("guard: all", "unknown field 'guard'; did you mean 'guards'?");
    refuse_grid("layer_count: 3", "unknown field 'layer_count'; 'rowmax fields' lists them");
    refuse_grid("zip: [{d_k: [1, 2]}]", "s.yaml:4:3: unknown field 'zip'; it is a key of the sweep "
                                        "itself and stands beside 'fixed' and 'grid'");
    refuse_grid("saturation_row_max: 0.8", "write saturation: {row_max: ...} at the top level");
    refuse_grid("saturation_gradient: 0.2", "write saturation: {gradient: ...} at the top level");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/values");
    TCase *tests = tcase_create("values");
    tcase_add_test(tests, reals_are_accepted_in_every_decimal_form);
    tcase_add_test(tests, integers_are_plain_decimals_in_range);
    tcase_add_test(tests, a_number_that_is_no_number_any_more_is_refused);
    tcase_add_test(tests, switches_take_words_without_quotes);
    tcase_add_test(tests, numbers_in_quotes_are_texts);
    tcase_add_test(tests, texts_are_kept_as_written);
    tcase_add_test(tests, empty_values_are_refused);
    tcase_add_test(tests, choices_list_what_is_allowed);
    tcase_add_test(tests, all_guards_are_the_eight_sets_in_order);
    tcase_add_test(tests, guard_sets_are_chosen_by_name);
    tcase_add_test(tests, fixed_takes_one_value);
    tcase_add_test(tests, unknown_fields_get_a_suggestion);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
