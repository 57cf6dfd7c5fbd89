/* SPDX-License-Identifier: MIT */
/* One point of a sweep: every value that a run needs, as plain data. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include <stdbool.h>
#include <stdint.h>

enum run_source { SOURCE_CORPUS, SOURCE_GAUSSIAN, SOURCE_ARRAYS };
enum run_unknown_words { UNKNOWN_WORDS_ERROR, UNKNOWN_WORDS_SKIP };
enum run_learner { LEARNER_COUNT_SVD, LEARNER_LOG_COUNT_SVD, LEARNER_PPMI_SVD, LEARNER_RANDOM };
enum run_position { POSITION_SINUSOIDAL, POSITION_NONE };
enum run_norm { NORM_LAYER, NORM_RMS };

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
    RUN_MIN_COUNT,
    RUN_SENTENCE_LIMIT,
    RUN_TOKENS,
    RUN_INPUT_SPREAD,
    RUN_X,
    RUN_W_Q,
    RUN_W_K,
    RUN_WEIGHTS_AS_GIVEN,
    RUN_POSITION,
    RUN_D_MODEL,
    RUN_D_K,
    RUN_SEED,
    RUN_GUARD_INIT,
    RUN_GUARD_SCALE,
    RUN_GUARD_NORM,
    RUN_NORM,
    RUN_NORM_EPSILON,
    RUN_SATURATION_ROW_MAX,
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
    int64_t min_count;
    int64_t sentence_limit;
    int64_t tokens;
    double input_spread;
    const char *x;
    const char *w_q;
    const char *w_k;
    bool weights_as_given;
    int position; /* enum run_position */
    int64_t d_model;
    int64_t d_k;
    int64_t seed;
    bool guard_init;
    bool guard_scale;
    bool guard_norm;
    int norm; /* enum run_norm */
    double norm_epsilon;
    double saturation_row_max;

    uint64_t given; /* bit f: the sweep set field f; the others hold their default */

    /* SHA-256 in hexadecimal of the content behind the path fields; NULL until resolved. */
    const char *corpus_digest;
    const char *x_digest;
    const char *w_q_digest;
    const char *w_k_digest;
};

#endif
