/* SPDX-License-Identifier: MIT */
/* Numbers by address. Element (row, column) of stream s is half `column % 2` of the Philox block
 * with key = seed and counter = (column / 2, row, s, 0): a block holds 128 bits, which are two
 * uniforms of 53 bits and so two normals.
 *
 * Blocks are made many at a time, in loops without branches that the compiler turns into vector
 * instructions, or that are written in them: random_avx2.c, random_avx512.c. */
#include "base/random.h"

#include "base/clones.h"
#include "base/random_internal.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define TWO_TO_MINUS_53 0x1p-53

/* Block by block: in loops over blocks, compilers widen the products to 64 by 64 bits. */
static void philox_plain(struct random_blocks *blocks, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t key0 = (uint32_t)seed;
        uint32_t key1 = (uint32_t)(seed >> 32);
        uint64_t word[4];
        for (size_t w = 0; w < 4; w++) {
            word[w] = blocks->word[w][i];
        }
        for (int round = 0; round < RANDOM_ROUNDS; round++) {
            uint64_t a = (uint64_t)(uint32_t)word[0] * RANDOM_MULTIPLIER_0;
            uint64_t b = (uint64_t)(uint32_t)word[2] * RANDOM_MULTIPLIER_2;
            word[0] = (b >> 32) ^ word[1] ^ key0;
            word[2] = (a >> 32) ^ word[3] ^ key1;
            word[1] = b;
            word[3] = a;
            key0 += RANDOM_INCREMENT_0;
            key1 += RANDOM_INCREMENT_1;
        }
        for (size_t w = 0; w < 4; w++) {
            blocks->word[w][i] = word[w];
        }
    }
}

#ifdef MANY_PROCESSORS
static void philox_avx2(struct random_blocks *blocks, size_t count, uint64_t seed)
{
    random_philox_avx2(blocks, count, seed);
}

static void philox_avx512(struct random_blocks *blocks, size_t count, uint64_t seed)
{
    random_philox_avx512(blocks, count, seed);
}
#endif

PICK_TARGET_VOID(philox, (struct random_blocks * blocks, size_t count, uint64_t seed),
                 (blocks, count, seed))

/* ln u for u > 0, not subnormal: u = m 2^k with m about 1, ln m = 2 artanh(s), s = (m - 1) / (m +
 * 1). Within 2 units of the last place, and the same bits on every machine. */
static double logarithm(double u)
{
    uint64_t bits = random_bits_of(u);
    /* Moves the cut between exponents from 1 to the root of one half. */
    uint64_t moved = bits + (UINT64_C(0x3FF0000000000000) - UINT64_C(0x3FE6A09E00000000));
    uint64_t exponent_bits = (moved >> 52) - 0x3FF + RANDOM_ROUNDER_BITS;
    uint64_t mantissa_bits = (moved & UINT64_C(0x000FFFFFFFFFFFFF)) + UINT64_C(0x3FE6A09E00000000);
    double exponent = random_of_bits(exponent_bits) - RANDOM_ROUNDER;
    double f = random_of_bits(mantissa_bits) - 1;
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

/* Counters to two normals a block. */
static void normals(struct random_blocks *blocks, size_t count, uint64_t seed, double *out)
{
#ifdef MANY_PROCESSORS
    if (processor_level() == PROCESSOR_AVX512) {
        random_normals_avx512(blocks, count, seed, out);
        return;
    }
#endif
    philox(blocks, count, seed);
    random_pairs(blocks, count, out);
}

/* Turns blocks into uniforms, two each. */
MANY_TARGETS_VOID(uniform_pairs, (const struct random_blocks *blocks, size_t count, double *out),
                  (blocks, count, out))
{
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = random_upper_bits(blocks->word[1][i], blocks->word[0][i]) * TWO_TO_MINUS_53;
        out[2 * i + 1] =
            random_upper_bits(blocks->word[3][i], blocks->word[2][i]) * TWO_TO_MINUS_53;
    }
}

static void uniforms(struct random_blocks *blocks, size_t count, uint64_t seed, double *out)
{
    philox(blocks, count, seed);
    uniform_pairs(blocks, count, out);
}

/* Where the next block of a matrix lies. */
struct cursor {
    uint32_t stream, row, block;
    uint32_t first, end; /* blocks of a row: from first to before end */
};

/* The next `count` counters; returns how many. */
static size_t set_counters(struct random_blocks *blocks, struct cursor *cursor, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t rest = cursor->end - cursor->block;
        size_t part = rest < count - i ? rest : count - i;
        for (size_t k = 0; k < part; k++) {
            blocks->word[0][i + k] = cursor->block + k;
            blocks->word[1][i + k] = cursor->row;
        }
        i += part;
        cursor->block += (uint32_t)part;
        if (cursor->block == cursor->end) {
            cursor->block = cursor->first;
            cursor->row++;
        }
    }
    for (size_t i = 0; i < count; i++) {
        blocks->word[2][i] = cursor->stream;
        blocks->word[3][i] = 0;
    }
    return count;
}

/* What turns counters into numbers. */
typedef void make_pairs(struct random_blocks *blocks, size_t count, uint64_t seed, double *out);

/* Part of a matrix, in the order of its numbers. */
struct stretch {
    struct cursor cursor;
    size_t width; /* numbers of the blocks of a row; those from begin to before end count */
    size_t begin, end;
    size_t place; /* in the row, of the next number */
    size_t rows;  /* still to come */
};

/* Copies those that count of `count` numbers; returns how many. */
static size_t take(struct stretch *stretch, const double *made, size_t count, double *out)
{
    size_t taken = 0;
    for (size_t i = 0; i < count && stretch->rows > 0;) {
        size_t place = stretch->place;
        size_t left = count - i;
        size_t next = stretch->width - place < left ? stretch->width : place + left;
        size_t from = place < stretch->begin ? stretch->begin : place;
        size_t to = next < stretch->end ? next : stretch->end;
        if (from < to) {
            memcpy(out + taken, made + i + (from - place), (to - from) * sizeof *out);
            taken += to - from;
        }
        i += next - place;
        stretch->place = next == stretch->width ? 0 : next;
        stretch->rows -= next == stretch->width;
    }
    return taken;
}

/* `rows` rows of `columns` numbers from (row, column) on. Blocks run on from row to row, so that
 * narrow matrices fill the vectors, too. */
static void make_matrix(make_pairs *make, uint64_t seed, struct cursor cursor, uint32_t column,
                        size_t rows, size_t columns, double *out)
{
    const size_t most = 2 * RANDOM_BLOCKS;
    size_t width = 2 * (size_t)(cursor.end - cursor.first);
    struct stretch stretch = {cursor, width, column % 2, column % 2 + columns, 0, rows};
    struct random_blocks blocks;
    double made[2 * RANDOM_BLOCKS];
    /* Where all numbers count, whole batches go straight to their place. */
    size_t straight = columns == width ? rows * columns / most : 0;
    for (size_t i = 0; i < straight; i++) {
        make(&blocks, set_counters(&blocks, &stretch.cursor, RANDOM_BLOCKS), seed, out);
        out += most;
    }
    if (straight > 0) {
        stretch.rows -= straight * most / width;
        stretch.place = straight * most % width;
    }
    while (stretch.rows > 0) {
        size_t left = stretch.rows * width - stretch.place;
        size_t count = left <= RANDOM_BLOCKS ? RANDOM_BLOCKS / 2 : RANDOM_BLOCKS;
        make(&blocks, set_counters(&blocks, &stretch.cursor, count), seed, made);
        out += take(&stretch, made, 2 * count, out);
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
    make_matrix(normals, seed, cursor, column, 1, count, out);
}

void random_uniforms(uint64_t seed, enum random_stream stream, uint32_t row, uint32_t column,
                     size_t count, double *out)
{
    struct cursor cursor = part_of_row(stream, row, column, count);
    make_matrix(uniforms, seed, cursor, column, 1, count, out);
}

void random_normal_rows(uint64_t seed, enum random_stream stream, uint32_t row, size_t rows,
                        size_t columns, double *out)
{
#ifdef MANY_PROCESSORS
    if (processor_level() == PROCESSOR_AVX512 && columns % RANDOM_BLOCKS == 0) {
        for (size_t i = 0; i < rows; i++) {
            random_row_avx512(seed, (uint32_t)stream, row + (uint32_t)i, columns,
                              out + i * columns);
        }
        return;
    }
#endif
    struct cursor cursor = {(uint32_t)stream, row, 0, 0, (uint32_t)((columns + 1) / 2)};
    make_matrix(normals, seed, cursor, 0, rows, columns, out);
}

void random_normal_matrix(uint64_t seed, enum random_stream stream, size_t rows, size_t columns,
                          double *out)
{
    random_normal_rows(seed, stream, 0, rows, columns, out);
}

/* Half the square of a chi number with at least two degrees of freedom by Marsaglia and Tsang
 * (2000): a candidate d v from a normal number, d = degrees / 2 - 1/3, kept or not by a uniform
 * one.
 */
PART_OF_TARGETS double chi_shape(double degrees)
{
    return degrees / 2 - 1.0 / 3;
}

PART_OF_TARGETS double chi_root(double shape, double x)
{
    return 1 + x / sqrt(9 * shape);
}

/* The chi numbers that the candidates stand for, of `degrees` degrees of freedom and each one less
 * than the one before; negative where there is none. */
MANY_TARGETS_VOID(chi_candidates, (size_t count, double degrees, const double *x, double *out),
                  (count, degrees, x, out))
{
    for (size_t i = 0; i < count; i++) {
        double shape = chi_shape(degrees - (double)i);
        double root = chi_root(shape, x[i]);
        double v = root * root * root;
        double chi = sqrt(2 * shape * v);
        out[i] = root > 0 ? chi : -1;
    }
}

/* Whether a candidate from x fails. Most are kept by a bound that needs no logarithm. 1 - uniform
 * is never 0. */
static bool chi_fails(double degrees, double x, double uniform)
{
    double square = x * x;
    if (uniform >= 0.0331 * square * square) {
        return false;
    }
    double d = chi_shape(degrees);
    double root = chi_root(d, x);
    double v = root * root * root;
    return logarithm(1 - uniform) >= 0.5 * square + d * (1 - v + logarithm(v));
}

/* Attempt a at number i takes the normal (2 a, i) and the uniform (2 a + 1, i) of the stream. */
static double chi_retry(uint64_t seed, enum random_stream stream, size_t degrees, size_t i)
{
    double left = (double)degrees;
    double chi = -1;
    for (uint32_t attempt = 1; chi < 0; attempt++) {
        double x = 0;
        double uniform = 0;
        random_normals(seed, stream, 2 * attempt, (uint32_t)i, 1, &x);
        random_uniforms(seed, stream, 2 * attempt + 1, (uint32_t)i, 1, &uniform);
        chi_candidates(1, left, &x, &chi);
        chi = chi >= 0 && chi_fails(left, x, uniform) ? -1 : chi;
    }
    return chi;
}

/* Numbers of the first attempts, in one batch of blocks. */
struct chi_draws {
    double normals[RANDOM_BLOCKS];
    double uniforms[2 * RANDOM_BLOCKS]; /* those of row 0, then those that count, of row 1 */
    double chis[RANDOM_BLOCKS];
};

/* Those of RANDOM_BLOCKS numbers or fewer from an even one on. Returns where the uniforms begin. */
static const double *draw_for_chis(uint64_t seed, enum random_stream stream, size_t first,
                                   size_t count, struct chi_draws *draws)
{
    struct random_blocks blocks;
    size_t pairs = (count + 1) / 2;
    size_t whole = (pairs + 7) / 8 * 8; /* in vectors */
    struct cursor cursor = part_of_row(stream, 0, (uint32_t)first, count);
    size_t made = 2 * pairs <= RANDOM_BLOCKS / 2 ? RANDOM_BLOCKS / 2 : RANDOM_BLOCKS;
    philox(&blocks, set_counters(&blocks, &cursor, made), seed);
    random_pairs(&blocks, whole, draws->normals);
    uniform_pairs(&blocks, made, draws->uniforms);
    return draws->uniforms + 2 * pairs;
}

void random_chis(uint64_t seed, enum random_stream stream, size_t degrees, size_t count,
                 double *out)
{
    for (size_t start = 0; start < count; start += RANDOM_BLOCKS) {
        struct chi_draws draws;
        size_t rest = count - start;
        size_t taken = rest < RANDOM_BLOCKS ? rest : RANDOM_BLOCKS;
        const double *uniforms = draw_for_chis(seed, stream, start, taken, &draws);
        chi_candidates((taken + 7) / 8 * 8, (double)(degrees - start), draws.normals, draws.chis);
        for (size_t j = 0; j < taken; j++) {
            size_t left = degrees - start - j;
            double x = draws.normals[j];
            double chi = draws.chis[j];
            if (left == 1) {
                chi = fabs(x);
            } else if (chi < 0 || chi_fails((double)left, x, uniforms[j])) {
                chi = chi_retry(seed, stream, left, start + j);
            }
            out[start + j] = chi;
        }
    }
}
