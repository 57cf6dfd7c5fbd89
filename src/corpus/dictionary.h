/* SPDX-License-Identifier: MIT */
/* Words numbered by first appearance: an open-addressing hash table with linear probing. A short
 * word lies in its slot, so that looking it up touches nothing else. */
#ifndef CORPUS_DICTIONARY_H
#define CORPUS_DICTIONARY_H

#include "base/arena.h"

#include <stdint.h>

#define DICTIONARY_SHORT ((size_t)16)

/* A word of up to DICTIONARY_SHORT bytes: the first in the lowest bits of `front`, zeros behind the
 * last. Of a longer one two hashes, which leaves its bytes to be compared. */
struct dictionary_key {
    uint64_t front, back;
};

struct dictionary_slot {
    struct dictionary_key key;
    uint32_t length;
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

/* Where the search for a word begins. The high bits of a product are the good ones. */
static inline size_t dictionary_place(const struct dictionary_key *key, size_t length)
{
    uint64_t hash = (key->front + length) * UINT64_C(0x9E3779B97F4A7C15);
    hash = ((hash ^ hash >> 32) + key->back) * UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(hash >> 32);
}

/* Fetches where a word is likely to be found. */
static inline void dictionary_fetch(const struct dictionary *dictionary,
                                    const struct dictionary_key *key, size_t length)
{
    if (dictionary->slot_count > 0) {
        size_t mask = dictionary->slot_count - 1;
        __builtin_prefetch(&dictionary->slots[dictionary_place(key, length) & mask]);
    }
}

/* dictionary_add and dictionary_find for a word of at most DICTIONARY_SHORT bytes. */
bool dictionary_add_short(struct dictionary *dictionary, const struct dictionary_key *key,
                          size_t length, uint32_t *id, struct error *err) MUST_CHECK;
static inline uint32_t dictionary_find_short(const struct dictionary *dictionary,
                                             const struct dictionary_key *key, size_t length)
{
    if (dictionary->slot_count == 0) {
        return DICTIONARY_NONE;
    }
    size_t mask = dictionary->slot_count - 1;
    for (size_t at = dictionary_place(key, length) & mask;; at = (at + 1) & mask) {
        const struct dictionary_slot *slot = &dictionary->slots[at];
        uint64_t differences = (slot->key.front ^ key->front) | (slot->key.back ^ key->back) |
                               (slot->length ^ (uint32_t)length);
        if (differences == 0 || slot->next_id == 0) {
            return slot->next_id - 1; /* a free slot: DICTIONARY_NONE */
        }
    }
}

#endif
