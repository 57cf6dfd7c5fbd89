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

/* Whether items a and b are the same. */
typedef bool numbering_equal(const void *context, size_t a, size_t b);

/* The number of `item`; a new one when no earlier item equals it. */
size_t numbering_of(struct numbering *numbering, size_t item, uint64_t hash, numbering_equal *equal,
                    const void *context);

/* The axes among `count` runs, and the value of each run on each: (*places)[run * axes + axis]. */
bool axes_find(const struct run *const *runs, size_t count, struct arena *arena,
               struct summary *out, size_t **places, struct error *err) MUST_CHECK;

#endif
