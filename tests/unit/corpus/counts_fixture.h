/* SPDX-License-Identifier: MIT */
/* Counts of a text in one call, and sparse matrices against ones written out. */
#ifndef COUNTS_FIXTURE_H
#define COUNTS_FIXTURE_H

#include "corpus/embedding.h"

#include "arena_fixture.h"

#include <string.h>

/* The largest order of a matrix written out. */
#define COUNTS_MOST 8

static inline struct cooccurrence count_by(const char *text, struct embedding_options options)
{
    struct corpus corpus;
    struct vocabulary vocabulary;
    struct cooccurrence counts;
    assert_ok(corpus_parse("text", text, strlen(text), &arena, &corpus, &err), err);
    assert_ok(vocabulary_make(&corpus, &options, &arena, &vocabulary, &err), err);
    assert_ok(cooccurrence_count(&corpus, &vocabulary, &options, &arena, &counts, &err), err);
    ck_assert_uint_eq(counts.order, vocabulary.count);
    return counts;
}

/* Every entry equals the (order, order) array, zeros are not stored, columns rise. */
static inline void check_counts(const struct cooccurrence *matrix, size_t order,
                                const double *wanted, double relative)
{
    ck_assert_uint_eq(matrix->order, order);
    ck_assert_uint_le(order, COUNTS_MOST);
    ck_assert_uint_eq(matrix->row_start[0], 0);
    for (size_t row = 0; row < order; row++) {
        double dense[COUNTS_MOST] = {0};
        for (size_t e = matrix->row_start[row]; e < matrix->row_start[row + 1]; e++) {
            ck_assert(e == matrix->row_start[row] || matrix->column[e] > matrix->column[e - 1]);
            ck_assert(matrix->count[e] > 0);
            dense[matrix->column[e]] = matrix->count[e];
        }
        for (size_t column = 0; column < order; column++) {
            assert_near(dense[column], wanted[row * order + column], relative);
        }
    }
}

#endif
