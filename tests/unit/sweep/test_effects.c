/* SPDX-License-Identifier: MIT */
/* Fields that no run of a sweep looks at. */
#include "sweep_support.h"

#include <stdio.h>

#define ARRAYS_HEAD "rowmax: 1\nfixed: {source: arrays"
#define PROJECTED ARRAYS_HEAD ", x: x.npy, w_q: q.npy, w_k: k.npy"
#define SIDES ARRAYS_HEAD ", q: q.npy, k: k.npy"

static const struct {
    const char *idle, *why;   /* a setting, and why it is idle by default */
    const char *used, *mixed; /* what makes some run look at it: always, and now and then */
} tuned[] = {
    {"score_scale: [sqrt, linear]", "'score_scale' has no effect: guard_scale is off in every run",
     "guard_scale: on", "guards: all"},
    {"norm: rms", "'norm' has no effect: guard_norm is off in every run", "guard_norm: on",
     "guards: [none, init+norm]"},
    {"norm_epsilon: 1e-3",
     "'norm_epsilon' has no effect: guard_norm is off in every run, and qk_norm is never layer or "
     "rms",
     "guard_norm: on", "qk_norm: [none, l2, rms]"},
    {"qk_gain: [1, 8]", "'qk_gain' has no effect: qk_norm is none in every run", "qk_norm: l2",
     "qk_norm: [none, layer]"},
    {"rope_base: 500", "'rope_base' has no effect: position is never rope", "position: rope",
     "position: [none, rope]"},
    {"rope_pairs: [halves, adjacent]", "'rope_pairs' has no effect: position is never rope",
     "position: rope", "position: [sinusoidal, rope]"},
};

START_TEST(what_tunes_a_stage_needs_the_stage)
{
    char text[512];
    snprintf(text, sizeof text, GAUSSIAN_HEAD "grid:\n  seed: [1, 2]\n  %s\n", tuned[_i].idle);
    assert_refused(text, tuned[_i].why);
    assert_refused(text, "s.yaml:5:3: ");
    const char *const enough[] = {tuned[_i].used, tuned[_i].mixed};
    for (size_t i = 0; i < 2; i++) {
        struct sweep_case test = CASE_INIT;
        snprintf(text, sizeof text, GAUSSIAN_HEAD "grid:\n  %s\n  %s\n", tuned[_i].idle, enough[i]);
        case_plan(&test, text);
        ck_assert(test.plan.count > 0);
        case_release(&test);
    }
}
END_TEST

START_TEST(the_plain_form_is_one_of_softmax)
{
    assert_refused(GAUSSIAN_HEAD "grid: {stabilise: [on, off], weights: [sum, sparsemax]}\n",
                   "s.yaml:3:8: 'stabilise' has no effect: weights are never softmax or "
                   "softmax_plus_one");
    struct sweep_case test = CASE_INIT;
    case_plan(&test, GAUSSIAN_HEAD "grid: {stabilise: [on, off], weights: [sum, "
                                   "softmax_plus_one]}\n");
    ck_assert_uint_eq(test.plan.count, 4);
    case_release(&test);
}
END_TEST

START_TEST(a_learner_needs_a_word_for_what_it_does_not_read)
{
    assert_refused(CORPUS_HEAD "grid: {negative: [5, 10]}\n",
                   "s.yaml:3:8: 'negative' has no effect: learner is count-svd");
    assert_refused(CORPUS_HEAD "grid: {x_max: 10, learner: [sgns, random]}\n",
                   "'x_max' has no effect: learner is random or sgns");
    assert_refused(CORPUS_HEAD "grid: {power: 1, learner: glove}\n",
                   "'power' has no effect: learner is glove");
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD "grid: {x_max: 10, learner: [sgns, glove]}\n");
    ck_assert_uint_eq(test.plan.count, 2);
    case_release(&test);
}
END_TEST

START_TEST(given_projections_leave_the_seed_nothing_to_draw)
{
    assert_refused(PROJECTED "}\ngrid: {seed: [1, 2]}\n",
                   "s.yaml:3:8: 'seed' has no effect: with w_q and w_k given nothing is drawn");
    assert_refused(SIDES "}\ngrid: {seed: [1, 2]}\n",
                   "'seed' has no effect: with q and k given nothing is drawn");
    assert_refused(SIDES "}\ngrid: {upstream: [expected, drawn]}\n",
                   "'upstream' has no effect: with q and k given there are no W_Q and W_K that a "
                   "gradient could reach");
    assert_refused(PROJECTED "}\ngrid: {draw: collapsed}\n",
                   "s.yaml:3:8: 'draw' has no effect: with w_q and w_k given nothing is drawn");
    struct sweep_case test = CASE_INIT;
    case_plan(&test, ARRAYS_HEAD ", x: x.npy}\ngrid: {seed: [1, 2]}\n");
    ck_assert_uint_eq(test.plan.count, 2);
    case_release(&test);
    /* So is an upstream gradient. */
    test = (struct sweep_case)CASE_INIT;
    case_plan(&test, PROJECTED "}\ngrid: {seed: [1, 2], upstream: [expected, drawn]}\n");
    ck_assert_uint_eq(test.plan.count, 4);
    case_release(&test);
    /* A gaussian input is drawn all the same. */
    test = (struct sweep_case)CASE_INIT;
    case_plan(&test, "rowmax: 1\ngrid:\n  source: [arrays, gaussian]\n  x: x.npy\n  w_q: q.npy\n"
                     "  w_k: k.npy\n  tokens: 4\n  seed: 3\n");
    ck_assert_uint_eq(test.plan.count, 2);
    case_release(&test);
}
END_TEST

START_TEST(what_says_how_to_read_weights_needs_weights)
{
    static const char *const settings[] = {"transposed: on", "weights_as_given: on", "heads: 2",
                                           "key_heads: 2", "head: [0, 1]"};
    for (size_t i = 0; i < 5; i++) {
        char text[256];
        snprintf(text, sizeof text, ARRAYS_HEAD ", x: x.npy}\ngrid: {%s}\n", settings[i]);
        assert_refused(text, "s.yaml:3:8: ");
        assert_refused(text, "has no effect: no w_q and w_k");
        snprintf(text, sizeof text, SIDES "}\ngrid: {%s}\n", settings[i]);
        if (i < 2) {
            assert_refused(text, "has no effect: no w_q and w_k are given");
        }
        struct sweep_case test = CASE_INIT;
        snprintf(text, sizeof text, "%s}\ngrid: {%s}\n", i < 2 ? PROJECTED : SIDES, settings[i]);
        case_plan(&test, text);
        case_release(&test);
    }
}
END_TEST

START_TEST(one_grid_that_uses_a_fixed_value_is_enough)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, "rowmax: 1\nfixed: {source: gaussian, tokens: 8, norm: rms}\n"
                     "grid:\n  - {guards: none}\n  - {guards: norm}\n");
    ck_assert_uint_eq(test.plan.count, 2);
    case_release(&test);
    assert_refused("rowmax: 1\nfixed: {source: gaussian, tokens: 8, norm: rms}\n"
                   "grid:\n  - {guards: none}\n  - {guards: init}\n",
                   "s.yaml:2:38: 'norm' has no effect: guard_norm is off in every run");
    assert_refused(GAUSSIAN_HEAD "grid:\n  - {guards: norm}\n  - {norm: [rms, layer]}\n",
                   "s.yaml:5:6: 'norm' has no effect");
    assert_refused(GAUSSIAN_HEAD "zip: {norm: [rms, layer], seed: [1, 2]}\n",
                   "s.yaml:3:7: 'norm' has no effect");
}
END_TEST

START_TEST(a_set_may_leave_one_value_of_the_file_idle)
{
    static const char *const off[] = {"guards=none"};
    static const char *const idle[] = {"guards=none", "norm=rms"};
    struct sweep_case test = CASE_INIT;
    case_plan_sets(&test, GAUSSIAN_HEAD "grid: {norm: rms, guards: norm}\n", off, 1);
    ck_assert_uint_eq(test.plan.count, 1);
    case_release(&test);
    test = (struct sweep_case)CASE_INIT;
    ck_assert(
        !case_read(&test, GAUSSIAN_HEAD "grid: {norm: [rms, layer], guards: norm}\n", off, 1));
    assert_error(test.err, ERROR_INPUT, "s.yaml:3:8: 'norm' has no effect");
    case_release(&test);
    test = (struct sweep_case)CASE_INIT;
    ck_assert(!case_read(&test, GAUSSIAN_HEAD, idle, 2));
    assert_error(test.err, ERROR_USAGE, "--set norm=rms: 'norm' has no effect");
    case_release(&test);
}
END_TEST

START_TEST(a_value_that_was_refused_is_one_fault)
{
    struct sweep_case test = CASE_INIT;
    ck_assert(!case_read(&test, GAUSSIAN_HEAD "grid: {qk_norm: l3, qk_gain: 2}\n", NULL, 0));
    ck_assert_str_eq(
        test.err.message,
        "s.yaml:3:17: qk_norm: 'l3' is not one of: none, l2, layer, rms; did you mean 'l2'?");
    case_release(&test);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/effects");
    TCase *tests = tcase_create("effects");
    tcase_add_loop_test(tests, what_tunes_a_stage_needs_the_stage, 0,
                        (int)(sizeof tuned / sizeof tuned[0]));
    tcase_add_test(tests, the_plain_form_is_one_of_softmax);
    tcase_add_test(tests, a_learner_needs_a_word_for_what_it_does_not_read);
    tcase_add_test(tests, given_projections_leave_the_seed_nothing_to_draw);
    tcase_add_test(tests, what_says_how_to_read_weights_needs_weights);
    tcase_add_test(tests, one_grid_that_uses_a_fixed_value_is_enough);
    tcase_add_test(tests, a_set_may_leave_one_value_of_the_file_idle);
    tcase_add_test(tests, a_value_that_was_refused_is_one_fault);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
