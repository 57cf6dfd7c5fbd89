/* SPDX-License-Identifier: MIT */
/* What the readers of the formats share: the open file, shapes, binary numbers, missing names. */
#ifndef ARRAYS_ARRAY_INTERNAL_H
#define ARRAYS_ARRAY_INTERNAL_H

#include "arrays/array.h"

#include <stdint.h>

/* No array may hold more numbers than these, 1 GiB as doubles, and no .npy file more bytes. */
#define ARRAY_NUMBERS_MAX ((uint64_t)1 << 27)
#define ARRAY_BYTES_MAX ((uint64_t)1 << 30)

/* A regular file, open for reading. */
struct array_file {
    const char *path;
    int descriptor;
    uint64_t size;
};

/* Exactly `size` bytes from `offset` on; ERROR_INPUT when the file has become shorter. */
bool array_file_read(const struct array_file *file, uint64_t offset, void *out, size_t size,
                     struct error *err) MUST_CHECK;

uint64_t array_little_endian(const unsigned char *bytes, size_t size);

/* A shape as a file claims it. */
#define ARRAY_RANK_MAX 64 /* as NumPy 2 */
struct array_shape {
    size_t rank;
    uint64_t size[ARRAY_RANK_MAX];
};

/* The shape as "(2, 3)", cut where it would be long. Returns `out`. */
#define ARRAY_SHAPE_TEXT 128
char *array_shape_text(const struct array_shape *shape, char out[ARRAY_SHAPE_TEXT]);

/* Bytes of numbers of `element` bytes in that shape; false where these do not fit 64 bits. */
bool array_shape_bytes(const struct array_shape *shape, size_t element, uint64_t *bytes) MUST_CHECK;

/* Sets planes, rows and columns; refuses other than two or three dimensions (leading ones of 1
 * aside), empty ones, and more than ARRAY_NUMBERS_MAX numbers. `name` says what has the shape. */
bool array_shape_fold(const struct array_shape *shape, const char *name, struct array *out,
                      struct error *err) MUST_CHECK;

/* Binary floating-point formats: IEEE 754-2019 and bfloat16; of 8 bits those of the OCP
 * specification (2023), of which E4M3 has no infinity. */
enum array_number {
    ARRAY_F64,
    ARRAY_F32,
    ARRAY_F16,
    ARRAY_BF16,
    ARRAY_F8_E4M3,
    ARRAY_F8_E5M2,
    ARRAY_NUMBER_COUNT
};
size_t array_number_size(enum array_number number);

/* The value of the low bits; exact, as double holds every number of these formats. */
double array_decode(enum array_number number, uint64_t bits);

/* How numbers lie in a file. */
struct array_order {
    enum array_number number;
    bool big_endian;
    bool fortran; /* first index fastest */
};

/* Doubles in C order from the planes * rows * columns numbers at `bytes`; NULL without memory. */
const double *array_convert(const struct array *array, const struct array_order *order,
                            const unsigned char *bytes, struct arena *arena,
                            struct error *err) MUST_CHECK;

/* Sets the digest of an array that lies beside others in its file. */
void array_digest(struct array *array);

/* ERROR_INPUT for a dataset that is missing, or NULL where none was named: offers the nearest name
 * and lists the first. `scratch` takes the text. */
struct array_names {
    const char **names;
    size_t count, capacity;
};
bool array_no_dataset(const char *path, const char *dataset, const struct array_names *names,
                      struct arena *scratch, struct error *err);

/* The readers of the formats. `dataset` is NULL or empty where none was named. */
bool npy_read(const struct array_file *file, struct arena *arena, struct array *out,
              struct error *err) MUST_CHECK;
bool hdf5_read(const struct array_file *file, const char *dataset, struct arena *arena,
               struct array *out, struct error *err) MUST_CHECK;
bool safetensors_read(const struct array_file *file, const char *dataset, struct arena *arena,
                      struct array *out, struct error *err) MUST_CHECK;

#endif
