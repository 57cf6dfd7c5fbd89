/* SPDX-License-Identifier: MIT */
/* One point of a sweep: every value that a run needs, as plain data. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include <stdbool.h>
#include <stdint.h>

enum run_source { SOURCE_CORPUS, SOURCE_GAUSSIAN, SOURCE_ARRAYS, SOURCE_SCORES };
enum run_unknown_words { UNKNOWN_WORDS_ERROR, UNKNOWN_WORDS_SKIP };
enum run_learner {
    LEARNER_COUNT_SVD,
    LEARNER_LOG_COUNT_SVD,
    LEARNER_PPMI_SVD,
    LEARNER_RANDOM,
    LEARNER_SGNS,
    LEARNER_GLOVE
};
enum run_position { POSITION_SINUSOIDAL, POSITION_NONE, POSITION_ROPE };
enum run_rope_pairs { ROPE_PAIRS_HALVES, ROPE_PAIRS_ADJACENT };
enum run_draw { DRAW_WEIGHTS, DRAW_COLLAPSED };
enum run_upstream { UPSTREAM_EXPECTED, UPSTREAM_DRAWN };
enum run_norm { NORM_LAYER, NORM_RMS };
enum run_qk_norm { QK_NORM_NONE, QK_NORM_L2, QK_NORM_LAYER, QK_NORM_RMS };
enum run_score_scale { SCORE_SCALE_SQRT, SCORE_SCALE_LINEAR, SCORE_SCALE_LOG_N };
enum run_precision {
    PRECISION_FP64,
    PRECISION_FP32,
    PRECISION_FP16,
    PRECISION_BF16,
    PRECISION_FP8_E4M3,
    PRECISION_FP8_E5M2
};
enum run_mask { MASK_NONE, MASK_CAUSAL };
enum run_weights {
    WEIGHTS_SOFTMAX,
    WEIGHTS_SOFTMAX_PLUS_ONE,
    WEIGHTS_SIGMOID,
    WEIGHTS_SPARSEMAX,
    WEIGHTS_ENTMAX15,
    WEIGHTS_SOFTPLUS,
    WEIGHTS_SQUARE,
    WEIGHTS_SUM,
    WEIGHTS_ARGMAX,
    WEIGHTS_COUNT
};

/* Index of each field in run_fields[] (run/fields.h), and so its bit in run.given. */
enum run_field {
    RUN_SOURCE,
    RUN_CORPUS,
    RUN_SENTENCE,
    RUN_UNKNOWN_WORDS,
    RUN_LEARNER,
    RUN_WINDOW,
    RUN_POWER,
    RUN_CONTEXT_SMOOTHING,
    RUN_SHIFT,
    RUN_NEGATIVE,
    RUN_SUBSAMPLE,
    RUN_EPOCHS,
    RUN_LEARNING_RATE,
    RUN_X_MAX,
    RUN_ALPHA,
    RUN_LEARNER_SEED,
    RUN_MIN_COUNT,
    RUN_SENTENCE_LIMIT,
    RUN_TOKENS,
    RUN_INPUT_SPREAD,
    RUN_ORTHOGONAL,
    RUN_X,
    RUN_W_Q,
    RUN_W_K,
    RUN_WEIGHTS_AS_GIVEN,
    RUN_Q,
    RUN_K,
    RUN_TRANSPOSED,
    RUN_HEADS,
    RUN_KEY_HEADS,
    RUN_HEAD,
    RUN_SCORES,
    RUN_SCORE_FACTOR,
    RUN_POSITION,
    RUN_ROPE_BASE,
    RUN_ROPE_PAIRS,
    RUN_D_MODEL,
    RUN_D_K,
    RUN_SEED,
    RUN_DRAW,
    RUN_UPSTREAM,
    RUN_GUARD_INIT,
    RUN_GUARD_SCALE,
    RUN_GUARD_NORM,
    RUN_NORM,
    RUN_NORM_EPSILON,
    RUN_QK_NORM,
    RUN_QK_GAIN,
    RUN_SCORE_SCALE,
    RUN_SOFTCAP,
    RUN_MASK,
    RUN_WEIGHTS,
    RUN_PRECISION,
    RUN_STABILISE,
    RUN_SATURATION_ROW_MAX,
    RUN_SATURATION_GRADIENT,
    RUN_FIELD_COUNT
};

/* Members are in the order of the field table, which gives their meaning, unit and range. Texts
 * belong to the arena of whoever made the run. A text field that is not set is NULL. */
struct run {
    int source; /* enum run_source */
    const char *corpus;
    const char *sentence;
    int unknown_words; /* enum run_unknown_words */
    int learner;       /* enum run_learner */
    int64_t window;
    double power;
    double context_smoothing;
    double shift;
    int64_t negative;
    double subsample;
    int64_t epochs;
    double learning_rate;
    double x_max;
    double alpha;
    int64_t learner_seed;
    int64_t min_count;
    int64_t sentence_limit;
    int64_t tokens;
    double input_spread;
    bool orthogonal;
    const char *x;
    const char *w_q;
    const char *w_k;
    bool weights_as_given;
    const char *q;
    const char *k;
    bool transposed;
    int64_t heads;
    int64_t key_heads; /* 0: as many as heads */
    int64_t head;
    const char *scores; /* rows of numbers; run/score_rows.h reads them */
    double score_factor;
    int position; /* enum run_position */
    double rope_base;
    int rope_pairs; /* enum run_rope_pairs */
    int64_t d_model;
    int64_t d_k;
    int64_t seed;
    int draw;     /* enum run_draw */
    int upstream; /* enum run_upstream */
    bool guard_init;
    bool guard_scale;
    bool guard_norm;
    int norm; /* enum run_norm */
    double norm_epsilon;
    int qk_norm; /* enum run_qk_norm */
    double qk_gain;
    int score_scale; /* enum run_score_scale */
    double softcap;  /* 0: none */
    int mask;        /* enum run_mask */
    int weights;     /* enum run_weights */
    int precision;   /* enum run_precision */
    bool stabilise;
    double saturation_row_max;
    double saturation_gradient;

    uint64_t given; /* bit f: the sweep set field f; the others hold their default */

    /* SHA-256 in hexadecimal of the content behind the path fields; NULL until resolved. */
    const char *corpus_digest;
    const char *x_digest;
    const char *w_q_digest;
    const char *w_k_digest;
    const char *q_digest;
    const char *k_digest;
};

#endif
