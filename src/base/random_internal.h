/* SPDX-License-Identifier: MIT */
/* What the files of random numbers share. */
#ifndef BASE_RANDOM_INTERNAL_H
#define BASE_RANDOM_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

/* Added and taken away, it rounds a small double to an integer; its bits carry one as well. */
#define RANDOM_ROUNDER 0x1.8p52
#define RANDOM_ROUNDER_BITS UINT64_C(0x4338000000000000)

/* Philox4x32-10, Salmon et al. 2011, table 2: multipliers and Weyl increments of the key. */
#define RANDOM_ROUNDS 10
#define RANDOM_MULTIPLIER_0 UINT32_C(0xD2511F53)
#define RANDOM_MULTIPLIER_2 UINT32_C(0xCD9E8D57)
#define RANDOM_INCREMENT_0 UINT32_C(0x9E3779B9)
#define RANDOM_INCREMENT_1 UINT32_C(0xBB67AE85)

/* Blocks made at a time, at most. */
#define RANDOM_BLOCKS ((size_t)64)

/* The words of many blocks, word by word: the lower half of each element. What is in the upper half
 * means nothing. Counters to begin with, then random. */
struct random_blocks {
    uint64_t word[4][RANDOM_BLOCKS];
};

/* random_avx512.c, for the first `count` blocks; those behind may change, too. Counters to random
 * words, and to two normals a block. */
void random_philox_avx512(struct random_blocks *blocks, size_t count, uint64_t seed);
void random_normals_avx512(const struct random_blocks *blocks, size_t count, uint64_t seed,
                           double *out);

/* The first columns of a row of normals: a multiple of RANDOM_BLOCKS. */
void random_row_avx512(uint64_t seed, uint32_t stream, uint32_t row, size_t columns, double *out);

#endif
