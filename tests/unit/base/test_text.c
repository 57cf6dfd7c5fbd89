/* SPDX-License-Identifier: MIT */
/* base/text: numbers both ways, suggestions, UTF-8, texts safe to print. */
#include "base/text.h"
#include "support.h"

#include <string.h>

START_TEST(integers_are_decimal_and_whole)
{
    static const struct {
        const char *text;
        bool good;
        int64_t value;
    } cases[] = {
        {"0", true, 0},      {"-7", true, -7},
        {"+12", true, 12},   {"9223372036854775807", true, INT64_MAX},
        {"", false, 0},      {"08", false, 0},
        {"00", false, 0},    {"1e3", false, 0},
        {"1_000", false, 0}, {" 1", false, 0},
        {"0x10", false, 0},  {"9223372036854775808", false, 0},
        {"1 ", false, 0},    {"-", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t value = 99;
        ck_assert_msg(text_to_integer(cases[i].text, &value) == cases[i].good, "'%s'",
                      cases[i].text);
        ck_assert_int_eq(value, cases[i].good ? cases[i].value : 99);
    }
}
END_TEST

START_TEST(reals_are_finite_decimals)
{
    static const struct {
        const char *text;
        bool good;
        double value;
    } cases[] = {
        {"1e-3", true, 1e-3}, {"1E-3", true, 1e-3}, {".5", true, 0.5},      {"1.", true, 1},
        {"+0.5", true, 0.5},  {"-2", true, -2},     {"1.0e+3", true, 1000}, {"nan", false, 0},
        {"inf", false, 0},    {"1e400", false, 0},  {"0x1p3", false, 0},    {"", false, 0},
        {"1_000", false, 0},  {"1,5", false, 0},    {" 1", false, 0},       {"--1", false, 0},
        {"1e", false, 0},     {".", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 99;
        ck_assert_msg(text_to_real(cases[i].text, &value) == cases[i].good, "'%s'", cases[i].text);
        ck_assert(value == (cases[i].good ? cases[i].value : 99));
    }
}
END_TEST

START_TEST(reals_are_written_as_short_as_they_read_back)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {1e-5, "1e-05"},
                 {0, "0"},
                 {1.0 / 3, "0.3333333333333333"},
                 {1e300 * 1e300, "inf"},
                 {64, "64"},
                 {1000, "1000"},
                 {1048576, "1048576"},
                 {1e15, "1e+15"},
                 {0.30000000000000004, "0.30000000000000004"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char out[TEXT_REAL_SIZE];
        ck_assert_str_eq(text_from_real(cases[i].value, out), cases[i].text);
    }
    char out[TEXT_REAL_SIZE];
    ck_assert_str_eq(text_from_real((double)NAN, out), "nan");
}
END_TEST

START_TEST(counts_are_grouped_by_thousands)
{
    char out[TEXT_COUNT_SIZE];
    ck_assert_str_eq(text_from_count(0, out), "0");
    ck_assert_str_eq(text_from_count(999, out), "999");
    ck_assert_str_eq(text_from_count(1000, out), "1,000");
    ck_assert_str_eq(text_from_count(UINT64_MAX, out), "18,446,744,073,709,551,615");
}
END_TEST

START_TEST(the_nearest_word_is_two_edits_away_at_most)
{
    static const char *const names[] = {"d_model", "d_k", "seed", "corpus"};
    ck_assert_str_eq(text_nearest("d_modle", names, 4), "d_model");
    ck_assert_str_eq(text_nearest("sead", names, 4), "seed");
    ck_assert_str_eq(text_nearest("crops", names, 4), "corpus");
    ck_assert_ptr_null(text_nearest("window", names, 4));
    ck_assert_ptr_null(text_nearest("x", names, 4));
    ck_assert_ptr_null(text_nearest("", names, 4));
    /* A name of more than 64 bytes, the room for the distances, is never the nearest. */
    static const char *const long_names[] = {
        "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff12345",
        "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff1234"};
    ck_assert_str_eq(text_nearest(long_names[1], long_names, 2), long_names[1]);
    ck_assert_ptr_null(text_nearest(long_names[1], long_names, 1));
}
END_TEST

START_TEST(invalid_utf8_is_found_at_its_first_byte)
{
    static const struct {
        const char *bytes;
        size_t size, at;
    } cases[] = {
        {"abc", 3, 3},
        {"\xC3\xA9\xE4\xB8\x80\xF0\x9F\x98\x80", 9, 9},
        {"a\xFF", 2, 1},
        {"\xC0\xAF", 2, 0},         /* overlong */
        {"\xE0\x80\xAF", 3, 0},     /* overlong */
        {"ab\xED\xA0\x80", 5, 2},   /* surrogate */
        {"\xF4\x90\x80\x80", 4, 0}, /* beyond U+10FFFF */
        {"x\xE4\xB8", 3, 1},        /* cut */
        {"\x80", 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_uint_eq(text_utf8_error(cases[i].bytes, cases[i].size), cases[i].at);
    }
}
END_TEST

START_TEST(what_could_drive_a_terminal_is_made_visible)
{
    char out[64];
    ck_assert_str_eq(text_printable("a\033[31mb\n", out, sizeof out), "a?[31mb?");
    ck_assert_str_eq(text_printable("\xC3\xA9\xFFz", out, sizeof out), "\xC3\xA9?z");
    ck_assert_str_eq(text_printable("\xE2\x80\xAE"
                                    "abc",
                                    out, sizeof out),
                     "?abc");
    ck_assert_str_eq(text_printable("\xC2\x9B"
                                    "2J",
                                    out, sizeof out),
                     "?2J");
    ck_assert_str_eq(text_printable("abc\xC3\xA9", out, 5), "abc");
}
END_TEST

START_TEST(a_text_grows_and_remembers_a_failure)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct text text = TEXT_INIT(&arena);
    ck_assert_str_eq(text_finish(&text, &err), "");
    for (int i = 0; i < 1000; i++) {
        text_append_format(&text, "%d,", i % 10);
    }
    ck_assert_uint_eq(strlen(text_finish(&text, &err)), 2000);
    text.failed = true;
    text_append(&text, "more");
    ck_assert_ptr_null(text_finish(&text, &err));
    ck_assert_int_eq(err.code, ERROR_INTERNAL);
    arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_add_test(tests, integers_are_decimal_and_whole);
    tcase_add_test(tests, reals_are_finite_decimals);
    tcase_add_test(tests, reals_are_written_as_short_as_they_read_back);
    tcase_add_test(tests, counts_are_grouped_by_thousands);
    tcase_add_test(tests, the_nearest_word_is_two_edits_away_at_most);
    tcase_add_test(tests, invalid_utf8_is_found_at_its_first_byte);
    tcase_add_test(tests, what_could_drive_a_terminal_is_made_visible);
    tcase_add_test(tests, a_text_grows_and_remembers_a_failure);
    suite_add_tcase(suite, tests);
    return support_run(suite);
}
