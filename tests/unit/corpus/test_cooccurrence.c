/* SPDX-License-Identifier: MIT */
/* Co-occurrence counts that can be written down. */
#include "corpus/embedding.h"

#include "support.h"

#include <stdio.h>
#include <string.h>

#define MOST 8

static struct arena arena;
static struct error err;

static void set_up(void)
{
    arena = (struct arena){0};
    err = (struct error)ERROR_INIT;
}

static void tear_down(void)
{
    arena_release(&arena);
}

static struct cooccurrence count(const char *text, size_t window, size_t min_count, size_t limit)
{
    struct embedding_options options = {
        .window = window, .min_count = min_count, .sentence_limit = limit};
    struct corpus corpus;
    struct vocabulary vocabulary;
    struct cooccurrence counts;
    assert_ok(corpus_parse("text", text, strlen(text), &arena, &corpus, &err), err);
    assert_ok(vocabulary_make(&corpus, &options, &arena, &vocabulary, &err), err);
    assert_ok(cooccurrence_count(&corpus, &vocabulary, &options, &arena, &counts, &err), err);
    ck_assert_uint_eq(counts.order, vocabulary.count);
    return counts;
}

/* Every entry equals the (order, order) array, zeros are not stored, columns rise. */
static void check(const struct cooccurrence *counts, size_t order, const double *wanted)
{
    ck_assert_uint_eq(counts->order, order);
    ck_assert_uint_eq(counts->row_start[0], 0);
    for (size_t row = 0; row < order; row++) {
        double dense[MOST] = {0};
        for (size_t e = counts->row_start[row]; e < counts->row_start[row + 1]; e++) {
            ck_assert(e == counts->row_start[row] || counts->column[e] > counts->column[e - 1]);
            ck_assert(counts->count[e] > 0);
            dense[counts->column[e]] = counts->count[e];
        }
        for (size_t column = 0; column < order; column++) {
            assert_near(dense[column], wanted[row * order + column], 0);
        }
    }
}

START_TEST(neighbours_are_counted_in_both_directions)
{
    struct cooccurrence counts = count("a b c a", 1, 1, 0);
    const double wanted[] = {0, 1, 1, /**/ 1, 0, 1, /**/ 1, 1, 0};
    check(&counts, 3, wanted);
}
END_TEST

START_TEST(the_window_reaches_as_many_words_as_it_says)
{
    struct cooccurrence counts = count("a b c d", 2, 1, 0);
    const double wanted[] = {0, 1, 1, 0, /**/ 1, 0, 1, 1, /**/ 1, 1, 0, 1, /**/ 0, 1, 1, 0};
    check(&counts, 4, wanted);
}
END_TEST

START_TEST(a_word_beside_itself_counts_twice)
{
    /* Places 1, 2 and 2, 1: two ordered pairs. */
    struct cooccurrence counts = count("a a b", 5, 1, 0);
    const double wanted[] = {2, 2, /**/ 2, 0};
    check(&counts, 2, wanted);
}
END_TEST

START_TEST(weighed_pairs_count_the_inverse_of_their_distance)
{
    /* Places 1 to 5: ab 1-2, 1-4, 2-3, 3-4; aa 1-3 and bb 2-4, from both sides; ac 3-5; bc 2-5,
     * 4-5.
     */
    const char *text = "a b a b c. a c.";
    struct embedding_options options = {.window = 3, .min_count = 1};
    struct corpus corpus;
    struct vocabulary vocabulary;
    struct cooccurrence counts;
    assert_ok(corpus_parse("text", text, strlen(text), &arena, &corpus, &err), err);
    assert_ok(vocabulary_make(&corpus, &options, &arena, &vocabulary, &err), err);
    assert_ok(cooccurrence_weigh(&corpus, &vocabulary, &options, &arena, &counts, &err), err);
    const double ab = 1 + 1.0 / 3 + 1 + 1;
    const double ac = 1.0 / 2 + 1;
    const double bc = 1.0 / 3 + 1;
    const double wanted[] = {1, ab, ac, /**/ ab, 1, bc, /**/ ac, bc, 0};
    check(&counts, 3, wanted);
}
END_TEST

START_TEST(windows_do_not_reach_across_sentences)
{
    struct cooccurrence counts = count("a b. b c.", 9, 1, 0);
    const double wanted[] = {0, 1, 0, /**/ 1, 0, 1, /**/ 0, 1, 0};
    check(&counts, 3, wanted);
}
END_TEST

START_TEST(repeated_pairs_add_up)
{
    struct cooccurrence counts = count("a b. a b. b a.", 1, 1, 0);
    const double wanted[] = {0, 3, /**/ 3, 0};
    check(&counts, 2, wanted);
}
END_TEST

START_TEST(rare_words_leave_before_windows_are_laid)
{
    /* Without the single x, a and b are neighbours. */
    struct cooccurrence counts = count("a x b. a b.", 1, 2, 0);
    const double wanted[] = {0, 2, /**/ 2, 0};
    check(&counts, 2, wanted);
}
END_TEST

START_TEST(only_the_first_sentences_count)
{
    struct cooccurrence counts = count("a b. a b. a c.", 1, 1, 2);
    const double wanted[] = {0, 2, /**/ 2, 0};
    check(&counts, 2, wanted);
}
END_TEST

START_TEST(sentences_of_one_word_give_no_counts)
{
    struct cooccurrence counts = count("a. b. a.", 5, 1, 0);
    const double wanted[] = {0, 0, 0, 0};
    check(&counts, 2, wanted);
    ck_assert_uint_eq(counts.row_start[2], 0);
}
END_TEST

START_TEST(a_window_wider_than_any_sentence_counts_all_pairs)
{
    struct cooccurrence counts = count("a b c", SIZE_MAX, 1, 0);
    const double wanted[] = {0, 1, 1, /**/ 1, 0, 1, /**/ 1, 1, 0};
    check(&counts, 3, wanted);
}
END_TEST

START_TEST(one_word_a_thousand_times_meets_itself)
{
    char text[2000];
    for (size_t i = 0; i < 1000; i++) {
        memcpy(text + 2 * i, "a ", 2);
    }
    text[1999] = '\0';
    struct cooccurrence counts = count(text, 1, 1, 0);
    const double wanted[] = {2 * 999};
    check(&counts, 1, wanted);
}
END_TEST

START_TEST(many_pairs_make_the_table_grow)
{
    /* w0 meets each of w1 .. w5000 once, in a sentence of their own. */
    enum { WORDS = 5000 };
    char *text = arena_alloc(&arena, WORDS, 12, &err);
    size_t length = 0;
    for (int i = 1; i <= WORDS; i++) {
        length += (size_t)sprintf(text + length, "w0 w%d. ", i);
    }
    struct cooccurrence counts = count(text, 3, 1, 0);
    ck_assert_uint_eq(counts.order, WORDS + 1);
    ck_assert_uint_eq(counts.row_start[1], WORDS);
    for (size_t i = 0; i < WORDS; i++) {
        ck_assert_uint_eq(counts.column[i], i + 1);
        ck_assert(counts.count[i] == 1);
        ck_assert_uint_eq(counts.row_start[i + 2], WORDS + i + 1);
        ck_assert_uint_eq(counts.column[WORDS + i], 0);
    }
}
END_TEST

static Suite *cooccurrence_suite(void)
{
    Suite *suite = suite_create("cooccurrence");
    TCase *cases = tcase_create("cooccurrence");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, neighbours_are_counted_in_both_directions);
    tcase_add_test(cases, the_window_reaches_as_many_words_as_it_says);
    tcase_add_test(cases, a_word_beside_itself_counts_twice);
    tcase_add_test(cases, weighed_pairs_count_the_inverse_of_their_distance);
    tcase_add_test(cases, windows_do_not_reach_across_sentences);
    tcase_add_test(cases, repeated_pairs_add_up);
    tcase_add_test(cases, rare_words_leave_before_windows_are_laid);
    tcase_add_test(cases, only_the_first_sentences_count);
    tcase_add_test(cases, sentences_of_one_word_give_no_counts);
    tcase_add_test(cases, a_window_wider_than_any_sentence_counts_all_pairs);
    tcase_add_test(cases, one_word_a_thousand_times_meets_itself);
    tcase_add_test(cases, many_pairs_make_the_table_grow);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(cooccurrence_suite());
}
