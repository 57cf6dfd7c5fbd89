/* SPDX-License-Identifier: MIT */
/* Private to sweep/: every fault of a sweep with its place, collected and reported at once. */
#ifndef SWEEP_PROBLEMS_H
#define SWEEP_PROBLEMS_H

#include "base/arena.h"

/* Where a node was written. */
struct place {
    size_t origin; /* 0 is a file, n the n-th --set */
    size_t line;   /* both from 1 */
    size_t column; /* in code points */
    size_t file;   /* 0 is the sweep, n the n-th file that it includes */
};

/* A file that a sweep includes. */
struct problem_file {
    const char *path;   /* as messages show it */
    struct place place; /* where it is included */
};

struct problem;

/* `path`, `files` and `sets` name the origins. Running out of memory is recorded in `err` at once
 * and is the only thing found there before problems_finish. */
struct problems {
    struct arena *arena;
    const char *path;
    const char *const *sets;
    struct error *err;
    const char *empty; /* what is said of a file without anything in it; NULL: of a sweep */
    const struct problem_file *files; /* by number; NULL when nothing is included */
    size_t file;                      /* the one that is being read */
    size_t nodes;                     /* of all files */
    struct problem *list;
    size_t stored, capacity;
    size_t count; /* found; beyond a thousand they are only counted */
};

void problems_add(struct problems *problems, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether another problem would still be kept, so that a costly suggestion is worth making. */
bool problems_open(const struct problems *problems);

/* The text as a message may show it: printable, cut with "..." beyond some sixty bytes. */
const char *problems_shown(struct problems *problems, const char *text);

/* The path of a file by its number. */
const char *problems_path(const struct problems *problems, size_t file);

/* True when nothing was found and memory sufficed; else false with `err` holding one line for each
 * of the first problems by position. A problem in a --set makes it ERROR_USAGE. */
bool problems_finish(struct problems *problems) MUST_CHECK;

#endif
