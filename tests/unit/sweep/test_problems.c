/* SPDX-License-Identifier: MIT */
/* How the faults of a sweep become one message. */
#include "sweep/problems.h"

#include "support.h"

#include <string.h>

static struct arena arena;
static struct error err;
static struct problems problems;
static const char *const sets[] = {"d_k=x"};

static void set_up(void)
{
    arena = (struct arena){NULL};
    err = (struct error)ERROR_INIT;
    problems = (struct problems){.arena = &arena, .path = "s.yaml", .sets = sets, .err = &err};
}

static void tear_down(void)
{
    arena_release(&arena);
}

START_TEST(no_problem_is_success)
{
    ck_assert(problems_finish(&problems));
    ck_assert_int_eq(err.code, ERROR_NONE);
}
END_TEST

START_TEST(problems_are_sorted_by_position)
{
    problems_add(&problems, (struct place){0, 3, 1, 0}, "c");
    problems_add(&problems, (struct place){0, 1, 9, 0}, "b");
    problems_add(&problems, (struct place){0, 1, 2, 0}, "a");
    problems_add(&problems, (struct place){0, 3, 1, 0}, "%s", "d");
    ck_assert(!problems_finish(&problems));
    ck_assert_int_eq(err.code, ERROR_INPUT);
    ck_assert_str_eq(err.message, "s.yaml:1:2: a\ns.yaml:1:9: b\ns.yaml:3:1: c\ns.yaml:3:1: d");
}
END_TEST

START_TEST(a_problem_of_an_override_is_one_of_usage)
{
    problems_add(&problems, (struct place){1, 1, 1, 0}, "b");
    problems_add(&problems, (struct place){0, 7, 1, 0}, "a");
    ck_assert(!problems_finish(&problems));
    ck_assert_int_eq(err.code, ERROR_USAGE);
    ck_assert_str_eq(err.message, "s.yaml:7:1: a\n--set d_k=x: b");
}
END_TEST

START_TEST(the_first_fifty_are_listed_and_the_others_counted)
{
    for (size_t line = 100000; line > 0; line--) {
        problems_add(&problems, (struct place){0, line, 1, 0}, "wrong");
    }
    ck_assert(!problems_finish(&problems));
    size_t lines = 0;
    for (const char *at = err.message; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    ck_assert_uint_eq(lines, 50);
    assert_error(err, ERROR_INPUT, "\n... and 99950 more");
}
END_TEST

START_TEST(shown_texts_are_short_and_cannot_drive_a_terminal)
{
    ck_assert_str_eq(problems_shown(&problems, "a\x1B[31m\n"), "a?[31m?");
    char text[200];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    const char *shown = problems_shown(&problems, text);
    ck_assert_uint_eq(strlen(shown), 66);
    ck_assert_str_eq(shown + 63, "...");
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("sweep/problems");
    TCase *tests = tcase_create("problems");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, no_problem_is_success);
    tcase_add_test(tests, problems_are_sorted_by_position);
    tcase_add_test(tests, a_problem_of_an_override_is_one_of_usage);
    tcase_add_test(tests, the_first_fifty_are_listed_and_the_others_counted);
    tcase_add_test(tests, shown_texts_are_short_and_cannot_drive_a_terminal);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
