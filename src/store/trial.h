/* SPDX-License-Identifier: MIT */
/* A first reading in a child process. HDF5 trusts what it reads, and a damaged length can crash it:
 * where no checksum vouches for a file, a child finds out first. */
#ifndef STORE_TRIAL_H
#define STORE_TRIAL_H

#include "base/error.h"

/* Calls `read` with `path` in a child of bounded time whose result is thrown away. True when the
 * child lives through it, well or ill; ERROR_FILE when it crashes or does not end. */
bool trial_survived(void (*read)(const char *path), const char *path, struct error *err) MUST_CHECK;

#endif
