/* SPDX-License-Identifier: MIT */
/* Words numbered by first appearance: an open-addressing hash table (FNV-1a, linear probing). */
#ifndef CORPUS_DICTIONARY_H
#define CORPUS_DICTIONARY_H

#include "base/arena.h"

#include <stdint.h>

struct dictionary_slot {
    uint32_t hash, length;
    uint32_t next_id; /* id + 1; 0 where the slot is free */
};

struct dictionary {
    struct arena *arena;   /* of the words */
    struct arena *scratch; /* of the table */
    struct dictionary_slot *slots;
    size_t slot_count; /* a power of two, or 0 */
    const char **words;
    size_t count, capacity;
};

void dictionary_init(struct dictionary *dictionary, struct arena *arena, struct arena *scratch);

/* The id of a word, which is copied and given the next id if it is new. */
bool dictionary_add(struct dictionary *dictionary, const char *word, size_t length, uint32_t *id,
                    struct error *err) MUST_CHECK;

/* The id of a word, or DICTIONARY_NONE. */
uint32_t dictionary_find(const struct dictionary *dictionary, const char *word, size_t length);
#define DICTIONARY_NONE UINT32_MAX

#endif
