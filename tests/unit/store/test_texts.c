/* SPDX-License-Identifier: MIT */
/* The pool of distinct texts. */
#include "bare_arena.h"

#include "store/texts.h"

#include <stdio.h>
#include <string.h>

static size_t add(struct texts *texts, const char *text, const char *second)
{
    struct error err = ERROR_INIT;
    size_t number;
    assert_ok(texts_add(texts, text, second, &number, &err), err);
    return number;
}

START_TEST(texts_are_numbered_in_the_order_of_their_first_use)
{
    struct texts texts = {.arena = &arena};
    ck_assert_uint_eq(add(&texts, "kitchen", NULL), 0);
    ck_assert_uint_eq(add(&texts, "demo", NULL), 1);
    ck_assert_uint_eq(add(&texts, "kitchen", NULL), 0);
    ck_assert_uint_eq(add(&texts, "", NULL), 2);
    ck_assert_uint_eq(add(&texts, "", NULL), 2);
    ck_assert_uint_eq(texts.count, 3);
    ck_assert_str_eq(texts.list[1], "demo");
}
END_TEST

START_TEST(one_name_with_two_second_parts_is_two_entries)
{
    struct texts texts = {.arena = &arena};
    ck_assert_uint_eq(add(&texts, "demo", "aa"), 0);
    ck_assert_uint_eq(add(&texts, "demo", "bb"), 1);
    ck_assert_uint_eq(add(&texts, "demo", NULL), 2);
    ck_assert_uint_eq(add(&texts, "demo", "bb"), 1);
    ck_assert_str_eq(texts.second[1], "bb");
    ck_assert_ptr_null(texts.second[2]);
    /* The parts do not run into each other. */
    ck_assert_uint_eq(add(&texts, "demoa", "a"), 3);
}
END_TEST

START_TEST(thousands_of_texts_are_told_apart)
{
    struct texts texts = {.arena = &arena, .copies = true};
    char text[32];
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < 5000; i++) {
            snprintf(text, sizeof text, "text %zu", i);
            ck_assert_uint_eq(add(&texts, text, NULL), i);
        }
    }
    ck_assert_uint_eq(texts.count, 5000);
    ck_assert_str_eq(texts.list[4999], "text 4999");
}
END_TEST

START_TEST(interned_texts_are_copies_and_shared)
{
    struct texts texts = {.arena = &arena, .copies = true};
    struct error err = ERROR_INIT;
    char text[] = "demo";
    const char *first;
    const char *second;
    assert_ok(texts_intern(&texts, text, &first, &err), err);
    text[0] = 'D';
    ck_assert_str_eq(first, "demo");
    assert_ok(texts_intern(&texts, "demo", &second, &err), err);
    ck_assert_ptr_eq(first, second);
    assert_ok(texts_intern(&texts, NULL, &second, &err), err);
    ck_assert_ptr_null(second);
}
END_TEST

static Suite *texts_suite(void)
{
    Suite *suite = suite_create("store/texts");
    TCase *cases = tcase_create("texts");
    tcase_add_checked_fixture(cases, arena_set_up, tear_down);
    tcase_add_test(cases, texts_are_numbered_in_the_order_of_their_first_use);
    tcase_add_test(cases, one_name_with_two_second_parts_is_two_entries);
    tcase_add_test(cases, thousands_of_texts_are_told_apart);
    tcase_add_test(cases, interned_texts_are_copies_and_shared);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(texts_suite());
}
