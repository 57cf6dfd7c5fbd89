/* SPDX-License-Identifier: MIT */
/* One attention head: input X to measures. n tokens, d = d_model; X (n, d), Z_Q and Z_K (d, d_k)
 * unit draws, all row-major. The init guard (W = Z / sqrt(d)) and the score guard (1 / sqrt(d_k))
 * are scalar factors: Q0 = X Z_Q, K0 = X Z_K are computed once for all of them, the same way
 * always, so that sharing between runs cannot change a bit.
 * Formulas and their sources: docs/method.md. */
#ifndef ATTENTION_HEAD_H
#define ATTENTION_HEAD_H

#include "base/arena.h"
#include "base/crew.h"
#include "run/measurement.h"
#include "run/results.h"
#include "run/run.h"

/* So many rows are one part, which one hand does. Of more, each block is a part of its own, whose
 * sums are added in the order of the rows whoever makes them. */
#define HEAD_ROWS_OF_ONE ((size_t)1024)

/* The sizes of one head. */
struct head_shape {
    size_t tokens, d_model, d_k;
};

/* Buffers for heads up to a size, and what the last run left in them. One per worker; opaque
 * members are the head's own. */
struct head;

/* Products of n queries and n keys where they stay for the runs that only scale them, 2 MB of them
 * at most, as much as a second cache holds; else 0. */
size_t head_products_size(size_t n);

/* A head whose buffers live in `arena`; NULL with `err` set when memory is short. */
struct head *head_create(struct arena *arena, struct error *err) MUST_CHECK;

/* Prepares a head that has no room yet for crews of up to `workers`; false with `err` set when
 * memory is short. */
bool head_employ(struct head *head, size_t workers, struct error *err) MUST_CHECK;

/* Makes room for a shape and a number of queries (grows only); after it head_measure cannot fail.
 */
bool head_reserve(struct head *head, struct head_shape shape, size_t queries,
                  struct error *err) MUST_CHECK;

/* Room beside that for runs of upstream drawn. */
bool head_reserve_upstream(struct head *head, struct head_shape shape,
                           struct error *err) MUST_CHECK;

/* Room beside that for runs with a query/key norm or rotation and upstream expected, which
 * otherwise take some forty times as long. */
bool head_reserve_outer(struct head *head, struct head_shape shape, struct error *err) MUST_CHECK;

/* The same as head_reserve for runs of draw collapsed, in memory that d_model enters once a token
 * and d_k not at all.
 */
bool head_reserve_collapsed(struct head *head, struct head_shape shape,
                            struct error *err) MUST_CHECK;

/* Where the scores of a head come from; exactly one of x, q (with k) and scores is given, and stays
 * valid and unchanged while it is the head's input. `input_id` names the content of x: two calls
 * with equal non-zero ids and one d_model promise equal rows, as far as both have them, and let the
 * head reuse what it computed. */
struct head_input {
    struct head_shape shape;
    const double *x; /* (n, d): the input before its guard */
    double *spare_x; /* x once more where a guard may overwrite it, which saves a copy; then x is no
                        input for any other guard, nor for fewer tokens. NULL otherwise */
    uint64_t input_id;
    const double *z_q, *z_k; /* (d, d_k) given unit draws, or NULL: drawn from Philox by run.seed */
    const double *q, *k;     /* (queries, d_k) and (n, d_k) instead of x */
    const double *scores;    /* (queries, n) instead of both; -infinity is a masked key */
    bool (*expired)(const void *context); /* asked before each row, by any worker; true ends the
                                             rows there, and the measures mean nothing. NULL: never
                                           */
    /* Told by the caller's thread, between rows, how much of them is done; NULL: nobody. */
    void (*advance)(void *context, double share);
    void *context;     /* for both */
    struct crew *crew; /* who does the parts of a run, as many as head_employ was told at
                                most; NULL: the caller alone. No result depends on it */
    size_t queries;    /* with q or scores; with x there are as many queries as tokens */
    bool again;        /* another run of this input and draw follows, which takes less then */
    bool no_gradients; /* leaves the gradients at W_Q and W_K NaN, which saves their products */
    bool no_ratios;    /* leaves the ratios of these NaN where they cost as much as the gradients */
    bool no_columns;   /* leaves max_column_mean NaN, which may save the weights of long rows */
};

/* Whether the head remembers, of that input, what such a run needs to know of x before its guard,
 * and x behind it: then head_measure does not read x, which a guard may have overwritten. Growing
 * buffers forget. */
bool head_remembers(const struct head *head, uint64_t input_id, struct head_shape shape,
                    const struct run *run);

/* Runs the head for one point, as `run` says: input guard, projections, query/key guard, rotation,
 * scores, their guard and cap, mask, rounding, weights, measures. Fills all measures but the corpus
 * ones; those that need an input or projections that are not there are NaN. A run of draw collapsed
 * has x, upstream expected, no z_q and z_k, no qk_norm and no rope. `scores` (NaN where
 * masked, -infinity where that was given) and `weights` (0 where masked), both (queries, n),
 * receive the matrices where not NULL. With qk_norm or rope, the gradient at W_K costs n^3 d_k
 * operations, or n^2 d d_k where head_reserve_outer made no room, unless upstream is drawn. */
void head_measure(struct head *head, const struct head_input *input, const struct run *run,
                  struct measurement *measurement, double *scores, double *weights);

#endif
