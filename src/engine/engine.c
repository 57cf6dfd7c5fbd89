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

double engine_learning_cost(const struct engine *engine, size_t place, uint64_t *vectors)
{
    const struct input *input = engine_input(engine, place);
    const struct run *run = input->sample; /* all that decides the vectors is the same in both */
    *vectors = input->learning;
    if (input->learning == 0 || input->vocabulary == NULL) {
        *vectors = 0;
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
        return 10 * (double)run->epochs * pairs * d;
    default:
        /* Products with the matrix of counts, some for each vector, and their orthogonalisation. */
        return 12 * pairs * d + 20 * words * d * d;
    }
}
