/* SPDX-License-Identifier: MIT */
/* Training by skip-gram in one call. */
#ifndef SGNS_FIXTURE_H
#define SGNS_FIXTURE_H

#include "corpus/corpus_internal.h"

#include "embedding_fixture.h"

struct trained {
    struct corpus corpus;
    struct vocabulary vocabulary;
    struct sgns_model model;
};

static inline struct trained train(const char *text, struct embedding_options options)
{
    struct trained trained;
    options.min_count = options.min_count == 0 ? 1 : options.min_count;
    assert_ok(corpus_parse("text", text, strlen(text), &arena, &trained.corpus, &err), err);
    assert_ok(vocabulary_make(&trained.corpus, &options, &arena, &trained.vocabulary, &err), err);
    assert_ok(sgns_train(&trained.corpus, &trained.vocabulary, &options, &arena, &arena,
                         &trained.model, &err),
              err);
    return trained;
}

static inline struct embedding_options usual(size_t dimension)
{
    return (struct embedding_options){.dimension = dimension,
                                      .window = 5,
                                      .negative = 5,
                                      .subsample = 1e-3,
                                      .epochs = 5,
                                      .learning_rate = 0.025,
                                      .seed = 1};
}

static inline double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

#endif
