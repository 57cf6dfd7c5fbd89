/* SPDX-License-Identifier: MIT */
/* How long runs take, how much memory and how many bytes: formulas of what is done to how many
 * numbers, with rates measured on one machine (bench/estimate.py) and the ratio of this machine's
 * speed to that one's. */
#ifndef ENGINE_ESTIMATE_H
#define ENGINE_ESTIMATE_H

#include "engine/engine.h"

/* Runs that take longer than this on the reference machine are done by all threads together. */
#define ESTIMATE_LARGE 0.25

/* Seconds of one processor of the reference machine. */
struct estimate_run {
    double own;        /* beside the two below */
    double draw;       /* W_Q and W_K: once for runs of one seed, d_model and d_k */
    double projection; /* once for runs of one draw and one guarded input */
};

/* A run whose input has `tokens` keys and `queries` queries. */
struct estimate_run estimate_run(const struct run *run, size_t tokens, size_t queries);

/* What the run at a place of the plan takes, and the two costly things that it shares with other
 * runs: its draw and the word vectors that it reads. Runs of one number share; 0 is nothing to
 * share. */
struct estimate_price {
    struct estimate_run run;
    double row; /* saving it */
    double learning;
    uint64_t draw, vectors;
};
struct estimate_price estimate_price(const struct engine *engine, size_t run);

/* Seconds of the reference machine that each of `count` tasks takes, at the place of its run in
 * `costs`; what several tasks share, draws and projections, is divided among them. */
bool engine_costs(const struct engine *engine, const struct engine_task *tasks, size_t count,
                  float *costs, struct error *err) MUST_CHECK;

/* Bytes of a worker's buffers for such a run. */
double estimate_buffers(const struct run *run, size_t tokens, size_t queries);

/* Bytes that each further thread has of its own in a run of all threads together. */
double estimate_hand(const struct run *run, size_t tokens);

struct engine_estimate {
    double start;    /* seconds: the program, reading inputs, a file of no rows */
    double learning; /* of word vectors, each once, by one thread */
    double draws, runs;
    double large;            /* of these two, runs of all threads together */
    double rows;             /* saving, by one thread */
    double learned, buffers; /* bytes while learning, and of a worker */
    double together, hands;  /* bytes of a run of all threads, and of each further thread in it */
    double memory;           /* bytes of the whole process at its peak */
    double file;             /* bytes of the results */
};

/* What doing `count` runs of the engine on `threads` threads takes, in a sweep of `planned` runs
 * whose kept matrices have `kept` bytes. `runs` are their places in the plan; NULL is its first.
 * Seconds are of the reference machine. */
bool engine_estimate(const struct engine *engine, const uint32_t *runs, size_t count,
                     size_t planned, double kept, size_t threads, struct engine_estimate *out,
                     struct error *err) MUST_CHECK;

/* Seconds of wall clock on that many threads of this machine. */
double estimate_seconds(const struct engine_estimate *estimate, size_t count, size_t threads,
                        double speed);

/* The speed of this machine now, 1 for the reference: random numbers, exponentials and a product
 * are timed, the quickest of several rounds, for that many seconds but no longer than is of use. */
#define ESTIMATE_SPEED_SECONDS 0.002
double estimate_speed(double limit);

#endif
