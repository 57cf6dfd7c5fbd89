/* SPDX-License-Identifier: MIT */
/* The engine's order of work; see engine.h. */
#include "engine/engine.h"

#include "engine/engine_internal.h"
#include "numeric/lapack.h"

#include <math.h>

bool engine_run(struct engine *engine, const struct engine_task *tasks, size_t count,
                const struct engine_options *options, struct error *err)
{
    bool *needed = arena_alloc(engine->arena, engine->input_count, sizeof *needed, err);
    if (needed == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        needed[engine_input(engine, tasks[i].run) - engine->inputs] = true;
    }
    lapack_use_one_thread();
    bool good = options->measure != NULL || engine_learn(engine, needed, options, err);
    good = good && engine_pool_run(engine, tasks, count, options, err);
    return good && (!engine_stopped(options) || error_set(err, ERROR_INTERRUPTED, "interrupted"));
}

/* Words that meet, each two once: all of a sentence in a window as wide, at its ends fewer, and the
 * more there are the more met before. */
static double words_that_meet(const struct vocabulary *vocabulary, double window)
{
    double tokens = (double)vocabulary->tokens;
    double words = (double)vocabulary->count;
    double length = fmax(tokens / fmax((double)vocabulary->sentences, 1), 1);
    double others = window >= length - 1 ? length - 1 : 2 * window - window * (window + 1) / length;
    return fmin(1.35 * pow(tokens * others, 0.925), words * words);
}

double engine_input_learning_cost(const struct input *input)
{
    const struct run *run = input->sample; /* all that decides the vectors is the same in all */
    if (input->learning == 0 || input->vocabulary == NULL) {
        return 0;
    }
    double d = (double)run->d_model;
    double words = (double)input->vocabulary->vocabulary.count;
    double near = 2 * (double)run->window * (double)input->vocabulary->vocabulary.tokens;
    double pairs = fmin(near, words * words);
    switch (run->learner) {
    case LEARNER_RANDOM:
        return 20 * words * d;
    case LEARNER_SGNS:
        return 3 * (double)run->epochs * near * (double)(run->negative + 1) * d;
    case LEARNER_GLOVE:
        return 10 * (double)run->epochs * d *
               words_that_meet(&input->vocabulary->vocabulary, (double)run->window);
    default:
        /* Products with the matrix of counts, some for each vector, and their orthogonalisation. */
        return 12 * pairs * d + 20 * words * d * d;
    }
}

double engine_learning_cost(const struct engine *engine, size_t place, uint64_t *vectors)
{
    const struct input *input = engine_input(engine, place);
    *vectors = input->vocabulary == NULL ? 0 : input->learning;
    return engine_input_learning_cost(input);
}
