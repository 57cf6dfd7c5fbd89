/* SPDX-License-Identifier: MIT */
/* The field table; see fields.h. */
#include "run/fields.h"

#include <float.h>
#include <stddef.h>

static const char *const source_choices[] = {"corpus", "gaussian", "arrays", NULL};
static const char *const unknown_choices[] = {"error", "skip", NULL};
static const char *const learner_choices[] = {"count-svd", "log-count-svd", "ppmi-svd", "random",
                                              NULL};
static const char *const position_choices[] = {"sinusoidal", "none", NULL};
static const char *const norm_choices[] = {"layer", "rms", NULL};

#define CORPUS FIELD_FOR_CORPUS
#define GAUSSIAN FIELD_FOR_GAUSSIAN
#define ARRAYS FIELD_FOR_ARRAYS
#define ALL FIELD_FOR_ALL
#define PPMI (1U << LEARNER_PPMI_SVD)
#define BY_COUNTS (1U << LEARNER_COUNT_SVD | 1U << LEARNER_LOG_COUNT_SVD | PPMI)
/* Sizes stay below 2^20 so that a matrix of them cannot overflow an index. */
#define SIZE_LIMIT 1048576

#define MEMBER(member) .name = #member, .offset = offsetof(struct run, member)
#define FILE_MEMBER(member)                                                                        \
    MEMBER(member), .kind = FIELD_PATH, .digest = offsetof(struct run, member##_digest)

const struct field run_fields[RUN_FIELD_COUNT] = {
    [RUN_SOURCE] = {MEMBER(source), .kind = FIELD_CHOICE, .choices = source_choices, .unit = "",
                    .fallback = "corpus", .sources = ALL, .label = "source",
                    .help = "where the input X comes from"},
    [RUN_CORPUS] = {FILE_MEMBER(corpus), .unit = "", .sources = CORPUS, .label = "corpus",
                    .help = "text the embeddings are learned from: a name under corpora/ or a path "
                            "to UTF-8 text, plain or gzip"},
    [RUN_SENTENCE] = {MEMBER(sentence), .kind = FIELD_TEXT, .unit = "", .sources = CORPUS,
                      .label = "sentence", .help = "the words whose attention is measured"},
    [RUN_UNKNOWN_WORDS] = {MEMBER(unknown_words), .kind = FIELD_CHOICE, .choices = unknown_choices,
                           .unit = "", .fallback = "error", .sources = CORPUS,
                           .label = "unknown words",
                           .help =
                               "what to do with words of the sentence that the vocabulary lacks"},
    [RUN_LEARNER] = {MEMBER(learner), .kind = FIELD_CHOICE, .choices = learner_choices, .unit = "",
                     .fallback = "count-svd", .sources = CORPUS, .label = "learner",
                     .help = "how word vectors are learned from the corpus"},
    [RUN_WINDOW] = {MEMBER(window), .kind = FIELD_INTEGER, .unit = "words", .minimum = 1,
                    .maximum = 1000, .fallback = "5", .sources = CORPUS, .learners = BY_COUNTS,
                    .label = "co-occurrence window",
                    .help = "words to each side that count as neighbours"},
    [RUN_POWER] = {MEMBER(power), .kind = FIELD_REAL, .unit = "", .minimum = 0, .maximum = 2,
                   .fallback = "0.5", .sources = CORPUS, .learners = BY_COUNTS,
                   .label = "singular-value power",
                   .help = "exponent of the singular values in the word vectors"},
    [RUN_CONTEXT_SMOOTHING] = {MEMBER(context_smoothing), .kind = FIELD_REAL, .unit = "",
                               .minimum = 0, .maximum = 1, .fallback = "0.75", .sources = CORPUS,
                               .learners = PPMI, .label = "context smoothing",
                               .help = "ppmi-svd: exponent of the context counts; 1 smooths not at "
                                       "all"},
    [RUN_SHIFT] = {MEMBER(shift), .kind = FIELD_REAL, .unit = "", .minimum = 1, .maximum = 1e6,
                   .fallback = "1", .sources = CORPUS, .learners = PPMI, .label = "PMI shift",
                   .help = "ppmi-svd: its logarithm is subtracted before negative values become 0"},
    [RUN_MIN_COUNT] = {MEMBER(min_count), .kind = FIELD_INTEGER, .unit = "", .minimum = 1,
                       .maximum = 1e9, .fallback = "1", .sources = CORPUS,
                       .label = "minimum word count",
                       .help = "words rarer than this are left out of the vocabulary"},
    [RUN_SENTENCE_LIMIT] = {MEMBER(sentence_limit), .kind = FIELD_INTEGER, .unit = "sentences",
                            .minimum = 0, .maximum = 1e12, .fallback = "0", .sources = CORPUS,
                            .label = "sentences read",
                            .help = "read only this many sentences from the start; 0 reads all"},
    [RUN_TOKENS] = {MEMBER(tokens), .kind = FIELD_INTEGER, .unit = "tokens", .minimum = 1,
                    .maximum = SIZE_LIMIT, .sources = GAUSSIAN, .label = "tokens",
                    .help = "rows of the gaussian input"},
    [RUN_INPUT_SPREAD] = {MEMBER(input_spread), .kind = FIELD_REAL, .unit = "", .minimum = 0,
                          .maximum = 1e150, .fallback = "1", .sources = GAUSSIAN,
                          .label = "input spread given",
                          .help = "standard deviation of the gaussian input"},
    [RUN_X] = {FILE_MEMBER(x), .unit = "", .sources = ARRAYS, .label = "X file",
               .help = "input X (tokens, d_model) as a .npy file"},
    [RUN_W_Q] = {FILE_MEMBER(w_q), .unit = "", .sources = ARRAYS, .label = "W_Q file",
                 .help = "unit draw of W_Q (d_model, d_k) as a .npy file; drawn by seed when not "
                         "given"},
    [RUN_W_K] = {FILE_MEMBER(w_k), .unit = "", .sources = ARRAYS, .label = "W_K file",
                 .help = "unit draw of W_K (d_model, d_k) as a .npy file; drawn by seed when not "
                         "given"},
    [RUN_WEIGHTS_AS_GIVEN] = {MEMBER(weights_as_given), .kind = FIELD_SWITCH, .unit = "",
                              .fallback = "off", .sources = ARRAYS, .label = "weights as given",
                              .help = "use w_q and w_k as they are: guard_init divides nothing"},
    [RUN_POSITION] = {MEMBER(position), .kind = FIELD_CHOICE, .choices = position_choices,
                      .unit = "", .fallback = "sinusoidal", .sources = CORPUS | GAUSSIAN,
                      .label = "position", .help = "positional encoding added to the input"},
    [RUN_D_MODEL] = {MEMBER(d_model), .kind = FIELD_INTEGER, .unit = "dimensions", .minimum = 1,
                     .maximum = SIZE_LIMIT, .fallback = "64", .sources = CORPUS | GAUSSIAN,
                     .label = "model width d_model",
                     .help = "width of the input; with source arrays that of x"},
    [RUN_D_K] = {MEMBER(d_k), .kind = FIELD_INTEGER, .unit = "dimensions", .minimum = 1,
                 .maximum = SIZE_LIMIT, .fallback = "64", .sources = ALL,
                 .label = "key dimension d_k", .help = "width of queries and keys"},
    [RUN_SEED] = {MEMBER(seed), .kind = FIELD_INTEGER, .unit = "", .minimum = 0,
                  .maximum = 9007199254740991.0, .fallback = "1", .sources = ALL, .label = "seed",
                  .help = "names the random draw of the projections and of a gaussian input"},
    [RUN_GUARD_INIT] = {MEMBER(guard_init), .kind = FIELD_SWITCH, .unit = "", .fallback = "off",
                        .sources = ALL, .label = "guard init",
                        .help = "draw projections with variance 1/d_model instead of 1"},
    [RUN_GUARD_SCALE] = {MEMBER(guard_scale), .kind = FIELD_SWITCH, .unit = "", .fallback = "off",
                         .sources = ALL, .label = "guard scale",
                         .help = "divide scores by the square root of d_k"},
    [RUN_GUARD_NORM] = {MEMBER(guard_norm), .kind = FIELD_SWITCH, .unit = "", .fallback = "off",
                        .sources = ALL, .label = "guard norm",
                        .help = "normalise each row of the input"},
    [RUN_NORM] = {MEMBER(norm), .kind = FIELD_CHOICE, .choices = norm_choices, .unit = "",
                  .fallback = "layer", .sources = ALL, .label = "norm",
                  .help = "how guard_norm normalises: mean and variance, or mean square"},
    [RUN_NORM_EPSILON] = {MEMBER(norm_epsilon), .kind = FIELD_REAL, .unit = "", .minimum = 0,
                          .maximum = 1e6, .fallback = "1e-5", .sources = ALL,
                          .label = "norm epsilon",
                          .help = "added to the variance under the root of guard_norm"},
    [RUN_SATURATION_ROW_MAX] = {MEMBER(saturation_row_max), .kind = FIELD_REAL, .unit = "",
                                .minimum = 0, .maximum = 1, .fallback = "0.9", .sources = ALL,
                                .label = "saturation threshold",
                                .help = "a row is saturated when its largest weight reaches this"},
};

#define MEASURE(member) .name = #member, .offset = offsetof(struct measurement, member)
#define INTEGER(member) MEASURE(member), .kind = FIELD_INTEGER
#define REAL(member) MEASURE(member), .kind = FIELD_REAL
#define SHARE(member) REAL(member), .maximum = 1

const struct field measurement_fields[MEASUREMENT_FIELD_COUNT] = {
    [MEASURE_CORPUS_SENTENCES] = {INTEGER(corpus_sentences), .unit = "sentences",
                                  .label = "sentences", .help = "sentences read from the corpus"},
    [MEASURE_CORPUS_WORDS] = {INTEGER(corpus_words), .unit = "words", .label = "words",
                              .help = "word tokens in those sentences"},
    [MEASURE_VOCABULARY] = {INTEGER(vocabulary), .unit = "words", .label = "vocabulary",
                            .help = "distinct words kept"},
    [MEASURE_TOKENS] = {INTEGER(tokens), .unit = "tokens", .label = "tokens",
                        .help = "rows of the input X"},
    [MEASURE_RAW_INPUT_STD] = {REAL(raw_input_std), .unit = "", .label = "raw input spread",
                               .help = "standard deviation of X before the input guard"},
    [MEASURE_INPUT_STD] = {REAL(input_std), .unit = "", .label = "input spread",
                           .help = "standard deviation of X after the input guard"},
    [MEASURE_INPUT_RMS] = {REAL(input_rms), .unit = "", .label = "input RMS",
                           .help = "root mean square of X after the input guard"},
    [MEASURE_SCORE_STD] = {REAL(score_std), .unit = "", .label = "score spread",
                           .help = "standard deviation of all scores, after the score guard"},
    [MEASURE_SCORE_ROW_STD] = {REAL(score_row_std), .unit = "", .label = "score spread in a row",
                               .help = "root of the mean variance within a row, all softmax sees"},
    [MEASURE_SCORE_ABS_MAX] = {REAL(score_abs_max), .unit = "", .label = "largest score",
                               .help = "largest magnitude of a score"},
    [MEASURE_ROW_MAX_MEAN] = {SHARE(row_max_mean), .unit = "", .label = "mean row-max",
                              .help = "mean over rows of the largest weight; 1 is one-hot"},
    [MEASURE_ROW_MAX_MEDIAN] = {SHARE(row_max_median), .unit = "", .label = "median row-max",
                                .help = "median over rows of the largest weight"},
    [MEASURE_LOG_ONE_MINUS_ROW_MAX_MEAN] = {REAL(log_one_minus_row_max_mean), .unit = "nats",
                                            .label = "saturation depth",
                                            .help = "mean of ln(1 - row-max); finite where the row "
                                                    "prints as one-hot"},
    [MEASURE_ENTROPY_MEAN] = {REAL(entropy_mean), .unit = "nats", .label = "entropy",
                              .help = "mean entropy of a row of weights"},
    [MEASURE_EFFECTIVE_KEYS_MEAN] = {REAL(effective_keys_mean), .unit = "keys",
                                     .label = "effective keys",
                                     .help = "mean of exp(entropy): how many tokens a row attends"},
    [MEASURE_JACOBIAN_NORM_MEAN] = {REAL(jacobian_norm_mean), .unit = "",
                                    .label = "gradient magnitude",
                                    .help = "mean Frobenius norm of the softmax Jacobian"},
    [MEASURE_JACOBIAN_NORM_MEDIAN] = {REAL(jacobian_norm_median), .unit = "",
                                      .label = "median gradient magnitude",
                                      .help = "median Frobenius norm of the softmax Jacobian"},
    [MEASURE_JACOBIAN_TRACE_MEAN] = {SHARE(jacobian_trace_mean), .unit = "",
                                     .label = "gradient left",
                                     .help = "mean of (1 - sum p^2) / (1 - 1/n); 1 is uniform "
                                             "attention, 0 is one-hot"},
    [MEASURE_GRADIENT_WQ] = {REAL(gradient_wq), .unit = "", .label = "gradient at W_Q",
                             .help = "root mean square gradient norm at W_Q for a unit upstream"},
    [MEASURE_GRADIENT_WK] = {REAL(gradient_wk), .unit = "", .label = "gradient at W_K",
                             .help = "root mean square gradient norm at W_K for a unit upstream"},
    [MEASURE_GRADIENT_WQ_RATIO] = {REAL(gradient_wq_ratio), .unit = "",
                                   .label = "gradient at W_Q, relative",
                                   .help = "the same relative to uniform attention"},
    [MEASURE_GRADIENT_WK_RATIO] = {REAL(gradient_wk_ratio), .unit = "",
                                   .label = "gradient at W_K, relative",
                                   .help = "the same relative to uniform attention"},
    [MEASURE_SATURATED_ROWS] = {SHARE(saturated_rows), .unit = "", .label = "saturated rows",
                                .help = "share of rows whose largest weight reaches the threshold"},
    [MEASURE_NONFINITE] = {INTEGER(nonfinite), .unit = "scores", .label = "non-finite scores",
                           .help = "scores that are NaN or infinite"},
};
