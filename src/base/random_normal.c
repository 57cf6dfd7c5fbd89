/* SPDX-License-Identifier: MIT */
/* Random words to pairs of normals by Box and Muller: radius sqrt(-2 ln u), angle 2 pi v, by
 * quarter turns so that the reduction is exact. Logarithm, sine and cosine are series of our own,
 * which leave a normal within four units of 2^-53 of its value, five at the plain level. Beside the
 * speed, all processors that fuse a multiplication with an addition draw the same bits, which the C
 * library does not promise. */
#include "base/clones.h"
#include "base/random_internal.h"

#include <math.h>
#include <stdbool.h>

#define PART PART_OF_TARGETS

/* One number at a time: the compiler makes vectors of the loop over blocks. */
#define EACH_SIDE

enum { side, SIDES };

struct vectors {
    double of[SIDES];
};

PART double real(double value)
{
    return value;
}

PART double sum(double a, double b)
{
    return a + b;
}

PART double product(double a, double b)
{
    return a * b;
}

PART double fused(double a, double b, double c)
{
    return a * b + c;
}

#include "base/random_series.h"

/* Each factor has 24 bits, and is the one near its place whose logarithm is nearest to a double:
 * within 2^-8 units of its last place. */
const double random_factors[RANDOM_PARTS] = {
    -0x1.749378p+1, -0x1.644f8cp+1, -0x1.55752p+1, -0x1.47d2e8p+1, -0x1.3b365cp+1, -0x1.2f81e8p+1,
    -0x1.24ae18p+1, -0x1.1a994cp+1, -0x1.1128bp+1, -0x1.084a8cp+1, -0x1p+1,        -0x1.e241ep+0,
    -0x1.c774f8p+0, -0x1.af6a58p+0, -0x1.99d4cp+0, -0x1.864a2p+0,
};

const double random_logarithms[RANDOM_PARTS] = {
    0x1.804522d35389cp-1,
    0x1.528f8e005f40cp-1,
    0x1.26f57ca287ce9p-1,
    0x1.fa77e3dd3b45fp-2,
    0x1.aa201d6411c51p-2,
    0x1.5ca0dd69fbe57p-2,
    0x1.123b86e2e3685p-2,
    0x1.94e49d2f65b56p-3,
    0x1.09bbcc07bb05bp-3,
    0x1.051cc8662ap-4,
    0,
    -0x1.ea43ce7523989p-4,
    -0x1.df540c54ea864p-3,
    -0x1.5eb9fcf84b63dp-2,
    -0x1.c7d7d1d25c8e6p-2,
    -0x1.15f33f0d59f4p-1,
};

PART void set_logarithm(double u, struct arguments *arguments)
{
    uint64_t bits = random_bits_of(u);
    uint64_t moved = bits - RANDOM_FIRST + RANDOM_ONE;
    uint64_t exponent = moved & RANDOM_EXPONENT;
    double mantissa = random_of_bits(bits - exponent + RANDOM_ONE);
    double k = random_of_bits((exponent >> 52) - 0x3FF + RANDOM_ROUNDER_BITS) - RANDOM_ROUNDER;
    size_t part = moved >> 48 & (RANDOM_PARTS - 1);
    double factor = random_factors[part];
    /* 27 bits times the 24 of the factor: exact, as is the sum, without fused steps. */
    double upper = random_of_bits(random_bits_of(mantissa) & UINT64_MAX << 26);
    arguments->y.of[0] = (upper * factor + 2) + (mantissa - upper) * factor;
    arguments->whole.of[0] = k * RANDOM_MINUS_2_LN_2 + random_logarithms[part];
}

static void pairs_plain(const struct random_blocks *restrict blocks, size_t count,
                        double *restrict out)
{
    for (size_t i = 0; i < count; i++) {
        struct arguments arguments;
        struct series series;
        double u = (random_upper_bits(blocks->word[1][i], blocks->word[0][i]) + 1) * 0x1p-53;
        double v = random_upper_bits(blocks->word[3][i], blocks->word[2][i]) * 0x1p-53;
        double quarter = (4 * v + RANDOM_ROUNDER) - RANDOM_ROUNDER;
        set_logarithm(u, &arguments);
        arguments.turn.of[0] = (v - 0.25 * quarter) * 0x1p66;
        make_series(&arguments, &series);
        /* Quarters 0 to 4: (c, s), (-s, c), (-c, -s), (s, -c), (c, s). */
        double half = (0.5 * quarter - 0.25 + RANDOM_ROUNDER) - RANDOM_ROUNDER;
        bool odd = quarter != 2 * half;
        double s = series.sine.of[0];
        double c = series.cosine.of[0];
        double root = sqrt(series.square.of[0]);
        double radius = quarter == 2 || quarter == 3 ? -root : root;
        out[2 * i] = radius * (odd ? -s : c);
        out[2 * i + 1] = radius * (odd ? c : s);
    }
}

#ifdef MANY_PROCESSORS
static void pairs_avx2(const struct random_blocks *words, size_t count, double *out)
{
    random_pairs_avx2(words, count, out);
}

static void pairs_avx512(const struct random_blocks *words, size_t count, double *out)
{
    random_pairs_avx512(words, count, out);
}
#endif

PICK_TARGET_VOID(pairs, (const struct random_blocks *words, size_t count, double *out),
                 (words, count, out))

void random_pairs(const struct random_blocks *words, size_t count, double *out)
{
    pairs(words, count, out);
}
