/* SPDX-License-Identifier: MIT */
/* How long runs take, how much memory and how many bytes: formulas of what is done to how many
 * numbers, with rates measured on one machine (bench/estimate.py) and the ratio of this machine's
 * speed to that one's. */
#ifndef ENGINE_ESTIMATE_H
#define ENGINE_ESTIMATE_H

#include "engine/engine.h"

/* Runs in which that takes longer, on the reference machine, what all threads can do together are
 * done so: X and its projections, and rows of scores beyond HEAD_ROWS_OF_ONE. */
#define ESTIMATE_LARGE 0.25

/* Seconds of one processor of the reference machine. */
struct estimate_run {
    double own;        /* beside the three below */
    double draw;       /* W_Q and W_K: once for runs of one seed, d_model and d_k */
    double projection; /* once for runs of one draw and one guarded input */
    double input;      /* once while runs have one guarded input, whatever their draws */
    /* Parts of these: products and other gradients of the first, products of the projection, whose
     * rest draws the input, and products of the last. */
    double products, slopes, projected, compared;
};

/* A run whose input has `tokens` keys and `queries` queries, without the measures of the bits of
 * `lacking`, see engine_task. */
struct estimate_run estimate_run_without(const struct run *run, size_t tokens, size_t queries,
                                         uint64_t lacking);

/* Whether all threads do such a run together, where runs that take `least` seconds are large. */
bool estimate_is_large(const struct estimate_run *cost, size_t queries, double least);

/* What a run takes whatever its sizes, of `own`; and beside it a run's record in the journal. */
#define ESTIMATE_A_RUN 1.8e-6
#define ESTIMATE_A_RECORD 9e-7
/* A byte of a worker's buffers at its first use. */
#define ESTIMATE_A_FRESH_BYTE 2.5e-10
/* What waiting for each other adds where all threads do a run together. */
#define ESTIMATE_WAITING 0.1

/* What the run at a place of the plan takes, and the two costly things that it shares with other
 * runs: its draw and the word vectors that it reads. Runs of one number share; 0 is nothing to
 * share. */
struct estimate_price {
    struct estimate_run run;
    double row; /* saving it */
    double learning;
    uint64_t draw, vectors;
};
struct estimate_price estimate_price(const struct engine *engine, size_t run, uint64_t lacking);

/* Bytes of a worker's buffers for such a run. */
double estimate_buffers(const struct run *run, size_t tokens, size_t queries);

/* Bytes that each further thread has of its own in a run of all threads together. */
double estimate_hand(const struct run *run, size_t tokens);

struct engine_estimate {
    double start;    /* seconds: the program, reading inputs, a file of no rows */
    double learning; /* of word vectors, each once, by one thread */
    double draws, runs;
    double fresh;            /* of both, by all threads: memory at its first use */
    double large;            /* of draws and runs, those of all threads together */
    double rows;             /* saving, by one thread */
    double learned, buffers; /* bytes while learning, and of a worker */
    double together, hands;  /* bytes of a run of all threads, and of each further thread in it */
    double memory;           /* bytes of the whole process at its peak */
    double file;             /* bytes of the results */
};

/* Runs to do, in a sweep of `planned` ones whose kept matrices have `kept` bytes. */
struct estimate_sweep {
    const uint32_t *runs; /* their places in the plan */
    size_t count, planned;
    double kept;
    uint64_t lacking; /* see engine_task */
    size_t threads;
};

/* What that takes, in seconds of the reference machine. */
bool engine_estimate(const struct engine *engine, const struct estimate_sweep *sweep,
                     struct engine_estimate *out, struct error *err) MUST_CHECK;

/* Seconds of wall clock on that many threads of this machine. */
double estimate_seconds(const struct engine_estimate *estimate, size_t count, size_t threads,
                        double speed);

/* The speed of this machine now, 1 for the reference: random numbers, exponentials and a product
 * are timed, the quickest of several rounds, for that many seconds but no longer than is of use. */
#define ESTIMATE_SPEED_SECONDS 0.002
double estimate_speed(double limit);

#endif
