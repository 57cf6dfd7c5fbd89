/* SPDX-License-Identifier: MIT */
/* Small heads of every kind that has gradients: what tests of these share. */
#ifndef GRADIENT_VARIANTS_H
#define GRADIENT_VARIANTS_H

#include "base/random.h"
#include "head_fixture.h"

#define TOKENS 4
#define MODEL 3
#define KEYS 4

static double x[TOKENS * MODEL];
static double z_q[MODEL * KEYS];
static double z_k[MODEL * KEYS];

static inline struct head_input random_input(uint64_t seed)
{
    random_normal_matrix(seed, RANDOM_TEST, TOKENS, MODEL, x);
    random_normal_matrix(seed + 1, RANDOM_TEST, MODEL, KEYS, z_q);
    random_normal_matrix(seed + 2, RANDOM_TEST, MODEL, KEYS, z_k);
    return (struct head_input){.shape = {TOKENS, MODEL, KEYS}, .x = x, .z_q = z_q, .z_k = z_k};
}

/* What differs from the default run with the guards init and scale. */
struct variant {
    int weights, score_scale, mask, qk_norm, position, pairs, norm;
    double softcap, score_factor, gain;
    bool guard_norm, init_off, plain_form;
};

static const struct variant variants[] = {
    {.weights = WEIGHTS_SOFTMAX},
    {.weights = WEIGHTS_SOFTMAX_PLUS_ONE},
    {.weights = WEIGHTS_SIGMOID},
    {.weights = WEIGHTS_SPARSEMAX},
    {.weights = WEIGHTS_ENTMAX15},
    {.weights = WEIGHTS_SOFTPLUS},
    {.weights = WEIGHTS_SQUARE},
    {.weights = WEIGHTS_SUM},
    {.weights = WEIGHTS_ARGMAX},
    {.softcap = 0.7},
    {.softcap = 0.7, .weights = WEIGHTS_ENTMAX15},
    {.softcap = 2, .weights = WEIGHTS_SIGMOID, .mask = MASK_CAUSAL},
    {.mask = MASK_CAUSAL},
    {.mask = MASK_CAUSAL, .weights = WEIGHTS_SIGMOID},
    {.mask = MASK_CAUSAL, .weights = WEIGHTS_SIGMOID, .qk_norm = QK_NORM_RMS},
    {.mask = MASK_CAUSAL, .weights = WEIGHTS_SOFTMAX_PLUS_ONE},
    {.mask = MASK_CAUSAL, .weights = WEIGHTS_SOFTMAX_PLUS_ONE, .plain_form = true},
    {.mask = MASK_CAUSAL, .weights = WEIGHTS_SOFTPLUS},
    {.mask = MASK_CAUSAL, .weights = WEIGHTS_SQUARE},
    {.mask = MASK_CAUSAL, .weights = WEIGHTS_SPARSEMAX},
    {.qk_norm = QK_NORM_L2},
    {.qk_norm = QK_NORM_L2, .gain = 5, .init_off = true},
    {.qk_norm = QK_NORM_LAYER},
    {.qk_norm = QK_NORM_RMS, .gain = 0.5},
    {.qk_norm = QK_NORM_LAYER, .weights = WEIGHTS_SOFTPLUS, .softcap = 1},
    {.position = POSITION_ROPE},
    {.position = POSITION_ROPE, .pairs = ROPE_PAIRS_ADJACENT},
    {.position = POSITION_ROPE, .qk_norm = QK_NORM_L2, .gain = 4},
    {.position = POSITION_ROPE, .qk_norm = QK_NORM_RMS, .pairs = ROPE_PAIRS_ADJACENT},
    {.position = POSITION_ROPE, .qk_norm = QK_NORM_LAYER, .mask = MASK_CAUSAL, .softcap = 3},
    {.position = POSITION_ROPE, .score_scale = SCORE_SCALE_LOG_N, .mask = MASK_CAUSAL},
    {.score_factor = 3},
    {.score_factor = -2},
    {.score_factor = 1.5, .qk_norm = QK_NORM_L2, .mask = MASK_CAUSAL},
    {.score_scale = SCORE_SCALE_LINEAR},
    {.score_scale = SCORE_SCALE_LOG_N},
    {.score_scale = SCORE_SCALE_LOG_N, .mask = MASK_CAUSAL},
    {.score_scale = SCORE_SCALE_LOG_N, .qk_norm = QK_NORM_RMS, .gain = 2},
    {.guard_norm = true, .norm = NORM_RMS, .qk_norm = QK_NORM_RMS},
    {.guard_norm = true, .init_off = true},
    {.plain_form = true},
    {.plain_form = true, .weights = WEIGHTS_SOFTMAX_PLUS_ONE, .softcap = 2},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static inline struct run run_of(const struct variant *variant)
{
    struct run run = fixture_run(variant->init_off ? 2 : 3, 1);
    run.weights = variant->weights;
    run.score_scale = variant->score_scale;
    run.mask = variant->mask;
    run.qk_norm = variant->qk_norm;
    /* Sinusoidal encoding is added to the input before the head. */
    run.position = variant->position == POSITION_ROPE ? POSITION_ROPE : POSITION_NONE;
    run.rope_base = 100;
    run.rope_pairs = variant->pairs;
    run.guard_norm = variant->guard_norm;
    run.norm = variant->norm;
    run.norm_epsilon = 0.01;
    run.softcap = variant->softcap;
    run.score_factor = variant->score_factor != 0 ? variant->score_factor : 1;
    run.qk_gain = variant->gain != 0 ? variant->gain : 1;
    run.stabilise = !variant->plain_form;
    return run;
}

/* |dL/dW|_F by central differences in W = factor Z: L is the sum of upstream times weights, or
 * without one its root mean square over all unit upstreams is taken, the norm of dP/dW. */
static inline double difference_quotient(struct fixture *fixture, const struct head_input *input,
                                         const struct run *run, double *z, const double *upstream)
{
    double up[TOKENS * TOKENS];
    double down[TOKENS * TOKENS];
    double factor = run->guard_init ? 1 / sqrt(MODEL) : 1;
    double step = 2e-6;
    double squares = 0;
    for (size_t e = 0; e < (size_t)MODEL * KEYS; e++) {
        double kept = z[e];
        double along = 0;
        z[e] = kept + step;
        fixture_measure(fixture, input, run, NULL, up);
        z[e] = kept - step;
        fixture_measure(fixture, input, run, NULL, down);
        z[e] = kept;
        for (size_t i = 0; i < (size_t)TOKENS * TOKENS; i++) {
            double slope = (up[i] - down[i]) / (2 * step * factor);
            along += upstream == NULL ? 0 : upstream[i] * slope;
            squares += upstream == NULL ? slope * slope : 0;
        }
        squares += along * along;
    }
    return sqrt(squares);
}

/* Ratios are to the gradient of flat scores: scores that are all but 0 have uniform weights and the
 * derivative of their factor. */
static inline void assert_ratios_are_to_flat_scores(struct variant variant, int upstream)
{
    const double tiny = 1e-9;
    if (variant.weights != WEIGHTS_SOFTMAX || variant.softcap > 0) {
        variant.weights = WEIGHTS_SOFTMAX;
        variant.softcap = 0;
    }
    struct fixture fixture;
    fixture_open(&fixture);
    struct head_input input = random_input(7);
    struct run run = run_of(&variant);
    run.upstream = upstream;
    struct measurement m = fixture_measure(&fixture, &input, &run, NULL, NULL);
    run.score_factor *= tiny;
    struct measurement flat = fixture_measure(&fixture, &input, &run, NULL, NULL);
    fixture_close(&fixture);
    assert_near(m.gradient_wq_ratio, m.gradient_wq / (flat.gradient_wq / tiny), 1e-7);
    assert_near(m.gradient_wk_ratio, m.gradient_wk / (flat.gradient_wk / tiny), 1e-7);
    assert_near(flat.gradient_wq_ratio, 1, 1e-7);
    assert_near(flat.gradient_wk_ratio, 1, 1e-7);
}

#endif
