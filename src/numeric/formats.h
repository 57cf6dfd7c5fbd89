/* SPDX-License-Identifier: MIT */
/* Binary floating-point formats narrower than double, emulated: what storing a number in one of
 * them leaves of it. IEEE 754-2019; the 8-bit ones are those of the OCP specification (2023). */
#ifndef NUMERIC_FORMATS_H
#define NUMERIC_FORMATS_H

#include <stdbool.h>

enum number_format {
    FORMAT_FP64,
    FORMAT_FP32,
    FORMAT_FP16,
    FORMAT_BF16,
    FORMAT_FP8_E4M3, /* no infinity: what is too large becomes NaN */
    FORMAT_FP8_E5M2,
    FORMAT_COUNT
};

/* x rounded to the format: to nearest, ties to even, through subnormals; beyond the largest number
 * an infinity of the same sign, or NaN where the format has none. NaN stays NaN, a zero keeps its
 * sign. */
double format_round(enum number_format format, double x);

/* What a user has to know of a format. Thresholds are arguments x of type double, found with
 * format_round: exp(x) rounded to the format is not finite from exp_overflow on, below the smallest
 * normal number under exp_subnormal, and 0 up to exp_zero. */
struct format_limits {
    double largest;       /* finite number */
    double roundoff;      /* half the distance from 1 to the next number */
    double exp_overflow;  /* smallest such x */
    double exp_subnormal; /* x with exp(x) = the smallest normal number */
    double exp_zero;      /* largest such x */
};
struct format_limits format_limits(enum number_format format);

#endif
