/* SPDX-License-Identifier: MIT */
/* |J V|_F of many rows of softmax weights over the same vectors, by products. */
#ifndef ATTENTION_GRADIENT_BLOCK_H
#define ATTENTION_GRADIENT_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

/* Rows that one call takes. */
#define GRADIENT_BLOCK ((size_t)128)

/* Vectors v (n, d), and what all rows of weights over them share. */
struct gradient_vectors {
    size_t n, d;
    const double *v;
    double *origin;    /* d: their mean, or about it */
    double *squares;   /* n: |v_j - origin|^2 */
    double *distances; /* (n, n): |v_j - v_l|^2, each with nearly all its digits; unused where
                          gradient_keeps_distances says no */
    double spread;     /* no squared distance is larger */
};

/* One row of weights, as in gradient_row: zero behind its `keys` first ones. */
struct gradient_row {
    const double *p;
    size_t keys, arg_max;
    double others;
};

/* Rows of weights over n vectors. Those of many weights that are not 0 are dense. */
struct gradient_block {
    size_t n, count;
    struct gradient_row rows[GRADIENT_BLOCK];
    size_t dense;
    size_t places[GRADIENT_BLOCK]; /* the dense rows first, in their order, then all others */
    double *shares;                /* (count, n), in that order: p_j / others, 0 where that is tiny
                                      and at arg_max */
};

/* Whether this many vectors are known by their distances. */
bool gradient_keeps_distances(size_t n, size_t d);

/* Numbers that up to n vectors of up to d elements need: for their distances, for the shares of a
 * block, and as scratch of the functions below. */
size_t gradient_distances_size(size_t n, size_t d);
size_t gradient_shares_size(size_t n);
size_t gradient_scratch_size(size_t n, size_t d);

/* Fills the members of `vectors` from n, d and v. */
void gradient_prepare(struct gradient_vectors *vectors, double *scratch);

/* Fills what is not given of a block: n, count and rows are, and room for shares. */
void gradient_share(struct gradient_block *block);

/* norms[i] = gradient_row of rows[i], for all rows of the block. That of a row depends on the row
 * alone. */
void gradient_measure(const struct gradient_block *block, const struct gradient_vectors *vectors,
                      double *scratch, double *norms);

/* norms[k] = gradient_row_uniform of the k + 1 first vectors, for all k < n. scratch holds d. */
void gradient_uniform_prefixes(size_t n, size_t d, const double *v, double *scratch, double *norms);

#endif
