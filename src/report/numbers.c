/* SPDX-License-Identifier: MIT */
/* Numbers for people; see numbers.h. */
#include "report/numbers.h"

#include "base/text.h"
#include "summary/interval.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 3, MOST_DECIMALS = 6, GIVEN_DIGITS = 7, SCORE_DIGITS = 6 };

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

/* Decimals that show three significant digits; 0.9996 rounds up to 1.00, not to 1.000. */
static int decimals_of(double value)
{
    int decimals = value == 0 ? 0 : DIGITS - 1 - exponent_of(value * 1.0005);
    return decimals < 0 ? 0 : decimals;
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

/* Sets commas between the thousands of the whole number that the text begins with. */
static void group_thousands(char out[NUMBER_SIZE])
{
    size_t start = out[0] == '-' ? 1 : 0;
    size_t digits = strspn(out + start, "0123456789");
    size_t length = strlen(out);
    while (digits > 3 && length + 2 < NUMBER_SIZE) {
        digits -= 3;
        memmove(out + start + digits + 1, out + start + digits, length - start - digits + 1);
        out[start + digits] = ',';
        length++;
    }
}

static const char *special(double value)
{
    if (isnan(value)) {
        return "undefined";
    }
    return value > 0 ? "∞" : "−∞";
}

/* One digit and `decimals` more, with a power of ten. */
static void print_raised(double value, int decimals, char out[NUMBER_SIZE])
{
    int exponent = exponent_of(value);
    double mantissa = scaled(value, exponent);
    if (fabs(mantissa) >= 10 - 0.5 * pow(10, -decimals)) {
        exponent++;
        mantissa /= 10;
    }
    snprintf(out, NUMBER_SIZE, "%.*f × 10", decimals, mantissa);
    append_raised(out, NUMBER_SIZE, exponent);
}

const char *number_text(double value, char out[NUMBER_SIZE])
{
    if (!isfinite(value)) {
        return special(value);
    }
    if (is_plain(value)) {
        snprintf(out, NUMBER_SIZE, "%.*f", decimals_of(value),
                 value == 0 ? 0.0 : coarsen(value, step_of(value)));
        group_thousands(out);
    } else {
        print_raised(value, DIGITS - 1, out);
    }
    return out;
}

const char *number_share(double value, char out[NUMBER_SIZE])
{
    if (!(value < 1) || value < 0.9995) {
        return number_text(value, out);
    }
    int decimals = DIGITS;
    while (decimals <= MOST_DECIMALS && value >= 1 - 0.5 * pow(10, -decimals)) {
        decimals++;
    }
    if (decimals <= MOST_DECIMALS) {
        snprintf(out, NUMBER_SIZE, "%.*f", decimals, value);
    } else {
        char rest[NUMBER_SIZE];
        snprintf(out, NUMBER_SIZE, "1 − %.100s", number_text(1 - value, rest));
    }
    return out;
}

/* Both numbers to the place where the half width shows its second digit. */
static void print_pair(double mean, double half_width, char out[NUMBER_SIZE])
{
    double larger = fabs(mean) > half_width ? mean : half_width;
    int exponent = is_plain(larger) ? 0 : exponent_of(larger);
    double second = pow(10, exponent_of(half_width) - 1);
    int decimals = 1 - exponent_of(half_width) + exponent;
    decimals = decimals < 0 ? 0 : decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals;
    if (exponent == 0) {
        char left[NUMBER_SIZE];
        char right[NUMBER_SIZE];
        snprintf(left, sizeof left, "%.*f", decimals, coarsen(mean, second));
        snprintf(right, sizeof right, "%.*f", decimals, coarsen(half_width, second));
        group_thousands(left);
        group_thousands(right);
        snprintf(out, NUMBER_SIZE, "%.60s ± %.60s", left, right);
        return;
    }
    snprintf(out, NUMBER_SIZE, "(%.*f ± %.*f) × 10", decimals, scaled(mean, exponent), decimals,
             scaled(half_width, exponent));
    append_raised(out, NUMBER_SIZE, exponent);
}

const char *number_to(double value, double width, char out[NUMBER_SIZE])
{
    if (!isfinite(value) || !isfinite(width) || !(width > 0) || !is_plain(value)) {
        return number_text(value, out);
    }
    int decimals = 1 - exponent_of(width);
    snprintf(out, NUMBER_SIZE, "%.*f",
             decimals < 0               ? 0
             : decimals > MOST_DECIMALS ? MOST_DECIMALS
                                        : decimals,
             coarsen(value, pow(10, exponent_of(width) - 1)));
    group_thousands(out);
    return out;
}

/* "0.9986 [0.9923 to 0.9998]": three numbers to the place where the nearer end can be read, or as
 * shares where they are too near to 1 or 0 for that. */
static void print_skewed(const struct estimate *estimate, char out[NUMBER_SIZE])
{
    char parts[3][NUMBER_SIZE];
    const struct interval interval = interval_of(estimate, true);
    const double values[3] = {estimate->mean, interval.low, interval.high};
    double width = fmin(values[0] - values[1], values[2] - values[0]);
    bool fine = width < 1e-5 || !is_plain(interval.low);
    for (size_t i = 0; i < 3; i++) {
        number_to(values[i], width, parts[i]);
        bool at_end = strtod(parts[i], NULL) >= 1 || strtod(parts[i], NULL) <= 0;
        if (fine || at_end) {
            number_share(values[i], parts[i]);
        }
    }
    snprintf(out, NUMBER_SIZE, "%.38s [%.38s to %.38s]", parts[0], parts[1], parts[2]);
}

const char *number_estimate(const struct estimate *estimate, bool share, char out[NUMBER_SIZE])
{
    double mean = estimate->mean;
    double half_width = estimate->half_width;
    if (estimate->count == 0) {
        return "no result";
    }
    bool near_one = share && mean < 1 && 1 - mean < 1e-5 && half_width < 1e-5;
    bool hidden = is_plain(mean) && mean != 0 && half_width < 1e-6 && !near_one;
    bool exact = !(half_width > 1e-12 * fabs(mean)) || !isfinite(half_width) || hidden;
    if (exact || !isfinite(mean)) {
        return share ? number_share(mean, out) : number_text(mean, out);
    }
    if (interval_is_skewed(estimate, share)) {
        print_skewed(estimate, out);
        return out;
    }
    /* So close to 1 that the distance from it is what can be read. */
    if (near_one) {
        char rest[NUMBER_SIZE];
        print_pair(1 - mean, half_width, rest);
        snprintf(out, NUMBER_SIZE, "1 − %.100s", rest);
    } else {
        print_pair(mean, half_width, out);
    }
    return out;
}

/* A score that was given, with the digits that tell it from others: where formats break depends on
 * the last of them. */
static const char *given_score(double value, char out[NUMBER_SIZE])
{
    char rounded[40];
    double near = value;
    snprintf(rounded, sizeof rounded, "%.*e", SCORE_DIGITS - 1, value);
    bool plain = isfinite(value) && is_plain(value);
    return plain && text_to_real(rounded, &near) ? number_given(near, out)
                                                 : number_text(value, out);
}

const char *number_measure(const struct summary_group *group, enum measurement_field measure,
                           char out[NUMBER_SIZE])
{
    const struct estimate *estimate = &group->measures[measure];
    if (measure == MEASURE_MAX_LOGIT && group->sample != NULL &&
        group->sample->source == SOURCE_SCORES && estimate->count > 0 &&
        !(estimate->half_width > 0)) {
        return given_score(estimate->mean, out);
    }
    bool share = measurement_fields[measure].maximum > 0;
    bool whole = measurement_fields[measure].kind == FIELD_INTEGER &&
                 estimate->mean == round(estimate->mean) && !(estimate->half_width > 0);
    if (whole && estimate->count > 0) {
        return number_given(estimate->mean, out);
    }
    return number_estimate(estimate, share, out);
}

const char *number_given(double value, char out[NUMBER_SIZE])
{
    char exact[TEXT_REAL_SIZE];
    snprintf(out, NUMBER_SIZE, "%s", text_from_real(value, exact));
    group_thousands(out);
    return out;
}

/* Significant digits of a decimal text. */
static int digits_in(const char *decimal)
{
    int digits = 0;
    int zeros = 0;
    for (; *decimal != '\0' && *decimal != 'e'; decimal++) {
        if (*decimal == '0' && digits > 0) {
            zeros++;
        } else if (*decimal >= '1' && *decimal <= '9') {
            digits += zeros + 1;
            zeros = 0;
        }
    }
    return digits;
}

const char *number_on_axis(double value, double distance, char out[NUMBER_SIZE])
{
    char exact[TEXT_REAL_SIZE];
    char rounded[40];
    int digits = DIGITS;
    if (!isfinite(value) || digits_in(text_from_real(value, exact)) <= GIVEN_DIGITS) {
        return number_given(value, out);
    }
    while (digits < 17 && distance < 4 * pow(10, exponent_of(value) - digits + 1)) {
        digits++;
    }
    snprintf(rounded, sizeof rounded, "%.*e", digits - 1, value);
    double near = value;
    return text_to_real(rounded, &near) ? number_given(near, out) : number_given(value, out);
}

const char *number_about(double value, char out[NUMBER_SIZE])
{
    if (!isfinite(value) || value == 0) {
        return number_text(value, out);
    }
    if (!is_plain(value)) {
        print_raised(value, 1, out);
        return out;
    }
    int decimals = 1 - exponent_of(value * 1.005);
    snprintf(out, NUMBER_SIZE, "%.*f", decimals < 0 ? 0 : decimals,
             coarsen(value, pow(10, exponent_of(value) - 1)));
    group_thousands(out);
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
