/* SPDX-License-Identifier: MIT */
/* Finished runs, as engine, store, summary and report pass them on. Plain data; the texts and
 * arrays belong to the arena of whoever made the set. */
#ifndef RUN_RESULTS_H
#define RUN_RESULTS_H

#include "run/measurement.h"
#include "run/run.h"

#include <stddef.h>

enum result_status { RESULT_OK, RESULT_FAILED };

/* The matrices of a run that the sweep asked to keep; a NULL pointer is one not kept. */
struct kept {
    size_t queries, tokens;
    const double *scores;  /* (queries, tokens), after the score guard; NaN where masked */
    const double *weights; /* (queries, tokens); 0 where masked */
    const char *words;     /* the tokens joined by one space; NULL without a corpus */
};

struct result {
    int64_t index;       /* place in the sweep's plan; -1 for a run that the plan no longer holds */
    uint64_t key;        /* run_key */
    int status;          /* enum result_status; what a failed run could not measure is NaN or 0 */
    const char *message; /* "" when ok, else one line */
    struct run run;
    struct measurement measurement;
    struct kept kept;
};

/* Rows of a run's kept matrices, once its measurement and kept.tokens are read. Files of versions
 * that knew square matrices only have no `queries`. */
static inline size_t result_kept_queries(const struct result *result)
{
    int64_t queries = result->measurement.queries;
    return queries > 0 && result->kept.tokens > 0 ? (size_t)queries : result->kept.tokens;
}

/* One fact about how the results came to be, e.g. {"rowmax_version", "0.1.0"}. No dates, no host
 * names: the same sweep gives the same bytes. */
struct provenance {
    const char *name;
    const char *value;
};

struct result_set {
    const char *name; /* the sweep's */
    const char *title;
    const char *sweep_text; /* the whole file as it was read */
    int64_t planned;        /* runs in the sweep's plan; more than the rows when interrupted */
    const struct provenance *provenance;
    size_t provenance_count;
    const struct result *rows; /* by index, rows outside the plan last */
    size_t count;
    uint64_t lacking; /* bit m: measure m is unknown to the file, which is of another version */
};

#endif
