/* SPDX-License-Identifier: MIT */
/* Writes columns and tables of texts into a results file, with their attributes (docs/results.md).
 */
#ifndef STORE_COLUMN_WRITE_H
#define STORE_COLUMN_WRITE_H

#include "base/hash.h"
#include "store/chunk.h"
#include "store/hdf.h"
#include "store/texts.h"

/* One column: `count` values of a number type. */
struct column {
    const char *name;
    enum hdf_number number;
    const void *values; /* one of them where all are the same, which is `constant` */
    size_t count;
    bool constant;
    const char *unit, *label, *help; /* NULL or "" where there is none */
    const char *const *choices;      /* NULL-terminated meanings of 0, 1, ...; or NULL */
    bool is_switch;                  /* off and on, which xarray is told to read as booleans */
};

/* Writes a column along an open dimension scale. */
bool column_write(hid_t file, struct chunk_encoders *encoders, hid_t scale,
                  const struct column *column, struct error *err) MUST_CHECK;

/* Writes a column that is a dimension scale itself; it stays open for those along it. Negative on
 * failure. */
hid_t column_write_scale(hid_t file, struct chunk_encoders *encoders, const struct column *column,
                         struct error *err) MUST_CHECK;

/* Writes the scale `name` that lists the texts, and, where `second` is not NULL, the column
 * `second` along it with their second parts ("" for NULL). */
bool column_write_table(hid_t file, const char *name, const char *second, const struct texts *texts,
                        struct error *err) MUST_CHECK;

/* Writes one text as a scalar dataset. */
bool column_write_text(hid_t file, const char *name, const char *text,
                       struct error *err) MUST_CHECK;

/* SHA-256 in hexadecimal of the texts, each with its terminating NUL: what the attribute "sha256"
 * of a table holds, since HDF5 keeps no checksum of its texts. */
bool column_texts_digest(const char *const *texts, size_t count, char hex[HASH_HEX_SIZE],
                         struct error *err) MUST_CHECK;

#endif
