/* SPDX-License-Identifier: MIT */
/* What the learners take the SVD of, made from counts; formulas in embedding.h. */
#include "corpus/embedding.h"

#include <math.h>

bool association_log_count(const struct cooccurrence *counts, struct arena *arena,
                           struct cooccurrence *out, struct error *err)
{
    size_t entries = counts->row_start[counts->order];
    double *values = arena_alloc(arena, entries, sizeof *values, err);
    if (values == NULL) {
        return false;
    }
    for (size_t e = 0; e < entries; e++) {
        values[e] = log1p(counts->count[e]);
    }
    *out = *counts;
    out->count = values;
    return true;
}

/* The sum of each row, which is that of each column: C is symmetric. */
static void add_rows(const struct cooccurrence *counts, double *sums)
{
    for (size_t row = 0; row < counts->order; row++) {
        for (size_t e = counts->row_start[row]; e < counts->row_start[row + 1]; e++) {
            sums[row] += counts->count[e];
        }
    }
}

/* Context counts to the power of the smoothing, and their sum. A word without a context is none. */
static double smooth(size_t order, const double *sums, double smoothing, double *contexts)
{
    double total = 0;
    for (size_t word = 0; word < order; word++) {
        contexts[word] = sums[word] > 0 ? pow(sums[word], smoothing) : 0;
        total += contexts[word];
    }
    return total;
}

bool association_ppmi(const struct cooccurrence *counts, const struct embedding_options *options,
                      struct arena *arena, struct cooccurrence *out, struct error *err)
{
    size_t order = counts->order;
    size_t entries = counts->row_start[order];
    double *sums = arena_alloc(arena, order, sizeof *sums, err);
    double *contexts = arena_alloc(arena, order, sizeof *contexts, err);
    size_t *start = arena_alloc(arena, order + 1, sizeof *start, err);
    uint32_t *column = arena_alloc(arena, entries, sizeof *column, err);
    double *values = arena_alloc(arena, entries, sizeof *values, err);
    if (sums == NULL || contexts == NULL || start == NULL || column == NULL || values == NULL) {
        return false;
    }
    add_rows(counts, sums);
    double total = smooth(order, sums, options->context_smoothing, contexts);
    double shift = log(options->shift);
    size_t kept = 0;
    for (size_t row = 0; row < order; row++) {
        for (size_t e = counts->row_start[row]; e < counts->row_start[row + 1]; e++) {
            uint32_t context = counts->column[e];
            /* One quotient of two products, so that the matrix is symmetric to the last bit where
             * the formula is. */
            double ratio = counts->count[e] * total / (sums[row] * contexts[context]);
            double value = log(ratio) - shift;
            if (value > 0) {
                column[kept] = context;
                values[kept++] = value;
            }
        }
        start[row + 1] = kept;
    }
    *out = (struct cooccurrence){order, start, column, values};
    return true;
}
