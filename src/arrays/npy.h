/* SPDX-License-Identifier: MIT */
/* NumPy .npy files as foreign input: hostile until checked. */
#ifndef ARRAYS_NPY_H
#define ARRAYS_NPY_H

#include "base/arena.h"
#include "base/hash.h"

#include <stdint.h>

/* A 2-D array of doubles, row-major. */
struct npy {
    size_t rows, columns;
    const double *values;
    char digest[HASH_HEX_SIZE]; /* SHA-256 of the file, hexadecimal */
};

/* Reads versions 1 to 3, C or Fortran order, <f8 or <f4 (and the big-endian forms), of exactly two
 * dimensions, each at least 1. ERROR_INPUT names the path and what is wrong; values may be
 * non-finite. */
bool npy_read(const char *path, struct arena *arena, struct npy *out, struct error *err) MUST_CHECK;

#endif
