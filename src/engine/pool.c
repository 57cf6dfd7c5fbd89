/* SPDX-License-Identifier: MIT */
/* The pool: threads that take batches of tasks off one list and hand over what is finished. */
#include "engine/pool_internal.h"

#include <signal.h>

/* Finished runs wait for each other so long, or until so many are there. */
#define DELIVERY_SECONDS 4e-3
#define DELIVERY_LIMIT 64

double pool_seconds_since(struct timespec start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec);
}

/* Hands the finished runs to the sink; the pool ends at the sink's word or at a failure under
 * fail_fast. */
static void deliver(struct worker *worker)
{
    struct pool *pool = worker->pool;
    const struct engine_options *options = pool->options;
    if (worker->finished_count == 0) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    if (options->pace != NULL) {
        options->pace->busy += pool_seconds_since(worker->handed);
        clock_gettime(CLOCK_MONOTONIC, &worker->handed);
    }
    if (!pool->ended) {
        const struct result *last = &worker->finished[worker->finished_count - 1];
        bool taken =
            options->sink(options->context, worker->finished, worker->finished_count, pool->err);
        pool->ended = !taken || (last->status == RESULT_FAILED && options->fail_fast);
    }
    pthread_mutex_unlock(&pool->lock);
    worker->finished_count = 0;
    arena_reset(&worker->messages);
}

/* Does a task and hands it over, alone or with others. What is finished never waits for a run that
 * takes long, and neither matrices nor a failure that ends the sweep wait for anything. */
static void finish(struct worker *worker, size_t place)
{
    const struct engine_options *options = worker->pool->options;
    if (worker->finished_count > 0 && pool_task_seconds(worker->pool, place) > SMALL_SECONDS) {
        deliver(worker);
    }
    struct result *result = &worker->finished[worker->finished_count];
    if (worker->finished_count++ == 0) {
        clock_gettime(CLOCK_MONOTONIC, &worker->first_started);
    }
    worker_do(worker, pool_task(worker->pool, place), result);
    if (worker->finished_count == DELIVERY_LIMIT || result->kept.tokens > 0 ||
        (result->status == RESULT_FAILED && options->fail_fast) ||
        pool_seconds_since(worker->first_started) > DELIVERY_SECONDS) {
        deliver(worker);
    }
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct pool *pool = worker->pool;
    size_t first;
    size_t count;
    clock_gettime(CLOCK_MONOTONIC, &worker->handed);
    while (!engine_stopped(pool->options) && (count = pool_take_batch(pool, &first)) > 0) {
        for (size_t i = 0; i < count && !engine_stopped(pool->options); i++) {
            finish(worker, first + i);
        }
    }
    deliver(worker);
    return NULL;
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
        workers[i].finished =
            arena_alloc(&workers[i].arena, DELIVERY_LIMIT, sizeof(struct result), pool->err);
        if (workers[i].head == NULL || workers[i].finished == NULL) {
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
    struct pool pool = {
        .engine = engine, .options = options, .err = err, .tasks = tasks, .count = count};
    size_t thread_count = options->threads < count ? options->threads : count;
    uint32_t *order = arena_alloc(engine->arena, count, sizeof *order, err);
    struct worker *workers = arena_alloc(engine->arena, thread_count, sizeof *workers, err);
    pthread_t *threads = arena_alloc(engine->arena, thread_count, sizeof *threads, err);
    if (order == NULL || workers == NULL || threads == NULL || !pool_sort(&pool, order, err)) {
        return false;
    }
    pthread_mutex_init(&pool.lock, NULL);
    if (options->pace != NULL) {
        *options->pace = (struct engine_pace){
            .started = pool_seconds_since((struct timespec){0, 0}), .threads = thread_count};
    }
    bool good = thread_count == 0 || run_workers(&pool, workers, threads, thread_count);
    pthread_mutex_destroy(&pool.lock);
    for (size_t i = 0; i < thread_count; i++) {
        arena_release(&workers[i].messages);
        arena_release(&workers[i].arena);
    }
    return good && err->code == ERROR_NONE;
}
