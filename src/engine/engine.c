/* SPDX-License-Identifier: MIT */
/* The engine's order of work; see engine.h. */
#include "engine/engine.h"

#include "engine/engine_internal.h"
#include "numeric/lapack.h"

bool engine_run(struct engine *engine, const struct engine_task *tasks, size_t count,
                const struct engine_options *options, struct error *err)
{
    bool *needed = arena_alloc(engine->arena, engine->input_count, sizeof *needed, err);
    if (needed == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        needed[engine_input(engine, tasks[i].run) - engine->inputs] = true;
    }
    lapack_use_one_thread();
    bool good = options->measure != NULL || engine_learn(engine, needed, options, err);
    good = good && engine_pool_run(engine, tasks, count, options, err);
    return good && (!engine_stopped(options) || error_set(err, ERROR_INTERRUPTED, "interrupted"));
}
