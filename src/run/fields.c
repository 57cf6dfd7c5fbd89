/* SPDX-License-Identifier: MIT */
/* The field table; see fields.h. */
#include "run/fields.h"

#include <float.h>
#include <stddef.h>

static const char *const source_choices[] = {"corpus", "gaussian", "arrays", "scores", NULL};
static const char *const unknown_choices[] = {"error", "skip", NULL};
static const char *const learner_choices[] = {"count-svd", "log-count-svd", "ppmi-svd", "random",
                                              "sgns",      "glove",         NULL};
static const char *const position_choices[] = {"sinusoidal", "none", "rope", NULL};
static const char *const rope_pairs_choices[] = {"halves", "adjacent", NULL};
static const char *const draw_choices[] = {"weights", "collapsed", NULL};
static const char *const upstream_choices[] = {"expected", "drawn", NULL};
static const char *const norm_choices[] = {"layer", "rms", NULL};
static const char *const qk_norm_choices[] = {"none", "l2", "layer", "rms", NULL};
static const char *const score_scale_choices[] = {"sqrt", "linear", "log_n", NULL};
static const char *const mask_choices[] = {"none", "causal", NULL};
static const char *const weights_choices[] = {
    "softmax",  "softmax_plus_one", "sigmoid", "sparsemax", "entmax15",
    "softplus", "square",           "sum",     "argmax",    NULL};
static const char *const precision_choices[] = {"fp64",     "fp32",     "fp16", "bf16",
                                                "fp8_e4m3", "fp8_e5m2", NULL};

#define CORPUS FIELD_FOR_CORPUS
#define GAUSSIAN FIELD_FOR_GAUSSIAN
#define ARRAYS FIELD_FOR_ARRAYS
#define SCORES FIELD_FOR_SCORES
#define HEADS FIELD_FOR_HEADS
#define ALL FIELD_FOR_ALL
#define PPMI (1U << LEARNER_PPMI_SVD)
#define SGNS (1U << LEARNER_SGNS)
#define GLOVE (1U << LEARNER_GLOVE)
#define BY_SVD (1U << LEARNER_COUNT_SVD | 1U << LEARNER_LOG_COUNT_SVD | PPMI)
#define BY_STEPS (SGNS | GLOVE)
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
                    .maximum = 1000, .fallback = "5", .sources = CORPUS,
                    .learners = BY_SVD | BY_STEPS, .label = "co-occurrence window",
                    .help = "words to each side that count as neighbours; 15 for glove"},
    [RUN_POWER] = {MEMBER(power), .kind = FIELD_REAL, .unit = "", .minimum = 0, .maximum = 2,
                   .fallback = "0.5", .sources = CORPUS, .learners = BY_SVD,
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
    [RUN_NEGATIVE] = {MEMBER(negative), .kind = FIELD_INTEGER, .unit = "", .minimum = 1,
                      .maximum = 1000, .fallback = "5", .sources = CORPUS, .learners = SGNS,
                      .label = "negative samples",
                      .help = "sgns: words drawn against each neighbour"},
    [RUN_SUBSAMPLE] = {MEMBER(subsample), .kind = FIELD_REAL, .unit = "", .minimum = 0,
                       .maximum = 1, .fallback = "1e-3", .sources = CORPUS, .learners = SGNS,
                       .label = "subsampling",
                       .help = "sgns: words more frequent than this share are passed over now and "
                               "then; 0 keeps all"},
    [RUN_EPOCHS] = {MEMBER(epochs), .kind = FIELD_INTEGER, .unit = "passes", .minimum = 1,
                    .maximum = 10000, .fallback = "5", .sources = CORPUS, .learners = BY_STEPS,
                    .label = "epochs",
                    .help = "sgns, glove: passes over the corpus or its counts; "
                            "25 for glove"},
    [RUN_LEARNING_RATE] = {MEMBER(learning_rate), .kind = FIELD_REAL, .unit = "", .minimum = 1e-9,
                           .maximum = 10, .fallback = "0.025", .sources = CORPUS,
                           .learners = BY_STEPS, .label = "learning rate",
                           .help = "sgns, glove: size of the first steps; 0.05 for glove"},
    [RUN_X_MAX] = {MEMBER(x_max), .kind = FIELD_REAL, .unit = "", .minimum = 1e-9, .maximum = 1e12,
                   .fallback = "100", .sources = CORPUS, .learners = GLOVE, .label = "x_max",
                   .help = "glove: counts from this on weigh alike"},
    [RUN_ALPHA] = {MEMBER(alpha), .kind = FIELD_REAL, .unit = "", .minimum = 0, .maximum = 10,
                   .fallback = "0.75", .sources = CORPUS, .learners = GLOVE, .label = "alpha",
                   .help = "glove: exponent of the weight of counts below x_max"},
    [RUN_LEARNER_SEED] = {MEMBER(learner_seed), .kind = FIELD_INTEGER, .unit = "", .minimum = 0,
                          .maximum = 9007199254740991.0, .fallback = "1", .sources = CORPUS,
                          .learners = BY_STEPS, .label = "learner seed",
                          .help = "sgns, glove: names the random draw of start and order"},
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
    [RUN_ORTHOGONAL] = {MEMBER(orthogonal), .kind = FIELD_SWITCH, .unit = "", .fallback = "off",
                        .sources = GAUSSIAN, .label = "orthogonal",
                        .help = "make the rows of the gaussian input orthogonal, each of length "
                                "input_spread times the root of d_model"},
    [RUN_X] = {FILE_MEMBER(x), .unit = "", .sources = ARRAYS, .label = "X file",
               .help = "input X (tokens, d_model) in a file: .npy, or PATH:DATASET "
                       "of an HDF5 or safetensors file"},
    [RUN_W_Q] = {FILE_MEMBER(w_q), .unit = "", .sources = ARRAYS, .label = "W_Q file",
                 .help = "unit draw of W_Q (d_model, d_k) in a file; drawn by seed when not given"},
    [RUN_W_K] = {FILE_MEMBER(w_k), .unit = "", .sources = ARRAYS, .label = "W_K file",
                 .help = "unit draw of W_K (d_model, d_k) in a file; drawn by seed when not given"},
    [RUN_WEIGHTS_AS_GIVEN] = {MEMBER(weights_as_given), .kind = FIELD_SWITCH, .unit = "",
                              .fallback = "off", .sources = ARRAYS, .label = "weights as given",
                              .help = "use w_q and w_k as they are: guard_init divides nothing"},
    [RUN_Q] = {FILE_MEMBER(q), .unit = "", .sources = ARRAYS, .label = "Q file",
               .help = "queries (queries, d_k) in a file, instead of x; needs k"},
    [RUN_K] = {FILE_MEMBER(k), .unit = "", .sources = ARRAYS, .label = "K file",
               .help = "keys (tokens, d_k) in a file, instead of x; needs q"},
    [RUN_TRANSPOSED] = {MEMBER(transposed), .kind = FIELD_SWITCH, .unit = "", .fallback = "off",
                        .sources = ARRAYS, .label = "weights transposed",
                        .help = "w_q and w_k are (d_k, d_model), as PyTorch's Linear stores them"},
    [RUN_HEADS] = {MEMBER(heads), .kind = FIELD_INTEGER, .unit = "heads", .minimum = 1,
                   .maximum = 65536, .fallback = "1", .sources = ARRAYS, .label = "heads",
                   .help = "heads that w_q or q holds side by side, each d_k wide"},
    [RUN_KEY_HEADS] = {MEMBER(key_heads), .kind = FIELD_INTEGER, .unit = "heads", .minimum = 0,
                       .maximum = 65536, .fallback = "0", .sources = ARRAYS, .label = "key heads",
                       .help = "heads that w_k or k holds, shared by groups of query heads; 0: as "
                               "many as heads"},
    [RUN_HEAD] = {MEMBER(head), .kind = FIELD_INTEGER, .unit = "", .minimum = 0, .maximum = 65535,
                  .fallback = "0", .sources = ARRAYS, .label = "head",
                  .help = "the head that is measured; the first is 0"},
    [RUN_SCORES] = {MEMBER(scores), .kind = FIELD_ROWS, .unit = "", .sources = SCORES,
                    .label = "scores given",
                    .help = "a list of scores, or a list of rows of them; -.inf is a masked key"},
    [RUN_SCORE_FACTOR] = {MEMBER(score_factor), .kind = FIELD_REAL, .unit = "", .minimum = -1e300,
                          .maximum = 1e300, .fallback = "1", .sources = ALL,
                          .label = "score factor",
                          .help = "multiplies every score: one over a temperature"},
    [RUN_POSITION] = {MEMBER(position), .kind = FIELD_CHOICE, .choices = position_choices,
                      .unit = "", .fallback = "sinusoidal", .sources = HEADS, .label = "position",
                      .help = "positional encoding: sinusoidal is added to the input, rope rotates "
                              "queries and keys and adds nothing, as none; none for arrays"},
    [RUN_ROPE_BASE] = {MEMBER(rope_base), .kind = FIELD_REAL, .unit = "", .minimum = 1,
                       .maximum = 1e12, .fallback = "10000", .sources = HEADS, .label = "rope base",
                       .help = "longest wavelength of rope, over 2 pi"},
    [RUN_ROPE_PAIRS] = {MEMBER(rope_pairs), .kind = FIELD_CHOICE, .choices = rope_pairs_choices,
                        .unit = "", .fallback = "halves", .sources = HEADS, .label = "rope pairs",
                        .help = "columns that rope turns together: i with i + d_k/2, or with the "
                                "next"},
    [RUN_D_MODEL] = {MEMBER(d_model), .kind = FIELD_INTEGER, .unit = "dimensions", .minimum = 1,
                     .maximum = SIZE_LIMIT, .fallback = "64", .sources = HEADS,
                     .label = "model width d_model",
                     .help = "width of the input; with source arrays that of x, and 0 without x"},
    [RUN_D_K] = {MEMBER(d_k), .kind = FIELD_INTEGER, .unit = "dimensions", .minimum = 1,
                 .maximum = SIZE_LIMIT, .fallback = "64", .sources = HEADS,
                 .label = "key dimension d_k",
                 .help = "width of queries and keys; with source arrays that of the files"},
    [RUN_SEED] = {MEMBER(seed), .kind = FIELD_INTEGER, .unit = "", .minimum = 0,
                  .maximum = 9007199254740991.0, .fallback = "1", .sources = HEADS, .label = "seed",
                  .help = "names the random draw of the projections and of a gaussian input"},
    [RUN_DRAW] = {MEMBER(draw), .kind = FIELD_CHOICE, .choices = draw_choices, .unit = "",
                  .fallback = "weights", .sources = HEADS, .label = "draw",
                  .help = "how projections are drawn: every weight, or no more numbers than the "
                          "tokens can tell apart, with the same law for every measure"},
    [RUN_UPSTREAM] =
        {MEMBER(upstream), .kind = FIELD_CHOICE, .choices = upstream_choices, .unit = "",
         .fallback = "expected", .sources = HEADS, .label = "upstream",
         .help = "gradients at W_Q and W_K: their root mean square over all upstream gradients, or "
                 "their size for one that is drawn by seed"},
    [RUN_GUARD_INIT] = {MEMBER(guard_init), .kind = FIELD_SWITCH, .unit = "", .fallback = "off",
                        .sources = HEADS, .label = "guard init",
                        .help = "draw projections with variance 1/d_model instead of 1"},
    [RUN_GUARD_SCALE] =
        {MEMBER(guard_scale), .kind = FIELD_SWITCH, .unit = "", .fallback = "off", .sources = HEADS,
         .label = "guard scale",
         .help = "scale the scores: divide them by the square root of d_k, or see score_scale"},
    [RUN_GUARD_NORM] = {MEMBER(guard_norm), .kind = FIELD_SWITCH, .unit = "", .fallback = "off",
                        .sources = HEADS, .label = "guard norm",
                        .help = "normalise each row of the input"},
    [RUN_NORM] = {MEMBER(norm), .kind = FIELD_CHOICE, .choices = norm_choices, .unit = "",
                  .fallback = "layer", .sources = HEADS, .label = "norm",
                  .help = "how guard_norm normalises: mean and variance, or mean square"},
    [RUN_NORM_EPSILON] =
        {MEMBER(norm_epsilon), .kind = FIELD_REAL, .unit = "", .minimum = 0, .maximum = 1e6,
         .fallback = "1e-5", .sources = HEADS, .label = "norm epsilon",
         .help = "added to the variance under the root of guard_norm, and of qk_norm layer or "
                 "rms"},
    [RUN_QK_NORM] = {MEMBER(qk_norm), .kind = FIELD_CHOICE, .choices = qk_norm_choices, .unit = "",
                     .fallback = "none", .sources = HEADS, .label = "query/key norm",
                     .help = "normalise each query and key: to length 1 (l2, see qk_gain), or like "
                             "norm; before rope"},
    [RUN_QK_GAIN] = {MEMBER(qk_gain), .kind = FIELD_REAL, .unit = "", .minimum = 0,
                     .maximum = 1e150, .fallback = "1", .sources = HEADS, .label = "query/key gain",
                     .help = "multiplies the scores of normalised queries and keys: of l2 they lie "
                             "within it, so that at 1 all weights are nearly equal; take some 10, "
                             "with guard_scale off"},
    [RUN_SCORE_SCALE] = {MEMBER(score_scale), .kind = FIELD_CHOICE, .choices = score_scale_choices,
                         .unit = "", .fallback = "sqrt", .sources = HEADS, .label = "score scale",
                         .help = "what guard_scale multiplies by: 1/sqrt(d_k), 1/d_k, or "
                                 "ln(keys of the row)/sqrt(d_k)"},
    [RUN_SOFTCAP] = {MEMBER(softcap), .kind = FIELD_REAL, .unit = "", .minimum = 0,
                     .maximum = 1e300, .fallback = "0", .sources = ALL, .label = "soft cap",
                     .help = "scores become cap tanh(score / cap); 0 caps nothing"},
    [RUN_MASK] = {MEMBER(mask), .kind = FIELD_CHOICE, .choices = mask_choices, .unit = "",
                  .fallback = "none", .sources = ALL, .label = "mask",
                  .help = "causal: a token sees itself and the tokens before it"},
    [RUN_WEIGHTS] = {MEMBER(weights), .kind = FIELD_CHOICE, .choices = weights_choices, .unit = "",
                     .fallback = "softmax", .sources = ALL, .label = "weights",
                     .help = "how a row of scores becomes weights"},
    [RUN_PRECISION] = {MEMBER(precision), .kind = FIELD_CHOICE, .choices = precision_choices,
                       .unit = "", .fallback = "fp64", .sources = ALL, .label = "precision",
                       .help = "format that scores are rounded to before they become weights"},
    [RUN_STABILISE] = {MEMBER(stabilise), .kind = FIELD_SWITCH, .unit = "", .fallback = "on",
                       .sources = ALL, .label = "stabilise",
                       .help = "subtract the largest score before exp; off shows where the plain "
                               "form breaks in the given precision"},
    [RUN_SATURATION_ROW_MAX] = {MEMBER(saturation_row_max), .kind = FIELD_REAL, .unit = "",
                                .minimum = 0, .maximum = 1, .fallback = "0.9", .sources = ALL,
                                .label = "saturation threshold",
                                .help = "a row is saturated when its largest weight reaches this"},
    [RUN_SATURATION_GRADIENT] = {MEMBER(saturation_gradient), .kind = FIELD_REAL, .unit = "",
                                 .minimum = 0, .maximum = 1e6, .fallback = "0.1", .sources = ALL,
                                 .judges = true, .label = "gradient threshold",
                                 .help = "a report tells where the mean gradient magnitude falls "
                                         "below this; no run depends on it"},
};

#define MEASURE(member) .name = #member, .offset = offsetof(struct measurement, member)
#define INTEGER(member) MEASURE(member), .kind = FIELD_INTEGER
#define REAL(member) MEASURE(member), .kind = FIELD_REAL
#define SHARE(member) REAL(member), .maximum = 1

const struct field measurement_fields[MEASUREMENT_FIELD_COUNT] = {
    [MEASURE_CORPUS_SENTENCES] = {INTEGER(corpus_sentences), .unit = "sentences",
                                  .label = "sentences", .help = "sentences read from the corpus",
                                  .range = "from 0", .section = "Input"},
    [MEASURE_CORPUS_WORDS] = {INTEGER(corpus_words), .unit = "words", .label = "words",
                              .help = "word tokens in those sentences", .range = "from 0",
                              .section = "Input"},
    [MEASURE_VOCABULARY] = {INTEGER(vocabulary), .unit = "words", .label = "vocabulary",
                            .help = "distinct words kept", .range = "from 0",
                            .section = "Learning word vectors"},
    [MEASURE_TOKENS] = {INTEGER(tokens), .unit = "tokens", .label = "tokens",
                        .help = "keys that a row of weights is spread over", .range = "from 1",
                        .section = "The pipeline"},
    [MEASURE_QUERIES] = {INTEGER(queries), .unit = "rows", .label = "queries",
                         .help = "rows of scores", .range = "from 1", .section = "The pipeline"},
    [MEASURE_RAW_INPUT_STD] = {REAL(raw_input_std), .unit = "", .label = "raw input spread",
                               .help = "standard deviation of X before the input guard",
                               .range = "from 0", .section = "Numbers over rows, runs and seeds"},
    [MEASURE_INPUT_STD] = {REAL(input_std), .unit = "", .label = "input spread",
                           .help = "standard deviation of X after the input guard",
                           .range = "from 0", .section = "Numbers over rows, runs and seeds"},
    [MEASURE_INPUT_RMS] = {REAL(input_rms), .unit = "", .label = "input RMS",
                           .help = "root mean square of X after the input guard", .range = "from 0",
                           .section = "Numbers over rows, runs and seeds"},
    [MEASURE_INPUT_TOKEN_STD] =
        {REAL(input_token_std), .unit = "", .label = "spread of tokens",
         .help = "root mean square of X about its mean row: what makes keys differ",
         .range = "from 0", .section = "Numbers over rows, runs and seeds"},
    [MEASURE_Q_NORM] = {REAL(q_norm), .unit = "", .label = "query length",
                        .help = "mean length of a query, after the query/key guard",
                        .range = "from 0", .section = "Numbers over rows, runs and seeds"},
    [MEASURE_K_NORM] = {REAL(k_norm), .unit = "", .label = "key length",
                        .help = "mean length of a key, after the query/key guard",
                        .range = "from 0", .section = "Numbers over rows, runs and seeds"},
    [MEASURE_SCORE_STD] = {REAL(score_std), .unit = "", .label = "score spread",
                           .help = "standard deviation of all scores, after the score guard",
                           .range = "from 0", .section = "Numbers over rows, runs and seeds"},
    [MEASURE_SCORE_ROW_STD] = {REAL(score_row_std), .unit = "", .label = "score spread in a row",
                               .help = "root of the mean variance within a row, all softmax sees",
                               .range = "from 0", .section = "Numbers over rows, runs and seeds"},
    [MEASURE_SCORE_ABS_MAX] = {REAL(score_abs_max), .unit = "", .label = "largest score",
                               .help = "largest magnitude of a score", .range = "from 0",
                               .section = "Numbers over rows, runs and seeds"},
    [MEASURE_MAX_LOGIT] = {REAL(max_logit), .unit = "", .label = "max logit",
                           .help = "largest score, with its sign, scaled and not masked",
                           .range = "any number", .section = "Numbers over rows, runs and seeds"},
    [MEASURE_PREDICTED_SCORE_STD] =
        {REAL(predicted_score_std), .unit = "", .label = "score spread predicted",
         .help = "score spread expected over the draw of the projections, from X alone",
         .range = "from 0", .section = "Predicted spreads"},
    [MEASURE_PREDICTED_SCORE_ROW_STD] = {REAL(predicted_score_row_std), .unit = "",
                                         .label = "score spread in a row predicted",
                                         .help = "spread of scores within a row expected over the "
                                                 "draw of the projections, from X alone",
                                         .range = "from 0", .section = "Predicted spreads"},
    [MEASURE_ROW_MAX_MEAN] = {SHARE(row_max_mean), .unit = "", .label = "mean row-max",
                              .help = "mean over rows of max p, the largest weight; 1 is one-hot",
                              .range = "1/n to 1 where the weights of n keys are shares",
                              .section = "A row"},
    [MEASURE_ROW_MAX_MEDIAN] = {SHARE(row_max_median), .unit = "", .label = "median row-max",
                                .help = "median over rows of the largest weight",
                                .range = "1/n to 1 where the weights of n keys are shares",
                                .section = "A row"},
    [MEASURE_LOG_ONE_MINUS_ROW_MAX_MEAN] =
        {REAL(log_one_minus_row_max_mean), .unit = "nats", .label = "saturation depth",
         .help = "mean of ln(1 - row-max); finite where the row prints as one-hot",
         .range = "-infinity to 0", .section = "A row"},
    [MEASURE_ENTROPY_MEAN] = {REAL(entropy_mean), .unit = "nats", .label = "entropy",
                              .help = "mean over rows of the entropy -sum p ln p of the weights",
                              .range = "0 one-hot, ln n uniform", .section = "A row"},
    [MEASURE_ENTROPY_NORMALISED_MEAN] =
        {SHARE(entropy_normalised_mean), .unit = "", .label = "normalised entropy",
         .help = "mean of entropy / ln n, its value for n uniform weights",
         .range = "0 one-hot, 1 uniform", .section = "A row"},
    [MEASURE_EFFECTIVE_KEYS_MEAN] =
        {REAL(effective_keys_mean), .unit = "keys", .label = "effective keys",
         .help = "mean over rows of exp(entropy): how many tokens a row attends",
         .range = "1 one-hot, n uniform", .section = "A row"},
    [MEASURE_WEIGHT_SUM_MEAN] = {REAL(weight_sum_mean), .unit = "", .label = "sum of weights",
                                 .help = "mean over rows of the sum of the weights",
                                 .range = "1 for shares", .section = "A row"},
    [MEASURE_MAX_COLUMN_MEAN] = {SHARE(max_column_mean), .unit = "", .label = "largest sink",
                                 .help = "largest over keys of the mean weight that they receive: "
                                         "near 1, all rows attend to one key",
                                 .range = "1/n to 1 for shares",
                                 .section = "Numbers over rows, runs and seeds"},
    [MEASURE_JACOBIAN_NORM_MEAN] =
        {REAL(jacobian_norm_mean), .unit = "", .label = "gradient magnitude",
         .help = "mean over rows of |J|, the Frobenius norm of the Jacobian of the weights by the "
                 "scores; J = diag(p) - p p^T for softmax",
         .range = "0 to 1/2 for softmax, sqrt(n-1)/n for uniform weights; from 0 for others",
         .section = "A row"},
    [MEASURE_JACOBIAN_NORM_MEDIAN] = {REAL(jacobian_norm_median), .unit = "",
                                      .label = "median gradient magnitude",
                                      .help = "median over rows of |J|, the Frobenius norm of the "
                                              "Jacobian of the weights by the scores",
                                      .range = "0 to 1/2 for softmax; from 0 for others",
                                      .section = "A row"},
    [MEASURE_JACOBIAN_RMS] =
        {REAL(jacobian_rms), .unit = "", .label = "RMS gradient magnitude",
         .help = "root of the mean over rows of |J|^2, the squared Frobenius norm of the Jacobian",
         .range = "0 to 1/2 for softmax; from 0 for others", .section = "A row"},
    [MEASURE_JACOBIAN_TRACE_MEAN] = {SHARE(jacobian_trace_mean), .unit = "",
                                     .label = "gradient left",
                                     .help =
                                         "mean over rows of tr J / (1 - 1/n), (1 - sum p^2) / (1 - "
                                         "1/n) for softmax; 1 is uniform attention, 0 is one-hot",
                                     .range = "0 one-hot, 1 uniform for softmax; any for others",
                                     .section = "A row"},
    [MEASURE_JACOBIAN_TRACE_MEDIAN] =
        {SHARE(jacobian_trace_median), .unit = "", .label = "median gradient left",
         .help = "median over rows of tr J / (1 - 1/n), (1 - sum p^2) / (1 - 1/n) for softmax",
         .range = "0 one-hot, 1 uniform for softmax; any for others", .section = "A row"},
    [MEASURE_GRADIENT_WQ] =
        {REAL(gradient_wq), .unit = "", .label = "gradient at W_Q",
         .help = "root mean square gradient norm at W_Q for a unit upstream: c "
                 "sqrt(sum over rows of |x|^2 |J K|^2), c the factor on the scores; "
                 "or the norm for one upstream that is drawn",
         .range = "from 0", .section = "Gradients"},
    [MEASURE_GRADIENT_WK] =
        {REAL(gradient_wk), .unit = "", .label = "gradient at W_K",
         .help = "root mean square gradient norm at W_K for a unit upstream: c "
                 "sqrt(sum over rows of |q|^2 |J X|^2), c the factor on the scores; "
                 "or the norm for one upstream that is drawn",
         .range = "from 0", .section = "Gradients"},
    [MEASURE_GRADIENT_WQ_RATIO] = {REAL(gradient_wq_ratio), .unit = "",
                                   .label = "gradient at W_Q, relative",
                                   .help =
                                       "gradient_wq over its value under uniform softmax weights",
                                   .range = "0 one-hot, 1 uniform, at times more between",
                                   .section = "Gradients"},
    [MEASURE_GRADIENT_WK_RATIO] = {REAL(gradient_wk_ratio), .unit = "",
                                   .label = "gradient at W_K, relative",
                                   .help =
                                       "gradient_wk over its value under uniform softmax weights",
                                   .range = "0 one-hot, 1 uniform, at times more between",
                                   .section = "Gradients"},
    [MEASURE_SATURATED_ROWS] = {SHARE(saturated_rows), .unit = "", .label = "saturated rows",
                                .help = "share of rows whose largest weight reaches the threshold",
                                .range = "0 to 1", .section = "Numbers over rows, runs and seeds"},
    [MEASURE_UNDEFINED_ROWS] =
        {INTEGER(undefined_rows), .unit = "rows", .label = "undefined rows",
         .help =
             "rows without weights: all keys masked, or a score that is NaN or +infinite, or 0/0",
         .range = "0 to the number of rows", .section = "A row"},
    [MEASURE_NONFINITE] = {INTEGER(nonfinite), .unit = "scores", .label = "non-finite scores",
                           .help = "scores that are NaN or infinite", .range = "from 0",
                           .section = "A row"},
};
