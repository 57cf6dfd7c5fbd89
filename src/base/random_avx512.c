/* SPDX-License-Identifier: MIT */
/* Normals by vectors of eight blocks, from counters to numbers without a detour through memory. */
#include "base/clones.h"
#include "base/random_internal.h"

#ifdef MANY_PROCESSORS
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512dq")))
#define PART TARGET static inline __attribute__((always_inline))

#define SIDES ((size_t)4)
#define EACH_SIDE _Pragma("GCC unroll 4") for (size_t side = 0; side < SIDES; side++)

struct vectors {
    __m512d of[SIDES];
};

PART __m512d real(double value)
{
    return _mm512_set1_pd(value);
}

PART __m512d sum(__m512d a, __m512d b)
{
    return _mm512_add_pd(a, b);
}

PART __m512d product(__m512d a, __m512d b)
{
    return _mm512_mul_pd(a, b);
}

PART __m512d fused(__m512d a, __m512d b, __m512d c)
{
    return _mm512_fmadd_pd(a, b, c);
}

#include "base/random_series.h"

struct words {
    __m512i of[4][SIDES];
};

/* Two numbers below 2^64 a block, of which 53 bits are random and those behind 0. */
struct draws {
    __m512i of[2][SIDES];
};

PART __m512i whole(uint64_t value)
{
    return _mm512_set1_epi64((long long)value);
}

/* The product's upper half in the place of its lower one. */
PART __m512i upper(__m512i product)
{
    return _mm512_shuffle_epi32(product, (_MM_PERM_ENUM)0xF5);
}

struct keys {
    uint32_t of[2];
};

static inline struct keys keys_of(uint64_t seed)
{
    return (struct keys){{(uint32_t)seed, (uint32_t)(seed >> 32)}};
}

static inline void bump(struct keys *keys)
{
    keys->of[0] += RANDOM_INCREMENT_0;
    keys->of[1] += RANDOM_INCREMENT_1;
}

/* The rounds from one of them, which has these keys, to before `end`, whose keys it returns. */
PART struct keys go_on(struct words *words, int round, int end, struct keys keys)
{
    const __m512i by0 = whole(RANDOM_MULTIPLIER_0);
    const __m512i by2 = whole(RANDOM_MULTIPLIER_2);
#pragma GCC unroll 10
    for (; round < end; round++) {
        EACH_SIDE
        {
            __m512i a = _mm512_mul_epu32(words->of[0][side], by0);
            __m512i b = _mm512_mul_epu32(words->of[2][side], by2);
            /* 0x96: the exclusive or of all three */
            words->of[0][side] =
                _mm512_ternarylogic_epi64(upper(b), words->of[1][side], whole(keys.of[0]), 0x96);
            words->of[2][side] =
                _mm512_ternarylogic_epi64(upper(a), words->of[3][side], whole(keys.of[1]), 0x96);
            words->of[1][side] = b;
            words->of[3][side] = a;
        }
        bump(&keys);
    }
    return keys;
}

/* One half of the last round, up to what the numbers take of it: `product` gives its lower half to
 * the upper word and its upper half, mixed, to the lower word. */
PART __m512i last_half(__m512i product, __m512i mixed, uint32_t key)
{
    /* 0x28: (a ^ b) & c */
    __m512i with = _mm512_ternarylogic_epi64(mixed, whole(key), whole(UINT32_MAX), 0x28);
    __m512i turned = _mm512_shuffle_epi32(product, (_MM_PERM_ENUM)0xB1);
    return _mm512_ternarylogic_epi64(turned, with, whole(UINT64_MAX << 11), 0x28);
}

PART void last_round(const struct words *words, struct keys keys, struct draws *draws)
{
    EACH_SIDE
    {
        __m512i a = _mm512_mul_epu32(words->of[0][side], whole(RANDOM_MULTIPLIER_0));
        __m512i b = _mm512_mul_epu32(words->of[2][side], whole(RANDOM_MULTIPLIER_2));
        draws->of[0][side] = last_half(b, words->of[1][side], keys.of[0]);
        draws->of[1][side] = last_half(a, words->of[3][side], keys.of[1]);
    }
}

PART void finish_philox(struct words *words, int round, struct keys keys, struct draws *draws)
{
    last_round(words, go_on(words, round, RANDOM_ROUNDS - 1, keys), draws);
}

/* What the blocks of a row have in common after two rounds: counters differ in their first word
 * only, which enters one product of each round. */
struct row_words {
    struct keys keys; /* of the third round */
    uint32_t first_key;
    uint64_t mixed[2]; /* what words 0 and 2 are mixed with */
    uint64_t last;     /* word 3 */
};

static struct row_words row_words_of(uint64_t seed, uint32_t stream, uint32_t row)
{
    struct keys keys = keys_of(seed);
    struct row_words out = {.first_key = keys.of[1]};
    uint64_t b = (uint64_t)stream * RANDOM_MULTIPLIER_2;
    uint32_t word0 = (uint32_t)(b >> 32) ^ row ^ keys.of[0];
    bump(&keys);
    uint64_t a = (uint64_t)word0 * RANDOM_MULTIPLIER_0;
    out.mixed[0] = (uint32_t)b ^ keys.of[0];
    out.mixed[1] = (uint32_t)(a >> 32) ^ keys.of[1];
    out.last = a;
    bump(&keys);
    out.keys = keys;
    return out;
}

/* The numbers of the blocks whose counters have these products with the first multiplier. */
PART void draws_of_row(const struct row_words *row, __m512i products, struct draws *draws)
{
    struct words words;
    EACH_SIDE
    {
        __m512i a = _mm512_add_epi64(products, whole(8 * side * (uint64_t)RANDOM_MULTIPLIER_0));
        __m512i word2 = _mm512_xor_si512(upper(a), whole(row->first_key));
        __m512i b = _mm512_mul_epu32(word2, whole(RANDOM_MULTIPLIER_2));
        words.of[0][side] = _mm512_xor_si512(upper(b), whole(row->mixed[0]));
        words.of[1][side] = b;
        words.of[2][side] = _mm512_xor_si512(a, whole(row->mixed[1]));
        words.of[3][side] = whole(row->last);
    }
    finish_philox(&words, 2, row->keys, draws);
}

/* What the series take of a block's two numbers. */
PART void set_arguments(const struct draws *draws, struct arguments *arguments)
{
    const __m512d factors[2] = {_mm512_loadu_pd(random_factors),
                                _mm512_loadu_pd(random_factors + 8)};
    const __m512d logarithms[2] = {_mm512_loadu_pd(random_logarithms),
                                   _mm512_loadu_pd(random_logarithms + 8)};
    EACH_SIDE
    {
        __m512d u = fused(_mm512_cvtepu64_pd(draws->of[0][side]), real(0x1p-64), real(0x1p-53));
        __m512i bits = _mm512_castpd_si512(u);
        __m512i moved = _mm512_sub_epi64(bits, whole(RANDOM_FIRST));
        __m512i part = _mm512_srli_epi64(moved, 48); /* permutations take its last four bits */
        __m512i exponent = _mm512_and_si512(moved, whole(RANDOM_EXPONENT));
        __m512d mantissa = _mm512_castsi512_pd(_mm512_sub_epi64(bits, exponent));
        arguments->y.of[side] =
            fused(mantissa, _mm512_permutex2var_pd(factors[0], part, factors[1]), real(2));
        arguments->whole.of[side] =
            fused(_mm512_cvtepi64_pd(exponent), real(RANDOM_MINUS_2_LN_2 * 0x1p-52),
                  _mm512_permutex2var_pd(logarithms[0], part, logarithms[1]));
        /* Without the two upper bits, and signed, it is what is left to the nearest quarter. */
        arguments->turn.of[side] = _mm512_cvtepi64_pd(_mm512_slli_epi64(draws->of[1][side], 2));
    }
}

/* Pairs of normals, all but the radius. */
struct pairs {
    struct vectors square;  /* of the radius */
    __m512i quarter[SIDES]; /* in the upper two bits; the upper one is the sign of both */
    struct vectors first, second;
};

PART void set_pairs(const struct draws *draws, struct pairs *pairs)
{
    struct arguments arguments;
    struct series series;
    set_arguments(draws, &arguments);
    make_series(&arguments, &series);
    pairs->square = series.square;
    EACH_SIDE
    {
        __m512d s = series.sine.of[side];
        __m512d c = series.cosine.of[side];
        __m512i quarter = _mm512_add_epi64(draws->of[1][side], whole(UINT64_C(1) << 61));
        __mmask8 odd = _mm512_test_epi64_mask(quarter, whole(UINT64_C(1) << 62));
        pairs->first.of[side] = _mm512_mask_xor_pd(c, odd, s, real(-0.0));
        pairs->second.of[side] = _mm512_mask_blend_pd(odd, s, c);
        pairs->quarter[side] = quarter;
    }
}

PART void write_pairs(const struct pairs *pairs, double *out)
{
    const __m512i low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    EACH_SIDE
    {
        __m512i radius = _mm512_castpd_si512(_mm512_sqrt_pd(pairs->square.of[side]));
        /* 0x78: a ^ (b & c) */
        __m512d with_sign = _mm512_castsi512_pd(_mm512_ternarylogic_epi64(
            radius, pairs->quarter[side], whole(UINT64_C(1) << 63), 0x78));
        __m512d first = product(with_sign, pairs->first.of[side]);
        __m512d second = product(with_sign, pairs->second.of[side]);
        _mm512_storeu_pd(out + 16 * side, _mm512_permutex2var_pd(first, low, second));
        _mm512_storeu_pd(out + 16 * side + 8, _mm512_permutex2var_pd(first, high, second));
    }
}

PART void load(const struct random_blocks *blocks, size_t first, struct words *words)
{
    for (size_t w = 0; w < 4; w++) {
        EACH_SIDE
        {
            words->of[w][side] = _mm512_loadu_si512(&blocks->word[w][first + 8 * side]);
        }
    }
}

TARGET void random_philox_avx512(struct random_blocks *blocks, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i += 8 * SIDES) {
        struct words words;
        load(blocks, i, &words);
        go_on(&words, 0, RANDOM_ROUNDS, keys_of(seed));
        for (size_t w = 0; w < 4; w++) {
            EACH_SIDE
            {
                _mm512_storeu_si512(&blocks->word[w][i + 8 * side], words.of[w][side]);
            }
        }
    }
}

/* The upper 53 of the 64 bits of (high, low). */
PART __m512i upper_bits(__m512i high, __m512i low)
{
    /* 0xEA: (a & b) | c */
    return _mm512_ternarylogic_epi64(low, whole(UINT32_MAX << 11), _mm512_slli_epi64(high, 32),
                                     0xEA);
}

TARGET void random_pairs_avx512(const struct random_blocks *words, size_t count, double *out)
{
    for (size_t i = 0; i < count; i += 8 * SIDES) {
        struct words taken;
        struct draws draws;
        struct pairs pairs;
        load(words, i, &taken);
        EACH_SIDE
        {
            draws.of[0][side] = upper_bits(taken.of[1][side], taken.of[0][side]);
            draws.of[1][side] = upper_bits(taken.of[3][side], taken.of[2][side]);
        }
        set_pairs(&draws, &pairs);
        write_pairs(&pairs, out + 2 * i);
    }
}

TARGET void random_normals_avx512(const struct random_blocks *counters, size_t count, uint64_t seed,
                                  double *out)
{
    for (size_t i = 0; i < count; i += 8 * SIDES) {
        struct words words;
        struct draws draws;
        struct pairs pairs;
        load(counters, i, &words);
        finish_philox(&words, 0, keys_of(seed), &draws);
        set_pairs(&draws, &pairs);
        write_pairs(&pairs, out + 2 * i);
    }
}

/* Pairs are written one step late: roots take long, and the words of the next ones need none. */
TARGET void random_row_avx512(uint64_t seed, uint32_t stream, uint32_t row, size_t columns,
                              double *out)
{
    const struct row_words common = row_words_of(seed, stream, row);
    const __m512i lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const size_t step = 16 * SIDES;
    __m512i products = _mm512_mul_epu32(lanes, whole(RANDOM_MULTIPLIER_0));
    struct draws draws;
    struct pairs pairs;
    draws_of_row(&common, products, &draws);
    set_pairs(&draws, &pairs);
    for (size_t i = step; i < columns; i += step) {
        products = _mm512_add_epi64(products, whole(8 * SIDES * (uint64_t)RANDOM_MULTIPLIER_0));
        draws_of_row(&common, products, &draws);
        write_pairs(&pairs, out + i - step);
        set_pairs(&draws, &pairs);
    }
    write_pairs(&pairs, out + columns - step);
}
#endif
