/* SPDX-License-Identifier: MIT */
/* The engine's order of work; see engine.h. */
#include "engine/engine.h"

#include "engine/engine_internal.h"
#include "numeric/matrix.h"

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
    matrix_use_one_thread();
    bool good = options->measure != NULL || engine_learn(engine, needed, options, err);
    good = good && engine_pool_run(engine, tasks, count, options, err);
    return good && (!engine_stopped(options) || error_set(err, ERROR_INTERRUPTED, "interrupted"));
}

/* Rows of scores that a run gives; the sweep spells them with a semicolon between two. */
static double given_rows(const struct run *run)
{
    double rows = 1;
    for (const char *at = run->scores; at != NULL && *at != '\0'; at++) {
        rows += *at == ';';
    }
    return rows;
}

/* What the projections, the products and the two closed-form gradients of n tokens take. The draw
 * is shared by its runs. */
static double head_cost(const struct run *run, double n)
{
    double d = (double)run->d_model;
    double k = (double)run->d_k;
    double products = 2 * n * n * k;
    if (run->q != NULL) {
        return products;
    }
    bool plain = run->qk_norm == QK_NORM_NONE && run->position != POSITION_ROPE;
    /* Where each key has a derivative of its own, W_K is reached through n^2 outer products, once
     * for the weights and once for uniform ones. */
    double gradients = plain ? n * n * (k + d) : 8 * n * n * k * d;
    return 4 * n * d * k + products + gradients;
}

double engine_cost(const struct run *run, size_t tokens)
{
    double n = (double)tokens;
    bool given = run->source == SOURCE_SCORES;
    double rows = given ? given_rows(run) : n;
    /* The exponential, the measures and their sums: as long as so many operations of a product. */
    double measures = 120 * rows * n;
    return measures + (given ? 0 : head_cost(run, n));
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
