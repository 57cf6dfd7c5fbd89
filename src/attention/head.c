/* SPDX-License-Identifier: MIT */
/* The head from end to end: buffers, guard factors, and the measures of a run. */
#include "attention/head.h"

#include "attention/attention_internal.h"
#include "numeric/matrix.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* The scalars that the guards put on Q0 K0ᵀ. */
struct factors {
    double weight; /* W = weight Z, for both projections */
    double score;  /* S = score Q Kᵀ */
    double both;   /* S = both Q0 K0ᵀ */
};

struct head *head_create(struct arena *arena, struct error *err)
{
    struct head *head = arena_alloc(arena, 1, sizeof *head, err);
    if (head != NULL) {
        head->arena = arena;
    }
    return head;
}

/* Room for `count` numbers; the old ones are lost where it has to grow. */
static bool grow(struct head *head, struct buffer *buffer, size_t count, struct error *err)
{
    if (count <= buffer->capacity) {
        return true;
    }
    /* Half as much again: a sweep over rising sizes leaves at most twice its last size behind. */
    size_t more = buffer->capacity + buffer->capacity / 2;
    size_t capacity = count > more ? count : more;
    double *data = arena_alloc(head->arena, capacity, sizeof *data, err);
    if (data == NULL) {
        return false;
    }
    *buffer = (struct buffer){data, capacity};
    head->inputs[false].key.input_id = 0;
    head->inputs[true].key.input_id = 0;
    head->draws.key.drawn = false;
    head->projections.key.draws.drawn = false;
    return true;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

bool head_reserve(struct head *head, struct head_shape shape, struct error *err)
{
    size_t n = shape.tokens;
    size_t d = shape.d_model;
    size_t d_k = shape.d_k;
    if (n > INT_MAX || d > INT_MAX || d_k > INT_MAX) {
        return error_set(err, ERROR_INPUT,
                         "a head of %zu tokens, d_model %zu and d_k %zu is too large: each must "
                         "be at most %d",
                         n, d, d_k, INT_MAX);
    }
    bool fits = grow(head, &head->inputs[true].normalised, n * d, err) &&
                grow(head, &head->inputs[false].row_norms, n, err) &&
                grow(head, &head->inputs[true].row_norms, n, err) &&
                grow(head, &head->draws.z_q, d * d_k, err) &&
                grow(head, &head->draws.z_k, d * d_k, err) &&
                grow(head, &head->projections.q, n * d_k, err) &&
                grow(head, &head->projections.k, n * d_k, err) &&
                grow(head, &head->projections.row_norms, n, err) &&
                grow(head, &head->block, n * (n < ROW_BLOCK ? n : ROW_BLOCK), err) &&
                grow(head, &head->scratch, larger(n, larger(d, d_k)), err);
    for (size_t i = 0; fits && i < ROW_ARRAY_COUNT; i++) {
        fits = grow(head, &head->rows[i], n, err);
    }
    return fits;
}

static struct factors guard_factors(const struct head_input *input, const struct run *run)
{
    struct factors factors = {1, 1, 1};
    double variance = 1;
    bool weights_are_final = input->z_q != NULL && run->weights_as_given;
    if (run->guard_init && !weights_are_final) {
        variance = 1 / (double)input->shape.d_model;
        factors.weight = 1 / sqrt((double)input->shape.d_model);
    }
    if (run->guard_scale) {
        factors.score = 1 / sqrt((double)input->shape.d_k);
    }
    factors.both = variance * factors.score;
    return factors;
}

static double row_mean(const struct head *head, size_t n, enum row_array array)
{
    return statistics_mean(n, head->rows[array].data);
}

static double row_median(struct head *head, size_t n, enum row_array array)
{
    memcpy(head->scratch.data, head->rows[array].data, n * sizeof(double));
    return statistics_median(n, head->scratch.data);
}

static double saturated_share(const struct head *head, size_t n, double threshold)
{
    size_t saturated = 0;
    for (size_t i = 0; i < n; i++) {
        double row_max = head->rows[ROW_MAX].data[i];
        if (isnan(row_max)) {
            return (double)NAN;
        }
        saturated += row_max >= threshold;
    }
    return (double)saturated / (double)n;
}

static void measure_sharpness(struct head *head, size_t n, double threshold, struct measurement *m)
{
    m->row_max_mean = row_mean(head, n, ROW_MAX);
    m->row_max_median = row_median(head, n, ROW_MAX);
    m->log_one_minus_row_max_mean = row_mean(head, n, ROW_LOG_ONE_MINUS_MAX);
    m->entropy_mean = row_mean(head, n, ROW_ENTROPY);
    m->effective_keys_mean = row_mean(head, n, ROW_EFFECTIVE_KEYS);
    m->jacobian_norm_mean = row_mean(head, n, ROW_JACOBIAN_NORM);
    m->jacobian_norm_median = row_median(head, n, ROW_JACOBIAN_NORM);
    m->jacobian_trace_mean = row_mean(head, n, ROW_JACOBIAN_TRACE) / (1 - 1 / (double)n);
    m->saturated_rows = saturated_share(head, n, threshold);
}

/* Per-row terms are lengths, and their root of squares is free of over- and underflow. */
static void measure_gradients(const struct head *head, size_t n, struct factors factors,
                              struct measurement *m)
{
    const struct guarded *guarded = &head->inputs[head->projections.key.input.guard_norm];
    const struct projections *projections = &head->projections;
    double wq = matrix_norm(n, head->rows[ROW_GRADIENT_WQ].data);
    double wk = matrix_norm(n, head->rows[ROW_GRADIENT_WK].data);
    m->gradient_wq = factors.score * factors.weight * wq;
    m->gradient_wk = factors.score * factors.weight * wk;
    m->gradient_wq_ratio = wq / guarded->norm / projections->uniform;
    m->gradient_wk_ratio = wk / projections->norm / guarded->uniform;
}

void head_measure(struct head *head, const struct head_input *input, const struct run *run,
                  struct measurement *measurement, double *scores, double *weights)
{
    size_t n = input->shape.tokens;
    assert(n > 0 && n <= head->projections.row_norms.capacity);
    assert((input->z_q == NULL) == (input->z_k == NULL));
    const struct guarded *raw = head_guard_input(head, input, run, false);
    const struct guarded *guarded =
        run->guard_norm ? head_guard_input(head, input, run, true) : raw;
    const struct projections *projections = head_project(head, input, guarded, run);
    struct factors factors = guard_factors(input, run);
    struct rows_task task = {input->shape, guarded, projections, factors.both, NULL, NULL};
    task.scores = scores;
    task.weights = weights;
    struct rows_totals totals = head_measure_rows(head, &task);

    measurement->tokens = (int64_t)n;
    measurement->raw_input_std = raw->std;
    measurement->input_std = guarded->std;
    measurement->input_rms = guarded->rms;
    measurement->score_std = moments_std(totals.scores);
    measurement->score_row_std = statistics_rms(n, head->rows[ROW_STD].data);
    measurement->score_abs_max = totals.abs_max;
    measurement->nonfinite = totals.nonfinite;
    measure_sharpness(head, n, run->saturation_row_max, measurement);
    measure_gradients(head, n, factors, measurement);
}
