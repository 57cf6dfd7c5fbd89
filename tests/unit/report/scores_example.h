/* SPDX-License-Identifier: MIT */
/* Runs of given scores that kept them. */
#ifndef SCORES_EXAMPLE_H
#define SCORES_EXAMPLE_H

#include "sections_example.h"

/* A run of `queries` rows of `tokens` scores with the defaults of that source. */
static inline struct result scores_example_result(size_t queries, size_t tokens,
                                                  const double *scores)
{
    struct result result;
    memset(&result, 0, sizeof result);
    result.message = "";
    result.run = run_default();
    result.run.source = SOURCE_SCORES;
    result.run.seed = 1;
    result.measurement.queries = (int64_t)queries;
    result.measurement.tokens = (int64_t)tokens;
    result.kept = (struct kept){queries, tokens, scores, NULL, NULL};
    return result;
}

static inline struct result_set scores_example_set(const struct result *rows, size_t count)
{
    return (struct result_set){.name = "scores",
                               .title = "scores",
                               .sweep_text = "",
                               .planned = (int64_t)count,
                               .whole = rows,
                               .count = count};
}

#endif
