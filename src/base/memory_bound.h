/* SPDX-License-Identifier: MIT */
/* A bound on what a call into a library may take: one that unpacks what a stranger packed asks for
 * as much memory as the file says. Beyond the bound its allocations fail, which is an error like
 * any other. */
#ifndef BASE_MEMORY_BOUND_H
#define BASE_MEMORY_BOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>

struct memory_bound {
    struct rlimit before;
    bool set;
};

/* From here on this process gets at most `bytes` more address space. Call it before threads start.
 * Where the system has no such limit, or a sanitizer needs all of the address space, nothing
 * changes. */
void memory_bound_begin(struct memory_bound *bound, size_t bytes);

/* As it was before. */
void memory_bound_end(const struct memory_bound *bound);

#endif
