/* SPDX-License-Identifier: MIT */
/* Text: a growing buffer, numbers to and from text, suggestions, UTF-8 checks.
 * Numbers use '.' whatever the user's locale: rowmax never calls setlocale. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/arena.h"

#include <stdint.h>

/* A growing, always terminated text in an arena. */
struct text {
    struct arena *arena;
    char *data; /* NULL until the first append */
    size_t length;
    size_t capacity;
    bool failed; /* out of memory; every later append does nothing */
};

#define TEXT_INIT(arena_pointer)                                                                   \
    {                                                                                              \
        (arena_pointer), NULL, 0, 0, false                                                         \
    }

/* Appends; a failure is remembered and reported once by text_finish. */
void text_append(struct text *text, const char *bytes);
void text_append_bytes(struct text *text, const char *bytes, size_t size);
void text_append_format(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The finished text, or NULL with `err` set if an append ran out of memory. */
const char *text_finish(struct text *text, struct error *err) MUST_CHECK;

/* Whole-string decimal integer: [-+]?(0|[1-9][0-9]*). False when `text` is anything else or out of
 * the range of int64; *value is then untouched. */
bool text_to_integer(const char *text, int64_t *value) MUST_CHECK;

/* Whole-string finite decimal number in the forms 1, -1.5, .5, 1., 1e-3; no hex, nan, inf or '_'.
 */
bool text_to_real(const char *text, double *value) MUST_CHECK;

/* The shortest decimal text that reads back as `value`, integers below 10^15 in full; "nan", "inf",
 * "-inf" for the others.
 * `out` holds at least TEXT_REAL_SIZE bytes. Returns `out`. */
#define TEXT_REAL_SIZE 40
char *text_from_real(double value, char *out);

/* 1234567 as "1,234,567". Returns `out`. */
#define TEXT_COUNT_SIZE 32
char *text_from_count(uint64_t number, char out[TEXT_COUNT_SIZE]);

/* The candidate nearest to `word` (Damerau-Levenshtein distance at most 2 and shorter than the
 * word), or NULL; of several one with the same first letter, else the first. */
const char *text_nearest(const char *word, const char *const *candidates, size_t count);

/* Length of the valid UTF-8 sequence at `bytes`, 0 if there is none; *code gets its code point.
 * `size` is at least 1. */
size_t text_utf8_step(const char *bytes, size_t size, uint32_t *code);

/* Byte offset of the first byte that is not valid UTF-8 (overlong, surrogate, cut), or `size`. */
size_t text_utf8_error(const char *bytes, size_t size);

/* Copies `text` for a terminal or a log into `out` of `size` bytes: control bytes, invalid UTF-8
 * and bidirectional overrides become '?', so a hostile name cannot drive the terminal. */
char *text_printable(const char *text, char *out, size_t size);

#endif
