/* SPDX-License-Identifier: MIT */
/* Tests random_normal.c, random_avx2.c and random_avx512.c: words to pairs of normals. */
#include "base/random.h"
#include "base/random_internal.h"
#include "support.h"

#include <math.h>
#include <string.h>

#define LAST ((UINT64_C(1) << 53) - 1)
#define QUARTER (UINT64_C(1) << 51)
#define EIGHTH (UINT64_C(1) << 50)

/* Two numbers of 53 bits: u = (a + 1) 2^-53, v = b 2^-53. */
struct block {
    uint64_t a, b;
};

struct pair {
    double first, second;
};

/* The bits that the words have beside the numbers are set, as nothing may depend on them. */
static void make_pairs(const struct block *blocks, size_t count, struct pair *out)
{
    struct random_blocks words = {0};
    double made[2 * RANDOM_BLOCKS];
    for (size_t i = 0; i < count; i++) {
        const uint64_t numbers[2] = {blocks[i].a << 11 | 0x7FF, blocks[i].b << 11 | 0x7FF};
        for (size_t k = 0; k < 2; k++) {
            words.word[2 * k][i] = numbers[k] | UINT64_MAX << 32;
            words.word[2 * k + 1][i] = numbers[k] >> 32 | UINT64_MAX << 32;
        }
    }
    random_pairs(&words, RANDOM_BLOCKS, made);
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct pair){made[2 * i], made[2 * i + 1]};
    }
}

static struct pair pair_of(uint64_t a, uint64_t b)
{
    struct pair out;
    make_pairs(&(struct block){a, b}, 1, &out);
    return out;
}

/* Box and Muller by the C library's long doubles, from the angle to the nearest quarter, which is
 * exact: right to some units of 2^-64. */
static void define(struct block block, long double expected[2])
{
    const long double turn = 6.283185307179586476925286766559L;
    uint64_t quarter = (block.b + EIGHTH) / QUARTER;
    long double rest = (long double)(int64_t)(block.b - quarter * QUARTER) * 0x1p-53L;
    long double u = ((long double)block.a + 1) * 0x1p-53L;
    /* log1p, as log of a number about 1 has lost what the number has not. */
    long double radius = sqrtl(-2 * (u > 0.5L ? log1pl(u - 1) : logl(u)));
    long double c = radius * cosl(turn * rest);
    long double s = radius * sinl(turn * rest);
    const long double turned[5][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}, {c, s}};
    memcpy(expected, turned[quarter], sizeof turned[quarter]);
}

/* The greatest error in a million random pairs was 3.8 units, and 4.5 at the plain level, which
 * rounds twice as often. */
static void assert_defined(const struct block *blocks, size_t count)
{
    const double units = processor_level() == PROCESSOR_PLAIN ? 6 : 5;
    struct pair pairs[RANDOM_BLOCKS];
    make_pairs(blocks, count, pairs);
    for (size_t i = 0; i < count; i++) {
        long double expected[2];
        define(blocks[i], expected);
        const double made[2] = {pairs[i].first, pairs[i].second};
        for (size_t k = 0; k < 2; k++) {
            double error = (double)fabsl((long double)made[k] - expected[k]);
            ck_assert_msg(error <= units * 0x1p-53 * fabs(made[k]),
                          "a = %#llx, b = %#llx, %zu: %.17g, expected %.21Lg",
                          (unsigned long long)blocks[i].a, (unsigned long long)blocks[i].b, k,
                          made[k], expected[k]);
        }
    }
}

START_TEST(random_pairs_are_those_of_their_definition)
{
    uint64_t state = 1;
    for (size_t batch = 0; batch < 600; batch++) {
        struct block blocks[RANDOM_BLOCKS];
        for (size_t i = 0; i < RANDOM_BLOCKS; i++) {
            /* Knuth's multiplier; the upper bits are good enough here. */
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            blocks[i].a = state >> 11;
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            blocks[i].b = state >> 11;
        }
        assert_defined(blocks, RANDOM_BLOCKS);
    }
}
END_TEST

/* u at `edge` and on both sides of it, those that there are. */
static void assert_defined_about(double edge)
{
    struct block blocks[3];
    size_t count = 0;
    for (int beside = -1; beside <= 1; beside++) {
        double a = floor(edge * 0x1p53) + beside - 1;
        if (a >= 0 && a <= (double)LAST) {
            blocks[count++] = (struct block){(uint64_t)a, EIGHTH / 3};
        }
    }
    assert_defined(blocks, count);
}

/* The sixteen parts of logarithms begin at odd multiples of 1/64 below 1 and of 1/32 above, times
 * powers of two. */
START_TEST(logarithms_keep_their_digits_where_parts_meet)
{
    for (int power = -52; power <= 0; power++) {
        for (int part = 43; part < 64; part += 2) {
            assert_defined_about(ldexp(part, power - 6));
        }
        for (int part = 33; part <= 43; part += 2) {
            assert_defined_about(ldexp(part, power - 5));
        }
    }
}
END_TEST

START_TEST(numbers_about_one_have_small_logarithms_to_the_last_digit)
{
    for (int power = 0; power < 53; power++) {
        struct block block = {LAST - (UINT64_C(1) << power), EIGHTH / 3};
        assert_defined(&block, 1);
    }
}
END_TEST

START_TEST(angles_keep_their_digits_about_every_eighth_of_a_turn)
{
    for (uint64_t eighth = 0; eighth <= 8; eighth++) {
        for (int power = 0; power < 50; power++) {
            const struct block blocks[2] = {
                {LAST / 3, (eighth * EIGHTH - (UINT64_C(1) << power)) & LAST},
                {LAST / 3, (eighth * EIGHTH + (UINT64_C(1) << power)) & LAST}};
            assert_defined(blocks, 2);
        }
        assert_defined(&(struct block){LAST / 3, eighth * EIGHTH & LAST}, 1);
    }
}
END_TEST

/* sqrt(-2 ln 2^-53) = sqrt(106 ln 2) = 8.571674348652905 */
START_TEST(the_least_uniform_has_the_greatest_radius)
{
    struct pair pair = pair_of(0, 0);
    assert_near(pair.first, 8.571674348652905, 1e-15);
    ck_assert(pair.second == 0);
}
END_TEST

START_TEST(the_greatest_uniform_has_no_radius)
{
    for (uint64_t b = 0; b <= LAST - EIGHTH / 3; b += EIGHTH / 3) {
        struct pair pair = pair_of(LAST, b);
        ck_assert(pair.first == 0 && pair.second == 0);
    }
    /* sqrt(-2 ln(1 - 2^-53)) = 2^-26 */
    ck_assert(pair_of(LAST - 1, 0).first == 0x1p-26);
}
END_TEST

/* u = 1/2, so that the radius is sqrt(2 ln 2) = 1.1774100225154747. */
START_TEST(whole_quarters_of_a_turn_are_exact)
{
    static const int signs[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const double radius = pair_of(LAST / 2, 0).first;
    assert_near(radius, 1.1774100225154747, 4e-16);
    for (uint64_t quarter = 0; quarter < 4; quarter++) {
        struct pair pair = pair_of(LAST / 2, quarter * QUARTER);
        ck_assert(pair.first == signs[quarter][0] * radius);
        ck_assert(pair.second == signs[quarter][1] * radius);
    }
}
END_TEST

/* Both are sqrt(ln 2) in size. */
START_TEST(half_way_between_quarters_both_are_of_one_size)
{
    static const int signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (uint64_t quarter = 0; quarter < 4; quarter++) {
        struct pair pair = pair_of(LAST / 2, quarter * QUARTER + EIGHTH);
        assert_near(pair.first, signs[quarter][0] * 0.83255461115769775635, 5e-16);
        assert_near(pair.second, signs[quarter][1] * 0.83255461115769775635, 5e-16);
    }
}
END_TEST

/* What no block but these may show: zeros and their signs included. */
START_TEST(levels_that_fuse_make_the_same_bits_of_any_words)
{
    const uint64_t numbers[8] = {0,           1,          QUARTER - 1, QUARTER,
                                 QUARTER + 1, 3 * EIGHTH, LAST - 1,    LAST};
    struct block blocks[RANDOM_BLOCKS];
    struct pair first[RANDOM_BLOCKS];
    struct pair other[RANDOM_BLOCKS];
    for (size_t i = 0; i < RANDOM_BLOCKS; i++) {
        blocks[i] = (struct block){numbers[i / 8], numbers[i % 8]};
    }
    for (int level = PROCESSOR_AVX2; level <= (int)processor_best(); level++) {
        ck_assert(support_use_level((enum processor_level)level));
        make_pairs(blocks, RANDOM_BLOCKS, level == PROCESSOR_AVX2 ? first : other);
        ck_assert(level == PROCESSOR_AVX2 || memcmp(first, other, sizeof first) == 0);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("random_normal");
    TCase *tests = tcase_create("random_normal");
    tcase_add_test(tests, random_pairs_are_those_of_their_definition);
    tcase_add_test(tests, logarithms_keep_their_digits_where_parts_meet);
    tcase_add_test(tests, numbers_about_one_have_small_logarithms_to_the_last_digit);
    tcase_add_test(tests, angles_keep_their_digits_about_every_eighth_of_a_turn);
    tcase_add_test(tests, the_least_uniform_has_the_greatest_radius);
    tcase_add_test(tests, the_greatest_uniform_has_no_radius);
    tcase_add_test(tests, whole_quarters_of_a_turn_are_exact);
    tcase_add_test(tests, half_way_between_quarters_both_are_of_one_size);
    tcase_add_test(tests, levels_that_fuse_make_the_same_bits_of_any_words);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run_levels(suite);
}
