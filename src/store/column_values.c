/* SPDX-License-Identifier: MIT */
/* See column_values.h. */
#include "store/column_values.h"

#include <math.h>
#include <string.h>

static const char *const kind_names[] = {
    [FIELD_INTEGER] = "integer", [FIELD_REAL] = "real", [FIELD_SWITCH] = "switch",
    [FIELD_CHOICE] = "choice",   [FIELD_TEXT] = "text", [FIELD_ROWS] = "rows",
    [FIELD_PATH] = "path",
};
enum { KIND_COUNT = sizeof kind_names / sizeof kind_names[0] };

static void get(const void *base, size_t offset, void *value, size_t size)
{
    memcpy(value, (const char *)base + offset, size);
}

static void set(void *base, size_t offset, const void *value, size_t size)
{
    memcpy((char *)base + offset, value, size);
}

int64_t value_integer(const struct field *field, const void *base)
{
    int64_t value;
    get(base, field->offset, &value, sizeof value);
    return value;
}

double value_real(const struct field *field, const void *base)
{
    double value;
    get(base, field->offset, &value, sizeof value);
    return value;
}

bool value_switch(const struct field *field, const void *base)
{
    bool value;
    get(base, field->offset, &value, sizeof value);
    return value;
}

int value_choice(const struct field *field, const void *base)
{
    int value;
    get(base, field->offset, &value, sizeof value);
    return value;
}

const char *value_text(const struct field *field, const void *base)
{
    const char *value;
    get(base, field->offset, &value, sizeof value);
    return value;
}

const char *value_digest(const struct field *field, const void *base)
{
    const char *value;
    get(base, field->digest, &value, sizeof value);
    return value;
}

void value_set_integer(const struct field *field, void *base, int64_t value)
{
    set(base, field->offset, &value, sizeof value);
}

void value_set_real(const struct field *field, void *base, double value)
{
    set(base, field->offset, &value, sizeof value);
}

void value_set_switch(const struct field *field, void *base, bool value)
{
    set(base, field->offset, &value, sizeof value);
}

void value_set_choice(const struct field *field, void *base, int value)
{
    set(base, field->offset, &value, sizeof value);
}

void value_set_text(const struct field *field, void *base, const char *value)
{
    set(base, field->offset, &value, sizeof value);
}

void value_set_digest(const struct field *field, void *base, const char *value)
{
    set(base, field->digest, &value, sizeof value);
}

int value_choice_find(const struct field *field, const char *name)
{
    for (int choice = 0; field->choices[choice] != NULL; choice++) {
        if (strcmp(field->choices[choice], name) == 0) {
            return choice;
        }
    }
    return -1;
}

const char *value_kind_name(enum field_kind kind)
{
    return kind_names[kind];
}

int value_kind_find(const char *name)
{
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (strcmp(kind_names[kind], name) == 0) {
            return kind;
        }
    }
    return -1;
}

bool value_texts_equal(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

struct result value_empty_result(void)
{
    struct result result = {.index = -1, .message = "", .run = run_default()};
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        if (measurement_fields[i].kind == FIELD_REAL) {
            value_set_real(&measurement_fields[i], &result.measurement, (double)NAN);
        }
    }
    return result;
}
