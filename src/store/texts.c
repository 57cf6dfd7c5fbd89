/* SPDX-License-Identifier: MIT */
/* See texts.h. */
#include "store/texts.h"

#include "store/column_values.h"

#include <string.h>

/* Goes on from `hash`, eight bytes at a time: most texts are digests. */
static uint64_t mix(uint64_t hash, const char *text)
{
    size_t left = strlen(text) + 1;
    while (left > 0) {
        uint64_t word = 0;
        size_t length = left < sizeof word ? left : sizeof word;
        memcpy(&word, text, length);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
        text += length;
        left -= length;
    }
    return hash;
}

/* The slot that holds the pair, or the empty one where it belongs. */
static size_t find_slot(const struct texts *texts, const char *text, const char *second)
{
    uint64_t hash = mix(0, text);
    if (second != NULL) {
        hash = mix(hash, second);
    }
    size_t slot = (size_t)(hash ^ (hash >> 32)) & (texts->slot_count - 1);
    while (texts->slots[slot] != 0) {
        size_t number = texts->slots[slot] - 1;
        if (strcmp(texts->list[number], text) == 0 &&
            value_texts_equal(texts->second[number], second)) {
            break;
        }
        slot = (slot + 1) & (texts->slot_count - 1);
    }
    return slot;
}

static bool grow_slots(struct texts *texts, struct error *err)
{
    size_t wanted = texts->slot_count == 0 ? 64 : 2 * texts->slot_count;
    uint32_t *slots = arena_alloc(texts->arena, wanted, sizeof *slots, err);
    if (slots == NULL) {
        return false;
    }
    texts->slots = slots;
    texts->slot_count = wanted;
    for (size_t i = 0; i < texts->count; i++) {
        slots[find_slot(texts, texts->list[i], texts->second[i])] = (uint32_t)(i + 1);
    }
    return true;
}

static bool grow_list(struct texts *texts, struct error *err)
{
    const char **list =
        arena_grow(texts->arena, texts->list, texts->count, &texts->capacity, sizeof *list, err);
    if (list == NULL) {
        return false;
    }
    texts->list = list;
    const char **second = arena_grow(texts->arena, texts->second, texts->count,
                                     &texts->second_capacity, sizeof *second, err);
    if (second == NULL) {
        return false;
    }
    texts->second = second;
    return true;
}

static bool own_copy(const struct texts *texts, const char **text, struct error *err)
{
    if (texts->copies && *text != NULL) {
        *text = arena_copy_text(texts->arena, *text, err);
        return *text != NULL;
    }
    return true;
}

bool texts_add(struct texts *texts, const char *text, const char *second, size_t *number,
               struct error *err)
{
    if (2 * (texts->count + 1) > texts->slot_count && !grow_slots(texts, err)) {
        return false;
    }
    size_t slot = find_slot(texts, text, second);
    if (texts->slots[slot] != 0) {
        *number = texts->slots[slot] - 1;
        return true;
    }
    if (texts->count >= INT32_MAX) {
        return error_set(err, ERROR_FILE, "more than %d distinct texts", INT32_MAX);
    }
    if (!own_copy(texts, &text, err) || !own_copy(texts, &second, err) || !grow_list(texts, err)) {
        return false;
    }
    texts->list[texts->count] = text;
    texts->second[texts->count] = second;
    *number = texts->count++;
    texts->slots[slot] = (uint32_t)texts->count;
    return true;
}

bool texts_intern(struct texts *texts, const char *text, const char **copy, struct error *err)
{
    size_t number = 0;
    *copy = NULL;
    if (text == NULL) {
        return true;
    }
    if (!texts_add(texts, text, NULL, &number, err)) {
        return false;
    }
    *copy = texts->list[number];
    return true;
}
