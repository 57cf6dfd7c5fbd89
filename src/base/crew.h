/* SPDX-License-Identifier: MIT */
/* Hands for a task that falls into parts: rooms below the engine, which alone starts threads, get
 * them handed down. What a part does may depend on its number only, so that no result depends on
 * how many hands there are. */
#ifndef BASE_CREW_H
#define BASE_CREW_H

#include <stddef.h>

/* One part of a task; several may be done at once, but never two by the same of the crew's hands,
 * which are counted from 0: what a hand has of its own is free. */
typedef void crew_part(void *task, size_t part, size_t hand);

struct crew {
    size_t hands; /* threads, the caller's included */
    /* Does parts 0 .. count - 1, in any order, and returns when all are done. From one thread at a
     * time, and not from within a part. */
    void (*work)(struct crew *crew, size_t count, crew_part *part, void *task);
};

/* The same without a crew (NULL), one after the other. */
static inline void crew_work(struct crew *crew, size_t count, crew_part *part, void *task)
{
    if (crew != NULL && crew->hands > 1 && count > 1) {
        crew->work(crew, count, part, task);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        part(task, i, 0);
    }
}

#endif
