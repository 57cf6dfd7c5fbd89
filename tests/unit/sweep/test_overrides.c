/* SPDX-License-Identifier: MIT */
/* --set: what it replaces, how its values are read, what it refuses. */
#include "sweep_support.h"

#define SWEEP                                                                                      \
    "rowmax: 1\ntitle: old\nfixed: {sentence: the cat, window: 3}\n"                               \
    "grid:\n  corpus: [demo, kitchen]\n  seed: {from: 1, to: 3}\n  guards: all\n"                  \
    "zip: {d_model: [8, 16], d_k: [2, 4]}\n"

static void plan_set(struct sweep_case *test, const char *set)
{
    const char *sets[] = {set};
    case_plan_sets(test, SWEEP, sets, 1);
}

static void refuse_set(const char *set, const char *message)
{
    struct sweep_case test = CASE_INIT;
    const char *sets[] = {set};
    ck_assert_msg(!case_read(&test, SWEEP, sets, 1), "accepted: %s", set);
    assert_error(test.err, ERROR_USAGE, message);
    case_release(&test);
}

START_TEST(a_value_replaces_an_axis)
{
    struct sweep_case test = CASE_INIT;
    plan_set(&test, "seed=7");
    ck_assert_uint_eq(test.plan.count, 2 * 8 * 2);
    ck_assert_int_eq(run_at(&test.plan, 0)->seed, 7);
    ck_assert_uint_eq(test.plan.axis_count, 3);
    case_release(&test);
}
END_TEST

START_TEST(a_list_or_range_replaces_a_fixed_value)
{
    static const char *const sets[] = {"window=[3, 5]", "window={from: 3, to: 5, step: 2}"};
    for (size_t i = 0; i < 2; i++) {
        struct sweep_case test = CASE_INIT;
        plan_set(&test, sets[i]);
        ck_assert_uint_eq(test.plan.count, 2 * 3 * 8 * 2 * 2);
        ck_assert_int_eq(run_at(&test.plan, 0)->window, 3);
        ck_assert_int_eq(run_at(&test.plan, test.plan.count - 1)->window, 5);
        ck_assert_uint_eq(test.plan.axis_count, 5);
        case_release(&test);
    }
}
END_TEST

START_TEST(a_replaced_axis_keeps_its_place)
{
    struct sweep_case test = CASE_INIT;
    plan_set(&test, "seed=[5, 6]");
    ck_assert_str_eq(test.plan.axes[0].name, "corpus");
    ck_assert_str_eq(test.plan.axes[1].name, "seed");
    ck_assert_uint_eq(test.plan.axes[1].values, 2);
    ck_assert_int_eq(run_at(&test.plan, 0)->seed, 5);
    ck_assert_int_eq(run_at(&test.plan, 16)->seed, 6);
    case_release(&test);
}
END_TEST

START_TEST(a_field_leaves_its_zip_and_the_others_stay)
{
    struct sweep_case test = CASE_INIT;
    plan_set(&test, "d_k=3");
    ck_assert_uint_eq(test.plan.count, 2 * 3 * 8 * 2);
    ck_assert_str_eq(test.plan.axes[3].name, "d_model");
    ck_assert_int_eq(run_at(&test.plan, 1)->d_model, 16);
    ck_assert_int_eq(run_at(&test.plan, 1)->d_k, 3);
    case_release(&test);
    test = (struct sweep_case)CASE_INIT;
    const char *sets[] = {"d_k=3", "d_model=5"};
    case_plan_sets(&test, SWEEP, sets, 2);
    ck_assert_uint_eq(test.plan.count, 2 * 3 * 8);
    ck_assert_int_eq(run_at(&test.plan, 0)->d_model, 5);
    case_release(&test);
}
END_TEST

START_TEST(a_new_field_is_added_to_every_grid)
{
    struct sweep_case test = CASE_INIT;
    const char *sets[] = {"seed=[8, 9]"};
    case_plan_sets(&test, CORPUS_HEAD "grid:\n  - {d_k: 1}\n  - {d_k: 2, seed: 4}\n", sets, 1);
    ck_assert_uint_eq(test.plan.count, 4);
    ck_assert_int_eq(run_at(&test.plan, 1)->d_k, 1);
    ck_assert_int_eq(run_at(&test.plan, 1)->seed, 9);
    ck_assert_int_eq(run_at(&test.plan, 2)->d_k, 2);
    ck_assert_int_eq(run_at(&test.plan, 2)->seed, 8);
    case_release(&test);
}
END_TEST

START_TEST(guards_replace_guards_and_single_switches)
{
    struct sweep_case test = CASE_INIT;
    plan_set(&test, "guards=[none, init+scale]");
    ck_assert_uint_eq(test.plan.count, 2 * 3 * 2 * 2);
    case_release(&test);
    test = (struct sweep_case)CASE_INIT;
    const char *sets[] = {"guards=all"};
    case_plan_sets(&test, CORPUS_HEAD "grid: {guard_init: [on, off], guard_norm: on}\n", sets, 1);
    ck_assert_uint_eq(test.plan.count, 8);
    case_release(&test);
    refuse_set("guard_norm=on", "--set guard_norm=on: 'guard_norm' is already set by 'guards'");
}
END_TEST

START_TEST(texts_are_taken_whole)
{
    struct sweep_case test = CASE_INIT;
    const char *sets[] = {"sentence=a, b: #c", "corpus=x,y.txt", "title=What: now?", "name=n"};
    case_plan_sets(&test, SWEEP, sets, 4);
    ck_assert_str_eq(run_at(&test.plan, 0)->sentence, "a, b: #c");
    ck_assert_str_eq(run_at(&test.plan, 0)->corpus, "x,y.txt");
    ck_assert_str_eq(test.sweep.title, "What: now?");
    ck_assert_str_eq(test.sweep.name, "n");
    case_release(&test);
}
END_TEST

START_TEST(texts_may_be_lists_or_quoted)
{
    struct sweep_case test = CASE_INIT;
    const char *sets[] = {"sentence='[a], b'", "corpus=[one, 'two, three']"};
    case_plan_sets(&test, SWEEP, sets, 2);
    ck_assert_str_eq(run_at(&test.plan, 0)->sentence, "[a], b");
    ck_assert_str_eq(run_at(&test.plan, 0)->corpus, "one");
    ck_assert_str_eq(run_at(&test.plan, test.plan.count - 1)->corpus, "two, three");
    case_release(&test);
}
END_TEST

START_TEST(the_saturation_threshold_is_set_by_its_path)
{
    struct sweep_case test = CASE_INIT;
    plan_set(&test, "saturation.row_max=0.8");
    ck_assert(run_at(&test.plan, 0)->saturation_row_max == 0.8);
    case_release(&test);
    refuse_set("saturation.row_max=[0.8, 0.9]", "saturation_row_max: one value wanted");
    refuse_set("saturation_row_max=0.8", "write saturation.row_max=...");
    plan_set(&test, "saturation.gradient=0.25");
    ck_assert(run_at(&test.plan, 0)->saturation_gradient == 0.25);
    case_release(&test);
    refuse_set("saturation_gradient=0.25", "write saturation.gradient=...");
}
END_TEST

START_TEST(faults_name_the_option)
{
    refuse_set("d_modle=3", "--set d_modle=3: unknown field 'd_modle'; did you mean 'd_model'?");
    refuse_set("d_model.x=1", "--set d_model.x=1: unknown field 'd_model.x'");
    refuse_set("d_k=8,16", "--set d_k=8,16: '8,16' is not one value; a list is written [8,16]");
    refuse_set("d_k=", "--set d_k=: d_k: empty value");
    refuse_set("sentence=", "--set sentence=: sentence: empty value");
    refuse_set("d_k=#", "--set d_k=#: empty value");
    refuse_set("d_k=08", "--set d_k=08: d_k: '08' has a leading zero; write 8");
    refuse_set("d_k='8'", "--set d_k='8': d_k: '8' is in quotes");
    refuse_set("d_k=[]", "--set d_k=[]: d_k: axis has no values");
    refuse_set("d_k=[1", "--set d_k=[1: did not find expected ',' or ']'");
    refuse_set("d_k", "--set d_k: write it as field=value");
    refuse_set("=3", "--set =3: write it as field=value");
    refuse_set("sentence=\xFF", "invalid UTF-8 (byte 0xFF at offset 0)");
    refuse_set("tokens=3", "--set tokens=3: 'tokens' has no effect with source corpus");
    refuse_set("source=gaussian", "--set source=gaussian: 'tokens' is missing");
    refuse_set("name=a/b", "--set name=a/b: name: 'a/b' is no file name");
    refuse_set("title=", "--set title=: title: empty value");
}
END_TEST

START_TEST(one_field_is_set_once)
{
    struct sweep_case test = CASE_INIT;
    const char *sets[] = {"seed=1", "seed=2"};
    ck_assert(!case_read(&test, SWEEP, sets, 2));
    assert_error(test.err, ERROR_USAGE, "--set seed=2: 'seed' is already set by '--set seed=1'");
    case_release(&test);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/overrides");
    TCase *tests = tcase_create("overrides");
    tcase_add_test(tests, a_value_replaces_an_axis);
    tcase_add_test(tests, a_list_or_range_replaces_a_fixed_value);
    tcase_add_test(tests, a_replaced_axis_keeps_its_place);
    tcase_add_test(tests, a_field_leaves_its_zip_and_the_others_stay);
    tcase_add_test(tests, a_new_field_is_added_to_every_grid);
    tcase_add_test(tests, guards_replace_guards_and_single_switches);
    tcase_add_test(tests, texts_are_taken_whole);
    tcase_add_test(tests, texts_may_be_lists_or_quoted);
    tcase_add_test(tests, the_saturation_threshold_is_set_by_its_path);
    tcase_add_test(tests, faults_name_the_option);
    tcase_add_test(tests, one_field_is_set_once);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
