/* SPDX-License-Identifier: MIT */
/* base/error: the first error wins, context goes in front, long messages are cut and marked. */
#include "support.h"

#include <errno.h>
#include <string.h>

START_TEST(the_first_error_wins)
{
    struct error err = ERROR_INIT;
    ck_assert(!error_set(&err, ERROR_INPUT, "line %d", 7));
    error_set(&err, ERROR_FILE, "later");
    ck_assert_int_eq(err.code, ERROR_INPUT);
    ck_assert_str_eq(err.message, "line 7");
}
END_TEST

START_TEST(context_goes_in_front)
{
    struct error err = ERROR_INIT;
    error_set(&err, ERROR_INPUT, "bad");
    ck_assert(!error_add_context(&err, "file '%s'", "a"));
    error_add_context(&err, "outer");
    ck_assert_str_eq(err.message, "outer: file 'a': bad");
}
END_TEST

START_TEST(a_system_error_ends_with_the_reason_and_what_can_be_done)
{
    static const struct {
        enum error_code code;
        int number;
        const char *end;
    } cases[] = {
        {ERROR_INPUT, ENOENT, "No such file or directory; check the path"},
        {ERROR_FILE, ENOTDIR, "Not a directory; check the path"},
        {ERROR_FIGURES, ENOENT, "No such file or directory"},
        {ERROR_INPUT, EACCES, "Permission denied; change its permissions or name another file"},
        {ERROR_FILE, EACCES, "Permission denied; change the permissions or name another place"},
        {ERROR_FILE, ENAMETOOLONG, "File name too long; use a shorter name"},
        {ERROR_FILE, EROFS, "Read-only file system; name a place that can be written"},
        {ERROR_FILE, ENOSPC,
         "No space left on device; make room on that disk or name a place on another"},
        {ERROR_FILE, EFBIG, "File too large; 'ulimit -f' tells the largest size that is allowed"},
        {ERROR_INPUT, EMFILE,
         "Too many open files; 'ulimit -n' tells how many open files are allowed"},
        {ERROR_INPUT, EIO, "Input/output error"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error err = ERROR_INIT;
        error_set_system(&err, cases[i].code, cases[i].number, "cannot open '%s'", "x");
        ck_assert_str_eq(err.message + strlen("cannot open 'x': "), cases[i].end);
    }
}
END_TEST

START_TEST(a_message_that_does_not_fit_is_cut_and_marked)
{
    struct error err = ERROR_INIT;
    error_set(&err, ERROR_INPUT, "%0*d", 2 * ERROR_MESSAGE_SIZE, 1);
    ck_assert_uint_eq(strlen(err.message), ERROR_MESSAGE_SIZE - 1);
    ck_assert_str_eq(err.message + ERROR_MESSAGE_SIZE - 4, "...");
    error_add_context(&err, "in front");
    ck_assert(strncmp(err.message, "in front: 000", 13) == 0);
    ck_assert_uint_eq(strlen(err.message), ERROR_MESSAGE_SIZE - 1);
    ck_assert_str_eq(err.message + ERROR_MESSAGE_SIZE - 4, "...");
}
END_TEST

START_TEST(a_name_cannot_break_the_line)
{
    struct error err = ERROR_INIT;
    error_set(&err, ERROR_INPUT, "no file '%s'", "a\nb:3:4: x\r");
    error_add_context(&err, "in '%s'", "c\nd");
    ck_assert_str_eq(err.message, "in 'c?d': no file 'a?b:3:4: x?'");
    struct error lines = ERROR_INIT;
    ck_assert(!error_set_lines(&lines, ERROR_INPUT, "one\ntwo"));
    ck_assert_str_eq(lines.message, "one\ntwo");
}
END_TEST

START_TEST(every_code_has_the_exit_status_of_the_manual)
{
    ck_assert_int_eq(error_exit_status(ERROR_NONE), 0);
    ck_assert_int_eq(error_exit_status(ERROR_USAGE), 2);
    ck_assert_int_eq(error_exit_status(ERROR_INPUT), 2);
    ck_assert_int_eq(error_exit_status(ERROR_RUNS_FAILED), 3);
    ck_assert_int_eq(error_exit_status(ERROR_FILE), 5);
    ck_assert_int_eq(error_exit_status(ERROR_FIGURES), 6);
    ck_assert_int_eq(error_exit_status(ERROR_INTERNAL), 70);
    ck_assert_int_eq(error_exit_status(ERROR_INTERRUPTED), 130);
    ck_assert_int_eq(error_exit_status(ERROR_TERMINATED), 143);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("error");
    TCase *tests = tcase_create("error");
    tcase_add_test(tests, the_first_error_wins);
    tcase_add_test(tests, context_goes_in_front);
    tcase_add_test(tests, a_system_error_ends_with_the_reason_and_what_can_be_done);
    tcase_add_test(tests, a_message_that_does_not_fit_is_cut_and_marked);
    tcase_add_test(tests, a_name_cannot_break_the_line);
    tcase_add_test(tests, every_code_has_the_exit_status_of_the_manual);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
