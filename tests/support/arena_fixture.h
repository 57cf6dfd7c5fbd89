/* SPDX-License-Identifier: MIT */
/* An arena and an error made anew for each test, and numbers in that arena. */
#ifndef ARENA_FIXTURE_H
#define ARENA_FIXTURE_H

#include "bare_arena.h"

static struct error err;

static inline void set_up(void)
{
    arena_set_up();
    err = (struct error)ERROR_INIT;
}

static inline double *doubles(size_t count)
{
    double *array = arena_alloc(&arena, count, sizeof *array, &err);
    ck_assert_msg(array != NULL, "%s", err.message);
    return array;
}

#endif
