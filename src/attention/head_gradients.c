/* SPDX-License-Identifier: MIT */
/* Gradients at W_Q and W_K of one row. Plain queries and keys factor: |x_i| |J K0| and |q_i| |J X|.
 * A norm or a rotation between projection and product gives each pair of places a derivative of its
 * own (docs/method.md, "Gradients through the query/key guard"). */
#include "attention/attention_internal.h"
#include "attention/gradient.h"
#include "numeric/product.h"

#include <math.h>
#include <stddef.h>

/* |J V|_F of a row, by the form that fits its weights. */
static double row_gradient(size_t n, size_t d, const struct row_slopes *slopes, const double *v,
                           double *scratch)
{
    if (!isnan(slopes->others)) {
        return gradient_row(n, d, slopes->a, slopes->arg_max, slopes->others, v, scratch);
    }
    return gradient_row_general(n, d, slopes, v, scratch);
}

/* Whether gradients are asked for, and their rows factor. */
static bool has_plain(const struct rows_task *task)
{
    return task->guarded != NULL && !task->input->no_gradients && !task->upstream_drawn &&
           query_key_is_plain(&task->query_key);
}

/* Whether rows of gradients wait for each other. */
static bool have_to_wait(const struct rows_task *task)
{
    return weigh_is_plain_softmax(&task->weighing) && !(task->scoring.cap > 0);
}

static void prepare(struct head *head, const struct rows_task *task,
                    struct weighed_vectors *weighed, size_t d, const double *v)
{
    size_t n = task->shape.tokens;
    if (task->scoring.causal && !weighed->uniform_known) {
        weighed->uniform_known = true;
        gradient_uniform_prefixes(n, d, v, head->scratch.data, weighed->uniform.data);
    }
    weighed->vectors.v = v; /* equal ones may lie elsewhere by now */
    if (have_to_wait(task) && !weighed->prepared) {
        weighed->prepared = true;
        weighed->vectors = (struct gradient_vectors){
            n, d, v, weighed->origin.data, weighed->squares.data, weighed->distances.data, 0};
        gradient_prepare(&weighed->vectors, head->spaces[0].gradients.data);
    }
}

bool head_reserve_outer(struct head *head, struct head_shape shape, struct error *err)
{
    size_t n = shape.tokens;
    size_t gram = gradient_gram_size(n);
    return gram == 0 ||
           (head_grow(head, &head->inputs[false].gram, gram, err) &&
            head_grow(head, &head->inputs[true].gram, gram, err) &&
            head_grow(head, &head->x_strips, product_strips_size(shape.d_model, n), err) &&
            head_grow_spaces(head, offsetof(struct head_space, outer_rows),
                             gradient_outer_size(n, shape.d_k), err));
}

/* X Xᵀ, where there is room for it. */
static void prepare_gram(struct head *head, const struct rows_task *task)
{
    struct guarded *guarded = task->input_grams;
    size_t n = task->shape.tokens;
    size_t d = task->shape.d_model;
    size_t size = gradient_gram_size(n);
    if (!guarded->gram_known && size > 0 && size <= guarded->gram.capacity) {
        guarded->gram_known = true;
        product_make_strips(n, d, guarded->x, head->x_strips.data);
        product_multiply_strips(n, d, n, guarded->x, head->x_strips.data, guarded->gram.data, n);
    }
}

void head_prepare_gradients(struct head *head, const struct rows_task *task)
{
    struct projections *projections = &head->projections;
    bool wanted = task->guarded != NULL && !task->input->no_gradients && !task->upstream_drawn;
    if (wanted && !query_key_is_plain(&task->query_key)) {
        prepare_gram(head, task);
    }
    if (has_plain(task)) {
        if (!projections->uniform_known) {
            projections->uniform_known = true;
            projections->uniform = gradient_row_uniform(task->shape.tokens, task->shape.d_k,
                                                        projections->k.data, head->scratch.data);
        }
        prepare(head, task, task->weighed_keys, task->shape.d_k, task->projections->k.data);
        prepare(head, task, task->weighed_input, task->shape.d_model, task->guarded->x);
    }
}

double head_row_factor(const struct rows_task *task, size_t keys)
{
    return task->scoring.log_keys ? log((double)keys) : 1;
}

static void measure_plain(const struct rows_part *part, size_t row, size_t keys,
                          const struct row_slopes *slopes, size_t at)
{
    struct head *head = part->head;
    const struct rows_task *task = part->task;
    size_t n = task->shape.tokens;
    size_t d = task->shape.d_model;
    size_t d_k = task->shape.d_k;
    const double *x = task->guarded->x;
    const double *k = task->projections->k.data;
    double *scratch = part->space->scratch.data;
    double x_norm = task->guarded->row_norms.data[row] * head_row_factor(task, keys);
    double q_norm = task->projections->q_norms.data[row] * head_row_factor(task, keys);
    double uniform_k = task->projections->uniform;
    double uniform_x = task->guarded->uniform;
    if (keys < n) {
        uniform_k = task->weighed_keys->uniform.data[keys - 1];
        uniform_x = task->weighed_input->uniform.data[keys - 1];
    }
    head->rows[ROW_REFERENCE_WQ].data[at] = x_norm * uniform_k;
    head->rows[ROW_REFERENCE_WK].data[at] = q_norm * uniform_x;
    if (isnan(slopes->others)) {
        head->rows[ROW_GRADIENT_WQ].data[at] =
            x_norm * gradient_row_general(keys, d_k, slopes, k, scratch);
        head->rows[ROW_GRADIENT_WK].data[at] =
            q_norm * gradient_row_general(keys, d, slopes, x, scratch);
        return;
    }
    struct waiting_rows *waiting = &part->space->waiting;
    struct gradient_block *block = &waiting->block;
    block->rows[block->count] =
        (struct gradient_row){slopes->a, keys, slopes->arg_max, slopes->others};
    waiting->row[block->count] = row;
    waiting->at[block->count] = at;
    block->count++;
    if (block->count == GRADIENT_BLOCK) {
        head_finish_gradients(part);
    }
}

void head_finish_gradients(const struct rows_part *part)
{
    struct head *head = part->head;
    const struct rows_task *task = part->task;
    struct waiting_rows *waiting = &part->space->waiting;
    struct gradient_block *block = &waiting->block;
    if (block->count == 0) {
        return;
    }
    size_t n = task->shape.tokens;
    block->n = n;
    block->shares = part->space->shares.data;
    gradient_share(block);
    const struct projections *projections = task->projections;
    double over_keys[ROW_BLOCK];
    double over_input[ROW_BLOCK];
    double *scratch = part->space->gradients.data;
    gradient_measure(block, &task->weighed_keys->vectors, scratch, over_keys);
    gradient_measure(block, &task->weighed_input->vectors, scratch, over_input);
    for (size_t i = 0; i < block->count; i++) {
        size_t row = waiting->row[i];
        size_t at = waiting->at[i];
        double factor = head_row_factor(task, block->rows[i].keys);
        double x_norm = task->guarded->row_norms.data[row] * factor;
        double q_norm = projections->q_norms.data[row] * factor;
        head->rows[ROW_GRADIENT_WQ].data[at] = x_norm * over_keys[i];
        head->rows[ROW_GRADIENT_WK].data[at] = q_norm * over_input[i];
    }
    block->count = 0;
}

/* Keys as the projection of query `row` sees them. */
static void pull_keys(const struct rows_part *part, size_t row, size_t keys)
{
    const struct rows_task *task = part->task;
    size_t d_k = task->shape.d_k;
    for (size_t j = 0; j < keys; j++) {
        query_key_pull_back(&task->query_key, d_k, row, task->q + row * d_k,
                            part->head->adjusted.q_divisors.data[row], task->k + j * d_k,
                            part->space->pulled.data + j * d_k);
    }
}

/* Query `row` as the projection of each key sees it. */
static void pull_query(const struct rows_part *part, size_t row, size_t keys)
{
    const struct rows_task *task = part->task;
    size_t d_k = task->shape.d_k;
    for (size_t j = 0; j < keys; j++) {
        query_key_pull_back(&task->query_key, d_k, j, task->k + j * d_k,
                            part->head->adjusted.k_divisors.data[j], task->q + row * d_k,
                            part->space->pulled.data + j * d_k);
    }
}

static void measure_adjusted(const struct rows_part *part, size_t row, size_t keys,
                             const struct row_slopes *slopes, size_t at)
{
    struct head *head = part->head;
    const struct rows_task *task = part->task;
    size_t d_k = task->shape.d_k;
    double *pulled = part->space->pulled.data;
    double *scratch = part->space->scratch.data;
    double x_norm = task->guarded->row_norms.data[row];
    for (size_t j = 0; j < keys; j++) {
        part->space->even.data[j] = 1 / (double)keys;
    }
    const struct row_slopes even = {part->space->even.data, part->space->even.data, NULL, 0,
                                    (double)NAN};
    pull_keys(part, row, keys);
    head->rows[ROW_GRADIENT_WQ].data[at] =
        x_norm * row_gradient(keys, d_k, slopes, pulled, scratch);
    head->rows[ROW_REFERENCE_WQ].data[at] =
        x_norm * gradient_row_uniform(keys, d_k, pulled, scratch);
    pull_query(part, row, keys);
    const struct row_slopes *const sets[OUTER_SETS] = {slopes, &even};
    const struct guarded *gram = task->input_grams;
    const struct outer_vectors vectors = {task->shape.tokens, task->shape.d_model, d_k,
                                          task->guarded->x,
                                          gram->gram_known ? gram->gram.data : NULL};
    double norms[OUTER_SETS] = {0, (double)NAN};
    gradient_outer(&vectors, keys, pulled, task->input->no_ratios ? 1 : OUTER_SETS, sets,
                   part->space->outer_rows.data, part->space->outer.data, norms);
    head->rows[ROW_GRADIENT_WK].data[at] = norms[0];
    head->rows[ROW_REFERENCE_WK].data[at] = norms[1];
    for (int array = ROW_GRADIENT_WQ; array <= ROW_REFERENCE_WK; array++) {
        head->rows[array].data[at] *= head_row_factor(task, keys);
    }
}

void head_measure_row_gradients(struct rows_part *part, size_t row, size_t keys,
                                const struct row_slopes *slopes, size_t at)
{
    const struct rows_task *task = part->task;
    if (task->upstream_drawn) {
        head_take_upstream(part, row, keys, slopes);
        return;
    }
    if (task->guarded == NULL || task->input->no_gradients) {
        for (int array = ROW_GRADIENT_WQ; array <= ROW_REFERENCE_WK; array++) {
            part->head->rows[array].data[at] = (double)NAN;
        }
        return;
    }
    if (query_key_is_plain(&task->query_key)) {
        measure_plain(part, row, keys, slopes, at);
    } else {
        measure_adjusted(part, row, keys, slopes, at);
    }
}

void head_add_lone_gradients(struct rows_part *part, size_t row, const struct row_slopes *slopes)
{
    struct rows_totals *totals = &part->totals;
    const struct buffer *rows = part->head->rows;
    size_t at = part->first + totals->measured; /* which the next row takes */
    head_measure_row_gradients(part, row, 1, slopes, at);
    if (!part->task->upstream_drawn) {
        totals->alone_wq = hypot(totals->alone_wq, rows[ROW_GRADIENT_WQ].data[at]);
        totals->alone_wk = hypot(totals->alone_wk, rows[ROW_GRADIENT_WK].data[at]);
    }
}
