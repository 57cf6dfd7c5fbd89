/* SPDX-License-Identifier: MIT */
/* Numbers in the tables of worked rows; see cells.h. */
#include "report/cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double least_plain = 0.001;
static const double most_plain = 1e5;

/* The sign of a number as a minus, not as a hyphen. */
static const char *with_minus(char out[NUMBER_SIZE])
{
    if (out[0] == '-') {
        char rest[NUMBER_SIZE];
        snprintf(rest, sizeof rest, "%s", out + 1);
        snprintf(out, NUMBER_SIZE, "−%.100s", rest);
    }
    return out;
}

/* Powers of ten and what is no number, as elsewhere in the report. */
static const char *significant(double value, char out[NUMBER_SIZE])
{
    char number[NUMBER_SIZE];
    snprintf(out, NUMBER_SIZE, "%.100s", number_text(value, number));
    return with_minus(out);
}

const char *cell_number(double value, char out[NUMBER_SIZE])
{
    if (!(fabs(value) >= least_plain && fabs(value) < most_plain)) {
        return significant(value == 0 ? 0 : value, out); /* no sign on 0 */
    }
    snprintf(out, NUMBER_SIZE, "%.4f", value);
    return with_minus(out);
}

const char *cell_weight(double value, char out[NUMBER_SIZE])
{
    if (value == 1) {
        return "1";
    }
    return value >= 0.99995 && value < 1 ? number_share(value, out) : cell_number(value, out);
}

const char *cell_given(double value, char out[NUMBER_SIZE])
{
    if (value == 0 || !(fabs(value) >= 5e-4 && fabs(value) < most_plain)) {
        return significant(value == 0 ? 0 : value, out);
    }
    snprintf(out, NUMBER_SIZE, "%.4f", value);
    size_t length = strlen(out);
    while (out[length - 1] == '0') {
        length--;
    }
    length -= out[length - 1] == '.';
    out[length] = '\0';
    return with_minus(out);
}

const char *cell_short(double value, int digits, char out[NUMBER_SIZE])
{
    if (!isfinite(value) || fabs(value) >= most_plain) {
        return significant(value, out);
    }
    snprintf(out, NUMBER_SIZE, "%.*g", digits, value == 0 ? 0 : value);
    return with_minus(out);
}
