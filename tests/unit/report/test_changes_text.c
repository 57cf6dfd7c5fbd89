/* SPDX-License-Identifier: MIT */
/* Tests src/report/changes_text.c, changes_tables.c, changes_record.c and changes_sweeps.c: the
 * words on two results files. */
#include "changes_example.h"

START_TEST(equal_files_say_that_nothing_moved)
{
    struct changes_example *example = changes_example_make();
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "**A** is monday.h5 (version unknown), **B** is tuesday.h5");
    expect_part(text,
                "**In the 6 shared runs nothing moved**: every measure that both know is equal "
                "bit for bit.\n");
    expect_part(text, "| in both, identical bit for bit in every measure | 6 |");
    text = changes_example_text(example, changes_append_tables);
    ck_assert_str_eq(text, "");
    text = changes_example_text(example, changes_append_record);
    expect_part(text, "The text of the sweep is the same.\n");
    expect_part(text, "Both files record the same");
    changes_example_end(example);
}
END_TEST

/* d_k = 16 goes from 0.5 to 0.95 in all seeds: from not saturated to saturated, by exactly 0.45. */
START_TEST(a_setting_that_turns_is_told_with_its_numbers)
{
    struct changes_example *example = changes_example_make();
    for (size_t i = 3; i < 6; i++) {
        example->rows[1][i].measurement.row_max_mean = 0.95;
    }
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text,
                "**1 of 2 settings has another verdict**: 1 from not saturated to saturated. "
                "The mean row-max moved beyond noise in 1 of 2 (1 up, 0 down), most with d\\_k "
                "= 16: from 0.500 to 0.950, a change of +0.450 (95 % interval +0.450 to "
                "+0.450).");
    text = changes_example_text(example, changes_append_tables);
    expect_part(text, "| d\\_k = 16 | not saturated | saturated | 0.500 | 0.950 |\n");
    expect_part(text,
                "| d\\_k = 16 | mean row-max | 0.500 | 0.950 | +0.450 | +0.450 to +0.450 |\n");
    expect_part(text, "| `row_max_mean` | 1 | 0 | 0 | 0 | 0 | 1 | d\\_k = 16: 0.500 → 0.950 |\n");
    changes_example_end(example);
}
END_TEST

/* The row-max rises by 0.2, 0.2 and 0.3 with d_k = 16, which is 0.233 ± 0.143, and by 0, 0 and 0.1
 * with d_k = 8, which is 0.033 ± 0.143: two intervals, of which 5 % are 0.1. At last it rises by
 * 0.1, 0.2 and 0.3 with d_k = 16: 0.2 ± 0.248. */
START_TEST(what_chance_alone_would_call_moved_is_said_beside_the_count)
{
    struct changes_example *example = changes_example_make();
    for (size_t i = 3; i < 6; i++) {
        example->rows[1][i].measurement.row_max_mean = i == 5 ? 0.8 : 0.7;
    }
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "moved beyond noise in 1 of 2 (1 up, 0 down)");
    expect_no_part(text, "by chance"); /* the other setting is equal and has no interval */
    example->rows[1][2].measurement.row_max_mean = 0.6;
    text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "moved beyond noise in 1 of 2 (1 up, 0 down)");
    expect_part(text, "); by chance alone about 0.1 of 2 intervals of 95 % leave 0.\n");
    example->rows[1][3].measurement.row_max_mean = 0.6;
    text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "**No mean row-max moved beyond noise; with 3 seeds");
    expect_no_part(text, "by chance");
    changes_example_end(example);
}
END_TEST

/* d_k = 16 is at 0.95 throughout in A; in B one of three seeds falls to 0.7: a mean difference of
 * -0.083 ± 0.36, and a mean of 0.87 ± 0.36 where the threshold is 0.9. */
START_TEST(a_verdict_that_changes_though_no_mean_moved_is_put_down_to_the_seeds)
{
    struct changes_example *example = changes_example_make();
    for (size_t i = 3; i < 6; i++) {
        example->rows[0][i].measurement.row_max_mean = 0.95;
        example->rows[1][i].measurement.row_max_mean = i == 5 ? 0.7 : 0.95;
    }
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "**No mean row-max moved beyond noise; with 3 seeds, 1 of 2 verdicts "
                      "changed**: 1 from saturated to undecided.\n");
    changes_example_end(example);
}
END_TEST

START_TEST(failures_in_one_file_are_listed_with_their_message)
{
    struct changes_example *example = changes_example_make();
    example->rows[1][4].status = RESULT_FAILED;
    example->rows[1][4].message = "out of | range";
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "**No setting has another verdict**, of 2 compared.");
    expect_part(text, " **1 run failed in B and not in A.**\n\n");
    expect_part(text, "| failed in B, not in A | 1 |");
    text = changes_example_text(example, changes_append_tables);
    expect_part(text, "| 4 | 2 | ok | out of \\| range |\n");
    changes_example_end(example);
}
END_TEST

START_TEST(a_fixed_field_that_differs_is_named)
{
    struct changes_example *example = changes_example_make();
    for (size_t i = 0; i < CHANGES_EXAMPLE_ROWS; i++) {
        example->rows[1][i].run.softcap = 30;
        example->rows[1][i].run.given |= UINT64_C(1) << RUN_SOFTCAP;
        example->rows[1][i].key += 1000;
    }
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "`softcap` is 0 in A and 30 in B. Runs are paired that agree in all other "
                      "fields.");
    text = changes_example_text(example, changes_append_record);
    expect_part(text, "| `softcap` | 0 | 30 |\n");
    changes_example_end(example);
}
END_TEST

START_TEST(another_content_of_a_corpus_is_told_by_its_digest)
{
    struct changes_example *example = changes_example_make();
    for (size_t i = 0; i < CHANGES_EXAMPLE_ROWS; i++) {
        example->rows[1][i].run.corpus_digest = "feed";
        example->rows[1][i].key += 1000;
    }
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "> 6 runs have another key in B though all fields are equal");
    text = changes_example_text(example, changes_append_record);
    expect_part(text, "| demo | demo | feed |\n");
    changes_example_end(example);
}
END_TEST

START_TEST(versions_and_measures_that_differ_are_told)
{
    static const struct provenance facts[2][2] = {{{"rowmax_version", "0.1.0"}, {"blas", "x|y"}},
                                                  {{"rowmax_version", "0.2.0"}, {"libc", "2"}}};
    struct changes_example *example = changes_example_make();
    for (int side = 0; side < 2; side++) {
        example->sets[side].provenance = facts[side];
        example->sets[side].provenance_count = 2;
    }
    example->sets[0].lacking = UINT64_C(1) << MEASURE_MAX_LOGIT;
    example->sets[0].planned = 10;
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "monday.h5 (rowmax 0.1.0), **B** is tuesday.h5 (rowmax 0.2.0)");
    expect_part(text, "> A does not know `max_logit`: not compared.");
    expect_part(text, "> A is not complete: 6 of 10 planned runs.");
    text = changes_example_text(example, changes_append_record);
    expect_part(text, "| rowmax\\_version | 0.1.0 | 0.2.0 |\n| blas | x\\|y | not recorded |\n"
                      "| libc | not recorded | 2 |\n");
    changes_example_end(example);
}
END_TEST

START_TEST(values_of_axes_that_one_sweep_has_are_told)
{
    struct changes_example *example = changes_example_make();
    example->sets[1].sweep_text = "other";
    for (size_t i = 3; i < 6; i++) {
        example->rows[1][i].run.d_k = 32;
        example->rows[1][i].key += 1000;
    }
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "**In the 3 shared runs nothing moved**");
    expect_part(text, " bit for bit; 3 more are in A only; 3 more are in B only.\n");
    text = changes_example_text(example, changes_append_record);
    expect_part(text, "The text of the sweep is not the same.");
    expect_part(text, "| `d_k` | 16 | 32 |\n");
    changes_example_end(example);
}
END_TEST

START_TEST(other_names_and_titles_are_told)
{
    struct changes_example *example = changes_example_make();
    example->sets[0].name = "before";
    example->sets[1].name = "after";
    example->sets[0].title = NULL;
    example->sets[1].title = "A | title";
    const char *text = changes_example_text(example, changes_append_record);
    expect_part(text, "| name | before | after |\n");
    expect_part(text, "| title | nothing else | A \\| title |\n");
    changes_example_end(example);
}
END_TEST

START_TEST(runs_that_all_failed_in_one_file_compare_nothing)
{
    struct changes_example *example = changes_example_make();
    changes_example_fail(example);
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "**No run succeeded in both files**, so no measure is compared.");
    expect_part(text, "| failed in B, not in A | 6 |");
    changes_example_end(example);
}
END_TEST

START_TEST(runs_that_the_sweep_no_longer_holds_are_left_out)
{
    struct changes_example *example = changes_example_make();
    example->rows[0][5].index = -1;
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "1 further row that belongs to no run of its sweep any more, left out.");
    expect_part(text, "**In the 5 shared runs nothing moved**");
    changes_example_end(example);
}
END_TEST

/* 0.5 and 0.5 + 2^-20: with three digits both are 0.500, and the first that differ are 0.5000009.
 */
START_TEST(means_that_look_alike_get_more_digits)
{
    struct changes_example *example = changes_example_make();
    for (size_t i = 0; i < CHANGES_EXAMPLE_ROWS; i++) {
        example->rows[1][i].measurement.row_max_mean = 0.5 + 0x1p-20;
    }
    const char *text = changes_example_text(example, changes_append_tables);
    expect_part(text, "0.500001");
    changes_example_end(example);
}
END_TEST

START_TEST(hostile_labels_are_inert)
{
    struct changes_example *example = changes_example_make();
    example->sides[0].label = "<b>|`x`";
    const char *text = changes_example_text(example, changes_append_verdict);
    expect_part(text, "\\<b\\>\\|\\`x\\`");
    changes_example_end(example);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("changes text");
    TCase *cases = tcase_create("text");
    tcase_add_test(cases, equal_files_say_that_nothing_moved);
    tcase_add_test(cases, a_setting_that_turns_is_told_with_its_numbers);
    tcase_add_test(cases, what_chance_alone_would_call_moved_is_said_beside_the_count);
    tcase_add_test(cases, a_verdict_that_changes_though_no_mean_moved_is_put_down_to_the_seeds);
    tcase_add_test(cases, failures_in_one_file_are_listed_with_their_message);
    tcase_add_test(cases, a_fixed_field_that_differs_is_named);
    tcase_add_test(cases, another_content_of_a_corpus_is_told_by_its_digest);
    tcase_add_test(cases, versions_and_measures_that_differ_are_told);
    tcase_add_test(cases, values_of_axes_that_one_sweep_has_are_told);
    tcase_add_test(cases, other_names_and_titles_are_told);
    tcase_add_test(cases, runs_that_all_failed_in_one_file_compare_nothing);
    tcase_add_test(cases, runs_that_the_sweep_no_longer_holds_are_left_out);
    tcase_add_test(cases, means_that_look_alike_get_more_digits);
    tcase_add_test(cases, hostile_labels_are_inert);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
