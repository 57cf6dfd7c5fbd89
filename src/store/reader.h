/* SPDX-License-Identifier: MIT */
/* Reads a whole results file. */
#ifndef STORE_READER_H
#define STORE_READER_H

#include "base/arena.h"
#include "run/results.h"

/* Reads the file at `path`, which may be damaged, foreign or of an earlier version: columns that it
 * lacks give defaults, columns unknown here are left out. ERROR_FILE names the path and the reason;
 * nothing of `out` is then to be used. */
bool reader_read(const char *path, struct arena *arena, struct result_set *out,
                 struct error *err) MUST_CHECK;

/* The same for a file whose seal does not hold: good when every column in it matches the checksums
 * that HDF5 and the tables of texts keep. */
bool reader_salvage(const char *path, struct arena *arena, struct result_set *out,
                    struct error *err) MUST_CHECK;

#endif
