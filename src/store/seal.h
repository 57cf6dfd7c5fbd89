/* SPDX-License-Identifier: MIT */
/* The seal: a line behind the HDF5 part of a results file with the SHA-256 of all before it. HDF5
 * ignores it. It is checked before HDF5 sees the file, because HDF5 trusts what it reads: one
 * flipped byte in a length can crash it. */
#ifndef STORE_SEAL_H
#define STORE_SEAL_H

#include "base/arena.h"
#include "base/hash.h"

#define SEAL_MAGIC "\nrowmax sha256 "
#define SEAL_SIZE (sizeof SEAL_MAGIC - 1 + HASH_HEX_SIZE)

/* Writes the seal of `size` bytes behind them; there must be room for SEAL_SIZE more. */
void seal_put(char *bytes, size_t size);

/* Bytes up to the end of the last seal; 0 for a file without one, or with a cut one. */
size_t seal_end(const char *bytes, size_t size);

/* Checks a file in memory. One without a seal, made or changed by another program, passes with
 * *sealed false; bytes behind the seal are no matter. ERROR_FILE when the seal is cut or does not
 * match. */
bool seal_check(const char *bytes, size_t size, bool *sealed, struct error *err) MUST_CHECK;

#endif
