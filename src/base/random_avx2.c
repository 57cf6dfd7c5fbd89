/* SPDX-License-Identifier: MIT */
/* Philox and normals by vectors of four blocks, where there is no AVX-512. */
#include "base/clones.h"
#include "base/random_internal.h"

#ifdef MANY_PROCESSORS
#include <immintrin.h>

#define PART TARGET_AVX2 static inline __attribute__((always_inline))
#define SIDES ((size_t)2)
#define EACH_SIDE _Pragma("GCC unroll 2") for (size_t side = 0; side < SIDES; side++)

struct vectors {
    __m256d of[SIDES];
};

PART __m256d real(double value)
{
    return _mm256_set1_pd(value);
}

PART __m256d sum(__m256d a, __m256d b)
{
    return _mm256_add_pd(a, b);
}

PART __m256d product(__m256d a, __m256d b)
{
    return _mm256_mul_pd(a, b);
}

PART __m256d fused(__m256d a, __m256d b, __m256d c)
{
    return _mm256_fmadd_pd(a, b, c);
}

#include "base/random_series.h"

PART __m256i whole(uint64_t value)
{
    return _mm256_set1_epi64x((long long)value);
}

PART __m256i bits_of(__m256d numbers)
{
    return _mm256_castpd_si256(numbers);
}

PART __m256d of_bits(__m256i bits)
{
    return _mm256_castsi256_pd(bits);
}

struct words {
    __m256i of[4][SIDES];
};

/* The keys of all rounds, in every lane. */
struct keys {
    __m256i of[RANDOM_ROUNDS][2];
};

PART void set_keys(uint64_t seed, struct keys *keys)
{
    uint32_t key0 = (uint32_t)seed;
    uint32_t key1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < RANDOM_ROUNDS; round++) {
        keys->of[round][0] = whole(key0);
        keys->of[round][1] = whole(key1);
        key0 += RANDOM_INCREMENT_0;
        key1 += RANDOM_INCREMENT_1;
    }
}

PART void load(const struct random_blocks *blocks, size_t first, struct words *words)
{
    for (size_t w = 0; w < 4; w++) {
        EACH_SIDE
        {
            const uint64_t *from = &blocks->word[w][first + 4 * side];
            words->of[w][side] = _mm256_loadu_si256((const __m256i *)(const void *)from);
        }
    }
}

PART void philox(struct words *words, const struct keys *keys)
{
#pragma GCC unroll 10
    for (int round = 0; round < RANDOM_ROUNDS; round++) {
        EACH_SIDE
        {
            __m256i a = _mm256_mul_epu32(words->of[0][side], whole(RANDOM_MULTIPLIER_0));
            __m256i b = _mm256_mul_epu32(words->of[2][side], whole(RANDOM_MULTIPLIER_2));
            __m256i odd0 = _mm256_xor_si256(words->of[1][side], keys->of[round][0]);
            __m256i odd1 = _mm256_xor_si256(words->of[3][side], keys->of[round][1]);
            words->of[0][side] = _mm256_xor_si256(_mm256_srli_epi64(b, 32), odd0);
            words->of[2][side] = _mm256_xor_si256(_mm256_srli_epi64(a, 32), odd1);
            words->of[1][side] = b;
            words->of[3][side] = a;
        }
    }
}

TARGET_AVX2 void random_philox_avx2(struct random_blocks *blocks, size_t count, uint64_t seed)
{
    struct keys keys;
    set_keys(seed, &keys);
    for (size_t i = 0; i < count; i += 4 * SIDES) {
        struct words words;
        load(blocks, i, &words);
        philox(&words, &keys);
        for (size_t w = 0; w < 4; w++) {
            EACH_SIDE
            {
                uint64_t *to = &blocks->word[w][i + 4 * side];
                _mm256_storeu_si256((__m256i *)(void *)to, words.of[w][side]);
            }
        }
    }
}

/* The upper 53 bits of (high, low) times 2^shift, as doubles: each half as the last bits of a power
 * of two, which goes again. */
PART __m256d upper_bits(__m256i high, __m256i low, int shift)
{
    const uint64_t power = (uint64_t)(0x433 + shift) << 52;
    __m256i last = _mm256_srli_epi32(low, 11);
    __m256d upper = of_bits(_mm256_blend_epi32(high, whole(power + (UINT64_C(21) << 52)), 0xAA));
    __m256d lower = of_bits(_mm256_blend_epi32(last, whole(power), 0xAA));
    double both = (0x1p52 + 0x1p73) * (double)(UINT64_C(1) << shift);
    return sum(_mm256_sub_pd(upper, real(both)), lower);
}

PART void set_logarithm(__m256d u, __m256d *y, __m256d *logarithm)
{
    const __m256i bits = bits_of(u);
    __m256i moved = _mm256_add_epi64(bits, whole(RANDOM_ONE - RANDOM_FIRST));
    __m256i exponent = _mm256_and_si256(moved, whole(RANDOM_EXPONENT));
    __m256i mantissa = _mm256_sub_epi64(_mm256_add_epi64(bits, whole(RANDOM_ONE)), exponent);
    __m256i biased = _mm256_or_si256(_mm256_srli_epi64(moved, 52), bits_of(real(0x1p52)));
    __m256d k = _mm256_sub_pd(of_bits(biased), real(0x1p52 + 0x3FF));
    __m256i part = _mm256_and_si256(_mm256_srli_epi64(moved, 48), whole(RANDOM_PARTS - 1));
    *y = fused(of_bits(mantissa), _mm256_i64gather_pd(random_factors, part, 8), real(2));
    *logarithm =
        fused(k, real(RANDOM_MINUS_2_LN_2), _mm256_i64gather_pd(random_logarithms, part, 8));
}

/* Number by number of one and the other in turn. */
PART void store(__m256d first, __m256d second, double *out)
{
    __m256d even = _mm256_unpacklo_pd(first, second);
    __m256d odd = _mm256_unpackhi_pd(first, second);
    _mm256_storeu_pd(out, _mm256_permute2f128_pd(even, odd, 0x20));
    _mm256_storeu_pd(out + 4, _mm256_permute2f128_pd(even, odd, 0x31));
}

PART void write_pairs(const struct words *words, double *out)
{
    struct arguments arguments;
    struct series series;
    __m256d turned[SIDES];
    EACH_SIDE
    {
        __m256d u = upper_bits(words->of[1][side], words->of[0][side], 0);
        __m256d v = upper_bits(words->of[3][side], words->of[2][side], 13);
        set_logarithm(fused(u, real(0x1p-53), real(0x1p-53)), &arguments.y.of[side],
                      &arguments.whole.of[side]);
        turned[side] = fused(v, real(0x1p-64), real(RANDOM_ROUNDER));
        __m256d quarter = _mm256_sub_pd(turned[side], real(RANDOM_ROUNDER));
        arguments.turn.of[side] = _mm256_fnmadd_pd(quarter, real(0x1p64), v);
    }
    make_series(&arguments, &series);
    EACH_SIDE
    {
        /* Choices go by the upper bit: of odd quarters, and of those whose signs turn. */
        const __m256i quarter = bits_of(turned[side]);
        __m256d odd = of_bits(_mm256_slli_epi64(quarter, 63));
        __m256d sign = _mm256_and_pd(of_bits(_mm256_slli_epi64(quarter, 62)), real(-0.0));
        __m256d s = series.sine.of[side];
        __m256d c = series.cosine.of[side];
        __m256d radius = _mm256_xor_pd(_mm256_sqrt_pd(series.square.of[side]), sign);
        __m256d minus_s = _mm256_xor_pd(s, real(-0.0));
        store(product(radius, _mm256_blendv_pd(c, minus_s, odd)),
              product(radius, _mm256_blendv_pd(s, c, odd)), out + 8 * side);
    }
}

TARGET_AVX2 void random_pairs_avx2(const struct random_blocks *words, size_t count, double *out)
{
    for (size_t i = 0; i < count; i += 4 * SIDES) {
        struct words taken;
        load(words, i, &taken);
        write_pairs(&taken, out + 2 * i);
    }
}
#endif
