/* SPDX-License-Identifier: MIT */
/* Rounding to narrow formats. A double is scaled by a power of two so that the format's last place
 * becomes 1, rounded once to an integer, and scaled back: both scalings are exact. */
#include "numeric/formats.h"

#include <math.h>

struct shape {
    int digits;     /* of the significand, the leading one included */
    int exponent;   /* of the smallest normal number */
    double largest; /* finite number */
    bool infinity;
};

static const struct shape shapes[FORMAT_COUNT] = {
    [FORMAT_FP64] = {53, -1022, 0x1.fffffffffffffp1023, true},
    [FORMAT_FP32] = {24, -126, 0x1.fffffep127, true},
    [FORMAT_FP16] = {11, -14, 65504, true},
    [FORMAT_BF16] = {8, -126, 0x1.fep127, true},
    [FORMAT_FP8_E4M3] = {4, -6, 448, false},
    [FORMAT_FP8_E5M2] = {3, -14, 57344, true},
};

double format_round(enum number_format format, double x)
{
    const struct shape *shape = &shapes[format];
    if (format == FORMAT_FP64 || x == 0 || isnan(x)) {
        return x;
    }
    double rounded = x;
    if (!isinf(x)) {
        int exponent = ilogb(x) < shape->exponent ? shape->exponent : ilogb(x);
        int last = exponent - shape->digits + 1;
        rounded = scalbn(nearbyint(scalbn(x, -last)), last);
    }
    if (fabs(rounded) <= shape->largest) {
        return rounded;
    }
    return copysign(shape->infinity ? (double)INFINITY : (double)NAN, x);
}

static bool is_zero(double value)
{
    return value == 0;
}

static bool is_not_finite(double value)
{
    return !isfinite(value);
}

/* The neighbouring doubles between which `test` of the rounded exponential changes its answer: *low
 * and *high hold an argument of either answer, and on return the last of each. */
static void narrow(enum number_format format, bool (*test)(double), double *low, double *high)
{
    bool answer = test(format_round(format, exp(*low)));
    for (;;) {
        double middle = *low + (*high - *low) / 2;
        if (middle <= *low || middle >= *high) {
            return;
        }
        if (test(format_round(format, exp(middle))) == answer) {
            *low = middle;
        } else {
            *high = middle;
        }
    }
}

struct format_limits format_limits(enum number_format format)
{
    const struct shape *shape = &shapes[format];
    double finite = 0;
    double overflow = 1024;
    narrow(format, is_not_finite, &finite, &overflow);
    double zero = -1024;
    double positive = 0;
    narrow(format, is_zero, &zero, &positive);
    return (struct format_limits){
        .largest = shape->largest,
        .roundoff = scalbn(1, -shape->digits),
        .exp_overflow = overflow,
        .exp_subnormal = log(scalbn(1, shape->exponent)),
        .exp_zero = zero,
    };
}
