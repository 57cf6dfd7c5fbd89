/* SPDX-License-Identifier: MIT */
/* The ways to random bits, one for each kind of processor; all give the same. */
#ifndef BASE_RANDOM_INTERNAL_H
#define BASE_RANDOM_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks made at a time. */
#define RANDOM_BLOCKS ((size_t)64)

/* The words of many blocks, word by word: the lower half of each element. What is in the upper half
 * means nothing. */
struct random_blocks {
    uint64_t word[4][RANDOM_BLOCKS];
};

struct random_way {
    bool (*usable)(void);
    void (*philox)(struct random_blocks *blocks, uint64_t seed); /* counters to random words */
};

/* The best first; the last one is usable everywhere. */
extern const struct random_way random_ways[];
extern const size_t random_way_count;

#endif
