/* SPDX-License-Identifier: MIT */
/* A result set like that of the main sweep, made without a head: scores are independent normal
 * numbers whose spread follows from the guards, and the measures follow from the scores. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include "base/random.h"
#include "run/fields.h"
#include "run/results.h"
#include "support.h"

#include <string.h>

enum { EXAMPLE_TOKENS = 8, EXAMPLE_CORPORA = 3, EXAMPLE_GUARDS = 8 };

static const char *const example_corpora[EXAMPLE_CORPORA] = {"demo", "kitchen", "harbour"};
static const double example_input[EXAMPLE_CORPORA] = {0.77, 1.9, 5.2};
static const int64_t example_sentences[EXAMPLE_CORPORA] = {8, 312, 3020};

static inline struct run example_run(const char *corpus, unsigned guards, int64_t seed)
{
    struct run run = run_default();
    run.corpus = corpus;
    run.corpus_digest = corpus;
    run.sentence = "the cat chased the mouse across the garden";
    run.given = UINT64_C(1) << RUN_SENTENCE | UINT64_C(1) << RUN_CORPUS;
    run.guard_init = (guards & 1U) != 0;
    run.guard_scale = (guards & 2U) != 0;
    run.guard_norm = (guards & 4U) != 0;
    run.seed = seed;
    return run;
}

/* Softmax of a row in place; returns the sum of all weights but the largest. */
static inline double example_softmax(double *row)
{
    size_t top = 0;
    for (size_t j = 1; j < EXAMPLE_TOKENS; j++) {
        top = row[j] > row[top] ? j : top;
    }
    double largest = row[top];
    double others = 0;
    for (size_t j = 0; j < EXAMPLE_TOKENS; j++) {
        row[j] = exp(row[j] - largest);
        others += j == top ? 0 : row[j];
    }
    for (size_t j = 0; j < EXAMPLE_TOKENS; j++) {
        row[j] /= 1 + others;
    }
    return others / (1 + others);
}

/* Adds one row of weights to the measures. */
static inline void example_add_row(struct measurement *m, const double *p, double others)
{
    double square = 0;
    double cube = 0;
    for (size_t j = 0; j < EXAMPLE_TOKENS; j++) {
        square += p[j] * p[j];
        cube += p[j] * p[j] * p[j];
    }
    double top = 1 - others;
    /* for tiny `others` the sums cancel; then two keys share the row */
    double norm = others < 1e-6 ? 2 * others : sqrt(fmax(square - 2 * cube + square * square, 0));
    m->row_max_mean += top / EXAMPLE_TOKENS;
    m->jacobian_norm_mean += norm / EXAMPLE_TOKENS;
    m->jacobian_trace_mean += (1 - square) / (1 - 1.0 / EXAMPLE_TOKENS) / EXAMPLE_TOKENS;
    m->saturated_rows += top >= 0.9 ? 1.0 / EXAMPLE_TOKENS : 0;
    m->row_max_median = fmax(m->row_max_median, top);
    m->jacobian_norm_median =
        m->jacobian_norm_median == 0 ? norm : fmin(m->jacobian_norm_median, norm);
}

/* Measures of scores with a spread; `weights` (64 numbers) receives the weights, or is NULL. */
static inline struct measurement example_measure(uint64_t seed, double spread, double *weights)
{
    double scores[EXAMPLE_TOKENS * EXAMPLE_TOKENS];
    struct measurement m;
    memset(&m, 0, sizeof m);
    random_normal_matrix(seed, RANDOM_TEST, EXAMPLE_TOKENS, EXAMPLE_TOKENS, scores);
    for (size_t i = 0; i < EXAMPLE_TOKENS * EXAMPLE_TOKENS; i++) {
        scores[i] *= spread;
        m.score_std += scores[i] * scores[i] / (EXAMPLE_TOKENS * EXAMPLE_TOKENS);
    }
    m.score_std = sqrt(m.score_std);
    m.score_row_std = 0.95 * m.score_std;
    for (size_t i = 0; i < EXAMPLE_TOKENS; i++) {
        double others = example_softmax(scores + i * EXAMPLE_TOKENS);
        example_add_row(&m, scores + i * EXAMPLE_TOKENS, others);
    }
    if (weights != NULL) {
        memcpy(weights, scores, sizeof scores);
    }
    m.tokens = EXAMPLE_TOKENS;
    m.gradient_wq_ratio = m.jacobian_trace_mean;
    return m;
}

static inline double example_spread(double input, unsigned guards)
{
    double r = (guards & 4U) != 0 ? 1 : input;
    return r * r * ((guards & 1U) != 0 ? 1 : 64) * ((guards & 2U) != 0 ? 1 : 8);
}

static inline void example_fill(struct result *row, size_t corpus, unsigned guards, int64_t seed,
                                double *weights)
{
    uint64_t draw = (uint64_t)seed * 1000 + corpus * 100 + guards;
    row->run = example_run(example_corpora[corpus], guards, seed);
    row->message = "";
    row->measurement =
        example_measure(draw, example_spread(example_input[corpus], guards), weights);
    row->measurement.corpus_sentences = example_sentences[corpus];
    row->measurement.raw_input_std = example_input[corpus];
    row->measurement.input_std = (guards & 4U) != 0 ? 1 : example_input[corpus];
    row->measurement.input_rms = row->measurement.input_std;
    row->kept.queries = EXAMPLE_TOKENS;
    row->kept.tokens = EXAMPLE_TOKENS;
    row->kept.weights = weights;
    row->kept.words = weights == NULL ? NULL : "the cat chased the mouse across the garden";
}

/* The main sweep: 3 corpora, 8 guard sets, `seeds` seeds; weights are kept for the first seed. */
static inline struct result_set example_set(struct arena *arena, int64_t seeds)
{
    static const struct provenance provenance[] = {{"rowmax_version", "0.1.0"},
                                                   {"sweep_sha256", "0123abcd"}};
    struct error err = ERROR_INIT;
    size_t count = (size_t)seeds * EXAMPLE_CORPORA * EXAMPLE_GUARDS;
    struct result *rows = arena_alloc(arena, count, sizeof *rows, &err);
    ck_assert(rows != NULL);
    size_t used = 0;
    for (size_t c = 0; c < EXAMPLE_CORPORA; c++) {
        for (int64_t seed = 1; seed <= seeds; seed++) {
            for (unsigned guards = 0; guards < EXAMPLE_GUARDS; guards++) {
                double *weights = NULL;
                if (seed == 1) {
                    weights =
                        arena_alloc(arena, EXAMPLE_TOKENS * EXAMPLE_TOKENS, sizeof *weights, &err);
                    ck_assert(weights != NULL);
                }
                rows[used].index = (int64_t)used;
                example_fill(&rows[used++], c, guards, seed, weights);
            }
        }
    }
    return (struct result_set){.name = "example",
                               .title = "The same recipe on three corpora",
                               .sweep_text = "rowmax: 1\nname: example\n",
                               .planned = (int64_t)count,
                               .provenance = provenance,
                               .provenance_count = 2,
                               .whole = rows,
                               .count = count};
}

#endif
