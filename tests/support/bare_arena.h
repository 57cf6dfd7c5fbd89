/* SPDX-License-Identifier: MIT */
/* An arena made anew for each test, for those that keep errors of their own. */
#ifndef BARE_ARENA_H
#define BARE_ARENA_H

#include "support.h"

static struct arena arena;

static inline void arena_set_up(void)
{
    arena = (struct arena){0};
}

static inline void tear_down(void)
{
    arena_release(&arena);
}

#endif
