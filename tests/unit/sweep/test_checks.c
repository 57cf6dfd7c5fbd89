/* SPDX-License-Identifier: MIT */
/* Fields set twice, missing, or without effect. */
#include "sweep_support.h"

START_TEST(a_field_is_set_in_one_place)
{
    assert_refused(CORPUS_HEAD "grid:\n  corpus: [demo]\n",
                   "s.yaml:4:3: 'corpus' is already set on line 2; a field is set in one place");
    assert_refused(CORPUS_HEAD "grid:\n  seed: 1\nzip: {seed: [1, 2]}\n",
                   "s.yaml:5:7: 'seed' is already set on line 4");
    assert_refused(CORPUS_HEAD "zip:\n  - {seed: [1, 2]}\n  - {d_k: [1], seed: [3]}\n",
                   "s.yaml:5:16: 'seed' is already set on line 4");
}
END_TEST

START_TEST(guards_and_their_switches_exclude_each_other)
{
    assert_refused(CORPUS_HEAD "grid:\n  guards: all\n  guard_norm: on\n",
                   "s.yaml:5:3: 'guard_norm' is already set by 'guards' on line 4");
    assert_refused(CORPUS_HEAD "grid: {guard_init: on}\nzip: {guards: [none]}\n",
                   "s.yaml:4:7: 'guards' is already set by 'guard_init' on line 3");
    assert_refused("rowmax: 1\nfixed: {corpus: a, sentence: b, guards: none}\n"
                   "grid: {guards: all}\n",
                   "s.yaml:3:8: 'guards' is already set on line 2");
}
END_TEST

START_TEST(two_grids_may_set_the_same_field)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD "grid:\n  - {seed: 1}\n  - {seed: 2}\n");
    ck_assert_uint_eq(test.plan.count, 2);
    case_release(&test);
    assert_refused(CORPUS_HEAD "grid:\n  - {seed: 1}\n  - {corpus: x}\n",
                   "s.yaml:5:6: 'corpus' is already set on line 2");
}
END_TEST

START_TEST(each_source_names_what_it_needs)
{
    assert_refused("rowmax: 1\n", "s.yaml:1:1: 'corpus' is missing; source corpus needs it");
    assert_refused("rowmax: 1\n", "s.yaml:1:1: 'sentence' is missing; source corpus needs it");
    assert_refused("rowmax: 1\nfixed: {source: gaussian}\n",
                   "s.yaml:2:9: 'tokens' is missing; source gaussian needs it");
    assert_refused("rowmax: 1\nfixed: {source: arrays}\n",
                   "s.yaml:2:9: 'x' is missing; source arrays needs it, or q and k, under");
    assert_refused("rowmax: 1\nfixed: {source: scores}\n",
                   "s.yaml:2:9: 'scores' is missing; source scores needs it");
    assert_refused(CORPUS_HEAD "grid: {source: [corpus, gaussian]}\n",
                   "s.yaml:3:8: 'tokens' is missing; source gaussian needs it");
    assert_refused(CORPUS_HEAD "grid:\n  - {source: corpus}\n  - {source: arrays}\n",
                   "s.yaml:5:6: 'x' is missing");
}
END_TEST

/* The whole message: nothing is said of the corpus that nobody meant. */
static void assert_whole(const char *text, const char *message)
{
    struct sweep_case test = CASE_INIT;
    ck_assert(!case_read(&test, text, NULL, 0));
    ck_assert_str_eq(test.err.message, message);
    case_release(&test);
}

START_TEST(a_source_that_was_forgotten_is_named_at_the_field_that_tells)
{
    assert_whole("rowmax: 1\nfixed: {scores: [3, 1, 0.2]}\ngrid: {weights: [softmax, sum]}\n",
                 "s.yaml:2:9: 'scores' needs source: scores (the source is corpus, the default)");
    assert_whole("rowmax: 1\nfixed: {d_k: 8}\ngrid: {tokens: [4, 8], input_spread: 2}\n",
                 "s.yaml:3:8: 'tokens' needs source: gaussian (the source is corpus, the default)");
    assert_whole("rowmax: 1\nfixed: {q: q.npy, k: k.npy}\n",
                 "s.yaml:2:9: 'q' needs source: arrays (the source is corpus, the default)");
    /* Two grids, one fault; what the source that was meant does not read is another. */
    assert_whole("rowmax: 1\nfixed: {scores: [3, 1], d_k: 8}\n"
                 "grid:\n  - {softcap: 5}\n  - {softcap: 0}\n",
                 "s.yaml:2:9: 'scores' needs source: scores (the source is corpus, the default)\n"
                 "s.yaml:2:25: 'd_k' has no effect with source scores");
    /* With a sentence the corpus was meant. */
    assert_refused("rowmax: 1\nfixed: {sentence: a b, tokens: 8}\n",
                   "s.yaml:1:1: 'corpus' is missing; source corpus needs it");
}
END_TEST

START_TEST(queries_and_keys_stand_in_for_x)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, "rowmax: 1\nfixed: {source: arrays, q: q.npy, k: k.npy}\n");
    ck_assert_str_eq(run_at(&test.plan, 0)->q, "q.npy");
    ck_assert_ptr_null(run_at(&test.plan, 0)->x);
    ck_assert_int_eq(run_at(&test.plan, 0)->position, POSITION_NONE);
    case_release(&test);
}
END_TEST

START_TEST(fields_of_another_source_have_no_effect)
{
    assert_refused("rowmax: 1\nfixed: {source: gaussian, tokens: 8, sentence: a}\n",
                   "s.yaml:2:38: 'sentence' has no effect with source gaussian");
    assert_refused(CORPUS_HEAD "grid: {tokens: 8}\n",
                   "s.yaml:3:8: 'tokens' has no effect with source corpus");
    assert_refused(CORPUS_HEAD "grid: {source: [corpus, gaussian], tokens: 8, x: a.npy}\n",
                   "'x' has no effect with source corpus or gaussian");
    assert_refused(CORPUS_HEAD "grid:\n  - {source: corpus, tokens: 3}\n"
                               "  - {source: gaussian, tokens: 8}\n",
                   "s.yaml:4:22: 'tokens' has no effect with source corpus");
    assert_refused("rowmax: 1\nfixed: {source: scores, scores: [1, 2]}\ngrid: {guards: all}\n",
                   "s.yaml:3:8: 'guards' has no effect with source scores");
    assert_refused("rowmax: 1\nfixed: {source: scores, scores: [1, 2], seed: 2}\n",
                   "s.yaml:2:41: 'seed' has no effect with source scores");
}
END_TEST

START_TEST(a_field_that_some_run_uses_is_fine)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, "rowmax: 1\nfixed: {corpus: demo, sentence: a b}\n"
                     "grid:\n  - {source: gaussian, tokens: [4, 8]}\n  - {source: corpus}\n");
    ck_assert_uint_eq(test.plan.count, 3);
    ck_assert_ptr_null(run_at(&test.plan, 0)->corpus);
    ck_assert_int_eq(run_at(&test.plan, 1)->tokens, 8);
    ck_assert_str_eq(run_at(&test.plan, 2)->corpus, "demo");
    case_release(&test);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/checks");
    TCase *tests = tcase_create("checks");
    tcase_add_test(tests, a_field_is_set_in_one_place);
    tcase_add_test(tests, guards_and_their_switches_exclude_each_other);
    tcase_add_test(tests, two_grids_may_set_the_same_field);
    tcase_add_test(tests, each_source_names_what_it_needs);
    tcase_add_test(tests, a_source_that_was_forgotten_is_named_at_the_field_that_tells);
    tcase_add_test(tests, queries_and_keys_stand_in_for_x);
    tcase_add_test(tests, fields_of_another_source_have_no_effect);
    tcase_add_test(tests, a_field_that_some_run_uses_is_fine);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
