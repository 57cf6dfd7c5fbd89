/* SPDX-License-Identifier: MIT */
/* Tests src/report/panel_data.c: the JSON says what the set says, inert and to the last bit. */
#include "panel_example.h"

#include "report/numbers.h"

static struct arena arena;

static double number_at(json_t *json, const char *path)
{
    json_t *found = panel_example_at(json, path);
    ck_assert_msg(json_is_number(found), "no number at %s", path);
    return json_number_value(found);
}

static const char *text_at(json_t *json, const char *path)
{
    const char *found = json_string_value(panel_example_at(json, path));
    ck_assert_msg(found != NULL, "no text at %s", path);
    return found;
}

/* Setting 3 of the example is demo with init and scale: the plan has eight guard sets a corpus. */
START_TEST(measures_are_the_same_doubles_and_have_the_text_of_the_report)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 4);
    json_t *json = panel_example_json(panel_example_text(&example, &set, &arena));
    const struct result *row = &set.whole[3];
    char number[NUMBER_SIZE];
    ck_assert_uint_eq(json_array_size(panel_example_at(json, "settings")), 24);
    ck_assert_int_eq((int)number_at(json, "settings/3/guards"), 3);
    ck_assert_int_eq((int)number_at(json, "settings/3/place/0"), 0);
    ck_assert_str_eq(text_at(json, "measures/2/name"), "row_max_mean");
    ck_assert(number_at(json, "runs/0/3/values/2/0") == row->measurement.row_max_mean);
    ck_assert(number_at(json, "runs/0/3/values/1/0") == row->measurement.score_std);
    ck_assert_str_eq(text_at(json, "runs/0/3/values/1/1"),
                     number_text(row->measurement.score_std, number));
    const struct summary_group *group = &example.summary.groups[3];
    ck_assert(number_at(json, "settings/3/means/2/0") ==
              group->measures[MEASURE_ROW_MAX_MEAN].mean);
    ck_assert_str_eq(text_at(json, "settings/3/means/2/2"),
                     number_measure(group, MEASURE_ROW_MAX_MEAN, number));
    ck_assert_str_eq(text_at(json, "settings/0/verdict"), "saturated");
    ck_assert_str_eq(text_at(json, "settings/7/verdict"), "not saturated");
    json_decref(json);
}
END_TEST

START_TEST(weights_have_four_digits_and_their_words)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 2);
    json_t *json = panel_example_json(panel_example_text(&example, &set, &arena));
    for (size_t i = 0; i < EXAMPLE_TOKENS; i++) {
        char path[64];
        snprintf(path, sizeof path, "runs/0/3/weights/%zu/2", i);
        assert_near(number_at(json, path), set.whole[3].kept.weights[i * EXAMPLE_TOKENS + 2], 5e-4);
    }
    ck_assert_uint_eq(json_array_size(panel_example_at(json, "words")), 1);
    ck_assert_str_eq(text_at(json, "words/0/4"), "mouse");
    ck_assert_uint_eq(json_array_size(panel_example_at(json, "runs")), 1);
    ck_assert_int_eq((int)number_at(json, "seeds_run"), 2);
    json_decref(json);
}
END_TEST

START_TEST(a_weight_below_1_never_prints_as_1)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 1);
    double weights[EXAMPLE_TOKENS * EXAMPLE_TOKENS] = {0.99999, 1e-5, 1.0, 1.23456e-9, (double)NAN};
    panel_example_own(&set, &arena)[0].kept.weights = weights;
    json_t *json = panel_example_json(panel_example_text(&example, &set, &arena));
    const double wanted[] = {0.99999, 1e-5, 1, 1.235e-9};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        char path[64];
        snprintf(path, sizeof path, "runs/0/0/weights/0/%zu", k);
        ck_assert(number_at(json, path) == wanted[k]);
    }
    ck_assert(json_is_null(panel_example_at(json, "runs/0/0/weights/0/4")));
    json_decref(json);
}
END_TEST

START_TEST(what_is_no_number_is_null_with_a_word_and_a_failed_run_has_its_message)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 1);
    struct result *rows = panel_example_own(&set, &arena);
    rows[1].measurement.row_max_mean = (double)NAN;
    rows[1].measurement.score_std = (double)INFINITY;
    rows[2].status = RESULT_FAILED;
    rows[2].message = "8 of 64 scores are not finite";
    json_t *json = panel_example_json(panel_example_text(&example, &set, &arena));
    ck_assert(json_is_null(panel_example_at(json, "runs/0/1/values/2/0")));
    ck_assert_str_eq(text_at(json, "runs/0/1/values/2/1"), "undefined");
    ck_assert(json_is_null(panel_example_at(json, "runs/0/1/values/1/0")));
    ck_assert_str_eq(text_at(json, "runs/0/1/values/1/1"), "∞");
    ck_assert_str_eq(text_at(json, "runs/0/2/failed"), "8 of 64 scores are not finite");
    ck_assert_ptr_null(panel_example_at(json, "runs/0/2/values"));
    ck_assert_str_eq(text_at(json, "settings/2/means/2/2"), "no result");
    json_decref(json);
}
END_TEST

START_TEST(a_measure_that_was_not_stored_is_not_there)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 1);
    set.lacking = UINT64_C(1) << MEASURE_SCORE_STD | UINT64_C(1) << MEASURE_INPUT_STD;
    json_t *json = panel_example_json(panel_example_text(&example, &set, &arena));
    ck_assert_uint_eq(json_array_size(panel_example_at(json, "measures")), 4);
    ck_assert_str_eq(text_at(json, "measures/0/name"), "row_max_mean");
    ck_assert(number_at(json, "runs/0/3/values/0/0") == set.whole[3].measurement.row_max_mean);
    json_decref(json);
}
END_TEST

/* Under a causal mask, query i sees keys 0 to i. */
START_TEST(masked_keys_are_not_there)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 1);
    struct result *rows = panel_example_own(&set, &arena);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.mask = MASK_CAUSAL;
    }
    json_t *json = panel_example_json(panel_example_text(&example, &set, &arena));
    ck_assert_uint_eq(json_array_size(panel_example_at(json, "runs/0/0/weights/0")), 1);
    ck_assert_uint_eq(json_array_size(panel_example_at(json, "runs/0/0/weights/7")), 8);
    json_decref(json);
}
END_TEST

START_TEST(names_cannot_end_the_script_element)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 1);
    struct result *rows = panel_example_own(&set, &arena);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].run.corpus = rows[i].run.corpus[0] == 'd' ? "</script><!--" : "a&\xE2\x80\xA8\xFF";
        rows[i].kept.words = "</script> <!-- & <b> \" ' \\ x";
    }
    set.title = "</SCRIPT >";
    const char *text = panel_example_text(&example, &set, &arena);
    ck_assert_ptr_null(strpbrk(text, "<>&\n"));
    json_t *json = panel_example_json(text);
    ck_assert_str_eq(text_at(json, "title"), "</SCRIPT >");
    ck_assert_str_eq(text_at(json, "words/0/0"), "</script>");
    ck_assert_str_eq(text_at(json, "axes/0/values/1/label"), "a&\xE2\x80\xA8\xEF\xBF\xBD");
    json_decref(json);
}
END_TEST

/* 300 seeds of 24 settings with 64 weights each are more than 2 MB. */
START_TEST(seeds_that_have_no_room_are_left_out_and_counted)
{
    struct panel_example example;
    struct result_set set = example_set(&arena, 300);
    struct result *rows = panel_example_own(&set, &arena);
    for (size_t i = 0; i < set.count; i++) {
        rows[i].kept.weights = set.whole[3].kept.weights;
    }
    const char *text = panel_example_text(&example, &set, &arena);
    ck_assert_uint_le(strlen(text), PANEL_DATA_BYTES + 100000);
    json_t *json = panel_example_json(text);
    size_t seeds = json_array_size(panel_example_at(json, "seeds"));
    ck_assert_uint_gt(seeds, 8);
    ck_assert_uint_lt(seeds, 300);
    ck_assert_uint_eq(json_array_size(panel_example_at(json, "runs")), seeds);
    ck_assert_int_eq((int)number_at(json, "seeds_kept"), 300);
    ck_assert(json_is_false(panel_example_at(json, "matrices_left_out")));
    json_decref(json);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("panel_data");
    tcase_add_test(all, measures_are_the_same_doubles_and_have_the_text_of_the_report);
    tcase_add_test(all, weights_have_four_digits_and_their_words);
    tcase_add_test(all, a_weight_below_1_never_prints_as_1);
    tcase_add_test(all, what_is_no_number_is_null_with_a_word_and_a_failed_run_has_its_message);
    tcase_add_test(all, a_measure_that_was_not_stored_is_not_there);
    tcase_add_test(all, masked_keys_are_not_there);
    tcase_add_test(all, names_cannot_end_the_script_element);
    tcase_add_test(all, seeds_that_have_no_room_are_left_out_and_counted);
    Suite *suite = suite_create("report.panel_data");
    suite_add_tcase(suite, all);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
