/* SPDX-License-Identifier: MIT */
/* base/random and base/hash: known answers, addresses, moments. */
#include "base/hash.h"
#include "base/random.h"
#include "support.h"

#include <Random123/philox.h>
#include <string.h>

START_TEST(philox_gives_the_published_answer)
{
    philox4x32_ctr_t counter = {{0, 0, 0, 0}};
    philox4x32_key_t key = {{0, 0}};
    philox4x32_ctr_t bits = philox4x32(counter, key);
    ck_assert_uint_eq(bits.v[0], 0x6627e8d5);
    ck_assert_uint_eq(bits.v[1], 0xe169c58d);
    ck_assert_uint_eq(bits.v[2], 0xbc57ac4c);
    ck_assert_uint_eq(bits.v[3], 0x9b00dbd8);
}
END_TEST

enum { LEVEL_ROWS = 37, LEVEL_COLUMNS = 301, LEVEL_COUNT = LEVEL_ROWS * LEVEL_COLUMNS };

struct drawn {
    double normals[LEVEL_COUNT], uniforms[LEVEL_COUNT];
};

static void draw_at(int level, struct drawn *drawn)
{
    ck_assert(support_use_level((enum processor_level)level));
    random_normal_matrix(UINT64_C(0xfedcba9876543210), RANDOM_TEST, LEVEL_ROWS, LEVEL_COLUMNS,
                         drawn->normals);
    random_uniforms(UINT64_C(0xfedcba9876543210), RANDOM_TEST, 3, 9, LEVEL_COUNT, drawn->uniforms);
}

static void assert_drawn(const struct drawn *drawn, const struct drawn *wanted, double relative)
{
    ck_assert_mem_eq(drawn->uniforms, wanted->uniforms, sizeof wanted->uniforms);
    for (size_t i = 0; i < LEVEL_COUNT; i++) {
        assert_near(drawn->normals[i], wanted->normals[i], relative);
    }
}

/* Normals of the plain level, whose multiplications and additions are not fused, differ in their
 * last bits: by less than eight units of 2^-53 of their value. */
START_TEST(every_level_of_processor_draws_the_same_numbers)
{
    static struct drawn best;
    static struct drawn other;
    draw_at((int)processor_best(), &best);
    for (int level = 0; level <= (int)processor_best(); level++) {
        draw_at(level, &other);
        assert_drawn(&other, &best, level == PROCESSOR_PLAIN ? 8 * 0x1p-53 : 0);
    }
}
END_TEST

/* The element by its definition, from the generator alone. */
static double by_definition(uint64_t seed, uint32_t stream, uint32_t row, uint32_t column)
{
    philox4x32_ctr_t counter = {{column / 2, row, stream, 0}};
    philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    philox4x32_ctr_t bits = philox4x32(counter, key);
    uint64_t a = (uint64_t)bits.v[1] << 32 | bits.v[0];
    uint64_t b = (uint64_t)bits.v[3] << 32 | bits.v[2];
    double u = ((double)(a >> 11) + 1) / 9007199254740992.0;
    double v = (double)(b >> 11) / 9007199254740992.0;
    double angle = 2 * acos(-1.0) * v;
    return sqrt(-2 * log(u)) * (column % 2 == 0 ? cos(angle) : sin(angle));
}

START_TEST(an_element_is_a_function_of_its_address)
{
    double matrix[7 * 5];
    random_normal_matrix(UINT64_C(0x123456789A), RANDOM_KEY, 7, 5, matrix);
    for (uint32_t i = 0; i < 7; i++) {
        for (uint32_t j = 0; j < 5; j++) {
            double expected = by_definition(UINT64_C(0x123456789A), RANDOM_KEY, i, j);
            /* The library rounds the angle before it takes the cosine; we do not. */
            assert_within(matrix[i * 5 + j], expected, 4e-15);
        }
    }
}
END_TEST

START_TEST(a_smaller_matrix_is_a_corner_of_a_larger_one)
{
    double large[16 * 16];
    double small[5 * 3];
    double part[4];
    random_normal_matrix(3, RANDOM_QUERY, 16, 16, large);
    random_normal_matrix(3, RANDOM_QUERY, 5, 3, small);
    for (size_t i = 0; i < 5; i++) {
        ck_assert(memcmp(small + i * 3, large + i * 16, 3 * sizeof(double)) == 0);
    }
    random_normals(3, RANDOM_QUERY, 9, 7, 4, part);
    ck_assert(memcmp(part, large + 9 * 16 + 7, sizeof part) == 0);
}
END_TEST

/* Every width up to 40, odd and even, and heights that leave batches full, half full and begun. */
START_TEST(a_matrix_is_its_rows_whatever_its_shape)
{
    for (size_t columns = 1; columns <= 40; columns++) {
        for (size_t rows = 1; rows <= 33; rows += 4) {
            double matrix[33 * 40];
            double row[40];
            random_normal_matrix(5, RANDOM_INPUT, rows, columns, matrix);
            for (size_t i = 0; i < rows; i++) {
                random_normals(5, RANDOM_INPUT, (uint32_t)i, 0, columns, row);
                ck_assert(memcmp(row, matrix + i * columns, columns * sizeof *row) == 0);
            }
        }
    }
}
END_TEST

START_TEST(seeds_and_streams_differ)
{
    double a;
    double b;
    double c;
    random_normals(1, RANDOM_QUERY, 0, 0, 1, &a);
    random_normals(2, RANDOM_QUERY, 0, 0, 1, &b);
    random_normals(1, RANDOM_KEY, 0, 0, 1, &c);
    ck_assert(a != b && a != c && b != c);
}
END_TEST

/* 400,000 numbers: the standard errors of mean, variance, skewness and kurtosis are 0.0016, 0.0022,
 * 0.0039 and 0.0077; five of each are allowed. */
START_TEST(normals_have_the_moments_of_a_normal)
{
    enum { ROWS = 200, COLUMNS = 2000 };
    static double matrix[ROWS * COLUMNS];
    random_normal_matrix(42, RANDOM_TEST, ROWS, COLUMNS, matrix);
    double sums[5] = {0};
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
        double power = 1;
        for (int k = 1; k <= 4; k++) {
            power *= matrix[i];
            sums[k] += power / ((double)ROWS * COLUMNS);
        }
    }
    assert_within(sums[1], 0, 0.008);
    assert_within(sums[2], 1, 0.011);
    assert_within(sums[3], 0, 0.02);
    assert_within(sums[4], 3, 0.04);
}
END_TEST

START_TEST(a_uniform_is_the_upper_bits_of_its_half_block)
{
    enum { COUNT = 301 };
    double row[COUNT];
    random_uniforms(UINT64_C(0xfedcba9876543210), RANDOM_TEST, 3, 7, COUNT, row);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t column = 7 + i;
        philox4x32_ctr_t counter = {{column / 2, 3, RANDOM_TEST, 0}};
        philox4x32_key_t key = {{0x76543210, 0xfedcba98}};
        philox4x32_ctr_t bits = philox4x32(counter, key);
        uint32_t low = bits.v[column % 2 * 2];
        uint32_t high = bits.v[column % 2 * 2 + 1];
        uint64_t whole = (uint64_t)high << 32 | low;
        ck_assert(row[i] == (double)(whole >> 11) / 9007199254740992.0);
    }
}
END_TEST

/* 64,000 numbers: 640 are expected in each hundredth, and the sum of squares over that has 99
 * degrees of freedom, standard deviation 14.1; five are allowed, above and below. */
START_TEST(uniforms_fill_every_part_of_their_range_alike)
{
    enum { COUNT = 64000, PARTS = 100 };
    static double drawn[COUNT];
    size_t found[PARTS] = {0};
    random_uniforms(7, RANDOM_TEST, 0, 0, COUNT, drawn);
    for (size_t i = 0; i < COUNT; i++) {
        ck_assert(drawn[i] >= 0 && drawn[i] < 1);
        found[(size_t)(drawn[i] * PARTS)]++;
    }
    double squares = 0;
    for (size_t i = 0; i < PARTS; i++) {
        double beyond = (double)found[i] - (double)COUNT / PARTS;
        squares += beyond * beyond / ((double)COUNT / PARTS);
    }
    assert_within(squares, PARTS - 1, 70);
}
END_TEST

START_TEST(sha256_gives_the_published_answer)
{
    uint8_t digest[HASH_SIZE];
    char hex[HASH_HEX_SIZE];
    hash_bytes("abc", 3, digest);
    hash_hex(digest, hex);
    ck_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    ck_assert_uint_eq(hash_short("abc", 3), UINT64_C(0xba7816bf8f01cfea));
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("random");
    TCase *tests = tcase_create("random");
    tcase_add_test(tests, philox_gives_the_published_answer);
    tcase_add_test(tests, every_level_of_processor_draws_the_same_numbers);
    tcase_add_test(tests, an_element_is_a_function_of_its_address);
    tcase_add_test(tests, a_smaller_matrix_is_a_corner_of_a_larger_one);
    tcase_add_test(tests, a_matrix_is_its_rows_whatever_its_shape);
    tcase_add_test(tests, seeds_and_streams_differ);
    tcase_add_test(tests, normals_have_the_moments_of_a_normal);
    tcase_add_test(tests, a_uniform_is_the_upper_bits_of_its_half_block);
    tcase_add_test(tests, uniforms_fill_every_part_of_their_range_alike);
    tcase_add_test(tests, sha256_gives_the_published_answer);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
