/* SPDX-License-Identifier: MIT */
/* Any bytes as a corpus, plain or gzip, and as a sentence: words that fold to themselves, within
 * sentences that hold all of them. */
#include "fuzz.h"

#include "base/text.h"
#include "corpus/embedding.h"

#include <string.h>

#define WORDS_TRIED 8

static void check_words(const struct corpus *corpus, struct arena *arena)
{
    for (size_t i = 0; i < corpus->word_count; i++) {
        size_t length = strlen(corpus->words[i]);
        fuzz_require(length > 0 && text_utf8_error(corpus->words[i], length) == length);
    }
    for (size_t i = 0; i < corpus->word_count && i < WORDS_TRIED; i++) {
        struct error err = ERROR_INIT;
        const char *const *words;
        size_t count;
        fuzz_require(corpus_words(corpus->words[i], arena, &words, &count, &err));
    }
}

static void check_tokens(const struct corpus *corpus)
{
    fuzz_require(corpus->word_count > 0 && corpus->word_count <= corpus->token_count);
    fuzz_require(corpus->sentence_start[0] == 0);
    fuzz_require(corpus->sentence_start[corpus->sentence_count] == corpus->token_count);
    for (size_t i = 0; i < corpus->sentence_count; i++) {
        fuzz_require(corpus->sentence_start[i] < corpus->sentence_start[i + 1]);
    }
    for (size_t i = 0; i < corpus->token_count; i++) {
        fuzz_require(corpus->tokens[i] < corpus->word_count);
    }
}

/* Every pair counts twice, as the counts are symmetric, and no row passes the order. */
static void check_counts(const struct corpus *corpus, struct arena *arena)
{
    const struct embedding_options options = {.dimension = 2, .window = 3, .min_count = 1};
    struct error err = ERROR_INIT;
    struct vocabulary vocabulary;
    struct cooccurrence counts;
    fuzz_require(vocabulary_make(corpus, &options, arena, &vocabulary, &err));
    fuzz_require(cooccurrence_count(corpus, &vocabulary, &options, arena, &counts, &err));
    fuzz_require(counts.order == vocabulary.count);
    double sum = 0;
    for (size_t i = 0; i < counts.row_start[counts.order]; i++) {
        fuzz_require(counts.column[i] < counts.order && counts.count[i] > 0);
        sum += counts.count[i];
    }
    double most = 6 * (double)corpus->token_count;
    fuzz_require(sum <= most);
}

static void check_sentence(const uint8_t *bytes, size_t size, struct arena *arena)
{
    struct error err = ERROR_INIT;
    const char *const *words;
    size_t count;
    const char *text = arena_copy_bytes(arena, bytes, size, &err);
    fuzz_require(text != NULL);
    if (corpus_words(text, arena, &words, &count, &err)) {
        for (size_t i = 0; i < count; i++) {
            fuzz_touch(words[i]);
        }
    } else {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_INPUT);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct corpus corpus;
    if (corpus_read(fuzz_file("c.txt", bytes, size), &arena, &corpus, &err)) {
        check_tokens(&corpus);
        check_words(&corpus, &arena);
        check_counts(&corpus, &arena);
    } else {
        fuzz_require_refusal(&err, ERROR_INPUT, ERROR_INPUT);
    }
    check_sentence(bytes, size, &arena);
    arena_release(&arena);
    return 0;
}
