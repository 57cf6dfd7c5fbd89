/* SPDX-License-Identifier: MIT */
/* Tests src/report/verdict.c and verdict_lines.c: what the report says in words. */
#include "sections_example.h"

static struct arena arena;
static struct sections_example example;

/* Two settings (d_k 8 and 16) with these mean row-max values. */
static const char *verdict_of_two(double first, double second)
{
    static struct result rows[2];
    static struct result_set set;
    set = sections_example_rows(rows, 2);
    rows[0].run.d_k = 8;
    rows[1].run.d_k = 16;
    rows[0].measurement.row_max_mean = first;
    rows[1].measurement.row_max_mean = second;
    return sections_example_text(&example, &set, &arena, verdict_append);
}

START_TEST(the_count_of_saturated_settings_comes_first)
{
    expect_part(verdict_of_two(0.5, 0.95),
                "**1 of 2 settings saturate**: their mean row-max reaches the threshold 0.9");
    expect_part(verdict_of_two(0.5, 0.6), "**No setting saturates**: the highest mean row-max is "
                                          "0.600 (d\\_k = 16), below the threshold 0.9.");
    expect_part(verdict_of_two(0.91, 0.95), "**Every setting saturates**: even the lowest mean "
                                            "row-max is 0.910 (d\\_k = 8)");
    expect_part(verdict_of_two((double)NAN, (double)NAN),
                "**Nothing can be said about saturation**: none of the 2 "
                "settings has a defined mean row-max.");
    expect_part(verdict_of_two((double)NAN, 0.95),
                "**The setting saturates**: its mean row-max is 0.950");
}
END_TEST

START_TEST(one_setting_is_spoken_of_as_one)
{
    static struct result row;
    const struct result_set set = sections_example_rows(&row, 1);
    row.measurement.row_max_mean = 0.25;
    expect_part(sections_example_text(&example, &set, &arena, verdict_append),
                "**The setting does not saturate**: its mean row-max is 0.250, below the threshold "
                "0.9.");
}
END_TEST

/* Corpora demo and harbour under four guard sets; row-max by [corpus][guards]. */
static struct result_set guard_set(struct result *rows, const double row_max[2][4])
{
    static const unsigned guards[4] = {0, 3, 5, 7};
    struct result_set set = sections_example_rows(rows, 8);
    for (size_t i = 0; i < 8; i++) {
        rows[i].run = example_run(i < 4 ? "demo" : "harbour", guards[i % 4], 1);
        rows[i].measurement.row_max_mean = row_max[i / 4][i % 4];
        rows[i].measurement.jacobian_norm_mean = 0.5 - row_max[i / 4][i % 4] / 2;
    }
    return set;
}

START_TEST(the_guards_that_end_saturation_are_named)
{
    static struct result rows[8];
    static const double row_max[2][4] = {{0.99, 0.30, 0.70, 0.20}, {0.99, 0.95, 0.80, 0.25}};
    const struct result_set set = guard_set(rows, row_max);
    const char *text = sections_example_text(&example, &set, &arena, verdict_append);
    expect_part(text, "**3 of 8 settings saturate**");
    expect_part(text, "Nothing saturates under the guards **init + norm** (at most 0.800) and "
                      "**init + scale + norm** (at most 0.250).");
    expect_part(text,
                "Two guards are not always enough: with harbour, guards init + scale the mean "
                "row-max is 0.950 and the gradient magnitude 0.0250.");
    expect_part(text, "Switching norm on there ends it: mean row-max 0.250, gradient magnitude "
                      "0.375.");
}
END_TEST

START_TEST(it_is_said_when_no_guards_help)
{
    static struct result rows[8];
    static const double row_max[2][4] = {{0.99, 0.95, 0.95, 0.95}, {0.99, 0.99, 0.99, 0.92}};
    const struct result_set set = guard_set(rows, row_max);
    const char *text = sections_example_text(&example, &set, &arena, verdict_append);
    expect_part(text, "**Every setting saturates**");
    expect_part(text, "No set of guards in this sweep ends saturation everywhere.");
    expect_part(text, "All three guards are not always enough");
    expect_no_part(text, "Switching");
}
END_TEST

START_TEST(without_saturation_no_guard_is_praised)
{
    static struct result rows[8];
    static const double row_max[2][4] = {{0.3, 0.2, 0.2, 0.2}, {0.3, 0.2, 0.2, 0.2}};
    const struct result_set set = guard_set(rows, row_max);
    const char *text = sections_example_text(&example, &set, &arena, verdict_append);
    expect_part(text, "**No setting saturates**");
    expect_no_part(text, "Nothing saturates under");
}
END_TEST

START_TEST(each_line_says_where_it_saturates)
{
    static struct result rows[8];
    static const double row_max[2][4] = {{0.99, 0.30, 0.70, 0.20}, {0.99, 0.95, 0.80, (double)NAN}};
    const struct result_set set = guard_set(rows, row_max);
    const char *text = sections_example_text(&example, &set, &arena, verdict_append_lines);
    expect_part(text, "By corpus:\n\n");
    expect_part(text, "- **none**: saturated throughout; mean row-max 0.990.\n");
    expect_part(text, "- **init + scale**: saturated on harbour (0.950); not on demo (0.300).\n");
    expect_part(text, "- **init + norm**: nowhere saturated; mean row-max 0.700 to 0.800.\n");
    expect_part(text, "- **init + scale + norm**: nowhere saturated; mean row-max 0.200.\n");
}
END_TEST

/* Four key dimensions 1, 4, 16, 64 and these values. */
static const char *lines_of(const double row_max[4])
{
    static struct result rows[4];
    static struct result_set set;
    set = sections_example_rows(rows, 4);
    for (size_t i = 0; i < 4; i++) {
        rows[i].run.d_k = (int64_t)1 << (2 * i);
        rows[i].measurement.row_max_mean = row_max[i];
    }
    return sections_example_text(&example, &set, &arena, verdict_append_lines);
}

START_TEST(crossings_of_the_threshold_are_interpolated)
{
    static const double rising[4] = {0.3, 0.5, 0.8, 1.0};
    static const double waving[4] = {0.8, 1.0, 0.8, 1.0};
    static const double low[4] = {0.1, 0.2, 0.3, 0.4};
    expect_part(lines_of(rising), "Along key dimension d\\_k (1 to 64): enters saturation at d_k ≈ "
                                  "32.0 (between 16 and 64); mean row-max 0.300 at 1, 1.00 at 64.");
    expect_part(lines_of(waving), "enters saturation at d_k ≈ 2.00 (between 1 and 4), leaves "
                                  "saturation at d_k ≈ 8.00 (between 4 and 16), enters");
    expect_part(lines_of(low), "nowhere saturated; mean row-max 0.100 to 0.400.");
}
END_TEST

START_TEST(limits_of_sentences_read_as_sentences)
{
    static struct result rows[3];
    static const int64_t limits[] = {8, 32, 128};
    const struct result_set set = sections_example_rows(rows, 3);
    for (size_t i = 0; i < 3; i++) {
        rows[i].run.sentence_limit = limits[i];
        rows[i].measurement.corpus_sentences = limits[i];
        rows[i].measurement.row_max_mean = 0.7 + 0.1 * (double)i + 0.05;
    }
    expect_part(sections_example_text(&example, &set, &arena, verdict_append_lines),
                "enters saturation at ≈ 64.0 sentences (between 32 and 128)");
}
END_TEST

START_TEST(notes_count_failures_gaps_and_close_calls)
{
    static struct result rows[5];
    struct result_set set = sections_example_rows(rows, 5);
    static const double row_max[] = {0.85, 0.97, 0.5, 0.5, (double)NAN};
    for (size_t i = 0; i < 5; i++) {
        rows[i].run.d_k = i < 2 ? 8 : 16;
        rows[i].run.seed = (int64_t)i;
        rows[i].measurement.row_max_mean = row_max[i];
        rows[i].measurement.row_max_median = i < 2 ? 0.5 : 0.95;
    }
    rows[4].status = RESULT_FAILED;
    set.planned = 9;
    const char *text = sections_example_text(&example, &set, &arena, verdict_append_notes);
    expect_part(text, "Student interval of the mean over 3 seeds");
    expect_part(text, "For 1 setting the interval contains the threshold");
    expect_part(text, "In 1 setting the mean stays below the threshold although the median");
    expect_part(text, "1 of 5 runs failed");
    expect_part(text, "4 of 9 planned runs have not been run");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("verdict");
    TCase *cases = tcase_create("words");
    tcase_add_test(cases, the_count_of_saturated_settings_comes_first);
    tcase_add_test(cases, one_setting_is_spoken_of_as_one);
    tcase_add_test(cases, the_guards_that_end_saturation_are_named);
    tcase_add_test(cases, it_is_said_when_no_guards_help);
    tcase_add_test(cases, without_saturation_no_guard_is_praised);
    tcase_add_test(cases, each_line_says_where_it_saturates);
    tcase_add_test(cases, crossings_of_the_threshold_are_interpolated);
    tcase_add_test(cases, limits_of_sentences_read_as_sentences);
    tcase_add_test(cases, notes_count_failures_gaps_and_close_calls);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
