/* SPDX-License-Identifier: MIT */
/* Files that sweeps include: which are read, what is said of those that are not, and the paths in
 * them. What holds against what is in test_layers.c. */
#include "sweep_support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define BASE "rowmax: 1\nfixed: {source: gaussian, tokens: 8}\n"

static const char *put(const char *name, const char *text)
{
    return support_file(name, text, strlen(text));
}

static bool read_case(struct sweep_case *test, const char *name)
{
    return sweep_read(support_path(name), NULL, 0, &test->arena, &test->sweep, &test->err);
}

/* The sweep is refused with this text in the message. */
static void refuse(const char *text, const char *message)
{
    struct sweep_case test = CASE_INIT;
    put("main.yaml", text);
    ck_assert_msg(!read_case(&test, "main.yaml"), "accepted: %s", text);
    assert_error(test.err, ERROR_INPUT, message);
    case_release(&test);
}

START_TEST(an_included_file_gives_what_the_sweep_lacks)
{
    struct sweep_case test = CASE_INIT;
    put("base.yaml", BASE);
    put("main.yaml", "rowmax: 1\ninclude: base.yaml\n");
    assert_ok(read_case(&test, "main.yaml"), test.err);
    assert_ok(plan_make(&test.sweep, 10, &test.arena, &test.plan, &test.err), test.err);
    ck_assert_int_eq(run_at(&test.plan, 0)->tokens, 8);
    ck_assert_str_eq(test.sweep.name, "main");
    case_release(&test);
}
END_TEST

START_TEST(paths_are_relative_to_the_file_that_they_stand_in)
{
    struct sweep_case test = CASE_INIT;
    ck_assert_int_eq(mkdir(support_path("p"), 0777), 0);
    ck_assert_int_eq(mkdir(support_path("p/q"), 0777), 0);
    put("p/q/deep.yaml", "rowmax: 1\nfixed: {source: arrays, x: x.npy, w_k: /w_k.npy}\n");
    put("p/mid.yaml", "rowmax: 1\ninclude: q/deep.yaml\ngrid: {w_q: [a.npy, q/b.h5:set]}\n"
                      "exclude: {w_q: a.npy}\n");
    put("main.yaml", "rowmax: 1\ninclude: p/mid.yaml\n");
    assert_ok(read_case(&test, "main.yaml"), test.err);
    assert_ok(plan_make(&test.sweep, 10, &test.arena, &test.plan, &test.err), test.err);
    ck_assert_uint_eq(test.plan.count, 1);
    ck_assert_str_eq(run_at(&test.plan, 0)->x, "p/q/x.npy");
    ck_assert_str_eq(run_at(&test.plan, 0)->w_k, "/w_k.npy");
    ck_assert_str_eq(run_at(&test.plan, 0)->w_q, "p/q/b.h5:set");
    case_release(&test);
}
END_TEST

START_TEST(a_corpus_may_be_a_name_that_stays)
{
    struct sweep_case test = CASE_INIT;
    mkdir(support_path("p"), 0777);
    put("p/names.yaml",
        "rowmax: 1\nfixed: {sentence: the cat}\ngrid: {corpus: [demo, mine.txt]}\n");
    put("main.yaml", "rowmax: 1\ninclude: p/names.yaml\n");
    assert_ok(read_case(&test, "main.yaml"), test.err);
    assert_ok(plan_make(&test.sweep, 10, &test.arena, &test.plan, &test.err), test.err);
    ck_assert_str_eq(run_at(&test.plan, 0)->corpus, "demo");
    ck_assert_str_eq(run_at(&test.plan, 1)->corpus, "p/mine.txt");
    case_release(&test);
}
END_TEST

START_TEST(faults_name_the_file_and_who_includes_it)
{
    char wanted[4096];
    put("deep.yaml", "rowmax: 1\nfixed: {source: gaussian, tokens: 8, d_q: 8}\n");
    put("mid.yaml", "rowmax: 1\n\ninclude: [deep.yaml]\n");
    put("main.yaml", "rowmax: 1\ninclude: mid.yaml\nfixed: {seeed: 1}\n");
    struct sweep_case test = CASE_INIT;
    ck_assert(!read_case(&test, "main.yaml"));
    snprintf(wanted, sizeof wanted,
             "%s:3:9: unknown field 'seeed'; did you mean 'seed'?\n"
             "%s:2:38: unknown field 'd_q'; did you mean 'd_k'? (included from %s:3:11, from "
             "%s:2:10)",
             support_path("main.yaml"), support_path("deep.yaml"), support_path("mid.yaml"),
             support_path("main.yaml"));
    ck_assert_str_eq(test.err.message, wanted);
    case_release(&test);
}
END_TEST

START_TEST(no_sweep_includes_itself)
{
    char wanted[4096];
    refuse("rowmax: 1\ninclude: main.yaml\n", "a sweep cannot include itself");
    put("b.yaml", "rowmax: 1\ninclude: c.yaml\n");
    put("c.yaml", "rowmax: 1\ninclude: ./b.yaml\n");
    snprintf(wanted, sizeof wanted,
             "%s:2:10: include: a sweep cannot include itself: '%s' includes '%s', which includes "
             "'%s' (included from %s:2:10, from %s:2:10)",
             support_path("c.yaml"), support_path("b.yaml"), support_path("c.yaml"),
             support_path("b.yaml"), support_path("b.yaml"), support_path("main.yaml"));
    refuse("rowmax: 1\ninclude: b.yaml\n", wanted);
    /* Another name is no other file. */
    ck_assert_int_eq(symlink("main.yaml", support_path("link.yaml")), 0);
    refuse("rowmax: 1\ninclude: link.yaml\n", "a sweep cannot include itself");
}
END_TEST

START_TEST(one_file_may_be_included_by_two)
{
    struct sweep_case test = CASE_INIT;
    put("base.yaml", BASE);
    put("b.yaml", "rowmax: 1\ninclude: base.yaml\nfixed: {d_k: 8}\n");
    put("c.yaml", "rowmax: 1\ninclude: base.yaml\nfixed: {d_model: 16}\n");
    put("main.yaml", "rowmax: 1\ninclude: [b.yaml, c.yaml]\n");
    assert_ok(read_case(&test, "main.yaml"), test.err);
    assert_ok(plan_make(&test.sweep, 10, &test.arena, &test.plan, &test.err), test.err);
    ck_assert_int_eq(run_at(&test.plan, 0)->d_k, 8);
    ck_assert_int_eq(run_at(&test.plan, 0)->d_model, 16);
    case_release(&test);
}
END_TEST

/* 0.yaml includes 1.yaml, and so on; `last` includes nothing. */
static void put_chain(int last)
{
    char name[32];
    char text[64];
    for (int i = 0; i < last; i++) {
        snprintf(name, sizeof name, "%d.yaml", i);
        snprintf(text, sizeof text, "rowmax: 1\ninclude: %d.yaml\n", i + 1);
        put(name, text);
    }
    snprintf(name, sizeof name, "%d.yaml", last);
    put(name, BASE);
}

START_TEST(eight_files_below_each_other_are_the_limit)
{
    struct sweep_case test = CASE_INIT;
    put_chain(8);
    assert_ok(read_case(&test, "0.yaml"), test.err);
    put_chain(9);
    ck_assert(!read_case(&test, "0.yaml"));
    assert_error(test.err, ERROR_INPUT, "8.yaml:2:10: include: nested too deeply (limit 8)");
    case_release(&test);
}
END_TEST

/* Each file twice makes 2 + 4 + 8 + 16 + 32 and more of seven. */
START_TEST(files_that_multiply_are_stopped)
{
    char name[32];
    char text[64];
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "%d.yaml", i);
        snprintf(text, sizeof text, "rowmax: 1\ninclude: [%d.yaml, %d.yaml]\n", i + 1, i + 1);
        put(name, text);
    }
    put("8.yaml", BASE);
    struct sweep_case test = CASE_INIT;
    ck_assert(!read_case(&test, "0.yaml"));
    assert_error(test.err, ERROR_INPUT, "include: more than 64 files, the limit");
    case_release(&test);
}
END_TEST

START_TEST(only_regular_files_are_read)
{
    char wanted[4096];
    refuse("rowmax: 1\ninclude: none.yaml\n", "none.yaml': No such file");
    ck_assert_int_eq(mkfifo(support_path("pipe.yaml"), 0666), 0);
    refuse("rowmax: 1\ninclude: pipe.yaml\n", "pipe.yaml' is no regular file");
    refuse("rowmax: 1\ninclude: /dev/zero\n", "'/dev/zero' is no regular file");
    refuse("rowmax: 1\ninclude: .\n", "is no regular file");
    /* A file of that name, not standard input. */
    snprintf(wanted, sizeof wanted, "cannot open '%s': No such file", support_path("-"));
    refuse("rowmax: 1\ninclude: '-'\n", wanted);
}
END_TEST

/* A sweep of a stranger could name any file: nothing of what is in it may be shown. */
START_TEST(of_a_file_that_is_no_sweep_nothing_is_shown)
{
    static const char *const texts[] = {
        "secret: word\n", "&secret a\n", "\"secret", "secret\n", "- secret\n", "", "\xFFsecret"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct sweep_case test = CASE_INIT;
        put("other", texts[i]);
        put("main.yaml", "rowmax: 1\ninclude: other\n");
        ck_assert(!read_case(&test, "main.yaml"));
        assert_error(test.err, ERROR_INPUT, "other' is no sweep: it lacks 'rowmax: 1'");
        ck_assert_msg(strstr(test.err.message, "secret") == NULL, "%s", test.err.message);
        case_release(&test);
    }
}
END_TEST

START_TEST(an_included_file_is_of_this_format)
{
    put("other", "fixed: {sentence: rowmax}\n");
    refuse("rowmax: 1\ninclude: other\n", "other' is no sweep: it lacks 'rowmax: 1'");
    put("other", "rowmax: 2\n");
    refuse("rowmax: 1\ninclude: other\n", "other:1:9: rowmax: format '2' is not known");
    put("other", "[rowmax]\n");
    refuse("rowmax: 1\ninclude: other\n", "other' is no sweep: it lacks 'rowmax: 1'");
}
END_TEST

START_TEST(files_count_towards_one_limit)
{
    static char text[SWEEP_FILE_LIMIT / 2 + 1];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", BASE);
    memset(text + used, '\n', sizeof text - used);
    support_file("half.yaml", text, sizeof text);
    refuse("rowmax: 1\ninclude: [half.yaml, half.yaml]\n",
           "the sweep and its files are larger than 4194304 bytes, the limit");
}
END_TEST

/* 40,000 values in each of six files are more than the 200,000 that one may have. */
START_TEST(values_of_all_files_count_together)
{
    static char text[400000];
    size_t used = (size_t)snprintf(text, sizeof text, BASE "grid: {seed: [0");
    for (int i = 1; i < 40000; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, ",%d", i);
    }
    snprintf(text + used, sizeof text - used, "]}\n");
    put("many.yaml", text);
    refuse("rowmax: 1\ninclude: [many.yaml, many.yaml, many.yaml, many.yaml, many.yaml, "
           "many.yaml]\n",
           "more than 200000 values and keys, the limit");
}
END_TEST

START_TEST(include_takes_a_path_or_a_list_of_paths)
{
    refuse("rowmax: 1\ninclude: []\n", "main.yaml:2:10: include: the list names no file");
    refuse("rowmax: 1\ninclude:\n", "include: empty value");
    refuse("rowmax: 1\ninclude: {a: b}\n", "include: one value wanted, found a map");
    refuse("rowmax: 1\ninclude: [[a]]\n", "include: one value wanted, found a list");
}
END_TEST

/* What is missing may stand in the file that cannot be read. */
START_TEST(a_missing_file_is_the_only_fault_it_causes)
{
    struct sweep_case test = CASE_INIT;
    put("main.yaml", "rowmax: 1\ninclude: none.yaml\nfixed: {d_k: 8}\n");
    ck_assert(!read_case(&test, "main.yaml"));
    ck_assert_msg(strchr(test.err.message, '\n') == NULL, "%s", test.err.message);
    case_release(&test);
}
END_TEST

static int allocations_left;

static void *failing_alloc(size_t bytes)
{
    return allocations_left-- > 0 ? malloc(bytes) : NULL;
}

START_TEST(short_memory_is_an_error_wherever_it_strikes)
{
    put("base.yaml", BASE "grid: {seed: {from: 1, to: 3000}, guards: all}\nzip: {d_k: [1, 2]}\n");
    put("main.yaml", "rowmax: 1\ninclude: base.yaml\ngrid: {mask: causal}\n");
    bool done = false;
    int failures = 0;
    while (!done && failures < 1000) {
        struct sweep_case test = CASE_INIT;
        arena_system_alloc = failing_alloc;
        allocations_left = failures;
        done = read_case(&test, "main.yaml") &&
               plan_make(&test.sweep, SWEEP_RUN_LIMIT, &test.arena, &test.plan, &test.err);
        arena_system_alloc = malloc;
        if (!done) {
            failures++;
            ck_assert_msg(test.err.code == ERROR_INTERNAL, "%s", test.err.message);
        } else {
            ck_assert_uint_eq(test.plan.points, 48000);
        }
        case_release(&test);
    }
    ck_assert(done);
    ck_assert_int_gt(failures, 3);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/includes");
    TCase *tests = tcase_create("includes");
    tcase_add_test(tests, an_included_file_gives_what_the_sweep_lacks);
    tcase_add_test(tests, paths_are_relative_to_the_file_that_they_stand_in);
    tcase_add_test(tests, a_corpus_may_be_a_name_that_stays);
    tcase_add_test(tests, faults_name_the_file_and_who_includes_it);
    tcase_add_test(tests, no_sweep_includes_itself);
    tcase_add_test(tests, one_file_may_be_included_by_two);
    tcase_add_test(tests, eight_files_below_each_other_are_the_limit);
    tcase_add_test(tests, files_that_multiply_are_stopped);
    tcase_add_test(tests, only_regular_files_are_read);
    tcase_add_test(tests, of_a_file_that_is_no_sweep_nothing_is_shown);
    tcase_add_test(tests, an_included_file_is_of_this_format);
    tcase_add_test(tests, files_count_towards_one_limit);
    tcase_add_test(tests, values_of_all_files_count_together);
    tcase_add_test(tests, include_takes_a_path_or_a_list_of_paths);
    tcase_add_test(tests, a_missing_file_is_the_only_fault_it_causes);
    tcase_add_test(tests, short_memory_is_an_error_wherever_it_strikes);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
