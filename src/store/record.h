/* SPDX-License-Identifier: MIT */
/* A result as bytes, for the journal: integers little-endian, texts with their length and a NUL,
 * the fields in the order of a list that is kept beside the records, so that programs whose field
 * tables differ can read each other's. A compact record holds only what differs from another
 * result, its base. */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include "base/text.h"
#include "run/fields.h"
#include "run/results.h"

/* The length of a text that is not there. */
#define RECORD_NO_TEXT UINT32_MAX

/* The matrices of a record. */
enum { RECORD_HAS_SCORES = 1, RECORD_HAS_WEIGHTS = 2 };

/* What a compact record says before its differences. */
enum { RECORD_IS_FAILED = 1, RECORD_HAS_MESSAGE = 2, RECORD_HAS_KEPT = 4 };

/* Whether an entry of the list is among its differences. */
static inline bool record_is_marked(const unsigned char *mask, size_t entry)
{
    return (mask[entry / 8] >> entry % 8 & 1) != 0;
}

struct record_field {
    const struct field *field; /* NULL: not known to this program, its value is skipped */
    enum field_kind kind;
    bool of_run; /* else of the measurement */
};

struct record_layout {
    struct record_field *fields;
    size_t count;
    uint64_t lacking; /* bit m: measure m is not in the list */
};

/* The field list of this program without the measures `lacking`: lines "run NAME KIND" and
 * "measurement NAME KIND". */
const char *record_layout_text(uint64_t lacking, struct arena *arena, struct error *err) MUST_CHECK;

/* The layout that such a list describes. */
bool record_layout_parse(const char *text, struct arena *arena, struct record_layout *layout,
                         struct error *err) MUST_CHECK;

/* Appends the bytes of a result in the layout of the list above, with its own `lacking`. */
void record_encode(struct text *out, const struct result *result);

/* The same for what differs from `base`, which has the same `lacking`. */
void record_encode_compact(struct text *out, const struct result *base,
                           const struct result *result);

/* The result in `size` bytes of the layout. Its texts point into the bytes, its matrices lie in the
 * arena. Fields that the layout lacks are at their default. */
bool record_decode(const struct record_layout *layout, const char *bytes, size_t size,
                   struct arena *arena, struct result *result, struct error *err) MUST_CHECK;

/* The same for a compact record of that base, to whose texts it points as well. */
bool record_decode_compact(const struct record_layout *layout, const struct result *base,
                           const char *bytes, size_t size, struct arena *arena,
                           struct result *result, struct error *err) MUST_CHECK;

/* Little-endian numbers in bytes. */
void record_put(struct text *out, uint64_t value, size_t bytes);
uint64_t record_get(const char *from, size_t bytes);

#endif
