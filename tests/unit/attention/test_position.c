/* SPDX-License-Identifier: MIT */
/* Tests of attention/position: the reference values, and what follows from the formula. */
#include "attention/position.h"
#include "support.h"
#include "table.h"

#include <string.h>

#define POSITIONS 1001

static double encoding[POSITIONS * 10];

START_TEST(the_encoding_equals_the_reference)
{
    struct table table = table_read(TEST_REFERENCE_DIR "/positional_encoding.tsv");
    for (size_t i = 0; i < table.count; i++) {
        const struct table_entry *entry = &table.entries[i];
        size_t position = (size_t)atoi(entry->column);
        size_t d = (size_t)atoi(entry->row);
        ck_assert(position < POSITIONS && d <= 10 && d == entry->count);
        memset(encoding, 0, sizeof encoding);
        position_add_sinusoidal(0, POSITIONS, d, encoding);
        for (size_t c = 0; c < d; c++) {
            /* An angle of 1000 carries 1e-13 of its own rounding into a sine near zero. */
            ck_assert(support_near(encoding[position * d + c], entry->values[c], 1e-12, 2e-13));
        }
    }
    ck_assert_uint_eq(table.count, 21);
}
END_TEST

START_TEST(the_encoding_is_added)
{
    double x[] = {1, 2, 3, 4};
    position_add_sinusoidal(0, 2, 2, x);
    const double wanted[] = {1, 3, 3 + 0.84147098480789650665, 4 + 0.5403023058681397174};
    for (size_t i = 0; i < 4; i++) {
        assert_near(x[i], wanted[i], 1e-15);
    }
}
END_TEST

START_TEST(position_0_is_zeros_and_ones)
{
    double x[6] = {0};
    position_add_sinusoidal(0, 1, 6, x);
    const double wanted[] = {0, 1, 0, 1, 0, 1};
    ck_assert_mem_eq(x, wanted, sizeof wanted);
}
END_TEST

START_TEST(every_pair_has_unit_length)
{
    memset(encoding, 0, sizeof encoding);
    position_add_sinusoidal(0, POSITIONS, 10, encoding);
    for (size_t i = 0; i < (size_t)POSITIONS * 10; i += 2) {
        assert_near(encoding[i] * encoding[i] + encoding[i + 1] * encoding[i + 1], 1, 1e-15);
    }
}
END_TEST

START_TEST(an_odd_width_ends_on_a_sine)
{
    double x[6] = {0};
    position_add_sinusoidal(0, 2, 3, x);
    assert_near(x[3], sin(1), 1e-15);
    assert_near(x[4], cos(1), 1e-15);
    /* 10000^(-2/3) = 0.0021544346900318843 */
    assert_near(x[5], sin(0.0021544346900318843), 1e-14);
    ck_assert(x[2] == 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("position");
    TCase *tests = tcase_create("position");
    tcase_add_test(tests, the_encoding_equals_the_reference);
    tcase_add_test(tests, the_encoding_is_added);
    tcase_add_test(tests, position_0_is_zeros_and_ones);
    tcase_add_test(tests, every_pair_has_unit_length);
    tcase_add_test(tests, an_odd_width_ends_on_a_sine);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
