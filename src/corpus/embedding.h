/* SPDX-License-Identifier: MIT */
/* Word vectors learned from a corpus: co-occurrence counts, a matrix M of them, a truncated SVD.
 *   C_ab = how often word b stands within `window` words of word a in one sentence (symmetric)
 *   count-svd      M = C
 *   log-count-svd  M = ln(1 + C)
 *   ppmi-svd       M_ab = max(0, ln(C_ab Z / (C_a. C_.b^s)) - ln shift), Z = sum over b of C_.b^s,
 *                  s = context_smoothing: Levy, Goldberg and Dagan 2015
 *   M = U S Vᵀ,  E = U_k S_k^power,  k = min(dimension, vocabulary, rank)
 * Signs: in each column of U the entry of largest magnitude is positive. Columns beyond k are 0.
 * Learned by stochastic steps:
 *   sgns           skip-gram with negative sampling, word2vec: Mikolov et al. 2013
 *   glove          weighted least squares on ln C, AdaGrad: Pennington et al. 2014
 * And without learning: random, independent N(0, 1/dimension). */
#ifndef CORPUS_EMBEDDING_H
#define CORPUS_EMBEDDING_H

#include "base/crew.h"
#include "corpus/corpus.h"

#include <stdatomic.h>

struct embedding_options {
    size_t dimension;         /* columns, d_model */
    size_t window;            /* words to each side, >= 1 */
    double power;             /* of the singular values */
    double context_smoothing; /* ppmi-svd: power of the context counts, 0 .. 1 */
    double shift;             /* ppmi-svd: its logarithm is subtracted, >= 1 */
    size_t negative;          /* sgns: words drawn against each neighbour */
    double subsample;         /* sgns: t of word2vec; 0 keeps every word */
    size_t epochs;            /* sgns, glove: passes */
    double learning_rate;     /* sgns: of the first step, falling to 1e-4 of it; glove: AdaGrad's */
    double x_max, alpha;      /* glove: weight min(1, (C / x_max)^alpha) */
    uint64_t seed;            /* sgns, glove: of start and order */
    size_t min_count;       /* rarer words are left out before windows are laid, as word2vec does */
    size_t sentence_limit;  /* first sentences only; 0 = all */
    const atomic_int *stop; /* non-zero: learning gives up with ERROR_INTERRUPTED; may be NULL */
    struct crew *crew;      /* hands for counting and products; no bit depends on it; may be NULL */
};

/* The part of a corpus that the options select. */
struct vocabulary {
    const struct corpus *corpus;
    size_t sentences, tokens; /* within the sentence limit; tokens before min_count */
    size_t kept;              /* tokens that are words kept */
    size_t count;             /* words kept */
    const uint32_t *ids;      /* corpus word id -> vocabulary id, or VOCABULARY_NONE */
    const uint32_t *words;    /* vocabulary id -> corpus word id; order of first appearance */
    const size_t *counts;     /* tokens, by vocabulary id */
};
#define VOCABULARY_NONE UINT32_MAX

/* Counts and selects. ERROR_INPUT when no word reaches min_count. */
bool vocabulary_make(const struct corpus *corpus, const struct embedding_options *options,
                     struct arena *arena, struct vocabulary *out, struct error *err) MUST_CHECK;

/* The vocabulary ids of a sentence's words. Unknown words are an ERROR_INPUT that lists them all
 * (each once, in order), or are left out when `skip` is set; no word left is an error either way.
 * *words receives the kept words joined by one space. */
bool vocabulary_sentence(const struct vocabulary *vocabulary, const char *sentence, bool skip,
                         struct arena *arena, uint32_t **ids, size_t *count, const char **words,
                         struct error *err) MUST_CHECK;

/* A sparse square matrix of counts (symmetric, all entries stored), or of what a learner makes of
 * them; columns rise within a row. */
struct cooccurrence {
    size_t order;
    const size_t *row_start; /* order + 1 */
    const uint32_t *column;
    const double *count;
};

/* Memory: 8 bytes a token and 8 a sentence on the way, and 12 for each entry, which stand twice
 * while they are moved; nothing grows with the square of the order. */
bool cooccurrence_count(const struct corpus *corpus, const struct vocabulary *vocabulary,
                        const struct embedding_options *options, struct arena *arena,
                        struct cooccurrence *out, struct error *err) MUST_CHECK;

/* The same, where a pair counts 1/distance: 1 for the next word, 1/2 for the one after it. */
bool cooccurrence_weigh(const struct corpus *corpus, const struct vocabulary *vocabulary,
                        const struct embedding_options *options, struct arena *arena,
                        struct cooccurrence *out, struct error *err) MUST_CHECK;

/* ln(1 + C). */
bool association_log_count(const struct cooccurrence *counts, struct arena *arena,
                           struct cooccurrence *out, struct error *err) MUST_CHECK;

/* The positive entries of shifted pointwise mutual information; not symmetric unless
 * context_smoothing is 1. At 0 every word that has a context is as likely to be one. */
bool association_ppmi(const struct cooccurrence *counts, const struct embedding_options *options,
                      struct arena *arena, struct cooccurrence *out, struct error *err) MUST_CHECK;

/* A learner. *vectors is (vocabulary->count, dimension), row-major, in `arena`; `scratch` is used
 * on the way and may be reset afterwards. */
typedef bool embedding_learner(const struct corpus *corpus, const struct vocabulary *vocabulary,
                               const struct embedding_options *options, struct arena *arena,
                               struct arena *scratch, const double **vectors, struct error *err);

embedding_learner embedding_count_svd MUST_CHECK;
embedding_learner embedding_log_count_svd MUST_CHECK;
embedding_learner embedding_ppmi_svd MUST_CHECK;

/* word2vec's recipe, one thread, the same bits every time. Window: uniform in 1 .. window for each
 * word. Start: word vectors uniform in +-0.5/dimension, context vectors 0. Noise: counts^0.75. The
 * rate falls linearly over all words of all passes, to 1e-4 of its start at least. A word w of
 * share f is kept with probability min(1, sqrt(t/f) + t/f). Result: the word vectors. */
embedding_learner embedding_sgns MUST_CHECK;

/* glove.c's recipe, one thread, the same bits every time. Counts are weighed by 1/distance within
 * the window, both sides, and shuffled anew in each pass. Start: vectors and biases uniform in
 * +-0.5/(dimension + 1), squared gradients 1. Result: word plus context vectors, without biases. */
embedding_learner embedding_glove MUST_CHECK;

/* Row `id` is row `id` of the standard normal matrix (seed 0, RANDOM_WORD), over the root of the
 * dimension: it depends on the vocabulary id alone, not on the seed of a run. */
embedding_learner embedding_random MUST_CHECK;

#endif
