/* SPDX-License-Identifier: MIT */
/* What every user of HDF5 in this room needs: its errors as one line, attributes, new datasets.
 * Files are opened with H5F_CLOSE_STRONG, so that closing one after a failure closes all in it. */
#ifndef STORE_HDF_H
#define STORE_HDF_H

/* Debian's headers default to the 1.8 names; this way 1.10, 1.12 and 1.14 compile alike. */
#define H5_USE_110_API
#include <hdf5.h>
#include <hdf5_hl.h>

#include "base/arena.h"

#include <stdint.h>

/* No error stacks on stderr from this thread. Whoever opens a file begins with it. */
void hdf_silence(void);

/* ERROR_FILE with the formatted text and the root cause that HDF5 gives, as one line. */
bool hdf_error(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Numbers as they lie in the file, little-endian everywhere, and in memory. */
enum hdf_number { HDF_INT8, HDF_INT32, HDF_INT64, HDF_REAL };
hid_t hdf_file_type(enum hdf_number number);
hid_t hdf_memory_type(enum hdf_number number);
size_t hdf_width(enum hdf_number number); /* bytes of one */

/* A copy of the type of variable-length UTF-8 text, or a negative number. */
hid_t hdf_text_type(void);

/* A transfer list for texts, whose buffers are no larger than those of a chunk need: HDF5 clears
 * them before each use. Negative on failure. */
hid_t hdf_text_transfer(void);

/* A new chunked dataset, ready for H5Dwrite, without times; where `filtered` it is compressed and
 * has checksums, which texts of variable length cannot. Only the first dimension may be 0; it is an
 * unlimited one, as 0 needs it. Negative on failure. */
struct hdf_shape {
    int rank; /* 1 to 3 */
    hsize_t size[3];
    hsize_t chunk[3];
};
hid_t hdf_create(hid_t file, const char *name, hid_t type, const struct hdf_shape *shape,
                 bool filtered, struct error *err) MUST_CHECK;

/* H5Dread of a whole dataset, or of the space `place` into `memory`, in bounded memory: a chunk may
 * unpack to a thousand times what its sizes say. `how` is a transfer list. */
herr_t hdf_read(hid_t dataset, hid_t type, hid_t memory, hid_t place, hid_t how, void *values);

/* Attributes. Texts are scalar variable-length UTF-8; the array is one-dimensional. */
bool hdf_write_text(hid_t object, const char *name, const char *text, struct error *err) MUST_CHECK;
bool hdf_write_integer(hid_t object, const char *name, int64_t value, struct error *err) MUST_CHECK;
bool hdf_write_array(hid_t object, const char *name, enum hdf_number number, const void *values,
                     size_t count, struct error *err) MUST_CHECK;

/* The text of an attribute in the arena; NULL with `err` untouched when there is none, with `err`
 * set when it is not a text. */
const char *hdf_read_text(hid_t object, const char *name, struct arena *arena, struct error *err);

/* False with `err` untouched when there is no such attribute, set when it is not one integer. */
bool hdf_read_integer(hid_t object, const char *name, int64_t *value, struct error *err);

#endif
