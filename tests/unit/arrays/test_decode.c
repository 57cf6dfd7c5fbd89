/* SPDX-License-Identifier: MIT */
/* Every number of the small formats: single numbers from their definitions, the others from them.
 */
#include "arrays/array_internal.h"
#include "support.h"

#include <string.h>

static const struct {
    enum array_number number;
    uint64_t bits;
    double value;
} known[] = {
    /* IEEE 754 binary16: 10 bits of fraction, bias 15. */
    {ARRAY_F16, 0x3C00, 1},
    {ARRAY_F16, 0xC000, -2},
    {ARRAY_F16, 0x0001, 0x1p-24},
    {ARRAY_F16, 0x03FF, 0x1p-14 - 0x1p-24},
    {ARRAY_F16, 0x0400, 0x1p-14},
    {ARRAY_F16, 0x7BFF, 65504},
    {ARRAY_F16, 0x7C00, HUGE_VAL},
    {ARRAY_F16, 0xFC00, -HUGE_VAL},
    {ARRAY_F16, 0x7C01, (double)NAN},
    {ARRAY_F16, 0xFE00, (double)NAN},
    /* 7 bits of fraction, bias 127. */
    {ARRAY_BF16, 0x3F80, 1},
    {ARRAY_BF16, 0x8001, -0x1p-133},
    {ARRAY_BF16, 0x7F7F, 0x1.FEp127},
    {ARRAY_BF16, 0x7F80, HUGE_VAL},
    {ARRAY_BF16, 0x7F81, (double)NAN},
    /* OCP E4M3: bias 7, 448 is the largest number, all ones NaN, no infinity. */
    {ARRAY_F8_E4M3, 0x38, 1},
    {ARRAY_F8_E4M3, 0x01, 0x1p-9},
    {ARRAY_F8_E4M3, 0x07, 0x1.Cp-7},
    {ARRAY_F8_E4M3, 0x08, 0x1p-6},
    {ARRAY_F8_E4M3, 0x78, 256},
    {ARRAY_F8_E4M3, 0xFE, -448},
    {ARRAY_F8_E4M3, 0x7F, (double)NAN},
    {ARRAY_F8_E4M3, 0xFF, (double)NAN},
    /* OCP E5M2: bias 15, infinities and NaN as in IEEE 754. */
    {ARRAY_F8_E5M2, 0x3C, 1},
    {ARRAY_F8_E5M2, 0x01, 0x1p-16},
    {ARRAY_F8_E5M2, 0x7B, 57344},
    {ARRAY_F8_E5M2, 0xFC, -HUGE_VAL},
    {ARRAY_F8_E5M2, 0x7D, (double)NAN},
    /* 1.5, the smallest single, and the largest. */
    {ARRAY_F32, 0x3FC00000, 1.5},
    {ARRAY_F32, 0x00000001, 0x1p-149},
    {ARRAY_F32, 0xFF7FFFFF, -0x1.FFFFFEp127},
    {ARRAY_F64, 0x3FF8000000000000, 1.5},
    {ARRAY_F64, 0x0000000000000001, 0x1p-1074},
};

START_TEST(numbers_from_the_definitions)
{
    assert_near(array_decode(known[_i].number, known[_i].bits), known[_i].value, 0);
}
END_TEST

START_TEST(a_zero_keeps_its_sign)
{
    static const unsigned sign_bit[] = {63, 31, 15, 15, 7, 7};
    for (int number = 0; number < ARRAY_NUMBER_COUNT; number++) {
        const double zero = array_decode((enum array_number)number, 0);
        const double negative =
            array_decode((enum array_number)number, UINT64_C(1) << sign_bit[number]);
        ck_assert(zero == 0 && !signbit(zero));
        ck_assert(negative == 0 && signbit(negative));
    }
}
END_TEST

START_TEST(a_half_is_linear_between_powers_of_two_and_doubles_with_each)
{
    for (uint64_t bits = 0; bits < 0x7C00; bits++) {
        const double value = array_decode(ARRAY_F16, bits);
        const uint64_t exponent = bits >> 10;
        const double step = ldexp(1, exponent == 0 ? -24 : (int)exponent - 25);
        if (bits < 0x7BFF) {
            assert_near(array_decode(ARRAY_F16, bits + 1) - value, step, 0);
        }
        assert_near(array_decode(ARRAY_F16, bits | 0x8000), -value, 0);
    }
}
END_TEST

START_TEST(brain_floats_are_the_upper_half_of_singles)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        const uint32_t whole = bits << 16;
        float single = 0;
        memcpy(&single, &whole, sizeof single);
        assert_near(array_decode(ARRAY_BF16, bits), (double)single, 0);
        assert_near(array_decode(ARRAY_F32, whole), (double)single, 0);
    }
}
END_TEST

START_TEST(e5m2_is_the_upper_half_of_binary16)
{
    for (uint64_t bits = 0; bits < 0x100; bits++) {
        assert_near(array_decode(ARRAY_F8_E5M2, bits), array_decode(ARRAY_F16, bits << 8), 0);
    }
}
END_TEST

START_TEST(e4m3_ascends_by_eighths_of_its_power_of_two)
{
    for (uint64_t bits = 0; bits < 0x7E; bits++) {
        const uint64_t exponent = bits >> 3;
        const double step = ldexp(1, exponent == 0 ? -9 : (int)exponent - 10);
        const double value = array_decode(ARRAY_F8_E4M3, bits);
        assert_near(array_decode(ARRAY_F8_E4M3, bits + 1) - value, step, 0);
    }
}
END_TEST

START_TEST(planes_in_fortran_order_are_turned_round)
{
    /* numpy.asfortranarray of 0 .. 11 in shape (2, 3, 2): first index fastest. */
    const unsigned char bytes[12] = {0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11};
    const struct array_order order = {.number = ARRAY_F8_E5M2, .fortran = true};
    const struct array array = {.planes = 2, .rows = 3, .columns = 2};
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    const double *values = array_convert(&array, &order, bytes, &arena, &err);
    assert_ok(values != NULL, err);
    for (size_t i = 0; i < 12; i++) {
        assert_near(values[i], array_decode(ARRAY_F8_E5M2, i), 0);
    }
    arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arrays/decode");
    TCase *cases = tcase_create("decode");
    tcase_add_loop_test(cases, numbers_from_the_definitions, 0, sizeof known / sizeof known[0]);
    tcase_add_test(cases, a_zero_keeps_its_sign);
    tcase_add_test(cases, a_half_is_linear_between_powers_of_two_and_doubles_with_each);
    tcase_add_test(cases, brain_floats_are_the_upper_half_of_singles);
    tcase_add_test(cases, e5m2_is_the_upper_half_of_binary16);
    tcase_add_test(cases, e4m3_ascends_by_eighths_of_its_power_of_two);
    tcase_add_test(cases, planes_in_fortran_order_are_turned_round);
    suite_add_tcase(suite, cases);
    return support_run(suite);
}
