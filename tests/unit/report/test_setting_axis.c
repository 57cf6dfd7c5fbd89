/* SPDX-License-Identifier: MIT */
/* Tests src/report/setting_axis.c: which axes are merged. */
#include "settings_example.h"

#include "report/setting_axis.h"

static struct arena arena;
static struct summary summary;
static struct settings settings;

static void merge(const struct result_set *set)
{
    struct error err = ERROR_INIT;
    assert_ok(summary_make(set, &arena, &summary, &err), err);
    assert_ok(settings_merge(&summary, &arena, &settings, &err), err);
}

START_TEST(one_thing_at_a_time_becomes_an_axis_beside_the_crossed_one)
{
    static struct result rows[ONE_AT_A_TIME_ROWS];
    const struct result_set set = one_at_a_time(rows, ONE_AT_A_TIME);
    merge(&set);
    ck_assert(settings.merged);
    ck_assert_uint_eq(settings.summary.axis_count, 2);
    ck_assert_int_eq(settings.summary.axes[0].field, AXIS_SETTINGS);
    ck_assert_uint_eq(settings.summary.axes[0].count, ONE_AT_A_TIME);
    ck_assert_int_eq(settings.summary.axes[1].field, RUN_INPUT_SPREAD);
    ck_assert_uint_eq(settings.summary.group_count, summary.group_count);
    /* the last run: the last setting at the last of three spreads */
    ck_assert_uint_eq(settings.summary.groups[ONE_AT_A_TIME_ROWS - 1].place[0], 9);
    ck_assert_uint_eq(settings.summary.groups[ONE_AT_A_TIME_ROWS - 1].place[1], 2);
}
END_TEST

START_TEST(a_full_grid_stays_as_it_is)
{
    struct result_set set = example_set(&arena, 2);
    merge(&set);
    ck_assert(!settings.merged);
    /* and so does the beginning of one, here all guards on one corpus and one set on the next: 9 of
     * 16 combinations */
    set.count = 17;
    merge(&set);
    ck_assert_uint_eq(summary.group_count, 9);
    ck_assert(!settings.merged);
}
END_TEST

START_TEST(paired_fields_count_as_one)
{
    static struct result rows[8];
    const struct result_set set = sections_example_rows(rows, 8);
    for (size_t i = 0; i < 8; i++) {
        rows[i].run.d_k = (int64_t)1 << i / 2;
        rows[i].run.d_model = (int64_t)4 << i / 2;
        rows[i].run.mask = i % 2 == 0 ? MASK_NONE : MASK_CAUSAL;
    }
    merge(&set);
    ck_assert_uint_eq(summary.axis_count, 3);
    ck_assert(!settings.merged);
}
END_TEST

START_TEST(curves_over_different_ranges_stay_curves)
{
    /* key dimensions 1 to 16 with one guard, 32 to 512 with two: 10 of 20 combinations, and still
     * five points a line */
    static struct result rows[10];
    const struct result_set set = sections_example_rows(rows, 10);
    for (size_t i = 0; i < 10; i++) {
        rows[i].run.d_k = (int64_t)1 << i;
        rows[i].run.guard_scale = i >= 5;
    }
    merge(&set);
    ck_assert(!settings.merged);
}
END_TEST

START_TEST(an_axis_crossed_with_the_settings_keeps_its_place)
{
    /* scores A with factors 1, 2, 4 and 8, scores B and C with factor 1; each in two ways: 12
     * groups.
     * Scores and factors have 6 of 12 combinations. */
    static struct result rows[12];
    const struct result_set set = sections_example_rows(rows, 12);
    static const char *const scores[] = {"1,2", "1,2", "1,2", "1,2", "3,4", "5,6"};
    static const double factors[] = {1, 2, 4, 8, 1, 1};
    for (size_t i = 0; i < 12; i++) {
        rows[i].run.source = SOURCE_SCORES;
        rows[i].run.scores = scores[i / 2];
        rows[i].run.score_factor = factors[i / 2];
        rows[i].run.weights = i % 2 == 0 ? WEIGHTS_SOFTMAX : WEIGHTS_SIGMOID;
    }
    merge(&set);
    ck_assert(settings.merged);
    ck_assert_uint_eq(settings.summary.axes[0].count, 6);
    ck_assert_int_eq(settings.summary.axes[1].field, RUN_WEIGHTS);
    ck_assert_str_eq(settings.summary.axes[0].names[1], "score factor = 2");
    ck_assert_str_eq(settings.summary.axes[0].names[5], "scores (5, 6)");
    ck_assert_str_eq(settings.note, "scores (1, 2), score factor = 1");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("setting_axis");
    TCase *cases = tcase_create("setting_axis");
    tcase_add_test(cases, one_thing_at_a_time_becomes_an_axis_beside_the_crossed_one);
    tcase_add_test(cases, a_full_grid_stays_as_it_is);
    tcase_add_test(cases, paired_fields_count_as_one);
    tcase_add_test(cases, curves_over_different_ranges_stay_curves);
    tcase_add_test(cases, an_axis_crossed_with_the_settings_keeps_its_place);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
