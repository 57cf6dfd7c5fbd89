/* SPDX-License-Identifier: MIT */
/* Texts to learn from, and learning in one call. */
#ifndef EMBEDDING_FIXTURE_H
#define EMBEDDING_FIXTURE_H

#include "corpus/embedding.h"

#include "arena_fixture.h"

#include <stdio.h>
#include <string.h>

struct learned {
    struct vocabulary vocabulary;
    size_t dimension;
    const double *vectors;
};

/* Eight short sentences whose counts have distinct singular values. */
static const char demo[] = "The cat chased the mouse across the garden.\n"
                           "The mouse ran under the old wooden gate.\n"
                           "A small dog slept beside the kitchen door.\n"
                           "The cook gave the cat a bowl of warm milk.\n"
                           "In the morning the children watered the garden.\n"
                           "A gull stole bread from the table by the window.\n"
                           "The dog heard the gull and barked at the sea.\n"
                           "At night the cat and the mouse watched each other through the gate.\n";

static inline struct learned learn_by(embedding_learner *learner, const char *text,
                                      struct embedding_options options)
{
    struct corpus corpus;
    struct learned learned = {.dimension = options.dimension};
    struct arena scratch = {0};
    options.min_count = options.min_count == 0 ? 1 : options.min_count;
    assert_ok(corpus_parse("text", text, strlen(text), &arena, &corpus, &err), err);
    assert_ok(vocabulary_make(&corpus, &options, &arena, &learned.vocabulary, &err), err);
    assert_ok(
        learner(&corpus, &learned.vocabulary, &options, &arena, &scratch, &learned.vectors, &err),
        err);
    arena_release(&scratch);
    return learned;
}

static inline struct learned learn(const char *text, struct embedding_options options)
{
    return learn_by(embedding_count_svd, text, options);
}

/* A set stop ends the learning with an error and without vectors. */
static inline void assert_interrupted(embedding_learner *learner, struct embedding_options options)
{
    const atomic_int stop = 2;
    struct corpus corpus;
    struct vocabulary vocabulary;
    const double *vectors = NULL;
    options.stop = &stop;
    options.min_count = 1;
    assert_ok(corpus_parse("text", demo, strlen(demo), &arena, &corpus, &err), err);
    assert_ok(vocabulary_make(&corpus, &options, &arena, &vocabulary, &err), err);
    ck_assert(!learner(&corpus, &vocabulary, &options, &arena, &arena, &vectors, &err));
    assert_error(err, ERROR_INTERRUPTED, "interrupted");
    ck_assert(vectors == NULL);
}

static inline const char *repeat(const char *text, size_t times)
{
    size_t length = strlen(text);
    char *all = arena_alloc(&arena, times * length + 1, 1, &err);
    ck_assert(all != NULL);
    for (size_t i = 0; i < times; i++) {
        memcpy(all + i * length, text, length);
    }
    return all;
}

/* 400 words, each sentence a pseudo-random walk over them: beyond the dense solver. */
static inline const char *large_text(void)
{
    enum { SENTENCES = 1500, WORDS = 400 };
    char *text = arena_alloc(&arena, SENTENCES, 80, &err);
    ck_assert(text != NULL);
    size_t length = 0;
    uint32_t state = 12345;
    for (int s = 0; s < SENTENCES; s++) {
        for (int t = 0; t < 8; t++) {
            state = state * 1664525U + 1013904223U;
            double u = (double)(state >> 8) / (1 << 24);
            length += (size_t)sprintf(text + length, "w%d ", (int)(WORDS * u * u));
        }
        length += (size_t)sprintf(text + length, ". ");
    }
    return text;
}

/* Learning from the large text ends in the same bits on every level of processor. */
static inline void assert_same_at_every_level(
    struct learned (*learn_from)(const char *text, struct embedding_options options),
    struct embedding_options options)
{
    ck_assert(support_use_level(PROCESSOR_PLAIN));
    struct learned plain = learn_from(large_text(), options);
    size_t size = plain.dimension * plain.vocabulary.count * sizeof(double);
    for (int level = PROCESSOR_AVX2; level <= (int)processor_best(); level++) {
        ck_assert(support_use_level((enum processor_level)level));
        struct learned learned = learn_from(large_text(), options);
        ck_assert_mem_eq(learned.vectors, plain.vectors, size);
    }
}

#endif
