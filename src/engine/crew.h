/* SPDX-License-Identifier: MIT */
/* Threads behind a struct crew, for what is done before the pool starts and after it: large runs.
 */
#ifndef ENGINE_CREW_H
#define ENGINE_CREW_H

#include "base/arena.h"
#include "base/crew.h"

/* Starts `hands` - 1 threads, which wait for work; fewer where the system gives no more. NULL with
 * `err` set when memory is short. */
struct crew *crew_start(size_t hands, struct arena *arena, struct error *err) MUST_CHECK;

/* Ends the threads; not while they work. NULL is none. */
void crew_end(struct crew *crew);

#endif
