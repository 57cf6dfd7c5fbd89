/* SPDX-License-Identifier: MIT */
/* Tests src/report/probe.c: whether text can be drawn, and that nothing stays behind. */
#include "base/files.h"
#include "report/report.h"
#include "support.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *folder_named(const char *name)
{
    const char *folder = support_path(name);
    ck_assert_int_eq(mkdir(folder, 0777), 0);
    return folder;
}

/* Whether a file of the probe stands in the folder. */
static bool holds(const char *folder, const char *file)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const char *path = files_join(&arena, folder, file, &err);
    ck_assert_ptr_nonnull(path);
    bool there = files_exists(path);
    arena_release(&arena);
    return there;
}

static void assert_clean(const char *folder)
{
    ck_assert(!holds(folder, "probe-blank.gp"));
    ck_assert(!holds(folder, "probe-blank.png"));
    ck_assert(!holds(folder, "probe-word.png"));
}

START_TEST(a_word_shows_and_nothing_is_left)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const char *folder = folder_named("good");
    assert_ok(report_probe("gnuplot", folder, &arena, &err), err);
    assert_clean(folder);
    ck_assert(!holds(folder, "probe-word.gp"));
    arena_release(&arena);
}
END_TEST

START_TEST(a_missing_gnuplot_is_the_reason_and_nothing_is_left)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const char *folder = folder_named("missing");
    ck_assert(!report_probe("no-gnuplot-here", folder, &arena, &err));
    assert_error(err, ERROR_FIGURES, "cannot start 'no-gnuplot-here'");
    assert_clean(folder);
    ck_assert(!holds(folder, "probe-word.gp"));
    arena_release(&arena);
}
END_TEST

START_TEST(the_first_script_goes_when_the_second_cannot_be_written)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const char *folder = folder_named("blocked");
    ck_assert_int_eq(mkdir(support_path("blocked/probe-word.gp"), 0777), 0);
    ck_assert(!report_probe("gnuplot", folder, &arena, &err));
    assert_error(err, ERROR_FILE, "cannot replace");
    assert_clean(folder);
    arena_release(&arena);
}
END_TEST

START_TEST(terminals_draw_each_format_and_nothing_is_left)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const char *folder = folder_named("terminals");
    ck_assert_uint_eq(report_terminals("gnuplot", folder, &arena, &err), 0);
    ck_assert_int_eq(err.code, ERROR_NONE);
    ck_assert(!holds(folder, "probe-terminal.gp") && !holds(folder, "probe-terminal.pdf"));
    ck_assert_int_eq(rmdir(folder), 0);
    arena_release(&arena);
}
END_TEST

START_TEST(a_terminal_that_gnuplot_lacks_is_named)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const char *folder = folder_named("lacking");
    /* a gnuplot whose pdfcairo is gone; it is handed -d -e "FORMAT='pdf'; ..." SCRIPT */
    static const char script[] =
        "#!/bin/sh\ncase $3 in *pdf*) echo \"unknown or ambiguous terminal type\" >&2; exit 1;; "
        "esac\nexec gnuplot \"$@\"\n";
    const char *fake = support_file("fake-gnuplot", script, sizeof script - 1);
    ck_assert_int_eq(chmod(fake, 0755), 0);
    ck_assert_uint_eq(report_terminals(fake, folder, &arena, &err), REPORT_PDF);
    assert_error(err, ERROR_FIGURES, "unknown or ambiguous terminal type");
    ck_assert_int_eq(rmdir(folder), 0);
    arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("probe");
    TCase *cases = tcase_create("probe");
    tcase_add_test(cases, a_word_shows_and_nothing_is_left);
    tcase_add_test(cases, the_first_script_goes_when_the_second_cannot_be_written);
    tcase_add_test(cases, terminals_draw_each_format_and_nothing_is_left);
    tcase_add_test(cases, a_terminal_that_gnuplot_lacks_is_named);
    suite_add_tcase(suite, cases);
    /* Under valgrind a program that is missing starts all the same. */
    TCase *native = tcase_create("native");
    tcase_set_tags(native, "native");
    tcase_add_test(native, a_missing_gnuplot_is_the_reason_and_nothing_is_left);
    suite_add_tcase(suite, native);
    return support_run(suite);
}
