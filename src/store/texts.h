/* SPDX-License-Identifier: MIT */
/* Distinct texts, numbered in the order of their first use: tables of names in the results file,
 * and one copy of each name in memory. */
#ifndef STORE_TEXTS_H
#define STORE_TEXTS_H

#include "base/arena.h"

#include <stdint.h>

struct texts {
    struct arena *arena;
    bool copies;         /* the arena keeps its own copies; else the caller's must live on */
    const char **list;   /* `count` texts */
    const char **second; /* the second part of each, NULL where it has none */
    size_t count, capacity, second_capacity;
    uint32_t *slots; /* open addressing: place in the list + 1 */
    size_t slot_count;
};

/* The number of the pair (text, second); a new one is added. Two pairs are the same when both parts
 * are. `second` may be NULL. At most INT32_MAX texts. */
bool texts_add(struct texts *texts, const char *text, const char *second, size_t *number,
               struct error *err) MUST_CHECK;

/* The one copy of a text; NULL gives NULL. */
bool texts_intern(struct texts *texts, const char *text, const char **copy,
                  struct error *err) MUST_CHECK;

#endif
