/* SPDX-License-Identifier: MIT */
/* Tests src/summary/gate.c: pairs, deviations and verdicts. */
#include "gate_fixture.h"

static const double nan_value = (double)NAN;
static const double infinity = (double)INFINITY;

/* One pair with these numbers of one measure: its state. */
static enum gate_state state_of(enum measurement_field measure, double baseline, double now)
{
    struct gate_case test = gate_case_make(1);
    size_t offset = measurement_fields[measure].offset;
    memcpy((char *)&test.baseline.list[0].measurement + offset, &baseline, sizeof baseline);
    memcpy((char *)&test.now.list[0].measurement + offset, &now, sizeof now);
    gate_case_compare(&test);
    enum gate_state state = test.gate.runs[0].state;
    arena_release(&test.arena);
    return state;
}

START_TEST(equal_results_pass)
{
    struct gate_case test = gate_case_make(3);
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_PASS);
    ck_assert_uint_eq(test.gate.reasons, 0);
    ck_assert_uint_eq(test.gate.runs_compared, 3);
    ck_assert_uint_eq(test.gate.measures_compared, 3 * MEASUREMENT_FIELD_COUNT);
    ck_assert_uint_eq(test.gate.states[GATE_SAME], 3);
    ck_assert_uint_eq(test.gate.varying, UINT64_C(1) << RUN_SEED);
    arena_release(&test.arena);
}
END_TEST

START_TEST(a_worse_measure_fails_and_says_by_how_much)
{
    struct gate_case test = gate_case_make(3);
    test.now.list[1].measurement.row_max_mean = 0.75;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_FAIL);
    ck_assert_uint_eq(test.gate.reasons, GATE_FOR_REGRESSION);
    ck_assert_uint_eq(test.gate.regressions.count, 1);
    const struct gate_deviation *deviation = &test.gate.regressions.items[0];
    ck_assert_uint_eq(deviation->run, 1);
    ck_assert_int_eq(deviation->measure, MEASURE_ROW_MAX_MEAN);
    assert_near(deviation->baseline, 0.5, 0);
    assert_near(deviation->now, 0.75, 0);
    assert_near(deviation->delta, 0.25, 0);
    assert_near(deviation->allowed, 1e-10 + 1e-8 * 0.5, 1e-15);
    ck_assert_int_eq(test.gate.runs[1].state, GATE_REGRESSED);
    arena_release(&test.arena);
}
END_TEST

START_TEST(a_better_measure_is_listed_and_fails_only_if_asked)
{
    struct gate_case test = gate_case_make(2);
    test.now.list[0].measurement.row_max_mean = 0.25;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_PASS);
    ck_assert_uint_eq(test.gate.regressions.count, 0);
    ck_assert_uint_eq(test.gate.improvements.count, 1);
    assert_near(test.gate.improvements.items[0].delta, -0.25, 0);
    ck_assert_uint_eq(test.gate.states[GATE_IMPROVED], 1);
    test.options.fail_on_improvement = true;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_FAIL);
    ck_assert_uint_eq(test.gate.reasons, GATE_FOR_IMPROVEMENT);
    /* A run that is better in one measure and worse in another is worse. */
    test.now.list[0].measurement.score_std = 1;
    gate_case_compare(&test);
    ck_assert_uint_eq(test.gate.reasons, GATE_FOR_IMPROVEMENT | GATE_FOR_REGRESSION);
    ck_assert_int_eq(test.gate.runs[0].state, GATE_REGRESSED);
    arena_release(&test.arena);
}
END_TEST

/* atol is 1e-10 and rtol 1e-8 here. */
START_TEST(a_baseline_of_zero_is_met_within_atol)
{
    ck_assert_int_eq(state_of(MEASURE_SCORE_STD, 0, 1e-12), GATE_SAME);
    ck_assert_int_eq(state_of(MEASURE_SCORE_STD, 0, 1e-3), GATE_REGRESSED);
    ck_assert_int_eq(state_of(MEASURE_SCORE_STD, -0.0, 0), GATE_SAME);
    ck_assert_int_eq(state_of(MEASURE_SCORE_STD, 100, 100 + 0.9e-6), GATE_SAME);
    ck_assert_int_eq(state_of(MEASURE_SCORE_STD, 100, 100 - 1.1e-6), GATE_REGRESSED);
}
END_TEST

START_TEST(a_nan_or_an_infinity_on_one_side_only_deviates)
{
    ck_assert_int_eq(state_of(MEASURE_ROW_MAX_MEAN, nan_value, nan_value), GATE_SAME);
    ck_assert_int_eq(state_of(MEASURE_ROW_MAX_MEAN, 0.5, nan_value), GATE_REGRESSED);
    ck_assert_int_eq(state_of(MEASURE_ROW_MAX_MEAN, nan_value, 0.5), GATE_REGRESSED);
    enum measurement_field depth = MEASURE_LOG_ONE_MINUS_ROW_MAX_MEAN; /* higher is better */
    ck_assert_int_eq(state_of(depth, -infinity, -infinity), GATE_SAME);
    ck_assert_int_eq(state_of(depth, -3, -infinity), GATE_REGRESSED);
    ck_assert_int_eq(state_of(depth, -infinity, -3), GATE_IMPROVED);
    ck_assert_int_eq(state_of(depth, -infinity, nan_value), GATE_REGRESSED);
    /* The difference overflows. */
    ck_assert_int_eq(state_of(MEASURE_SCORE_STD, 1.5e308, -1.5e308), GATE_REGRESSED);
}
END_TEST

START_TEST(a_run_that_fails_is_a_regression_and_one_that_no_longer_does_an_improvement)
{
    struct gate_case test = gate_case_make(3);
    test.now.list[0].status = RESULT_FAILED;
    test.baseline.list[1].status = RESULT_FAILED;
    test.now.list[2].status = test.baseline.list[2].status = RESULT_FAILED;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.runs[0].state, GATE_REGRESSED);
    ck_assert_int_eq(test.gate.runs[1].state, GATE_IMPROVED);
    ck_assert_int_eq(test.gate.runs[2].state, GATE_UNMEASURED);
    ck_assert_uint_eq(test.gate.runs_compared, 2);
    ck_assert_int_eq(test.gate.regressions.items[0].measure, GATE_STATUS);
    ck_assert_str_eq(gate_measure_name(GATE_STATUS), "status");
    arena_release(&test.arena);
}
END_TEST

START_TEST(runs_are_paired_by_key_whatever_their_order_and_others_are_listed)
{
    struct gate_case test = gate_case_make(3);
    test.now.list[0].key = 9;      /* new; 1 is missing */
    test.baseline.list[1].key = 3; /* 2 and 3 change places */
    test.baseline.list[2].key = 2;
    test.baseline.list[1].measurement.row_max_mean = 0.75; /* of key 3 */
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_PASS);
    ck_assert_uint_eq(test.gate.run_count, 4);
    ck_assert_int_eq(test.gate.runs[0].state, GATE_NEW);
    ck_assert_int_eq(test.gate.runs[1].state, GATE_SAME);
    ck_assert_int_eq(test.gate.runs[2].state, GATE_IMPROVED);
    ck_assert_int_eq(test.gate.runs[3].state, GATE_MISSING);
    struct result space;
    ck_assert_uint_eq(gate_result(&test.gate, &test.gate.runs[3], &space)->key, 1);
    test.options.strict_baseline = true;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_FAIL);
    ck_assert_uint_eq(test.gate.reasons, GATE_FOR_BASELINE);
    arena_release(&test.arena);
}
END_TEST

START_TEST(runs_outside_the_plan_are_left_out)
{
    struct gate_case test = gate_case_make(2);
    test.now.list[1].index = -1;
    test.now.list[1].measurement.row_max_mean = 1;
    gate_case_compare(&test);
    ck_assert_uint_eq(test.gate.runs_compared, 1);
    ck_assert_uint_eq(test.gate.states[GATE_MISSING], 1);
    ck_assert_int_eq(test.gate.verdict, GATE_PASS);
    arena_release(&test.arena);
}
END_TEST

START_TEST(nothing_to_compare_is_no_pass)
{
    struct gate_case test = gate_case_make(2);
    test.now.list[0].key = 8;
    test.now.list[1].key = 9;
    test.options.strict_baseline = true;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_NOTHING_COMPARED);
    ck_assert_uint_eq(test.gate.states[GATE_NEW], 2);
    ck_assert_uint_eq(test.gate.states[GATE_MISSING], 2);
    arena_release(&test.arena);
}
END_TEST

START_TEST(fewer_than_the_least_number_is_no_pass_but_a_regression_is_a_regression)
{
    struct gate_case test = gate_case_make(2);
    test.options.min_compared = 2;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_PASS);
    test.options.min_compared = 3;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_NOTHING_COMPARED);
    ck_assert_uint_eq(test.gate.reasons, GATE_FOR_TOO_FEW);
    test.now.list[0].measurement.row_max_mean = 1;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_FAIL);
    arena_release(&test.arena);
}
END_TEST

START_TEST(a_sweep_without_runs_is_refused)
{
    struct gate_case test = gate_case_make(1);
    test.now.count = 0;
    ck_assert(!gate_case_try(&test));
    assert_error(test.err, ERROR_INPUT, "the results were made from a sweep without runs");
    arena_release(&test.arena);
}
END_TEST

START_TEST(a_measure_that_one_file_does_not_know_is_not_compared)
{
    struct gate_case test = gate_case_make(1);
    test.baseline_set.lacking = UINT64_C(1) << MEASURE_MAX_LOGIT;
    test.baseline.list[0].measurement.max_logit = nan_value;
    test.now.list[0].measurement.max_logit = 3;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_PASS);
    ck_assert_uint_eq(test.gate.measures_compared, MEASUREMENT_FIELD_COUNT - 1);
    arena_release(&test.arena);
}
END_TEST

/* Two builds of one source, and two machines whose last bits differ. */
START_TEST(another_arithmetic_is_another_host_and_another_commit_is_none)
{
    static const struct provenance here[] = {
        {"commit", "d2d5f137634f"}, {"numerics", "00"}, {"cpu_features", "avx2"}, {"zlib", "1"}};
    static const struct provenance there[] = {
        {"commit", "a42a207aaaaa"}, {"numerics", "01"}, {"cpu_features", "avx2"}, {"zlib", "2"}};
    struct gate_case test = gate_case_make(1);
    test.now_set.provenance = here;
    test.now_set.provenance_count = 4;
    test.baseline_set.provenance = there;
    test.baseline_set.provenance_count = 4;
    test.options.strict_host = true;
    gate_case_compare(&test);
    ck_assert_uint_eq(test.gate.fact_count, 1);
    ck_assert_str_eq(test.gate.facts[0].name, "numerics");
    ck_assert_int_eq(test.gate.verdict, GATE_FAIL);
    test.baseline_set.provenance_count = 1;
    test.now_set.provenance_count = 1;
    gate_case_compare(&test);
    ck_assert_uint_eq(test.gate.fact_count, 0);
    ck_assert_int_eq(test.gate.verdict, GATE_PASS);
    arena_release(&test.arena);
}
END_TEST

START_TEST(another_host_is_named_and_fails_if_asked)
{
    static const struct provenance here[] = {
        {"processor", "A"}, {"blas", "X"}, {"rowmax_version", "2"}, {"hdf5", "1"}};
    static const struct provenance there[] = {
        {"processor", "B"}, {"rowmax_version", "1"}, {"hdf5", "2"}, {"blas", "X"}};
    struct gate_case test = gate_case_make(1);
    test.now_set.provenance = here;
    test.now_set.provenance_count = 4;
    test.baseline_set.provenance = there;
    test.baseline_set.provenance_count = 4;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_PASS);
    ck_assert_uint_eq(test.gate.fact_count, 2);
    ck_assert_str_eq(test.gate.facts[0].name, "processor");
    ck_assert_str_eq(test.gate.facts[0].baseline, "B");
    ck_assert_str_eq(test.gate.facts[0].now, "A");
    ck_assert(!test.gate.facts[1].of_host);
    test.options.strict_host = true;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_FAIL);
    ck_assert_uint_eq(test.gate.reasons, GATE_FOR_HOST);
    /* Another version alone is no other host. */
    test.baseline_set.provenance_count = 0;
    test.now_set.provenance = &here[2];
    test.now_set.provenance_count = 1;
    gate_case_compare(&test);
    ck_assert_int_eq(test.gate.verdict, GATE_PASS);
    ck_assert_str_eq(test.gate.facts[0].baseline, "unknown");
    arena_release(&test.arena);
}
END_TEST

START_TEST(a_run_is_named_by_what_differs_and_has_a_meaning_for_it)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct text text = TEXT_INIT(&arena);
    struct run run = run_default();
    run.source = SOURCE_GAUSSIAN;
    run.guard_scale = true;
    run.seed = 3;
    uint64_t fields = UINT64_C(1) << RUN_CORPUS | UINT64_C(1) << RUN_GUARD_INIT |
                      UINT64_C(1) << RUN_GUARD_NORM | UINT64_C(1) << RUN_SEED;
    gate_append_where(&text, fields, &run);
    ck_assert_str_eq(text_finish(&text, &err), "seed=3 guards=scale");
    arena_release(&arena);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("gate");
    tcase_add_test(all, equal_results_pass);
    tcase_add_test(all, a_worse_measure_fails_and_says_by_how_much);
    tcase_add_test(all, a_better_measure_is_listed_and_fails_only_if_asked);
    tcase_add_test(all, a_baseline_of_zero_is_met_within_atol);
    tcase_add_test(all, a_nan_or_an_infinity_on_one_side_only_deviates);
    tcase_add_test(all,
                   a_run_that_fails_is_a_regression_and_one_that_no_longer_does_an_improvement);
    tcase_add_test(all, runs_are_paired_by_key_whatever_their_order_and_others_are_listed);
    tcase_add_test(all, runs_outside_the_plan_are_left_out);
    tcase_add_test(all, nothing_to_compare_is_no_pass);
    tcase_add_test(all, fewer_than_the_least_number_is_no_pass_but_a_regression_is_a_regression);
    tcase_add_test(all, a_sweep_without_runs_is_refused);
    tcase_add_test(all, a_measure_that_one_file_does_not_know_is_not_compared);
    tcase_add_test(all, another_arithmetic_is_another_host_and_another_commit_is_none);
    tcase_add_test(all, another_host_is_named_and_fails_if_asked);
    tcase_add_test(all, a_run_is_named_by_what_differs_and_has_a_meaning_for_it);
    Suite *suite = suite_create("summary.gate");
    suite_add_tcase(suite, all);
    return support_run(suite);
}
