/* SPDX-License-Identifier: MIT */
/* The pool: threads that take batches of tasks off one list. Tasks are sorted so that runs with the
 * same random draw and input follow each other, which lets a worker's head reuse both; a run's
 * result depends on its own fields only, so order and batches cannot change it. */
#include "engine/engine_internal.h"

#include "attention/head.h"
#include "attention/position.h"
#include "base/random.h"
#include "engine/estimate.h"
#include "numeric/orthogonal.h"
#include "run/fields.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Tasks that a worker takes at once: of one draw, or of several as far as they are small. */
#define BATCH_LIMIT 32
/* Of the reference machine of estimate.h. */
#define SMALL_SECONDS 1e-3
/* Finished runs wait for each other so long, or until so many are there. */
#define DELIVERY_SECONDS 4e-3
#define DELIVERY_LIMIT 64

#define GRADIENTS                                                                                  \
    (UINT64_C(1) << MEASURE_GRADIENT_WQ | UINT64_C(1) << MEASURE_GRADIENT_WK |                     \
     UINT64_C(1) << MEASURE_GRADIENT_WQ_RATIO | UINT64_C(1) << MEASURE_GRADIENT_WK_RATIO)

struct pool {
    struct engine *engine;
    const struct engine_options *options;
    struct error *err;
    const struct engine_task *tasks;
    const uint32_t *order; /* places in tasks, sorted for sharing */
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
    bool has_gaussian;
    uint64_t gaussian_id;
    struct run gaussian_run; /* that it was drawn for */
    struct run run;          /* the one in hand */
    double *scores, *weights;
    size_t kept_capacity;
    struct timespec started; /* the run in hand */
    struct result *finished; /* not yet handed to the sink, and their messages */
    size_t finished_count;
    struct arena messages;
    struct timespec first_started; /* the first of them */
    struct error reason;           /* why the run in hand failed */
};

static double seconds_since(struct timespec start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec);
}

/* Whether the run in hand has taken longer than a run may. */
static bool is_expired(const void *context)
{
    const struct worker *worker = context;
    return seconds_since(worker->started) > worker->pool->options->run_timeout;
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
    if (worker->has_gaussian && same_gaussian(&worker->gaussian_run, run)) {
        return true;
    }
    size_t tokens = (size_t)run->tokens;
    size_t d = (size_t)run->d_model;
    worker->has_gaussian = false;
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
    worker->gaussian_run = *run;
    worker->has_gaussian = true;
    worker->gaussian_id += 2;
    return true;
}

/* What the head reads for a task. Ids of shared inputs are even, those of gaussian ones odd. */
static bool head_input_of(struct worker *worker, const struct engine_task *task,
                          struct head_input *out, struct error *err)
{
    const struct input *input = engine_input(worker->pool->engine, task->run);
    const struct run *run = &worker->run;
    bool has_head = run->source != SOURCE_SCORES;
    struct head_shape shape = {input->tokens, input->d_model, has_head ? (size_t)run->d_k : 0};
    out->shape = shape;
    out->queries = input->queries;
    out->z_q = input->w_q.values;
    out->z_k = input->w_k.values;
    out->q = input->q.values;
    out->k = input->k.values;
    out->scores = input->scores;
    if (run->source == SOURCE_GAUSSIAN) {
        if (!draw_gaussian(worker, run, err)) {
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

static bool reserve_head(struct worker *worker, const struct head_input *input, struct error *err)
{
    return worker->run.draw == DRAW_COLLAPSED
               ? head_reserve_collapsed(worker->head, input->shape, err)
               : head_reserve(worker->head, input->shape, input->queries, err);
}

static bool measure(struct worker *worker, const struct engine_task *task, struct result *result,
                    struct error *err)
{
    const struct engine_options *options = worker->pool->options;
    if (options->measure != NULL) {
        return options->measure(&worker->run, &result->measurement, err);
    }
    struct head_input input = {.x = NULL};
    double timeout = options->run_timeout;
    clock_gettime(CLOCK_MONOTONIC, &worker->started);
    if (!head_input_of(worker, task, &input, err) || !reserve_head(worker, &input, err) ||
        !reserve_kept(worker, task, input.queries * input.shape.tokens, err)) {
        return false;
    }
    input.no_gradients = (task->lacking & GRADIENTS) == GRADIENTS;
    double *scores = task->keep_scores ? worker->scores : NULL;
    double *weights = task->keep_weights ? worker->weights : NULL;
    if (timeout > 0) {
        input.expired = is_expired;
        input.context = worker;
    }
    head_measure(worker->head, &input, &worker->run, &result->measurement, scores, weights);
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

/* A message that lasts until the run is handed over. Short of memory it is a shorter one. */
static const char *keep_message(struct worker *worker)
{
    struct error ignored = ERROR_INIT;
    const char *copy = arena_copy_text(&worker->messages, worker->reason.message, &ignored);
    return copy == NULL ? "failed, and memory was short" : copy;
}

/* Does one task; the result's texts lie in the inputs and the worker. */
static void do_task(struct worker *worker, const struct engine_task *task, struct result *result)
{
    const struct input *input = engine_input(worker->pool->engine, task->run);
    struct error *reason = &worker->reason;
    reason->code = ERROR_NONE;
    reason->message[0] = '\0';
    memset(result, 0, sizeof *result);
    run_list_get(worker->pool->engine->runs, task->run, &worker->run);
    result->index = (int64_t)task->run;
    result->key = task->key;
    result->run = worker->run;
    result->message = "";
    result->lacking = task->lacking;
    if (!measure(worker, task, result, reason)) {
        result->status = RESULT_FAILED;
        result->message = keep_message(worker);
        result->kept = (struct kept){0, 0, NULL, NULL, NULL};
        /* Never a number that could be taken for a result. */
        measurement_blank(&result->measurement, measurement_fields_all());
    } else if (!check_finite(result, reason)) {
        result->status = RESULT_FAILED;
        result->message = keep_message(worker);
    }
    measurement_blank(&result->measurement, task->lacking);
    if (input->vocabulary != NULL) {
        const struct vocabulary *vocabulary = &input->vocabulary->vocabulary;
        result->measurement.corpus_sentences = (int64_t)vocabulary->sentences;
        result->measurement.corpus_words = (int64_t)vocabulary->tokens;
        result->measurement.vocabulary = (int64_t)vocabulary->count;
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

static const struct engine_task *task_at(const struct pool *pool, size_t place)
{
    return &pool->tasks[pool->order[place]];
}

static int64_t integer_of(const struct pool *pool, const struct engine_task *task,
                          enum run_field field)
{
    const int64_t *integer = run_list_at(pool->engine->runs, task->run, (size_t)field);
    return *integer;
}

static bool same_draw(const struct pool *pool, const struct engine_task *a,
                      const struct engine_task *b)
{
    return integer_of(pool, a, RUN_SEED) == integer_of(pool, b, RUN_SEED) &&
           integer_of(pool, a, RUN_D_MODEL) == integer_of(pool, b, RUN_D_MODEL) &&
           integer_of(pool, a, RUN_D_K) == integer_of(pool, b, RUN_D_K);
}

/* What a task is expected to take. The draw is that of the first of its runs. */
static double task_seconds(const struct pool *pool, size_t place)
{
    const struct engine_task *task = task_at(pool, place);
    struct run run;
    run_list_get(pool->engine->runs, task->run, &run);
    struct estimate_run cost = estimate_run(&run, engine_tokens(pool->engine, task->run),
                                            engine_queries(pool->engine, task->run));
    bool drawn = place > 0 && same_draw(pool, task_at(pool, place - 1), task);
    return cost.own + cost.projection + (drawn ? 0 : cost.draw);
}

/* Does a task and hands it over, alone or with others. What is finished never waits for a run that
 * takes long, and neither matrices nor a failure that ends the sweep wait for anything. */
static void finish(struct worker *worker, size_t place)
{
    const struct engine_options *options = worker->pool->options;
    if (worker->finished_count > 0 && task_seconds(worker->pool, place) > SMALL_SECONDS) {
        deliver(worker);
    }
    struct result *result = &worker->finished[worker->finished_count];
    if (worker->finished_count++ == 0) {
        clock_gettime(CLOCK_MONOTONIC, &worker->first_started);
    }
    do_task(worker, task_at(worker->pool, place), result);
    if (worker->finished_count == DELIVERY_LIMIT || result->kept.tokens > 0 ||
        (result->status == RESULT_FAILED && options->fail_fast) ||
        seconds_since(worker->first_started) > DELIVERY_SECONDS) {
        deliver(worker);
    }
}

/* Takes the next tasks: those of one random draw, and of the next ones while all are small. Returns
 * how many. */
static size_t take_batch(struct pool *pool, size_t *first)
{
    pthread_mutex_lock(&pool->lock);
    size_t count = 0;
    double seconds = 0;
    *first = pool->next;
    while (!pool->ended && pool->next < pool->count && count < BATCH_LIMIT) {
        const struct engine_task *task = task_at(pool, pool->next);
        if (count > 0 && seconds > SMALL_SECONDS && !same_draw(pool, task_at(pool, *first), task)) {
            break;
        }
        seconds += task_seconds(pool, pool->next);
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
    size_t first;
    size_t count;
    while (!engine_stopped(pool->options) && (count = take_batch(pool, &first)) > 0) {
        for (size_t i = 0; i < count && !engine_stopped(pool->options); i++) {
            finish(worker, first + i);
        }
    }
    deliver(worker);
    return NULL;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* What tasks are sorted by: draw first, then input, then the guard that changes it; the plan's
 * order settles the rest. A collapsed draw takes less time than to look at a wide input, which
 * so comes first. */
struct rank {
    int64_t leading; /* the input of a collapsed draw, counted from 1 */
    int64_t seed, d_model, d_k;
    const char *corpus;
    size_t run;
    uint32_t task;
    bool guarded;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct rank *x = a;
    const struct rank *y = b;
    int order = compare(x->leading, y->leading);
    order = order == 0 ? compare(x->seed, y->seed) : order;
    order = order == 0 ? compare(x->d_model, y->d_model) : order;
    order = order == 0 ? compare(x->d_k, y->d_k) : order;
    order = order == 0 && x->corpus != y->corpus ? strcmp(x->corpus, y->corpus) : order;
    order = order == 0 ? compare(x->guarded, y->guarded) : order;
    return order == 0 ? compare((int64_t)x->run, (int64_t)y->run) : order;
}

static struct rank rank_of(const struct pool *pool, uint32_t place)
{
    const struct engine_task *task = &pool->tasks[place];
    const struct run_list *runs = pool->engine->runs;
    const char *const *digest = run_list_at(runs, task->run, run_list_digest(RUN_CORPUS));
    const bool *guarded = run_list_at(runs, task->run, RUN_GUARD_NORM);
    const int *draw = run_list_at(runs, task->run, RUN_DRAW);
    int64_t input = engine_input(pool->engine, task->run) - pool->engine->inputs;
    return (struct rank){.leading = *draw == DRAW_COLLAPSED ? input + 1 : 0,
                         .seed = integer_of(pool, task, RUN_SEED),
                         .d_model = integer_of(pool, task, RUN_D_MODEL),
                         .d_k = integer_of(pool, task, RUN_D_K),
                         .corpus = *digest == NULL ? "" : *digest,
                         .run = task->run,
                         .task = place,
                         .guarded = *guarded};
}

/* Sorts the tasks for sharing, unless the plan has done so already. */
static bool sort_tasks(struct pool *pool, uint32_t *order, struct error *err)
{
    struct arena scratch = {NULL};
    struct rank last = {0};
    bool sorted = true;
    pool->order = order;
    for (uint32_t i = 0; i < pool->count && sorted; i++) {
        struct rank rank = rank_of(pool, i);
        sorted = i == 0 || compare_ranks(&last, &rank) <= 0;
        last = rank;
    }
    struct rank *ranks = sorted ? NULL : arena_alloc(&scratch, pool->count, sizeof *ranks, err);
    for (uint32_t i = 0; ranks != NULL && i < pool->count; i++) {
        ranks[i] = rank_of(pool, i);
    }
    if (ranks != NULL) {
        qsort(ranks, pool->count, sizeof *ranks, compare_ranks);
    }
    for (uint32_t i = 0; i < pool->count; i++) {
        order[i] = ranks == NULL ? i : ranks[i].task;
    }
    arena_release(&scratch);
    return sorted || err->code == ERROR_NONE;
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
    if (order == NULL || workers == NULL || threads == NULL || !sort_tasks(&pool, order, err)) {
        return false;
    }
    pthread_mutex_init(&pool.lock, NULL);
    bool good = thread_count == 0 || run_workers(&pool, workers, threads, thread_count);
    pthread_mutex_destroy(&pool.lock);
    for (size_t i = 0; i < thread_count; i++) {
        arena_release(&workers[i].messages);
        arena_release(&workers[i].arena);
    }
    return good && err->code == ERROR_NONE;
}
