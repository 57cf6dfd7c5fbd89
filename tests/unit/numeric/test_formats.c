/* SPDX-License-Identifier: MIT */
/* Tests of numeric/formats: every code of the 8-bit and 16-bit formats, decoded here from its bits;
 * single precision against the processor's own conversion. */
#include "base/random.h"
#include "numeric/formats.h"
#include "support.h"

#include <float.h>
#include <stdint.h>

/* Widths of exponent and fraction, from the definitions of the formats. */
static const struct layout {
    enum number_format format;
    int exponent_bits, fraction_bits;
    double largest, smallest;
} layouts[] = {
    {FORMAT_FP16, 5, 10, 65504, 0x1p-24},
    {FORMAT_BF16, 8, 7, 0x1.fep127, 0x1p-133},
    {FORMAT_FP8_E4M3, 4, 3, 448, 0x1p-9},
    {FORMAT_FP8_E5M2, 5, 2, 57344, 0x1p-16},
};
#define LAYOUTS 4

/* The number behind a positive code; infinity and NaN for the codes that stand for them. */
static double decode(const struct layout *layout, unsigned code)
{
    int fraction_count = 1 << layout->fraction_bits;
    int exponent = (int)code / fraction_count;
    int fraction = (int)code % fraction_count;
    int top = (1 << layout->exponent_bits) - 1;
    int bias = top / 2;
    bool short_of_infinity = layout->format == FORMAT_FP8_E4M3;
    if (short_of_infinity && exponent == top && fraction == fraction_count - 1) {
        return (double)NAN;
    }
    if (!short_of_infinity && exponent == top) {
        return fraction == 0 ? (double)INFINITY : (double)NAN;
    }
    if (exponent == 0) {
        return ldexp(fraction, 1 - bias - layout->fraction_bits);
    }
    return ldexp(fraction_count + fraction, exponent - bias - layout->fraction_bits);
}

static unsigned code_count(const struct layout *layout)
{
    return 1U << (layout->exponent_bits + layout->fraction_bits);
}

START_TEST(every_number_of_a_format_stays_what_it_is)
{
    const struct layout *layout = &layouts[_i];
    unsigned finite = 0;
    for (unsigned code = 0; code < code_count(layout); code++) {
        double number = decode(layout, code);
        double rounded = format_round(layout->format, number);
        ck_assert(isnan(number) ? isnan(rounded) : rounded == number);
        double negative = format_round(layout->format, -number);
        ck_assert(isnan(number) ? isnan(negative) : negative == -number);
        ck_assert(isnan(number) || signbit(negative));
        finite += isfinite(number) ? 1 : 0;
    }
    /* All codes but those of one exponent, or but one. */
    ck_assert_uint_eq(finite, layout->format == FORMAT_FP8_E4M3
                                  ? 127
                                  : code_count(layout) - (1U << layout->fraction_bits));
    ck_assert(decode(layout, finite - 1) == layout->largest);
    ck_assert(decode(layout, 1) == layout->smallest);
}
END_TEST

START_TEST(midpoints_go_to_the_even_code_and_their_neighbours_to_the_nearest)
{
    const struct layout *layout = &layouts[_i];
    for (unsigned code = 0; decode(layout, code + 1) <= layout->largest; code++) {
        double low = decode(layout, code);
        double high = decode(layout, code + 1);
        double middle = low + (high - low) / 2; /* exact */
        ck_assert(format_round(layout->format, middle) == (code % 2 == 0 ? low : high));
        ck_assert(format_round(layout->format, -middle) == (code % 2 == 0 ? -low : -high));
        ck_assert(format_round(layout->format, nextafter(middle, 0)) == low);
        ck_assert(format_round(layout->format, nextafter(middle, (double)INFINITY)) == high);
        ck_assert(format_round(layout->format, nextafter(low, (double)INFINITY)) == low);
        ck_assert(format_round(layout->format, nextafter(high, 0)) == high);
    }
}
END_TEST

/* The next number past the largest, if there were one, decides: half the way to it overflows, and
 * exactly half does where the largest is odd. That of e4m3, 448 = 1.75 2^8, is even. */
START_TEST(what_is_too_large_becomes_infinite_or_nan)
{
    static const struct {
        enum number_format format;
        double half_way;
        bool stays;
    } cases[] = {
        {FORMAT_FP32, 0x1.ffffffp127, false}, {FORMAT_FP16, 65520, false},
        {FORMAT_BF16, 0x1.ffp127, false},     {FORMAT_FP8_E4M3, 464, true},
        {FORMAT_FP8_E5M2, 61440, false},
    };
    enum number_format format = cases[_i].format;
    double half_way = cases[_i].half_way;
    double largest = format_limits(format).largest;
    double beyond = format == FORMAT_FP8_E4M3 ? (double)NAN : (double)INFINITY;
    assert_near(format_round(format, nextafter(half_way, 0)), largest, 0);
    assert_near(format_round(format, half_way), cases[_i].stays ? largest : beyond, 0);
    assert_near(format_round(format, nextafter(half_way, (double)INFINITY)), beyond, 0);
    assert_near(format_round(format, DBL_MAX), beyond, 0);
    assert_near(format_round(format, (double)INFINITY), beyond, 0);
    assert_near(format_round(format, -DBL_MAX), -beyond, 0);
    assert_near(format_round(format, -(double)INFINITY), -beyond, 0);
}
END_TEST

START_TEST(zeros_keep_their_sign_and_nan_stays)
{
    for (int format = 0; format < FORMAT_COUNT; format++) {
        enum number_format kind = (enum number_format)format;
        ck_assert(isnan(format_round(kind, (double)NAN)));
        ck_assert(format_round(kind, 0) == 0 && !signbit(format_round(kind, 0)));
        ck_assert(format_round(kind, -0.0) == 0 && signbit(format_round(kind, -0.0)));
        double least = format_round(kind, -DBL_TRUE_MIN);
        ck_assert(signbit(least) && (least == 0) == (kind != FORMAT_FP64));
    }
}
END_TEST

START_TEST(fp64_changes_nothing)
{
    static const double values[] = {0.1,          DBL_MAX,          DBL_MIN / 3,
                                    DBL_TRUE_MIN, (double)INFINITY, -1e-310};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        ck_assert(format_round(FORMAT_FP64, values[i]) == values[i]);
    }
}
END_TEST

/* Magnitudes from below the smallest single to above the largest one. */
START_TEST(fp32_is_what_the_processor_makes_of_it)
{
    enum { COUNT = 400 };
    double normals[COUNT];
    for (int exponent = -160; exponent <= 135; exponent++) {
        random_normals(1, RANDOM_TEST, (uint32_t)(exponent + 200), 0, COUNT, normals);
        for (size_t i = 0; i < COUNT; i++) {
            double x = ldexp(normals[i], exponent);
            double rounded = format_round(FORMAT_FP32, x);
            /* Outside the range of float the conversion is C's, too: IEEE 754 gives infinity. */
            double cast =
                fabs(x) < 0x1.ffffffp127 ? (double)(float)x : copysign((double)INFINITY, x);
            ck_assert_msg(rounded == cast, "%.17g: %.17g", x, rounded);
        }
    }
}
END_TEST

/* x = 1 + 2^-11 + 2^-30 lies above the middle between 1 and the next half; rounding it to single
 * first would put it on the middle, and then down. */
START_TEST(nothing_is_rounded_twice)
{
    ck_assert(format_round(FORMAT_FP16, 1 + 0x1p-11 + 0x1p-30) == 1 + 0x1p-10);
    ck_assert(format_round(FORMAT_FP16, 0x1p-25 + 0x1p-60) == 0x1p-24);
    ck_assert(format_round(FORMAT_FP16, 0x1p-25) == 0);
    ck_assert(format_round(FORMAT_FP8_E4M3, 17 + 0x1p-40) == 18);
    ck_assert(format_round(FORMAT_FP8_E4M3, 17) == 16);
}
END_TEST

/* exp overflows from ln of the half way point past the largest on: 2^128 (1 - 2^-25), 65520,
 * 2^128 (1 - 2^-9), 464, 61440; it is 0 up to ln of half the smallest number: 2^-150, 2^-25,
 * 2^-134, 2^-10, 2^-17. */
static const struct {
    enum number_format format;
    double largest, roundoff, exp_overflow, exp_subnormal, exp_zero;
} thresholds[] = {
    {FORMAT_FP64, 1.797693e308, 1.11e-16, 709.782712893384, -708.396419, -745.13321910194},
    {FORMAT_FP32, 3.402823e38, 5.96e-8, 88.7228391, -87.336545, -103.972077},
    {FORMAT_FP16, 65504, 4.88e-4, 11.0901, -9.704061, -17.328680},
    {FORMAT_BF16, 3.38953e38, 3.91e-3, 88.720884, -87.336545, -92.881722},
    {FORMAT_FP8_E4M3, 448, 0.0625, 6.139885, -4.158883, -6.931472},
    {FORMAT_FP8_E5M2, 57344, 0.125, 11.025816, -9.704061, -11.783502},
};

START_TEST(limits_are_the_published_ones)
{
    enum number_format format = thresholds[_i].format;
    struct format_limits limits = format_limits(format);
    assert_near(limits.largest, thresholds[_i].largest, 1e-6);
    assert_near(limits.roundoff, thresholds[_i].roundoff, 2e-3);
    assert_within(limits.exp_overflow, thresholds[_i].exp_overflow,
                  format == FORMAT_FP16 ? 5e-5 : 5.1e-7);
    assert_within(limits.exp_subnormal, thresholds[_i].exp_subnormal, 5.1e-7);
    assert_within(limits.exp_zero, thresholds[_i].exp_zero, 5.1e-7);
}
END_TEST

START_TEST(thresholds_are_the_last_doubles_on_their_side)
{
    enum number_format format = thresholds[_i].format;
    struct format_limits limits = format_limits(format);
    ck_assert(!isfinite(format_round(format, exp(limits.exp_overflow))));
    ck_assert(isfinite(format_round(format, exp(nextafter(limits.exp_overflow, 0)))));
    ck_assert(format_round(format, exp(limits.exp_zero)) == 0);
    ck_assert(format_round(format, exp(nextafter(limits.exp_zero, 0))) > 0);
    ck_assert(format_round(format, 1 + limits.roundoff) == 1);
    ck_assert(format_round(format, 1 + 3 * limits.roundoff) > 1);
}
END_TEST

/* ln DBL_MAX = 709.78271289338397...; ln 2^-1075 = -745.13321910194122... */
START_TEST(fp64_thresholds_are_known_to_the_last_digit)
{
    struct format_limits limits = format_limits(FORMAT_FP64);
    assert_near(limits.exp_overflow, 709.782712893384, 3e-16);
    assert_near(limits.exp_zero, -745.1332191019412, 3e-16);
}
END_TEST

/* The arguments that single precision can hold: 88.7228317 is the last with a finite exponential,
 * 88.7228394 the first without, and up to -103.972084 it is 0. */
START_TEST(single_precision_arguments_have_the_thresholds_of_the_tables)
{
    struct format_limits limits = format_limits(FORMAT_FP32);
    float first = 88.7228394F;
    float last = nextafterf(first, 0);
    assert_within((double)last, 88.7228317, 5e-8);
    ck_assert((double)first >= limits.exp_overflow && (double)last < limits.exp_overflow);
    float zero = -103.972084F;
    ck_assert((double)zero <= limits.exp_zero);
    ck_assert((double)nextafterf(zero, 0) > limits.exp_zero);
    /* Half precision prints its own as 11.09 with 11.086 still finite. */
    limits = format_limits(FORMAT_FP16);
    double half = format_round(FORMAT_FP16, 11.09);
    ck_assert(half >= limits.exp_overflow && half - 0x1p-7 < limits.exp_overflow);
    assert_within(half - 0x1p-7, 11.086, 5e-4);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("formats");
    TCase *tests = tcase_create("formats");
    tcase_add_loop_test(tests, every_number_of_a_format_stays_what_it_is, 0, LAYOUTS);
    tcase_add_loop_test(tests, midpoints_go_to_the_even_code_and_their_neighbours_to_the_nearest, 0,
                        LAYOUTS);
    tcase_add_loop_test(tests, what_is_too_large_becomes_infinite_or_nan, 0, 5);
    tcase_add_test(tests, zeros_keep_their_sign_and_nan_stays);
    tcase_add_test(tests, fp64_changes_nothing);
    tcase_add_test(tests, fp32_is_what_the_processor_makes_of_it);
    tcase_add_test(tests, nothing_is_rounded_twice);
    tcase_add_loop_test(tests, limits_are_the_published_ones, 0, FORMAT_COUNT);
    tcase_add_loop_test(tests, thresholds_are_the_last_doubles_on_their_side, 0, FORMAT_COUNT);
    tcase_add_test(tests, fp64_thresholds_are_known_to_the_last_digit);
    tcase_add_test(tests, single_precision_arguments_have_the_thresholds_of_the_tables);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return support_run(suite());
}
