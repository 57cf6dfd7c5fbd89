/* SPDX-License-Identifier: MIT */
/* GloVe, as its authors' program does it; see embedding.h. The rate is part of what AdaGrad squares
 * and sums, and a step divides by the root of the sum before it is added. */
#include "corpus/corpus_internal.h"

#include <math.h>

/* The same step for one number on each side: both move by the value the other had before. */
PART_OF_TARGETS void move(double step, double *word, double *word_square, double *context,
                          double *context_square)
{
    double word_step = step * *context;
    double context_step = step * *word;
    *word -= word_step / sqrt(*word_square);
    *context -= context_step / sqrt(*context_square);
    *word_square += word_step * word_step;
    *context_square += context_step * context_step;
}

MANY_TARGETS_VOID(step_down,
                  (size_t d, double rate, const struct glove_cell *cell,
                   const struct glove_side *words, const struct glove_side *contexts),
                  (d, rate, cell, words, contexts))
{
    double *w = words->vectors + cell->row * d;
    double *c = contexts->vectors + cell->column * d;
    double *w_squares = words->vector_squares + cell->row * d;
    double *c_squares = contexts->vector_squares + cell->column * d;
    double *w_bias = &words->biases[cell->row];
    double *c_bias = &contexts->biases[cell->column];
    double *w_bias_square = &words->bias_squares[cell->row];
    double *c_bias_square = &contexts->bias_squares[cell->column];
    double missed = steps_dot(d, w, c) + *w_bias + *c_bias - cell->logarithm;
    double step = rate * cell->weight * missed;
    for (size_t k = 0; k < d; k++) {
        move(step, &w[k], &w_squares[k], &c[k], &c_squares[k]);
    }
    *w_bias -= step / sqrt(*w_bias_square);
    *c_bias -= step / sqrt(*c_bias_square);
    *w_bias_square += step * step;
    *c_bias_square += step * step;
}

void glove_step(size_t d, double rate, const struct glove_cell *cell,
                const struct glove_side *words, const struct glove_side *contexts)
{
    step_down(d, rate, cell, words, contexts);
}

void glove_shuffle(struct glove_cell *cells, size_t count, struct draws *draws)
{
    for (size_t left = count; left > 1; left--) {
        size_t at = draws_below(draws, left);
        struct glove_cell last = cells[left - 1];
        cells[left - 1] = cells[at];
        cells[at] = last;
    }
}

static bool make_cells(struct glove_model *model, const struct cooccurrence *counts,
                       const struct embedding_options *options, struct arena *scratch,
                       struct error *err)
{
    model->cell_count = counts->row_start[counts->order];
    model->cells = arena_alloc(scratch, model->cell_count, sizeof *model->cells, err);
    if (model->cells == NULL) {
        return false;
    }
    for (size_t row = 0; row < counts->order; row++) {
        for (size_t e = counts->row_start[row]; e < counts->row_start[row + 1]; e++) {
            double count = counts->count[e];
            double weight =
                count < options->x_max ? pow(count / options->x_max, options->alpha) : 1;
            model->cells[e] =
                (struct glove_cell){(uint32_t)row, counts->column[e], log(count), weight};
        }
    }
    return true;
}

static double *ones(size_t count, size_t columns, struct arena *scratch, struct error *err)
{
    double *made = arena_alloc(scratch, count, columns * sizeof *made, err);
    for (size_t i = 0; made != NULL && i < count * columns; i++) {
        made[i] = 1;
    }
    return made;
}

/* The vectors lie in `arena`, the rest in `scratch`. */
static bool start_side(struct glove_side *side, enum random_stream stream, size_t count,
                       const struct embedding_options *options, struct arena *arena,
                       struct arena *scratch, struct error *err)
{
    size_t d = options->dimension;
    double divisor = (double)d + 1;
    side->vectors = arena_alloc(arena, count, d * sizeof *side->vectors, err);
    side->biases = arena_alloc(scratch, count, sizeof *side->biases, err);
    side->vector_squares = ones(count, d, scratch, err);
    side->bias_squares = ones(count, 1, scratch, err);
    if (side->vectors == NULL || side->biases == NULL || side->vector_squares == NULL ||
        side->bias_squares == NULL) {
        return false;
    }
    steps_start(options->seed, stream, count, d, divisor, side->vectors);
    for (size_t i = 0; i < count; i++) { /* the column after those of the vector */
        double bias;
        random_uniforms(options->seed, stream, (uint32_t)i, (uint32_t)d, 1, &bias);
        side->biases[i] = (bias - 0.5) / divisor;
    }
    return true;
}

static bool learn_pass(struct glove_model *model, const struct embedding_options *options,
                       struct draws *draws, struct error *err)
{
    glove_shuffle(model->cells, model->cell_count, draws);
    for (size_t i = 0; i < model->cell_count; i++) {
        if (!steps_go_on(options->stop, err)) {
            return false;
        }
        glove_step(options->dimension, options->learning_rate, &model->cells[i], &model->words,
                   &model->contexts);
    }
    return true;
}

bool glove_train(const struct corpus *corpus, const struct vocabulary *vocabulary,
                 const struct embedding_options *options, struct arena *arena,
                 struct arena *scratch, struct glove_model *out, struct error *err)
{
    struct cooccurrence counts;
    struct draws draws;
    size_t count = vocabulary->count;
    draws_init(&draws, options->seed);
    if (!cooccurrence_weigh(corpus, vocabulary, options, scratch, &counts, err) ||
        !make_cells(out, &counts, options, scratch, err) ||
        !start_side(&out->words, RANDOM_START, count, options, arena, scratch, err) ||
        !start_side(&out->contexts, RANDOM_CONTEXT_START, count, options, scratch, scratch, err)) {
        return false;
    }
    for (size_t pass = 0; pass < options->epochs; pass++) {
        if (!learn_pass(out, options, &draws, err)) {
            return false;
        }
    }
    return true;
}

bool embedding_glove(const struct corpus *corpus, const struct vocabulary *vocabulary,
                     const struct embedding_options *options, struct arena *arena,
                     struct arena *scratch, const double **vectors, struct error *err)
{
    struct glove_model model;
    if (!glove_train(corpus, vocabulary, options, arena, scratch, &model, err)) {
        return false;
    }
    for (size_t i = 0; i < vocabulary->count * options->dimension; i++) {
        model.words.vectors[i] += model.contexts.vectors[i];
    }
    *vectors = model.words.vectors;
    return true;
}
