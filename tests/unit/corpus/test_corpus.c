/* SPDX-License-Identifier: MIT */
/* Words and sentences of texts in several scripts, and the texts that are refused. */
#include "corpus/corpus.h"

#include "corpus/letters.h"
#include "arena_fixture.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* The corpus as text: words joined by one space, sentences by " | ". */
static const char *written(const struct corpus *corpus)
{
    static char out[4096];
    size_t length = 0;
    out[0] = '\0';
    for (size_t s = 0; s < corpus->sentence_count; s++) {
        for (size_t t = corpus->sentence_start[s]; t < corpus->sentence_start[s + 1]; t++) {
            bool first = t == corpus->sentence_start[s];
            length += (size_t)snprintf(out + length, sizeof out - length, "%s%s",
                                       !first  ? " "
                                       : s > 0 ? " | "
                                               : "",
                                       corpus->words[corpus->tokens[t]]);
        }
    }
    return out;
}

static struct corpus parse(const char *text)
{
    struct corpus corpus;
    assert_ok(corpus_parse("text", text, strlen(text), &arena, &corpus, &err), err);
    return corpus;
}

static const struct {
    const char *text, *wanted;
} texts[] = {
    /* sentence ends */
    {"The cat sat. The dog ran!", "the cat sat | the dog ran"},
    {"One? Two! Three.", "one | two | three"},
    {"It is 3.14 long. Yes", "it is 3 14 long | yes"},
    {"see e.g.this one", "see e g this one"},
    {"\"Stop.\" He ran. (So he said.) Then", "stop | he ran | so he said | then"},
    {"‘Go!’ she said", "go | she said"},
    {"Wait... what?! No", "wait | what | no"},
    {"Wait…what … then", "wait what | then"},
    {"end.", "end"},
    {". . . a . . . b", "a | b"},
    {"one line\nthe same sentence", "one line the same sentence"},
    {"a title\n\nthe text", "a title | the text"},
    {"a title\n \t \nthe text", "a title | the text"},
    {"a title\r\n\r\nthe text\r\ngoes on", "a title | the text goes on"},
    {"a title\r\rthe text\rgoes on", "a title | the text goes on"},
    {"one\xE2\x80\xA9two", "one | two"},
    {"stop.\nGo on", "stop | go on"},
    {"stop.\xC2\xA0Go on", "stop | go on"},
    {"今天 很好。明天 呢？好！走", "今天 很好 | 明天 呢 | 好 | 走"},
    {"राम गया।वह आया", "राम गया | वह आया"},
    /* apostrophes */
    {"don't don’t 'quoted' dogs' 'tis", "don't don't quoted dogs tis"},
    {"rock 'n' roll o''clock", "rock n roll o clock"},
    /* scripts */
    {"Ο Σίσυφος ΣΊΣΥΦΟΣ", "ο σίσυφοσ σίσυφοσ"},
    {"हिन्दी में किताबें", "हिन्दी में किताबें"},
    {"القِطّة في البيت", "القِطّة في البيت"},
    {"中文 猫 狗，鱼", "中文 猫 狗 鱼"},
    {"می\xE2\x80\x8Cخواهم", "میخواهم"},
    {"cafe\xCC\x81 café CAFÉ", "café café café"},
    {"Größe STRASSE ﬁn ＡＢＣ", "grösse strasse fin abc"},
    {"½ of it", "1 2 of it"},
    /* everything else separates */
    {"well-known snake_case a/b x@y 10%", "well known snake case a b x y 10"},
    {"\xEF\xBB\xBFthe cat", "the cat"},
    {"emoji 😀 here", "emoji here"},
    {"tab\tand\x0B"
     "feed\x0C"
     "end",
     "tab and feed end"},
};

START_TEST(a_text_gives_these_words_and_sentences)
{
    struct corpus corpus = parse(texts[_i].text);
    ck_assert_str_eq(written(&corpus), texts[_i].wanted);
}
END_TEST

START_TEST(the_written_words_give_themselves_again)
{
    struct corpus corpus = parse(texts[_i].wanted);
    const char *once = arena_copy_text(&arena, written(&corpus), &err);
    struct corpus again = parse(once);
    ck_assert_str_eq(written(&again), once);
}
END_TEST

START_TEST(long_texts_have_the_words_that_their_letters_say)
{
    /* Pieces drawn at random; each word is found again character by character. */
    static const char *const pieces[] = {"the ",
                                         "The ",
                                         "a",
                                         "B7",
                                         " ",
                                         "  ",
                                         ", ",
                                         ".\n",
                                         "'",
                                         "\xC3\xA9",
                                         "don't",
                                         "-",
                                         "\n",
                                         "x ",
                                         "\xE2\x80\x99s ",
                                         "garden ",
                                         "(",
                                         "%",
                                         "abcdefghijklmnop ",
                                         "qrstuvwxyzabcdefg",
                                         "\xE4\xB8\xAD ",
                                         "\xCC\x81",
                                         "\t",
                                         "zebra ",
                                         "0 "};
    enum { PIECES = sizeof pieces / sizeof pieces[0], TIMES = 20000 };
    char *text = arena_alloc(&arena, TIMES, 20, &err);
    ck_assert(text != NULL);
    size_t size = 0;
    uint32_t state = 1;
    for (size_t i = 0; i < TIMES; i++) {
        state = state * 1664525U + 1013904223U;
        const char *piece = pieces[(state >> 8) % PIECES];
        memcpy(text + size, piece, strlen(piece));
        size += strlen(piece);
    }
    struct corpus corpus = parse(text);
    struct folded folded = {.arena = &arena};
    size_t token = 0;
    for (size_t at = 0; at < size;) {
        struct letter letter = letter_at(text, size, at);
        size_t next = at + letter.size;
        if (letter.kind == LETTER_WORD) {
            next = letters_word_end(text, size, at);
            assert_ok(letters_fold(&folded, text + at, next - at, &err), err);
            const char *word = corpus.words[corpus.tokens[token++]];
            ck_assert_uint_eq(strlen(word), folded.size);
            ck_assert(memcmp(word, folded.bytes, folded.size) == 0);
        }
        at = next;
    }
    ck_assert_uint_eq(token, corpus.token_count);
}
END_TEST

START_TEST(words_are_numbered_by_first_appearance)
{
    struct corpus corpus = parse("The cat saw the dog. A cat ran.");
    const uint32_t ids[] = {0, 1, 2, 0, 3, 4, 1, 5};
    ck_assert_uint_eq(corpus.word_count, 6);
    ck_assert_uint_eq(corpus.token_count, 8);
    ck_assert(memcmp(corpus.tokens, ids, sizeof ids) == 0);
    ck_assert_uint_eq(corpus.sentence_count, 2);
    ck_assert_uint_eq(corpus.sentence_start[0], 0);
    ck_assert_uint_eq(corpus.sentence_start[1], 5);
    ck_assert_uint_eq(corpus.sentence_start[2], 8);
    ck_assert_str_eq(corpus.words[5], "ran");
}
END_TEST

START_TEST(the_digest_is_that_of_the_text)
{
    struct corpus corpus = parse("abc");
    ck_assert_str_eq(corpus.digest,
                     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
END_TEST

START_TEST(a_gzip_file_equals_the_plain_one)
{
    const char *text = "The cat sat.\nThe dog ran.\n";
    const char *path = support_path("text.gz");
    gzFile file = gzopen(path, "wb");
    ck_assert(gzwrite(file, text, (unsigned)strlen(text)) > 0);
    ck_assert_int_eq(gzclose(file), Z_OK);
    struct corpus packed;
    struct corpus plain;
    assert_ok(corpus_read(path, &arena, &packed, &err), err);
    assert_ok(corpus_read(support_file("text.txt", text, strlen(text)), &arena, &plain, &err), err);
    ck_assert_str_eq(packed.digest, plain.digest);
    ck_assert_uint_eq(packed.token_count, 6);
    ck_assert(memcmp(packed.tokens, plain.tokens, 6 * sizeof *plain.tokens) == 0);
    ck_assert_str_eq(written(&packed), "the cat sat | the dog ran");
}
END_TEST

START_TEST(no_read_boundary_splits_a_word)
{
    /* Words of 12 bytes and a separator, so that some lie across every power of two. */
    const char *word = "किता";
    size_t size = strlen(word) + 1;
    size_t count = 30000;
    char *text = arena_alloc(&arena, count * size, 1, &err);
    ck_assert(text != NULL);
    for (size_t i = 0; i < count; i++) {
        memcpy(text + i * size, word, size - 1);
        text[i * size + size - 1] = ' ';
    }
    struct corpus corpus;
    assert_ok(corpus_read(support_file("long.txt", text, count * size), &arena, &corpus, &err),
              err);
    ck_assert_uint_eq(corpus.word_count, 1);
    ck_assert_uint_eq(corpus.token_count, count);
    ck_assert_str_eq(corpus.words[0], word);
}
END_TEST

/* A text of a few pieces, made of what a cut could split: words of several scripts and lengths, CR
 * LF, blank lines, quotes behind stops; here and there without white space for longer than a piece.
 */
static char *mixed_text(size_t size)
{
    static const char *const parts[] = {" ",     "\n",   "\r\n", "\n\n", ". ",   ".\"\n",  "a",
                                        "don't", "किता", "été",  "。",   "3.14", "\u00bd", "!)"};
    const size_t count = sizeof parts / sizeof parts[0];
    const size_t first_solid = 6;
    char *text = arena_alloc(&arena, size + 16, 1, &err);
    ck_assert(text != NULL);
    uint32_t state = 7;
    size_t used = 0;
    for (size_t next = 0; used + next <= size; used += next) {
        state = state * 1664525U + 1013904223U;
        size_t first = used % 700000 > 400000 ? first_solid : 0;
        const char *part = parts[first + (state >> 16) % (count - first)];
        next = strlen(part);
        memcpy(text + used, part, next);
    }
    return text;
}

START_TEST(a_file_read_in_pieces_equals_the_text_as_a_whole)
{
    const char *text = mixed_text(2000000);
    size_t size = strlen(text);
    struct corpus whole;
    struct corpus read;
    assert_ok(corpus_parse("text", text, size, &arena, &whole, &err), err);
    assert_ok(corpus_read(support_file("mixed.txt", text, size), &arena, &read, &err), err);
    ck_assert_str_eq(read.digest, whole.digest);
    ck_assert_uint_eq(read.token_count, whole.token_count);
    ck_assert_uint_eq(read.word_count, whole.word_count);
    ck_assert_uint_eq(read.sentence_count, whole.sentence_count);
    ck_assert_uint_gt(whole.sentence_count, 1000);
    ck_assert(memcmp(read.tokens, whole.tokens, whole.token_count * sizeof *whole.tokens) == 0);
    ck_assert(memcmp(read.sentence_start, whole.sentence_start,
                     whole.sentence_count * sizeof *whole.sentence_start) == 0);
}
END_TEST

START_TEST(a_fault_in_a_later_piece_is_told_by_its_place_in_the_file)
{
    char *text = mixed_text(900000);
    char *last = strrchr(text, 'a');
    *last = '\xFF';
    char place[40];
    snprintf(place, sizeof place, "at byte %zu (counted", (size_t)(last - text));
    struct corpus corpus;
    ck_assert(!corpus_read(support_file("late.txt", text, strlen(text)), &arena, &corpus, &err));
    assert_error(err, ERROR_INPUT, place);
}
END_TEST

static const struct {
    const char *bytes;
    size_t size;
    const char *message;
} refused[] = {
    {"the cat \xFF sat", 13, "'bad' is not valid UTF-8 at byte 8 (counted from 0), value 0xFF"},
    {"a\xC0\xAF", 3, "not valid UTF-8 at byte 1"},
    {"caf\xC3", 4, "not valid UTF-8 at byte 3"},
    {"a \xED\xA0\x80", 5, "not valid UTF-8 at byte 2"},
    {"\xFF\xFEh\0i\0", 6, "'bad' looks like UTF-16"},
    {"\xFE\xFF\0h\0i", 6, "looks like UTF-16"},
    {"h\0i\0", 4, "looks like UTF-16"},
    {"\0h\0i", 4, "looks like UTF-16"},
    {"the\0cat", 7, "'bad' holds a NUL byte at byte 3"},
    {"", 0, "'bad' holds no word"},
    {"... !? \n\n --", 12, "'bad' holds no word"},
    {"\xEF\xBB\xBF", 3, "holds no word"},
    {"'", 1, "holds no word"},
};

START_TEST(a_text_that_cannot_be_used_is_refused_with_place_and_reason)
{
    struct corpus corpus;
    ck_assert(!corpus_parse("bad", refused[_i].bytes, refused[_i].size, &arena, &corpus, &err));
    assert_error(err, ERROR_INPUT, refused[_i].message);
}
END_TEST

START_TEST(a_word_without_end_is_refused)
{
    size_t size = CORPUS_WORD_LIMIT + 4;
    char *text = arena_alloc(&arena, size, 1, &err);
    ck_assert(text != NULL);
    memset(text, 'a', size);
    struct corpus corpus;
    text[3] = ' ';
    assert_ok(corpus_parse("blob", text, size, &arena, &corpus, &err), err);
    text[3] = 'a';
    text[2] = ' ';
    ck_assert(!corpus_parse("blob", text, size, &arena, &corpus, &err));
    assert_error(err, ERROR_INPUT, "'blob' holds a word of 65537 bytes at byte 3");
}
END_TEST

START_TEST(a_missing_corpus_is_named)
{
    struct corpus corpus;
    ck_assert(!corpus_read("no/such.txt", &arena, &corpus, &err));
    assert_error(err, ERROR_INPUT, "no/such.txt");
}
END_TEST

START_TEST(the_words_of_a_sentence_come_with_repetition)
{
    const char *const *words = NULL;
    size_t count = 0;
    assert_ok(corpus_words("The cat. The CAT don’t", &arena, &words, &count, &err), err);
    const char *const wanted[] = {"the", "cat", "the", "cat", "don't"};
    ck_assert_uint_eq(count, 5);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(words[i], wanted[i]);
    }
}
END_TEST

START_TEST(a_sentence_without_words_has_none)
{
    const char *const *words = NULL;
    size_t count = 9;
    assert_ok(corpus_words(" ... ", &arena, &words, &count, &err), err);
    ck_assert_uint_eq(count, 0);
}
END_TEST

static Suite *corpus_suite(void)
{
    Suite *suite = suite_create("corpus");
    TCase *cases = tcase_create("corpus");
    int text_count = (int)(sizeof texts / sizeof texts[0]);
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_loop_test(cases, a_text_gives_these_words_and_sentences, 0, text_count);
    tcase_add_loop_test(cases, the_written_words_give_themselves_again, 0, text_count);
    tcase_add_test(cases, long_texts_have_the_words_that_their_letters_say);
    tcase_add_test(cases, words_are_numbered_by_first_appearance);
    tcase_add_test(cases, the_digest_is_that_of_the_text);
    tcase_add_test(cases, a_gzip_file_equals_the_plain_one);
    tcase_add_test(cases, no_read_boundary_splits_a_word);
    tcase_add_test(cases, a_file_read_in_pieces_equals_the_text_as_a_whole);
    tcase_add_test(cases, a_fault_in_a_later_piece_is_told_by_its_place_in_the_file);
    tcase_add_loop_test(cases, a_text_that_cannot_be_used_is_refused_with_place_and_reason, 0,
                        sizeof refused / sizeof refused[0]);
    tcase_add_test(cases, a_word_without_end_is_refused);
    tcase_add_test(cases, a_missing_corpus_is_named);
    tcase_add_test(cases, the_words_of_a_sentence_come_with_repetition);
    tcase_add_test(cases, a_sentence_without_words_has_none);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(corpus_suite());
}
