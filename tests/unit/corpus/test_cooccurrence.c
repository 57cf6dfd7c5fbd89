/* SPDX-License-Identifier: MIT */
/* Co-occurrence counts that can be written down. */
#include "counts_fixture.h"

#include <stdio.h>
#include <string.h>

static struct cooccurrence count(const char *text, size_t window, size_t min_count, size_t limit)
{
    return count_by(text, (struct embedding_options){
                              .window = window, .min_count = min_count, .sentence_limit = limit});
}

static void check(const struct cooccurrence *counts, size_t order, const double *wanted)
{
    check_counts(counts, order, wanted, 0);
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

START_TEST(a_row_may_have_every_column_and_a_column_every_row)
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

/* Sentences of up to 12 words out of `words`, some far more frequent than others. */
static const char *random_text(size_t sentences, double words)
{
    char *text = arena_alloc(&arena, sentences, 13 * 8, &err);
    ck_assert(text != NULL);
    size_t length = 0;
    uint32_t state = 12345;
    for (size_t s = 0; s < sentences; s++) {
        for (size_t t = 0; t <= s % 12; t++) {
            state = state * 1664525U + 1013904223U;
            double u = (double)(state >> 8) / (1 << 24);
            length += (size_t)sprintf(text + length, "w%d ", (int)(words * u * u * u));
        }
        length += (size_t)sprintf(text + length, ". ");
    }
    return text;
}

/* Hands that do the parts backwards: no order may matter. */
static void backwards(struct crew *crew, size_t count, crew_part *part, void *task)
{
    (void)crew;
    while (count > 0) {
        part(task, --count, 0);
    }
}

static const struct {
    double words;
    size_t sentences, window;
    bool by_distance;
} large[] = {
    {40, 3000, 3, false},  {40, 3000, 3, true},   {40, 3000, 1000, true}, {4000, 6000, 2, false},
    {4000, 6000, 2, true}, {4000, 6000, 9, true}, {600, 18000, 5, false}, {600, 18000, 5, true},
};

START_TEST(large_texts_are_counted_pair_by_pair_in_the_order_of_the_text)
{
    /* The sums below add the same numbers in the same order: no bit may differ, of any row. */
    const char *text = random_text(large[_i].sentences, large[_i].words);
    size_t window = large[_i].window;
    bool by_distance = large[_i].by_distance;
    struct crew crew = {2, backwards};
    struct embedding_options options = {.window = window, .min_count = 2, .crew = &crew};
    struct corpus corpus;
    struct vocabulary vocabulary;
    struct cooccurrence counts;
    assert_ok(corpus_parse("text", text, strlen(text), &arena, &corpus, &err), err);
    assert_ok(vocabulary_make(&corpus, &options, &arena, &vocabulary, &err), err);
    assert_ok((by_distance ? cooccurrence_weigh : cooccurrence_count)(
                  &corpus, &vocabulary, &options, &arena, &counts, &err),
              err);
    size_t order = counts.order;
    double *dense = arena_alloc(&arena, order * order, sizeof *dense, &err);
    ck_assert(dense != NULL);
    uint32_t ids[12];
    for (size_t s = 0; s < corpus.sentence_count; s++) {
        size_t length = 0;
        for (size_t t = corpus.sentence_start[s]; t < corpus.sentence_start[s + 1]; t++) {
            uint32_t id = vocabulary.ids[corpus.tokens[t]];
            if (id != VOCABULARY_NONE) {
                ids[length++] = id;
            }
        }
        for (size_t i = 0; i < length; i++) {
            for (size_t j = i + 1; j < length && j - i <= window; j++) {
                double weight = by_distance ? 1 / (double)(j - i) : 1;
                size_t low = ids[i] < ids[j] ? ids[i] : ids[j];
                size_t high = ids[i] < ids[j] ? ids[j] : ids[i];
                dense[low * order + high] += low == high ? 2 * weight : weight;
            }
        }
    }
    size_t entries = 0;
    for (size_t a = 0; a < order; a++) {
        for (size_t b = 0; b < order; b++) {
            entries += dense[a < b ? a * order + b : b * order + a] != 0;
        }
    }
    ck_assert_uint_eq(counts.row_start[order], entries);
    for (size_t row = 0; row < order; row++) {
        for (size_t e = counts.row_start[row]; e < counts.row_start[row + 1]; e++) {
            size_t column = counts.column[e];
            ck_assert(e == counts.row_start[row] || column > counts.column[e - 1]);
            ck_assert(counts.count[e] ==
                      dense[row < column ? row * order + column : column * order + row]);
        }
    }
}
END_TEST

START_TEST(a_stop_ends_counting)
{
    const atomic_int stop = 15;
    struct embedding_options options = {.window = 5, .min_count = 1, .stop = &stop};
    struct corpus corpus;
    struct vocabulary vocabulary;
    struct cooccurrence counts;
    assert_ok(corpus_parse("text", "a b", 3, &arena, &corpus, &err), err);
    assert_ok(vocabulary_make(&corpus, &options, &arena, &vocabulary, &err), err);
    ck_assert(!cooccurrence_count(&corpus, &vocabulary, &options, &arena, &counts, &err));
    assert_error(err, ERROR_INTERRUPTED, "interrupted");
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
    tcase_add_test(cases, a_row_may_have_every_column_and_a_column_every_row);
    tcase_add_loop_test(cases, large_texts_are_counted_pair_by_pair_in_the_order_of_the_text, 0,
                        (int)(sizeof large / sizeof large[0]));
    tcase_add_test(cases, a_stop_ends_counting);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(cooccurrence_suite());
}
