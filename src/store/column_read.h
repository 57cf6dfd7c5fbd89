/* SPDX-License-Identifier: MIT */
/* Reads columns and tables of texts from a results file that may be damaged or foreign: place,
 * shape, type and size are checked before anything is read. */
#ifndef STORE_COLUMN_READ_H
#define STORE_COLUMN_READ_H

#include "store/hdf.h"

struct column_source {
    hid_t file;
    uint64_t bytes;      /* the size of the file: nothing that it cannot hold is believed */
    struct arena *arena; /* of texts */
};

#define COLUMN_ROWS_MAX 100000000

/* Opens a dataset of 0 to 3 dimensions whose elements have the class and gives its shape. Negative
 * on failure, or with *present false when there is no such name. */
hid_t column_open(const struct column_source *from, const char *name, int rank, H5T_class_t wanted,
                  hsize_t size[3], bool *present, struct error *err) MUST_CHECK;

/* The length of a column that must be there. */
bool column_read_length(const struct column_source *from, const char *name, size_t *count,
                        struct error *err) MUST_CHECK;

/* Reads a column of `count` numbers. Nothing is read when there is none. */
bool column_read_integers(const struct column_source *from, const char *name, size_t count,
                          int64_t *values, bool *present, struct error *err) MUST_CHECK;
bool column_read_reals(const struct column_source *from, const char *name, size_t count,
                       double *values, bool *present, struct error *err) MUST_CHECK;

/* The text attribute "flag_meanings" of a column that is there. NULL when it has none or on
 * failure, which sets `err`. */
const char *column_read_meanings(const struct column_source *from, const char *name,
                                 struct error *err);

/* Reads the texts of a table. */
bool column_read_table(const struct column_source *from, const char *name, size_t *count,
                       const char *const **texts, bool *present, struct error *err) MUST_CHECK;

/* Reads a scalar text dataset. */
bool column_read_text(const struct column_source *from, const char *name, const char **text,
                      struct error *err) MUST_CHECK;

#endif
