/* SPDX-License-Identifier: MIT */
/* Memory by lifetime: everything allocated from an arena is freed with it, nothing singly.
 * No other file of rowmax calls malloc. An arena belongs to one thread at a time. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/error.h"

#include <stdarg.h>

struct arena_block;

/* Caller-held; zero-initialised is a valid empty arena. */
struct arena {
    struct arena_block *newest;
};

/* Where arenas get their blocks; tests replace it to fail an allocation. Same contract as malloc.
 */
extern void *(*arena_system_alloc)(size_t bytes);

/* `count` zeroed elements of `size` bytes, aligned to 64 bytes. NULL with `err` set when the
 * product overflows or memory is short. A count of 0 gives a valid pointer to nothing. */
void *arena_alloc(struct arena *arena, size_t count, size_t size, struct error *err) MUST_CHECK;

/* The same with any content: large buffers of which only a part will be used take no memory for the
 * rest. */
void *arena_alloc_raw(struct arena *arena, size_t count, size_t size, struct error *err) MUST_CHECK;

/* Copies of text in the arena; NULL with `err` set when memory is short. */
char *arena_copy_text(struct arena *arena, const char *text, struct error *err) MUST_CHECK;
char *arena_copy_bytes(struct arena *arena, const void *bytes, size_t size,
                       struct error *err) MUST_CHECK; /* a terminating NUL is added */
char *arena_format(struct arena *arena, struct error *err, const char *format, ...) MUST_CHECK
    __attribute__((format(printf, 3, 4)));

/* Makes room for one more element: returns `array` itself, or a copy twice as large with *capacity
 * updated. The old array stays in the arena, so the waste is at most the final size. */
void *arena_grow(struct arena *arena, void *array, size_t count, size_t *capacity, size_t size,
                 struct error *err) MUST_CHECK;

/* Forgets every allocation but keeps the largest block, so that a loop settles to no malloc. */
void arena_reset(struct arena *arena);

/* Frees all; the arena is empty and usable again. */
void arena_release(struct arena *arena);

#endif
