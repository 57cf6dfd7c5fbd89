/* SPDX-License-Identifier: MIT */
/* Kinds of characters and folding. */
#include "corpus/letters.h"

#include "arena_fixture.h"

#include <string.h>

static const struct {
    const char *bytes;
    enum letter_kind kind;
} kinds[] = {
    {"a", LETTER_WORD},
    {"Z", LETTER_WORD},
    {"0", LETTER_WORD},
    {"_", LETTER_OTHER},
    {"-", LETTER_OTHER},
    {"\x7F", LETTER_OTHER},
    {"'", LETTER_APOSTROPHE},
    {"’", LETTER_APOSTROPHE},
    {" ", LETTER_SPACE},
    {"\t", LETTER_SPACE},
    {"\n", LETTER_NEWLINE},
    {"\r", LETTER_NEWLINE},
    {"\r\n", LETTER_SPACE},
    {"\xC2\xA0", LETTER_SPACE},       /* no-break space */
    {"\xC2\x85", LETTER_NEWLINE},     /* next line */
    {"\xE2\x80\xA8", LETTER_NEWLINE}, /* line separator */
    {"\xE2\x80\xA9", LETTER_PARAGRAPH},
    {".", LETTER_STOP},
    {"!", LETTER_STOP},
    {"?", LETTER_STOP},
    {"…", LETTER_STOP},
    {"。", LETTER_OPEN_STOP},
    {"！", LETTER_OPEN_STOP},
    {"？", LETTER_OPEN_STOP},
    {"।", LETTER_OPEN_STOP},
    {"؟", LETTER_OPEN_STOP},
    {")", LETTER_CLOSE},
    {"\"", LETTER_CLOSE},
    {"”", LETTER_CLOSE},
    {"»", LETTER_CLOSE},
    {"é", LETTER_WORD},
    {"ж", LETTER_WORD},
    {"猫", LETTER_WORD},
    {"\xF0\xA0\x80\x80", LETTER_WORD}, /* U+20000, beyond the basic plane */
    {"٣", LETTER_WORD},                /* Arabic digit */
    {"\xCC\x81", LETTER_MARK},         /* combining acute */
    {"\xE0\xA4\xBE", LETTER_MARK},     /* Devanagari vowel sign */
    {"\xE2\x80\x8C", LETTER_MARK},     /* zero width non-joiner */
    {"€", LETTER_OTHER},
    {"—", LETTER_OTHER},
    {"😀", LETTER_OTHER},
};

START_TEST(a_character_has_its_kind)
{
    const char *bytes = kinds[_i].bytes;
    size_t size = strlen(bytes);
    struct letter letter = letter_at(bytes, size, 0);
    ck_assert_msg(letter.kind == kinds[_i].kind, "'%s' has kind %d", bytes, (int)letter.kind);
    ck_assert_uint_eq(letter.size, bytes[0] == '\r' ? 1 : size);
}
END_TEST

static const struct {
    const char *text;
    size_t end;
} ends[] = {
    {"cat sat", 3},    {"don't", 5}, {"don’t.", 7},        {"dogs' tails", 4},
    {"o''clock", 1},   {"a", 1},     {"3.14", 1},          {"x2y", 3},
    {"well-known", 4}, {"'", 0},     {"cafe\xCC\x81!", 6},
};

START_TEST(a_word_ends_where_letters_and_marks_do)
{
    const char *text = ends[_i].text;
    size_t end = letters_word_end(text, strlen(text), 0);
    ck_assert_msg(end == ends[_i].end, "'%s' ends at %zu", text, end);
}
END_TEST

static const struct {
    const char *text, *folded;
} folds[] = {
    {"Garden", "garden"},
    {"Größe", "grösse"},
    {"STRASSE", "strasse"},
    {"ＡＢＣ", "abc"},
    {"ﬁ", "fi"},
    {"cafe\xCC\x81", "café"},
    {"ΣΊΣΥΦΟΣ", "σίσυφοσ"},
    {"don’t", "don't"},
    {"co\xC2\xADoperate", "cooperate"},
    {"Ⅳ", "iv"},
};

START_TEST(folding_removes_case_and_variants)
{
    struct folded folded = {.arena = &arena};
    const char *text = folds[_i].text;
    assert_ok(letters_fold(&folded, text, strlen(text), &err), err);
    ck_assert_uint_eq(folded.size, strlen(folds[_i].folded));
    ck_assert(memcmp(folded.bytes, folds[_i].folded, folded.size) == 0);
}
END_TEST

START_TEST(one_buffer_serves_short_and_long_words)
{
    struct folded folded = {.arena = &arena};
    char word[3001];
    for (size_t i = 0; i < 1000; i++) {
        memcpy(word + 3 * i, "ﷺ", 3); /* one character that folds to eighteen */
    }
    assert_ok(letters_fold(&folded, "A", 1, &err), err);
    ck_assert_uint_eq(folded.size, 1);
    assert_ok(letters_fold(&folded, word, 3000, &err), err);
    ck_assert_uint_eq(folded.size, 1000 * strlen("صلى الله عليه وسلم"));
    assert_ok(letters_fold(&folded, "Ä", 2, &err), err);
    ck_assert(folded.size == 2 && memcmp(folded.bytes, "ä", 2) == 0);
}
END_TEST

static Suite *letters_suite(void)
{
    Suite *suite = suite_create("letters");
    TCase *cases = tcase_create("letters");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_loop_test(cases, a_character_has_its_kind, 0, sizeof kinds / sizeof kinds[0]);
    tcase_add_loop_test(cases, a_word_ends_where_letters_and_marks_do, 0,
                        sizeof ends / sizeof ends[0]);
    tcase_add_loop_test(cases, folding_removes_case_and_variants, 0,
                        sizeof folds / sizeof folds[0]);
    tcase_add_test(cases, one_buffer_serves_short_and_long_words);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(letters_suite());
}
