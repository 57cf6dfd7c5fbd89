/* SPDX-License-Identifier: MIT */
/* The pool: threads that take batches of tasks off one list. Tasks are sorted so that runs with the
 * same random draw and input follow each other, which lets a worker's head reuse both; a run's
 * result depends on its own fields only, so order and batches cannot change it. */
#include "engine/engine_internal.h"

#include "attention/head.h"
#include "attention/position.h"
#include "base/random.h"
#include "numeric/orthogonal.h"
#include "run/fields.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH_LIMIT 32

struct pool {
    struct engine *engine;
    const struct engine_options *options;
    struct error *err;
    const struct engine_task **order; /* sorted for sharing */
    size_t count;
    pthread_mutex_t lock; /* guards what follows, and the sink */
    size_t next;
    bool ended;
};

struct worker {
    struct pool *pool;
    struct arena arena; /* buffers that grow to the largest run and stay */
    struct head *head;
    double *gaussian; /* X of the last gaussian run */
    size_t gaussian_capacity;
    uint64_t gaussian_id;
    const struct run *gaussian_run;
    double *scores, *weights;
    size_t kept_capacity;
    struct timespec started; /* the run in hand */
};

/* Whether the run in hand has taken longer than a run may. */
static bool is_expired(const void *context)
{
    const struct worker *worker = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double taken = (double)(now.tv_sec - worker->started.tv_sec) +
                   1e-9 * (double)(now.tv_nsec - worker->started.tv_nsec);
    return taken > worker->pool->options->run_timeout;
}

/* Whether two runs draw the same gaussian input. */
static bool same_gaussian(const struct run *a, const struct run *b)
{
    return a->seed == b->seed && a->tokens == b->tokens && a->d_model == b->d_model &&
           a->orthogonal == b->orthogonal &&
           (a->position == POSITION_SINUSOIDAL) == (b->position == POSITION_SINUSOIDAL) &&
           a->input_spread == b->input_spread;
}

/* X of a gaussian run, drawn anew where same_gaussian says so. */
static bool draw_gaussian(struct worker *worker, const struct run *run, struct error *err)
{
    if (worker->gaussian_run != NULL && same_gaussian(worker->gaussian_run, run)) {
        return true;
    }
    size_t tokens = (size_t)run->tokens;
    size_t d = (size_t)run->d_model;
    worker->gaussian_run = NULL;
    if (tokens * d > worker->gaussian_capacity) {
        worker->gaussian = arena_alloc(&worker->arena, tokens * d, sizeof(double), err);
        worker->gaussian_capacity = worker->gaussian == NULL ? 0 : tokens * d;
        if (worker->gaussian == NULL) {
            return false;
        }
    }
    random_normal_matrix((uint64_t)run->seed, RANDOM_INPUT, tokens, d, worker->gaussian);
    double factor = run->input_spread;
    if (run->orthogonal) {
        orthogonal_rows(tokens, d, worker->gaussian);
        factor *= sqrt((double)d);
    }
    for (size_t i = 0; i < tokens * d; i++) {
        worker->gaussian[i] *= factor;
    }
    if (run->position == POSITION_SINUSOIDAL) {
        position_add_sinusoidal(tokens, d, worker->gaussian);
    }
    worker->gaussian_run = run;
    worker->gaussian_id += 2;
    return true;
}

/* What the head reads for a task. Ids of shared inputs are even, those of gaussian ones odd. */
static bool head_input_of(struct worker *worker, const struct engine_task *task,
                          struct head_input *out, struct error *err)
{
    const struct input *input = engine_input(worker->pool->engine, task->run);
    bool has_head = task->run->source != SOURCE_SCORES;
    struct head_shape shape = {input->tokens, input->d_model,
                               has_head ? (size_t)task->run->d_k : 0};
    out->shape = shape;
    out->queries = input->queries;
    out->z_q = input->w_q.values;
    out->z_k = input->w_k.values;
    out->q = input->q.values;
    out->k = input->k.values;
    out->scores = input->scores;
    if (task->run->source == SOURCE_GAUSSIAN) {
        if (!draw_gaussian(worker, task->run, err)) {
            return false;
        }
        out->x = worker->gaussian;
        out->input_id = worker->gaussian_id | 1;
        return true;
    }
    if (input->failure != NULL) {
        return error_set(err, ERROR_INTERNAL, "%s", input->failure);
    }
    out->x = input->x;
    out->input_id = 2 * ((uint64_t)(input - worker->pool->engine->inputs) + 1);
    return true;
}

/* Room for the matrices that a task keeps. */
static bool reserve_kept(struct worker *worker, const struct engine_task *task, size_t numbers,
                         struct error *err)
{
    if (!(task->keep_scores || task->keep_weights) || numbers <= worker->kept_capacity) {
        return true;
    }
    worker->scores = arena_alloc(&worker->arena, numbers, sizeof(double), err);
    worker->weights = arena_alloc(&worker->arena, numbers, sizeof(double), err);
    worker->kept_capacity = worker->scores == NULL || worker->weights == NULL ? 0 : numbers;
    return worker->kept_capacity != 0;
}

static bool measure(struct worker *worker, const struct engine_task *task, struct result *result,
                    struct error *err)
{
    const struct engine_options *options = worker->pool->options;
    if (options->measure != NULL) {
        return options->measure(task->run, &result->measurement, err);
    }
    struct head_input input = {.x = NULL};
    double timeout = options->run_timeout;
    clock_gettime(CLOCK_MONOTONIC, &worker->started);
    if (!head_input_of(worker, task, &input, err) ||
        !head_reserve(worker->head, input.shape, input.queries, err) ||
        !reserve_kept(worker, task, input.queries * input.shape.tokens, err)) {
        return false;
    }
    double *scores = task->keep_scores ? worker->scores : NULL;
    double *weights = task->keep_weights ? worker->weights : NULL;
    if (timeout > 0) {
        input.expired = is_expired;
        input.context = worker;
    }
    head_measure(worker->head, &input, task->run, &result->measurement, scores, weights);
    if (timeout > 0 && is_expired(worker)) {
        return error_set(err, ERROR_RUNS_FAILED, "took longer than the %g s of --run-timeout",
                         timeout);
    }
    if (scores != NULL || weights != NULL) {
        const char *words = engine_input(worker->pool->engine, task->run)->words;
        result->kept = (struct kept){input.queries, input.shape.tokens, scores, weights, words};
    }
    return true;
}

/* A failed run's measures: NaN and 0, never a number that could be taken for a result. */
static void blank(struct measurement *measurement)
{
    for (int i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        const struct field *field = &measurement_fields[i];
        char *member = (char *)measurement + field->offset;
        if (field->kind == FIELD_REAL) {
            double undefined = (double)NAN;
            memcpy(member, &undefined, sizeof undefined);
        } else {
            memset(member, 0, sizeof(int64_t));
        }
    }
}

/* A run whose scores are not all finite has no means over its rows: that is a failure to be seen,
 * though what could be measured stays. */
static bool check_finite(const struct result *result, struct error *reason)
{
    const struct measurement *measurement = &result->measurement;
    if (measurement->nonfinite == 0) {
        return true;
    }
    return error_set(reason, ERROR_RUNS_FAILED, "%" PRId64 " of %" PRId64 " scores are not finite",
                     measurement->nonfinite, measurement->queries * measurement->tokens);
}

/* Does one task; the result's texts lie in `reason`, the inputs and the worker. */
static void do_task(struct worker *worker, const struct engine_task *task, struct result *result,
                    struct error *reason)
{
    const struct input *input = engine_input(worker->pool->engine, task->run);
    memset(result, 0, sizeof *result);
    result->index = task->index;
    result->key = task->key;
    result->run = *task->run;
    result->message = "";
    if (!measure(worker, task, result, reason)) {
        result->status = RESULT_FAILED;
        result->message = reason->message;
        result->kept = (struct kept){0, 0, NULL, NULL, NULL};
        blank(&result->measurement);
    } else if (!check_finite(result, reason)) {
        result->status = RESULT_FAILED;
        result->message = reason->message;
    }
    if (input->vocabulary != NULL) {
        const struct vocabulary *vocabulary = &input->vocabulary->vocabulary;
        result->measurement.corpus_sentences = (int64_t)vocabulary->sentences;
        result->measurement.corpus_words = (int64_t)vocabulary->tokens;
        result->measurement.vocabulary = (int64_t)vocabulary->count;
    }
}

/* Hands a result to the sink; the pool ends at the sink's word or at a failure under fail_fast. */
static void deliver(struct pool *pool, const struct result *result)
{
    pthread_mutex_lock(&pool->lock);
    if (!pool->ended) {
        bool taken = pool->options->sink(pool->options->context, result, pool->err);
        bool failed = result->status == RESULT_FAILED && pool->options->fail_fast;
        pool->ended = !taken || failed;
    }
    pthread_mutex_unlock(&pool->lock);
}

static const struct engine_task *task_at(const struct pool *pool, size_t place)
{
    return pool->order[place];
}

static bool same_draw(const struct run *a, const struct run *b)
{
    return a->seed == b->seed && a->d_model == b->d_model && a->d_k == b->d_k;
}

/* Takes the next batch: tasks of one random draw. Returns how many. */
static size_t take_batch(struct pool *pool, size_t *first)
{
    pthread_mutex_lock(&pool->lock);
    size_t count = 0;
    *first = pool->next;
    while (!pool->ended && pool->next < pool->count && count < BATCH_LIMIT &&
           same_draw(task_at(pool, *first)->run, task_at(pool, pool->next)->run)) {
        pool->next++;
        count++;
    }
    pthread_mutex_unlock(&pool->lock);
    return count;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct pool *pool = worker->pool;
    struct result result;
    size_t first;
    size_t count;
    while (!engine_stopped(pool->options) && (count = take_batch(pool, &first)) > 0) {
        for (size_t i = 0; i < count && !engine_stopped(pool->options); i++) {
            struct error reason = ERROR_INIT;
            do_task(worker, task_at(pool, first + i), &result, &reason);
            deliver(pool, &result);
        }
    }
    return NULL;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Draw first, then input, then the guard that changes it; the plan's order settles the rest. */
static int compare_tasks(const struct engine_task *a, const struct engine_task *b)
{
    const int64_t left[] = {a->run->seed, a->run->d_model, a->run->d_k};
    const int64_t right[] = {b->run->seed, b->run->d_model, b->run->d_k};
    int order = 0;
    for (size_t i = 0; order == 0 && i < sizeof left / sizeof left[0]; i++) {
        order = compare(left[i], right[i]);
    }
    const char *x = a->run->corpus_digest == NULL ? "" : a->run->corpus_digest;
    const char *y = b->run->corpus_digest == NULL ? "" : b->run->corpus_digest;
    order = order == 0 ? strcmp(x, y) : order;
    order = order == 0 ? compare(a->run->guard_norm, b->run->guard_norm) : order;
    return order == 0 ? compare(a->index, b->index) : order;
}

static int compare_places(const void *a, const void *b)
{
    const struct engine_task *const *left = a;
    const struct engine_task *const *right = b;
    return compare_tasks(*left, *right);
}

/* Starts the threads with signals blocked, so that only the caller's thread is interrupted. Returns
 * how many started. */
static size_t start_threads(struct worker *workers, pthread_t *threads, size_t count)
{
    sigset_t all;
    sigset_t before;
    size_t started = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (started < count &&
           pthread_create(&threads[started], NULL, work, &workers[started]) == 0) {
        started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static bool run_workers(struct pool *pool, struct worker *workers, pthread_t *threads, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        workers[i].pool = pool;
        workers[i].head = head_create(&workers[i].arena, pool->err);
        if (workers[i].head == NULL) {
            return false;
        }
    }
    size_t started = start_threads(workers, threads, count);
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    return started > 0 || error_set(pool->err, ERROR_INTERNAL, "cannot start a thread");
}

bool engine_pool_run(struct engine *engine, const struct engine_task *tasks, size_t count,
                     const struct engine_options *options, struct error *err)
{
    struct pool pool = {.engine = engine, .options = options, .err = err, .count = count};
    size_t thread_count = options->threads < count ? options->threads : count;
    pool.order = arena_alloc(engine->arena, count, sizeof(const struct engine_task *), err);
    struct worker *workers = arena_alloc(engine->arena, thread_count, sizeof *workers, err);
    pthread_t *threads = arena_alloc(engine->arena, thread_count, sizeof *threads, err);
    if (pool.order == NULL || workers == NULL || threads == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        pool.order[i] = &tasks[i];
    }
    qsort(pool.order, count, sizeof(const struct engine_task *), compare_places);
    pthread_mutex_init(&pool.lock, NULL);
    bool good = thread_count == 0 || run_workers(&pool, workers, threads, thread_count);
    pthread_mutex_destroy(&pool.lock);
    for (size_t i = 0; i < thread_count; i++) {
        arena_release(&workers[i].arena);
    }
    return good && err->code == ERROR_NONE;
}
