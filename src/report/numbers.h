/* SPDX-License-Identifier: MIT */
/* Numbers for people: three significant digits, powers of ten with a raised exponent. */
#ifndef REPORT_NUMBERS_H
#define REPORT_NUMBERS_H

#include "summary/summary.h"

#define NUMBER_SIZE 128

/* "0.183", "12.1", "4,360", "3.31 × 10⁻¹⁰", "∞", "undefined": three significant digits. */
const char *number_text(double value, char out[NUMBER_SIZE]);

/* The same for a share of 1, which never prints as 1 while it is below: "0.99999",
 * "1 − 3.20 × 10⁻⁹". */
const char *number_share(double value, char out[NUMBER_SIZE]);

/* Two significant digits, for what is interpolated: "42", "1,100". */
const char *number_about(double value, char out[NUMBER_SIZE]);

/* A value that was given, as it was written: "0.9", "64", "3,008". */
const char *number_given(double value, char out[NUMBER_SIZE]);

/* A value of an axis whose nearest neighbour lies `distance` away (infinite: there is none): as it
 * was written when that takes at most seven digits, else three digits, or as many as tell it from
 * the neighbour: 1.41421356 is "1.41". */
const char *number_on_axis(double value, double distance, char out[NUMBER_SIZE]);

/* To the place where a width shows its second digit: 42.31 to 4.6 is "42.3". */
const char *number_to(double value, double width, char out[NUMBER_SIZE]);

/* "0.183 ± 0.012", "(3.3 ± 2.1) × 10⁻¹⁰": two digits of the half width; without ± when there is no
 * interval or it has no width that six decimals show; "no result" when no run stands behind it.
 * `share`: of 1, as above; "0.9986 [0.9923 to 0.9998]" where ± would leave 0 to 1. */
const char *number_estimate(const struct estimate *estimate, bool share, char out[NUMBER_SIZE]);

/* The estimate of a measure in a group; the field table knows which are shares. The largest of
 * given scores has six digits: "1,002", "88.7228". */
const char *number_measure(const struct summary_group *group, enum measurement_field measure,
                           char out[NUMBER_SIZE]);

/* "10⁻⁸", and "1" and "10" as they are. */
const char *number_power(int exponent, char out[NUMBER_SIZE]);

#endif
