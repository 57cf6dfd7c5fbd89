/* SPDX-License-Identifier: MIT */
/* Short ASCII words; see short_words.h. Where words begin and end is read off two masks, so that a
 * word need not wait for the one before it. */
#include "corpus/short_words.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define EACH(byte) (UINT64_C(0x0101010101010101) * (uint64_t)(byte))

/* Eight bytes, the first in the lowest bits. */
static inline uint64_t load(const void *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

/* The high bits of eight bytes, side by side. */
static inline uint64_t high_bits(uint64_t bytes)
{
    return (((bytes & EACH(0x80)) >> 7) * UINT64_C(0x0102040810204080)) >> 56;
}

struct short_words_block short_words_block_plain(const char *bytes)
{
    struct short_words_block block = {0, 0};
    for (size_t i = 0; i < SHORT_WORDS_BLOCK; i += 8) {
        /* The high bit of each sum says whether a byte is at least so much; none carries. */
        uint64_t eight = load(bytes + i);
        uint64_t ascii = eight & EACH(0x7F);
        uint64_t lower = ascii | EACH(0x20);
        uint64_t letters = (lower + EACH(0x80 - 'a')) & ~(lower + EACH(0x7F - 'z'));
        uint64_t digits = (ascii + EACH(0x80 - '0')) & ~(ascii + EACH(0x7F - '9'));
        uint64_t spaces = ~((ascii ^ EACH(' ')) + EACH(0x7F));
        block.letters |= high_bits((letters | digits) & ~eight) << i;
        block.spaces |= high_bits(spaces & ~eight) << i;
    }
    return block;
}

#ifdef __SSE2__
struct short_words_block short_words_block(const char *bytes)
{
    struct short_words_block block = {0, 0};
    for (size_t i = 0; i < SHORT_WORDS_BLOCK; i += 16) {
        __m128i some = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
        __m128i lower = _mm_or_si128(some, _mm_set1_epi8(0x20));
        /* Bytes beyond ASCII are negative. */
        __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(lower, _mm_set1_epi8('a' - 1)),
                                        _mm_cmplt_epi8(lower, _mm_set1_epi8('z' + 1)));
        __m128i digits = _mm_and_si128(_mm_cmpgt_epi8(some, _mm_set1_epi8('0' - 1)),
                                       _mm_cmplt_epi8(some, _mm_set1_epi8('9' + 1)));
        __m128i spaces = _mm_cmpeq_epi8(some, _mm_set1_epi8(' '));
        letters = _mm_or_si128(letters, digits);
        block.letters |= (uint64_t)(unsigned)_mm_movemask_epi8(letters) << i;
        block.spaces |= (uint64_t)(unsigned)_mm_movemask_epi8(spaces) << i;
    }
    return block;
}
#else
struct short_words_block short_words_block(const char *bytes)
{
    return short_words_block_plain(bytes);
}
#endif

/* The key of the word bytes[0 .. length), 16 bytes of which can be read. Digits have the bit that
 * makes letters small. */
static inline struct dictionary_key fold(const char *bytes, size_t length)
{
    static const uint8_t kept[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255};
    const uint8_t *mask = kept + DICTIONARY_SHORT - length;
    return (struct dictionary_key){(load(bytes) | EACH(0x20)) & load(mask),
                                   (load(bytes + 8) | EACH(0x20)) & load(mask + 8)};
}

size_t short_words_find(const char *bytes, size_t size, size_t at,
                        const struct dictionary *dictionary, struct short_words *words)
{
    if (size - at < SHORT_WORDS_BLOCK + DICTIONARY_SHORT) {
        return at;
    }
    struct short_words_block block = short_words_block(bytes + at);
    uint64_t others = ~(block.letters | block.spaces);
    size_t end = others == 0 ? SHORT_WORDS_BLOCK : (size_t)__builtin_ctzll(others);
    uint64_t before = others == 0 ? UINT64_MAX : (others & (0 - others)) - 1;
    unsigned char after = (unsigned char)bytes[at + end];
    uint64_t begins = block.letters & ~(block.letters << 1) & before;
    uint64_t ends = ~block.letters & (block.letters << 1);
    /* A word may go on behind the block, an apostrophe or a byte beyond ASCII. */
    ends &= end == SHORT_WORDS_BLOCK || after >= 0x80 || after == '\'' ? before : before << 1 | 1;
    while (begins != 0) {
        size_t first = (size_t)__builtin_ctzll(begins);
        size_t length = ends == 0 ? SHORT_WORDS_BLOCK : (size_t)__builtin_ctzll(ends) - first;
        if (length > DICTIONARY_SHORT) {
            return at + first;
        }
        struct dictionary_key key = fold(bytes + at + first, length);
        dictionary_fetch(dictionary, &key, length);
        words->keys[words->count] = key;
        words->lengths[words->count++] = (uint8_t)length;
        begins &= begins - 1;
        ends &= ends - 1;
    }
    return at + end;
}
