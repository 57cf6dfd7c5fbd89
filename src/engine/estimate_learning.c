/* SPDX-License-Identifier: MIT */
/* What word vectors take to learn; see estimate.h. */
#include "engine/engine_internal.h"

#include <math.h>

/* By learner: seconds of an operation; what a step takes beside its arithmetic, as so many further
 * dimensions; how many times as long it takes where caches do not hold the vectors; and bytes for
 * each element of all word vectors, and for each two words that meet. Random ones are drawn in no
 * time. */
static const struct {
    double seconds, dimensions, far, bytes, entry_bytes;
} learners[] = {
    [LEARNER_COUNT_SVD] = {2.2e-10, 10, 1, 45, 34},
    [LEARNER_LOG_COUNT_SVD] = {2.2e-10, 15, 1, 45, 34},
    [LEARNER_PPMI_SVD] = {3.3e-10, 10, 1, 45, 52},
    [LEARNER_RANDOM] = {0, 0, 1, 16, 0},
    [LEARNER_SGNS] = {5.5e-11, 50, 1.8, 16, 0},
    [LEARNER_GLOVE] = {3.1e-10, 8, 1.3, 60, 36},
};
#define VECTORS_AT_HAND 5e5 /* elements */

/* Words that meet, each two once: all of a sentence in a window as wide, at its ends fewer, and the
 * more there are the more met before. */
static double words_that_meet(const struct vocabulary *vocabulary, double window)
{
    double tokens = (double)vocabulary->tokens;
    double words = (double)vocabulary->count;
    double length = fmax(tokens / fmax((double)vocabulary->sentences, 1), 1);
    double others = window >= length - 1 ? length - 1 : 2 * window - window * (window + 1) / length;
    return fmin(1.35 * pow(tokens * others, 0.925), words * words);
}

double estimate_learning_operations(const struct input *input)
{
    const struct run *run = input->sample; /* all that decides the vectors is the same in all */
    if (input->learning == 0 || input->vocabulary == NULL) {
        return 0;
    }
    double d = (double)run->d_model;
    double words = (double)input->vocabulary->vocabulary.count;
    double near = 2 * (double)run->window * (double)input->vocabulary->vocabulary.tokens;
    double pairs = fmin(near, words * words);
    switch (run->learner) {
    case LEARNER_RANDOM:
        return 20 * words * d;
    case LEARNER_SGNS:
        return 3 * (double)run->epochs * near * (double)(run->negative + 1) * d;
    case LEARNER_GLOVE:
        return 10 * (double)run->epochs * d *
               words_that_meet(&input->vocabulary->vocabulary, (double)run->window);
    default:
        /* Products with the matrix of counts, some for each vector, and their orthogonalisation. */
        return 12 * pairs * d + 20 * words * d * d;
    }
}

double estimate_learning(const struct input *input)
{
    const struct run *run = input->sample;
    double operations = estimate_learning_operations(input);
    if (operations <= 0) {
        return 0;
    }
    double d = (double)run->d_model;
    bool far = (double)input->vocabulary->vocabulary.count * d > VECTORS_AT_HAND;
    return operations * learners[run->learner].seconds *
           (1 + learners[run->learner].dimensions / d) * (far ? learners[run->learner].far : 1);
}

double estimate_learning_bytes(const struct input *input)
{
    const struct run *run = input->sample;
    if (input->vocabulary == NULL) {
        return 0;
    }
    const struct vocabulary *vocabulary = &input->vocabulary->vocabulary;
    double words = (double)vocabulary->count;
    /* One in three neighbours is one not met before. */
    double met = 2 * (double)run->window * (double)vocabulary->kept / 3;
    return words * (double)run->d_model * learners[run->learner].bytes +
           fmin(met, words * words) * learners[run->learner].entry_bytes;
}
