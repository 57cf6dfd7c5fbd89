/* SPDX-License-Identifier: MIT */
/* Tests src/summary/selection.c: conditions on rows. */
#include "rows.h"
#include "summary/selection.h"

struct selecting {
    struct rows rows;
    struct result_set set;
    struct arena arena;
    struct error err;
    struct selection found;
};

/* Rows 0 to 5: d_k 8, 16, 32 without guards, then with init; seeds 1, 2, 1, 2, 1, 2. The last row
 * failed and the sweep no longer holds row 1. */
static void fill(struct selecting *test)
{
    memset(test, 0, sizeof *test);
    for (unsigned i = 0; i < 6; i++) {
        rows_add(&test->rows, i / 3, INT64_C(8) << i % 3, 1 + i % 2, 0.5);
    }
    test->rows.list[5].status = RESULT_FAILED;
    test->rows.list[1].index = -1;
    test->set = (struct result_set){
        .name = "rows", .whole = test->rows.list, .count = test->rows.count, .planned = 6};
}

/* The places of the rows found, in order. */
static void assert_found(const char *const *conditions, size_t count, const char *places)
{
    struct selecting test;
    fill(&test);
    assert_ok(selection_make(&test.set, conditions, count, &test.arena, &test.found, &test.err),
              test.err);
    char got[16] = "";
    for (size_t i = 0; i < test.found.count; i++) {
        got[i] = (char)('0' + test.found.rows[i]);
    }
    ck_assert_str_eq(got, places);
    ck_assert_uint_eq(test.found.outside, 1);
    arena_release(&test.arena);
}

#define FOUND(places, ...)                                                                         \
    do {                                                                                           \
        const char *const conditions[] = {__VA_ARGS__};                                            \
        assert_found(conditions, sizeof conditions / sizeof conditions[0], places);                \
    } while (0)

START_TEST(rows_of_the_sweep_that_meet_every_field_are_found)
{
    assert_found(NULL, 0, "02345");
    FOUND("03", "d_k=8");
    FOUND("0234", "status=ok");
    FOUND("345", "guards=init");
    FOUND("345", "guard_init=on");
    FOUND("3", "guards=init", "d_k=8");
    FOUND("35", "seed=2");
}
END_TEST

START_TEST(of_several_values_of_a_field_one_is_met)
{
    FOUND("0235", "d_k=8", "d_k=32");
    FOUND("02", "d_k=8", "guards=none", "d_k=32");
}
END_TEST

static void assert_refused(const char *condition, enum error_code code, const char *message)
{
    struct selecting test;
    fill(&test);
    ck_assert(!selection_make(&test.set, &condition, 1, &test.arena, &test.found, &test.err));
    assert_error(test.err, code, message);
    arena_release(&test.arena);
}

START_TEST(what_is_no_condition_is_refused_with_the_remedy)
{
    assert_refused("d_k", ERROR_USAGE, "write FIELD=VALUE");
    assert_refused("=8", ERROR_USAGE, "write FIELD=VALUE");
    assert_refused("d_kk=8", ERROR_USAGE, "did you mean 'd_k'?");
    assert_refused("row_max_mean=1", ERROR_USAGE, "no such field");
    assert_refused("d_k=eight", ERROR_USAGE, "'eight' is not a decimal integer");
    assert_refused("guards=both", ERROR_USAGE, "joined by '+'");
    assert_refused("status=fine", ERROR_USAGE, "neither ok nor failed");
    assert_refused("d_k=9", ERROR_INPUT, "no run meets --where 'd_k=9'");
    /* A gaussian run has no corpus. */
    assert_refused("corpus=demo", ERROR_INPUT, "no run meets");
}
END_TEST

START_TEST(nothing_that_is_met_is_refused_whatever_was_asked)
{
    struct selecting test;
    fill(&test);
    const char *const conditions[] = {"d_k=8", "seed=2", "guards=none"};
    ck_assert(!selection_make(&test.set, conditions, 3, &test.arena, &test.found, &test.err));
    assert_error(test.err, ERROR_INPUT, "no run meets all 3 conditions of --where");
    test.err = (struct error)ERROR_INIT;
    for (size_t i = 0; i < test.rows.count; i++) {
        test.rows.list[i].index = -1;
    }
    ck_assert(!selection_make(&test.set, NULL, 0, &test.arena, &test.found, &test.err));
    assert_error(test.err, ERROR_INPUT, "the results of 'rows' hold no run of its sweep");
    arena_release(&test.arena);
}
END_TEST

START_TEST(a_count_that_a_failed_run_did_not_reach_is_none)
{
    struct selecting test;
    fill(&test);
    test.rows.list[5].measurement.nonfinite = 3;
    test.set.lacking = UINT64_C(1) << MEASURE_ROW_MAX_MEAN;
    assert_near(selection_measure(&test.set, &test.rows.list[5], MEASURE_NONFINITE), 3, 0);
    ck_assert(isnan(selection_measure(&test.set, &test.rows.list[5], MEASURE_VOCABULARY)));
    assert_near(selection_measure(&test.set, &test.rows.list[0], MEASURE_VOCABULARY), 0, 0);
    ck_assert(isnan(selection_measure(&test.set, &test.rows.list[0], MEASURE_ROW_MAX_MEAN)));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("summary/selection");
    TCase *tests = tcase_create("selection");
    tcase_add_test(tests, rows_of_the_sweep_that_meet_every_field_are_found);
    tcase_add_test(tests, of_several_values_of_a_field_one_is_met);
    tcase_add_test(tests, what_is_no_condition_is_refused_with_the_remedy);
    tcase_add_test(tests, nothing_that_is_met_is_refused_whatever_was_asked);
    tcase_add_test(tests, a_count_that_a_failed_run_did_not_reach_is_none);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
