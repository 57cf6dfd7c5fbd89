/* SPDX-License-Identifier: MIT */
/* How many threads this process may have. */
#ifndef ENGINE_THREADS_H
#define ENGINE_THREADS_H

#include <stddef.h>

/* Starts up to `wanted` threads at once, ends them, and returns how many started: limits on
 * processes (ulimit -u, a control group) show nowhere else. */
size_t threads_that_start(size_t wanted);

/* Processors that this process may run on, at least 1: fewer than the machine has where a batch
 * system or taskset gave it a share. */
size_t threads_processors(void);

#endif
