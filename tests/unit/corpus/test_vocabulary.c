/* SPDX-License-Identifier: MIT */
/* Which words are kept, and sentences in terms of them. */
#include "corpus/embedding.h"

#include "support.h"

#include <string.h>

static struct arena arena;
static struct error err;
static struct corpus corpus;

/* the 3, cat 2, sat 2, dog 1, ran 1 */
static const char text[] = "The cat sat. The dog sat. The cat ran.";

static void set_up(void)
{
    arena = (struct arena){0};
    err = (struct error)ERROR_INIT;
    assert_ok(corpus_parse("text", text, strlen(text), &arena, &corpus, &err), err);
}

static void tear_down(void)
{
    arena_release(&arena);
}

static struct vocabulary make(size_t min_count, size_t sentence_limit)
{
    struct embedding_options options = {.min_count = min_count, .sentence_limit = sentence_limit};
    struct vocabulary vocabulary;
    assert_ok(vocabulary_make(&corpus, &options, &arena, &vocabulary, &err), err);
    return vocabulary;
}

static const char *word(const struct vocabulary *vocabulary, size_t id)
{
    return corpus.words[vocabulary->words[id]];
}

START_TEST(every_word_is_kept_at_min_count_one)
{
    struct vocabulary vocabulary = make(1, 0);
    ck_assert_uint_eq(vocabulary.sentences, 3);
    ck_assert_uint_eq(vocabulary.tokens, 9);
    ck_assert_uint_eq(vocabulary.count, 5);
    ck_assert_str_eq(word(&vocabulary, 0), "the");
    ck_assert_str_eq(word(&vocabulary, 4), "ran");
    ck_assert_uint_eq(vocabulary.ids[3], 3);
}
END_TEST

START_TEST(rare_words_are_left_out_and_the_rest_renumbered)
{
    struct vocabulary vocabulary = make(2, 0);
    ck_assert_uint_eq(vocabulary.count, 3);
    ck_assert_uint_eq(vocabulary.tokens, 9);
    ck_assert_str_eq(word(&vocabulary, 2), "sat");
    ck_assert_uint_eq(vocabulary.ids[3], VOCABULARY_NONE);
    ck_assert_uint_eq(vocabulary.ids[2], 2);
}
END_TEST

START_TEST(the_sentence_limit_takes_the_first_sentences)
{
    struct vocabulary two = make(1, 2);
    ck_assert_uint_eq(two.sentences, 2);
    ck_assert_uint_eq(two.tokens, 6);
    ck_assert_uint_eq(two.count, 4);
    ck_assert_uint_eq(two.ids[4], VOCABULARY_NONE);
    struct vocabulary all = make(1, 100);
    ck_assert_uint_eq(all.sentences, 3);
    ck_assert_uint_eq(all.count, 5);
}
END_TEST

START_TEST(min_count_counts_within_the_limit)
{
    struct vocabulary vocabulary = make(2, 2);
    ck_assert_uint_eq(vocabulary.count, 2);
    ck_assert_str_eq(word(&vocabulary, 0), "the");
    ck_assert_str_eq(word(&vocabulary, 1), "sat");
}
END_TEST

START_TEST(an_empty_vocabulary_is_refused_with_the_highest_count)
{
    struct embedding_options options = {.min_count = 4};
    struct vocabulary vocabulary;
    ck_assert(!vocabulary_make(&corpus, &options, &arena, &vocabulary, &err));
    assert_error(err, ERROR_INPUT, "no word appears at least min_count = 4 times");
    assert_error(err, ERROR_INPUT, "'the', appears 3 times");
}
END_TEST

static bool sentence(const struct vocabulary *vocabulary, const char *words, bool skip,
                     const char *wanted, size_t wanted_count, const uint32_t *wanted_ids)
{
    uint32_t *ids = NULL;
    size_t count = 0;
    const char *kept = NULL;
    if (!vocabulary_sentence(vocabulary, words, skip, &arena, &ids, &count, &kept, &err)) {
        return false;
    }
    ck_assert_str_eq(kept, wanted);
    ck_assert_uint_eq(count, wanted_count);
    ck_assert(memcmp(ids, wanted_ids, count * sizeof *ids) == 0);
    return true;
}

START_TEST(a_sentence_becomes_ids_with_repetition)
{
    struct vocabulary vocabulary = make(1, 0);
    const uint32_t ids[] = {0, 3, 2, 0, 1};
    assert_ok(sentence(&vocabulary, "The DOG sat. The cat!", false, "the dog sat the cat", 5, ids),
              err);
    const uint32_t one[] = {1};
    assert_ok(sentence(&vocabulary, "cat", false, "cat", 1, one), err);
}
END_TEST

START_TEST(ids_are_those_of_the_vocabulary_not_of_the_corpus)
{
    struct vocabulary vocabulary = make(2, 2); /* the, sat */
    const uint32_t ids[] = {1, 0};
    assert_ok(sentence(&vocabulary, "sat the", false, "sat the", 2, ids), err);
}
END_TEST

START_TEST(all_unknown_words_are_listed_once_and_in_order)
{
    struct vocabulary vocabulary = make(1, 0);
    ck_assert(!sentence(&vocabulary, "a whale saw the Whale and a cat", false, "", 0, NULL));
    assert_error(err, ERROR_INPUT,
                 "the sentence has 4 words that the corpus does not: 'a', 'whale', 'saw', 'and';");
}
END_TEST

START_TEST(a_word_below_min_count_is_unknown)
{
    struct vocabulary vocabulary = make(2, 0);
    ck_assert(!sentence(&vocabulary, "the dog", false, "", 0, NULL));
    assert_error(err, ERROR_INPUT, "1 word that the corpus does not: 'dog';");
}
END_TEST

START_TEST(skipping_leaves_unknown_words_out)
{
    struct vocabulary vocabulary = make(1, 0);
    const uint32_t ids[] = {0, 1};
    assert_ok(sentence(&vocabulary, "the old cat", true, "the cat", 2, ids), err);
}
END_TEST

START_TEST(a_sentence_with_no_known_word_is_refused_either_way)
{
    struct vocabulary vocabulary = make(1, 0);
    ck_assert(!sentence(&vocabulary, "whales swim", true, "", 0, NULL));
    assert_error(err, ERROR_INPUT, "the corpus knows no word of the sentence");
    err = (struct error)ERROR_INIT;
    ck_assert(!sentence(&vocabulary, "", false, "", 0, NULL));
    assert_error(err, ERROR_INPUT, "the sentence holds no word");
    err = (struct error)ERROR_INIT;
    ck_assert(!sentence(&vocabulary, "...", true, "", 0, NULL));
    assert_error(err, ERROR_INPUT, "the sentence holds no word");
    err = (struct error)ERROR_INIT;
    ck_assert(!sentence(&vocabulary, "the \xFF", true, "", 0, NULL));
    assert_error(err, ERROR_INPUT, "'sentence' is not valid UTF-8 at byte 4");
}
END_TEST

static Suite *vocabulary_suite(void)
{
    Suite *suite = suite_create("vocabulary");
    TCase *cases = tcase_create("vocabulary");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, every_word_is_kept_at_min_count_one);
    tcase_add_test(cases, rare_words_are_left_out_and_the_rest_renumbered);
    tcase_add_test(cases, the_sentence_limit_takes_the_first_sentences);
    tcase_add_test(cases, min_count_counts_within_the_limit);
    tcase_add_test(cases, an_empty_vocabulary_is_refused_with_the_highest_count);
    tcase_add_test(cases, a_sentence_becomes_ids_with_repetition);
    tcase_add_test(cases, ids_are_those_of_the_vocabulary_not_of_the_corpus);
    tcase_add_test(cases, all_unknown_words_are_listed_once_and_in_order);
    tcase_add_test(cases, a_word_below_min_count_is_unknown);
    tcase_add_test(cases, skipping_leaves_unknown_words_out);
    tcase_add_test(cases, a_sentence_with_no_known_word_is_refused_either_way);
    suite_add_tcase(suite, cases);
    return suite;
}

int main(void)
{
    return support_run(vocabulary_suite());
}
