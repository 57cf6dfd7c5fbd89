/* SPDX-License-Identifier: MIT */
/* Raw access to the members that the field table describes. `base` is the struct run or struct
 * measurement that the field belongs to. */
#ifndef STORE_COLUMN_VALUES_H
#define STORE_COLUMN_VALUES_H

#include "run/fields.h"
#include "run/results.h"

int64_t value_integer(const struct field *field, const void *base);
double value_real(const struct field *field, const void *base);
bool value_switch(const struct field *field, const void *base);
int value_choice(const struct field *field, const void *base);
const char *value_text(const struct field *field, const void *base);
const char *value_digest(const struct field *field, const void *base); /* FIELD_PATH only */

void value_set_integer(const struct field *field, void *base, int64_t value);
void value_set_real(const struct field *field, void *base, double value);
void value_set_switch(const struct field *field, void *base, bool value);
void value_set_choice(const struct field *field, void *base, int value);
void value_set_text(const struct field *field, void *base, const char *value);
void value_set_digest(const struct field *field, void *base, const char *value);

/* Index of a choice by its name, or -1. */
int value_choice_find(const struct field *field, const char *name);

/* "integer", "real", ... and back; -1 for a word that names no kind. */
const char *value_kind_name(enum field_kind kind);
int value_kind_find(const char *name);

/* Equal texts, where two NULL are equal. */
bool value_texts_equal(const char *a, const char *b);

/* A result with every field at its default: reals of the measurement NaN, its integers 0. */
struct result value_empty_result(void);

#endif
