/* SPDX-License-Identifier: MIT */
/* Gradients at W_Q and W_K of one row. Plain queries and keys factor: |x_i| |J K0| and |q_i| |J X|.
 * A norm or a rotation between projection and product gives each pair of places a derivative of its
 * own (docs/method.md, "Gradients through the query/key guard"). */
#include "attention/attention_internal.h"
#include "attention/gradient.h"

#include <math.h>

/* |J V|_F of a row, by the form that fits its weights. */
static double row_gradient(size_t n, size_t d, const struct row_slopes *slopes, const double *v,
                           double *scratch)
{
    if (!isnan(slopes->others)) {
        return gradient_row(n, d, slopes->a, slopes->arg_max, slopes->others, v, scratch);
    }
    return gradient_row_general(n, d, slopes, v, scratch);
}

static void measure_plain(struct head *head, const struct rows_task *task, size_t row, size_t keys,
                          const struct row_slopes *slopes, size_t at)
{
    size_t d = task->shape.d_model;
    size_t d_k = task->shape.d_k;
    const double *x = task->guarded->x;
    const double *k = task->projections->k.data;
    double *scratch = head->scratch.data;
    double x_norm = task->guarded->row_norms.data[row];
    double q_norm = task->projections->q_norms.data[row];
    bool all = keys == task->shape.tokens;
    double uniform_k =
        all ? task->projections->uniform : gradient_row_uniform(keys, d_k, k, scratch);
    double uniform_x = all ? task->guarded->uniform : gradient_row_uniform(keys, d, x, scratch);
    head->rows[ROW_GRADIENT_WQ].data[at] = x_norm * row_gradient(keys, d_k, slopes, k, scratch);
    head->rows[ROW_GRADIENT_WK].data[at] = q_norm * row_gradient(keys, d, slopes, x, scratch);
    head->rows[ROW_REFERENCE_WQ].data[at] = x_norm * uniform_k;
    head->rows[ROW_REFERENCE_WK].data[at] = q_norm * uniform_x;
}

/* Keys as the projection of query `row` sees them. */
static void pull_keys(struct head *head, const struct rows_task *task, size_t row, size_t keys)
{
    size_t d_k = task->shape.d_k;
    for (size_t j = 0; j < keys; j++) {
        query_key_pull_back(&task->query_key, d_k, row, task->q + row * d_k,
                            head->adjusted.q_divisors.data[row], task->k + j * d_k,
                            head->adjusted.pulled.data + j * d_k);
    }
}

/* Query `row` as the projection of each key sees it. */
static void pull_query(struct head *head, const struct rows_task *task, size_t row, size_t keys)
{
    size_t d_k = task->shape.d_k;
    for (size_t j = 0; j < keys; j++) {
        query_key_pull_back(&task->query_key, d_k, j, task->k + j * d_k,
                            head->adjusted.k_divisors.data[j], task->q + row * d_k,
                            head->adjusted.pulled.data + j * d_k);
    }
}

static void measure_adjusted(struct head *head, const struct rows_task *task, size_t row,
                             size_t keys, const struct row_slopes *slopes, size_t at)
{
    size_t d = task->shape.d_model;
    size_t d_k = task->shape.d_k;
    const double *x = task->guarded->x;
    double *pulled = head->adjusted.pulled.data;
    double *outer = head->adjusted.outer.data;
    double *scratch = head->scratch.data;
    double x_norm = task->guarded->row_norms.data[row];
    for (size_t j = 0; j < keys; j++) {
        head->even.data[j] = 1 / (double)keys;
    }
    const struct row_slopes even = {head->even.data, head->even.data, NULL, 0, (double)NAN};
    pull_keys(head, task, row, keys);
    head->rows[ROW_GRADIENT_WQ].data[at] =
        x_norm * row_gradient(keys, d_k, slopes, pulled, scratch);
    head->rows[ROW_REFERENCE_WQ].data[at] =
        x_norm * gradient_row_uniform(keys, d_k, pulled, scratch);
    pull_query(head, task, row, keys);
    head->rows[ROW_GRADIENT_WK].data[at] =
        gradient_row_outer(keys, d, d_k, slopes, x, pulled, outer);
    head->rows[ROW_REFERENCE_WK].data[at] =
        gradient_row_outer(keys, d, d_k, &even, x, pulled, outer);
}

void head_measure_row_gradients(struct head *head, const struct rows_task *task, size_t row,
                                size_t keys, const struct row_slopes *slopes, size_t at)
{
    if (task->guarded == NULL || task->input->no_gradients) {
        for (int array = ROW_GRADIENT_WQ; array <= ROW_REFERENCE_WK; array++) {
            head->rows[array].data[at] = (double)NAN;
        }
        return;
    }
    if (query_key_is_plain(&task->query_key)) {
        measure_plain(head, task, row, keys, slopes, at);
    } else {
        measure_adjusted(head, task, row, keys, slopes, at);
    }
    /* The factor of all rows is left to the summary, but rows may differ in their keys. */
    double factor = task->scoring.log_keys ? log((double)keys) : 1;
    for (int array = ROW_GRADIENT_WQ; array <= ROW_REFERENCE_WK; array++) {
        head->rows[array].data[at] *= factor;
    }
}
