/* SPDX-License-Identifier: MIT */
/* What tests of the engine share: arrays of small integers as .npy files, runs and their results.
 */
#ifndef ENGINE_FIXTURE_H
#define ENGINE_FIXTURE_H

#include "open_runs.h"
#include "run/fields.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

#define FIXTURE_RUNS 72
#define FIXTURE_SCORES 64

/* Made anew for each test. */
static struct arena arena;
static struct error err;
static struct result results[FIXTURE_RUNS];
static double kept_scores[FIXTURE_RUNS][FIXTURE_SCORES];

static inline void fixture_set_up(void)
{
    arena = (struct arena){NULL};
    err = (struct error)ERROR_INIT;
    memset(results, 0, sizeof results);
    memset(kept_scores, 0, sizeof kept_scores);
}

static inline void fixture_tear_down(void)
{
    arena_release(&arena);
}

/* Writes numbers of this shape (planes 0: two dimensions) as an .npy file and returns its path,
 * which lasts as long as the arena. NumPy's format, version 1.0. */
static inline const char *fixture_npy(const char *name, size_t planes, size_t rows, size_t columns,
                                      const double *values)
{
    char bytes[128 + FIXTURE_SCORES * sizeof(double)] = "\x93NUMPY\x01";
    char shape[64];
    size_t count = (planes == 0 ? 1 : planes) * rows * columns;
    ck_assert_uint_le(count, FIXTURE_SCORES);
    if (planes == 0) {
        snprintf(shape, sizeof shape, "(%zu, %zu)", rows, columns);
    } else {
        snprintf(shape, sizeof shape, "(%zu, %zu, %zu)", planes, rows, columns);
    }
    bytes[8] = 118; /* length of the header, which brings the numbers to byte 128 */
    int used =
        snprintf(bytes + 10, 118, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape);
    memset(bytes + 10 + used, ' ', 118 - (size_t)used - 1);
    bytes[127] = '\n';
    memcpy(bytes + 128, values, count * sizeof *values);
    const char *path = support_file(name, bytes, 128 + count * sizeof *values);
    const char *copy = arena_copy_text(&arena, path, &err);
    ck_assert(copy != NULL);
    return copy;
}

static inline bool fixture_keep(void *context, const struct result *batch, size_t batch_size,
                                struct error *error)
{
    (void)context;
    (void)error;
    for (size_t i = 0; i < batch_size; i++) {
        const struct result *result = &batch[i];
        results[result->index] = *result;
        size_t count = result->kept.queries * result->kept.tokens;
        if (result->kept.scores != NULL && count <= FIXTURE_SCORES) {
            memcpy(kept_scores[result->index], result->kept.scores, count * sizeof(double));
        }
    }
    return true;
}

static inline bool fixture_run(struct run *runs, size_t count, size_t threads)
{
    struct engine *engine = open_runs(runs, count, ".", &arena, &err);
    struct engine_task tasks[FIXTURE_RUNS];
    if (engine == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        tasks[i] = (struct engine_task){.run = i, .key = run_key(&runs[i]), .keep_scores = true};
    }
    struct engine_options options = {.threads = threads, .sink = fixture_keep};
    return engine_run(engine, tasks, count, &options, &err);
}

/* The same with the engine's refusal wanted. */
static inline void fixture_refuse(struct run run, const char *message)
{
    err = (struct error)ERROR_INIT;
    ck_assert_msg(open_runs(&run, 1, ".", &arena, &err) == NULL, "accepted, wanted: %s", message);
    assert_error(err, ERROR_INPUT, message);
    ck_assert_ptr_null(strchr(err.message, '\n'));
    err = (struct error)ERROR_INIT;
}

static inline void fixture_set(struct run *run, enum run_field field, const char *value)
{
    const char *why = "";
    ck_assert_msg(run_set(run, field, value, &arena, &why), "%s: %s", run_fields[field].name, why);
}

#endif
