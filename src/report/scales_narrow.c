/* SPDX-License-Identifier: MIT */
/* Tick marks of narrow panels; see scales.h. */
#include "report/canvas.h"
#include "report/numbers.h"
#include "report/scales.h"

#include <stdio.h>
#include <string.h>

enum { MOST_MARKS = 32 };

static const double label_size = 17;
static const double label_gap = 14; /* pixels between labels */

/* A mark and the room of its label, in pixels from the left. */
struct mark {
    double at, left, right;
    char label[NUMBER_SIZE];
};

struct marks {
    const struct scale *scale;
    double pixels;
    size_t count;
    struct mark list[MOST_MARKS];
};

static double place_of(const struct marks *marks, double at)
{
    const struct scale *scale = marks->scale;
    double share = scale->logarithmic ? log(at / scale->low) / log(scale->high / scale->low)
                                      : (at - scale->low) / (scale->high - scale->low);
    return share * marks->pixels;
}

/* Adds a mark when it is in range and its label stands clear of all others; says whether it does.
 */
static bool add(struct marks *marks, double at, const char *label)
{
    const struct scale *scale = marks->scale;
    double slack = scale->logarithmic ? 0 : 1e-9 * (scale->high - scale->low);
    if (!(at >= scale->low - slack && at <= scale->high + slack)) {
        return true;
    }
    double half = canvas_text_width(label, label_size) / 2;
    double place = place_of(marks, at);
    for (size_t i = 0; i < marks->count; i++) {
        if (place + half + label_gap > marks->list[i].left &&
            place - half - label_gap < marks->list[i].right) {
            return false;
        }
    }
    if (marks->count == MOST_MARKS) {
        return false;
    }
    struct mark *mark = &marks->list[marks->count++];
    *mark = (struct mark){at, place - half, place + half, ""};
    snprintf(mark->label, sizeof mark->label, "%s", label);
    return true;
}

/* Plain digits from 0.001 to 10,000, powers of ten outside. */
static const char *label_of(double factor, int exponent, char out[NUMBER_SIZE])
{
    if (exponent >= -3 && exponent < 0) {
        snprintf(out, NUMBER_SIZE, "%.*f", -exponent, factor * pow(10, exponent));
        return out;
    }
    return exponent >= 0 && exponent <= 4 ? number_given(factor * pow(10, exponent), out)
                                          : number_power(exponent, out);
}

/* All multiples of the step; false when two labels meet. */
static bool add_powers(struct marks *marks, int step)
{
    int last = (int)floor(log10(marks->scale->high) + 1e-9);
    int first = (int)ceil(log10(marks->scale->low) - 1e-9);
    bool clear = true;
    marks->count = 0;
    for (int exponent = first; exponent <= last; exponent++) {
        char label[NUMBER_SIZE];
        if (exponent % step == 0) {
            clear = add(marks, pow(10, exponent), label_of(1, exponent, label)) && clear;
        }
    }
    return clear;
}

/* Powers of ten; where there is one at most, twos and fives between them as well. */
static void find_logarithmic(struct marks *marks)
{
    static const int steps[] = {1,  2,  3,  4,  5,  6,  8,   10,  12,  15,  20,
                                25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 400};
    size_t finest = 0;
    while (finest + 1 < sizeof steps / sizeof steps[0] && !add_powers(marks, steps[finest])) {
        finest++;
    }
    const int step = steps[finest];
    int last = (int)floor(log10(marks->scale->high));
    for (int exponent = (int)floor(log10(marks->scale->low));
         step == 1 && marks->count < 3 && exponent <= last && exponent >= -3 && exponent <= 4;
         exponent++) {
        char label[NUMBER_SIZE];
        add(marks, 2 * pow(10, exponent), label_of(2, exponent, label));
        add(marks, 5 * pow(10, exponent), label_of(5, exponent, label));
    }
}

static bool add_multiples(struct marks *marks, double step)
{
    int decimals = (int)fmax(ceil(-log10(step) - 1e-9), 0);
    bool clear = true;
    marks->count = 0;
    for (double k = ceil(marks->scale->low / step - 1e-9);
         k * step <= marks->scale->high * (1 + 1e-12) && clear; k++) {
        char label[NUMBER_SIZE];
        char number[NUMBER_SIZE];
        double size = fabs(k * step);
        if (decimals > 0) {
            snprintf(number, sizeof number, "%.*f", decimals, size);
        } else {
            number_given(round(size), number);
        }
        snprintf(label, sizeof label, "%s%.100s", k < 0 ? "−" : "", k == 0 ? "0" : number);
        clear = add(marks, k == 0 ? 0 : k * step, label);
    }
    return clear;
}

/* Multiples of 1, 2 or 5 times a power of ten, as fine as the labels allow. */
static void find_linear(struct marks *marks)
{
    static const double steps[] = {1, 2, 5};
    double power = pow(10, floor(log10(marks->scale->high - marks->scale->low)) - 1);
    for (size_t i = 0; i < 12; i++) {
        double step = steps[i % 3] * power;
        power *= i % 3 == 2 ? 10 : 1;
        if ((marks->scale->high - marks->scale->low) / step <= 5.5 && add_multiples(marks, step)) {
            return;
        }
    }
}

void scale_append_narrow(struct text *script, char axis, const struct scale *scale, double pixels)
{
    struct marks marks = {.scale = scale, .pixels = pixels};
    if (scale->logarithmic) {
        find_logarithmic(&marks);
    } else {
        find_linear(&marks);
    }
    text_append_format(script, "unset logscale %c\nset %crange [%.10g:%.10g]\n", axis, axis,
                       scale->low, scale->high);
    if (scale->logarithmic) {
        text_append_format(script, "set logscale %c\n", axis);
    }
    text_append_format(script, "set %ctics (", axis);
    for (size_t i = 0; i < marks.count; i++) {
        text_append_format(script, "%s'%s' %.10g", i == 0 ? "" : ", ", marks.list[i].label,
                           marks.list[i].at);
    }
    text_append(script, ")\n");
}
