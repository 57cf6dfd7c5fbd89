/* SPDX-License-Identifier: MIT */
/* The head from end to end: buffers, guard factors, and the stages of a run in their order. */
#include "attention/head.h"

#include "attention/attention_internal.h"
#include "numeric/product.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>

/* In the order of enum run_precision. */
static const enum number_format formats[] = {
    [PRECISION_FP64] = FORMAT_FP64,         [PRECISION_FP32] = FORMAT_FP32,
    [PRECISION_FP16] = FORMAT_FP16,         [PRECISION_BF16] = FORMAT_BF16,
    [PRECISION_FP8_E4M3] = FORMAT_FP8_E4M3, [PRECISION_FP8_E5M2] = FORMAT_FP8_E5M2,
};

#define PRODUCTS_KEPT ((size_t)1 << 18)

size_t head_products_size(size_t n)
{
    return n <= PRODUCTS_KEPT / n ? n * n : 0;
}

struct head *head_create(struct arena *arena, struct error *err)
{
    struct head *head = arena_alloc(arena, 1, sizeof *head, err);
    if (head == NULL) {
        return NULL;
    }
    head->arena = arena;
    return head_employ(head, 1, err) ? head : NULL;
}

bool head_employ(struct head *head, size_t workers, struct error *err)
{
    size_t parts = PARTS_A_WORKER * workers;
    head->worker_count = workers;
    head->collapsed.reserved = (struct head_shape){0, 0, 0};
    head->spaces = arena_alloc(head->arena, workers, sizeof *head->spaces, err);
    head->parts = arena_alloc(head->arena, parts, sizeof *head->parts, err);
    return head->spaces != NULL && head->parts != NULL;
}

bool head_grow(struct head *head, struct buffer *buffer, size_t count, struct error *err)
{
    if (count <= buffer->capacity) {
        return true;
    }
    /* Half as much again: a sweep over rising sizes leaves at most twice its last size behind. */
    size_t more = buffer->capacity + buffer->capacity / 2;
    size_t capacity = count > more ? count : more;
    double *data = arena_alloc_raw(head->arena, capacity, sizeof *data, err);
    if (data == NULL) {
        return false;
    }
    *buffer = (struct buffer){data, capacity};
    head->inputs[false].key.input_id = 0;
    head->inputs[true].key.input_id = 0;
    head->collapsed.inputs[false].key.input_id = 0;
    head->collapsed.inputs[true].key.input_id = 0;
    head->draws.key.drawn = false;
    head->projections.key.draws.drawn = false;
    head->adjusted.places = 0;
    return true;
}

bool head_grow_spaces(struct head *head, size_t offset, size_t count, struct error *err)
{
    bool fits = true;
    for (size_t i = 0; fits && i < head->worker_count; i++) {
        char *space = (char *)&head->spaces[i];
        fits = head_grow(head, (struct buffer *)(void *)(space + offset), count, err);
    }
    return fits;
}

static bool reserve_weighed(struct head *head, struct weighed_vectors *weighed, size_t n, size_t d,
                            struct error *err)
{
    return head_grow(head, &weighed->origin, d, err) &&
           head_grow(head, &weighed->squares, n, err) &&
           head_grow(head, &weighed->uniform, n, err) &&
           head_grow(head, &weighed->distances, gradient_distances_size(n, d), err);
}

/* Room for gradients of rows over all vectors of the head. */
static bool reserve_gradients(struct head *head, struct head_shape shape, struct error *err)
{
    size_t n = shape.tokens;
    size_t scratch =
        larger(gradient_scratch_size(n, shape.d_model), gradient_scratch_size(n, shape.d_k));
    return reserve_weighed(head, &head->inputs[false].weighed, n, shape.d_model, err) &&
           reserve_weighed(head, &head->inputs[true].weighed, n, shape.d_model, err) &&
           reserve_weighed(head, &head->projections.weighed, n, shape.d_k, err) &&
           head_grow_spaces(head, offsetof(struct head_space, shares), gradient_shares_size(n),
                            err) &&
           head_grow_spaces(head, offsetof(struct head_space, gradients), scratch, err);
}

static bool reserve_projections(struct head *head, struct head_shape shape, size_t most,
                                struct error *err)
{
    size_t d = shape.d_model;
    size_t d_k = shape.d_k;
    struct projections *projections = &head->projections;
    struct adjusted *adjusted = &head->adjusted;
    return head_grow(head, &head->inputs[true].normalised, most * d, err) &&
           head_grow(head, &head->inputs[false].row_norms, most, err) &&
           head_grow(head, &head->inputs[true].row_norms, most, err) &&
           head_grow(head, &head->inputs[false].twins, most, err) &&
           head_grow(head, &head->inputs[true].twins, most, err) &&
           head_grow(head, &head->draws.z_q, d * d_k, err) &&
           head_grow(head, &head->draws.z_k, d * d_k, err) &&
           head_grow(head, &projections->q, most * d_k, err) &&
           head_grow(head, &projections->k, most * d_k, err) &&
           head_grow(head, &projections->q_norms, most, err) &&
           head_grow(head, &projections->k_norms, most, err) &&
           head_grow(head, &projections->products, head_products_size(most), err) &&
           head_grow(head, &adjusted->q, most * d_k, err) &&
           head_grow(head, &adjusted->k, most * d_k, err) &&
           head_grow(head, &adjusted->q_divisors, most, err) &&
           head_grow(head, &adjusted->k_divisors, most, err) &&
           head_grow(head, &adjusted->turns, most * d_k, err) &&
           head_grow_spaces(head, offsetof(struct head_space, pulled), most * d_k, err) &&
           head_grow_spaces(head, offsetof(struct head_space, outer), d * d_k, err) &&
           head_grow(head, &head->k_strips, product_strips_size(d_k, most), err);
}

static bool reserve_rows(struct head *head, size_t n, size_t queries, struct error *err)
{
    static const size_t of_keys[] = {
        offsetof(struct head_space, cap_slopes), offsetof(struct head_space, slope),
        offsetof(struct head_space, share),      offsetof(struct head_space, unshared),
        offsetof(struct head_space, remainder),  offsetof(struct head_space, copy),
        offsetof(struct head_space, even)};
    size_t block = n * (queries < ROW_BLOCK ? queries : ROW_BLOCK);
    size_t parts = PARTS_A_WORKER * head->worker_count;
    size_t pieces = n > STREAM_PIECE ? ROW_BLOCK * PIECE_STRIDE : 0;
    size_t marks = n > STREAM_PIECE ? head_marks_size(n) : 0;
    bool fits = head_grow(head, &head->columns, n, err) &&
                head_grow_spaces(head, offsetof(struct head_space, pieces), pieces, err) &&
                head_grow_spaces(head, offsetof(struct head_space, marks), marks, err) &&
                head_grow(head, &head->part_columns, parts * n, err) &&
                head_grow_spaces(head, offsetof(struct head_space, block), block, err);
    for (size_t i = 0; fits && i < sizeof of_keys / sizeof of_keys[0]; i++) {
        fits = head_grow_spaces(head, of_keys[i], n, err);
    }
    for (size_t i = 0; fits && i < ROW_ARRAY_COUNT; i++) {
        fits = head_grow(head, &head->rows[i], queries, err);
    }
    return fits;
}

bool head_reserve(struct head *head, struct head_shape shape, size_t queries, struct error *err)
{
    size_t n = shape.tokens;
    size_t d = shape.d_model;
    size_t d_k = shape.d_k;
    if (n > INT_MAX || queries > INT_MAX || d > INT_MAX || d_k > INT_MAX) {
        return error_set(err, ERROR_INPUT,
                         "a head of %zu tokens, d_model %zu and d_k %zu is too large: each must "
                         "be at most %d",
                         larger(n, queries), d, d_k, INT_MAX);
    }
    size_t most = larger(n, queries);
    return reserve_projections(head, shape, most, err) && reserve_rows(head, n, queries, err) &&
           reserve_gradients(head, shape, err) &&
           head_grow_spaces(head, offsetof(struct head_space, scratch),
                            larger(most, larger(d, d_k)), err) &&
           head_grow(head, &head->scratch, larger(most, larger(d, 2 * d_k)), err);
}

static struct head_factors guard_factors(const struct head_input *input, const struct run *run)
{
    struct head_factors factors = {1, run->score_factor, 1};
    double variance = 1;
    bool drawn = input->x != NULL && (input->z_q == NULL || !run->weights_as_given);
    if (run->guard_init && drawn) {
        variance = 1 / (double)input->shape.d_model;
        factors.weight = 1 / sqrt((double)input->shape.d_model);
    }
    if (run->guard_scale && input->scores == NULL) {
        double d_k = (double)input->shape.d_k;
        factors.score *= run->score_scale == SCORE_SCALE_LINEAR ? 1 / d_k : 1 / sqrt(d_k);
    }
    if (run->qk_norm != QK_NORM_NONE && input->scores == NULL) {
        factors.score *= run->qk_gain;
    }
    factors.both = variance * factors.score;
    return factors;
}

/* Angles are the same for all runs of a width and a base, those of fewer places the first of them.
 */
static void find_turns(struct adjusted *adjusted, size_t places, size_t d_k, double base)
{
    if (adjusted->places < places || adjusted->width != d_k || adjusted->base != base) {
        query_key_turns(places, d_k, base, adjusted->turns.data);
        adjusted->places = places;
        adjusted->width = d_k;
        adjusted->base = base;
    }
}

/* Queries and keys as they enter the products: `q` and `k` times `factor`, normed and rotated. */
static void adjust(struct head *head, struct rows_task *task, const struct run *run, double factor,
                   const double *q, const double *k)
{
    struct adjusted *adjusted = &head->adjusted;
    size_t d_k = task->shape.d_k;
    size_t n = task->shape.tokens;
    /* The last query stands at the last key. */
    size_t places = larger(n, task->queries);
    for (size_t i = 0; i < task->queries * d_k; i++) {
        adjusted->q.data[i] = factor * q[i];
    }
    for (size_t i = 0; i < n * d_k; i++) {
        adjusted->k.data[i] = factor * k[i];
    }
    if (run->position == POSITION_ROPE) {
        find_turns(adjusted, places, d_k, run->rope_base);
    }
    query_key_apply(&task->query_key, task->queries, d_k, places - task->queries, adjusted->q.data,
                    adjusted->q_divisors.data);
    query_key_apply(&task->query_key, n, d_k, places - n, adjusted->k.data,
                    adjusted->k_divisors.data);
    task->q = adjusted->q.data;
    task->k = adjusted->k.data;
}

/* What gradients over the run's X, or what stands for it in a collapsed draw, have in common. */
static struct weighed_vectors *weighed_input(struct head *head, const struct run *run)
{
    struct weighed_vectors *weighed = &head->inputs[run->guard_norm].weighed;
    bool collapsed = run->draw == DRAW_COLLAPSED;
    if (weighed->collapsed != collapsed) {
        weighed->collapsed = collapsed;
        weighed->prepared = false;
        weighed->uniform_known = false;
    }
    return weighed;
}

/* The keys as the products take them; those of the projections stay for the next run. */
static const double *keys_in_strips(struct head *head, const struct rows_task *task)
{
    struct projections *projections = &head->projections;
    bool plain = task->k == projections->k.data;
    if (!plain || !projections->in_strips) {
        product_make_strips(task->shape.tokens, task->shape.d_k, task->k, head->k_strips.data);
        projections->in_strips = plain;
    }
    return head->k_strips.data;
}

/* The sides of the products, or the scores that stand for them; returns the factor on the products.
 */
static double find_sides(struct head *head, const struct head_input *input, const struct run *run,
                         struct head_factors factors, struct rows_task *task)
{
    if (input->scores != NULL) {
        task->given = input->scores;
        return factors.score;
    }
    task->q = input->q;
    task->k = input->k;
    if (input->x != NULL) {
        task->guarded = head_guard_input(head, input, run, run->guard_norm);
        task->weighed_input = weighed_input(head, run);
        task->weighed_keys = &head->projections.weighed;
        if (run->draw == DRAW_COLLAPSED) {
            task->shape = collapsed_shape(input->shape);
            task->guarded = collapsed_input(head, task->guarded);
            task->projections = collapsed_project(head, input, task->guarded, run);
        } else {
            task->projections = head_project(head, input, task->guarded, run);
        }
        task->q = task->projections->q.data;
        task->k = task->projections->k.data;
        bool equal = task->guarded->repeats && task->query_key.turns == NULL;
        task->twins = equal ? task->guarded->twins.data : NULL;
    }
    if (query_key_is_plain(&task->query_key)) {
        return factors.both;
    }
    adjust(head, task, run, factors.weight, task->q, task->k);
    return factors.score;
}

static struct query_key_rule query_key_rule_of(const struct head *head, const struct run *run)
{
    bool rotated = run->position == POSITION_ROPE;
    return (struct query_key_rule){(enum run_qk_norm)run->qk_norm, run->norm_epsilon,
                                   rotated ? head->adjusted.turns.data : NULL,
                                   (enum run_rope_pairs)run->rope_pairs};
}

static struct rows_task make_task(struct head *head, const struct head_input *input,
                                  const struct run *run, struct head_factors factors)
{
    struct rows_task task = {.shape = input->shape, .queries = input->shape.tokens, .input = input};
    if (input->x == NULL) {
        task.queries = input->queries;
    }
    if (input->scores == NULL) {
        task.query_key = query_key_rule_of(head, run);
    }
    task.scoring.factor = find_sides(head, input, run, factors, &task);
    task.k_strips = task.k == NULL ? NULL : keys_in_strips(head, &task);
    task.scoring.log_keys =
        input->scores == NULL && run->guard_scale && run->score_scale == SCORE_SCALE_LOG_N;
    task.scoring.cap = run->softcap;
    task.scoring.causal = run->mask == MASK_CAUSAL;
    task.scoring.given = input->scores != NULL;
    task.weighing = (struct weigh_rule){(enum run_weights)run->weights, formats[run->precision],
                                        run->stabilise};
    return task;
}

void head_measure(struct head *head, const struct head_input *input, const struct run *run,
                  struct measurement *measurement, double *scores, double *weights)
{
    size_t n = input->shape.tokens;
    assert(n > 0 && n <= head->projections.q_norms.capacity);
    assert((input->z_q == NULL) == (input->z_k == NULL));
    assert(run->draw == DRAW_WEIGHTS ||
           (run->upstream == UPSTREAM_EXPECTED && input->x != NULL && input->z_q == NULL &&
            run->qk_norm == QK_NORM_NONE && run->position != POSITION_ROPE));
    head->crew = input->crew;
    struct head_factors factors = guard_factors(input, run);
    /* The input before its guard first: the head remembers one of each. */
    const struct guarded *raw = input->x == NULL ? NULL : head_guard_input(head, input, run, false);
    struct rows_task task = make_task(head, input, run, factors);
    task.upstream_drawn =
        run->upstream == UPSTREAM_DRAWN && task.guarded != NULL && !input->no_gradients;
    task.input_grams = &head->inputs[run->guard_norm];
    task.seed = (uint64_t)run->seed;
    task.scores = scores;
    task.weights = weights;
    struct rows_totals totals = head_measure_rows(head, &task);

    measurement->tokens = (int64_t)n;
    measurement->queries = (int64_t)task.queries;
    head_measure_sides(head, raw, &task, factors, measurement);
    head_predict_spreads(&task, run, input->z_q != NULL, factors, measurement);
    head_summarise_rows(head, &task, &totals, run->saturation_row_max, measurement);
    head_summarise_gradients(head, &task, &totals, factors, measurement);
}
