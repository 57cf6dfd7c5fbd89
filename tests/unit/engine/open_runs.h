/* SPDX-License-Identifier: MIT */
/* The engine opened for an array of runs, which get what their inputs bring. */
#ifndef OPEN_RUNS_H
#define OPEN_RUNS_H

#include "engine/engine.h"

static inline struct engine *open_runs(struct run *runs, size_t count, const char *folder,
                                       struct arena *of, struct error *trouble)
{
    struct run_list *list = arena_alloc(of, 1, sizeof *list, trouble);
    bool good = list != NULL;
    if (good) {
        run_list_init(list, of);
    }
    for (size_t i = 0; good && i < count; i++) {
        good = run_list_append(list, &runs[i], trouble);
    }
    struct engine *engine = good ? engine_open(list, folder, of, trouble) : NULL;
    for (size_t i = 0; engine != NULL && i < count; i++) {
        run_list_get(list, i, &runs[i]);
    }
    return engine;
}

#endif
