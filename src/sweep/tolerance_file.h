/* SPDX-License-Identifier: MIT */
/* A tolerance file: YAML text to the rules of run/tolerance.h.
 *
 *   row_max_mean: {atol: 1e-6, rtol: 1e-4}     # a measure; a part that is left out keeps its
 * default gradient_wq:                               # a list: the last rule whose `where` a run
 * meets
 *     - {rtol: 1e-6}
 *     - {rtol: 1e-2, where: {precision: [fp16, bf16]}}
 *   default: {rtol: 1e-9}                      # the measures that have no rule of their own
 */
#ifndef SWEEP_TOLERANCE_FILE_H
#define SWEEP_TOLERANCE_FILE_H

#include "base/arena.h"
#include "run/tolerance.h"

/* Every fault is reported at once, one line each, as file:line:column: ... (ERROR_INPUT). */
bool tolerance_read(const char *path, struct arena *arena, struct tolerance_set *out,
                    struct error *err) MUST_CHECK;

/* The same for text in memory; `path` stands for the file in messages. */
bool tolerance_parse(const char *path, const char *text, size_t size, struct arena *arena,
                     struct tolerance_set *out, struct error *err) MUST_CHECK;

#endif
