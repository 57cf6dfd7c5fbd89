/* SPDX-License-Identifier: MIT */
/* How wide characters are: in columns, as terminals count them, and in a line of a figure. */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at `at`, which is not the end; *columns gets 0 for marks that stand on
 * others and for joiners, 2 for wide scripts and pictures, else 1. */
size_t columns_step(const char *at, uint32_t *code, size_t *columns);

/* Columns of a text. */
size_t columns_count(const char *any);

/* Width of a text over the size of its font, in DejaVu Sans: what letters take, and for wide or
 * unknown characters about as much. */
double columns_width(const char *any);

#endif
