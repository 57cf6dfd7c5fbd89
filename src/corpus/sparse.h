/* SPDX-License-Identifier: MIT */
/* Products of a sparse matrix with vectors, for the solvers. Each entry of a product is one sum
 * over its row in the order of the columns, whatever the number of hands. */
#ifndef CORPUS_SPARSE_H
#define CORPUS_SPARSE_H

#include "corpus/embedding.h"
#include "corpus/sparse_groups.h"

struct sparse {
    const struct cooccurrence *matrix;
    struct crew *crew;
    const uint32_t *rows;        /* the longest first, so that those side by side are as long */
    struct sparse_groups groups; /* of these; or none */
    size_t part_count;
    const size_t *part_first; /* part_count + 1, in rows */
};

bool sparse_make(const struct cooccurrence *matrix, struct crew *crew, struct arena *arena,
                 struct sparse *out, struct error *err) MUST_CHECK;

/* y = A x; x is finite. */
void sparse_multiply(const struct sparse *sparse, const double *x, double *y);

/* Aᵀ, columns rising within a row. */
bool sparse_transpose(const struct cooccurrence *matrix, struct arena *arena,
                      struct cooccurrence *out, struct error *err) MUST_CHECK;

#endif
