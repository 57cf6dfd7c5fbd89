/* SPDX-License-Identifier: MIT */
/* A dictionary made anew for each test. */
#ifndef DICTIONARY_FIXTURE_H
#define DICTIONARY_FIXTURE_H

#include "corpus/dictionary.h"

#include "support.h"

#include <string.h>

static struct arena arena, scratch;
static struct dictionary dictionary;
static struct error err;

static inline void set_up(void)
{
    arena = (struct arena){0};
    scratch = (struct arena){0};
    err = (struct error)ERROR_INIT;
    dictionary_init(&dictionary, &arena, &scratch);
}

static inline void tear_down(void)
{
    arena_release(&scratch);
    arena_release(&arena);
}

#endif
