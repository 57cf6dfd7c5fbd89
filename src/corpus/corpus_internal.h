/* SPDX-License-Identifier: MIT */
/* What the learners by steps, sgns and glove, are made of, and how small vocabularies are counted.
 */
#ifndef CORPUS_CORPUS_INTERNAL_H
#define CORPUS_CORPUS_INTERNAL_H

#include "base/clones.h"
#include "base/random.h"
#include "corpus/embedding.h"

#define DRAWS_AT_ONCE ((size_t)128)

/* The uniform numbers of (seed, RANDOM_STEP), one after the other: number n is column n % 128 of
 * row n / 128, and beyond 2^32 rows the columns go on. */
struct draws {
    uint64_t seed, filled; /* how often `values` were */
    size_t used;
    double values[DRAWS_AT_ONCE];
};

void draws_init(struct draws *draws, uint64_t seed);

/* 0 <= u < 1. */
double draws_next(struct draws *draws);

/* 0 .. n - 1, each as likely (to n 2^-53), n >= 1. */
size_t draws_below(struct draws *draws, size_t n);

/* A distribution over 0 .. count - 1, drawn from in constant time (Walker 1977, Vose 1991): column
 * i gives i with chance own[i], otherwise other[i]. */
struct alias {
    size_t count;
    double *own;
    uint32_t *other;
};

/* By weights >= 0, not all of them 0. */
bool alias_make(const double *weights, size_t count, struct arena *arena, struct arena *scratch,
                struct alias *out, struct error *err) MUST_CHECK;
uint32_t alias_draw(const struct alias *alias, struct draws *draws);

/* `count` rows of `columns` numbers, uniform in +-0.5/divisor; row i is row i of `stream`. */
void steps_start(uint64_t seed, enum random_stream stream, size_t count, size_t columns,
                 double divisor, double *out);

/* False, with ERROR_INTERRUPTED, once *stop is set. */
bool steps_go_on(const atomic_int *stop, struct error *err) MUST_CHECK;

/* Eight sums side by side, so that it becomes vectors and is the same for each of them. */
PART_OF_TARGETS double steps_dot(size_t d, const double *restrict a, const double *restrict b)
{
    double sums[8] = {0};
    size_t i = 0;
    for (; i + 8 <= d; i += 8) {
        for (size_t lane = 0; lane < 8; lane++) {
            sums[lane] += a[i + lane] * b[i + lane];
        }
    }
    for (; i < d; i++) {
        sums[0] += a[i] * b[i];
    }
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
           ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/* Whether a vocabulary is so small and its text so large that every pair of words is worth a
 * counter; and cooccurrence_count then. */
bool cooccurrence_is_dense(const struct vocabulary *vocabulary, size_t window);
bool cooccurrence_count_dense(const struct corpus *corpus, const struct vocabulary *vocabulary,
                              const struct embedding_options *options, struct arena *arena,
                              struct cooccurrence *out, struct error *err) MUST_CHECK;

/* Both matrices are (vocabulary, dimension). */
struct sgns_model {
    double *words;    /* in the caller's arena */
    double *contexts; /* in scratch */
};

bool sgns_train(const struct corpus *corpus, const struct vocabulary *vocabulary,
                const struct embedding_options *options, struct arena *arena, struct arena *scratch,
                struct sgns_model *out, struct error *err) MUST_CHECK;

/* One step up the gradient of ln s(w.c0) + sum over the others of ln s(-w.ci), where w is `word`,
 * the ci are rows `targets` of `contexts`, each moved before the next is looked at, and s is the
 * logistic function. `sum` is room for d numbers. */
void sgns_step(size_t d, double rate, double *restrict word, double *restrict contexts,
               const uint32_t *targets, size_t count, double *restrict sum);

/* Words or contexts: (vocabulary, dimension) vectors, a bias each, and AdaGrad's sums. */
struct glove_side {
    double *vectors, *vector_squares;
    double *biases, *bias_squares;
};

struct glove_cell {
    uint32_t row, column;
    double logarithm, weight; /* of the count */
};

struct glove_model {
    struct glove_side words; /* its vectors in the caller's arena, all else in scratch */
    struct glove_side contexts;
    size_t cell_count;
    struct glove_cell *cells; /* the non-zero counts */
};

bool glove_train(const struct corpus *corpus, const struct vocabulary *vocabulary,
                 const struct embedding_options *options, struct arena *arena,
                 struct arena *scratch, struct glove_model *out, struct error *err) MUST_CHECK;

/* One step down the gradient of weight/2 (w.c + bias_w + bias_c - logarithm)^2. */
void glove_step(size_t d, double rate, const struct glove_cell *cell,
                const struct glove_side *words, const struct glove_side *contexts);

/* Every order of the cells as likely. */
void glove_shuffle(struct glove_cell *cells, size_t count, struct draws *draws);

#endif
