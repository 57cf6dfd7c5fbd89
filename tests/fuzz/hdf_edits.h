/* SPDX-License-Identifier: MIT */
/* Changes to an HDF5 file in memory that leave it one: each is a byte for the kind, one for the
 * dataset, one for the length of the content that follows. Kinds, modulo their number:
 *   0 the content over the values of a dataset    3 a dataset of another type and shape, which the
 *   1 no such dataset                               first two bytes of the content give
 *   2 the content as all texts of a dataset,      4 the content as an attribute that the first byte
 *     with their checksum                           chooses, of the dataset or, from 128 on, the
 * root 5 another length, from the first two bytes */
#ifndef HDF_EDITS_H
#define HDF_EDITS_H

#include "base/arena.h"

#include <stdint.h>

/* The changed file, with room for `spare` more bytes; NULL where HDF5 does not give it out. */
char *hdf_edits_apply(const void *file, size_t *length, size_t spare, const uint8_t *edits,
                      size_t size, struct arena *arena);

#endif
