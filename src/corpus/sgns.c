/* SPDX-License-Identifier: MIT */
/* Skip-gram with negative sampling, as word2vec does it; see embedding.h. The word in the middle of
 * a window is what each of its neighbours has to tell from noise: the neighbour gives the word
 * vector, the middle and the noise give context vectors. */
#include "corpus/corpus_internal.h"

#include <math.h>

#define NOISE_POWER 0.75
#define LEAST_RATE 1e-4 /* of the first */

/* A sentence without the words that were passed over. */
struct kept {
    size_t length;
    uint32_t *ids;
    size_t *places; /* among all words of all passes, those passed over included */
};

struct training {
    const struct embedding_options *options;
    struct sgns_model model;
    struct alias noise;
    double *keep; /* each word's chance to stay */
    struct draws draws;
    struct kept kept;
    uint32_t *targets; /* of one step */
    double *sum;
    size_t words_read;
    double words_in_all;
};

/* s(x); never the exponential of a large number. */
PART_OF_TARGETS double logistic(double x)
{
    double tail = exp(-fabs(x));
    return x < 0 ? tail / (1 + tail) : 1 / (1 + tail);
}

MANY_TARGETS_VOID(step_up,
                  (size_t d, double rate, double *restrict word, double *restrict contexts,
                   const uint32_t *targets, size_t count, double *restrict sum),
                  (d, rate, word, contexts, targets, count, sum))
{
    for (size_t k = 0; k < d; k++) {
        sum[k] = 0;
    }
    for (size_t t = 0; t < count; t++) {
        double *context = contexts + targets[t] * d;
        double label = t == 0;
        double step = rate * (label - logistic(steps_dot(d, word, context)));
        for (size_t k = 0; k < d; k++) {
            sum[k] += step * context[k];
            context[k] += step * word[k];
        }
    }
    for (size_t k = 0; k < d; k++) {
        word[k] += sum[k];
    }
}

void sgns_step(size_t d, double rate, double *restrict word, double *restrict contexts,
               const uint32_t *targets, size_t count, double *restrict sum)
{
    step_up(d, rate, word, contexts, targets, count, sum);
}

/* Counts the words that the vocabulary keeps; their number. */
static size_t count_words(const struct corpus *corpus, const struct vocabulary *vocabulary,
                          double *counts)
{
    size_t total = 0;
    for (size_t i = 0; i < vocabulary->tokens; i++) {
        uint32_t id = vocabulary->ids[corpus->tokens[i]];
        if (id != VOCABULARY_NONE) {
            counts[id]++;
            total++;
        }
    }
    return total;
}

static size_t longest_sentence(const struct corpus *corpus, const struct vocabulary *vocabulary)
{
    size_t longest = 0;
    for (size_t s = 0; s < vocabulary->sentences; s++) {
        size_t length = corpus->sentence_start[s + 1] - corpus->sentence_start[s];
        longest = length > longest ? length : longest;
    }
    return longest;
}

static bool prepare_chances(struct training *training, const struct corpus *corpus,
                            const struct vocabulary *vocabulary, struct arena *scratch,
                            struct error *err)
{
    size_t words = vocabulary->count;
    double *counts = arena_alloc(scratch, words, sizeof *counts, err);
    double *weights = arena_alloc(scratch, words, sizeof *weights, err);
    training->keep = arena_alloc(scratch, words, sizeof *training->keep, err);
    if (counts == NULL || weights == NULL || training->keep == NULL) {
        return false;
    }
    double total = (double)count_words(corpus, vocabulary, counts);
    training->words_in_all = total * (double)training->options->epochs;
    double threshold = training->options->subsample;
    for (size_t id = 0; id < words; id++) {
        double relative = threshold / (counts[id] / total);
        training->keep[id] = threshold == 0 ? 1 : sqrt(relative) + relative;
        weights[id] = pow(counts[id], NOISE_POWER);
    }
    return alias_make(weights, words, scratch, scratch, &training->noise, err);
}

static bool prepare(struct training *training, const struct corpus *corpus,
                    const struct vocabulary *vocabulary, struct arena *arena, struct arena *scratch,
                    struct error *err)
{
    const struct embedding_options *options = training->options;
    struct sgns_model *model = &training->model;
    struct kept *kept = &training->kept;
    size_t d = options->dimension;
    size_t longest = longest_sentence(corpus, vocabulary);
    model->words = arena_alloc(arena, vocabulary->count, d * sizeof *model->words, err);
    model->contexts = arena_alloc(scratch, vocabulary->count, d * sizeof *model->contexts, err);
    kept->ids = arena_alloc(scratch, longest, sizeof *kept->ids, err);
    kept->places = arena_alloc(scratch, longest, sizeof *kept->places, err);
    training->targets = arena_alloc(scratch, options->negative + 1, sizeof(uint32_t), err);
    training->sum = arena_alloc(scratch, d, sizeof *training->sum, err);
    if (model->words == NULL || model->contexts == NULL || kept->ids == NULL ||
        kept->places == NULL || training->targets == NULL || training->sum == NULL) {
        return false;
    }
    steps_start(options->seed, RANDOM_START, vocabulary->count, d, (double)d, model->words);
    draws_init(&training->draws, options->seed);
    return prepare_chances(training, corpus, vocabulary, scratch, err);
}

static void read_sentence(struct training *training, const struct vocabulary *vocabulary,
                          const uint32_t *tokens, size_t count)
{
    struct kept *kept = &training->kept;
    kept->length = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t id = vocabulary->ids[tokens[i]];
        if (id == VOCABULARY_NONE) {
            continue;
        }
        double keep = training->keep[id];
        if (keep >= 1 || draws_next(&training->draws) < keep) {
            kept->ids[kept->length] = id;
            kept->places[kept->length++] = training->words_read;
        }
        training->words_read++;
    }
}

/* The word in the middle first, then the noise. A word of noise that is the one in the middle is
 * left out, not drawn again. */
static size_t draw_targets(struct training *training, uint32_t middle)
{
    size_t count = 0;
    training->targets[count++] = middle;
    for (size_t k = 0; k < training->options->negative; k++) {
        uint32_t drawn = alias_draw(&training->noise, &training->draws);
        if (drawn != middle) {
            training->targets[count++] = drawn;
        }
    }
    return count;
}

static void learn_window(struct training *training, size_t middle)
{
    const struct kept *kept = &training->kept;
    const struct embedding_options *options = training->options;
    size_t d = options->dimension;
    double left = 1 - (double)kept->places[middle] / training->words_in_all;
    double rate = options->learning_rate * fmax(left, LEAST_RATE);
    size_t reach = 1 + draws_below(&training->draws, options->window);
    size_t first = middle > reach ? middle - reach : 0;
    size_t last = kept->length - 1 - middle > reach ? middle + reach : kept->length - 1;
    for (size_t i = first; i <= last; i++) {
        if (i == middle) {
            continue;
        }
        size_t count = draw_targets(training, kept->ids[middle]);
        sgns_step(d, rate, training->model.words + kept->ids[i] * d, training->model.contexts,
                  training->targets, count, training->sum);
    }
}

static bool learn_pass(struct training *training, const struct corpus *corpus,
                       const struct vocabulary *vocabulary, struct error *err)
{
    for (size_t s = 0; s < vocabulary->sentences; s++) {
        size_t start = corpus->sentence_start[s];
        read_sentence(training, vocabulary, corpus->tokens + start,
                      corpus->sentence_start[s + 1] - start);
        for (size_t i = 0; i < training->kept.length; i++) {
            if (!steps_go_on(training->options->stop, err)) {
                return false;
            }
            learn_window(training, i);
        }
    }
    return true;
}

bool sgns_train(const struct corpus *corpus, const struct vocabulary *vocabulary,
                const struct embedding_options *options, struct arena *arena, struct arena *scratch,
                struct sgns_model *out, struct error *err)
{
    struct training training = {.options = options};
    if (!prepare(&training, corpus, vocabulary, arena, scratch, err)) {
        return false;
    }
    for (size_t pass = 0; pass < options->epochs; pass++) {
        if (!learn_pass(&training, corpus, vocabulary, err)) {
            return false;
        }
    }
    *out = training.model;
    return true;
}

bool embedding_sgns(const struct corpus *corpus, const struct vocabulary *vocabulary,
                    const struct embedding_options *options, struct arena *arena,
                    struct arena *scratch, const double **vectors, struct error *err)
{
    struct sgns_model model;
    if (!sgns_train(corpus, vocabulary, options, arena, scratch, &model, err)) {
        return false;
    }
    *vectors = model.words;
    return true;
}
