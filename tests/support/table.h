/* SPDX-License-Identifier: MIT */
/* Reference tables, made by tests/reference/make_tables.py: a line is a row name, a column name and
 * numbers (decimal, hexadecimal, inf or nan), the three separated by tabs, numbers by blanks. */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

struct table_entry {
    const char *row;
    const char *column;
    size_t count;
    const double *values;
};

struct table {
    size_t count;
    const struct table_entry *entries;
};

/* Reads a table; a missing or malformed file fails the running test. It lives until the test
 * program ends. */
struct table table_read(const char *path);

/* The entry of that row and column, or NULL. */
const struct table_entry *table_find(struct table table, const char *row, const char *column);

/* The numbers of an entry that must be there, and hold `count` of them. */
const double *table_values(struct table table, const char *row, const char *column, size_t count);

/* The one number of an entry that must be there. */
double table_number(struct table table, const char *row, const char *column);

#endif
