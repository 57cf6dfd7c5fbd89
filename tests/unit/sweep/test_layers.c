/* SPDX-License-Identifier: MIT */
/* What of an included file remains beside a sweep's own keys, and in which order axes vary. */
#include "sweep_support.h"

#include <stdio.h>

#define BASE                                                                                       \
    "rowmax: 1\nfixed: {source: gaussian, tokens: 8, d_k: 8}\n"                                    \
    "grid: {guards: [none, init], seed: [1, 2]}\n"

/* The plan of a sweep that includes base.yaml. */
static void plan_over(struct sweep_case *test, const char *base, const char *text)
{
    support_file("base.yaml", base, strlen(base));
    support_file("main.yaml", text, strlen(text));
    assert_ok(
        sweep_read(support_path("main.yaml"), NULL, 0, &test->arena, &test->sweep, &test->err),
        test->err);
    assert_ok(plan_make(&test->sweep, 1000, &test->arena, &test->plan, &test->err), test->err);
}

static void refuse_over(const char *base, const char *text, const char *message)
{
    struct sweep_case test = CASE_INIT;
    support_file("base.yaml", base, strlen(base));
    support_file("main.yaml", text, strlen(text));
    ck_assert_msg(
        !sweep_read(support_path("main.yaml"), NULL, 0, &test.arena, &test.sweep, &test.err),
        "accepted: %s", text);
    assert_error(test.err, ERROR_INPUT, message);
    case_release(&test);
}

static void assert_axis(const struct sweep_case *test, size_t place, const char *name,
                        size_t values)
{
    ck_assert_uint_lt(place, test->plan.axis_count);
    ck_assert_str_eq(test->plan.axes[place].name, name);
    ck_assert_uint_eq(test->plan.axes[place].values, values);
}

START_TEST(fields_of_fixed_merge_one_by_one)
{
    struct sweep_case test = CASE_INIT;
    plan_over(&test, BASE, "rowmax: 1\ninclude: base.yaml\nfixed: {tokens: 16, d_model: 32}\n");
    ck_assert_uint_eq(test.plan.count, 4);
    ck_assert_int_eq(run_at(&test.plan, 0)->tokens, 16);
    ck_assert_int_eq(run_at(&test.plan, 0)->d_model, 32);
    ck_assert_int_eq(run_at(&test.plan, 0)->d_k, 8);
    case_release(&test);
}
END_TEST

START_TEST(a_field_replaces_an_included_one_wherever_either_stands)
{
    static const struct {
        const char *text;
        size_t runs;
    } cases[] = {
        {"fixed: {seed: 5}\n", 2},         /* over an axis */
        {"grid: {d_k: [4, 8, 16]}\n", 12}, /* an axis over a value */
        {"grid: {seed: [5, 6, 7]}\n", 6},  /* an axis over an axis */
        {"zip: {seed: [5, 6], d_k: [4, 8]}\n", 4},
        {"fixed: {guards: none}\n", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sweep_case test = CASE_INIT;
        char text[200];
        snprintf(text, sizeof text, "rowmax: 1\ninclude: base.yaml\n%s", cases[i].text);
        plan_over(&test, BASE, text);
        ck_assert_msg(test.plan.count == cases[i].runs, "%s: %zu runs", cases[i].text,
                      test.plan.count);
        case_release(&test);
    }
}
END_TEST

START_TEST(axes_of_the_included_file_vary_slowest)
{
    struct sweep_case test = CASE_INIT;
    plan_over(
        &test, BASE,
        "rowmax: 1\nfixed: {d_model: 32}\ngrid: {mask: [none, causal], guards: [none, norm]}\n"
        "include: base.yaml\n");
    ck_assert_uint_eq(test.plan.count, 8);
    assert_axis(&test, 0, "seed", 2);
    assert_axis(&test, 1, "mask", 2);
    assert_axis(&test, 2, "guards", 2);
    ck_assert_int_eq(run_at(&test.plan, 1)->seed, 1);
    ck_assert(run_at(&test.plan, 1)->guard_norm);
    case_release(&test);
}
END_TEST

START_TEST(a_part_of_a_zip_can_be_replaced_and_a_whole_zip_goes)
{
    static const char base[] = "rowmax: 1\nfixed: {source: gaussian, tokens: 8}\n"
                               "zip: [{d_k: [8, 16], d_model: [32, 64]}, {seed: [1, 2]}]\n";
    struct sweep_case test = CASE_INIT;
    plan_over(&test, base, "rowmax: 1\ninclude: base.yaml\nfixed: {d_k: 4, seed: 3}\n");
    ck_assert_uint_eq(test.plan.count, 2);
    assert_axis(&test, 0, "d_model", 2);
    case_release(&test);
    struct sweep_case all = CASE_INIT;
    plan_over(&all, base, "rowmax: 1\ninclude: base.yaml\nfixed: {d_k: 4, seed: 3, d_model: 8}\n");
    ck_assert_uint_eq(all.plan.count, 1);
    case_release(&all);
}
END_TEST

START_TEST(zips_of_both_files_stand_beside_each_other)
{
    struct sweep_case test = CASE_INIT;
    plan_over(&test, "rowmax: 1\nfixed: {source: gaussian, tokens: 8}\nzip: {d_k: [8, 16]}\n",
              "rowmax: 1\ninclude: base.yaml\nzip: [{d_model: [32, 64], seed: [1, 2]}]\n");
    ck_assert_uint_eq(test.plan.count, 4);
    assert_axis(&test, 0, "d_k", 2);
    assert_axis(&test, 1, "d_model,seed", 2);
    case_release(&test);
}
END_TEST

START_TEST(a_list_of_grids_joins_with_one_grid)
{
    static const char base[] = "rowmax: 1\nfixed: {source: gaussian, tokens: 8}\n"
                               "grid: [{mask: causal}, {d_k: [4, 16], seed: [1, 2]}]\n";
    struct sweep_case test = CASE_INIT;
    plan_over(&test, BASE,
              "rowmax: 1\ninclude: base.yaml\ngrid: [{mask: causal}, {d_k: [4, 16]}]\n");
    ck_assert_uint_eq(test.plan.count, 4 + 8); /* d_k is 64, the default, where it is not set */
    ck_assert_int_eq(run_at(&test.plan, 0)->d_k, 64);
    case_release(&test);
    struct sweep_case other = CASE_INIT;
    plan_over(&other, base, "rowmax: 1\ninclude: base.yaml\ngrid: {seed: [5, 6, 7]}\n");
    ck_assert_uint_eq(other.plan.count, 3 + 6);
    case_release(&other);
    refuse_over(base, "rowmax: 1\ninclude: base.yaml\ngrid: [{seed: 1}, {seed: 2}]\n",
                "main.yaml:3:7: grid: there are several grids in '");
}
END_TEST

START_TEST(thresholds_merge_and_other_keys_are_replaced_whole)
{
    static const char base[] =
        "rowmax: 1\nname: base\ntitle: Base\nfixed: {source: gaussian, tokens: 8}\n"
        "grid: {seed: [1, 2, 3]}\nexclude: {seed: 1}\nkeep: [scores, weights]\n"
        "measures: [score_std]\nsaturation: {row_max: 0.5, gradient: 0.2}\n";
    struct sweep_case test = CASE_INIT;
    plan_over(&test, base, "rowmax: 1\ninclude: base.yaml\n");
    ck_assert_uint_eq(test.plan.count, 2);
    ck_assert_uint_eq(test.plan.keep[0], PLAN_KEEP_SCORES | PLAN_KEEP_WEIGHTS);
    ck_assert_str_eq(test.sweep.name, "main");
    ck_assert_str_eq(test.sweep.title, "main");
    ck_assert(test.sweep.measures != measurement_fields_all());
    case_release(&test);
    struct sweep_case own = CASE_INIT;
    plan_over(&own, base,
              "rowmax: 1\ninclude: base.yaml\nexclude: [{seed: 2}, {seed: 3}]\nkeep: weights\n"
              "measures: all\nsaturation: {row_max: 0.7}\n");
    ck_assert_uint_eq(own.plan.count, 1);
    ck_assert_int_eq(run_at(&own.plan, 0)->seed, 1);
    ck_assert_uint_eq(own.plan.keep[0], PLAN_KEEP_WEIGHTS);
    ck_assert(own.sweep.measures == measurement_fields_all());
    ck_assert(run_at(&own.plan, 0)->saturation_row_max == 0.7);
    ck_assert(run_at(&own.plan, 0)->saturation_gradient == 0.2);
    case_release(&own);
    struct sweep_case none = CASE_INIT;
    plan_over(&none, base, "rowmax: 1\ninclude: base.yaml\nexclude: []\n");
    ck_assert_uint_eq(none.plan.count, 3);
    case_release(&none);
}
END_TEST

START_TEST(of_a_list_the_later_file_holds)
{
    static const char first[] = "rowmax: 1\nfixed: {tokens: 8, d_k: 4}\n";
    static const char second[] = "rowmax: 1\nfixed: {source: gaussian, tokens: 16}\n";
    struct sweep_case test = CASE_INIT;
    support_file("first.yaml", first, strlen(first));
    plan_over(&test, second, "rowmax: 1\ninclude: [first.yaml, base.yaml]\n");
    ck_assert_int_eq(run_at(&test.plan, 0)->tokens, 16);
    ck_assert_int_eq(run_at(&test.plan, 0)->d_k, 4);
    case_release(&test);
}
END_TEST

START_TEST(a_field_without_value_takes_an_included_one_out)
{
    static const char base[] =
        "rowmax: 1\nfixed: {corpus: demo, sentence: the cat, learner: glove, "
        "x_max: 50}\ngrid: {alpha: [0.5, 1]}\n";
    struct sweep_case test = CASE_INIT;
    refuse_over(base, "rowmax: 1\ninclude: base.yaml\nfixed: {learner: sgns, alpha: ~}\n",
                "base.yaml:2:58: 'x_max' has no effect: learner is sgns; 'x_max: ~' under 'fixed' "
                "takes it out (included from ");
    plan_over(&test, base,
              "rowmax: 1\ninclude: base.yaml\nfixed: {learner: sgns, x_max: ~, alpha: }\n");
    ck_assert_uint_eq(test.plan.count, 1);
    case_release(&test);
    refuse_over(base, "rowmax: 1\ninclude: base.yaml\nfixed: {epochs: ~}\n",
                "main.yaml:3:9: 'epochs' without a value takes out what an included file sets, and "
                "none sets it");
    refuse_over(base, "rowmax: 1\ninclude: base.yaml\ngrid: {x_max: ~}\n", "x_max: empty value");
    refuse_over("rowmax: 1\nfixed: {x_max: ~}\n", "rowmax: 1\ninclude: base.yaml\n",
                "x_max: empty value");
}
END_TEST

START_TEST(guards_and_their_switches_know_of_each_other)
{
    struct sweep_case test = CASE_INIT;
    plan_over(&test,
              "rowmax: 1\nfixed: {source: gaussian, tokens: 8, guard_init: on, guard_norm: on}\n",
              "rowmax: 1\ninclude: base.yaml\ngrid: {guards: [none, scale]}\n");
    ck_assert_uint_eq(test.plan.count, 2);
    ck_assert(!run_at(&test.plan, 0)->guard_init);
    case_release(&test);
    refuse_over(BASE, "rowmax: 1\ninclude: base.yaml\nfixed: {guard_init: on}\n",
                "main.yaml:3:9: 'guard_init' is already set by 'guards' on line 3 of '");
}
END_TEST

START_TEST(faulty_sections_are_told_of_either_file)
{
    refuse_over("rowmax: 1\nfixed: 3\n", "rowmax: 1\ninclude: base.yaml\nfixed: {d_k: 8}\n",
                "base.yaml:2:8: fixed: a map of fields wanted");
    refuse_over(BASE, "rowmax: 1\ninclude: base.yaml\nfixed: 3\n", "main.yaml:3:8: fixed: a map");
    refuse_over("rowmax: 1\ngrid: []\n", "rowmax: 1\ninclude: base.yaml\ngrid: {d_k: 8}\n",
                "base.yaml:2:7: grid: the list has no grid");
    refuse_over(BASE, "rowmax: 1\ninclude: base.yaml\ngrid: [3]\n", "main.yaml:3:8: grid: a map");
    refuse_over(BASE, "rowmax: 1\ninclude: base.yaml\nzip: []\n", "zip: the list has no fields");
    refuse_over("rowmax: 1\nzip: []\n", "rowmax: 1\ninclude: base.yaml\nfixed: {d_k: 8}\n",
                "base.yaml:2:6: zip: the list has no fields");
    refuse_over("rowmax: 1\nbanana: 1\n", "rowmax: 1\ninclude: base.yaml\nbanana: 2\n",
                "base.yaml:2:1: unknown key 'banana'");
    refuse_over("rowmax: 1\nsaturation: {rowmax: 1}\n",
                "rowmax: 1\ninclude: base.yaml\nsaturation: {row_max: 1}\n",
                "base.yaml:2:14: unknown key 'rowmax'");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/layers");
    TCase *tests = tcase_create("layers");
    tcase_add_test(tests, fields_of_fixed_merge_one_by_one);
    tcase_add_test(tests, a_field_replaces_an_included_one_wherever_either_stands);
    tcase_add_test(tests, axes_of_the_included_file_vary_slowest);
    tcase_add_test(tests, a_part_of_a_zip_can_be_replaced_and_a_whole_zip_goes);
    tcase_add_test(tests, zips_of_both_files_stand_beside_each_other);
    tcase_add_test(tests, a_list_of_grids_joins_with_one_grid);
    tcase_add_test(tests, thresholds_merge_and_other_keys_are_replaced_whole);
    tcase_add_test(tests, of_a_list_the_later_file_holds);
    tcase_add_test(tests, a_field_without_value_takes_an_included_one_out);
    tcase_add_test(tests, guards_and_their_switches_know_of_each_other);
    tcase_add_test(tests, faulty_sections_are_told_of_either_file);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
