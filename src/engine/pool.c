/* SPDX-License-Identifier: MIT */
/* The pool: threads that take batches of tasks off one list and hand over what is finished. */
#include "engine/pool_internal.h"

#include "engine/crew.h"

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

/* What was done since the last time this worker handed something over, and how long it took. */
static void tell_pace(struct worker *worker, struct engine_pace *pace)
{
    double threads = worker->crew == NULL ? 1 : (double)worker->crew->hands;
    double now = pool_seconds_since((struct timespec){0});
    pace->last_seconds = threads * (now - worker->handed);
    worker->handed = now;
    pace->busy += pace->last_seconds;
    pace->last = worker->work;
    pool_work_add(&pace->left, &worker->here, -1);
    worker->work = worker->here = (struct engine_work){{0}};
}

/* A worker begins: what has passed since the start it did not spend on a run. */
static void begin(struct worker *worker)
{
    struct engine_pace *pace = worker->pool->options->pace;
    worker->handed = pool_seconds_since((struct timespec){0});
    if (pace != NULL) {
        pthread_mutex_lock(&worker->pool->lock);
        pace->busy += worker->handed - pace->started;
        pthread_mutex_unlock(&worker->pool->lock);
    }
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
        tell_pace(worker, options->pace);
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

/* What was in a task up to this share of its rows. */
static struct engine_work work_until(const struct pool_cost *cost, bool anew, double rows)
{
    struct engine_work work = pool_cost_work(cost, anew);
    const struct engine_work all_rows = pool_cost_rows(cost);
    pool_work_add(&work, &all_rows, rows - 1);
    return work;
}

/* The task in hand is done up to this share of its rows. */
static void count_work(struct worker *worker, double rows)
{
    const struct pool_cost cost = pool_task_cost(worker->pool, worker->place);
    bool anew = worker->place != worker->next;
    const struct engine_work work = work_until(&cost, anew, rows);
    const struct engine_work here = work_until(&cost, false, rows);
    pool_work_add(&worker->work, &work, 1);
    pool_work_add(&worker->here, &here, 1);
    if (worker->told > 0) {
        const struct engine_work told = work_until(&cost, anew, worker->rows);
        const struct engine_work told_here = work_until(&cost, false, worker->rows);
        pool_work_add(&worker->work, &told, -1);
        pool_work_add(&worker->here, &told_here, -1);
    }
    worker->rows = rows;
    worker->told = 1 - (1 - rows) * cost.parts.own / pool_cost_seconds(&cost, anew);
}

void pool_advance(void *context, double share)
{
    struct worker *worker = context;
    struct pool *pool = worker->pool;
    struct engine_pace *pace = pool->options->pace;
    double before = worker->told;
    count_work(worker, share);
    pthread_mutex_lock(&pool->lock);
    tell_pace(worker, pace);
    pace->part += worker->told - before;
    if (!pool->ended) {
        pool->options->advance(pool->options->context);
    }
    pthread_mutex_unlock(&pool->lock);
}

/* The task in hand is done. */
static void end_work(struct worker *worker)
{
    if (worker->told > 0) {
        pthread_mutex_lock(&worker->pool->lock);
        worker->pool->options->pace->part -= worker->told;
        pthread_mutex_unlock(&worker->pool->lock);
    }
    count_work(worker, 1);
    worker->told = 0;
    worker->next = worker->place + 1;
}

/* Does a task and hands it over, alone or with others. What is finished never waits for a run that
 * takes long, and neither matrices nor a failure that ends the sweep wait for anything. */
static void finish(struct worker *worker, size_t place)
{
    const struct engine_options *options = worker->pool->options;
    if (worker->finished_count > 0 && (double)worker->pool->seconds[place] > SMALL_SECONDS) {
        deliver(worker);
    }
    struct result *result = &worker->finished[worker->finished_count];
    if (worker->finished_count++ == 0) {
        clock_gettime(CLOCK_MONOTONIC, &worker->first_started);
    }
    worker->place = place;
    worker_do(worker, pool_task(worker->pool, place), result);
    if (worker->abandoned) {
        worker->finished_count--;
        return;
    }
    if (options->pace != NULL) {
        end_work(worker);
    }
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
    begin(worker);
    while (!engine_stopped(pool->options) && (count = pool_take_batch(pool, &first)) > 0) {
        for (size_t i = 0; i < count && !engine_stopped(pool->options); i++) {
            finish(worker, first + i);
        }
    }
    deliver(worker);
    if (pool->options->pace != NULL) {
        struct engine_pace *pace = pool->options->pace;
        pthread_mutex_lock(&pool->lock);
        pace->over += pool_seconds_since((struct timespec){0}) - pace->started;
        pace->working--;
        pthread_mutex_unlock(&pool->lock);
    }
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

/* Gives a worker of the pool what it needs for runs in which `hands` take part. */
static bool prepare_worker(struct worker *worker, struct pool *pool, size_t hands)
{
    worker->pool = pool;
    worker->head = head_create(&worker->arena, pool->err);
    worker->finished =
        arena_alloc(&worker->arena, DELIVERY_LIMIT, sizeof(struct result), pool->err);
    return worker->head != NULL && worker->finished != NULL &&
           (hands == 1 || head_employ(worker->head, hands, pool->err));
}

static void release_worker(struct worker *worker)
{
    arena_release(&worker->messages);
    arena_release(&worker->arena);
}

/* Does the tasks before pool->count on threads of which each does whole ones. */
static bool run_workers(struct pool *pool, struct worker *workers, pthread_t *threads, size_t count)
{
    bool good = true;
    for (size_t i = 0; good && i < count; i++) {
        good = prepare_worker(&workers[i], pool, 1);
    }
    size_t started = good ? start_threads(workers, threads, count) : 0;
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    for (size_t i = 0; i < count; i++) {
        release_worker(&workers[i]);
    }
    return started > 0 || (good && error_set(pool->err, ERROR_INTERNAL,
                                             "cannot start a thread; raise the limit on processes "
                                             "(ulimit -u) or use fewer (-j)"));
}

/* All threads begin anew: those that waited for others have nothing in hand. */
static void gather(struct engine_pace *pace, size_t hands)
{
    pace->threads = pace->working = hands;
    pace->over = 0;
    pace->busy = (double)hands * (pool_seconds_since((struct timespec){0}) - pace->started);
}

/* Does the tasks from `first` on one after the other, all threads together. */
static bool run_large(struct pool *pool, size_t first, size_t count)
{
    struct arena arena = {NULL};
    struct worker *leader = arena_alloc(&arena, 1, sizeof *leader, pool->err);
    struct crew *crew = crew_start(pool->options->threads, &arena, pool->err);
    bool good = leader != NULL && crew != NULL && prepare_worker(leader, pool, crew->hands);
    if (good) {
        leader->crew = crew;
        leader->handed = pool_seconds_since((struct timespec){0});
        if (pool->options->pace != NULL) {
            gather(pool->options->pace, crew->hands);
        }
    }
    for (size_t i = first; good && i < count && !pool->ended && !engine_stopped(pool->options);
         i++) {
        const struct pool_cost cost = pool_task_cost(pool, i);
        pool->seconds[i] = (float)pool_cost_seconds(&cost, false);
        finish(leader, i);
        deliver(leader);
    }
    crew_end(crew);
    if (leader != NULL) {
        release_worker(leader);
    }
    arena_release(&arena);
    return good;
}

/* What the drawn tokens of all workers get. */
static bool make_positions(struct pool *pool)
{
    struct engine *engine = pool->engine;
    pool->positions = positions_start(engine->arena, pool->err);
    for (size_t i = 0; pool->positions != NULL && i < pool->count; i++) {
        positions_count(pool->positions, engine, pool->tasks[i].run);
    }
    return pool->positions != NULL && positions_make(pool->positions, engine->arena, pool->err);
}

bool engine_pool_run(struct engine *engine, const struct engine_task *tasks, size_t count,
                     const struct engine_options *options, struct error *err)
{
    struct pool pool = {
        .engine = engine, .options = options, .err = err, .tasks = tasks, .count = count};
    uint32_t *order = arena_alloc(engine->arena, count, sizeof *order, err);
    pool.seconds = arena_alloc(engine->arena, count, sizeof *pool.seconds, err);
    if (order == NULL || pool.seconds == NULL || !pool_sort(&pool, order, err) ||
        !make_positions(&pool)) {
        return false;
    }
    pool.count = pool_split(&pool, order, err);
    size_t thread_count = options->threads < pool.count ? options->threads : pool.count;
    struct worker *workers = arena_alloc(engine->arena, thread_count, sizeof *workers, err);
    pthread_t *threads = arena_alloc(engine->arena, thread_count, sizeof *threads, err);
    if (workers == NULL || threads == NULL || err->code != ERROR_NONE) {
        return false;
    }
    pthread_mutex_init(&pool.lock, NULL);
    if (options->pace != NULL) {
        *options->pace =
            (struct engine_pace){.started = pool_seconds_since((struct timespec){0}),
                                 .working = thread_count,
                                 .threads = pool.count < count ? options->threads : thread_count,
                                 .left = pool_work(&pool, count)};
    }
    bool good = thread_count == 0 || run_workers(&pool, workers, threads, thread_count);
    good = good && (pool.count == count || run_large(&pool, pool.count, count));
    pthread_mutex_destroy(&pool.lock);
    return good && err->code == ERROR_NONE;
}
