/* SPDX-License-Identifier: MIT */
/* Files through zlib: gzip is unpacked, anything else is read as it is. */
#ifndef CORPUS_UNPACK_H
#define CORPUS_UNPACK_H

#include "base/arena.h"

/* The whole unpacked file, at most `limit` bytes. NULL with ERROR_INPUT naming the path for a file
 * that is missing, a folder, damaged, cut short or too large. */
char *unpack_file(const char *path, size_t limit, struct arena *arena, size_t *size,
                  struct error *err) MUST_CHECK;

#endif
