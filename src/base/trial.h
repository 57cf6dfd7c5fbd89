/* SPDX-License-Identifier: MIT */
/* A first reading in a child process. HDF5 trusts what it reads, and a damaged length can crash it:
 * where no checksum vouches for a file, a child finds out first. */
#ifndef BASE_TRIAL_H
#define BASE_TRIAL_H

#include "base/error.h"

/* Calls `read` with `context` in a child of bounded time whose result is thrown away. True when the
 * child lives through it, well or ill; ERROR_FILE, naming `path`, when it crashes or does not
 * end. Call it before threads start. */
bool trial_survived(void (*read)(const void *context), const void *context, const char *path,
                    struct error *err) MUST_CHECK;

#endif
