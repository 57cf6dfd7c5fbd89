/* SPDX-License-Identifier: MIT */
/* Short ASCII words found in blocks, against what a character is by itself. */
#include "corpus/short_words.h"

#include "corpus/letters.h"
#include "dictionary_fixture.h"

#include <stdio.h>
#include <string.h>

/* The words found from text[at] on, joined by "|", then "@" and where the search stopped. The text
 * is followed by as many full stops as a block needs. */
static const char *found(const char *text, size_t at)
{
    static char out[512];
    static char bytes[512];
    struct short_words words = {0};
    size_t used = 0;
    memset(bytes, '.', sizeof bytes);
    memcpy(bytes, text, strlen(text));
    size_t end = short_words_find(bytes, sizeof bytes, at, &dictionary, &words);
    for (size_t i = 0; i < words.count; i++) {
        for (size_t k = 0; k < words.lengths[i]; k++) {
            uint64_t half = k < 8 ? words.keys[i].front : words.keys[i].back;
            out[used++] = (char)(half >> (8 * (k % 8)) & 0xFF);
        }
        out[used++] = '|';
    }
    snprintf(out + used, sizeof out - used, "@%zu", end);
    return out;
}

static const struct {
    const char *text, *wanted;
} texts[] = {
    {"The cat sat.", "the|cat|sat|@11"},
    {"The  cat   sat , then", "the|cat|sat|@15"},
    {"A1 b22 C333\nd", "a1|b22|c333|@11"},
    {"zZaA09@", "zzaa09|@6"},
    /* may go on: an apostrophe, or a byte beyond ASCII */
    {"it is the dog's.", "it|is|the|@10"},
    {"a caf\xC3\xA9.", "a|@2"},
    {"a b \xC3\xA9", "a|b|@4"},
    /* sixteen bytes are short, one more is not */
    {"a abcdefghijklmnop b.", "a|abcdefghijklmnop|b|@20"},
    {"a abcdefghijklmnopq b.", "a|@2"},
    /* a word over the end of the block of 64 bytes is left for the next one */
    {"0123456789 123456789 123456789 123456789 123456789 123456789 abcde f.",
     "0123456789|123456789|123456789|123456789|123456789|123456789|@61"},
    /* and one that ends with the block as well: what follows is not in sight */
    {"0123456789 123456789 123456789 123456789 123456789 123456789 abc d.",
     "0123456789|123456789|123456789|123456789|123456789|123456789|@61"},
    {".", "@0"},
};

START_TEST(short_words_are_found_up_to_what_is_none)
{
    ck_assert_str_eq(found(texts[_i].text, 0), texts[_i].wanted);
}
END_TEST

START_TEST(nothing_is_read_behind_the_text)
{
    /* A block and the longest short word do not fit. */
    struct short_words words = {0};
    const char text[] = "the cat sat on the mat";
    ck_assert_uint_eq(short_words_find(text, sizeof text - 1, 4, &dictionary, &words), 4);
    ck_assert_uint_eq(words.count, 0);
}
END_TEST

static void check_block(const char *bytes)
{
    struct short_words_block block = short_words_block(bytes);
    struct short_words_block plain = short_words_block_plain(bytes);
    ck_assert(block.letters == plain.letters && block.spaces == plain.spaces);
    for (size_t i = 0; i < SHORT_WORDS_BLOCK; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        bool ascii = byte < 0x80;
        bool letter = ascii && letter_at(bytes, SHORT_WORDS_BLOCK, i).kind == LETTER_WORD;
        ck_assert_msg((block.letters >> i & 1) == letter, "byte %02x at %zu", byte, i);
        ck_assert_msg((block.spaces >> i & 1) == (byte == ' '), "byte %02x at %zu", byte, i);
    }
}

START_TEST(every_byte_is_told_from_every_place_and_on_any_processor)
{
    char bytes[SHORT_WORDS_BLOCK];
    for (size_t shift = 0; shift < 256; shift++) {
        for (size_t i = 0; i < SHORT_WORDS_BLOCK; i++) {
            bytes[i] = (char)(shift + i);
        }
        check_block(bytes);
    }
}
END_TEST

START_TEST(a_word_found_is_the_word_looked_up)
{
    struct dictionary_key key;
    struct short_words words = {0};
    char text[256];
    uint32_t id = 9;
    memset(text, ' ', sizeof text);
    memcpy(text, "Garden garden GARDENS abcdefghijklmnop", 38);
    ck_assert_uint_eq(short_words_find(text, sizeof text, 0, &dictionary, &words), 64);
    ck_assert_uint_eq(words.count, 4);
    assert_ok(dictionary_add(&dictionary, "garden", 6, &id, &err), err);
    assert_ok(dictionary_add(&dictionary, "abcdefghijklmnop", 16, &id, &err), err);
    const uint32_t wanted[] = {0, 0, DICTIONARY_NONE, 1};
    for (size_t i = 0; i < 4; i++) {
        key = words.keys[i];
        ck_assert_uint_eq(dictionary_find_short(&dictionary, &key, words.lengths[i]), wanted[i]);
    }
    assert_ok(dictionary_add_short(&dictionary, &words.keys[2], 7, &id, &err), err);
    ck_assert_uint_eq(id, 2);
    ck_assert_str_eq(dictionary.words[2], "gardens");
}
END_TEST

static Suite *short_words_suite(void)
{
    Suite *suite = suite_create("short words");
    TCase *cases = tcase_create("short words");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_loop_test(cases, short_words_are_found_up_to_what_is_none, 0,
                        (int)(sizeof texts / sizeof texts[0]));
    tcase_add_test(cases, nothing_is_read_behind_the_text);
    tcase_add_test(cases, every_byte_is_told_from_every_place_and_on_any_processor);
    tcase_add_test(cases, a_word_found_is_the_word_looked_up);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(short_words_suite());
}
