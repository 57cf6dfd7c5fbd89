/* SPDX-License-Identifier: MIT */
/* The top level of a sweep, files as they come, and the stored invalid sweeps. */
#include "sweep_support.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

START_TEST(name_and_title_default_to_the_file)
{
    struct sweep_case test = CASE_INIT;
    static const char text[] = CORPUS_HEAD;
    ck_assert(sweep_parse("some/where/growth.yaml", text, strlen(text), NULL, 0, &test.arena,
                          &test.sweep, &test.err));
    ck_assert_str_eq(test.sweep.name, "growth");
    ck_assert_str_eq(test.sweep.title, "growth");
    ck_assert_str_eq(test.sweep.folder, "some/where");
    ck_assert_str_eq(test.sweep.path, "some/where/growth.yaml");
    ck_assert_str_eq(test.sweep.text, text);
    ck_assert_uint_eq(test.sweep.text_size, strlen(text));
    case_release(&test);
}
END_TEST

START_TEST(name_and_title_are_taken_from_the_sweep)
{
    struct sweep_case test = CASE_INIT;
    assert_ok(case_read(&test, CORPUS_HEAD "name: a-b_1.2\ntitle: >\n  One\n  line\n", NULL, 0),
              test.err);
    ck_assert_str_eq(test.sweep.name, "a-b_1.2");
    ck_assert_str_eq(test.sweep.title, "One line");
    case_release(&test);
}
END_TEST

START_TEST(a_name_is_fit_for_a_file)
{
    assert_refused(CORPUS_HEAD "name: a/b\n", "s.yaml:3:7: name: 'a/b' is no file name");
    assert_refused(CORPUS_HEAD "name: ..\n", "name: '..' is no file name");
    assert_refused(CORPUS_HEAD "name: -o\n", "name: '-o' is no file name");
    assert_refused(CORPUS_HEAD "name:\n", "name: empty value");
    assert_refused(CORPUS_HEAD "name: [a]\n", "name: one value wanted, found a list");
    assert_refused(CORPUS_HEAD "title: |\n  a\n  b\n", "title: must be one line of plain text");
}
END_TEST

START_TEST(unknown_keys_get_a_suggestion)
{
    assert_refused(CORPUS_HEAD "exlcude: []\n",
                   "s.yaml:3:1: unknown key 'exlcude'; did you mean 'exclude'?");
    assert_refused(CORPUS_HEAD "seed: 3\n",
                   "s.yaml:3:1: 'seed' belongs under 'fixed', 'grid' or 'zip'");
    assert_refused(CORPUS_HEAD "guards: all\n", "'guards' belongs under 'fixed', 'grid' or 'zip'");
    assert_refused(CORPUS_HEAD "d_modle: 3\n",
                   "unknown key 'd_modle'; did you mean 'd_model' under 'fixed' or 'grid'?");
    assert_refused(CORPUS_HEAD "banana: 3\n", "unknown key 'banana'; a sweep has rowmax, name");
    assert_refused(CORPUS_HEAD "saturation: {rowmax: 1}\n",
                   "'saturation' has row_max and gradient");
}
END_TEST

START_TEST(sections_of_the_wrong_form_are_refused)
{
    assert_refused("- a\n",
                   "s.yaml:1:1: a sweep is a map that begins with 'rowmax: 1', found a list");
    assert_refused("---\n", "found nothing");
    assert_refused("rowmax: 1\nfixed: 3\n", "fixed: a map of fields wanted, found a text");
    assert_refused("rowmax: 1\nfixed:\n", "fixed: empty value");
    assert_refused(CORPUS_HEAD "grid: seed\n", "grid: a map of fields wanted, found a text");
    assert_refused(CORPUS_HEAD "grid: [seed]\n", "grid: a map of fields wanted, found a text");
    assert_refused(CORPUS_HEAD "grid: []\n", "grid: the list has no grid");
    assert_refused(CORPUS_HEAD "zip: []\n", "zip: the list has no fields");
    assert_refused(CORPUS_HEAD "zip: [{}]\n", "zip: the map has no fields");
    assert_refused(CORPUS_HEAD "zip: 3\n", "zip: a map of fields wanted, found a text");
    assert_refused(CORPUS_HEAD "saturation: 0.9\n", "saturation: a map of fields wanted");
    assert_refused(CORPUS_HEAD "saturation: {row_max: 1.5}\n", "'1.5' is out of range");
    assert_refused(CORPUS_HEAD "saturation: {gradient: -1}\n", "'-1' is out of range");
}
END_TEST

START_TEST(a_sweep_without_grid_is_one_run)
{
    struct sweep_case test = CASE_INIT;
    case_plan(&test, CORPUS_HEAD);
    ck_assert_uint_eq(test.plan.count, 1);
    ck_assert_str_eq(run_at(&test.plan, 0)->corpus, "demo");
    ck_assert_uint_eq(test.plan.axis_count, 0);
    case_release(&test);
}
END_TEST

START_TEST(all_faults_come_at_once_in_order)
{
    struct sweep_case test = CASE_INIT;
    ck_assert(!case_read(&test, "nam: x\nfixed: {corpus: ~, d_k: 08}\ngrid: {sead: 1}\n", NULL, 0));
    ck_assert_int_eq(test.err.code, ERROR_INPUT);
    ck_assert_str_eq(test.err.message,
                     "s.yaml:1:1: unknown key 'nam'; did you mean 'name'?\n"
                     "s.yaml:1:1: the format version is missing; add 'rowmax: 1'\n"
                     "s.yaml:1:1: 'sentence' is missing; source corpus needs it under 'fixed', "
                     "'grid' or 'zip'\n"
                     "s.yaml:2:17: corpus: empty value\n"
                     "s.yaml:2:25: d_k: '08' has a leading zero; write 8\n"
                     "s.yaml:3:8: unknown field 'sead'; did you mean 'seed'?");
    case_release(&test);
}
END_TEST

START_TEST(many_unknown_keys_are_counted)
{
    struct sweep_case test = CASE_INIT;
    struct text text = TEXT_INIT(&test.arena);
    text_append(&text, CORPUS_HEAD);
    for (int i = 0; i < 90000; i++) {
        text_append_format(&text, "some_unknown_key_%d: 1\n", i);
    }
    const char *sweep = text_finish(&text, &test.err);
    ck_assert_ptr_nonnull(sweep);
    ck_assert(!case_read(&test, sweep, NULL, 0));
    assert_error(test.err, ERROR_INPUT, "s.yaml:3:1: unknown key 'some_unknown_key_0'");
    ck_assert_ptr_nonnull(strstr(test.err.message, "\n... and "));
    case_release(&test);
}
END_TEST

START_TEST(files_are_read_with_their_overrides)
{
    static const char text[] = CORPUS_HEAD "grid: {seed: [1, 2]}\n";
    const char *path = support_file("nightly.yaml", text, strlen(text));
    const char *sets[] = {"seed=[4, 5, 6]"};
    struct sweep_case test = CASE_INIT;
    assert_ok(sweep_read(path, sets, 1, &test.arena, &test.sweep, &test.err), test.err);
    ck_assert_str_eq(test.sweep.name, "nightly");
    ck_assert_str_eq(test.sweep.folder, support_folder());
    assert_ok(plan_make(&test.sweep, 10, &test.arena, &test.plan, &test.err), test.err);
    ck_assert_uint_eq(test.plan.count, 3);
    case_release(&test);
}
END_TEST

START_TEST(standard_input_is_a_sweep_too)
{
    static const char text[] = CORPUS_HEAD;
    const char *path = support_file("stdin.yaml", text, strlen(text));
    ck_assert_ptr_nonnull(freopen(path, "r", stdin));
    struct sweep_case test = CASE_INIT;
    assert_ok(sweep_read("-", NULL, 0, &test.arena, &test.sweep, &test.err), test.err);
    ck_assert_str_eq(test.sweep.path, "-");
    ck_assert_str_eq(test.sweep.folder, ".");
    ck_assert_str_eq(test.sweep.name, "sweep");
    ck_assert(!test.sweep.named);
    case_release(&test);
}
END_TEST

START_TEST(what_is_no_file_of_reasonable_size_is_refused)
{
    struct sweep_case test = CASE_INIT;
    ck_assert(!sweep_read(support_folder(), NULL, 0, &test.arena, &test.sweep, &test.err));
    assert_error(test.err, ERROR_INPUT, "is a folder");
    test.err = (struct error)ERROR_INIT;
    ck_assert(!sweep_read(support_path("none.yaml"), NULL, 0, &test.arena, &test.sweep, &test.err));
    assert_error(test.err, ERROR_INPUT, "none.yaml");
    test.err = (struct error)ERROR_INIT;
    size_t size = SWEEP_FILE_LIMIT + 1;
    char *large = arena_alloc(&test.arena, size, 1, &test.err);
    memset(large, '\n', size);
    ck_assert(!sweep_parse("s.yaml", large, size, NULL, 0, &test.arena, &test.sweep, &test.err));
    assert_error(test.err, ERROR_INPUT, "'s.yaml' is larger than 4194304 bytes, the limit");
    case_release(&test);
}
END_TEST

/* Each stored sweep names in its first lines what must be said: "# expect LINE:COLUMN: message". */
static void check_invalid(const char *path)
{
    struct sweep_case test = CASE_INIT;
    ck_assert_msg(!sweep_read(path, NULL, 0, &test.arena, &test.sweep, &test.err), "accepted: %s",
                  path);
    ck_assert_int_eq(test.err.code, ERROR_INPUT);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    char line[256];
    size_t expected = 0;
    while (fgets(line, sizeof line, file) != NULL && strncmp(line, "# expect ", 9) == 0) {
        char wanted[1024];
        line[strcspn(line, "\n")] = '\0';
        snprintf(wanted, sizeof wanted, "%s:%s", path, line + 9);
        assert_error(test.err, ERROR_INPUT, wanted);
        expected++;
    }
    fclose(file);
    size_t lines = 1;
    for (const char *at = test.err.message; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    ck_assert_msg(lines == expected, "%s: %s", path, test.err.message);
    case_release(&test);
}

START_TEST(stored_invalid_sweeps_are_refused_as_they_say)
{
    glob_t files;
    ck_assert_int_eq(glob(TEST_SOURCE_DIR "/tests/unit/sweep/invalid/*.yaml", 0, NULL, &files), 0);
    ck_assert_uint_ge(files.gl_pathc, 16);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        check_invalid(files.gl_pathv[i]);
    }
    globfree(&files);
}
END_TEST

static int allocations_left;

static void *failing_alloc(size_t bytes)
{
    return allocations_left-- > 0 ? malloc(bytes) : NULL;
}

START_TEST(short_memory_is_an_error_wherever_it_strikes)
{
    static const char text[] =
        "rowmax: 1\nname: x\nfixed: {corpus: demo, sentence: the cat}\n"
        "grid: {seed: {from: 1, to: 3000}, guards: all}\nzip: {d_k: [1, 2], window: [3, 4]}\n"
        "exclude: [{seed: {from: 9, to: 900}, guard_norm: on}]\n"
        "keep: {matrices: scores, where: {seed: 1}}\n";
    arena_system_alloc = failing_alloc;
    bool done = false;
    int failures = 0;
    while (!done && failures < 1000) {
        struct sweep_case test = CASE_INIT;
        allocations_left = failures;
        done = case_read(&test, text, (const char *const[]){"d_k=[3, 4]"}, 1) &&
               plan_make(&test.sweep, SWEEP_RUN_LIMIT, &test.arena, &test.plan, &test.err);
        if (!done) {
            failures++;
            ck_assert_msg(test.err.code == ERROR_INTERNAL, "%s", test.err.message);
        } else {
            ck_assert_uint_eq(test.plan.points, 3000 * 8 * 2 * 2);
        }
        case_release(&test);
    }
    arena_system_alloc = malloc;
    ck_assert(done);
    ck_assert_int_gt(failures, 5);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/description");
    TCase *tests = tcase_create("description");
    tcase_add_test(tests, name_and_title_default_to_the_file);
    tcase_add_test(tests, name_and_title_are_taken_from_the_sweep);
    tcase_add_test(tests, a_name_is_fit_for_a_file);
    tcase_add_test(tests, unknown_keys_get_a_suggestion);
    tcase_add_test(tests, sections_of_the_wrong_form_are_refused);
    tcase_add_test(tests, a_sweep_without_grid_is_one_run);
    tcase_add_test(tests, all_faults_come_at_once_in_order);
    tcase_add_test(tests, many_unknown_keys_are_counted);
    tcase_add_test(tests, files_are_read_with_their_overrides);
    tcase_add_test(tests, standard_input_is_a_sweep_too);
    tcase_add_test(tests, what_is_no_file_of_reasonable_size_is_refused);
    tcase_add_test(tests, stored_invalid_sweeps_are_refused_as_they_say);
    tcase_add_test(tests, short_memory_is_an_error_wherever_it_strikes);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
