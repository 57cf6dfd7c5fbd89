/* SPDX-License-Identifier: MIT */
/* The words that most texts are made of, short and of ASCII letters and digits: found and folded
 * 64 bytes at a time. All others are left to letters.h, whose rules these are. */
#ifndef CORPUS_SHORT_WORDS_H
#define CORPUS_SHORT_WORDS_H

#include "corpus/dictionary.h"

#define SHORT_WORDS_BLOCK ((size_t)64)

/* Bit i is byte i of a block. */
struct short_words_block {
    uint64_t letters; /* and digits, of ASCII */
    uint64_t spaces;
};

/* What 64 bytes are. `plain` is the same on any processor. */
struct short_words_block short_words_block(const char *bytes);
struct short_words_block short_words_block_plain(const char *bytes);

/* Words, folded. */
#define SHORT_WORDS_MOST (3 * SHORT_WORDS_BLOCK)
struct short_words {
    size_t count;
    struct dictionary_key keys[SHORT_WORDS_MOST];
    uint8_t lengths[SHORT_WORDS_MOST];
};

/* Adds the short words from bytes[at] on, which is a letter or digit of ASCII or follows such a
 * word, up to the first that may be no short one and to the first byte that is neither word nor
 * space, within one block: half as many words as it has bytes at most, for which there is room.
 * Returns where it stopped. Where each word is to be looked up is fetched meanwhile. */
size_t short_words_find(const char *bytes, size_t size, size_t at,
                        const struct dictionary *dictionary, struct short_words *words);

#endif
