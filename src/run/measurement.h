/* SPDX-License-Identifier: MIT */
/* What one run yields. Formulas: docs/method.md; NaN means undefined, never "not computed". */
#ifndef RUN_MEASUREMENT_H
#define RUN_MEASUREMENT_H

#include <stdint.h>

/* Index of each measure in measurement_fields[] (run/fields.h). */
enum measurement_field {
    MEASURE_CORPUS_SENTENCES,
    MEASURE_CORPUS_WORDS,
    MEASURE_VOCABULARY,
    MEASURE_TOKENS,
    MEASURE_RAW_INPUT_STD,
    MEASURE_INPUT_STD,
    MEASURE_INPUT_RMS,
    MEASURE_SCORE_STD,
    MEASURE_SCORE_ROW_STD,
    MEASURE_SCORE_ABS_MAX,
    MEASURE_ROW_MAX_MEAN,
    MEASURE_ROW_MAX_MEDIAN,
    MEASURE_LOG_ONE_MINUS_ROW_MAX_MEAN,
    MEASURE_ENTROPY_MEAN,
    MEASURE_EFFECTIVE_KEYS_MEAN,
    MEASURE_JACOBIAN_NORM_MEAN,
    MEASURE_JACOBIAN_NORM_MEDIAN,
    MEASURE_JACOBIAN_TRACE_MEAN,
    MEASURE_GRADIENT_WQ,
    MEASURE_GRADIENT_WK,
    MEASURE_GRADIENT_WQ_RATIO,
    MEASURE_GRADIENT_WK_RATIO,
    MEASURE_SATURATED_ROWS,
    MEASURE_NONFINITE,
    MEASUREMENT_FIELD_COUNT
};

/* Members are in the order of the field table. S is the (tokens, tokens) score matrix after the
 * score guard, P its row softmax, J the Jacobian of a row. All spreads are population forms. */
struct measurement {
    int64_t corpus_sentences; /* read, after the sentence limit; 0 without a corpus */
    int64_t corpus_words;     /* word tokens in them */
    int64_t vocabulary;       /* distinct words kept */
    int64_t tokens;           /* rows of X */
    double raw_input_std;     /* before the input guard */
    double input_std;         /* after it */
    double input_rms;
    double score_std;
    double score_row_std; /* root of the mean within-row variance */
    double score_abs_max;
    double row_max_mean;
    double row_max_median;
    double log_one_minus_row_max_mean; /* mean of ln(1 - row max) */
    double entropy_mean;               /* nats */
    double effective_keys_mean;        /* mean of exp(entropy) */
    double jacobian_norm_mean;         /* mean of |J|_F: the gradient magnitude */
    double jacobian_norm_median;
    double jacobian_trace_mean; /* mean of (1 - sum p^2) / (1 - 1/tokens) */
    double gradient_wq;         /* sqrt E|dL/dW_Q|_F^2, iid unit-variance upstream at P */
    double gradient_wk;
    double gradient_wq_ratio; /* relative to uniform attention */
    double gradient_wk_ratio;
    double saturated_rows; /* share of rows whose maximum reaches the threshold */
    int64_t nonfinite;     /* scores that are NaN or infinite */
};

#endif
