/* SPDX-License-Identifier: MIT */
/* Tests src/report/setting_names.c: what settings are called, in figures, tables and verdicts. */
#include "settings_example.h"

#include "report/setting_axis.h"

static struct arena arena;
static struct sections_example example;

static const struct summary_axis *settings_of(const struct result_set *set)
{
    sections_example_make(&example, set, &arena);
    const struct summary_axis *settings = summary_axis_find(example.view.summary, AXIS_SETTINGS);
    ck_assert_ptr_nonnull(settings);
    return settings;
}

START_TEST(a_setting_is_named_by_what_most_others_do_not_have)
{
    static struct result rows[ONE_AT_A_TIME_ROWS];
    const struct result_set set = one_at_a_time(rows, ONE_AT_A_TIME);
    const struct summary_axis *settings = settings_of(&set);
    for (size_t i = 0; i < ONE_AT_A_TIME; i++) {
        ck_assert_str_eq(settings->names[i], one_at_a_time_names[i]);
    }
    ck_assert_str_eq(example.view.note,
                     "score factor = 1, guards init + scale, norm = layer, query/key norm = none, "
                     "query/key gain = 1, score scale = sqrt, soft cap = 0, mask = none");
}
END_TEST

/* Rows of scores of which none is common, in 8 of 6 x 2 combinations: a precision comes with its
 * scores. */
static struct result_set score_rows(struct result rows[8])
{
    static const char *const scores[] = {"2,1,0.1", "2,1,0.1", "7,5,2", "7,5,2",
                                         "5,5",     "0,0",     "1,0",   "1,1,1,1"};
    const struct result_set set = sections_example_rows(rows, 8);
    for (size_t i = 0; i < 8; i++) {
        rows[i].run.source = SOURCE_SCORES;
        rows[i].run.scores = scores[i];
        rows[i].run.stabilise = i != 1 && i != 3;
        rows[i].run.precision = i == 7 ? PRECISION_FP16 : PRECISION_FP64;
        rows[i].measurement = example_measure(i + 1, 1, NULL);
    }
    return set;
}

START_TEST(without_a_common_value_every_value_is_named)
{
    static struct result rows[8];
    const struct result_set set = score_rows(rows);
    const struct summary_axis *settings = settings_of(&set);
    ck_assert_str_eq(settings->names[0], "scores (2, 1, 0.1)");
    ck_assert_str_eq(settings->names[1], "scores (2, 1, 0.1), stabilise = off");
    ck_assert_str_eq(settings->names[7], "scores (1, 1, 1, 1), precision = fp16");
}
END_TEST

START_TEST(the_plain_setting_without_guards_is_as_it_is)
{
    static struct result rows[5];
    const struct result_set set = sections_example_rows(rows, 5);
    rows[1].run.mask = MASK_CAUSAL;
    rows[2].run.weights = WEIGHTS_SIGMOID;
    rows[3].run.precision = PRECISION_FP16;
    rows[4].run.softcap = 50;
    const struct summary_axis *settings = settings_of(&set);
    ck_assert_str_eq(settings->names[0], "as is");
    ck_assert_str_eq(settings->names[1], "mask = causal");
    ck_assert_str_eq(settings->names[2], "weights = sigmoid");
}
END_TEST

START_TEST(guards_of_which_none_is_common_stand_in_full)
{
    static struct result rows[6];
    const struct result_set set = sections_example_rows(rows, 6);
    static const unsigned guards[6] = {0, 1, 3, 7, 3, 0};
    for (size_t i = 0; i < 6; i++) {
        rows[i].run.guard_init = (guards[i] & 1U) != 0;
        rows[i].run.guard_scale = (guards[i] & 2U) != 0;
        rows[i].run.guard_norm = (guards[i] & 4U) != 0;
    }
    rows[4].run.softcap = 50;
    rows[5].run.mask = MASK_CAUSAL;
    const struct summary_axis *settings = settings_of(&set);
    ck_assert_str_eq(settings->names[0], "no guards");
    ck_assert_str_eq(settings->names[3], "init + scale + norm");
    ck_assert_str_eq(settings->names[4], "soft cap = 50, init + scale");
}
END_TEST

START_TEST(tables_have_one_column_of_settings)
{
    static struct result rows[ONE_AT_A_TIME_ROWS];
    const struct result_set set = one_at_a_time(rows, ONE_AT_A_TIME);
    const char *text = sections_example_text(&example, &set, &arena, tables_append);
    expect_part(text, "| setting | spread of the drawn input | input spread |");
    expect_part(text, "| query/key norm = l2, query/key gain = 9.954, without scale | 4 | 4.00 |");
    expect_part(text, "most common values: score factor = 1, guards init + scale, ");
}
END_TEST

START_TEST(verdicts_follow_each_setting_along_the_spread)
{
    static struct result rows[ONE_AT_A_TIME_ROWS];
    const struct result_set set = one_at_a_time(rows, ONE_AT_A_TIME);
    const char *text = sections_example_text(&example, &set, &arena, verdict_append_lines);
    expect_part(text, "Along spread of the drawn input (1 to 4):\n\n- **init + scale**: ");
    expect_part(text, "- **query/key norm = l2, query/key gain = 9.954, without scale**: ");
    expect_part(text, "- **mask = causal**: ");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("setting_names");
    TCase *cases = tcase_create("setting_names");
    tcase_add_test(cases, a_setting_is_named_by_what_most_others_do_not_have);
    tcase_add_test(cases, without_a_common_value_every_value_is_named);
    tcase_add_test(cases, the_plain_setting_without_guards_is_as_it_is);
    tcase_add_test(cases, guards_of_which_none_is_common_stand_in_full);
    tcase_add_test(cases, tables_have_one_column_of_settings);
    tcase_add_test(cases, verdicts_follow_each_setting_along_the_spread);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
