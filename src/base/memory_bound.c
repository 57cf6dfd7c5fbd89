/* SPDX-License-Identifier: MIT */
/* See memory_bound.h. */
#include "base/memory_bound.h"

#include <stdio.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define RESERVES_ALL 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RESERVES_ALL 1
#endif
#ifndef RESERVES_ALL
#define RESERVES_ALL 0
#endif

/* Address space of this process in bytes; 0 where it is not known. */
static rlim_t space_taken(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    bool known = file != NULL && fscanf(file, "%lu", &pages) == 1;
    if (file != NULL) {
        fclose(file);
    }
    return known ? (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

void memory_bound_begin(struct memory_bound *bound, size_t bytes)
{
    rlim_t taken = RESERVES_ALL ? 0 : space_taken();
    bound->set = false;
    if (taken == 0 || getrlimit(RLIMIT_AS, &bound->before) != 0) {
        return;
    }
    struct rlimit now = bound->before;
    if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > taken + bytes) {
        now.rlim_cur = taken + bytes;
        bound->set = setrlimit(RLIMIT_AS, &now) == 0;
    }
}

void memory_bound_end(const struct memory_bound *bound)
{
    if (bound->set) {
        (void)!setrlimit(RLIMIT_AS, &bound->before);
    }
}
