/* SPDX-License-Identifier: MIT */
/* See dictionary.h. Invariant: at most half of the slots are taken, so that a probe ends. */
#include "corpus/dictionary.h"

#include <string.h>

#define FIRST_SLOTS ((size_t)1 << 10)

void dictionary_init(struct dictionary *dictionary, struct arena *arena, struct arena *scratch)
{
    *dictionary = (struct dictionary){.arena = arena, .scratch = scratch};
}

static uint32_t fnv1a(const char *word, size_t length)
{
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)word[i]) * 16777619U;
    }
    return hash;
}

/* The word's slot, or the free one where it belongs. */
static struct dictionary_slot *find_slot(const struct dictionary *dictionary, const char *word,
                                         size_t length, uint32_t hash)
{
    size_t mask = dictionary->slot_count - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
        struct dictionary_slot *slot = &dictionary->slots[at];
        if (slot->next_id == 0 ||
            (slot->hash == hash && slot->length == length &&
             memcmp(dictionary->words[slot->next_id - 1], word, length) == 0)) {
            return slot;
        }
    }
}

static bool grow(struct dictionary *dictionary, struct error *err)
{
    size_t count = dictionary->slot_count == 0 ? FIRST_SLOTS : 2 * dictionary->slot_count;
    struct dictionary_slot *slots = arena_alloc(dictionary->scratch, count, sizeof *slots, err);
    if (slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < dictionary->slot_count; i++) {
        const struct dictionary_slot *old = &dictionary->slots[i];
        size_t at = old->hash & (count - 1);
        while (old->next_id != 0 && slots[at].next_id != 0) {
            at = (at + 1) & (count - 1);
        }
        if (old->next_id != 0) {
            slots[at] = *old;
        }
    }
    dictionary->slots = slots;
    dictionary->slot_count = count;
    return true;
}

bool dictionary_add(struct dictionary *dictionary, const char *word, size_t length, uint32_t *id,
                    struct error *err)
{
    if (2 * dictionary->count >= dictionary->slot_count && !grow(dictionary, err)) {
        return false;
    }
    uint32_t hash = fnv1a(word, length);
    struct dictionary_slot *slot = find_slot(dictionary, word, length, hash);
    if (slot->next_id == 0) {
        const char **words = arena_grow(dictionary->scratch, dictionary->words, dictionary->count,
                                        &dictionary->capacity, sizeof *words, err);
        const char *copy =
            words == NULL ? NULL : arena_copy_bytes(dictionary->arena, word, length, err);
        if (copy == NULL) {
            return false;
        }
        dictionary->words = words;
        words[dictionary->count++] = copy;
        *slot = (struct dictionary_slot){hash, (uint32_t)length, (uint32_t)dictionary->count};
    }
    *id = slot->next_id - 1;
    return true;
}

uint32_t dictionary_find(const struct dictionary *dictionary, const char *word, size_t length)
{
    if (dictionary->slot_count == 0) {
        return DICTIONARY_NONE;
    }
    const struct dictionary_slot *slot = find_slot(dictionary, word, length, fnv1a(word, length));
    return slot->next_id == 0 ? DICTIONARY_NONE : slot->next_id - 1;
}
