/* SPDX-License-Identifier: MIT */
/* Finished runs, as engine, store, summary and report pass them on. Plain data; the texts and
 * arrays belong to the arena of whoever made the set. One result is a struct of its own; a set of
 * many lies in a table, and the functions below hand out its rows. */
#ifndef RUN_RESULTS_H
#define RUN_RESULTS_H

#include "base/arena.h"
#include "run/measurement.h"
#include "run/run.h"

#include <stddef.h>

struct result_table; /* run/result_table.h */
struct run_list;     /* run/run_list.h */

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
    uint64_t lacking;    /* bit m: measure m was not stored for this run */
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

/* Where row r of a set is found: row `row` of its table, which is run `index` of its plan. */
struct result_place {
    uint32_t row;
    int32_t index; /* -1 for a run that the plan no longer holds */
};

/* Matrices that are wanted of a run. */
enum { RESULT_SCORES = 1, RESULT_WEIGHTS = 2 };

/* Rows are by index, those outside the plan last. Few rows can be `whole`; else they are those of
 * `table`. Then `places`, where there are any, say which and in what order, and `plan` what the
 * runs are called now and `wanted` which matrices are kept of them. */
struct result_set {
    const char *name; /* the sweep's */
    const char *title;
    const char *sweep_text; /* the file as it was read, or with what it includes as one */
    int64_t planned;        /* runs in the sweep's plan; more than the rows when interrupted */
    const struct provenance *provenance;
    size_t provenance_count;
    size_t count;
    const struct result *whole; /* NULL where there is a table */
    const struct result_table *table;
    const struct result_place *places; /* NULL: the rows of the table in its order */
    const struct run_list *plan;       /* by index; NULL: as the table has them */
    const unsigned char *wanted;       /* by index, RESULT_...; NULL: all */
    uint64_t lacking; /* bit m: measure m is NaN, or 0, in every row: the sweep does not ask for it,
                         or the file is of a version that knows it not */
};

/* What the provenance says under a name, or NULL. */
const char *result_fact(const struct result_set *set, const char *name);

/* Row `row`, written to `space` unless it lies whole in memory. */
const struct result *result_row(const struct result_set *set, size_t row, struct result *space);

/* The same in the arena, to be kept; NULL when memory is short. */
const struct result *result_hold(const struct result_set *set, size_t row, struct arena *arena,
                                 struct error *err) MUST_CHECK;
const struct run *result_hold_run(const struct result_set *set, size_t row, struct arena *arena,
                                  struct error *err) MUST_CHECK;

/* Parts of a row. */
int64_t result_index(const struct result_set *set, size_t row);
uint64_t result_key(const struct result_set *set, size_t row);
int result_status(const struct result_set *set, size_t row);
const char *result_message(const struct result_set *set, size_t row); /* "" for none */
struct kept result_kept(const struct result_set *set, size_t row);
uint64_t result_lacking(const struct result_set *set, size_t row); /* those of the set included */
void result_run(const struct result_set *set, size_t row, struct run *out);

/* The member of a row's struct run or struct measurement; `column` is an enum run_field or one of
 * run_list.h. */
const void *result_run_member(const struct result_set *set, size_t row, size_t column);
const void *result_measure_member(const struct result_set *set, size_t row, size_t measure);
double result_number(const struct result_set *set, size_t row, size_t measure);

/* The seeds of the rows in the plan, rising and each once; NULL when memory is short. */
int64_t *result_seeds(const struct result_set *set, struct arena *arena, size_t *count,
                      struct error *err) MUST_CHECK;

/* The member that all rows have in a column of their runs; NULL when they differ, or may. */
const void *result_shared_member(const struct result_set *set, size_t column);

#endif
