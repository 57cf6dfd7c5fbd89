/* SPDX-License-Identifier: MIT */
/* Tests src/report/export_json.c: one document, and a line a run. */
#include "export_example.h"

static struct export_example example;

static void tear_down(void)
{
    arena_release(&example.arena);
}

START_TEST(a_line_says_what_null_stands_for)
{
    export_example_fill(&example, "de\"mo");
    ck_assert_str_eq(
        export_example_text(&example, "run,corpus,guard_norm,row_max_mean,max_logit,message",
                            export_jsonl),
        "{\"run\":0,\"corpus\":\"de\\\"mo\",\"guard_norm\":false,\"row_max_mean\":0.1,"
        "\"max_logit\":0,\"message\":null,\"not_finite\":{}}\n"
        "{\"run\":1,\"corpus\":null,\"guard_norm\":false,\"row_max_mean\":null,\"max_logit\":null,"
        "\"message\":\"too \\\"large\\\", by far\","
        "\"not_finite\":{\"row_max_mean\":\"nan\",\"max_logit\":\"infinity\"}}\n");
}
END_TEST

START_TEST(a_document_has_facts_columns_and_rows)
{
    export_example_fill(&example, "demo");
    ck_assert_str_eq(
        export_example_text(&example, "run_key,entropy_mean", export_json),
        "{\n  \"rowmax_export\":1,\n  \"name\":\"x\",\n  \"title\":\"X \\u003Cy\\u003E\",\n"
        "  \"planned_runs\":3,\n  \"runs\":2,\n  \"facts\":{\"rowmax_version\":\"0.1.0\"},\n"
        "  \"sweep\":\"rowmax: 1\\n\",\n  \"columns\":[\n"
        "    {\"name\":\"run_key\",\"kind\":\"text\",\"label\":\"run_key\",\"unit\":\"\","
        "\"description\":\"identity of the run: 64 bits as 16 hexadecimal digits\"},\n"
        "    {\"name\":\"entropy_mean\",\"kind\":\"real\",\"label\":\"entropy\",\"unit\":\"nats\","
        "\"description\":\"mean over rows of the entropy -sum p ln p of the weights\"}\n"
        "  ],\n  \"rows\":[\n"
        "{\"run_key\":\"00000000000000ab\",\"entropy_mean\":0,\"not_finite\":{}},\n"
        "{\"run_key\":\"ffffffffffffffff\",\"entropy_mean\":0,\"not_finite\":{}}\n"
        "  ]\n}\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report/export_json");
    TCase *tests = tcase_create("export_json");
    tcase_add_checked_fixture(tests, NULL, tear_down);
    tcase_add_test(tests, a_line_says_what_null_stands_for);
    tcase_add_test(tests, a_document_has_facts_columns_and_rows);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
