/* SPDX-License-Identifier: MIT */
/* A head of any size, and what one drawn upstream brings to its projections by plain sums in 80
 * bits. */
#ifndef UPSTREAM_EXAMPLE_H
#define UPSTREAM_EXAMPLE_H

#include "base/random.h"
#include "head_fixture.h"

struct example {
    double *x, *z_q, *z_k, *weights, *upstream;
    struct head_input input;
};

static inline struct example make_example(struct arena *arena, struct head_shape shape)
{
    struct error err = ERROR_INIT;
    size_t n = shape.tokens;
    size_t d = shape.d_model;
    size_t d_k = shape.d_k;
    double *all = arena_alloc(arena, n * d + 2 * d * d_k + 2 * n * n, sizeof *all, &err);
    assert_ok(all != NULL, err);
    struct example example = {all,  all + n * d, all + n * d + d * d_k,
                              NULL, NULL,        {.shape = shape}};
    example.weights = example.z_k + d * d_k;
    example.upstream = example.weights + n * n;
    random_normal_matrix(1, RANDOM_TEST, n, d, example.x);
    random_normal_matrix(2, RANDOM_TEST, d, d_k, example.z_q);
    random_normal_matrix(3, RANDOM_TEST, d, d_k, example.z_k);
    example.input.x = example.x;
    example.input.z_q = example.z_q;
    example.input.z_k = example.z_k;
    return example;
}

/* x z, in 80 bits. */
static inline void project(const struct example *example, const double *z, long double *out)
{
    struct head_shape shape = example->input.shape;
    for (size_t i = 0; i < shape.tokens; i++) {
        for (size_t c = 0; c < shape.d_k; c++) {
            long double sum = 0;
            for (size_t l = 0; l < shape.d_model; l++) {
                sum += (long double)example->x[i * shape.d_model + l] *
                       (long double)z[l * shape.d_k + c];
            }
            out[i * shape.d_k + c] = sum;
        }
    }
}

/* What reaches the scores of row i, from its weights. Its entry at the largest weight is what makes
 * them sum to 0. */
static inline void row_of(const struct example *example, size_t i, long double *out)
{
    size_t n = example->input.shape.tokens;
    const double *p = example->weights + i * n;
    const double *g = example->upstream + i * n;
    size_t m = 0;
    long double mean = 0;
    long double sum = 0;
    for (size_t j = 0; j < n; j++) {
        m = p[j] > p[m] ? j : m;
    }
    for (size_t j = 0; j < n; j++) {
        mean += (long double)p[j] * ((long double)g[j] - (long double)g[m]);
    }
    for (size_t j = 0; j < n; j++) {
        out[j] = j == m ? 0 : (long double)p[j] * ((long double)g[j] - (long double)g[m] - mean);
        sum += out[j];
    }
    out[m] = -sum;
}

/* |xᵀ rows|, rows (n, d_k). */
static inline double length_at(const struct example *example, const long double *rows)
{
    struct head_shape shape = example->input.shape;
    long double squares = 0;
    for (size_t l = 0; l < shape.d_model; l++) {
        for (size_t c = 0; c < shape.d_k; c++) {
            long double sum = 0;
            for (size_t i = 0; i < shape.tokens; i++) {
                sum += (long double)example->x[i * shape.d_model + l] * rows[i * shape.d_k + c];
            }
            squares += sum * sum;
        }
    }
    return (double)sqrtl(squares);
}

/* Both gradients by plain sums from the weights, `factor` beside. */
static inline void assert_plain_sums(const struct example *example, const struct run *run,
                                     double factor, const struct measurement *m, double relative)
{
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct head_shape shape = example->input.shape;
    size_t n = shape.tokens;
    size_t rows = n * shape.d_k;
    long double *q = arena_alloc(&arena, 4 * rows + n, sizeof *q, &err);
    assert_ok(q != NULL, err);
    long double *k = q + rows;
    long double *at_q = k + rows;
    long double *at_k = at_q + rows;
    long double *at_scores = at_k + rows;
    project(example, example->z_q, q);
    project(example, example->z_k, k);
    random_normal_matrix((uint64_t)run->seed, RANDOM_UPSTREAM, n, n, example->upstream);
    for (size_t i = run->mask == MASK_CAUSAL; i < n; i++) {
        row_of(example, i, at_scores);
        size_t keys = run->mask == MASK_CAUSAL ? i + 1 : n;
        bool by_keys = run->guard_scale && run->score_scale == SCORE_SCALE_LOG_N;
        for (size_t j = 0; j < n; j++) {
            at_scores[j] *= by_keys ? logl((long double)keys) : 1;
            for (size_t c = 0; c < shape.d_k; c++) {
                at_q[i * shape.d_k + c] += at_scores[j] * k[j * shape.d_k + c];
                at_k[j * shape.d_k + c] += at_scores[j] * q[i * shape.d_k + c];
            }
        }
    }
    double wq = factor * length_at(example, at_q);
    double wk = factor * length_at(example, at_k);
    arena_release(&arena);
    assert_near(m->gradient_wq, wq, relative);
    assert_near(m->gradient_wk, wk, relative);
}

static inline struct run plain_run(size_t d_k)
{
    struct run run = fixture_run(0, 8);
    run.position = POSITION_NONE;
    run.upstream = UPSTREAM_DRAWN;
    run.score_factor = 1 / (double)(d_k * d_k);
    return run;
}

#endif
