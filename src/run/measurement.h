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
    MEASURE_QUERIES,
    MEASURE_RAW_INPUT_STD,
    MEASURE_INPUT_STD,
    MEASURE_INPUT_RMS,
    MEASURE_INPUT_TOKEN_STD,
    MEASURE_Q_NORM,
    MEASURE_K_NORM,
    MEASURE_SCORE_STD,
    MEASURE_SCORE_ROW_STD,
    MEASURE_SCORE_ABS_MAX,
    MEASURE_MAX_LOGIT,
    MEASURE_PREDICTED_SCORE_STD,
    MEASURE_PREDICTED_SCORE_ROW_STD,
    MEASURE_ROW_MAX_MEAN,
    MEASURE_ROW_MAX_MEDIAN,
    MEASURE_LOG_ONE_MINUS_ROW_MAX_MEAN,
    MEASURE_ENTROPY_MEAN,
    MEASURE_ENTROPY_NORMALISED_MEAN,
    MEASURE_EFFECTIVE_KEYS_MEAN,
    MEASURE_WEIGHT_SUM_MEAN,
    MEASURE_MAX_COLUMN_MEAN,
    MEASURE_JACOBIAN_NORM_MEAN,
    MEASURE_JACOBIAN_NORM_MEDIAN,
    MEASURE_JACOBIAN_RMS,
    MEASURE_JACOBIAN_TRACE_MEAN,
    MEASURE_JACOBIAN_TRACE_MEDIAN,
    MEASURE_GRADIENT_WQ,
    MEASURE_GRADIENT_WK,
    MEASURE_GRADIENT_WQ_RATIO,
    MEASURE_GRADIENT_WK_RATIO,
    MEASURE_SATURATED_ROWS,
    MEASURE_UNDEFINED_ROWS,
    MEASURE_NONFINITE,
    MEASUREMENT_FIELD_COUNT
};

/* Members are in the order of the field table. S is the (queries, tokens) matrix of the scores that
 * enter the weights, after the score guard and the cap; P their weights, row by row; J = dP/dS of a
 * row, the cap included. A masked key is in none of them. Means over rows leave out masked rows
 * with fewer than two keys, which have nothing to choose. All spreads are population forms. */
struct measurement {
    int64_t corpus_sentences; /* read, after the sentence limit; 0 without a corpus */
    int64_t corpus_words;     /* word tokens in them */
    int64_t vocabulary;       /* distinct words kept */
    int64_t tokens;           /* rows of X: keys */
    int64_t queries;          /* rows of S */
    double raw_input_std;     /* before the input guard */
    double input_std;         /* after it */
    double input_rms;
    double input_token_std; /* sqrt(mean |x_i - xbar|^2 / d_model): what makes keys differ */
    double q_norm;          /* mean |q_i|, after the query/key guard */
    double k_norm;
    double score_std;
    double score_row_std; /* root of the mean within-row variance */
    double score_abs_max;
    double max_logit;               /* largest score, with its sign */
    double predicted_score_std;     /* expected over the draw of W, from X alone; NaN where no */
    double predicted_score_row_std; /* closed form is known */
    double row_max_mean;
    double row_max_median;
    double log_one_minus_row_max_mean; /* mean of ln(1 - row max) */
    double entropy_mean;               /* nats */
    double entropy_normalised_mean;    /* mean of entropy / ln(keys of the row) */
    double effective_keys_mean;        /* mean of exp(entropy) */
    double weight_sum_mean;            /* 1 for weights that are shares */
    double max_column_mean;            /* largest over keys of its mean weight: a sink near 1 */
    double jacobian_norm_mean;         /* mean of |J|_F: the gradient magnitude */
    double jacobian_norm_median;
    double jacobian_rms;        /* root of the mean of |J|_F^2 */
    double jacobian_trace_mean; /* mean of tr J / (1 - 1/keys of the row) */
    double jacobian_trace_median;
    double gradient_wq; /* sqrt E|dL/dW_Q|_F^2, iid unit-variance upstream at P */
    double gradient_wk;
    double gradient_wq_ratio; /* relative to uniform attention */
    double gradient_wk_ratio;
    double saturated_rows;  /* share of rows whose maximum reaches the threshold */
    int64_t undefined_rows; /* rows that have no weights: all keys masked, NaN, +infinity, 0/0 */
    int64_t nonfinite;      /* scores that are NaN or infinite */
};

#endif
