/* SPDX-License-Identifier: MIT */
/* Where the formats of a sweep break, in words; declared in arithmetic.h. */
#include "report/arithmetic.h"

#include <math.h>

/* How the settings of a format stand to the size of their scores. */
enum fate { ABSENT, WHOLE, FROM_A_SCORE, HERE_AND_THERE };

static enum fate fate_of(const struct arithmetic_line *line)
{
    if (line->settings == 0) {
        return ABSENT;
    }
    if (line->broken == 0) {
        return WHOLE;
    }
    return line->first > 0 && !(line->last >= line->first) ? FROM_A_SCORE : HERE_AND_THERE;
}

static size_t count_fate(const struct arithmetic *arithmetic, size_t choice, enum fate fate)
{
    size_t count = 0;
    for (size_t f = 0; f < ARITHMETIC_FORMATS; f++) {
        count += fate_of(&arithmetic->lines[f][choice]) == fate;
    }
    return count;
}

static void append_format(struct text *out, size_t format, const struct arithmetic_line *line,
                          enum fate fate)
{
    char numbers[2][NUMBER_SIZE];
    if (fate == FROM_A_SCORE) {
        text_append_format(out, "%s in ", arithmetic_score(line->first, numbers[0]));
    }
    text_append_format(out, "`%s`", arithmetic_name(format));
    if (fate == HERE_AND_THERE) {
        text_append_format(out, " (%s of %s settings)", text_from_count(line->broken, numbers[0]),
                           text_from_count(line->settings, numbers[1]));
    }
}

/* The formats of one fate: "709.79 in `fp64` and 88.7229 in `fp32`". */
static void append_formats(struct text *out, const struct arithmetic *arithmetic, size_t choice,
                           enum fate fate)
{
    size_t count = count_fate(arithmetic, choice, fate);
    size_t named = 0;
    for (size_t f = 0; f < ARITHMETIC_FORMATS; f++) {
        const struct arithmetic_line *line = &arithmetic->lines[f][choice];
        if (fate_of(line) == fate) {
            named++;
            text_append(out, named == 1 ? "" : named == count ? " and " : ", ");
            append_format(out, f, line, fate);
        }
    }
}

/* Largest score of the settings of formats that stay whole. */
static double largest_whole(const struct arithmetic *arithmetic, size_t choice)
{
    double largest = (double)NAN;
    for (size_t f = 0; f < ARITHMETIC_FORMATS; f++) {
        const struct arithmetic_line *line = &arithmetic->lines[f][choice];
        largest = fate_of(line) == WHOLE ? fmax(largest, line->last) : largest;
    }
    return largest;
}

/* What happens with `stabilise` off or on. */
static void append_choice(struct text *out, const struct arithmetic *arithmetic, size_t choice)
{
    static const struct {
        enum fate fate;
        const char *words;
    } parts[] = {{FROM_A_SCORE, "rows lose their weights from a largest score of "},
                 {HERE_AND_THERE, "some rows have no weights in "},
                 {WHOLE, "no row loses its weights in "}};
    const char *joint = ", ";
    text_append_format(out, "With `stabilise` %s", choice == 0 ? "off" : "on");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (count_fate(arithmetic, choice, parts[i].fate) == 0) {
            continue;
        }
        text_append_format(out, "%s%s", joint, parts[i].words);
        append_formats(out, arithmetic, choice, parts[i].fate);
        joint = "; ";
    }
    double largest = largest_whole(arithmetic, choice);
    if (isfinite(largest)) {
        char number[NUMBER_SIZE];
        text_append_format(out, ", up to a largest score of %s", arithmetic_score(largest, number));
    }
    text_append(out, ".");
}

void arithmetic_append_verdict(const struct sections *sections)
{
    struct text *out = sections->out;
    struct arithmetic arithmetic;
    if (!arithmetic_leads(sections->view->measured) ||
        !arithmetic_find(sections->view->summary, &arithmetic)) {
        return;
    }
    text_append(out, "**Where formats break**: ");
    for (size_t choice = 0; choice < ARITHMETIC_CHOICES; choice++) {
        if (count_fate(&arithmetic, choice, ABSENT) < ARITHMETIC_FORMATS) {
            append_choice(out, &arithmetic, choice);
            text_append(out, " ");
        }
    }
    text_append(out, "[Arithmetic](#arithmetic) has the limits.\n\n");
}
