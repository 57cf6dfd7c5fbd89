/* SPDX-License-Identifier: MIT */
/* Counter-based random numbers: every number is a pure function of its address, so that order,
 * threads, shards and the size of the matrix around it cannot change it.
 * Generator: Philox4x32-10 (Salmon et al. 2011), normals by Box and Muller (1958). */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* What a stream of numbers is for; part of each number's address. Never renumber. */
enum random_stream {
    RANDOM_QUERY = 1,         /* W_Q */
    RANDOM_KEY = 2,           /* W_K */
    RANDOM_INPUT = 3,         /* gaussian tokens */
    RANDOM_EIGEN = 4,         /* start vector of the eigensolver */
    RANDOM_WORD = 5,          /* word vectors that are not learned */
    RANDOM_START = 6,         /* word vectors before the first step */
    RANDOM_CONTEXT_START = 7, /* context vectors before it */
    RANDOM_STEP = 8,          /* choices on the way: order, windows, noise */
    RANDOM_SEARCH = 9,        /* rows tried by the property search */
    RANDOM_BOOTSTRAP = 10,    /* seeds drawn again, for intervals */
    /* of collapsed draws: */
    RANDOM_COLLAPSED_QUERY = 11, /* queries within the span of the keys */
    RANDOM_COLLAPSED_KEY = 12,   /* keys, and what queries have beside that span */
    RANDOM_COLLAPSED_REST = 13,  /* the same where few dimensions are left for it */
    RANDOM_KEY_CHI = 14,         /* lengths of keys */
    RANDOM_REST_CHI = 15,        /* lengths of what queries have beside */
    RANDOM_UPSTREAM = 16,        /* gradients at the weights */
    RANDOM_TEST = 100            /* tests only */
};

/* Columns `column` .. `column + count - 1` of row `row` of the standard normal matrix
 * (seed, stream). Finite always, |value| < 8.6, and the same bits on every processor that fuses a
 * multiplication with an addition; those of others differ by less than 1e-15 of their value. */
void random_normals(uint64_t seed, enum random_stream stream, uint32_t row, uint32_t column,
                    size_t count, double *out);

/* The (rows, columns) top left corner of that matrix, row-major. */
void random_normal_matrix(uint64_t seed, enum random_stream stream, size_t rows, size_t columns,
                          double *out);

/* Rows `row` .. `row + rows - 1` of it, their first `columns` columns. */
void random_normal_rows(uint64_t seed, enum random_stream stream, uint32_t row, size_t rows,
                        size_t columns, double *out);

/* Columns `column` .. `column + count - 1` of row `row` of the uniform matrix (seed, stream):
 * multiples of 2^-53 from 0 to below 1. It shares its bits with the normal matrix, so that a stream
 * is for one of the two. */
void random_uniforms(uint64_t seed, enum random_stream stream, uint32_t row, uint32_t column,
                     size_t count, double *out);

/* out[i] is the length of a standard normal vector of `degrees - i` dimensions, for i below
 * `count`, which is at most `degrees`: chi distributed, a function of (seed, stream, i, degrees -
 * i). Takes the same time for any number of degrees. A stream is for these alone. */
void random_chis(uint64_t seed, enum random_stream stream, size_t degrees, size_t count,
                 double *out);

#endif
