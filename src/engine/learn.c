/* SPDX-License-Identifier: MIT */
/* Learning word vectors, once for every setting that needs other ones, and cutting inputs from
 * them. It runs before the pool starts: the eigensolver keeps static state. */
#include "engine/engine_internal.h"

#include "attention/position.h"
#include "engine/crew.h"

#include <string.h>

/* One row a learner, in the order of enum run_learner. */
static embedding_learner *const learners[] = {
    [LEARNER_COUNT_SVD] = embedding_count_svd, [LEARNER_LOG_COUNT_SVD] = embedding_log_count_svd,
    [LEARNER_PPMI_SVD] = embedding_ppmi_svd,   [LEARNER_RANDOM] = embedding_random,
    [LEARNER_SGNS] = embedding_sgns,           [LEARNER_GLOVE] = embedding_glove,
};

/* X: the vectors of the words, plus their positions. */
static bool cut_input(struct engine *engine, struct input *input, const double *vectors,
                      struct error *err)
{
    size_t d = input->d_model;
    double *x = arena_alloc(engine->arena, input->tokens * d, sizeof *x, err);
    if (x == NULL) {
        return false;
    }
    for (size_t i = 0; i < input->tokens; i++) {
        memcpy(x + i * d, vectors + input->ids[i] * d, d * sizeof *x);
    }
    if (input->sample->position == POSITION_SINUSOIDAL) {
        position_add_sinusoidal(0, input->tokens, d, x);
    }
    input->x = x;
    return true;
}

/* Learns the vectors that input `first` needs and serves every needed input of the same vectors. */
static bool learn_from(struct engine *engine, size_t first, const bool *needed,
                       const struct engine_options *engine_options, struct crew *crew,
                       struct error *err)
{
    const struct input *wanted = &engine->inputs[first];
    const struct run *run = wanted->sample;
    struct embedding_options options = engine_embedding_options(run);
    const double *vectors = NULL;
    options.stop = engine_options->stop;
    options.crew = crew;
    if (engine_options->learning != NULL) {
        engine_options->learning(engine_options->context, run, wanted->vocabulary->vocabulary.count,
                                 estimate_learning(wanted));
    }
    struct error reason = ERROR_INIT;
    bool good =
        learners[run->learner](&wanted->vocabulary->source->corpus, &wanted->vocabulary->vocabulary,
                               &options, &engine->learned, &engine->scratch, &vectors, &reason);
    /* No fault of these vectors: the user's wish, or a library that is missing. */
    if (reason.code == ERROR_INTERRUPTED || reason.code == ERROR_FILE) {
        *err = reason;
        return false;
    }
    const char *failure = good ? NULL : arena_copy_text(engine->arena, reason.message, err);
    for (size_t i = first; i < engine->input_count; i++) {
        struct input *input = &engine->inputs[i];
        if (!needed[i] || input->learning != wanted->learning || input->x != NULL) {
            continue;
        }
        input->failure = failure;
        if (good && !cut_input(engine, input, vectors, err)) {
            return false;
        }
    }
    arena_reset(&engine->learned);
    arena_reset(&engine->scratch);
    return good || failure != NULL;
}

bool engine_learn(struct engine *engine, const bool *needed, const struct engine_options *options,
                  struct error *err)
{
    bool good = true;
    struct crew *crew = NULL;
    for (size_t i = 0; good && i < engine->input_count; i++) {
        const struct input *input = &engine->inputs[i];
        if (!needed[i] || input->learning == 0 || input->x != NULL || input->failure != NULL) {
            continue;
        }
        if (crew == NULL && options->threads > 1) {
            crew = crew_start(options->threads, engine->arena, err);
            good = crew != NULL;
        }
        good = good && learn_from(engine, i, needed, options, crew, err);
    }
    crew_end(crew);
    arena_release(&engine->learned);
    arena_release(&engine->scratch);
    return good;
}
