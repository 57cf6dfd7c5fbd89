/* SPDX-License-Identifier: MIT */
/* Tests src/cli/number_lists.c: lists of numbers as job arrays have them. */
#include "cli/folder.h"
#include "support.h"

#include <string.h>

#define PLACES 12

static void assert_list(const bool chosen[PLACES], const char *wanted)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct text text = TEXT_INIT(&arena);
    text_append(&text, "");
    ranges_append(&text, chosen, PLACES);
    ck_assert_str_eq(text_finish(&text, &err), wanted);
    arena_release(&arena);
}

START_TEST(neighbours_are_joined)
{
    assert_list((const bool[PLACES]){false}, "");
    assert_list((const bool[PLACES]){[0] = true}, "0");
    assert_list((const bool[PLACES]){[0] = true, [3] = true, [7] = true, [8] = true, [9] = true},
                "0,3,7-9");
    assert_list((const bool[PLACES]){[10] = true, [11] = true}, "10-11");
}
END_TEST

static void mark(void *context, size_t place)
{
    bool *chosen = context;
    ck_assert_uint_lt(place, PLACES);
    chosen[place] = true;
}

START_TEST(what_is_written_is_read)
{
    bool chosen[PLACES] = {false};
    ck_assert(ranges_read("0,3,7-9,11", PLACES, mark, chosen));
    assert_list(chosen, "0,3,7-9,11");
}
END_TEST

START_TEST(anything_else_is_refused)
{
    static const char *const bad[] = {
        "",    ",",  "1,",   ",1", "-",  "1-",   "-1",
        "3-2", "12", "1-12", "1 ", " 1", "1--2", "99999999999999999999",
        "x",   "1x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bool chosen[PLACES] = {false};
        ck_assert_msg(!ranges_read(bad[i], PLACES, mark, chosen), "'%s'", bad[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("number_lists");
    TCase *cases = tcase_create("number_lists");
    tcase_add_test(cases, neighbours_are_joined);
    tcase_add_test(cases, what_is_written_is_read);
    tcase_add_test(cases, anything_else_is_refused);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
