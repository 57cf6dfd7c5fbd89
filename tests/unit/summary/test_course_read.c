/* SPDX-License-Identifier: MIT */
/* Tests src/summary/course_read.c: what an export has written, and what it has not. */
#include "base/text.h"
#include "summary/course.h"
#include "arena_fixture.h"

#include <string.h>

#define INDEX_HEAD                                                                                 \
    "{\"rowmax_module\": 1, \"name\": \"n\", \"title\": \"t\", \"rowmax_version\": \"0.1.0\", "    \
    "\"commit\": null, "
#define INDEX_SETTINGS                                                                             \
    "\"settings\": {\"learner\": \"count-svd\", \"power\": 0.5, \"window\": 5, "                   \
    "\"stabilise\": true, \"of_a_later_version\": 1}, "
#define INDEX_MEASURES                                                                             \
    "\"measures\": [{\"name\": \"row_max_mean\"}, {\"name\": \"max_logit\"}, {\"name\": "          \
    "\"later\"}], "
#define INDEX_CORPORA                                                                              \
    "\"corpora\": [{\"name\": \"Demo\", \"folder\": \"~44emo\", \"sha256\": \"ab\"}], "
#define INDEX_PAIRS "\"pairs\": [{\"corpus\": \"Demo\", \"seed\": 3, \"path\": \"~44emo/3.json\"}]}"
#define INDEX INDEX_HEAD INDEX_SETTINGS INDEX_MEASURES INDEX_CORPORA INDEX_PAIRS

static struct course course;

static bool read_index(const char *text)
{
    err = (struct error)ERROR_INIT;
    return course_read_index("x/index.json", text, strlen(text), &arena, &course, &err);
}

START_TEST(an_index_gives_settings_measures_and_pairs)
{
    assert_ok(read_index(INDEX), err);
    ck_assert_str_eq(course.version, "0.1.0");
    ck_assert_ptr_null(course.commit);
    ck_assert_str_eq(course_setting_value(&course, RUN_POWER), "0.5");
    ck_assert_str_eq(course_setting_value(&course, RUN_WINDOW), "5");
    ck_assert_str_eq(course_setting_value(&course, RUN_STABILISE), "on");
    ck_assert_str_eq(course_setting_value(&course, RUN_LEARNER), "count-svd");
    ck_assert_uint_eq(course.setting_count, 4);
    const uint64_t all = (UINT64_C(1) << MEASUREMENT_FIELD_COUNT) - 1;
    ck_assert_uint_eq(~course.lacking & all,
                      UINT64_C(1) << MEASURE_ROW_MAX_MEAN | UINT64_C(1) << MEASURE_MAX_LOGIT);
    ck_assert_uint_eq(course.pair_count, 1);
    ck_assert_str_eq(course.corpora[course.pairs[0].corpus].digest, "ab");
    ck_assert_int_eq(course.pairs[0].seed, 3);
    ck_assert_ptr_null(course.pairs[0].combinations);
}
END_TEST

static void assert_index_refused(const char *text, const char *message)
{
    ck_assert_msg(!read_index(text), "accepted: %s", text);
    assert_error(err, ERROR_INPUT, message);
}

START_TEST(an_index_of_something_else_is_refused)
{
    assert_index_refused("", "x/index.json:1:");
    assert_index_refused("{\n\"a\": nan}", "x/index.json:2:");
    assert_index_refused("[]", "'rowmax_module' is not 1");
    assert_index_refused("{\"rowmax_module\": 2}", "name another folder");
    assert_index_refused("{\"rowmax_module\": 1, \"rowmax_module\": 1}", "duplicate");
    assert_index_refused(INDEX_HEAD "\"settings\": 1}", "'settings' is missing or no object");
    assert_index_refused(INDEX_HEAD "\"settings\": {\"power\": []}}", "a setting is no value");
    assert_index_refused(INDEX_HEAD INDEX_SETTINGS "\"measures\": 1}", "'measures' is missing");
    assert_index_refused(INDEX_HEAD INDEX_SETTINGS INDEX_MEASURES "\"corpora\": [1]}",
                         "'name' is missing or no text");
    assert_index_refused(INDEX_HEAD INDEX_SETTINGS INDEX_MEASURES "\"corpora\": {}}",
                         "'corpora' is missing or no list");
    assert_index_refused(INDEX_HEAD INDEX_SETTINGS INDEX_MEASURES INDEX_CORPORA "\"pairs\": 1}",
                         "'pairs' is missing or no list");
}
END_TEST

#define PAIRS(corpus, seed, path)                                                                  \
    INDEX_HEAD INDEX_SETTINGS INDEX_MEASURES INDEX_CORPORA                                         \
        "\"pairs\": [{\"corpus\": \"" corpus "\", \"seed\": " seed ", \"path\": \"" path "\"}]}"

/* What it names is read, and removed when it is old. */
START_TEST(a_pair_whose_path_leads_elsewhere_is_refused)
{
    assert_index_refused(PAIRS("Demo", "3", "../../etc/3.json"), "FOLDER/SEED.json");
    assert_index_refused(PAIRS("Demo", "3", "/etc/3.json"), "FOLDER/SEED.json");
    assert_index_refused(PAIRS("Demo", "3", "index.json"), "FOLDER/SEED.json");
    assert_index_refused(PAIRS("Demo", "-3", "~44emo/3.json"), "'seed' is missing");
    assert_index_refused(PAIRS("demo", "3", "~44emo/3.json"), "not in 'corpora'");
}
END_TEST

/* A pair with these eight combinations; the last one is `last`. */
static const char *pair_text(const char *head, const char *last)
{
    struct text text = TEXT_INIT(&arena);
    text_append_format(&text, "{\"rowmax_module\": 1, %s, \"combinations\": [", head);
    for (unsigned mask = 0; mask < 7; mask++) {
        text_append_format(&text,
                           "{\"guards\": \"%s\", \"status\": \"ok\", \"message\": null, "
                           "\"measures\": {\"row_max_mean\": 0.%u, \"max_logit\": 1}, "
                           "\"not_finite\": {}, \"weights\": null}, ",
                           run_guards_name(mask), mask);
    }
    text_append_format(&text, "%s]}", last);
    return text_finish(&text, &err);
}

#define HEAD "\"corpus\": \"Demo\", \"seed\": 3, \"tokens\": [\"a\", \"b\"]"
#define LAST(measures, special, weights)                                                           \
    "{\"guards\": \"init+scale+norm\", \"status\": \"failed\", \"message\": \"why\", "             \
    "\"measures\": {" measures "}, \"not_finite\": {" special "}, \"weights\": " weights "}"
#define NULLS "\"row_max_mean\": null, \"max_logit\": null"

static bool read_pair(const char *text)
{
    assert_ok(read_index(INDEX), err);
    return course_read_pair("x/3.json", text, strlen(text), &arena, &course, &course.pairs[0],
                            &err);
}

START_TEST(a_pair_gives_numbers_and_what_null_stands_for)
{
    assert_ok(read_pair(pair_text(
                  HEAD, LAST(NULLS, "\"max_logit\": \"-infinity\"", "[[1, 0], [0.5, null]]"))),
              err);
    const struct course_combination *combinations = course.pairs[0].combinations;
    ck_assert_str_eq(course.pairs[0].words, "a b");
    assert_near(combinations[5].measures[MEASURE_ROW_MAX_MEAN], 0.5, 0);
    ck_assert(isnan(combinations[5].measures[MEASURE_SCORE_STD]));
    ck_assert_ptr_null(combinations[5].weights);
    ck_assert_int_eq(combinations[7].status, RESULT_FAILED);
    ck_assert_str_eq(combinations[7].message, "why");
    ck_assert(isnan(combinations[7].measures[MEASURE_ROW_MAX_MEAN]));
    assert_near(combinations[7].measures[MEASURE_MAX_LOGIT], -(double)INFINITY, 0);
    ck_assert_uint_eq(combinations[7].queries, 2);
    assert_near(combinations[7].weights[2], 0.5, 0);
    ck_assert(isnan(combinations[7].weights[3]));
}
END_TEST

static void assert_pair_refused(const char *head, const char *last, const char *message)
{
    ck_assert_msg(!read_pair(pair_text(head, last)), "accepted: %s", last);
    assert_error(err, ERROR_INPUT, message);
}

START_TEST(a_pair_that_is_none_is_refused)
{
    assert_pair_refused("\"corpus\": \"Demo\", \"seed\": 4, \"tokens\": null",
                        LAST(NULLS, "", "null"), "corpus or seed is not that of the index");
    assert_pair_refused("\"corpus\": \"Demo\", \"seed\": 3", LAST(NULLS, "", "null"),
                        "'tokens' is missing");
    assert_pair_refused("\"corpus\": \"Demo\", \"seed\": 3, \"tokens\": [\"a\", 2]",
                        LAST(NULLS, "", "null"), "a token is no text");
    assert_pair_refused(HEAD, LAST("\"row_max_mean\": 1", "", "null"),
                        "the measure 'max_logit' is missing");
    assert_pair_refused(HEAD, LAST(NULLS, "", "[[1, 0], [1]]"), "no list of equal rows");
    assert_pair_refused(HEAD, LAST(NULLS, "", "[]"), "no list of equal rows");
    assert_pair_refused(HEAD, LAST(NULLS, "", "[[\"1\"]]"), "no list of equal rows");
    assert_pair_refused(HEAD, "{\"guards\": \"none\", \"status\": \"ok\"}", "one of them twice");
    assert_pair_refused(HEAD, "{\"guards\": \"both\", \"status\": \"ok\"}", "no guard set");
    assert_pair_refused(HEAD, "1, 2", "no list of eight");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("summary/course_read");
    TCase *tests = tcase_create("course_read");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, an_index_gives_settings_measures_and_pairs);
    tcase_add_test(tests, an_index_of_something_else_is_refused);
    tcase_add_test(tests, a_pair_whose_path_leads_elsewhere_is_refused);
    tcase_add_test(tests, a_pair_gives_numbers_and_what_null_stands_for);
    tcase_add_test(tests, a_pair_that_is_none_is_refused);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
