/* SPDX-License-Identifier: MIT */
/* What the tests of attention/weights share: room for a row, random rows, the Jacobian. */
#ifndef WEIGHTS_FIXTURE_H
#define WEIGHTS_FIXTURE_H

#include "attention/weights.h"
#include "base/random.h"
#include "support.h"

#define LONGEST 5000

static double scores[LONGEST];
static double p[LONGEST];
static double slope[LONGEST];
static double share[LONGEST];
static double unshared[LONGEST];
static double remainder_of[LONGEST];
static const struct weights_row row = {p, slope, share, unshared, remainder_of};

static inline void fill(enum run_weights weights, size_t n)
{
    weights_alternatives[weights].fill(n, scores, &row);
}

static inline void set_scores(size_t n, const double *values)
{
    for (size_t j = 0; j < n; j++) {
        scores[j] = values[j];
    }
}

/* Random scores of a spread; returns the number of keys, 1 .. 12. */
static inline size_t random_row(uint32_t number, double spread)
{
    size_t n = 1 + number % 12;
    random_normals(3, RANDOM_TEST, number, 0, n, scores);
    for (size_t j = 0; j < n; j++) {
        scores[j] *= spread;
    }
    return n;
}

/* dp_i / ds_j of the filled row. */
static inline double jacobian(size_t i, size_t j)
{
    return slope[j] * (i == j ? unshared[j] : -share[i]);
}

#endif
