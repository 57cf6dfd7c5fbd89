/* SPDX-License-Identifier: MIT */
/* Tests src/report/wrap.c: labels in the room there is. */
#include "report/wrap.h"
#include "support.h"

static struct arena arena;

static struct wrapped wrapped_of(const char *any, size_t limit)
{
    struct error err = ERROR_INIT;
    struct wrapped wrapped;
    assert_ok(wrap_label(any, limit, &arena, &wrapped, &err), err);
    return wrapped;
}

START_TEST(what_fits_stays_on_one_line)
{
    struct wrapped wrapped = wrapped_of("the cat", 7);
    ck_assert_uint_eq(wrapped.count, 1);
    ck_assert_str_eq(wrapped.lines[0], "the cat");
    ck_assert_uint_eq(wrapped_of("größer", 6).count, 1);
}
END_TEST

START_TEST(a_longer_text_breaks_at_a_blank)
{
    struct wrapped wrapped = wrapped_of("the cat chased the mouse", 14);
    ck_assert_uint_eq(wrapped.count, 2);
    ck_assert_str_eq(wrapped.lines[0], "the cat chased");
    ck_assert_str_eq(wrapped.lines[1], "the mouse");
}
END_TEST

START_TEST(what_does_not_fit_two_lines_ends_in_an_ellipsis)
{
    struct wrapped wrapped = wrapped_of("the cat chased the mouse across the garden", 12);
    ck_assert_str_eq(wrapped.lines[0], "the cat");
    ck_assert_str_eq(wrapped.lines[1], "chased the …");
    ck_assert_uint_eq(wrap_length(wrapped.lines[1]), 12);
}
END_TEST

START_TEST(a_word_without_blanks_breaks_inside)
{
    struct wrapped wrapped = wrapped_of("ääääääöööö", 6);
    ck_assert_str_eq(wrapped.lines[0], "ääääää");
    ck_assert_str_eq(wrapped.lines[1], "öööö");
}
END_TEST

START_TEST(the_room_depends_on_the_font)
{
    ck_assert_uint_eq(wrap_room(148, 20, false), 10); /* 14.8 pixels a character */
    ck_assert_uint_eq(wrap_room(148, 20, true), 8);
    ck_assert_uint_eq(wrap_room(1, 20, false), 4);
}
END_TEST

START_TEST(lines_break_behind_commas_and_nothing_is_cut)
{
    struct error err = ERROR_INIT;
    const char *lines[4];
    /* 22 characters reach "query/key norm = l2, q", 12 reach "gain = 9.954" */
    ck_assert_uint_eq(
        wrap_lines("query/key norm = l2, gain = 9.954, without scale", 22, &arena, lines, 4, &err),
        3);
    ck_assert_str_eq(lines[0], "query/key norm = l2,");
    ck_assert_str_eq(lines[1], "gain = 9.954,");
    ck_assert_str_eq(lines[2], "without scale");
    ck_assert_uint_eq(wrap_lines("aaa bbb ccc", 4, &arena, lines, 2, &err), 2);
    ck_assert_str_eq(lines[1], "bbb ccc");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wrap");
    TCase *cases = tcase_create("wrap");
    tcase_add_test(cases, what_fits_stays_on_one_line);
    tcase_add_test(cases, a_longer_text_breaks_at_a_blank);
    tcase_add_test(cases, what_does_not_fit_two_lines_ends_in_an_ellipsis);
    tcase_add_test(cases, a_word_without_blanks_breaks_inside);
    tcase_add_test(cases, the_room_depends_on_the_font);
    tcase_add_test(cases, lines_break_behind_commas_and_nothing_is_cut);
    suite_add_tcase(suite, cases);
    int status = support_run(suite);
    arena_release(&arena);
    return status;
}
