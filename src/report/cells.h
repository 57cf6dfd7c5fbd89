/* SPDX-License-Identifier: MIT */
/* Numbers in the tables of worked rows, where four decimals stand below one another. */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "report/numbers.h"

/* "0.1576", "0.0077", "2.96 × 10⁻⁴", "−0.24"; "0" for nothing else than 0. */
const char *cell_number(double value, char out[NUMBER_SIZE]);

/* The same for a weight, which never prints as 1 while it is below. */
const char *cell_weight(double value, char out[NUMBER_SIZE]);

/* A number as it was given, as far as four decimals go: "−1.848", "2", "1002". */
const char *cell_given(double value, char out[NUMBER_SIZE]);

/* As few of `digits` significant digits as tell the value: "0.269", "−0.5", "11.0901". */
const char *cell_short(double value, int digits, char out[NUMBER_SIZE]);

#endif
