/* SPDX-License-Identifier: MIT */
/* Normals of random.c by vectors of eight blocks, from counters to numbers without a detour through
 * memory. Every rounded step of random.c is one here; what is fused, shifted or left out was
 * exact there, so that the bits are the same. */
#include "base/clones.h"
#include "base/random_internal.h"

#ifdef MANY_PROCESSORS
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512dq")))
#define PART TARGET static inline __attribute__((always_inline))

/* Vectors at a time: while one waits for a step of its own, the others go on. */
#define SIDES ((size_t)4)
#define EACH_SIDE _Pragma("GCC unroll 4") for (size_t side = 0; side < SIDES; side++)

struct vectors {
    __m512d of[SIDES];
};

struct words {
    __m512i of[4][SIDES];
};

PART __m512d real(double value)
{
    return _mm512_set1_pd(value);
}

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

/* The rounds from one of them, which has these keys, to the last. */
PART void finish_philox(struct words *words, int round, struct keys keys)
{
    const __m512i by0 = whole(RANDOM_MULTIPLIER_0);
    const __m512i by2 = whole(RANDOM_MULTIPLIER_2);
#pragma GCC unroll 10
    for (; round < RANDOM_ROUNDS; round++) {
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

/* The random words of blocks from `first` on. */
PART void philox_of_row(const struct row_words *row, uint64_t first, struct words *words)
{
    const __m512i steps = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    EACH_SIDE
    {
        __m512i block = _mm512_add_epi64(steps, whole(first + 8 * side));
        __m512i a = _mm512_mul_epu32(block, whole(RANDOM_MULTIPLIER_0));
        __m512i word2 = _mm512_xor_si512(upper(a), whole(row->first_key));
        __m512i b = _mm512_mul_epu32(word2, whole(RANDOM_MULTIPLIER_2));
        words->of[0][side] = _mm512_xor_si512(upper(b), whole(row->mixed[0]));
        words->of[1][side] = b;
        words->of[2][side] = _mm512_xor_si512(a, whole(row->mixed[1]));
        words->of[3][side] = whole(row->last);
    }
    finish_philox(words, 2, row->keys);
}

/* The upper 53 bits of (high, low), as a double. */
PART __m512d upper_bits(__m512i high, __m512i low)
{
    __m512i both = _mm512_mask_shuffle_epi32(low, 0xAAAA, high, (_MM_PERM_ENUM)0xA0);
    return _mm512_cvtepu64_pd(_mm512_srli_epi64(both, 11));
}

/* series = series * z + term, rounded twice */
PART void add_term(struct vectors *series, const struct vectors *z, double term)
{
    EACH_SIDE
    {
        series->of[side] = _mm512_add_pd(_mm512_mul_pd(series->of[side], z->of[side]), real(term));
    }
}

PART struct vectors start(double term)
{
    return (struct vectors){{real(term), real(term), real(term), real(term)}};
}

/* sqrt(-2 ln u), u = number 2^-53 */
PART struct vectors radius_of(struct vectors number)
{
    struct vectors exponent;
    struct vectors s;
    struct vectors z;
    EACH_SIDE
    {
        __m512i moved =
            _mm512_add_epi64(_mm512_castpd_si512(number.of[side]),
                             whole(UINT64_C(0x3FF0000000000000) - UINT64_C(0x3FE6A09E00000000) -
                                   (UINT64_C(53) << 52)));
        __m512i exponent_bits =
            _mm512_add_epi64(_mm512_srli_epi64(moved, 52), whole(RANDOM_ROUNDER_BITS - 0x3FF));
        __m512i mantissa_bits =
            _mm512_add_epi64(_mm512_and_si512(moved, whole(UINT64_C(0x000FFFFFFFFFFFFF))),
                             whole(UINT64_C(0x3FE6A09E00000000)));
        exponent.of[side] = _mm512_sub_pd(_mm512_castsi512_pd(exponent_bits), real(RANDOM_ROUNDER));
        __m512d f = _mm512_sub_pd(_mm512_castsi512_pd(mantissa_bits), real(1));
        s.of[side] = _mm512_div_pd(f, _mm512_add_pd(real(2), f));
        z.of[side] = _mm512_mul_pd(s.of[side], s.of[side]);
    }
    struct vectors series = start(1.0 / 21);
#pragma GCC unroll 9
    for (int odd = 19; odd >= 3; odd -= 2) {
        add_term(&series, &z, 1.0 / odd);
    }
    struct vectors radius;
    EACH_SIDE
    {
        __m512d rest = _mm512_mul_pd(_mm512_mul_pd(s.of[side], z.of[side]), series.of[side]);
        __m512d low = _mm512_fmadd_pd(
            real(2), rest, _mm512_mul_pd(exponent.of[side], real(1.90821492927058770002e-10)));
        __m512d sum = _mm512_fmadd_pd(real(2), s.of[side], low);
        __m512d logarithm =
            _mm512_fmadd_pd(exponent.of[side], real(6.93147180369123816490e-01), sum);
        radius.of[side] = _mm512_sqrt_pd(_mm512_mul_pd(real(-2), logarithm));
    }
    return radius;
}

PART struct vectors sine(const struct vectors *x, const struct vectors *z)
{
    struct vectors series = start(1.0 / 355687428096000);
    add_term(&series, z, -1.0 / 1307674368000);
    add_term(&series, z, 1.0 / 6227020800);
    add_term(&series, z, -1.0 / 39916800);
    add_term(&series, z, 1.0 / 362880);
    add_term(&series, z, -1.0 / 5040);
    add_term(&series, z, 1.0 / 120);
    add_term(&series, z, -1.0 / 6);
    EACH_SIDE
    {
        __m512d cube = _mm512_mul_pd(x->of[side], z->of[side]);
        series.of[side] = _mm512_add_pd(x->of[side], _mm512_mul_pd(cube, series.of[side]));
    }
    return series;
}

PART struct vectors cosine(const struct vectors *z)
{
    struct vectors series = start(1.0 / 20922789888000);
    add_term(&series, z, -1.0 / 87178291200);
    add_term(&series, z, 1.0 / 479001600);
    add_term(&series, z, -1.0 / 3628800);
    add_term(&series, z, 1.0 / 40320);
    add_term(&series, z, -1.0 / 720);
    add_term(&series, z, 1.0 / 24);
    EACH_SIDE
    {
        __m512d fourth = _mm512_mul_pd(z->of[side], z->of[side]);
        series.of[side] = _mm512_add_pd(_mm512_fnmadd_pd(real(0.5), z->of[side], real(1)),
                                        _mm512_mul_pd(fourth, series.of[side]));
    }
    return series;
}

/* `number` with its sign turned where the second bit of `quarter` is set. */
PART __m512d turn(__m512d number, __m512i quarter)
{
    /* 0x78: a ^ (b & c) */
    return _mm512_castsi512_pd(_mm512_ternarylogic_epi64(_mm512_castpd_si512(number),
                                                         _mm512_slli_epi64(quarter, 62),
                                                         whole(UINT64_C(1) << 63), 0x78));
}

/* The normals of blocks in which `u` and `v` are 2^53 times the two uniforms. */
PART void write_normals(const struct vectors *u, const struct vectors *v, double *out)
{
    const __m512i low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    struct vectors turned;
    struct vectors x;
    struct vectors z;
    EACH_SIDE
    {
        turned.of[side] = _mm512_fmadd_pd(v->of[side], real(0x1p-51), real(RANDOM_ROUNDER));
        __m512d quarter = _mm512_sub_pd(turned.of[side], real(RANDOM_ROUNDER));
        __m512d rest = _mm512_fnmadd_pd(quarter, real(0x1p51), v->of[side]);
        x.of[side] = _mm512_mul_pd(rest, real(6.283185307179586476925 * 0x1p-53));
        z.of[side] = _mm512_mul_pd(x.of[side], x.of[side]);
    }
    struct vectors radius = radius_of(*u);
    struct vectors s = sine(&x, &z);
    struct vectors c = cosine(&z);
    EACH_SIDE
    {
        __m512i quarter = _mm512_castpd_si512(turned.of[side]);
        __mmask8 odd = _mm512_test_epi64_mask(quarter, whole(1));
        __m512d first = _mm512_mask_blend_pd(odd, c.of[side], s.of[side]);
        __m512d second = _mm512_mask_blend_pd(odd, s.of[side], c.of[side]);
        first = turn(first, _mm512_add_epi64(quarter, whole(1)));
        second = turn(second, quarter);
        first = _mm512_mul_pd(radius.of[side], first);
        second = _mm512_mul_pd(radius.of[side], second);
        _mm512_storeu_pd(out + 16 * side, _mm512_permutex2var_pd(first, low, second));
        _mm512_storeu_pd(out + 16 * side + 8, _mm512_permutex2var_pd(first, high, second));
    }
}

PART void load(const struct random_blocks *counters, size_t first, struct words *words)
{
    for (size_t w = 0; w < 4; w++) {
        EACH_SIDE
        {
            words->of[w][side] = _mm512_loadu_si512(&counters->word[w][first + 8 * side]);
        }
    }
}

/* The normals of random words. */
PART void make_normals(const struct words *words, double *out)
{
    struct vectors u;
    struct vectors v;
    EACH_SIDE
    {
        u.of[side] = _mm512_add_pd(upper_bits(words->of[1][side], words->of[0][side]), real(1));
        v.of[side] = upper_bits(words->of[3][side], words->of[2][side]);
    }
    write_normals(&u, &v, out);
}

TARGET void random_philox_avx512(struct random_blocks *blocks, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i += 8 * SIDES) {
        struct words words;
        load(blocks, i, &words);
        finish_philox(&words, 0, keys_of(seed));
        for (size_t w = 0; w < 4; w++) {
            EACH_SIDE
            {
                _mm512_storeu_si512(&blocks->word[w][i + 8 * side], words.of[w][side]);
            }
        }
    }
}

TARGET void random_normals_avx512(const struct random_blocks *blocks, size_t count, uint64_t seed,
                                  double *out)
{
    for (size_t i = 0; i < count; i += 8 * SIDES) {
        struct words words;
        load(blocks, i, &words);
        finish_philox(&words, 0, keys_of(seed));
        make_normals(&words, out + 2 * i);
    }
}

TARGET void random_row_avx512(uint64_t seed, uint32_t stream, uint32_t row, size_t columns,
                              double *out)
{
    const struct row_words common = row_words_of(seed, stream, row);
    for (size_t i = 0; i < columns / 2; i += 8 * SIDES) {
        struct words words;
        philox_of_row(&common, i, &words);
        make_normals(&words, out + 2 * i);
    }
}
#endif
