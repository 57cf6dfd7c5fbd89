/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share: the function that libFuzzer and rerun.c call, files, assertions. */
#ifndef FUZZ_H
#define FUZZ_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Reads the bytes as the target's kind of input; 0. Must come back, whatever they are. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A path in a folder of its own, which is removed at the end. */
const char *fuzz_path(const char *name);

/* Writes a file there. */
const char *fuzz_file(const char *name, const void *bytes, size_t size);

/* Ends the program where what every input must give does not hold. */
#define fuzz_require(condition) fuzz_require_at((condition), #condition, __FILE__, __LINE__)
void fuzz_require_at(bool holds, const char *what, const char *file, int line);

/* What every refusal is: an error of one of these kinds, with a message. */
void fuzz_require_refusal(const struct error *err, enum error_code one, enum error_code other);

/* Looks at every byte of a text. */
size_t fuzz_touch(const char *text);

#endif
