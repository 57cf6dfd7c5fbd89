/* SPDX-License-Identifier: MIT */
/* The gaussian X of a run: drawn, made orthogonal, scaled and given positions. */
#include "engine/pool_internal.h"

#include "attention/position.h"
#include "base/random.h"
#include "numeric/orthogonal.h"

#include <math.h>
#include <string.h>

/* Whether the gaussian input of a run is the first rows of another's, or the same. Orthogonal rows
 * are told by all of them together. */
static bool holds_gaussian(const struct run *held, const struct run *run)
{
    return held->seed == run->seed && held->d_model == run->d_model &&
           held->orthogonal == run->orthogonal &&
           (run->orthogonal ? held->tokens == run->tokens : held->tokens >= run->tokens) &&
           (held->position == POSITION_SINUSOIDAL) == (run->position == POSITION_SINUSOIDAL) &&
           held->input_spread == run->input_spread;
}

/* Whether the X at hand will do for a run, or all that its head asks of it is known. */
static bool has_gaussian_of(const struct worker *worker, const struct run *run)
{
    const struct head_shape shape = {(size_t)run->tokens, (size_t)run->d_model, (size_t)run->d_k};
    return worker->has_gaussian && holds_gaussian(&worker->gaussian_run, run) &&
           (!worker->gaussian_spent ||
            head_remembers(worker->head, worker_gaussian_input(worker), shape, run));
}

/* Adds the positions of rows `first` and on: those that are kept, or new ones. */
static void add_positions(const struct positions *positions, size_t first, size_t rows, size_t d,
                          double *x)
{
    const double *kept = positions_of(positions, first + rows, d);
    if (kept == NULL) {
        position_add_sinusoidal(first, rows, d, x);
        return;
    }
    for (size_t i = 0; i < rows * d; i++) {
        x[i] += kept[first * d + i];
    }
}

/* Rows of X that are drawn at once. */
#define ROWS_A_PART ((size_t)256)

struct drawing {
    const struct run *run;
    const struct positions *positions; /* NULL where it gets none */
    double *out;
};

/* Some rows of a plain gaussian X; see crew_part. */
static void draw_part(void *task, size_t part, size_t hand)
{
    (void)hand;
    const struct drawing *drawing = task;
    size_t tokens = (size_t)drawing->run->tokens;
    size_t d = (size_t)drawing->run->d_model;
    size_t first = part * ROWS_A_PART;
    size_t rows = tokens - first < ROWS_A_PART ? tokens - first : ROWS_A_PART;
    double *out = drawing->out + first * d;
    random_normal_rows((uint64_t)drawing->run->seed, RANDOM_INPUT, (uint32_t)first, rows, d, out);
    for (size_t i = 0; i < rows * d; i++) {
        out[i] *= drawing->run->input_spread;
    }
    if (drawing->positions != NULL) {
        add_positions(drawing->positions, first, rows, d, out);
    }
}

/* The (tokens, d) normals of a seed, in worker->gaussian. Those of a small matrix are kept, as
 * others may be its corners. */
static bool draw_normals(struct worker *worker, int64_t seed, size_t tokens, size_t d,
                         struct error *err)
{
    struct kept_normals *kept = &worker->normals;
    if (tokens * d > ENGINE_NORMALS_KEPT) {
        random_normal_matrix((uint64_t)seed, RANDOM_INPUT, tokens, d, worker->gaussian);
        return true;
    }
    if (kept->values == NULL) {
        kept->values = arena_alloc_raw(&worker->arena, ENGINE_NORMALS_KEPT, sizeof(double), err);
        if (kept->values == NULL) {
            return false;
        }
    }
    if (kept->seed != seed || kept->tokens < tokens || kept->d < d) {
        random_normal_matrix((uint64_t)seed, RANDOM_INPUT, tokens, d, kept->values);
        kept->seed = seed;
        kept->tokens = tokens;
        kept->d = d;
    }
    for (size_t i = 0; i < tokens; i++) {
        memcpy(worker->gaussian + i * d, kept->values + i * kept->d, d * sizeof(double));
    }
    return true;
}

/* X of a run by one thread. */
static bool draw_alone(struct worker *worker, const struct run *run,
                       const struct positions *positions, struct error *err)
{
    size_t tokens = (size_t)run->tokens;
    size_t d = (size_t)run->d_model;
    double factor = run->input_spread;
    if (!draw_normals(worker, run->seed, tokens, d, err)) {
        return false;
    }
    if (run->orthogonal) {
        orthogonal_rows(tokens, d, worker->gaussian);
        factor *= sqrt((double)d);
    }
    for (size_t i = 0; factor != 1 && i < tokens * d; i++) {
        worker->gaussian[i] *= factor;
    }
    if (positions != NULL) {
        add_positions(positions, 0, tokens, d, worker->gaussian);
    }
    return true;
}

bool worker_draw_gaussian(struct worker *worker, const struct run *run, struct error *err)
{
    if (has_gaussian_of(worker, run)) {
        return true;
    }
    size_t tokens = (size_t)run->tokens;
    size_t d = (size_t)run->d_model;
    worker->has_gaussian = false;
    if (tokens * d > worker->gaussian_capacity) {
        worker->gaussian = arena_alloc_raw(&worker->arena, tokens * d, sizeof(double), err);
        worker->gaussian_capacity = worker->gaussian == NULL ? 0 : tokens * d;
        if (worker->gaussian == NULL) {
            return false;
        }
    }
    bool placed = run->position == POSITION_SINUSOIDAL;
    const struct positions *positions = placed ? worker->pool->positions : NULL;
    if (worker->crew != NULL && !run->orthogonal) {
        struct drawing drawing = {run, positions, worker->gaussian};
        crew_work(worker->crew, (tokens + ROWS_A_PART - 1) / ROWS_A_PART, draw_part, &drawing);
    } else if (!draw_alone(worker, run, positions, err)) {
        return false;
    }
    worker->gaussian_run = *run;
    worker->gaussian_spent = false;
    worker->has_gaussian = true;
    worker->gaussian_id += 2;
    return true;
}
