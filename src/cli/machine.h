/* SPDX-License-Identifier: MIT */
/* What this machine has left. */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

/* Bytes of memory that this process may still take: what the kernel calls available, or less where
 * a control group (version 1 or 2, or one above it) allows less. Infinity where the system does not
 * say. Files are looked for under `root`, "" for this system. */
double machine_memory(const char *root);

/* Bytes free for this user where `path` is or will be; infinity where that is not known. */
double machine_disk(const char *path);

#endif
