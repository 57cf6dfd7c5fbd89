/* SPDX-License-Identifier: MIT */
/* Tests src/report/gnuplot.c: text in scripts, and every way in which rendering can fail. */
#include "base/files.h"
#include "report/gnuplot.h"
#include "support.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static struct arena arena;

static const char *quoted(const char *any)
{
    struct text text = TEXT_INIT(&arena);
    struct error err = ERROR_INIT;
    gnuplot_quote(&text, any);
    return text_finish(&text, &err);
}

START_TEST(quoting_leaves_nothing_to_run)
{
    ck_assert_str_eq(quoted("it's"), "'it'.\"\\047\".'s'");
    ck_assert_str_eq(quoted("' ; system \"x\"; '"), "\"\\047\".' ; system \"x\"; '.\"\\047\"");
    ck_assert_str_eq(quoted("''"), "\"\\047\".\"\\047\"");
    ck_assert_str_eq(quoted("a\nb"), "'a b'");
    ck_assert_str_eq(quoted(""), "''");
}
END_TEST

START_TEST(quoting_replaces_control_bytes_and_broken_text)
{
    ck_assert_str_eq(quoted("a\033b\x7F"
                            "c"),
                     "'a?b?c'");
    ck_assert_str_eq(quoted("a\xC2\x85"
                            "b"),
                     "'a?b'");
    ck_assert_str_eq(quoted("a\xFF"
                            "b\xC3"),
                     "'a?b?'");
    ck_assert_str_eq(quoted("x\xEF\xBF\xBEy"), "'x?y'");
    ck_assert_str_eq(quoted("日本 — é"), "'日本 — é'");
}
END_TEST

START_TEST(labels_are_one_printable_line)
{
    struct error err = ERROR_INIT;
    ck_assert_str_eq(gnuplot_label(&arena, "a\nb\tc", 99, &err), "a b c");
    ck_assert_str_eq(gnuplot_label(&arena, "x\033y\xff", 99, &err), "x?y?");
    ck_assert_str_eq(gnuplot_label(&arena, "x\xEF\xBF\xBEy\xEF\xBF\xBFz\xEF\xBF\xBC", 99, &err),
                     "x?y?z\xEF\xBF\xBC");
    ck_assert_str_eq(gnuplot_label(&arena, "日本語です", 4, &err), "日本…");
}
END_TEST

/* A stand-in for gnuplot; returns its path. */
static const char *fake(const char *name, const char *body)
{
    char script[1024];
    int size = snprintf(script, sizeof script, "#!/bin/sh\n%s\n", body);
    const char *path = support_file(name, script, (size_t)size);
    ck_assert_int_eq(chmod(path, 0755), 0);
    return path;
}

/* Renders "plain.gp" as PNG with a program and returns the reason of failure. */
static const char *render_with(const char *program, const char *script, double seconds)
{
    struct error err = ERROR_INIT;
    const struct report_options options = {support_folder(), REPORT_PNG, program, seconds};
    struct picture picture = {.name = "plain", .format = "png"};
    support_file("plain.gp", script, strlen(script));
    support_file("plain.png", "old", 3);
    assert_ok(gnuplot_render(&options, &picture, 1, &arena, &err), err);
    ck_assert(!files_exists(support_path("plain.png.tmp")));
    ck_assert(files_exists(support_path("plain.png")) == (picture.reason == NULL));
    return picture.reason;
}

static void expect_reason(const char *reason, const char *part)
{
    ck_assert_ptr_nonnull(reason);
    ck_assert_msg(strstr(reason, part) != NULL, "reason: %s", reason);
}

static const char good_script[] = "set terminal pngcairo size 200,100\nset output OUT\n"
                                  "set yrange [0:1]\nplot NaN notitle\nunset output\n";

START_TEST(a_good_script_becomes_a_picture)
{
    ck_assert_ptr_null(render_with("gnuplot", good_script, 60));
}
END_TEST

START_TEST(a_missing_gnuplot_is_named)
{
    expect_reason(render_with("no-gnuplot-here", good_script, 60),
                  "cannot start 'no-gnuplot-here'");
}
END_TEST

START_TEST(what_gnuplot_complains_about_is_passed_on)
{
    expect_reason(
        render_with("gnuplot", "set terminal pngcairo\nset output OUT\nplot nosuch(x)\n", 60),
        "gnuplot says: \"plain.gp\" line 3: undefined function: nosuch");
}
END_TEST

START_TEST(a_warning_counts_as_a_failure)
{
    const char *program = fake("warns", "echo 'warning: wrong data' >&2; exit 0");
    expect_reason(render_with(program, good_script, 60), "gnuplot says: warning: wrong data");
}
END_TEST

START_TEST(a_silent_failure_shows_its_status)
{
    expect_reason(render_with(fake("fails", "exit 1"), good_script, 60), "failed with status 1");
    expect_reason(render_with(fake("dies", "kill -9 $$"), good_script, 60), "stopped by a signal");
}
END_TEST

START_TEST(a_gnuplot_that_hangs_is_killed)
{
    expect_reason(render_with(fake("hangs", "sleep 60"), good_script, 0.3),
                  "did not end within 0.3 seconds");
}
END_TEST

START_TEST(success_without_a_file_is_a_failure)
{
    expect_reason(render_with(fake("idle", "echo nothing"), good_script, 60), "wrote no file");
}
END_TEST

START_TEST(success_with_a_cut_file_is_a_failure)
{
    expect_reason(render_with(fake("cuts", "echo x > plain.png.tmp"), good_script, 60),
                  "incomplete file (2 bytes)");
}
END_TEST

START_TEST(chatter_of_fontconfig_does_not_matter)
{
    const char *program = fake("chats", "echo 'Fontconfig warning: no cache' >&2\n"
                                        "exec gnuplot \"$@\"");
    ck_assert_ptr_null(render_with(program, good_script, 60));
}
END_TEST

START_TEST(one_failure_does_not_stop_the_others)
{
    struct error err = ERROR_INIT;
    const struct report_options options = {support_folder(), REPORT_PNG, "gnuplot", 60};
    struct picture pictures[] = {{.name = "one", .format = "png"},
                                 {.name = "bad", .format = "png"},
                                 {.name = "two", .format = "png"},
                                 {.name = "three", .format = "png"}};
    support_file("one.gp", good_script, sizeof good_script - 1);
    support_file("two.gp", good_script, sizeof good_script - 1);
    support_file("three.gp", good_script, sizeof good_script - 1);
    support_file("bad.gp", "nonsense\n", 9);
    assert_ok(gnuplot_render(&options, pictures, 4, &arena, &err), err);
    ck_assert_ptr_null(pictures[0].reason);
    ck_assert_ptr_nonnull(pictures[1].reason);
    ck_assert_ptr_null(pictures[2].reason);
    ck_assert_ptr_null(pictures[3].reason);
    ck_assert(files_exists(support_path("three.png")));
}
END_TEST

START_TEST(what_has_a_reason_is_not_rendered)
{
    struct error err = ERROR_INIT;
    const struct report_options options = {support_folder(), REPORT_PNG, "no-gnuplot-here", 60};
    struct picture pictures[] = {{.name = "one", .format = "png", .reason = "not wanted"},
                                 {.name = "two", .format = "png"}};
    assert_ok(gnuplot_render(&options, pictures, 2, &arena, &err), err);
    ck_assert_str_eq(pictures[0].reason, "not wanted");
    expect_reason(pictures[1].reason, "no-gnuplot-here");
}
END_TEST

/* Every text between quotes that is drawn: what gnuplot makes of it, from an SVG. */
START_TEST(gnuplot_draws_quoted_text_literally)
{
    static const char *const names[] = {"it's",
                                        "''",
                                        "' ; system \"touch P\"; '",
                                        "a'b\"c",
                                        "x `touch P`",
                                        "'@a' @b",
                                        "a\\' b",
                                        "{x}^2 \\n %d ~c"};
    struct error err = ERROR_INIT;
    const struct report_options options = {support_folder(), REPORT_SVG, "gnuplot", 60};
    struct picture picture = {.name = "plain", .format = "svg"};
    struct text script = TEXT_INIT(&arena);
    text_append(&script, "set terminal svg noenhanced\nset output OUT\n");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        text_append(&script, "set label ");
        gnuplot_quote(&script, names[i]);
        text_append_format(&script, " at screen 0.5, screen 0.%zu\n", i + 1);
    }
    text_append(&script, "plot [0:1] [0:1] x\n");
    support_file("plain.gp", script.data, script.length);
    assert_ok(gnuplot_render(&options, &picture, 1, &arena, &err), err);
    ck_assert_msg(picture.reason == NULL, "%s", picture.reason);
    size_t size = 0;
    const char *svg = files_read(support_path("plain.svg"), 1 << 20, &arena, &size, &err);
    ck_assert_ptr_nonnull(svg);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *drawn = arena_format(&arena, &err, "<text>%s</text>", names[i]);
        ck_assert_msg(strstr(svg, drawn) != NULL, "not drawn: %s", names[i]);
    }
    ck_assert(!files_exists(support_path("P")));
}
END_TEST

START_TEST(the_version_is_the_first_line)
{
    struct error err = ERROR_INIT;
    const char *version = report_gnuplot_version("gnuplot", &arena, &err);
    ck_assert_ptr_nonnull(version);
    ck_assert_msg(strncmp(version, "gnuplot ", 8) == 0, "%s", version);
    ck_assert_ptr_null(strchr(version, '\n'));
    ck_assert_ptr_null(report_gnuplot_version("no-gnuplot-here", &arena, &err));
    assert_error(err, ERROR_FIGURES, "no-gnuplot-here");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gnuplot");
    TCase *cases = tcase_create("text");
    tcase_add_test(cases, quoting_leaves_nothing_to_run);
    tcase_add_test(cases, quoting_replaces_control_bytes_and_broken_text);
    tcase_add_test(cases, labels_are_one_printable_line);
    suite_add_tcase(suite, cases);
    cases = tcase_create("rendering");
    tcase_add_test(cases, a_good_script_becomes_a_picture);
    tcase_add_test(cases, what_gnuplot_complains_about_is_passed_on);
    tcase_add_test(cases, a_warning_counts_as_a_failure);
    tcase_add_test(cases, a_silent_failure_shows_its_status);
    tcase_add_test(cases, a_gnuplot_that_hangs_is_killed);
    tcase_add_test(cases, success_without_a_file_is_a_failure);
    tcase_add_test(cases, success_with_a_cut_file_is_a_failure);
    tcase_add_test(cases, chatter_of_fontconfig_does_not_matter);
    tcase_add_test(cases, one_failure_does_not_stop_the_others);
    tcase_add_test(cases, gnuplot_draws_quoted_text_literally);
    tcase_add_test(cases, the_version_is_the_first_line);
    suite_add_tcase(suite, cases);
    /* Under valgrind a program that is missing starts all the same. */
    TCase *native = tcase_create("native");
    tcase_set_tags(native, "native");
    tcase_add_test(native, what_has_a_reason_is_not_rendered);
    tcase_add_test(native, a_missing_gnuplot_is_named);
    suite_add_tcase(suite, native);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
