/* SPDX-License-Identifier: MIT */
/* The words that most texts are made of, short and of ASCII letters and digits: found and folded
 * sixteen bytes at a time. All others are left to letters.h, whose rules these are. */
#ifndef CORPUS_SHORT_WORD_H
#define CORPUS_SHORT_WORD_H

#include "corpus/dictionary.h"

#include <string.h>

/* Bytes that short_word reads. */
#define SHORT_WORD_READS ((size_t)17)

#define SHORT_WORD_EACH(byte) (UINT64_C(0x0101010101010101) * (uint64_t)(byte))

/* Eight bytes, the first in the lowest bits. */
static inline uint64_t short_word_load(const char *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

/* The high bit of every byte that is no ASCII letter or digit; no sum carries into the next byte.
 */
static inline uint64_t short_word_ends(uint64_t bytes)
{
    uint64_t plain = bytes & SHORT_WORD_EACH(0x7F);
    uint64_t lower = plain | SHORT_WORD_EACH(0x20);
    uint64_t letters =
        (lower + SHORT_WORD_EACH(0x80 - 'a')) & ~(lower + SHORT_WORD_EACH(0x7F - 'z'));
    uint64_t digits =
        (plain + SHORT_WORD_EACH(0x80 - '0')) & ~(plain + SHORT_WORD_EACH(0x7F - '9'));
    return (~(letters | digits) | bytes) & SHORT_WORD_EACH(0x80);
}

/* The length of the word that begins at bytes[0], folded in `key`; 0 where there is none, or where
 * it may be more than that: longer, with an apostrophe, not of ASCII alone. */
static inline size_t short_word(const char *bytes, struct dictionary_key *key)
{
    uint64_t front = short_word_load(bytes);
    uint64_t back = short_word_load(bytes + 8);
    uint64_t front_ends = short_word_ends(front);
    uint64_t back_ends = short_word_ends(back) | UINT64_C(1) << 63;
    /* The lowest bit of an end, moved to the lowest bit of its byte, less one is all bytes before
     * it; of no end at all it is all bytes. */
    uint64_t front_kept = ((front_ends & (0 - front_ends)) >> 7) - 1;
    uint64_t back_kept = ((back_ends & (0 - back_ends)) >> 7) - 1;
    back_kept = front_ends == 0 ? back_kept : 0;
    size_t length = front_ends == 0 ? 8 + (size_t)__builtin_ctzll(back_ends) / 8
                                    : (size_t)__builtin_ctzll(front_ends) / 8;
    key->front = (front | SHORT_WORD_EACH(0x20)) & front_kept; /* digits have that bit */
    key->back = (back | SHORT_WORD_EACH(0x20)) & back_kept;
    unsigned char after = (unsigned char)bytes[length];
    bool whole = after < 0x80 && after != '\'' && length < DICTIONARY_SHORT - 1;
    return whole ? length : 0;
}

#endif
