/* SPDX-License-Identifier: MIT */
/* What the files of the engine share. */
#ifndef ENGINE_ENGINE_INTERNAL_H
#define ENGINE_ENGINE_INTERNAL_H

#include "arrays/array.h"
#include "corpus/embedding.h"
#include "engine/engine.h"

/* A gaussian X of more numbers may be overwritten by its guard, for want of memory: drawing it
 * again takes little beside such a run. */
#define ENGINE_LONG_INPUT ((size_t)1 << 22)
/* Normals that a worker keeps, of which gaussian inputs of up to so many numbers may be corners. */
#define ENGINE_NORMALS_KEPT ((size_t)1 << 17)

/* A corpus that some run names. */
struct corpus_source {
    const char *name; /* as the sweep spells it */
    const char *path;
    struct corpus corpus;
};

/* An array file that some run names. */
struct array_source {
    const char *name;
    const char *location; /* path, or path:dataset */
    struct array array;
};

/* The vocabulary of one corpus under one minimum count and sentence limit. */
struct vocabulary_source {
    const struct corpus_source *source;
    int64_t min_count, sentence_limit;
    struct vocabulary vocabulary;
};

/* A matrix that a run reads: a whole file, or one head of it. */
struct matrix {
    size_t rows, columns;
    const double *values; /* NULL: none */
    const char *digest;   /* of the file */
};

/* One distinct input, shared by every run that differs in other fields only. */
struct input {
    struct run *sample; /* a run that has this input */
    uint64_t learning;  /* names the word vectors it is cut from; 0 if none */
    size_t tokens, queries, d_model;
    const double *x;     /* (tokens, d_model); NULL until learned, and for gaussian tokens */
    const char *failure; /* why x could not be learned, or NULL */
    const char *words;   /* joined by one space; NULL without a corpus */
    const uint32_t *ids; /* vocabulary ids of the words */
    const struct vocabulary_source *vocabulary;
    const char *x_digest;
    struct matrix w_q, w_k; /* given draws (d_model, d_k) */
    struct matrix q, k;     /* (queries, d_k), (tokens, d_k) instead of x */
    const double *scores;   /* (queries, tokens) instead of all these */
};

struct engine {
    struct arena *arena;
    struct arena learned, scratch; /* the word vectors in hand, and what learning them needs */
    const char *folder;
    struct run_list *runs;
    uint32_t *input_of_run; /* place in inputs; NULL while there is one */
    struct input *inputs;
    size_t input_count, input_capacity;
    struct corpus_source **corpora;
    size_t corpus_count, corpus_capacity;
    struct array_source **arrays;
    size_t array_count, array_capacity;
    struct vocabulary_source **vocabularies;
    size_t vocabulary_count, vocabulary_capacity;
};

/* The input of the run at that place of engine->runs. */
static inline struct input *engine_input(const struct engine *engine, size_t run)
{
    return &engine->inputs[engine->input_of_run == NULL ? 0 : engine->input_of_run[run]];
}

static inline bool engine_stopped(const struct engine_options *options)
{
    return options->stop != NULL && atomic_load(options->stop) != 0;
}

/* The corpus or array of that name, read at its first use; NULL with `err` set. */
const struct corpus_source *engine_corpus(struct engine *engine, const char *name,
                                          struct error *err) MUST_CHECK;
const struct array *engine_array(struct engine *engine, const char *name,
                                 struct error *err) MUST_CHECK;

/* Where the file of that name lies: its frozen copy, or beside the sweep; frozen.c. */
const char *engine_locate(struct engine *engine, const char *name, struct error *err) MUST_CHECK;

/* Reads the files of a run of source arrays; array_inputs.c. */
bool engine_open_arrays(struct engine *engine, const struct run *run, struct input *input,
                        struct error *err) MUST_CHECK;

/* What the learner of a run's word vectors is told. */
struct embedding_options engine_embedding_options(const struct run *run);

/* Learns the word vectors of every input that `needed` marks and cuts X from them. An input whose
 * learning fails carries the reason. Errors are an interruption, a library that is missing, and no
 * memory for X. */
bool engine_learn(struct engine *engine, const bool *needed, const struct engine_options *options,
                  struct error *err) MUST_CHECK;

/* Whether no gradient, no ratio of one to that of uniform weights, and no mean over a column, is
 * among the measures wanted; task.c. */
bool task_needs_no_gradients(uint64_t lacking);
bool task_needs_no_ratios(uint64_t lacking);
bool task_needs_no_columns(uint64_t lacking);

/* Seconds of the reference machine for the word vectors of an input, and bytes while they are
 * learned; 0 where nothing is. estimate_learning.c. */
double estimate_learning(const struct input *input);
double estimate_learning_bytes(const struct input *input);

/* The same in operations, roughly, as the learner counts them. */
double estimate_learning_operations(const struct input *input);

/* Names of the draw and of the projections that a run shares with others; chance equalities make an
 * estimate no worse. estimate.c. */
uint64_t estimate_draw_name(const struct run *run);
uint64_t estimate_projection_name(const struct engine *engine, const struct run *run, size_t place);

/* Does the tasks on the pool; see engine_run. */
bool engine_pool_run(struct engine *engine, const struct engine_task *tasks, size_t count,
                     const struct engine_options *options, struct error *err) MUST_CHECK;

#endif
