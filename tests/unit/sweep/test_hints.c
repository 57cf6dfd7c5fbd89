/* SPDX-License-Identifier: MIT */
/* What a message says beyond what is wrong: the spelling that was probably meant. */
#include "sweep_support.h"

#include <stdio.h>

static void refuse(const char *section, const char *line, const char *message)
{
    char text[1024];
    snprintf(text, sizeof text, "rowmax: 1\n%s\n  %s\n", section, line);
    assert_refused(text, message);
}

#define GRID "fixed: {source: gaussian, tokens: 8}\ngrid:"

START_TEST(a_temperature_is_a_score_factor)
{
    refuse(GRID, "temperature: [1, 2]",
           "s.yaml:4:3: unknown field 'temperature'; set score_factor to 1/temperature, such as "
           "score_factor: 0.5 for a temperature of 2");
    assert_refused(GAUSSIAN_HEAD "temperature: 2\n",
                   "s.yaml:3:1: unknown key 'temperature'; under 'fixed' or 'grid' set "
                   "score_factor to 1/temperature");
}
END_TEST

START_TEST(other_notations_of_ranges_are_spelled_out)
{
    refuse(GRID, "seed: 1..20",
           "s.yaml:4:9: seed: '1..20' is not a decimal integer; a range is written {from: 1, to: "
           "20}");
    refuse(GRID, "seed: [1...20]",
           "'1...20' is not a decimal integer; a range is written {from: 1, "
           "to: 20}");
    refuse(GRID, "d_k: 8-64", "; a range is written {from: 8, to: 64}");
    refuse(GRID, "d_k: 8 to 64", "; a range is written {from: 8, to: 64}");
    refuse(GRID, "score_factor: -1..-.5", "; a range is written {from: -1, to: -.5}");
    refuse("fixed:", "{source: gaussian, tokens: 8, seed: 1..20}",
           "; a range is written {from: 1, to: 20} under 'grid'");
}
END_TEST

START_TEST(lists_without_brackets_are_spelled_out)
{
    refuse(GRID, "weights: softmax, sparsemax", "; a list has brackets: [softmax, sparsemax]");
    refuse(GRID, "d_k: 8, 64", "'8, 64' is not a decimal integer; a list has brackets: [8, 64]");
    refuse("fixed:\n  source: gaussian\n  tokens: 8", "mask: none, causal",
           "; a list has brackets under 'grid': [none, causal]");
    refuse(GRID, "{weights: softmax, sparsemax}",
           "unknown field 'sparsemax'; a list has brackets, such as weights: [softmax, sparsemax]");
    refuse(GRID, "{mask: causal, none}",
           "unknown field 'none'; a list has brackets, such as position: [sinusoidal, none]");
    refuse(GRID, "{seed: 1, 2}", "unknown field '2'; a list has brackets, such as [1, 2]");
}
END_TEST

START_TEST(misspelled_choices_name_the_nearest)
{
    refuse(GRID, "weights: sparsmax", "square, sum, argmax; did you mean 'sparsemax'?");
    refuse(GRID, "weights: [softmax, entmax]", "square, sum, argmax; did you mean 'entmax15'?");
    refuse(GRID, "mask: casual", "'casual' is not one of: none, causal; did you mean 'causal'?");
}
END_TEST

/* Messages end where nothing can be guessed. */
START_TEST(what_is_near_to_nothing_gets_no_hint)
{
    static const char *const lines[] = {"weights: nothing_like_it", "seed: many", "seed: 1-",
                                        "seed: 1..x", "seed: 08"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct sweep_case test = CASE_INIT;
        char text[256];
        snprintf(text, sizeof text, GAUSSIAN_HEAD "grid: {%s}\n", lines[i]);
        ck_assert(!case_read(&test, text, NULL, 0));
        ck_assert_ptr_null(strstr(test.err.message, "did you mean"));
        ck_assert_ptr_null(strstr(test.err.message, "range is written"));
        case_release(&test);
    }
    /* A comma in a sentence is one. */
    struct sweep_case test = CASE_INIT;
    case_plan(&test, "rowmax: 1\nfixed:\n  corpus: demo\n  sentence: the cat, 1..2\n");
    ck_assert_str_eq(run_at(&test.plan, 0)->sentence, "the cat, 1..2");
    case_release(&test);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep/hints");
    TCase *tests = tcase_create("hints");
    tcase_add_test(tests, a_temperature_is_a_score_factor);
    tcase_add_test(tests, other_notations_of_ranges_are_spelled_out);
    tcase_add_test(tests, lists_without_brackets_are_spelled_out);
    tcase_add_test(tests, misspelled_choices_name_the_nearest);
    tcase_add_test(tests, what_is_near_to_nothing_gets_no_hint);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
