/* SPDX-License-Identifier: MIT */
/* Tests src/report/run_record.c: what was run. */
#include "sections_example.h"

static struct arena arena;
static struct sections_example example;

START_TEST(axes_seeds_and_fixed_fields_are_listed)
{
    struct result_set set = example_set(&arena, 3);
    const char *text = sections_example_text(&example, &set, &arena, record_append);
    expect_part(text, "Sweep example: 72 runs planned, 72 done, 0 failed; 24 settings.");
    expect_part(text, "- corpus: demo (8 sentences), kitchen (312 sentences), harbour (3,020 "
                      "sentences) — 3 values\n");
    expect_part(text, "- seed: 1–3\n");
    expect_part(text, "| `sentence` | the cat chased the mouse across the garden | sweep |");
    expect_part(text, "| `d_model` | 64 | default |");
    expect_no_part(text, "`guard_init`");
    expect_no_part(text, "`tokens`"); /* has no meaning for a corpus */
}
END_TEST

START_TEST(seeds_are_ranges)
{
    static struct result rows[6];
    static const int64_t seeds[] = {7, 1, 2, 3, 9, 8};
    const struct result_set set = sections_example_rows(rows, 6);
    for (size_t i = 0; i < 6; i++) {
        rows[i].run.seed = seeds[i];
    }
    expect_part(sections_example_text(&example, &set, &arena, record_append), "- seed: 1–3, 7–9\n");
}
END_TEST

START_TEST(long_axes_show_their_ends)
{
    static struct result rows[40];
    const struct result_set set = sections_example_rows(rows, 40);
    for (size_t i = 0; i < 40; i++) {
        rows[i].run.d_k = (int64_t)i + 1;
    }
    expect_part(sections_example_text(&example, &set, &arena, record_append),
                "13, 14, 15, …, 40 — 40 values\n");
}
END_TEST

START_TEST(at_most_twenty_failures_are_listed)
{
    static struct result rows[30];
    const struct result_set set = sections_example_rows(rows, 30);
    for (size_t i = 0; i < 30; i++) {
        rows[i].run.seed = (int64_t)i;
        rows[i].status = RESULT_FAILED;
        rows[i].message = "unknown word <b>|x";
    }
    const char *text = sections_example_text(&example, &set, &arena, record_append);
    expect_part(text, "30 of 30 runs failed; some of them:");
    expect_part(text, "| 19 | the one setting | 19 | unknown word \\<b\\>\\|x |");
    expect_no_part(text, "| 20 | the one setting");
}
END_TEST

START_TEST(rows_outside_the_plan_are_mentioned)
{
    static struct result rows[3];
    struct result_set set = sections_example_rows(rows, 3);
    rows[2].index = -1;
    set.planned = 2;
    expect_part(sections_example_text(&example, &set, &arena, record_append),
                "1 further row of the results file belong");
}
END_TEST

START_TEST(the_sweep_stands_in_a_fence_that_it_cannot_close)
{
    static struct result row;
    struct result_set set = sections_example_rows(&row, 1);
    set.sweep_text = "title: |\n  ```\n  <script>\n";
    expect_part(sections_example_text(&example, &set, &arena, record_append),
                "````yaml\ntitle: |\n  ```\n  <script>\n````\n");
}
END_TEST

START_TEST(rows_without_weights_are_counted_and_long_values_stand_in_full)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    for (size_t i = 0; i < 2; i++) {
        rows[i].run.source = SOURCE_SCORES;
        rows[i].run.scores = i == 0 ? "1,2,3,4,5,6,7,8,9,10,11,12" : "2,1";
    }
    rows[0].measurement.undefined_rows = 1;
    const char *text = sections_example_text(&example, &set, &arena, record_append);
    expect_part(text, "0 failed; 2 settings. 1 row of scores in 1 run has no weights.");
    expect_part(text, "- scores given: (1) 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12; (2) 2, 1 — 2 "
                      "values\n");
    expect_no_part(text, "seed");
}
END_TEST

START_TEST(defaults_that_differ_by_learner_are_both_named)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[0].run.learner = LEARNER_SGNS;
    rows[1].run.learner = LEARNER_GLOVE;
    rows[1].run.window = 15;
    const char *text = sections_example_text(&example, &set, &arena, record_append);
    expect_part(text, "| `window` | 5, or 15 | default |");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("record");
    TCase *cases = tcase_create("record");
    tcase_add_test(cases, axes_seeds_and_fixed_fields_are_listed);
    tcase_add_test(cases, seeds_are_ranges);
    tcase_add_test(cases, long_axes_show_their_ends);
    tcase_add_test(cases, at_most_twenty_failures_are_listed);
    tcase_add_test(cases, rows_outside_the_plan_are_mentioned);
    tcase_add_test(cases, the_sweep_stands_in_a_fence_that_it_cannot_close);
    tcase_add_test(cases, rows_without_weights_are_counted_and_long_values_stand_in_full);
    tcase_add_test(cases, defaults_that_differ_by_learner_are_both_named);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
