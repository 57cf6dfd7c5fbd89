/* SPDX-License-Identifier: MIT */
/* Plans: counts, order, duplicates, and sizes that must not be built. */
#include "sweep_support.h"

#include "base/text.h"

#include <stdio.h>

#define SCALE_GUARDS                                                                               \
    "rowmax: 1\nname: scale-guards\n"                                                              \
    "fixed: {sentence: the cat chased the mouse, learner: count-svd}\n"                            \
    "grid:\n  corpus: [demo, kitchen, harbour]\n  d_model: 64\n  d_k: 64\n"                        \
    "  seed: {from: 1, to: 32}\n  guards: all\nsaturation: {row_max: 0.9}\n"

START_TEST(three_corpora_thirty_two_seeds_and_eight_guard_sets_are_768_runs)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, SCALE_GUARDS);
    ck_assert_uint_eq(test.plan.points, 768);
    ck_assert_uint_eq(test.plan.count, 768);
    ck_assert_uint_eq(test.plan.rule_count, 0);
    static const char *const names[] = {"corpus", "d_model", "d_k", "seed", "guards"};
    static const size_t values[] = {3, 1, 1, 32, 8};
    ck_assert_uint_eq(test.plan.axis_count, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_str_eq(test.plan.axes[i].name, names[i]);
        ck_assert_uint_eq(test.plan.axes[i].values, values[i]);
    }
    case_release(&test);
}
END_TEST

START_TEST(the_last_axis_is_the_fastest)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, SCALE_GUARDS);
    static const char *const corpora[] = {"demo", "kitchen", "harbour"};
    for (size_t i = 0; i < 768; i++) {
        const struct run *run = run_at(&test.plan, i);
        ck_assert_str_eq(run->corpus, corpora[i / 256]);
        ck_assert_int_eq(run->seed, (int64_t)(i / 8 % 32) + 1);
        ck_assert_uint_eq(run_guards_mask(run), i % 8);
        ck_assert(run->saturation_row_max == 0.9);
        ck_assert_int_eq(run->window, 5);
    }
    case_release(&test);
}
END_TEST

START_TEST(given_fields_are_those_the_sweep_sets)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, SCALE_GUARDS);
    uint64_t given = 0;
    static const int fields[] = {
        RUN_SENTENCE, RUN_LEARNER,    RUN_CORPUS,      RUN_D_MODEL,    RUN_D_K,
        RUN_SEED,     RUN_GUARD_INIT, RUN_GUARD_SCALE, RUN_GUARD_NORM, RUN_SATURATION_ROW_MAX};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        given |= UINT64_C(1) << fields[i];
    }
    ck_assert_uint_eq(run_at(&test.plan, 0)->given, given);
    case_release(&test);
}
END_TEST

START_TEST(each_zip_is_one_axis_of_paired_fields)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD "zip:\n  - {d_model: [64, 128], d_k: [8, 16]}\n"
                                 "  - {guards: [none, init, norm], window: [2, 3, 4]}\n"
                                 "grid: {seed: [1, 2]}\n");
    ck_assert_uint_eq(test.plan.count, 12);
    ck_assert_uint_eq(test.plan.axis_count, 3);
    ck_assert_str_eq(test.plan.axes[0].name, "d_model,d_k");
    ck_assert_uint_eq(test.plan.axes[0].values, 2);
    ck_assert_str_eq(test.plan.axes[1].name, "guards,window");
    ck_assert_uint_eq(test.plan.axes[1].values, 3);
    ck_assert_str_eq(test.plan.axes[2].name, "seed");
    for (size_t i = 0; i < 12; i++) {
        const struct run *run = run_at(&test.plan, i);
        ck_assert_int_eq(run->d_model, i < 6 ? 64 : 128);
        ck_assert_int_eq(run->d_k, i < 6 ? 8 : 16);
        ck_assert_int_eq(run->window, (int64_t)(i / 2 % 3) + 2);
        static const unsigned masks[] = {0, 1, 4};
        ck_assert_uint_eq(run_guards_mask(run), masks[i / 2 % 3]);
        ck_assert_int_eq(run->seed, (int64_t)(i % 2) + 1);
    }
    case_release(&test);
}
END_TEST

START_TEST(equal_values_on_an_axis_are_removed_and_reported)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD "grid: {softcap: [0.1, 1e-1, 0.2], seed: [1, 2]}\n");
    ck_assert_uint_eq(test.plan.points, 6);
    ck_assert_uint_eq(test.plan.count, 4);
    ck_assert_uint_eq(test.plan.axes[0].values, 2);
    ck_assert_uint_eq(test.plan.rule_count, 1);
    ck_assert_str_eq(test.plan.rules[0].text, "duplicates");
    ck_assert_uint_eq(test.plan.rules[0].excluded, 2);
    case_release(&test);
}
END_TEST

START_TEST(minus_zero_is_zero)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD "grid: {softcap: [0, -0, -0.0]}\n");
    ck_assert_uint_eq(test.plan.count, 1);
    case_release(&test);
}
END_TEST

START_TEST(overlapping_grids_share_their_runs)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD "grid:\n  - {seed: [1, 2], d_k: [8, 16]}\n"
                                 "  - {d_k: 16, seed: [2, 3]}\n");
    ck_assert_uint_eq(test.plan.points, 6);
    ck_assert_uint_eq(test.plan.count, 5);
    ck_assert_uint_eq(test.plan.rules[0].excluded, 1);
    ck_assert_int_eq(run_at(&test.plan, 4)->seed, 3);
    ck_assert_uint_eq(test.plan.axis_count, 2);
    ck_assert_str_eq(test.plan.axes[0].name, "seed");
    ck_assert_uint_eq(test.plan.axes[0].values, 3);
    ck_assert_uint_eq(test.plan.axes[1].values, 2);
    case_release(&test);
}
END_TEST

START_TEST(a_default_written_out_is_the_same_run)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD "grid:\n  - {window: 5}\n  - {seed: 1}\n  - {}\n");
    ck_assert_uint_eq(test.plan.points, 3);
    ck_assert_uint_eq(test.plan.count, 1);
    case_release(&test);
}
END_TEST

START_TEST(fields_of_another_source_make_no_difference)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD "grid: {source: [corpus, gaussian], tokens: [4, 8]}\n");
    ck_assert_uint_eq(test.plan.points, 4);
    ck_assert_uint_eq(test.plan.count, 3);
    ck_assert_int_eq(run_at(&test.plan, 0)->tokens, 0);
    ck_assert_ptr_null(run_at(&test.plan, 1)->sentence);
    case_release(&test);
}
END_TEST

static void refuse_plan(const char *text, uint64_t limit, const char *message)
{
    struct sweep_case test = CASE_INIT;
    assert_ok(case_read(&test, text, NULL, 0), test.err);
    ck_assert(!plan_make(&test.sweep, limit, &test.arena, &test.plan, &test.err));
    assert_error(test.err, ERROR_INPUT, message);
    case_release(&test);
}

START_TEST(a_plan_beyond_the_limit_is_counted_not_built)
{
    refuse_plan(CORPUS_HEAD "grid: {seed: {from: 1, to: 32768}, d_k: {from: 1, to: 32768}}\n",
                SWEEP_RUN_LIMIT,
                "s.yaml: 1,073,741,824 runs, the limit is 1,000,000; shorten an axis (the longest, "
                "'seed', has 32,768 values)");
    refuse_plan(SCALE_GUARDS, 767, "768 runs, the limit is 767");
}
END_TEST

START_TEST(a_count_beyond_64_bits_is_reported_as_such)
{
    refuse_plan(GAUSSIAN_HEAD "grid:\n  seed: {from: 1, to: 1000000}\n"
                              "  d_k: {from: 1, to: 1000000}\n  d_model: {from: 1, to: 1000000}\n"
                              "  softcap: {from: 1, to: 1000000}\n",
                SWEEP_RUN_LIMIT,
                "s.yaml: more than 18,446,744,073,709,551,615 runs, the limit is 1,000,000");
}
END_TEST

START_TEST(sizes_at_the_limit_are_planned)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, GAUSSIAN_HEAD "grid: {seed: {from: 1, to: 25000}, guards: all}\n");
    ck_assert_uint_eq(test.plan.count, 200000);
    ck_assert_int_eq(run_at(&test.plan, 199999)->seed, 25000);
    case_release(&test);
}
END_TEST

/* 2^28 checks are the limit: 10,000 runs go with 26,843 rules. */
START_TEST(more_rules_than_can_be_looked_at_are_refused)
{
    for (size_t rules = 26843; rules <= 26844; rules++) {
        struct sweep_case test = CASE_INIT;
        struct text text = TEXT_INIT(&test.arena);
        text_append(&text, GAUSSIAN_HEAD "grid: {seed: {from: 1, to: 10000}}\nexclude:\n");
        for (size_t i = 0; i < rules; i++) {
            text_append(&text, i == 0 ? "- {seed: {from: 1, to: 9999}}\n" : "- {seed: 0}\n");
        }
        ck_assert_ptr_nonnull(text_finish(&text, &test.err));
        assert_ok(case_read(&test, text.data, NULL, 0), test.err);
        bool good = plan_make(&test.sweep, SWEEP_RUN_LIMIT, &test.arena, &test.plan, &test.err);
        ck_assert_int_eq(good, rules == 26843);
        if (!good) {
            assert_error(
                test.err, ERROR_INPUT,
                "s.yaml: 26,844 rules under 'exclude' for 10,000 runs would take too long");
        }
        case_release(&test);
    }
}
END_TEST

START_TEST(spelling_and_order_of_keys_change_no_run)
{
    struct sweep_case a = CASE_INIT;
    struct sweep_case b = CASE_INIT;
    case_plan(&a, "rowmax: 1\nfixed: {source: gaussian, tokens: 8, softcap: 0.1}\n"
                  "grid: {seed: [1, 2]}\ntitle: one\n");
    case_plan(&b, "# a comment\ngrid:\n  seed:\n    - 1\n    - +2\nfixed:\n  tokens: 8\n"
                  "  softcap: 1e-1 # the same\n  source: 'gaussian'\nrowmax: 1\r\n");
    ck_assert_uint_eq(a.plan.count, 2);
    ck_assert_uint_eq(b.plan.count, 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(run_key(run_at(&a.plan, i)), run_key(run_at(&b.plan, i)));
    }
    ck_assert_uint_ne(run_key(run_at(&a.plan, 0)), run_key(run_at(&a.plan, 1)));
    case_release(&a);
    case_release(&b);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/plan");
    TCase *tests = tcase_create("plan");
    tcase_add_test(tests, three_corpora_thirty_two_seeds_and_eight_guard_sets_are_768_runs);
    tcase_add_test(tests, the_last_axis_is_the_fastest);
    tcase_add_test(tests, given_fields_are_those_the_sweep_sets);
    tcase_add_test(tests, each_zip_is_one_axis_of_paired_fields);
    tcase_add_test(tests, equal_values_on_an_axis_are_removed_and_reported);
    tcase_add_test(tests, minus_zero_is_zero);
    tcase_add_test(tests, overlapping_grids_share_their_runs);
    tcase_add_test(tests, a_default_written_out_is_the_same_run);
    tcase_add_test(tests, fields_of_another_source_make_no_difference);
    tcase_add_test(tests, a_plan_beyond_the_limit_is_counted_not_built);
    tcase_add_test(tests, a_count_beyond_64_bits_is_reported_as_such);
    tcase_add_test(tests, sizes_at_the_limit_are_planned);
    tcase_add_test(tests, more_rules_than_can_be_looked_at_are_refused);
    tcase_add_test(tests, spelling_and_order_of_keys_change_no_run);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
