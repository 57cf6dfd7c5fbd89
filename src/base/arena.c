/* SPDX-License-Identifier: MIT */
/* Arenas: a list of blocks, newest first. Invariant: every block is a multiple of ALIGNMENT long
 * and aligned to it, and `used` never passes `size`. Under AddressSanitizer each allocation is
 * followed by a poisoned gap, so that an overrun is seen although malloc is not asked each time. */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISON 1
#endif
#endif
#ifdef ARENA_POISON
#include <sanitizer/asan_interface.h>
#define ARENA_GAP 64
#define poison(address, size) ASAN_POISON_MEMORY_REGION(address, size)
#define unpoison(address, size) ASAN_UNPOISON_MEMORY_REGION(address, size)
#else
#define ARENA_GAP 0
#define poison(address, size) ((void)0)
#define unpoison(address, size) ((void)0)
#endif

#define ALIGNMENT ((size_t)64)
#define FIRST_BLOCK ((size_t)1 << 14)

struct arena_block {
    struct arena_block *older;
    void *raw; /* what the system gave: the block starts at the next aligned address */
    size_t size, used;
    char *bytes;
};

void *(*arena_system_alloc)(size_t bytes) = malloc;

static struct arena_block *block_create(size_t size)
{
    char *raw = arena_system_alloc(sizeof(struct arena_block) + size + ALIGNMENT);
    if (raw == NULL) {
        return NULL;
    }
    struct arena_block *block = (struct arena_block *)(void *)raw;
    uintptr_t start = (uintptr_t)(raw + sizeof *block);
    block->bytes = raw + sizeof *block + (ALIGNMENT - start % ALIGNMENT) % ALIGNMENT;
    block->raw = raw;
    block->size = size;
    block->used = 0;
    block->older = NULL;
    poison(block->bytes, size);
    return block;
}

static void block_destroy(struct arena_block *block)
{
    unpoison(block->bytes, block->size);
    free(block->raw);
}

/* A block with `size` bytes free, the newest one where it fits, else twice as large as the last. */
static struct arena_block *block_for(struct arena *arena, size_t size)
{
    struct arena_block *newest = arena->newest;
    if (newest != NULL && newest->size - newest->used >= size) {
        return newest;
    }
    size_t wanted = newest == NULL ? FIRST_BLOCK : newest->size;
    wanted = wanted <= SIZE_MAX / 4 && newest != NULL ? 2 * wanted : wanted;
    /* Doubling a large arena for a small request would waste memory. */
    size_t most = (size_t)64 << 20;
    wanted = wanted > most ? most : wanted;
    struct arena_block *block = block_create(wanted > size ? wanted : size);
    if (block != NULL) {
        block->older = newest;
        arena->newest = block;
    }
    return block;
}

void *arena_alloc_raw(struct arena *arena, size_t count, size_t size, struct error *err)
{
    if (size != 0 && count > (SIZE_MAX / 4 - ALIGNMENT) / size) {
        error_set(err, ERROR_INTERNAL, "%zu elements of %zu bytes are more than memory can hold",
                  count, size);
        return NULL;
    }
    size_t bytes = count * size;
    size_t taken = (bytes + ARENA_GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct arena_block *block = block_for(arena, taken);
    if (block == NULL) {
        error_set(err, ERROR_INTERNAL,
                  "out of memory (%zu bytes wanted); use fewer threads (-j) or a smaller sweep",
                  bytes);
        return NULL;
    }
    char *start = block->bytes + block->used;
    block->used += taken;
    unpoison(start, bytes);
    return start;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size, struct error *err)
{
    void *start = arena_alloc_raw(arena, count, size, err);
    if (start != NULL) {
        memset(start, 0, count * size);
    }
    return start;
}

char *arena_copy_bytes(struct arena *arena, const void *bytes, size_t size, struct error *err)
{
    char *copy = arena_alloc(arena, size + 1, 1, err);
    if (copy != NULL && size > 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

char *arena_copy_text(struct arena *arena, const char *text, struct error *err)
{
    return arena_copy_bytes(arena, text, strlen(text), err);
}

char *arena_format(struct arena *arena, struct error *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : arena_alloc(arena, (size_t)length + 1, 1, err);
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text;
}

void *arena_grow(struct arena *arena, void *array, size_t count, size_t *capacity, size_t size,
                 struct error *err)
{
    if (array != NULL && count < *capacity) {
        return array;
    }
    size_t larger = *capacity < 8 ? 8 : 2 * *capacity;
    void *copy = arena_alloc(arena, larger, size, err);
    if (copy != NULL) {
        if (array != NULL) {
            memcpy(copy, array, count * size);
        }
        *capacity = larger;
    }
    return copy;
}

void arena_reset(struct arena *arena)
{
    struct arena_block *kept = arena->newest;
    if (kept == NULL) {
        return;
    }
    struct arena_block *block = kept->older;
    while (block != NULL) {
        struct arena_block *older = block->older;
        struct arena_block *smaller = block;
        if (block->size > kept->size) {
            smaller = kept;
            kept = block;
        }
        block_destroy(smaller);
        block = older;
    }
    kept->older = NULL;
    kept->used = 0;
    poison(kept->bytes, kept->size);
    arena->newest = kept;
}

void arena_release(struct arena *arena)
{
    struct arena_block *block = arena->newest;
    while (block != NULL) {
        struct arena_block *older = block->older;
        block_destroy(block);
        block = older;
    }
    arena->newest = NULL;
}
