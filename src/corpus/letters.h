/* SPDX-License-Identifier: MIT */
/* What a character is to the tokeniser, where a word ends, and how it is folded. All text here is
 * valid UTF-8. */
#ifndef CORPUS_LETTERS_H
#define CORPUS_LETTERS_H

#include "base/arena.h"

#include <stdint.h>

enum letter_kind {
    LETTER_OTHER,
    LETTER_WORD,       /* letter or digit */
    LETTER_MARK,       /* belongs to the letter before it */
    LETTER_APOSTROPHE, /* joins inside a word; closes a quotation after it */
    LETTER_SPACE,
    LETTER_NEWLINE,
    LETTER_PARAGRAPH, /* ends a sentence by itself */
    LETTER_STOP,      /* ends a sentence before white space */
    LETTER_CLOSE,     /* may stand between the two */
    LETTER_OPEN_STOP  /* ends a sentence always */
};

struct letter {
    enum letter_kind kind;
    size_t size; /* bytes */
};

/* The character at bytes[at], at < size. */
struct letter letter_at(const char *bytes, size_t size, size_t at);

/* Where the word that begins at bytes[at] ends. */
size_t letters_word_end(const char *bytes, size_t size, size_t at);

/* A folded text; the buffer is reused from call to call. */
struct folded {
    struct arena *arena;
    int32_t *buffer; /* code points, then UTF-8 in place */
    size_t capacity;
    const char *bytes;
    size_t size;
};

/* Folds `size` bytes, at most CORPUS_WORD_LIMIT. The result of folding a word may hold characters
 * that separate words (½ is 1⁄2). */
bool letters_fold(struct folded *folded, const char *bytes, size_t size,
                  struct error *err) MUST_CHECK;

#endif
