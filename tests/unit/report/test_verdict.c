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
                "**1 of 2 settings saturates and 1 does not.** A setting saturates when its mean "
                "row-max reaches the threshold 0.9: ");
    expect_part(verdict_of_two(0.5, 0.6), "**No setting saturates**: the highest mean row-max is "
                                          "0.600 (d\\_k = 16), below the threshold 0.9.");
    expect_part(verdict_of_two(0.91, 0.95), "**Every setting saturates**: even the lowest mean "
                                            "row-max is 0.910 (d\\_k = 8)");
    expect_part(verdict_of_two((double)NAN, (double)NAN),
                "**Nothing can be said about saturation**: none of the 2 "
                "settings has a defined mean row-max.");
    expect_part(verdict_of_two((double)NAN, 0.95),
                "**The setting saturates**: its mean row-max is 0.950, at or above the threshold "
                "0.9. 1 further setting has no defined mean row-max.");
}
END_TEST

/* Settings d_k 8, 16, ... with two seeds each: the mean row-max and half the distance of the two,
 * which is a half width of 12.7 times that. */
static struct result_set pairs_set(struct result *rows, size_t count, const double (*pairs)[2])
{
    struct result_set set = sections_example_rows(rows, 2 * count);
    for (size_t i = 0; i < 2 * count; i++) {
        rows[i].run.d_k = (int64_t)8 << i / 2;
        rows[i].run.seed = (int64_t)(i % 2);
        rows[i].measurement.row_max_mean =
            pairs[i / 2][0] + (i % 2 == 0 ? 1 : -1) * pairs[i / 2][1];
    }
    return set;
}

START_TEST(an_interval_that_contains_the_threshold_leaves_it_undecided)
{
    static struct result rows[6];
    static const double three[3][2] = {{0.5, 0.001}, {0.85, 0.01}, {0.95, 0.001}};
    static const double one[1][2] = {{0.85, 0.01}};
    struct result_set set = pairs_set(rows, 3, three);
    const char *text = sections_example_text(&example, &set, &arena, verdict_append);
    expect_part(text, "**1 of 3 settings saturates, 1 does not and 1 is undecided.**");
    expect_part(text, "It is undecided when the 95 % interval of that mean contains the threshold");
    expect_part(text,
                "other seeds might turn the verdict, and more seeds would narrow the interval.");
    set = pairs_set(rows, 2, three);
    text = sections_example_text(&example, &set, &arena, verdict_append);
    expect_part(text, "**No setting is called saturated: of 2, 1 does not saturate and 1 is "
                      "undecided.**");
    set = pairs_set(rows, 1, one);
    expect_part(sections_example_text(&example, &set, &arena, verdict_append),
                "**Whether the setting saturates is undecided**: its mean row-max is 0.85 ± 0.13, "
                "an interval that contains the threshold 0.9. More seeds would narrow it.");
}
END_TEST

START_TEST(undecided_points_of_a_line_are_named)
{
    static struct result rows[6];
    static const double rising[3][2] = {{0.5, 0.001}, {0.85, 0.01}, {0.95, 0.001}};
    /* 0.91 ± 0.127 would leave 1: 0.127/(0.91 · 0.09) = 1.551 around the logit of 2.3136 */
    static const double open[3][2] = {{0.85, 0.01}, {0.91, 0.01}, {0.95, 0.001}};
    static const double low[3][2] = {{0.5, 0.001}, {0.6, 0.001}, {0.91, 0.01}};
    static const double all[3][2] = {{0.85, 0.01}, {0.91, 0.01}, {0.89, 0.01}};
    static const double wide[3][2] = {{0.5, 0.001}, {0.85, 0.01}, {0.91, 0.01}};
    struct result_set set = pairs_set(rows, 3, rising);
    expect_part(sections_example_text(&example, &set, &arena, verdict_append_lines),
                "enters saturation between d_k = 16 and 32, at about 23; mean row-max 0.500 ± "
                "0.013 at 8, 0.950 ± 0.013 at 32; undecided at d_k = 16 (0.85 ± 0.13).");
    set = pairs_set(rows, 3, open);
    expect_part(sections_example_text(&example, &set, &arena, verdict_append_lines),
                "saturated, but undecided at d_k = 8 (0.85 ± 0.13), d_k = 16 (0.910 [0.682 to "
                "0.979]); mean "
                "row-max 0.85 ± 0.13 to 0.950 ± 0.013.");
    set = pairs_set(rows, 3, low);
    expect_part(sections_example_text(&example, &set, &arena, verdict_append_lines),
                "not saturated, but undecided at d_k = 32 (0.910 [0.682 to 0.979]); mean");
    set = pairs_set(rows, 3, all);
    expect_part(sections_example_text(&example, &set, &arena, verdict_append_lines),
                "undecided throughout; mean row-max 0.85 ± 0.13 to 0.910 [0.682 to 0.979].");
    set = pairs_set(rows, 3, wide);
    expect_no_part(sections_example_text(&example, &set, &arena, verdict_append_lines), "enters");
}
END_TEST

START_TEST(a_crossing_between_undecided_points_is_left_open)
{
    static struct result rows[8];
    static const double pairs[4][2] = {{0.5, 0.001}, {0.85, 0.01}, {0.95, 0.01}, {0.96, 0.0001}};
    struct result_set set = pairs_set(rows, 4, pairs);
    expect_part(sections_example_text(&example, &set, &arena, verdict_append_lines),
                "enters saturation between d_k = 16 and 32, at about 23 (the intervals at both "
                "ends contain the threshold: the seeds leave the place open)");
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
    expect_part(text, "**3 of 8 settings saturate and 5 do not.**");
    expect_part(text, "Nothing saturates under the guards **init + norm** (at most 0.800) and "
                      "**init + scale + norm** (at most 0.250).");
    expect_part(text,
                "Two guards are not always enough: with harbour, guards init + scale the mean "
                "row-max is 0.950 and the gradient magnitude 0.0250; with norm added the mean "
                "row-max is 0.250 and the gradient magnitude 0.375.");
}
END_TEST

START_TEST(it_is_said_when_no_guards_help)
{
    static struct result rows[8];
    static const double row_max[2][4] = {{0.99, 0.95, 0.95, 0.95}, {0.99, 0.99, 0.99, 0.92}};
    const struct result_set set = guard_set(rows, row_max);
    const char *text = sections_example_text(&example, &set, &arena, verdict_append);
    expect_part(text, "**Every setting saturates**");
    expect_part(text, "Under no set of guards in this sweep is every setting below the threshold.");
    expect_no_part(text, "not always enough");
    expect_no_part(text, "added");
}
END_TEST

START_TEST(two_guards_are_called_too_few_only_where_a_third_is_enough)
{
    static struct result rows[6];
    static const unsigned guards[3] = {0, 1, 3};
    struct result_set set = sections_example_rows(rows, 6);
    for (size_t i = 0; i < 6; i++) {
        rows[i].run = example_run(i < 3 ? "demo" : "harbour", guards[i % 3], 1);
        rows[i].measurement.row_max_mean = i == 2 ? 0.3 : 0.95;
    }
    const char *text = sections_example_text(&example, &set, &arena, verdict_append);
    expect_no_part(text, "Two guards");
    expect_part(text, "One guard is not always enough: with demo, guards init the mean row-max is "
                      "0.950");
    expect_part(text, "with scale added the mean row-max is 0.300");
}
END_TEST

START_TEST(a_guard_set_that_is_undecided_is_not_called_free)
{
    static struct result rows[8];
    struct result_set set = sections_example_rows(rows, 8);
    for (size_t i = 0; i < 8; i++) {
        rows[i].run = example_run(i < 4 ? "demo" : "harbour", i / 2 % 2 == 0 ? 0 : 4, i % 2 + 1);
        rows[i].measurement.row_max_mean = i / 2 % 2 == 0 ? 0.95 : i < 4 ? 0.5 : 0.85;
        rows[i].measurement.row_max_mean += i == 6 ? 0.02 : 0;
    }
    const char *text = sections_example_text(&example, &set, &arena, verdict_append);
    expect_no_part(text, "Nothing saturates under");
    expect_part(text, "None is clearly saturated, but some are undecided, under **norm** (at most "
                      "0.86 ± 0.13).");
    text = sections_example_text(&example, &set, &arena, verdict_append_lines);
    expect_part(text, "- **norm**: not saturated on demo (0.500); undecided on harbour (0.86 ± "
                      "0.13).\n");
}
END_TEST

/* Two heads of two layers, whose files go together; with `pairs` the second file goes with the head
 * instead. The first layer does not saturate, nor does the first head. */
static const char *verdict_of_files(bool pairs)
{
    static struct result rows[4];
    static struct result_set set;
    set = sections_example_rows(rows, 4);
    for (size_t i = 0; i < 4; i++) {
        rows[i].run.source = SOURCE_ARRAYS;
        rows[i].run.x = i < 2 ? "hidden.0" : "hidden.1";
        rows[i].run.w_q = i < 2 ? "q.0" : "q.1";
        rows[i].run.w_k = pairs ? (i % 2 == 0 ? "k.0" : "k.1") : i < 2 ? "k.0" : "k.1";
        rows[i].run.heads = 2;
        rows[i].run.head = (int64_t)(i % 2);
        rows[i].measurement.row_max_mean = i == 3 ? 0.95 : 0.25;
    }
    return sections_example_text(&example, &set, &arena, verdict_append);
}

START_TEST(files_that_go_together_are_named_once)
{
    const char *text = verdict_of_files(false);
    expect_part(text, "Nothing saturates with **x = hidden.0** (at most 0.250).");
    expect_no_part(text, "q.0");
    expect_no_part(text, "k.0");
    text = verdict_of_files(true);
    expect_part(text, "Nothing saturates with **x = hidden.0** (at most 0.250). Nothing saturates "
                      "with **w\\_k = k.0** together with **head 0** (at most 0.250).");
    expect_no_part(text, "q.0");
}
END_TEST

/* One corpus has all guards, the other none: the guards tell it. */
START_TEST(a_choice_that_goes_with_the_guards_is_not_told_again)
{
    static struct result rows[2];
    struct result_set set = sections_example_rows(rows, 2);
    rows[0].run = example_run("demo", 0, 1);
    rows[1].run = example_run("harbour", 7, 1);
    rows[0].measurement.row_max_mean = 0.95;
    rows[1].measurement.row_max_mean = 0.25;
    const char *text = sections_example_text(&example, &set, &arena, verdict_append);
    expect_part(text, "Nothing saturates under the guards **init + scale + norm** together with "
                      "**harbour** (at most 0.250).");
    expect_no_part(text, "Nothing saturates on");
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
    expect_part(lines_of(rising),
                "Along key dimension d\\_k (1 to 64): enters saturation between d_k "
                "= 16 and 64, at about 32; mean row-max 0.300 at 1, 1.00 at 64.");
    expect_part(lines_of(waving), "enters saturation between d_k = 1 and 4, at about 2.0, leaves "
                                  "saturation between d_k = 4 and 16, at about 8.0, enters");
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
                "enters saturation between 32 and 128 sentences, at about 64; ");
}
END_TEST

/* d_k 8 with row-max 0.85 and 0.97, d_k 16 with 0.5, 0.5 and a failed run. */
static struct result_set incomplete_set(struct result rows[5])
{
    struct result_set set = sections_example_rows(rows, 5);
    static const double row_max[] = {0.85, 0.97, 0.5, 0.5, (double)NAN};
    for (size_t i = 0; i < 5; i++) {
        rows[i].run.d_k = i < 2 ? 8 : 16;
        rows[i].run.seed = (int64_t)i;
        rows[i].measurement.row_max_mean = row_max[i];
        rows[i].measurement.row_max_median = i < 2 ? 0.5 : 0.95;
    }
    rows[4].status = RESULT_FAILED;
    set.planned = 1009;
    return set;
}

START_TEST(notes_state_facts_and_no_causes)
{
    static struct result rows[5];
    const struct result_set set = incomplete_set(rows);
    const char *text = sections_example_text(&example, &set, &arena, verdict_append_notes);
    expect_part(text, "Student interval of the mean over 3 seeds");
    expect_part(text, "In 1 setting the median row-max is at or above the threshold while the mean "
                      "is below it.\n");
    expect_no_part(text, "failed");
}
END_TEST

START_TEST(what_is_missing_comes_before_the_verdict)
{
    static struct result rows[5];
    const struct result_set set = incomplete_set(rows);
    const char *text = sections_example_text(&example, &set, &arena, verdict_append);
    static const char partial[] = "**This sweep is not complete: 1,004 of 1,009 planned runs have "
                                  "not been run.**";
    const char *failed = strstr(text, "**1 of 5 runs failed** and is left out of all means");
    ck_assert_msg(strncmp(text, partial, strlen(partial)) == 0, "%.300s", text);
    ck_assert(failed != NULL && failed < strstr(text, "**No setting "));
}
END_TEST

START_TEST(when_every_run_failed_the_verdict_is_that)
{
    static struct result rows[5];
    const struct result_set set = incomplete_set(rows);
    for (size_t i = 0; i < 5; i++) {
        rows[i].status = RESULT_FAILED;
    }
    const char *text = sections_example_text(&example, &set, &arena, verdict_append);
    expect_part(text, "**Every run failed (5 of 5): nothing can be said about saturation.**");
    expect_no_part(text, "settings");
    text = sections_example_text(&example, &set, &arena, tables_append);
    ck_assert_str_eq(text == NULL ? "" : text, "");
}
END_TEST

START_TEST(projections_from_files_are_not_called_random)
{
    static struct result row;
    struct error err = ERROR_INIT;
    const struct result_set set = sections_example_rows(&row, 1);
    row.run.source = SOURCE_ARRAYS;
    row.run.w_q = "q.npy";
    row.run.w_k = "k.npy";
    const char *text = sections_example_text(&example, &set, &arena, verdict_append_notes);
    expect_no_part(text, "another draw");
    expect_part(text, "Nothing is drawn by seed: the arrays are given, and there is no interval.");
    guide_append_limits(&example.sections);
    assert_ok(guide_append_reading(&example.sections, &err), err);
    expect_no_part(example.out.data, "random and untrained");
    expect_part(example.out.data,
                "W_Q and W_K as their files hold them | both divided by √d_model");
}
END_TEST

START_TEST(other_weights_are_not_said_to_lie_on_one_token)
{
    static struct result rows[2];
    const struct result_set set = sections_example_rows(rows, 2);
    rows[0].measurement.row_max_mean = 0.5;
    rows[1].measurement.row_max_mean = 1;
    rows[1].run.weights = WEIGHTS_ARGMAX;
    const char *text = sections_example_text(&example, &set, &arena, verdict_append);
    expect_part(text, "the largest weight of a row is then that large on average.");
    expect_no_part(text, "softmax fades");
    expect_part(sections_example_text(&example, &set, &arena, verdict_append_notes),
                "Argmax is one-hot by construction");
}
END_TEST

START_TEST(a_range_that_prints_as_one_number_is_one_number)
{
    static struct result rows[3];
    const struct result_set set = sections_example_rows(rows, 3);
    for (size_t i = 0; i < 3; i++) {
        rows[i].run.d_k = (int64_t)i + 1;
        rows[i].measurement.row_max_mean = 0.25 + 1e-9 * (double)i;
    }
    expect_part(sections_example_text(&example, &set, &arena, verdict_append_lines),
                "nowhere saturated; mean row-max 0.250.");
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
    tcase_add_test(cases, files_that_go_together_are_named_once);
    tcase_add_test(cases, a_choice_that_goes_with_the_guards_is_not_told_again);
    tcase_add_test(cases, without_saturation_no_guard_is_praised);
    tcase_add_test(cases, each_line_says_where_it_saturates);
    tcase_add_test(cases, crossings_of_the_threshold_are_interpolated);
    tcase_add_test(cases, limits_of_sentences_read_as_sentences);
    tcase_add_test(cases, an_interval_that_contains_the_threshold_leaves_it_undecided);
    tcase_add_test(cases, undecided_points_of_a_line_are_named);
    tcase_add_test(cases, a_crossing_between_undecided_points_is_left_open);
    tcase_add_test(cases, two_guards_are_called_too_few_only_where_a_third_is_enough);
    tcase_add_test(cases, a_guard_set_that_is_undecided_is_not_called_free);
    tcase_add_test(cases, notes_state_facts_and_no_causes);
    tcase_add_test(cases, what_is_missing_comes_before_the_verdict);
    tcase_add_test(cases, when_every_run_failed_the_verdict_is_that);
    tcase_add_test(cases, projections_from_files_are_not_called_random);
    tcase_add_test(cases, other_weights_are_not_said_to_lie_on_one_token);
    tcase_add_test(cases, a_range_that_prints_as_one_number_is_one_number);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
