/* SPDX-License-Identifier: MIT */
/* Numbers for people; see numbers.h. */
#include "report/numbers.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 3, MOST_DECIMALS = 6 };

static const double smallest_plain = 1e-3;
static const double largest_plain = 1e5;

static int exponent_of(double value)
{
    return (int)floor(log10(fabs(value)));
}

static bool is_plain(double value)
{
    return value == 0 || (fabs(value) >= smallest_plain && fabs(value) < largest_plain);
}

/* value / 10^exponent, in two steps: 10^-308 and below would not survive one. */
static double scaled(double value, int exponent)
{
    int half = exponent / 2;
    return value / pow(10, half) / pow(10, exponent - half);
}

static void append_raised(char *out, size_t size, int exponent)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[16];
    snprintf(digits, sizeof digits, "%d", exponent);
    size_t length = strlen(out);
    for (const char *at = digits; *at != '\0' && length + 4 < size; at++) {
        const char *glyph = *at == '-' ? "⁻" : raised[*at - '0'];
        length += (size_t)snprintf(out + length, size - length, "%s", glyph);
    }
}

/* Decimals that show three significant digits, and more where fewer would round a value just
 * below 1 to 1. */
static int decimals_of(double value)
{
    int decimals = value == 0 ? 0 : DIGITS - 1 - exponent_of(value);
    decimals = decimals < 0 ? 0 : decimals;
    if (fabs(value) < 1) {
        while (decimals < MOST_DECIMALS && fabs(value) >= 1 - 0.5 * pow(10, -decimals)) {
            decimals++;
        }
    }
    return decimals;
}

/* The last digit that three significant digits show; 1 or less means decimals. */
static double step_of(double value)
{
    return pow(10, exponent_of(value) - DIGITS + 1);
}

static double coarsen(double value, double step)
{
    return step > 1 ? round(value / step) * step : value;
}

static const char *special(double value)
{
    if (isnan(value)) {
        return "undefined";
    }
    return value > 0 ? "∞" : "−∞";
}

/* Whether the value lies below 1 but prints as 1 with all decimals that we allow. */
static bool hugs_one(double value)
{
    return value < 1 && value >= 1 - 0.5 * pow(10, -MOST_DECIMALS);
}

const char *number_text(double value, char out[NUMBER_SIZE])
{
    if (!isfinite(value)) {
        return special(value);
    }
    if (hugs_one(value)) {
        char rest[NUMBER_SIZE];
        snprintf(out, NUMBER_SIZE, "1 − %.100s", number_text(1 - value, rest));
        return out;
    }
    if (is_plain(value)) {
        snprintf(out, NUMBER_SIZE, "%.*f", decimals_of(value),
                 value == 0 ? 0.0 : coarsen(value, step_of(value)));
        return out;
    }
    int exponent = exponent_of(value);
    double mantissa = scaled(value, exponent);
    if (fabs(mantissa) >= 9.995) {
        exponent++;
        mantissa /= 10;
    }
    snprintf(out, NUMBER_SIZE, "%.2f × 10", mantissa);
    append_raised(out, NUMBER_SIZE, exponent);
    return out;
}

/* Decimals for a value and its half width: three digits of the one and a digit of the other. */
static int decimals_of_pair(double mean, double half_width)
{
    int decimals = decimals_of(mean);
    int needed = -exponent_of(half_width);
    needed = needed > MOST_DECIMALS ? MOST_DECIMALS : needed;
    return needed > decimals ? needed : decimals;
}

const char *number_estimate(const struct estimate *estimate, char out[NUMBER_SIZE])
{
    double mean = estimate->mean;
    double half_width = estimate->half_width;
    if (estimate->count == 0) {
        return "no result";
    }
    bool exact = !(half_width > 1e-12 * fabs(mean)) || !isfinite(half_width);
    if (exact || !isfinite(mean)) {
        return number_text(mean, out);
    }
    if (hugs_one(mean)) {
        char rest[NUMBER_SIZE];
        const struct estimate distance = {estimate->count, 1 - mean, half_width, 0, 0};
        snprintf(out, NUMBER_SIZE, "1 − %.100s", number_estimate(&distance, rest));
        return out;
    }
    double larger = fabs(mean) > half_width ? mean : half_width;
    if (is_plain(larger)) {
        int decimals = decimals_of_pair(mean == 0 ? half_width : mean, half_width);
        decimals = decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals;
        double step = fmin(step_of(larger), pow(10, exponent_of(half_width)));
        snprintf(out, NUMBER_SIZE, "%.*f ± %.*f", decimals, coarsen(mean, step), decimals,
                 coarsen(half_width, step));
        return out;
    }
    int exponent = exponent_of(larger);
    snprintf(out, NUMBER_SIZE, "(%.2f ± %.2f) × 10", scaled(mean, exponent),
             scaled(half_width, exponent));
    append_raised(out, NUMBER_SIZE, exponent);
    return out;
}

const char *number_given(double value, char out[NUMBER_SIZE])
{
    char exact[TEXT_REAL_SIZE];
    if (value == floor(value) && fabs(value) < 1e15) {
        snprintf(out, NUMBER_SIZE, "%.0f", value);
    } else {
        snprintf(out, NUMBER_SIZE, "%s", text_from_real(value, exact));
    }
    return out;
}

const char *number_power(int exponent, char out[NUMBER_SIZE])
{
    if (exponent == 0 || exponent == 1) {
        return exponent == 0 ? "1" : "10";
    }
    snprintf(out, NUMBER_SIZE, "10");
    append_raised(out, NUMBER_SIZE, exponent);
    return out;
}
