/* SPDX-License-Identifier: MIT */
/* Tests of measures.c: which measures a sweep has stored. */
#include "run/fields.h"
#include "sweep_support.h"

#define GRID                                                                                       \
    "rowmax: 1\nfixed: {source: gaussian, tokens: 4, d_model: 4, d_k: 4}\n"                        \
    "grid: {seed: {from: 1, to: 3}}\n"

static uint64_t bit(int measure)
{
    return UINT64_C(1) << measure;
}

static uint64_t measures_of(const char *text, const char *const *sets, size_t set_count)
{
    struct sweep_case test = CASE_INIT;
    assert_ok(case_read(&test, text, sets, set_count), test.err);
    uint64_t measures = test.sweep.measures;
    case_release(&test);
    return measures;
}

START_TEST(all_measures_are_stored_unless_some_are_named)
{
    uint64_t all = (UINT64_C(1) << 37) - 1;
    ck_assert_uint_eq(measures_of(GRID, NULL, 0), all);
    ck_assert_uint_eq(measures_of(GRID "measures: all\n", NULL, 0), all);
}
END_TEST

START_TEST(named_measures_come_with_the_counts_and_row_max_mean)
{
    uint64_t always = bit(MEASURE_CORPUS_SENTENCES) | bit(MEASURE_CORPUS_WORDS) |
                      bit(MEASURE_VOCABULARY) | bit(MEASURE_TOKENS) | bit(MEASURE_QUERIES) |
                      bit(MEASURE_ROW_MAX_MEAN) | bit(MEASURE_UNDEFINED_ROWS) |
                      bit(MEASURE_NONFINITE);
    ck_assert_uint_eq(measures_of(GRID "measures: [entropy_mean, score_std]\n", NULL, 0),
                      always | bit(MEASURE_ENTROPY_MEAN) | bit(MEASURE_SCORE_STD));
    ck_assert_uint_eq(measures_of(GRID "measures: row_max_mean\n", NULL, 0), always);
}
END_TEST

START_TEST(a_setting_replaces_what_the_file_names)
{
    const char *const sets[] = {"measures=[max_logit]"};
    uint64_t measures = measures_of(GRID "measures: [entropy_mean]\n", sets, 1);
    ck_assert_uint_eq(measures & bit(MEASURE_ENTROPY_MEAN), 0);
    ck_assert_uint_ne(measures & bit(MEASURE_MAX_LOGIT), 0);
}
END_TEST

START_TEST(measures_are_checked)
{
    assert_refused(GRID "measures: [row_max_mean, entropy_meen]\n",
                   "s.yaml:4:26: measures: no measure 'entropy_meen'; did you mean "
                   "'entropy_mean'?");
    assert_refused(GRID "measures: [speed]\n", "'rowmax fields' lists them");
    assert_refused(GRID "measures: [d_k]\n", "'d_k' is a field, which is stored with every run");
    assert_refused(GRID "measures: []\n", "s.yaml:4:11: measures: the list names no measure");
    assert_refused(GRID "measures: ~\n", "s.yaml:4:11: measures: empty value");
    assert_refused(GRID "measures: {entropy_mean: on}\n", "measures: ");
    assert_refused(GRID "measure: [entropy_mean]\n", "unknown key 'measure'; did you mean "
                                                     "'measures'?");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/measures");
    TCase *tests = tcase_create("measures");
    tcase_add_test(tests, all_measures_are_stored_unless_some_are_named);
    tcase_add_test(tests, named_measures_come_with_the_counts_and_row_max_mean);
    tcase_add_test(tests, a_setting_replaces_what_the_file_names);
    tcase_add_test(tests, measures_are_checked);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
