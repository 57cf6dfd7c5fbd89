/* SPDX-License-Identifier: MIT */
/* Arrays of numbers from files of other programs: .npy, HDF5 datasets, safetensors. The files are
 * hostile until checked: a length that lies is an error, never a crash. */
#ifndef ARRAYS_ARRAY_H
#define ARRAYS_ARRAY_H

#include "base/arena.h"
#include "base/hash.h"

/* A matrix of doubles, row-major, or several of one shape one after the other. */
struct array {
    size_t planes; /* 1 for a file of two dimensions; else the first of three, one head each */
    size_t rows, columns;
    const double *values;       /* (planes, rows, columns); may be non-finite */
    char digest[HASH_HEX_SIZE]; /* of a .npy file its SHA-256; of a dataset, which lies beside
                                   others in its file, that of its shape and values */
};

/* Reads `location`: the path of a .npy file, or path:dataset of an HDF5 or safetensors file. A
 * colon may be part of the path: the longest beginning that names a file is taken. The kind is told
 * from the content, not from the name.
 *   .npy         versions 1 to 3, C or Fortran order, f2, f4, f8 of both byte orders, and bf16
 *                where ml_dtypes wrote it (descr '<V2' or 'bfloat16')
 *   HDF5         a dataset of floating-point numbers or integers, of any layout and built-in filter
 *   safetensors  F64, F32, F16, BF16, F8_E4M3, F8_E5M2
 * Two or three dimensions, each at least 1; leading dimensions of 1 beyond these are dropped.
 * ERROR_INPUT names the path and what is wrong, lists the datasets where the wanted one is missing
 * or none is named, and offers the nearest name. */
bool array_read(const char *location, struct arena *arena, struct array *out,
                struct error *err) MUST_CHECK;

/* The part of a location that is the path of a file; ERROR_INPUT where there is none. */
const char *array_path(const char *location, struct arena *arena, struct error *err) MUST_CHECK;

/* The version of jansson in use. */
const char *array_jansson_version(void);

#endif
