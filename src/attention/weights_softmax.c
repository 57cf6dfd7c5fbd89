/* SPDX-License-Identifier: MIT */
/* The table of alternatives, and the softmax family: softmax, softmax_plus_one, sigmoid and their
 * limit argmax. */
#include "attention/weights.h"

#include "attention/softmax.h"
#include "attention/weights_internal.h"

#include <math.h>
#include <string.h>

const struct weights_alternative weights_alternatives[WEIGHTS_COUNT] = {
    [WEIGHTS_SOFTMAX] = {"softmax", weights_softmax, true, true},
    [WEIGHTS_SOFTMAX_PLUS_ONE] = {"softmax_plus_one", weights_softmax_plus_one, false, false},
    [WEIGHTS_SIGMOID] = {"sigmoid", weights_sigmoid, false, false},
    [WEIGHTS_SPARSEMAX] = {"sparsemax", weights_sparsemax, true, true},
    [WEIGHTS_ENTMAX15] = {"entmax15", weights_entmax15, true, true},
    [WEIGHTS_SOFTPLUS] = {"softplus", weights_softplus, false, true},
    [WEIGHTS_SQUARE] = {"square", weights_square, false, true},
    [WEIGHTS_SUM] = {"sum", weights_sum, false, true},
    [WEIGHTS_ARGMAX] = {"argmax", weights_argmax, true, true},
};

double weights_largest(size_t n, const double *scores)
{
    double largest = scores[0];
    for (size_t j = 1; j < n; j++) {
        largest = scores[j] > largest ? scores[j] : largest;
    }
    return largest;
}

void weights_complement(size_t n, const double *parts, double extra, double total, double *out)
{
    double before = extra;
    for (size_t j = 0; j < n; j++) {
        out[j] = before;
        before += parts[j];
    }
    double after = 0;
    for (size_t j = n; j-- > 0;) {
        out[j] = (out[j] + after) / total;
        after += parts[j];
    }
}

void weights_divide(size_t n, double extra, double total, const struct weights_row *row)
{
    weights_complement(n, row->p, extra, total, row->remainder);
    for (size_t j = 0; j < n; j++) {
        row->p[j] /= total;
        row->slope[j] /= total;
    }
    memcpy(row->share, row->p, n * sizeof *row->share);
    memcpy(row->unshared, row->remainder, n * sizeof *row->unshared);
}

struct row_measures weights_softmax_measured(size_t n, const double *scores,
                                             const struct weights_row *row)
{
    struct row_measures measures = softmax_row(n, scores, row->p);
    for (size_t j = 0; j < n; j++) {
        /* Off the largest p is at most one half. */
        row->remainder[j] = j == measures.arg_max ? measures.others : 1 - row->p[j];
    }
    memcpy(row->slope, row->p, n * sizeof *row->slope);
    memcpy(row->share, row->p, n * sizeof *row->share);
    memcpy(row->unshared, row->remainder, n * sizeof *row->unshared);
    return measures;
}

void weights_softmax(size_t n, const double *scores, const struct weights_row *row)
{
    (void)weights_softmax_measured(n, scores, row);
}

/* The softmax of the row and one more score, 0. */
void weights_softmax_plus_one(size_t n, const double *scores, const struct weights_row *row)
{
    double shift = fmax(0, weights_largest(n, scores));
    double one = exp(-shift);
    double total = one;
    for (size_t j = 0; j < n; j++) {
        row->p[j] = exp(scores[j] - shift);
        row->slope[j] = row->p[j];
        total += row->p[j];
    }
    weights_divide(n, one, total, row);
}

/* p = e^s / (n + e^s), by whichever of e^s / n and n / e^s is at most 1. */
void weights_sigmoid(size_t n, const double *scores, const struct weights_row *row)
{
    double count = (double)n;
    double middle = log(count);
    for (size_t j = 0; j < n; j++) {
        bool upper = scores[j] >= middle;
        double odds = upper ? count * exp(-scores[j]) : exp(scores[j]) / count;
        double more = 1 / (1 + odds);
        double less = odds / (1 + odds);
        row->p[j] = upper ? more : less;
        row->remainder[j] = upper ? less : more;
        row->slope[j] = more * less;
        row->share[j] = 0;
        row->unshared[j] = 1;
    }
}

void weights_argmax(size_t n, const double *scores, const struct weights_row *row)
{
    double largest = weights_largest(n, scores);
    double ties = 0;
    for (size_t j = 0; j < n; j++) {
        ties += scores[j] == largest;
    }
    for (size_t j = 0; j < n; j++) {
        bool first = scores[j] == largest;
        row->p[j] = first ? 1 / ties : 0;
        row->remainder[j] = first ? (ties - 1) / ties : 1;
        row->slope[j] = ties > 1 ? (double)NAN : 0;
        row->share[j] = row->p[j];
        row->unshared[j] = row->remainder[j];
    }
}
