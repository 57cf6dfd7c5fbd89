/* SPDX-License-Identifier: MIT */
/* Ranges. A real is computed from its index and rounded to the decimals it was written with, so
 * that 0 to 1 by 0.1 holds the very doubles 0.1, 0.2, ... 1 and the end is never missed. */
#include "sweep/sweep_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum range_part { RANGE_FROM, RANGE_TO, RANGE_STEP, RANGE_FACTOR, RANGE_PARTS };

static const char *const part_names[RANGE_PARTS] = {"from", "to", "step", "factor"};

static const char zero_step[] = "the step of a range cannot be 0";
static const char small_factor[] = "the factor of a range must be above 1";
static const char wrong_start[] =
    "a range with a factor needs 'from' above 0 and 'to' not below it";

/* A part that is not given is NULL. */
struct range {
    struct reader *reader;
    struct setting *setting;
    const struct node *node;
    const struct node *parts[RANGE_PARTS];
};

static bool refuse(struct range *range, const struct node *node, const char *what)
{
    problems_add(&range->reader->problems, node->place, "%s: %s", range->setting->name, what);
    range->setting->broken = true;
    return false;
}

/* A step that is not given is 1. */
static bool refuse_direction(struct range *range)
{
    return refuse(range, range->node,
                  range->parts[RANGE_STEP] == NULL
                      ? "the step of 1 leads away from 'to'; give a negative step, or swap 'from' "
                        "and 'to'"
                      : "the step leads away from 'to'; give it the other sign, or swap 'from' "
                        "and 'to'");
}

static bool refuse_length(struct range *range)
{
    problems_add(&range->reader->problems, range->node->place,
                 "%s: the range has more than %d values, the limit", range->setting->name,
                 SWEEP_RUN_LIMIT);
    range->setting->broken = true;
    return false;
}

static bool refuse_key(struct range *range, const struct node *key)
{
    struct problems *problems = &range->reader->problems;
    const char *nearest =
        problems_open(problems) ? text_nearest(key->text, part_names, RANGE_PARTS) : NULL;
    problems_add(problems, key->place, "%s: unknown key '%s' in a range; %s%s%s",
                 range->setting->name, problems_shown(problems, key->text),
                 nearest == NULL ? "it has from, to, and step or factor" : "did you mean '",
                 nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
    range->setting->broken = true;
    return false;
}

static bool read_part(struct range *range, const struct node *node)
{
    for (int i = 0; i < RANGE_PARTS; i++) {
        if (strcmp(node->key->text, part_names[i]) == 0) {
            range->parts[i] = node;
            if (scalar_text(range->reader, node, range->setting->name) == NULL) {
                range->setting->broken = true;
                return false;
            }
            return node->plain || refuse(range, node, "a range takes numbers without quotes");
        }
    }
    return refuse_key(range, node->key);
}

static bool read_parts(struct range *range)
{
    bool good = true;
    for (const struct node *child = range->node->first; child != NULL; child = child->next) {
        good = read_part(range, child) && good;
    }
    if (good && (range->parts[RANGE_FROM] == NULL || range->parts[RANGE_TO] == NULL)) {
        good = refuse(range, range->node, "a range needs 'from' and 'to'");
    }
    if (good && range->parts[RANGE_STEP] != NULL && range->parts[RANGE_FACTOR] != NULL) {
        good = refuse(range, range->node, "a range takes 'step' or 'factor', not both");
    }
    return good;
}

/* Values between two that the field accepts are accepted too, so only the ends are typed. */
static bool check_end(struct range *range, const char *text)
{
    struct reader *reader = range->reader;
    const char *why = "does not fit the field";
    enum run_field field = range->setting->fields[0];
    if (run_set(&reader->scratch, field, text, reader->arena, &why)) {
        return true;
    }
    return refuse(range, range->node, why);
}

static bool add_integer(struct range *range, int64_t value)
{
    union field_value *row = setting_add_row(range->reader, range->setting, range->node->place);
    if (row != NULL) {
        row->integer = value;
    }
    return row != NULL;
}

static bool check_integers(struct range *range, int64_t first, int64_t last)
{
    char text[TEXT_REAL_SIZE];
    snprintf(text, sizeof text, "%" PRId64, first);
    bool good = check_end(range, text);
    snprintf(text, sizeof text, "%" PRId64, last);
    return good && check_end(range, text);
}

static void add_integer_steps(struct range *range, const int64_t values[RANGE_PARTS])
{
    int64_t from = values[RANGE_FROM];
    int64_t to = values[RANGE_TO];
    int64_t step = values[RANGE_STEP];
    if (step == 0) {
        refuse(range, range->parts[RANGE_STEP], zero_step);
        return;
    }
    if (from != to && (to > from) != (step > 0)) {
        refuse_direction(range);
        return;
    }
    /* Unsigned, since the distance between two int64 may not fit one. */
    uint64_t span = to >= from ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
    uint64_t last = span / (step > 0 ? (uint64_t)step : -(uint64_t)step);
    if (last >= SWEEP_RUN_LIMIT) {
        refuse_length(range);
        return;
    }
    int64_t end = (int64_t)((uint64_t)from + last * (uint64_t)step);
    bool good = check_integers(range, from, end);
    setting_reserve(range->reader, range->setting, good ? (size_t)last + 1 : 0);
    for (uint64_t i = 0; i <= last && good; i++) {
        good = add_integer(range, (int64_t)((uint64_t)from + i * (uint64_t)step));
    }
}

static void add_integer_powers(struct range *range, const int64_t values[RANGE_PARTS])
{
    int64_t value = values[RANGE_FROM];
    int64_t to = values[RANGE_TO];
    int64_t factor = values[RANGE_FACTOR];
    if (factor <= 1) {
        refuse(range, range->parts[RANGE_FACTOR], small_factor);
        return;
    }
    if (value <= 0 || to < value) {
        refuse(range, range->node, wrong_start);
        return;
    }
    int64_t last = value;
    while (last <= to / factor) {
        last *= factor;
    }
    bool good = check_integers(range, value, last) && add_integer(range, value);
    while (good && value < last) {
        value *= factor;
        good = add_integer(range, value);
    }
}

static void read_integer_range(struct range *range)
{
    int64_t values[RANGE_PARTS] = {1, 1, 1, 1};
    bool good = true;
    for (int i = 0; i < RANGE_PARTS; i++) {
        const struct node *part = range->parts[i];
        if (part != NULL && !text_to_integer(part->text, &values[i])) {
            good = refuse(range, part, "a range of this field takes decimal integers");
        }
    }
    if (good && range->parts[RANGE_FACTOR] != NULL) {
        add_integer_powers(range, values);
    } else if (good) {
        add_integer_steps(range, values);
    }
}

/* Digits behind the point that the spelling stands for: 2 for 0.25 and for 2.5e-1. */
static int decimals(const struct node *node)
{
    if (node == NULL) {
        return 0;
    }
    const char *point = strchr(node->text, '.');
    const char *mark = strpbrk(node->text, "eE");
    long digits = point == NULL ? 0 : (long)strspn(point + 1, "0123456789");
    long exponent = mark == NULL ? 0 : strtol(mark + 1, NULL, 10);
    exponent = exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent;
    digits -= exponent;
    return digits < 0 ? 0 : digits > 340 ? 340 : (int)digits;
}

static double round_to_decimals(double value, int digits)
{
    char text[700]; /* 309 digits before the point at most, 340 behind it */
    snprintf(text, sizeof text, "%.*f", digits, value);
    return strtod(text, NULL);
}

/* The decimal of 15 digits that a product stands for (0.001 times 10), where there is one. */
static double round_product(double value)
{
    char text[TEXT_REAL_SIZE];
    snprintf(text, sizeof text, "%.15g", value);
    double clean = strtod(text, NULL);
    return fabs(clean - value) <= 4e-16 * fabs(value) ? clean : value;
}

static double power_value(double from, double factor, double index)
{
    double value = from * pow(factor, index);
    /* Whole numbers need no help, and 2^59 is not the decimal of 15 digits beside it. */
    bool whole = from == floor(from) && factor == floor(factor);
    return whole ? value : round_product(value);
}

/* Value `index` of a range with a step; one that rounding put beside 'to' is 'to'. */
static double real_step(const double values[RANGE_PARTS], int digits, double index)
{
    double value = round_to_decimals(values[RANGE_FROM] + index * values[RANGE_STEP], digits);
    return fabs(value - values[RANGE_TO]) <= 1e-9 * fabs(values[RANGE_STEP]) ? values[RANGE_TO]
                                                                             : value;
}

/* The same of a range with a factor. */
static double real_power(const double values[RANGE_PARTS], double index)
{
    double value = power_value(values[RANGE_FROM], values[RANGE_FACTOR], index);
    return fabs(value - values[RANGE_TO]) <= 1e-9 * values[RANGE_TO] ? values[RANGE_TO] : value;
}

static bool check_reals(struct range *range, double first, double last)
{
    char text[TEXT_REAL_SIZE];
    return check_end(range, text_from_real(first, text)) &&
           check_end(range, text_from_real(last, text));
}

static bool add_real(struct range *range, double value)
{
    union field_value *row = setting_add_row(range->reader, range->setting, range->node->place);
    if (row != NULL) {
        row->real = value;
    }
    return row != NULL;
}

static void add_real_steps(struct range *range, const double values[RANGE_PARTS])
{
    double from = values[RANGE_FROM];
    double to = values[RANGE_TO];
    double step = values[RANGE_STEP];
    if (step == 0) {
        refuse(range, range->parts[RANGE_STEP], zero_step);
        return;
    }
    if ((to - from) / step < 0) {
        refuse_direction(range);
        return;
    }
    /* An end that rounding put a billionth of a step away is still the end. */
    double last = floor((to - from) / step * (1 + 1e-15) + 1e-9);
    if (!(last < SWEEP_RUN_LIMIT)) {
        refuse_length(range);
        return;
    }
    int first_digits = decimals(range->parts[RANGE_FROM]);
    int step_digits = decimals(range->parts[RANGE_STEP]);
    int digits = first_digits > step_digits ? first_digits : step_digits;
    bool good = check_reals(range, from, real_step(values, digits, last));
    setting_reserve(range->reader, range->setting, good ? (size_t)last + 1 : 0);
    for (double i = 0; i <= last && good; i++) {
        good = add_real(range, real_step(values, digits, i));
    }
}

static void add_real_powers(struct range *range, const double values[RANGE_PARTS])
{
    double from = values[RANGE_FROM];
    double to = values[RANGE_TO];
    double factor = values[RANGE_FACTOR];
    if (factor <= 1) {
        refuse(range, range->parts[RANGE_FACTOR], small_factor);
        return;
    }
    if (from <= 0 || to < from) {
        refuse(range, range->node, wrong_start);
        return;
    }
    double last = floor((log(to) - log(from)) / log(factor) + 1e-9);
    if (!(last < SWEEP_RUN_LIMIT)) {
        refuse_length(range);
        return;
    }
    bool good = check_reals(range, from, real_power(values, last));
    for (double i = 0; i <= last && good; i++) {
        good = add_real(range, real_power(values, i));
    }
}

static void read_real_range(struct range *range)
{
    double values[RANGE_PARTS] = {1, 1, 1, 1};
    bool good = true;
    for (int i = 0; i < RANGE_PARTS; i++) {
        const struct node *part = range->parts[i];
        if (part != NULL && !text_to_real(part->text, &values[i])) {
            good = refuse(range, part, "a range takes finite decimal numbers");
        }
    }
    if (good && range->parts[RANGE_FACTOR] != NULL) {
        add_real_powers(range, values);
    } else if (good) {
        add_real_steps(range, values);
    }
}

void range_read(struct reader *reader, struct setting *setting, const struct node *node)
{
    struct range range = {.reader = reader, .setting = setting, .node = node};
    enum field_kind kind = run_fields[setting->fields[0]].kind;
    if (kind != FIELD_INTEGER && kind != FIELD_REAL) {
        refuse(&range, node, "a range needs a number field; write a list");
    } else if (read_parts(&range)) {
        (kind == FIELD_INTEGER ? read_integer_range : read_real_range)(&range);
    }
}
