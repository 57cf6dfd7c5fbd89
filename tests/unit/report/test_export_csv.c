/* SPDX-License-Identifier: MIT */
/* Tests src/report/export_csv.c and export_columns.c: cells of every kind, columns by name. */
#include "export_example.h"

#include <stdio.h>

static struct export_example example;

static void tear_down(void)
{
    arena_release(&example.arena);
}

static void assert_csv(const char *names, const char *wanted)
{
    ck_assert_str_eq(export_example_text(&example, names, export_csv), wanted);
}

START_TEST(cells_are_written_by_their_kind)
{
    export_example_fill(&example, "demo");
    example.list[0].run.guard_scale = true;
    example.list[0].run.guard_init = false;
    example.list[0].run.guard_norm = false;
    example.list[1].run.source = SOURCE_SCORES; /* which has no guards */
    assert_csv("guards,run", "guards,run\r\nscale,0\r\n,1\r\n");
    example.list[1].run.source = SOURCE_GAUSSIAN;
    assert_csv("run,status,run_key,guard_init,learner", "run,status,run_key,guard_init,learner\r\n"
                                                        "0,ok,00000000000000ab,false,count-svd\r\n"
                                                        "1,failed,ffffffffffffffff,false,\r\n");
    /* NaN, and a field or count without a meaning, are empty; an infinity is not. */
    assert_csv("row_max_mean,max_logit,tokens,tokens_requested,power",
               "row_max_mean,max_logit,tokens,tokens_requested,power\r\n"
               "0.1,0,2,,0.5\r\n"
               ",inf,,5,\r\n");
}
END_TEST

START_TEST(texts_are_quoted_where_rfc_4180_asks_for_it)
{
    export_example_fill(&example, "a,b");
    assert_csv("corpus,message",
               "corpus,message\r\n\"a,b\",\r\n,\"too \"\"large\"\", by far\"\r\n");
    static const char *const names[][2] = {
        {"a\nb", "\"a\nb\""}, {"\"", "\"\"\"\""},         {" a", "\" a\""},   {"=1+1", "=1+1"},
        {"ä;b", "ä;b"},       {"a\xFF", "a\xEF\xBF\xBD"}, {"a\r", "\"a\r\""}, {"-1", "-1"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char wanted[64];
        arena_release(&example.arena);
        export_example_fill(&example, names[i][0]);
        snprintf(wanted, sizeof wanted, "run,corpus\r\n0,%s\r\n1,\r\n", names[i][1]);
        assert_csv("run,corpus", wanted);
    }
}
END_TEST

/* A line with nothing on it would be passed over. */
START_TEST(a_row_of_one_empty_cell_is_still_a_row)
{
    export_example_fill(&example, "demo");
    assert_csv("message", "message\r\n\"\"\r\n\"too \"\"large\"\", by far\"\r\n");
}
END_TEST

START_TEST(all_columns_are_those_with_a_meaning)
{
    export_example_fill(&example, "demo");
    example.set.lacking = UINT64_C(1) << MEASURE_MAX_LOGIT;
    assert_ok(export_example_choose(&example, NULL), example.err);
    bool corpus = false;
    bool asked = false;
    bool guards = false;
    for (size_t c = 0; c < example.table.column_count; c++) {
        const char *name = example.table.columns[c].name;
        corpus = corpus || strcmp(name, "corpus") == 0;
        guards = guards || (strcmp(name, "guards") == 0 &&
                            strcmp(example.table.columns[c + 1].name, "guard_init") == 0);
        asked = asked || strcmp(name, "tokens_requested") == 0;
        ck_assert_str_ne(name, "x");         /* of arrays */
        ck_assert_str_ne(name, "negative");  /* of sgns */
        ck_assert_str_ne(name, "max_logit"); /* not in the file */
    }
    ck_assert(corpus && asked && guards);
    ck_assert_str_eq(example.table.columns[0].name, "run");
    ck_assert_str_eq(example.table.columns[example.table.column_count - 1].name, "nonfinite");
}
END_TEST

static void assert_names_refused(const char *names, const char *message)
{
    example.err = (struct error)ERROR_INIT;
    ck_assert(!export_example_choose(&example, names));
    ck_assert_msg(strstr(example.err.message, message) != NULL, "%s", example.err.message);
}

START_TEST(names_that_are_no_columns_are_refused)
{
    export_example_fill(&example, "demo");
    example.set.lacking = UINT64_C(1) << MEASURE_MAX_LOGIT;
    assert_names_refused("run,row_max_men", "did you mean 'row_max_mean'?");
    assert_names_refused("run,", "no column ''");
    assert_names_refused("run,seed,run", "'run' is there twice");
    assert_names_refused("max_logit", "have no measure 'max_logit'");
}
END_TEST

static bool refuse(void *context, const char *bytes, size_t size, struct error *err)
{
    (void)context;
    (void)bytes;
    (void)size;
    return error_set(err, ERROR_FILE, "full");
}

START_TEST(a_sink_that_refuses_ends_the_export)
{
    export_example_fill(&example, "demo");
    const struct export_sink sink = {refuse, NULL};
    assert_ok(export_example_choose(&example, NULL), example.err);
    ck_assert(!export_csv(&example.table, &sink, &example.err));
    assert_error(example.err, ERROR_FILE, "full");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report/export_csv");
    TCase *tests = tcase_create("export_csv");
    tcase_add_checked_fixture(tests, NULL, tear_down);
    tcase_add_test(tests, cells_are_written_by_their_kind);
    tcase_add_test(tests, texts_are_quoted_where_rfc_4180_asks_for_it);
    tcase_add_test(tests, a_row_of_one_empty_cell_is_still_a_row);
    tcase_add_test(tests, all_columns_are_those_with_a_meaning);
    tcase_add_test(tests, names_that_are_no_columns_are_refused);
    tcase_add_test(tests, a_sink_that_refuses_ends_the_export);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
