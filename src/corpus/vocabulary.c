/* SPDX-License-Identifier: MIT */
/* The words that the options keep, and a sentence in terms of them; see embedding.h. */
#include "base/text.h"
#include "corpus/dictionary.h"
#include "corpus/embedding.h"

#include <string.h>

static bool too_rare(const struct corpus *corpus, const size_t *counts, size_t min_count,
                     struct error *err)
{
    size_t most = 0;
    for (size_t id = 0; id < corpus->word_count; id++) {
        most = counts[id] > counts[most] ? id : most;
    }
    return error_set(err, ERROR_INPUT,
                     "no word appears at least min_count = %zu times; the most frequent, '%s', "
                     "appears %zu times: lower min_count or use a larger corpus",
                     min_count, corpus->words[most], counts[most]);
}

static bool number_words(const struct corpus *corpus, const size_t *counts, size_t min_count,
                         struct arena *arena, struct vocabulary *out, struct error *err)
{
    uint32_t *ids = arena_alloc(arena, corpus->word_count, sizeof *ids, err);
    uint32_t *words = arena_alloc(arena, corpus->word_count, sizeof *words, err);
    size_t *kept = arena_alloc(arena, corpus->word_count, sizeof *kept, err);
    if (ids == NULL || words == NULL || kept == NULL) {
        return false;
    }
    size_t count = 0;
    for (size_t id = 0; id < corpus->word_count; id++) {
        ids[id] = VOCABULARY_NONE;
        if (counts[id] > 0 && counts[id] >= min_count) {
            words[count] = (uint32_t)id;
            kept[count] = counts[id];
            out->kept += counts[id];
            ids[id] = (uint32_t)count++;
        }
    }
    if (count == 0) {
        return too_rare(corpus, counts, min_count, err);
    }
    out->count = count;
    out->ids = ids;
    out->words = words;
    out->counts = kept;
    return true;
}

bool vocabulary_make(const struct corpus *corpus, const struct embedding_options *options,
                     struct arena *arena, struct vocabulary *out, struct error *err)
{
    size_t limit = options->sentence_limit;
    struct vocabulary made = {.corpus = corpus};
    made.sentences = limit == 0 || limit > corpus->sentence_count ? corpus->sentence_count : limit;
    made.tokens = corpus->sentence_start[made.sentences];
    struct arena scratch = {0};
    size_t *counts = arena_alloc(&scratch, corpus->word_count, sizeof *counts, err);
    for (size_t i = 0; counts != NULL && i < made.tokens; i++) {
        counts[corpus->tokens[i]]++;
    }
    bool numbered =
        counts != NULL && number_words(corpus, counts, options->min_count, arena, &made, err);
    arena_release(&scratch);
    if (numbered) {
        *out = made;
    }
    return numbered;
}

/* A sentence as words, each distinct one with its number in the sentence and its vocabulary id. */
struct sentence {
    const char *const *words;
    size_t count;
    struct dictionary distinct;
    uint32_t *numbers;    /* by place: which distinct word */
    uint32_t *vocabulary; /* by distinct word: vocabulary id or VOCABULARY_NONE */
};

/* Looks up the few words of the sentence among the many of the corpus in one pass over those. */
static bool sentence_look_up(struct sentence *sentence, const struct vocabulary *vocabulary,
                             struct arena *scratch, struct error *err)
{
    dictionary_init(&sentence->distinct, scratch, scratch);
    sentence->numbers = arena_alloc(scratch, sentence->count, sizeof *sentence->numbers, err);
    sentence->vocabulary = arena_alloc(scratch, sentence->count, sizeof *sentence->vocabulary, err);
    if (sentence->numbers == NULL || sentence->vocabulary == NULL) {
        return false;
    }
    for (size_t i = 0; i < sentence->count; i++) {
        const char *word = sentence->words[i];
        sentence->vocabulary[i] = VOCABULARY_NONE;
        if (!dictionary_add(&sentence->distinct, word, strlen(word), &sentence->numbers[i], err)) {
            return false;
        }
    }
    for (size_t id = 0; id < vocabulary->count; id++) {
        const char *word = vocabulary->corpus->words[vocabulary->words[id]];
        uint32_t number = dictionary_find(&sentence->distinct, word, strlen(word));
        if (number != DICTIONARY_NONE) {
            sentence->vocabulary[number] = (uint32_t)id;
        }
    }
    return true;
}

/* An error that lists the unknown words; true when there is none. */
static bool sentence_check(const struct sentence *sentence, struct arena *scratch,
                           struct error *err)
{
    struct text list = TEXT_INIT(scratch);
    size_t unknown = 0;
    for (size_t number = 0; number < sentence->distinct.count; number++) {
        if (sentence->vocabulary[number] == VOCABULARY_NONE) {
            text_append_format(&list, "%s'%s'", unknown > 0 ? ", " : "",
                               sentence->distinct.words[number]);
            unknown++;
        }
    }
    if (unknown == 0) {
        return true;
    }
    const char *words = text_finish(&list, err);
    return words != NULL &&
           error_set(err, ERROR_INPUT,
                     "the sentence has %zu word%s that the corpus does not: %s; use other words, a "
                     "larger corpus or 'unknown_words: skip'",
                     unknown, unknown == 1 ? "" : "s", words);
}

static bool sentence_keep(const struct sentence *sentence, struct arena *arena, uint32_t **ids,
                          size_t *count, const char **words, struct error *err)
{
    uint32_t *kept = arena_alloc(arena, sentence->count, sizeof *kept, err);
    struct text joined = TEXT_INIT(arena);
    size_t kept_count = 0;
    for (size_t i = 0; kept != NULL && i < sentence->count; i++) {
        uint32_t id = sentence->vocabulary[sentence->numbers[i]];
        if (id != VOCABULARY_NONE) {
            text_append(&joined, kept_count > 0 ? " " : "");
            text_append(&joined, sentence->words[i]);
            kept[kept_count++] = id;
        }
    }
    if (kept != NULL && kept_count == 0) {
        return error_set(err, ERROR_INPUT, "%s",
                         sentence->count == 0 ? "the sentence holds no word"
                                              : "the corpus knows no word of the sentence");
    }
    const char *text = kept == NULL ? NULL : text_finish(&joined, err);
    if (text == NULL) {
        return false;
    }
    *ids = kept;
    *count = kept_count;
    *words = text;
    return true;
}

bool vocabulary_sentence(const struct vocabulary *vocabulary, const char *sentence, bool skip,
                         struct arena *arena, uint32_t **ids, size_t *count, const char **words,
                         struct error *err)
{
    struct arena scratch = {0};
    struct sentence parsed = {0};
    bool done = corpus_words(sentence, &scratch, &parsed.words, &parsed.count, err) &&
                sentence_look_up(&parsed, vocabulary, &scratch, err) &&
                (skip || sentence_check(&parsed, &scratch, err)) &&
                sentence_keep(&parsed, arena, ids, count, words, err);
    arena_release(&scratch);
    return done;
}
