/* SPDX-License-Identifier: MIT */
/* Numbers by address. Element (row, column) of stream s is half `column % 2` of the Philox block
 * with key = seed and counter = (column / 2, row, s, 0): a block holds 128 bits, which are two
 * uniforms of 53 bits and so two normals.
 *
 * Blocks are made many at a time, each step a loop without branches that the compiler turns into
 * vector instructions. Logarithm, sine and cosine are series of our own, within 2 ulp: beside the
 * speed, every machine draws the same bits, which the C library does not promise. */
#include "base/random.h"

#include "base/clones.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define BLOCKS ((size_t)64) /* made at a time */
#define TWO_TO_MINUS_53 0x1p-53
/* Added and taken away, it rounds a small double to an integer; its bits carry one as well. */
#define ROUNDER 0x1.8p52
#define ROUNDER_BITS UINT64_C(0x4338000000000000)

/* The words of many blocks, word by word. */
struct blocks {
    uint32_t word[4][BLOCKS];
};

/* Philox4x32-10, Salmon et al. 2011, table 2: multipliers and Weyl increments of the key. */
PART_OF_TARGETS void philox(struct blocks *blocks, uint64_t seed)
{
    uint32_t key0 = (uint32_t)seed;
    uint32_t key1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        for (size_t i = 0; i < BLOCKS; i++) {
            uint64_t a = (uint64_t)blocks->word[0][i] * 0xD2511F53U;
            uint64_t b = (uint64_t)blocks->word[2][i] * 0xCD9E8D57U;
            blocks->word[0][i] = (uint32_t)(b >> 32) ^ blocks->word[1][i] ^ key0;
            blocks->word[2][i] = (uint32_t)(a >> 32) ^ blocks->word[3][i] ^ key1;
            blocks->word[1][i] = (uint32_t)b;
            blocks->word[3][i] = (uint32_t)a;
        }
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
}

/* The upper 53 bits of the 64-bit number (high, low), as a double. Only signed 32-bit numbers
 * convert in vectors. */
PART_OF_TARGETS double upper_bits(uint32_t high, uint32_t low)
{
    double top = (double)(int32_t)(high ^ 0x80000000U) + 0x1p31;
    return top * 0x1p21 + (double)(int32_t)(low >> 11);
}

/* ln u for u > 0, not subnormal: u = m 2^k with m about 1, ln m = 2 artanh(s), s = (m - 1) / (m +
 * 1). */
PART_OF_TARGETS double logarithm(double u)
{
    uint64_t bits;
    memcpy(&bits, &u, sizeof bits);
    /* Moves the cut between exponents from 1 to the root of one half. */
    uint64_t moved = bits + (UINT64_C(0x3FF0000000000000) - UINT64_C(0x3FE6A09E00000000));
    uint64_t exponent_bits = (moved >> 52) - 0x3FF + ROUNDER_BITS;
    uint64_t mantissa_bits = (moved & UINT64_C(0x000FFFFFFFFFFFFF)) + UINT64_C(0x3FE6A09E00000000);
    double exponent;
    double mantissa;
    memcpy(&exponent, &exponent_bits, sizeof exponent);
    memcpy(&mantissa, &mantissa_bits, sizeof mantissa);
    exponent -= ROUNDER;

    double f = mantissa - 1;
    double s = f / (2 + f);
    double z = s * s;
    double series = 1.0 / 21;
    series = series * z + 1.0 / 19;
    series = series * z + 1.0 / 17;
    series = series * z + 1.0 / 15;
    series = series * z + 1.0 / 13;
    series = series * z + 1.0 / 11;
    series = series * z + 1.0 / 9;
    series = series * z + 1.0 / 7;
    series = series * z + 1.0 / 5;
    series = series * z + 1.0 / 3;
    /* ln 2 in two parts, the first short enough that its product with the exponent is exact. */
    double low = 2 * (s * z * series) + exponent * 1.90821492927058770002e-10;
    return (low + 2 * s) + exponent * 6.93147180369123816490e-01;
}

/* sin x and cos x for |x| <= pi/4 by their Taylor series. */
PART_OF_TARGETS double sine(double x)
{
    double z = x * x;
    double series = 1.0 / 355687428096000;
    series = series * z - 1.0 / 1307674368000;
    series = series * z + 1.0 / 6227020800;
    series = series * z - 1.0 / 39916800;
    series = series * z + 1.0 / 362880;
    series = series * z - 1.0 / 5040;
    series = series * z + 1.0 / 120;
    series = series * z - 1.0 / 6;
    return x + x * z * series;
}

PART_OF_TARGETS double cosine(double x)
{
    double z = x * x;
    double series = 1.0 / 20922789888000;
    series = series * z - 1.0 / 87178291200;
    series = series * z + 1.0 / 479001600;
    series = series * z - 1.0 / 3628800;
    series = series * z + 1.0 / 40320;
    series = series * z - 1.0 / 720;
    series = series * z + 1.0 / 24;
    return 1 - 0.5 * z + z * z * series;
}

/* Box and Muller: radius sqrt(-2 ln u), angle 2 pi v, by quarter turns so that the reduction is
 * exact. */
PART_OF_TARGETS void normal_pairs(const struct blocks *blocks, double *out)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        double u = (upper_bits(blocks->word[1][i], blocks->word[0][i]) + 1) * TWO_TO_MINUS_53;
        double v = upper_bits(blocks->word[3][i], blocks->word[2][i]) * TWO_TO_MINUS_53;
        double radius = sqrt(-2 * logarithm(u));
        double quarter = (4 * v + ROUNDER) - ROUNDER;
        double x = (v - 0.25 * quarter) * 6.283185307179586476925;
        double s = sine(x);
        double c = cosine(x);
        /* Quarters 0 to 4: (c, s), (-s, c), (-c, -s), (s, -c), (c, s). */
        double half = (0.5 * quarter - 0.25 + ROUNDER) - ROUNDER;
        bool odd = quarter != 2 * half;
        double first = odd ? s : c;
        double second = odd ? c : s;
        out[2 * i] = radius * (quarter == 1 || quarter == 2 ? -first : first);
        out[2 * i + 1] = radius * (quarter == 2 || quarter == 3 ? -second : second);
    }
}

/* Turns counters into normals, two a block. */
MANY_TARGETS static void make_normals(uint64_t seed, struct blocks *blocks, double *out)
{
    philox(blocks, seed);
    normal_pairs(blocks, out);
}

/* Turns counters into uniforms, two a block. */
MANY_TARGETS static void make_uniforms(uint64_t seed, struct blocks *blocks, double *out)
{
    philox(blocks, seed);
    for (size_t i = 0; i < BLOCKS; i++) {
        out[2 * i] = upper_bits(blocks->word[1][i], blocks->word[0][i]) * TWO_TO_MINUS_53;
        out[2 * i + 1] = upper_bits(blocks->word[3][i], blocks->word[2][i]) * TWO_TO_MINUS_53;
    }
}

/* Where the next block of a matrix lies. */
struct cursor {
    uint32_t stream, row, block;
    uint32_t first, end; /* blocks of a row: from first to before end */
};

static void set_counters(struct blocks *blocks, struct cursor *cursor)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks->word[0][i] = cursor->block;
        blocks->word[1][i] = cursor->row;
        blocks->word[2][i] = cursor->stream;
        blocks->word[3][i] = 0;
        cursor->block++;
        if (cursor->block == cursor->end) {
            cursor->block = cursor->first;
            cursor->row++;
        }
    }
}

/* `rows` rows of `columns` numbers from (row, column) on, by make_normals or its like. Blocks run
 * on from row to row, so that narrow matrices fill the vectors, too. */
static void make_matrix(void (*make)(uint64_t, struct blocks *, double *), uint64_t seed,
                        struct cursor cursor, uint32_t column, size_t rows, size_t columns,
                        double *out)
{
    size_t width = 2 * (size_t)(cursor.end - cursor.first);
    size_t skipped = column % 2;
    size_t place = 0; /* in the row, counted from its first block */
    struct blocks blocks;
    double made[2 * BLOCKS];
    while (rows > 0) {
        set_counters(&blocks, &cursor);
        make(seed, &blocks, made);
        for (size_t i = 0; i < 2 * BLOCKS && rows > 0; i++) {
            if (place >= skipped && place < skipped + columns) {
                *out++ = made[i];
            }
            place++;
            if (place == width) {
                place = 0;
                rows--;
            }
        }
    }
}

/* The blocks of `count` columns of a row. */
static struct cursor part_of_row(enum random_stream stream, uint32_t row, uint32_t column,
                                 size_t count)
{
    uint32_t first = column / 2;
    uint32_t end = (uint32_t)((column + count + 1) / 2);
    return (struct cursor){(uint32_t)stream, row, first, first, end};
}

void random_normals(uint64_t seed, enum random_stream stream, uint32_t row, uint32_t column,
                    size_t count, double *out)
{
    struct cursor cursor = part_of_row(stream, row, column, count);
    make_matrix(make_normals, seed, cursor, column, 1, count, out);
}

void random_uniforms(uint64_t seed, enum random_stream stream, uint32_t row, uint32_t column,
                     size_t count, double *out)
{
    struct cursor cursor = part_of_row(stream, row, column, count);
    make_matrix(make_uniforms, seed, cursor, column, 1, count, out);
}

void random_normal_matrix(uint64_t seed, enum random_stream stream, size_t rows, size_t columns,
                          double *out)
{
    struct cursor cursor = {(uint32_t)stream, 0, 0, 0, (uint32_t)((columns + 1) / 2)};
    make_matrix(make_normals, seed, cursor, 0, rows, columns, out);
}

/* One attempt of Marsaglia and Tsang (2000) at half the square of a chi number with at least two
 * degrees of freedom: a candidate from the normal number x, kept or not by the uniform one. Returns
 * the chi number, or a negative one where the attempt failed. */
static double chi_attempt(double degrees, double x, double uniform)
{
    double d = degrees / 2 - 1.0 / 3;
    double root = 1 + x / sqrt(9 * d);
    if (!(root > 0)) {
        return -1;
    }
    double v = root * root * root;
    /* Most are kept by a bound that needs no logarithm. 1 - uniform is never 0. */
    double square = x * x;
    if (uniform < 0.0331 * square * square &&
        logarithm(1 - uniform) >= 0.5 * square + d * (1 - v + logarithm(v))) {
        return -1;
    }
    return sqrt(2 * d * v);
}

/* Attempt a at number i takes the normal (2 a, i) and the uniform (2 a + 1, i) of the stream. */
static double chi_retry(uint64_t seed, enum random_stream stream, size_t degrees, size_t i)
{
    double chi = -1;
    for (uint32_t attempt = 1; chi < 0; attempt++) {
        double x = 0;
        double uniform = 0;
        random_normals(seed, stream, 2 * attempt, (uint32_t)i, 1, &x);
        random_uniforms(seed, stream, 2 * attempt + 1, (uint32_t)i, 1, &uniform);
        chi = chi_attempt((double)degrees, x, uniform);
    }
    return chi;
}

void random_chis(uint64_t seed, enum random_stream stream, size_t degrees, size_t count,
                 double *out)
{
    double normals[2 * BLOCKS] = {0};
    double uniforms[2 * BLOCKS] = {0};
    for (size_t start = 0; start < count; start += 2 * BLOCKS) {
        size_t rest = count - start;
        size_t taken = rest < 2 * BLOCKS ? rest : 2 * BLOCKS;
        random_normals(seed, stream, 0, (uint32_t)start, taken, normals);
        random_uniforms(seed, stream, 1, (uint32_t)start, taken, uniforms);
        for (size_t j = 0; j < taken; j++) {
            size_t left = degrees - start - j;
            double chi =
                left == 1 ? fabs(normals[j]) : chi_attempt((double)left, normals[j], uniforms[j]);
            out[start + j] = chi < 0 ? chi_retry(seed, stream, left, start + j) : chi;
        }
    }
}
