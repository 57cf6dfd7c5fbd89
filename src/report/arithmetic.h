/* SPDX-License-Identifier: MIT */
/* Where number formats break: limits of the formats of a sweep, and its undefined rows. */
#ifndef REPORT_ARITHMETIC_H
#define REPORT_ARITHMETIC_H

#include "numeric/formats.h"
#include "report/numbers.h"
#include "report/sections.h"

/* Formats and choices of `stabilise`, as enum run_precision and 0, 1. */
enum {
    ARITHMETIC_FORMATS = FORMAT_COUNT,
    ARITHMETIC_CHOICES = 2,
    ARITHMETIC_LINES = ARITHMETIC_FORMATS * ARITHMETIC_CHOICES
};

/* The settings of one format with `stabilise` on or off. */
struct arithmetic_line {
    size_t settings, broken; /* of them with undefined rows */
    double first;            /* least largest score among the broken ones; NaN: none */
    double last;             /* largest among the whole ones; NaN: none */
};

struct arithmetic {
    bool formats[ARITHMETIC_FORMATS]; /* that occur, as enum run_precision */
    struct arithmetic_line lines[ARITHMETIC_FORMATS][ARITHMETIC_CHOICES];
};

/* Whether formats are what a sweep compares: its part then stands first. */
bool arithmetic_leads(const struct summary *summary);

/* Where the formats of such a sweep break, as the first sentences of a report; nothing for others.
 */
void arithmetic_append_verdict(const struct sections *sections);

/* False when all runs are in double precision and subtract the maximum. */
bool arithmetic_find(const struct summary *summary, struct arithmetic *out);

/* Share of the rows of a setting that are undefined; NaN when no run tells. */
double arithmetic_share(const struct summary_group *group);

/* Limits of the format of an enum run_precision, and its name. */
struct format_limits arithmetic_limits(size_t precision);
const char *arithmetic_name(size_t precision);

/* A score with six digits: "709.79", "65,520". */
const char *arithmetic_score(double score, char out[NUMBER_SIZE]);

/* Its largest number, in full where that is short: "65,504". */
const char *arithmetic_largest(size_t precision, char out[NUMBER_SIZE]);

#endif
