/* SPDX-License-Identifier: MIT */
/* What the files of this room share. */
#ifndef SUMMARY_SUMMARY_INTERNAL_H
#define SUMMARY_SUMMARY_INTERNAL_H

#include "summary/summary.h"

/* Equal things numbered in the order in which they first appear: open addressing over hashes that
 * the caller makes, equality by the caller's function. */
struct numbering {
    size_t count;
    size_t mask;   /* slots - 1 */
    size_t *slots; /* number + 1, or 0 */
    size_t *first; /* item that first had the number */
};

bool numbering_create(struct numbering *numbering, size_t items, struct arena *arena,
                      struct error *err) MUST_CHECK;

/* A hash of many numbers, one after the other. */
static inline uint64_t numbering_mix(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

/* Whether items a and b are the same. */
typedef bool numbering_equal(const void *context, size_t a, size_t b);

/* The number of `item`; a new one when no earlier item equals it. */
size_t numbering_of(struct numbering *numbering, size_t item, uint64_t hash, numbering_equal *equal,
                    const void *context);

/* The rows of a set that belong to its plan. */
struct planned_rows {
    const struct result_set *set;
    const size_t *rows; /* `count` places in the set */
    size_t count;
};

/* The axes among planned rows, and the value of each row on each: (*places)[row * axes + axis]. */
bool axes_find(const struct planned_rows *planned, struct arena *arena, struct summary *out,
               size_t **places, struct error *err) MUST_CHECK;

#endif
