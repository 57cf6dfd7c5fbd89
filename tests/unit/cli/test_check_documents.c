/* SPDX-License-Identifier: MIT */
/* Tests src/cli/check_junit.c, check_json.c, check_github.c and check_text.c with texts that would
 * break them: a failed run whose message holds ESC, ]]> and a byte that is no UTF-8. */
#include "cli/check_internal.h"
#include "support.h"

#include <string.h>

#define MESSAGE "\x1B[31mred]]>\xFF<\"\n::error::x"

struct document {
    struct arena arena;
    struct error err;
    struct result now, baseline;
    struct result_set sets[2];
    struct gate_run run;
    struct gate_deviation deviation;
    struct check check;
    struct text text;
};

/* One run that failed and did not before. */
static void document_init(struct document *document)
{
    memset(document, 0, sizeof *document);
    document->text.arena = &document->arena;
    document->now = (struct result){.index = 3,
                                    .key = 0xABC,
                                    .status = RESULT_FAILED,
                                    .message = MESSAGE,
                                    .run = run_default()};
    document->baseline = document->now;
    document->baseline.status = RESULT_OK;
    document->baseline.message = "";
    document->run = (struct gate_run){0, 0, GATE_REGRESSED};
    document->sets[0] = (struct result_set){.whole = &document->now, .count = 1};
    document->sets[1] = (struct result_set){.whole = &document->baseline, .count = 1};
    document->deviation = (struct gate_deviation){.measure = GATE_STATUS, .now = 1, .delta = 1};
    document->check = (struct check){.results = "a.h5", .baseline = "b.h5", .name = "one & two"};
    struct gate *gate = &document->check.gate;
    gate->now = &document->sets[0];
    gate->baseline = &document->sets[1];
    gate->runs = &document->run;
    gate->run_count = 1;
    gate->states[GATE_REGRESSED] = 1;
    gate->regressions = (struct gate_list){&document->deviation, 1, 1};
    gate->runs_compared = 1;
    gate->varying = UINT64_C(1) << RUN_SEED;
    gate->reasons = GATE_FOR_REGRESSION;
    gate->verdict = GATE_FAIL;
}

static void assert_holds(struct document *document, const char *wanted)
{
    const char *text = text_finish(&document->text, &document->err);
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(strstr(text, wanted) != NULL, "no '%s' in: %s", wanted, text);
    ck_assert_uint_eq(text_utf8_error(text, strlen(text)), strlen(text));
    ck_assert_ptr_null(strchr(text, '\x1B'));
}

START_TEST(junit_has_one_case_a_run_and_no_character_that_xml_forbids)
{
    struct document document;
    document_init(&document);
    check_append_junit(&document.text, &document.check);
    assert_holds(&document, "name=\"rowmax check one &amp; two\" tests=\"1\" failures=\"1\"");
    assert_holds(&document, "\xEF\xBF\xBD[31mred]]&gt;\xEF\xBF\xBD&lt;&quot;&#10;::error::x\">");
    assert_holds(&document, "status: baseline ok, now failed, ok is better\n</failure>");
    arena_release(&document.arena);
}
END_TEST

START_TEST(junit_tells_an_improvement_and_passes)
{
    struct document document;
    document_init(&document);
    struct gate *gate = &document.check.gate;
    document.now.status = RESULT_OK;
    document.baseline.status = RESULT_FAILED;
    document.run.state = GATE_IMPROVED;
    document.deviation.now = 0;
    document.deviation.baseline = 1;
    gate->improvements = gate->regressions;
    gate->regressions = (struct gate_list){NULL, 0, 0};
    gate->states[GATE_REGRESSED] = 0;
    gate->states[GATE_IMPROVED] = 1;
    gate->verdict = GATE_PASS;
    check_append_junit(&document.text, &document.check);
    assert_holds(&document, "tests=\"1\" failures=\"0\"");
    assert_holds(&document, "<system-out>measures improved beyond their tolerance\n"
                            "status: baseline failed, now ok, ok is better\n");
    arena_release(&document.arena);
}
END_TEST

START_TEST(json_names_the_status_where_there_is_no_number)
{
    struct document document;
    document_init(&document);
    check_append_json(&document.text, &document.check);
    assert_holds(&document, "\"baseline\": null, \"baseline_status\": \"ok\", \"now\": null, "
                            "\"now_status\": \"failed\", \"delta\": null");
    assert_holds(&document, "\"key\": \"0000000000000abc\"");
    assert_holds(&document, "\"message\": \"\\u001B[31mred]]>\xEF\xBF\xBD<\\\"\\n::error::x\"");
    assert_holds(&document, "\"reasons\": [\"regression\"]");
    arena_release(&document.arena);
}
END_TEST

START_TEST(json_tells_a_nan_from_an_infinity)
{
    struct document document;
    document_init(&document);
    document.now.status = RESULT_OK;
    document.deviation = (struct gate_deviation){.measure = MEASURE_SCORE_STD,
                                                 .baseline = -(double)INFINITY,
                                                 .now = (double)NAN,
                                                 .delta = (double)NAN,
                                                 .allowed = (double)NAN};
    check_append_json(&document.text, &document.check);
    assert_holds(&document,
                 "\"baseline\": null, \"baseline_status\": \"-infinity\", \"now\": null, "
                 "\"now_status\": \"nan\"");
    arena_release(&document.arena);
}
END_TEST

START_TEST(an_annotation_is_one_line_whatever_the_message)
{
    struct document document;
    document_init(&document);
    check_append_github(&document.text, &document.check);
    assert_holds(&document,
                 "::error title=rowmax regression::status of run 3 (seed=1): baseline ok");
    assert_holds(&document, "red]]>\xEF\xBF\xBD<\"%0A::error::x\n");
    const char *text = text_finish(&document.text, &document.err);
    ck_assert_uint_eq(strcspn(text, "\n"), strlen(text) - 1);
    arena_release(&document.arena);
}
END_TEST

START_TEST(ten_annotations_at_most_and_the_last_says_how_many_there_are)
{
    struct document document;
    struct gate_deviation many[11];
    document_init(&document);
    for (size_t i = 0; i < 11; i++) {
        many[i] = document.deviation;
    }
    document.check.gate.regressions = (struct gate_list){many, 11, 11};
    check_append_github(&document.text, &document.check);
    assert_holds(&document, "::and 2 more, 11 in all\n");
    size_t lines = 0;
    for (const char *at = document.text.data; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    ck_assert_uint_eq(lines, 10);
    arena_release(&document.arena);
}
END_TEST

START_TEST(a_line_of_the_list_has_ten_columns_whatever_the_message)
{
    struct document document;
    document_init(&document);
    check_append_lines(&document.text, &document.check);
    assert_holds(&document, "regression\t3\t0000000000000abc\tstatus\tok\tfailed\t-\t-\tok is "
                            "better\tseed=1: ?[31mred]]>?<\"?::error::x\n");
    assert_holds(&document, "compared 1 run, 0 measures: 1 regression, 0 improvements, 0 new, 0 "
                            "missing, 0 failed in both: fail\n");
    arena_release(&document.arena);
}
END_TEST

/* 21 runs, of which 20 are listed; 3 regressions, of which the first alone is kept. */
START_TEST(long_lists_are_cut_and_counted)
{
    struct document document;
    struct gate_run runs[21];
    struct history_step steps[22];
    document_init(&document);
    for (size_t i = 0; i < 21; i++) {
        runs[i] = (struct gate_run){0, 0, GATE_NEW};
    }
    for (size_t i = 0; i < 22; i++) {
        steps[i] = (struct history_step){"", MEASURE_ROW_MAX_MEAN, 0, "2026-11-30", 0.25, 0.5};
    }
    struct gate *gate = &document.check.gate;
    gate->runs = runs;
    gate->run_count = 21;
    gate->states[GATE_NEW] = 21;
    gate->regressions.count = 3;
    document.check.steps.items = steps;
    document.check.steps.count = 22;
    check_append_lines(&document.text, &document.check);
    assert_holds(&document, "... and 2 more of 'regression'\n");
    assert_holds(&document, "... and 1 more of 'new'\n");
    assert_holds(&document, "row_max_mean stepped on 2026-11-30 from 0.25 to 0.5\n");
    assert_holds(&document, "... and 2 more steps\n");
    arena_release(&document.arena);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("check");
    tcase_add_test(all, junit_has_one_case_a_run_and_no_character_that_xml_forbids);
    tcase_add_test(all, junit_tells_an_improvement_and_passes);
    tcase_add_test(all, json_names_the_status_where_there_is_no_number);
    tcase_add_test(all, json_tells_a_nan_from_an_infinity);
    tcase_add_test(all, an_annotation_is_one_line_whatever_the_message);
    tcase_add_test(all, ten_annotations_at_most_and_the_last_says_how_many_there_are);
    tcase_add_test(all, a_line_of_the_list_has_ten_columns_whatever_the_message);
    tcase_add_test(all, long_lists_are_cut_and_counted);
    Suite *suite = suite_create("cli.check_documents");
    suite_add_tcase(suite, all);
    return support_run(suite);
}
