/* SPDX-License-Identifier: MIT */
/* See dictionary.h. Invariant: at most half of the slots are taken, so that a probe ends. */
#include "corpus/dictionary.h"

#include <string.h>

#define FIRST_SLOTS ((size_t)1 << 10)

void dictionary_init(struct dictionary *dictionary, struct arena *arena, struct arena *scratch)
{
    *dictionary = (struct dictionary){.arena = arena, .scratch = scratch};
}

static uint64_t eight_bytes(const char *bytes, size_t count)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    }
    return all;
}

static struct dictionary_key key_of(const char *word, size_t length)
{
    struct dictionary_key key = {0, 0};
    if (length <= DICTIONARY_SHORT) {
        key.front = eight_bytes(word, length < 8 ? length : 8);
        key.back = length < 8 ? 0 : eight_bytes(word + 8, length - 8);
        return key;
    }
    for (size_t i = 0; i < length; i += 8) {
        uint64_t bytes = eight_bytes(word + i, length - i < 8 ? length - i : 8);
        key.front = (key.front ^ bytes) * UINT64_C(0x9E3779B97F4A7C15);
        key.front ^= key.front >> 32;
        key.back = (key.back + bytes) * UINT64_C(0xD6E8FEB86659FD93);
        key.back ^= key.back >> 29;
    }
    return key;
}

/* The word's slot, or the free one where it belongs. */
static struct dictionary_slot *find_slot(const struct dictionary *dictionary, const char *word,
                                         size_t length, const struct dictionary_key *key)
{
    size_t mask = dictionary->slot_count - 1;
    for (size_t at = dictionary_place(key, length) & mask;; at = (at + 1) & mask) {
        struct dictionary_slot *slot = &dictionary->slots[at];
        if (slot->next_id == 0) {
            return slot;
        }
        if (slot->key.front == key->front && slot->key.back == key->back &&
            slot->length == length &&
            (length <= DICTIONARY_SHORT ||
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
        size_t at = dictionary_place(&old->key, old->length) & (count - 1);
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
    struct dictionary_key key = key_of(word, length);
    struct dictionary_slot *slot = find_slot(dictionary, word, length, &key);
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
        *slot = (struct dictionary_slot){key, (uint32_t)length, (uint32_t)dictionary->count};
    }
    *id = slot->next_id - 1;
    return true;
}

bool dictionary_add_short(struct dictionary *dictionary, const struct dictionary_key *key,
                          size_t length, uint32_t *id, struct error *err)
{
    char word[DICTIONARY_SHORT];
    for (size_t i = 0; i < DICTIONARY_SHORT; i++) {
        word[i] = (char)((i < 8 ? key->front : key->back) >> (8 * (i % 8)) & 0xFF);
    }
    return dictionary_add(dictionary, word, length, id, err);
}

uint32_t dictionary_find(const struct dictionary *dictionary, const char *word, size_t length)
{
    if (dictionary->slot_count == 0) {
        return DICTIONARY_NONE;
    }
    struct dictionary_key key = key_of(word, length);
    return find_slot(dictionary, word, length, &key)->next_id - 1;
}
