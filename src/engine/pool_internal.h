/* SPDX-License-Identifier: MIT */
/* What the files of the pool share: the pool, its workers, and the ways between them. */
#ifndef ENGINE_POOL_INTERNAL_H
#define ENGINE_POOL_INTERNAL_H

#include "engine/engine_internal.h"

#include "attention/head.h"
#include "base/crew.h"
#include "engine/estimate.h"
#include "engine/positions.h"

#include <pthread.h>
#include <time.h>

/* Of the reference machine of estimate.h. */
#define SMALL_SECONDS 1e-3

struct pool {
    struct engine *engine;
    const struct engine_options *options;
    struct error *err;
    const struct engine_task *tasks;
    const uint32_t *order; /* places in tasks, sorted for sharing */
    struct positions *positions;
    float *seconds; /* that each is expected to take, once it is taken */
    size_t count;
    pthread_mutex_t lock; /* guards what follows, and the sink */
    size_t next;
    bool ended;
};

/* Normal numbers that gaussian inputs of one seed are corners of. */
struct kept_normals {
    double *values; /* (tokens, d); room for ENGINE_NORMALS_KEPT */
    int64_t seed;
    size_t tokens, d; /* 0: none yet */
};

/* Room for a matrix that runs keep. */
struct kept_matrix {
    double *values;
    size_t capacity;
};

struct worker {
    struct pool *pool;
    struct arena arena; /* buffers that grow to the largest run and stay */
    struct head *head;
    struct crew *crew; /* who helps with a run; NULL: nobody */
    bool abandoned;    /* the run in hand was not finished, as the sweep is stopped */
    double *gaussian;  /* X of the last gaussian run */
    size_t gaussian_capacity;
    struct kept_normals normals;
    bool has_gaussian;
    uint64_t gaussian_id;
    struct run gaussian_run; /* that it was drawn for */
    bool gaussian_spent;     /* it is that run's X after its guard */
    struct run run;          /* the one in hand */
    struct kept_matrix scores, weights;
    struct timespec started; /* the run in hand */
    struct result *finished; /* not yet handed to the sink, and their messages */
    size_t finished_count;
    struct arena messages;
    struct timespec first_started; /* the first of them */
    double handed;                 /* when the last ones were, CLOCK_MONOTONIC */
    size_t place;                  /* of the task in hand */
    double told;                   /* how much of that was counted */
    double rows;                   /* and of its rows, once anything was */
    size_t next;                   /* the place behind the last task done */
    struct engine_work work, here; /* in those finished; and had this worker done all before */
    struct error reason;           /* why the run in hand failed */
};

double pool_seconds_since(struct timespec start);

/* order.c: the tasks in the order of their sharing, written to `order`. */
bool pool_sort(struct pool *pool, uint32_t *order, struct error *err) MUST_CHECK;

const struct engine_task *pool_task(const struct pool *pool, size_t place);

/* Whether the task behind this one has the same queries and keys before their guards. */
bool pool_shares_products(const struct pool *pool, size_t place);

/* What a task is expected to take, and what of it a worker has that did the one before. */
struct pool_cost {
    struct estimate_run parts;
    bool drawn, projected;
    bool guarded;    /* its input behind its guard */
    bool everywhere; /* which any worker has by then, whatever it did */
    bool large;      /* done by all threads together */
};
struct pool_cost pool_task_cost(const struct pool *pool, size_t place);

/* costs.c: the whole of it, for that worker or `anew`, in seconds and by kind; and its rows alone,
 * which come last. */
double pool_cost_seconds(const struct pool_cost *cost, bool anew);
struct engine_work pool_cost_work(const struct pool_cost *cost, bool anew);
struct engine_work pool_cost_rows(const struct pool_cost *cost);

/* That of the first `count` tasks, done one after the other. */
struct engine_work pool_work(const struct pool *pool, size_t count);

void pool_work_add(struct engine_work *sum, const struct engine_work *work, double factor);

/* Takes the next tasks: those of one random draw, and of the next ones while all are small. Returns
 * how many. */
size_t pool_take_batch(struct pool *pool, size_t *first);

/* large.c: moves runs that take long behind all others, who keep their order; returns how many of
 * the others there are. With one thread, or nothing to compute, none is large. */
size_t pool_split(const struct pool *pool, uint32_t *order, struct error *err) MUST_CHECK;

/* A worker has done so much of the task in hand; for struct head_input. */
void pool_advance(void *context, double share);

/* Names the gaussian X at hand, see struct head_input: such ids are odd, those of shared inputs
 * even.
 */
static inline uint64_t worker_gaussian_input(const struct worker *worker)
{
    return worker->gaussian_id | 1;
}

/* gaussian.c: makes worker->gaussian the X of a gaussian run, unless that is at hand, or all that
 * the head asks of it is known. */
bool worker_draw_gaussian(struct worker *worker, const struct run *run,
                          struct error *err) MUST_CHECK;

/* task.c: does one task; the result's texts lie in the inputs and the worker. */
void worker_do(struct worker *worker, const struct engine_task *task, struct result *result);

#endif
