/* SPDX-License-Identifier: MIT */
/* Word vectors learned from a corpus: co-occurrence counts, then a truncated SVD.
 *   C_ab = how often word b stands within `window` words of word a in one sentence (symmetric)
 *   C = U S Vᵀ,  E = U_k S_k^power,  k = min(dimension, vocabulary, rank)
 * Signs: in each column of U the entry of largest magnitude is positive. Columns beyond k are 0. */
#ifndef CORPUS_EMBEDDING_H
#define CORPUS_EMBEDDING_H

#include "corpus/corpus.h"

#include <stdatomic.h>

struct embedding_options {
    size_t dimension;       /* columns, d_model */
    size_t window;          /* words to each side, >= 1 */
    double power;           /* of the singular values */
    size_t min_count;       /* rarer words are left out before windows are laid, as word2vec does */
    size_t sentence_limit;  /* first sentences only; 0 = all */
    const atomic_int *stop; /* non-zero: learning gives up with ERROR_INTERRUPTED; may be NULL */
};

/* The part of a corpus that the options select. */
struct vocabulary {
    const struct corpus *corpus;
    size_t sentences, tokens; /* within the sentence limit; tokens before min_count */
    size_t count;             /* words kept */
    const uint32_t *ids;      /* corpus word id -> vocabulary id, or VOCABULARY_NONE */
    const uint32_t *words;    /* vocabulary id -> corpus word id; order of first appearance */
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

/* A symmetric sparse matrix of counts, all entries stored, columns rising within a row. */
struct cooccurrence {
    size_t order;
    const size_t *row_start; /* order + 1 */
    const uint32_t *column;
    const double *count;
};

bool cooccurrence_count(const struct corpus *corpus, const struct vocabulary *vocabulary,
                        const struct embedding_options *options, struct arena *arena,
                        struct cooccurrence *out, struct error *err) MUST_CHECK;

/* Learns all vectors: *vectors is (vocabulary->count, dimension), row-major, in `arena`; `scratch`
 * is used on the way and may be reset afterwards. */
bool embedding_count_svd(const struct corpus *corpus, const struct vocabulary *vocabulary,
                         const struct embedding_options *options, struct arena *arena,
                         struct arena *scratch, const double **vectors,
                         struct error *err) MUST_CHECK;

#endif
