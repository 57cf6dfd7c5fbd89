/* SPDX-License-Identifier: MIT */
/* Small result sets for the tests of this room. */
#ifndef ROWS_H
#define ROWS_H

#include "run/fields.h"
#include "run/results.h"
#include "summary/summary.h"
#include "support.h"

#include <string.h>

enum { ROWS_LIMIT = 128 };

struct rows {
    struct result list[ROWS_LIMIT];
    size_t count;
    struct arena arena;
    struct summary summary;
};

/* Adds a row: a gaussian run with these guards, key dimension and seed, and this mean row-max. */
static inline struct result *rows_add(struct rows *rows, unsigned guards, int64_t d_k, int64_t seed,
                                      double row_max)
{
    struct result *row = &rows->list[rows->count];
    memset(row, 0, sizeof *row);
    row->index = (int64_t)rows->count++;
    row->message = "";
    row->run = run_default();
    row->run.source = SOURCE_GAUSSIAN;
    row->run.guard_init = (guards & 1U) != 0;
    row->run.guard_scale = (guards & 2U) != 0;
    row->run.guard_norm = (guards & 4U) != 0;
    row->run.d_k = d_k;
    row->run.seed = seed;
    row->measurement.row_max_mean = row_max;
    row->measurement.tokens = 8;
    return row;
}

static inline void rows_summarise(struct rows *rows)
{
    struct error err = ERROR_INIT;
    const struct result_set set = {.name = "rows",
                                   .title = "rows",
                                   .sweep_text = "",
                                   .planned = (int64_t)rows->count,
                                   .whole = rows->list,
                                   .count = rows->count};
    assert_ok(summary_make(&set, &rows->arena, &rows->summary, &err), err);
}

#endif
