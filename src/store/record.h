/* SPDX-License-Identifier: MIT */
/* A result as bytes, for the journal: integers little-endian, texts with their length and a NUL,
 * the fields in the order of a list that is kept beside the records, so that programs whose field
 * tables differ can read each other's. */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include "base/text.h"
#include "run/fields.h"
#include "run/results.h"

struct record_field {
    const struct field *field; /* NULL: not known to this program, its value is skipped */
    enum field_kind kind;
    bool of_run; /* else of the measurement */
};

struct record_layout {
    struct record_field *fields;
    size_t count;
};

/* The field list of this program: lines "run NAME KIND" and "measurement NAME KIND". */
const char *record_layout_text(struct arena *arena, struct error *err) MUST_CHECK;

/* The layout that such a list describes. */
bool record_layout_parse(const char *text, struct arena *arena, struct record_layout *layout,
                         struct error *err) MUST_CHECK;

/* Appends the bytes of a result in this program's layout. */
void record_encode(struct text *out, const struct result *result);

/* The result in `size` bytes of the layout. Its texts point into the bytes, its matrices lie in the
 * arena. Fields that the layout lacks are at their default. */
bool record_decode(const struct record_layout *layout, const char *bytes, size_t size,
                   struct arena *arena, struct result *result, struct error *err) MUST_CHECK;

/* Little-endian numbers in bytes. */
void record_put(struct text *out, uint64_t value, size_t bytes);
uint64_t record_get(const char *from, size_t bytes);

#endif
