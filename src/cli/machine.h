/* SPDX-License-Identifier: MIT */
/* What this machine has left. */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

#include "base/error.h"

#include <stddef.h>

/* Bytes of memory that this process may still take: what the kernel calls available, or less where
 * a control group (version 1 or 2, or one above it) allows less. Infinity where the system does not
 * say. Files are looked for under `root`, "" for this system. */
double machine_memory(const char *root);

/* Whether the limits on the process (ulimit -v, -d and -s) leave room for the stack of the program
 * and the buffers that OpenBLAS takes of `threads` threads; none are asked for where that is 0.
 * Without them OpenBLAS waits for ever, and a short stack ends the program without a word.
 * ERROR_INPUT otherwise. */
bool machine_has_room(size_t threads, struct error *err) MUST_CHECK;

/* Bytes free for this user where `path` is or will be; infinity where that is not known. */
double machine_disk(const char *path);

#endif
