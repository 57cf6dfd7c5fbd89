/* SPDX-License-Identifier: MIT */
/* Numbering of words. */
#include "dictionary_fixture.h"

#include <stdio.h>
#include <string.h>

static uint32_t add(const char *word)
{
    uint32_t id = 0;
    assert_ok(dictionary_add(&dictionary, word, strlen(word), &id, &err), err);
    return id;
}

START_TEST(words_are_numbered_by_first_appearance)
{
    ck_assert_uint_eq(add("the"), 0);
    ck_assert_uint_eq(add("cat"), 1);
    ck_assert_uint_eq(add("the"), 0);
    ck_assert_uint_eq(add("sea"), 2);
    ck_assert_uint_eq(dictionary.count, 3);
    ck_assert_str_eq(dictionary.words[1], "cat");
}
END_TEST

START_TEST(a_word_is_told_from_its_beginning)
{
    ck_assert_uint_eq(add("garden"), 0);
    uint32_t id = 9;
    assert_ok(dictionary_add(&dictionary, "garden", 5, &id, &err), err);
    ck_assert_uint_eq(id, 1);
    ck_assert_str_eq(dictionary.words[1], "garde");
}
END_TEST

START_TEST(an_absent_word_is_not_found)
{
    ck_assert_uint_eq(dictionary_find(&dictionary, "cat", 3), DICTIONARY_NONE);
    add("cat");
    ck_assert_uint_eq(dictionary_find(&dictionary, "cat", 3), 0);
    ck_assert_uint_eq(dictionary_find(&dictionary, "ca", 2), DICTIONARY_NONE);
}
END_TEST

START_TEST(the_table_grows_and_keeps_every_number)
{
    char word[16];
    for (uint32_t i = 0; i < 20000; i++) {
        snprintf(word, sizeof word, "w%u", i);
        ck_assert_uint_eq(add(word), i);
    }
    for (uint32_t i = 0; i < 20000; i++) {
        snprintf(word, sizeof word, "w%u", i);
        ck_assert_uint_eq(dictionary_find(&dictionary, word, strlen(word)), i);
    }
}
END_TEST

static Suite *dictionary_suite(void)
{
    Suite *suite = suite_create("dictionary");
    TCase *cases = tcase_create("dictionary");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, words_are_numbered_by_first_appearance);
    tcase_add_test(cases, a_word_is_told_from_its_beginning);
    tcase_add_test(cases, an_absent_word_is_not_found);
    tcase_add_test(cases, the_table_grows_and_keeps_every_number);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(dictionary_suite());
}
