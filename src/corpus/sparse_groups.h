/* SPDX-License-Identifier: MIT */
/* Rows of a sparse matrix eight side by side, for vector instructions: entry 0 of all eight, then
 * entry 1. Rows of a group are of like length, and shorter ones end in zeros. */
#ifndef CORPUS_SPARSE_GROUPS_H
#define CORPUS_SPARSE_GROUPS_H

#include "corpus/embedding.h"

#include <stdint.h>

#define SPARSE_GROUP ((size_t)8)

static inline size_t sparse_row_length(const struct cooccurrence *matrix, size_t row)
{
    return matrix->row_start[row + 1] - matrix->row_start[row];
}

struct sparse_groups {
    size_t count;        /* 0 where the matrix is too large for it */
    const size_t *start; /* count + 1, in entries of all eight */
    const double *value;
    const uint16_t *column;
};

/* `rows` by falling length. */
bool sparse_groups_make(const struct cooccurrence *matrix, const uint32_t *rows,
                        struct arena *arena, struct sparse_groups *out,
                        struct error *err) MUST_CHECK;

/* The products of the rows of group g with x, all of which is finite: each one sum over its row in
 * the order of the columns. */
void sparse_groups_multiply(const struct sparse_groups *groups, size_t g, const double *x,
                            double sums[SPARSE_GROUP]);

#endif
