/* SPDX-License-Identifier: MIT */
/* Whether a results file is whole: every checksum, count and key, recomputed. */
#ifndef STORE_VERIFY_H
#define STORE_VERIFY_H

#include "base/arena.h"

#include <stddef.h>

/* Faults listed singly; more are counted in one line. */
#define VERIFY_LISTED_MAX 20

struct verification {
    const char **faults; /* one line each */
    size_t fault_count, fault_capacity;
    const char *note; /* something to know that is no fault, or NULL */
};

/* Checks the file without its journal: the seal and the checksums of the columns; that every
 * planned run (of a shard: each of its own) has one row in its place, no key is there twice, each
 * key is that of the row's fields, and the digests of the sweep and of the plan are theirs. Faults
 * are no errors: false only when there is no such file or memory is short. */
bool verify_results(const char *path, struct arena *arena, struct verification *out,
                    struct error *err) MUST_CHECK;

#endif
