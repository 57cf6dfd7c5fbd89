/* SPDX-License-Identifier: MIT */
/* Ranges and tick marks; see scales.h. */
#include "report/scales.h"

#include "report/numbers.h"

#include <stdio.h>

enum { MOST_TICKS = 6, MOST_DECIMALS = 8 };

/* An interval may stretch a logarithmic axis down by no more than this factor: a lower end near
 * zero says nothing, and would press all values into the top of the panel. */
static const double stretch = 4;

/* In steps, so that an axis from 0 to 1.03 has ticks a fifth apart. */
static const double some_room = 0.16;

/* A linear axis ends here at the latest, so that its length is a number. */
static const double most_drawn = 8e307;

/* Ends of a logarithmic axis: values may be subnormal, and zeros still have room below them. */
static const double lowest = 1e-323;
static const double highest = 1e307;

void extent_add(struct extent *extent, double value, double half_width)
{
    if (!isfinite(value)) {
        extent->lost++;
        return;
    }
    double around = isfinite(half_width) ? half_width : 0;
    extent->finite++;
    extent->zeros += value == 0;
    extent->least = fmin(extent->least, value - around);
    extent->most = fmax(extent->most, value + around);
    if (value > 0) {
        double low = value - around > value / stretch ? value - around : value / stretch;
        extent->least_positive = fmin(extent->least_positive, around > 0 ? low : value);
    }
}

bool extent_wide(const struct extent *extent)
{
    return extent->least > 0 && extent->most > 20 * extent->least;
}

struct scale scale_unit(void)
{
    return (struct scale){false, 0, 1.03};
}

struct scale scale_linear(const struct extent *extent)
{
    struct scale scale = {false, 0, 0};
    if (extent->finite == 0) {
        return scale;
    }
    double spread = extent->most - extent->least;
    double room = 0.08 * fmax(spread, fabs(extent->most));
    room = room > 0 ? room : 1;
    scale.low = extent->least >= 0 ? 0 : fmax(extent->least - room, -most_drawn);
    scale.high = fmin(extent->most + room, most_drawn);
    return scale;
}

struct scale scale_logarithmic(const struct extent *extent)
{
    struct scale scale = {true, 0, 0};
    if (!isfinite(extent->least_positive)) {
        return scale;
    }
    double decades = log10(extent->most) - log10(extent->least_positive);
    double room = pow(10, 0.05 * decades + 0.04);
    scale.high = extent->most * room;
    scale.low = extent->least_positive / room;
    if (extent->zeros > 0) {
        scale.low /= pow(10, 0.12 * decades + 0.3);
    }
    /* gnuplot cannot invert the logarithm of an axis that lies among subnormal numbers. */
    scale.high = fmax(scale.high, 1e-300);
    scale.low = fmax(scale.low, lowest);
    scale.high = fmin(scale.high, highest);
    return scale;
}

static void append_tick(struct text *script, size_t *count, const char *label, double at)
{
    text_append_format(script, "%s'%s' %.10g", *count == 0 ? "" : ", ", label, at);
    ++*count;
}

static double nice_step(double span)
{
    double raw = span / (MOST_TICKS - 1 + some_room);
    double power = pow(10, floor(log10(raw)));
    double rest = raw / power;
    double step = rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 2.5 ? 2.5 : rest <= 5 ? 5 : 10;
    return step * power;
}

/* With that many decimals; beyond MOST_DECIMALS with as many digits as tell neighbours apart. */
static void linear_label(double at, double step, int decimals, char out[NUMBER_SIZE + 8])
{
    char number[NUMBER_SIZE];
    if (decimals > 0 && decimals <= MOST_DECIMALS) {
        snprintf(number, sizeof number, "%.*f", decimals, fabs(at));
    } else if (decimals > 0 || step >= 1e15) {
        number_on_axis(fabs(at), step, number);
    } else {
        number_given(round(fabs(at)), number);
    }
    snprintf(out, NUMBER_SIZE + 8, "%s%s", at < 0 ? "−" : "", number);
}

static void append_linear(struct text *script, const struct scale *scale, bool labels)
{
    double step = nice_step(scale->high - scale->low);
    int decimals = (int)fmax(0, ceil(-log10(step) - 1e-9));
    bool quarters =
        step < 10 && fabs(step * pow(10, decimals) - round(step * pow(10, decimals))) > 1e-6;
    decimals += quarters;
    size_t count = 0;
    for (double k = ceil(scale->low / step - 1e-9); k * step <= scale->high * (1 + 1e-12); k++) {
        char label[NUMBER_SIZE + 8] = "";
        if (labels) {
            linear_label(k * step, step, decimals, label);
        }
        append_tick(script, &count, label, k == 0 ? 0 : k * step);
    }
}

/* A power of ten as plain digits where the whole axis allows it. */
static const char *power_label(int exponent, bool plain, char out[NUMBER_SIZE])
{
    if (!plain) {
        return number_power(exponent, out);
    }
    if (exponent >= 0) {
        return number_given(pow(10, exponent), out);
    }
    snprintf(out, NUMBER_SIZE, "%.*f", -exponent, pow(10, exponent));
    return out;
}

static void append_decades(struct text *script, const struct scale *scale, bool labels)
{
    int first = (int)ceil(log10(scale->low) - 1e-9);
    int last = (int)floor(log10(scale->high) + 1e-9);
    int step = (last - first) / MOST_TICKS + 1;
    bool plain = first >= -3 && last <= 4;
    size_t count = 0;
    /* multiples of the step, so that 1 is marked when it is in the range */
    int start = first + (step - (first % step + step) % step) % step;
    for (int exponent = start; exponent <= last; exponent += step) {
        char label[NUMBER_SIZE];
        append_tick(script, &count, labels ? power_label(exponent, plain, label) : "",
                    pow(10, exponent));
    }
}

static const char *halves_label(double step, int exponent, char out[NUMBER_SIZE])
{
    if (exponent >= 0 && exponent <= 5) {
        return number_given(step * pow(10, exponent), out);
    }
    if (exponent <= -4 || exponent > 5) {
        snprintf(out, NUMBER_SIZE, "%.0fe%d", step, exponent);
    } else {
        snprintf(out, NUMBER_SIZE, "%.*f", -exponent, step * pow(10, exponent));
    }
    return out;
}

/* 1, 2, 5, 10, ... for a logarithmic range of about two decades. */
static void append_halves(struct text *script, const struct scale *scale, bool labels)
{
    static const double steps[] = {1, 2, 5};
    size_t count = 0;
    int last = (int)floor(log10(scale->high));
    for (int exponent = (int)floor(log10(scale->low)); exponent <= last; exponent++) {
        for (size_t s = 0; s < 3; s++) {
            double at = steps[s] * pow(10, exponent);
            char label[NUMBER_SIZE];
            if (at >= scale->low && at <= scale->high) {
                append_tick(script, &count, labels ? halves_label(steps[s], exponent, label) : "",
                            at);
            }
        }
    }
}

void scale_append(struct text *script, char axis, const struct scale *scale, bool labels)
{
    /* the range first: gnuplot complains about a logarithmic axis with an older range from 0 */
    text_append_format(script, "unset logscale %c\nset %crange [%.10g:%.10g]\n", axis, axis,
                       scale->low, scale->high);
    if (scale->logarithmic) {
        text_append_format(script, "set logscale %c\n", axis);
    }
    text_append_format(script, "set %ctics (", axis);
    if (!scale->logarithmic || scale->high / scale->low < 8) {
        append_linear(script, scale, labels);
    } else if (scale->high / scale->low < 200) {
        append_halves(script, scale, labels);
    } else {
        append_decades(script, scale, labels);
    }
    text_append(script, ")\n");
}
