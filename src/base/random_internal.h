/* SPDX-License-Identifier: MIT */
/* What the files of random numbers share. */
#ifndef BASE_RANDOM_INTERNAL_H
#define BASE_RANDOM_INTERNAL_H

#include "base/clones.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

PART_OF_TARGETS uint64_t random_bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

PART_OF_TARGETS double random_of_bits(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* A number below 2^32, as a double: as the last bits of one in [2^52, 2^53). */
PART_OF_TARGETS double random_whole(uint64_t number)
{
    return random_of_bits(number | UINT64_C(0x4330000000000000)) - 0x1p52;
}

/* The upper 53 bits of the 64-bit number (high, low), as a double. */
PART_OF_TARGETS double random_upper_bits(uint64_t high, uint64_t low)
{
    return random_whole(high & UINT32_MAX) * 0x1p21 + random_whole((low & UINT32_MAX) >> 11);
}

/* Logarithms: u = m 2^k with m from 0.671875, the double of these bits, to below twice that. Four
 * bits tell in which of sixteen parts m lies. 1 is about the middle of one, not between two, so
 * that logarithms of numbers about 1 keep their last digits. */
#define RANDOM_FIRST UINT64_C(0x3FE5800000000000)
#define RANDOM_EXPONENT UINT64_C(0xFFF0000000000000)
#define RANDOM_ONE UINT64_C(0x3FF0000000000000)
#define RANDOM_PARTS 16
#define RANDOM_MINUS_2_LN_2 (-0x1.62e42fefa39efp+0)

/* For each part -2 / c, c about its middle, and -2 ln c; c is 1 in the part of 1. */
extern const double random_factors[RANDOM_PARTS];
extern const double random_logarithms[RANDOM_PARTS];

/* Random words to two normals a block, for the first `count` blocks; those behind may change, too.
 * AVX-512 and AVX2 give the same bits. The plain level does not fuse a multiplication with an
 * addition, and is off from theirs by less than 8 units of 2^-53. */
void random_pairs(const struct random_blocks *words, size_t count, double *out);

/* random_avx2.c and random_avx512.c, likewise: counters to random words, random words to normals,
 * and counters to normals. */
void random_philox_avx2(struct random_blocks *blocks, size_t count, uint64_t seed);
void random_pairs_avx2(const struct random_blocks *words, size_t count, double *out);
void random_philox_avx512(struct random_blocks *blocks, size_t count, uint64_t seed);
void random_pairs_avx512(const struct random_blocks *words, size_t count, double *out);
void random_normals_avx512(const struct random_blocks *counters, size_t count, uint64_t seed,
                           double *out);

/* The first columns of a row of normals: a multiple of RANDOM_BLOCKS. */
void random_row_avx512(uint64_t seed, uint32_t stream, uint32_t row, size_t columns, double *out);

#endif
