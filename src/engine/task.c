/* SPDX-License-Identifier: MIT */
/* One task of the pool: its input, its head, and what comes of it. */
#include "engine/pool_internal.h"

#include "run/fields.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A run that should take longer on the machine of estimate.h tells how far it is. */
#define LONG_SECONDS 0.5
#define RATIOS (UINT64_C(1) << MEASURE_GRADIENT_WQ_RATIO | UINT64_C(1) << MEASURE_GRADIENT_WK_RATIO)
#define GRADIENTS (UINT64_C(1) << MEASURE_GRADIENT_WQ | UINT64_C(1) << MEASURE_GRADIENT_WK | RATIOS)

bool task_needs_no_gradients(uint64_t lacking)
{
    return (lacking & GRADIENTS) == GRADIENTS;
}

bool task_needs_no_ratios(uint64_t lacking)
{
    return (lacking & RATIOS) == RATIOS;
}

bool task_needs_no_columns(uint64_t lacking)
{
    return (lacking & UINT64_C(1) << MEASURE_MAX_COLUMN_MEAN) != 0;
}

/* Whether the run in hand has taken longer than a run may. */
static bool is_expired(const struct worker *worker)
{
    double timeout = worker->pool->options->run_timeout;
    return timeout > 0 && pool_seconds_since(worker->started) > timeout;
}

/* Whether nobody waits for the run in hand any more: a small one is finished whatever happens. */
static bool is_over(const void *context)
{
    const struct worker *worker = context;
    return is_expired(worker) || (worker->crew != NULL && engine_stopped(worker->pool->options));
}

/* What the head reads for a task but X. */
static struct head_input head_input_of(const struct worker *worker, const struct input *input)
{
    const struct run *run = &worker->run;
    bool has_head = run->source != SOURCE_SCORES;
    return (struct head_input){
        .shape = {input->tokens, input->d_model, has_head ? (size_t)run->d_k : 0},
        .queries = input->queries,
        .z_q = input->w_q.values,
        .z_k = input->w_k.values,
        .q = input->q.values,
        .k = input->k.values,
        .scores = input->scores};
}

/* And X, where the run has one, once the head has its buffers: as these grow it forgets. */
static bool give_x(struct worker *worker, const struct input *input, struct head_input *out,
                   struct error *err)
{
    const struct run *run = &worker->run;
    if (run->source == SOURCE_GAUSSIAN) {
        if (!worker_draw_gaussian(worker, run, err)) {
            return false;
        }
        out->x = worker->gaussian;
        out->input_id = worker_gaussian_input(worker);
        bool spent = (size_t)(run->tokens * run->d_model) > ENGINE_LONG_INPUT && run->guard_norm &&
                     run->draw == DRAW_WEIGHTS;
        out->spare_x = spent ? worker->gaussian : NULL;
        worker->gaussian_spent = spent || worker->gaussian_spent;
        return true;
    }
    /* The head forgets what it knows of the last input. */
    worker->has_gaussian = worker->has_gaussian && !worker->gaussian_spent;
    if (input->failure != NULL) {
        return error_set(err, ERROR_INTERNAL, "%s", input->failure);
    }
    out->x = input->x;
    out->input_id = 2 * ((uint64_t)(input - worker->pool->engine->inputs) + 1);
    return true;
}

static bool reserve_matrix(struct worker *worker, struct kept_matrix *matrix, size_t numbers,
                           struct error *err)
{
    if (numbers > matrix->capacity) {
        matrix->values = arena_alloc(&worker->arena, numbers, sizeof *matrix->values, err);
        matrix->capacity = matrix->values == NULL ? 0 : numbers;
    }
    return numbers <= matrix->capacity;
}

/* Room for the matrices that a task keeps. */
static bool reserve_kept(struct worker *worker, const struct engine_task *task, size_t numbers,
                         struct error *err)
{
    return (!task->keep_scores || reserve_matrix(worker, &worker->scores, numbers, err)) &&
           (!task->keep_weights || reserve_matrix(worker, &worker->weights, numbers, err));
}

static bool reserve_head(struct worker *worker, const struct head_input *input, struct error *err)
{
    if (worker->run.draw == DRAW_COLLAPSED) {
        return head_reserve_collapsed(worker->head, input->shape, err);
    }
    const struct run *run = &worker->run;
    bool has_x = input->q == NULL && input->scores == NULL;
    bool drawn = run->upstream == UPSTREAM_DRAWN && has_x;
    bool outer = run->upstream == UPSTREAM_EXPECTED && has_x &&
                 (run->qk_norm != QK_NORM_NONE || run->position == POSITION_ROPE);
    return head_reserve(worker->head, input->shape, input->queries, err) &&
           (!drawn || head_reserve_upstream(worker->head, input->shape, err)) &&
           (!outer || head_reserve_outer(worker->head, input->shape, err));
}

static bool measure(struct worker *worker, const struct engine_task *task, struct result *result,
                    struct error *err)
{
    const struct engine_options *options = worker->pool->options;
    if (options->measure != NULL) {
        return options->measure(&worker->run, &result->measurement, err);
    }
    const struct input *source = engine_input(worker->pool->engine, task->run);
    struct head_input input = head_input_of(worker, source);
    double timeout = options->run_timeout;
    clock_gettime(CLOCK_MONOTONIC, &worker->started);
    if (!reserve_head(worker, &input, err) ||
        !reserve_kept(worker, task, input.queries * input.shape.tokens, err) ||
        !give_x(worker, source, &input, err)) {
        return false;
    }
    input.no_gradients = task_needs_no_gradients(task->lacking);
    input.no_ratios = task_needs_no_ratios(task->lacking);
    input.no_columns = task_needs_no_columns(task->lacking);
    input.again = pool_shares_products(worker->pool, worker->place);
    input.crew = worker->crew;
    double *scores = task->keep_scores ? worker->scores.values : NULL;
    double *weights = task->keep_weights ? worker->weights.values : NULL;
    if (timeout > 0 || worker->crew != NULL) {
        input.expired = is_over;
    }
    double least = options->long_seconds > 0 ? options->long_seconds : LONG_SECONDS;
    if (options->advance != NULL && (double)worker->pool->seconds[worker->place] > least) {
        input.advance = pool_advance;
    }
    input.context = worker;
    head_measure(worker->head, &input, &worker->run, &result->measurement, scores, weights);
    worker->abandoned = worker->crew != NULL && engine_stopped(options);
    if (is_expired(worker)) {
        return error_set(err, ERROR_RUNS_FAILED, "took longer than the %g s of --run-timeout",
                         timeout);
    }
    if (scores != NULL || weights != NULL) {
        result->kept =
            (struct kept){input.queries, input.shape.tokens, scores, weights, source->words};
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

void worker_do(struct worker *worker, const struct engine_task *task, struct result *result)
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
