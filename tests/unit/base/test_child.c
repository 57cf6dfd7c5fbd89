/* SPDX-License-Identifier: MIT */
/* Tests src/base/child.c: processes that behave and processes that do not. */
#include "base/child.h"
#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Runs `sh -c script` to its end. */
static struct child run_shell(const char *script, enum child_stream captured, double seconds)
{
    const char *const arguments[] = {"sh", "-c", script, NULL};
    const struct child_command command = {.arguments = arguments,
                                          .folder = support_folder(),
                                          .captured = captured,
                                          .seconds = seconds};
    struct error err = ERROR_INIT;
    struct child child;
    assert_ok(child_start(&child, &command, &err), err);
    while (child.running) {
        child_step_all(&child, 1);
    }
    return child;
}

START_TEST(one_stream_is_captured_and_the_other_dropped)
{
    struct child child = run_shell("echo out; echo err >&2; exit 3", CHILD_STDERR, 10);
    ck_assert_str_eq(child.output, "err\n");
    ck_assert_int_eq(WEXITSTATUS(child.status), 3);
    child = run_shell("echo out; echo err >&2", CHILD_STDOUT, 10);
    ck_assert_str_eq(child.output, "out\n");
    ck_assert_int_eq(child.status, 0);
}
END_TEST

START_TEST(it_runs_in_its_folder_with_empty_input)
{
    struct child child = run_shell("pwd; wc -c", CHILD_STDOUT, 10);
    ck_assert_msg(strstr(child.output, support_folder()) != NULL, "%s", child.output);
    ck_assert_msg(strstr(child.output, "\n0\n") != NULL, "%s", child.output);
}
END_TEST

START_TEST(the_environment_is_minimal)
{
    setenv("GNUTERM", "x11", 1);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    struct child child = run_shell("echo $GNUTERM $LC_ALL $TZ", CHILD_STDOUT, 10);
    ck_assert_str_eq(child.output, "C.UTF-8 UTC\n");
}
END_TEST

START_TEST(no_descriptor_is_inherited)
{
    int leaked = dup2(STDOUT_FILENO, 37);
    ck_assert_int_eq(leaked, 37);
    struct child child = run_shell("if (: >&37) 2>/dev/null; then echo open; else echo closed; fi",
                                   CHILD_STDOUT, 10);
    ck_assert_str_eq(child.output, "closed\n");
    close(leaked);
}
END_TEST

/* A number beyond any table that is walked: the limit on descriptors need not be small. */
static int highest_descriptor(void)
{
    struct rlimit limit;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max > 20000 ? 20000 : limit.rlim_max;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    return dup2(STDOUT_FILENO, (int)limit.rlim_cur - 1);
}

START_TEST(no_descriptor_is_inherited_however_high)
{
    int leaked = highest_descriptor();
    ck_assert_int_gt(leaked, STDERR_FILENO);
    struct child child = run_shell("ls /proc/self/fd", CHILD_STDOUT, 10);
    /* the three, and the folder that ls reads */
    ck_assert_str_eq(child.output, "0\n1\n2\n3\n");
    close(leaked);
}
END_TEST

START_TEST(a_hanging_child_is_killed_with_its_group)
{
    time_t before = time(NULL);
    struct child child = run_shell("sleep 60 & echo $! >&2; sleep 60", CHILD_STDERR, 0.5);
    ck_assert(child.timed_out);
    ck_assert_int_le((int)(time(NULL) - before), 10);
    int grandchild = atoi(child.output);
    ck_assert_int_gt(grandchild, 1);
    /* killed: gone, or a zombie that nobody has reaped yet */
    bool gone = false;
    for (int i = 0; i < 100 && !gone; i++) {
        char path[64];
        char state[256] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", grandchild);
        FILE *file = fopen(path, "r");
        gone = file == NULL || fgets(state, sizeof state, file) == NULL ||
               strstr(state, ") Z ") != NULL;
        if (file != NULL) {
            fclose(file);
        }
        usleep(10000);
    }
    ck_assert(gone);
}
END_TEST

START_TEST(a_child_is_killed_when_it_is_asked_for)
{
    const char *const arguments[] = {"sleep", "60", NULL};
    const struct child_command command = {
        .arguments = arguments, .captured = CHILD_STDERR, .seconds = 100};
    struct error err = ERROR_INIT;
    struct child child;
    assert_ok(child_start(&child, &command, &err), err);
    child_kill(&child);
    ck_assert(!child.running);
    ck_assert(WIFSIGNALED(child.status));
    ck_assert_int_eq(WTERMSIG(child.status), SIGKILL);
    child_kill(&child); /* of one that has ended: nothing */
    ck_assert(!child.running);
}
END_TEST

START_TEST(endless_talk_is_cut_and_does_not_block)
{
    struct child child = run_shell("yes | head -c 1000000 >&2", CHILD_STDERR, 20);
    ck_assert(!child.timed_out);
    ck_assert_uint_eq(child.length, CHILD_OUTPUT_SIZE - 1);
    ck_assert_int_eq(child.status, 0);
}
END_TEST

START_TEST(both_streams_and_all_of_the_output_when_asked_for)
{
    struct arena arena = {NULL};
    struct text all = TEXT_INIT(&arena);
    const char *const arguments[] = {"sh", "-c",
                                     "echo $ROWMAX_TEST; echo err >&2; yes | head -c 100000", NULL};
    const struct child_command command = {.arguments = arguments,
                                          .captured = CHILD_BOTH,
                                          .seconds = 20,
                                          .whole_environment = true,
                                          .sink = &all};
    struct error err = ERROR_INIT;
    struct child child;
    setenv("ROWMAX_TEST", "passed on", 1);
    assert_ok(child_start(&child, &command, &err), err);
    while (child.running) {
        child_step_all(&child, 1);
    }
    const char *text = text_finish(&all, &err);
    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(strncmp(text, "passed on\nerr\ny\ny\n", 18), 0);
    ck_assert_uint_eq(all.length, 14 + 100000);
    arena_release(&arena);
}
END_TEST

START_TEST(a_missing_program_is_an_error)
{
    const char *const arguments[] = {"no-such-program-of-this-name", NULL};
    const struct child_command command = {
        .arguments = arguments, .captured = CHILD_STDERR, .seconds = 1};
    struct error err = ERROR_INIT;
    struct child child;
    ck_assert(!child_start(&child, &command, &err));
    assert_error(err, ERROR_FIGURES, "cannot start 'no-such-program-of-this-name'");
    ck_assert(!child.running);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("child");
    TCase *cases = tcase_create("child");
    tcase_add_test(cases, one_stream_is_captured_and_the_other_dropped);
    tcase_add_test(cases, it_runs_in_its_folder_with_empty_input);
    tcase_add_test(cases, the_environment_is_minimal);
    tcase_add_test(cases, no_descriptor_is_inherited);
    tcase_add_test(cases, no_descriptor_is_inherited_however_high);
    tcase_add_test(cases, a_hanging_child_is_killed_with_its_group);
    tcase_add_test(cases, a_child_is_killed_when_it_is_asked_for);
    tcase_add_test(cases, endless_talk_is_cut_and_does_not_block);
    tcase_add_test(cases, both_streams_and_all_of_the_output_when_asked_for);
    suite_add_tcase(suite, cases);
    /* Under valgrind a program that is missing starts all the same: scripts/valgrind leaves this
     * out. */
    TCase *native = tcase_create("native");
    tcase_set_tags(native, "native");
    tcase_add_test(native, a_missing_program_is_an_error);
    suite_add_tcase(suite, native);
    return support_run(suite);
}
