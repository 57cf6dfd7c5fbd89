/* SPDX-License-Identifier: MIT */
/* Tests src/report/panel_lesson.c: a lesson for the guards that a sweep has, in words that hold. */
#include "panel_example.h"

static struct arena arena;

static json_t *lesson_of(const struct result_set *set)
{
    struct panel_example example;
    return panel_example_json(panel_example_text(&example, set, &arena));
}

static void expect_step(json_t *json, size_t number, const char *title, int guards)
{
    json_t *step = json_array_get(panel_example_at(json, "steps"), number);
    ck_assert_str_eq(json_string_value(json_object_get(step, "title")), title);
    ck_assert_int_eq((int)json_integer_value(json_object_get(step, "guards")), guards);
}

static void keep_guards(struct result_set *set, unsigned allowed)
{
    struct result *rows = panel_example_own(set, &arena);
    for (size_t i = 0; i < set->count; i++) {
        if ((allowed >> run_guards_mask(&rows[i].run) & 1U) == 0) {
            rows[i].index = -1;
        }
    }
}

/* 1 init, 2 scale, 4 norm. The example saturates under init and scale, as its first test says. */
START_TEST(the_lesson_goes_from_the_failure_through_each_guard_to_all)
{
    struct result_set set = example_set(&arena, 4);
    json_t *json = lesson_of(&set);
    ck_assert_uint_eq(json_array_size(panel_example_at(json, "steps")), 5);
    expect_step(json, 0, "The failure", 3);
    expect_step(json, 1, "init alone", 1);
    expect_step(json, 2, "scale alone", 2);
    expect_step(json, 3, "norm alone", 4);
    expect_step(json, 4, "All three", 7);
    ck_assert_str_eq(json_string_value(panel_example_at(json, "steps/0/end")), "first");
    ck_assert_str_eq(json_string_value(panel_example_at(json, "steps/4/end")), "last");
    json_decref(json);
}
END_TEST

START_TEST(guard_sets_that_were_not_run_have_no_step_and_no_switch)
{
    struct result_set set = example_set(&arena, 2);
    keep_guards(&set, 1U << 3 | 1U << 7);
    json_t *json = lesson_of(&set);
    ck_assert_uint_eq(json_array_size(panel_example_at(json, "steps")), 2);
    expect_step(json, 1, "All three", 7);
    ck_assert(json_is_false(panel_example_at(json, "guards/0/varies")));
    ck_assert(json_is_false(panel_example_at(json, "guards/1/varies")));
    ck_assert(json_is_true(panel_example_at(json, "guards/2/varies")));
    json_decref(json);
}
END_TEST

START_TEST(a_sweep_that_does_not_saturate_is_called_no_failure)
{
    struct result_set set = example_set(&arena, 2);
    struct result *rows = panel_example_own(&set, &arena);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].measurement.row_max_mean = 0.2;
    }
    json_t *json = lesson_of(&set);
    expect_step(json, 0, "Two guards", 3);
    json_decref(json);
}
END_TEST

START_TEST(the_switches_say_what_they_do_in_this_sweep)
{
    struct result_set set = example_set(&arena, 1);
    struct result *rows = panel_example_own(&set, &arena);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.norm = NORM_RMS;
        rows[i].run.score_scale = SCORE_SCALE_LINEAR;
    }
    json_t *json = lesson_of(&set);
    ck_assert_str_eq(json_string_value(panel_example_at(json, "guards/1/words")),
                     "Scores are divided by d_k.");
    ck_assert_str_eq(json_string_value(panel_example_at(json, "guards/2/words")),
                     "Each row of the input is brought to a mean square of 1.");
    json_decref(json);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("panel_lesson");
    tcase_add_test(all, the_lesson_goes_from_the_failure_through_each_guard_to_all);
    tcase_add_test(all, guard_sets_that_were_not_run_have_no_step_and_no_switch);
    tcase_add_test(all, a_sweep_that_does_not_saturate_is_called_no_failure);
    tcase_add_test(all, the_switches_say_what_they_do_in_this_sweep);
    Suite *suite = suite_create("report.panel_lesson");
    suite_add_tcase(suite, all);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
