/* SPDX-License-Identifier: MIT */
/* The rows of the score matrix, a block at a time: no (n, n) matrix is held unless asked for. */
#include "attention/attention_internal.h"
#include "numeric/lanes.h"
#include "numeric/product.h"

#include <math.h>
#include <string.h>

/* A score of -infinity that was given is a masked key, not a score. */
static bool is_masked(const struct rows_task *task, size_t i, size_t j)
{
    return task->given != NULL && task->given[i * task->shape.tokens + j] == -(double)INFINITY;
}

/* Adds one score to the totals. */
static void add_score(double score, struct rows_totals *totals)
{
    double size = fabs(score);
    /* The comparison with NaN is false, so a NaN comes in and stays. */
    totals->abs_max = size <= totals->abs_max || isnan(totals->abs_max) ? totals->abs_max : size;
    totals->maximum = score <= totals->maximum || isnan(totals->maximum) ? totals->maximum : score;
    totals->nonfinite += !isfinite(score);
}

/* The least and the largest of n >= 1 scores; false unless all are finite. */
MANY_TARGETS(bool, find_ends, (size_t n, const double *scores, double *least, double *largest),
             (n, scores, least, largest))
{
    lanes low = scores[0] + (lanes){0};
    lanes high = low;
    for (size_t j = 0; j + LANES <= n; j += LANES) {
        lanes below = *(const lanes *)(scores + j);
        lanes above = below;
        lanes_order(&low, &above);
        lanes_order(&below, &high);
    }
    *least = low[0];
    *largest = high[0];
    for (size_t lane = 1; lane < LANES; lane++) {
        *least = low[lane] < *least ? low[lane] : *least;
        *largest = high[lane] > *largest ? high[lane] : *largest;
    }
    for (size_t j = n - n % LANES; j < n; j++) {
        *least = scores[j] < *least ? scores[j] : *least;
        *largest = scores[j] > *largest ? scores[j] : *largest;
    }
    return lanes_finite(n, scores);
}

/* Adds the visible scores of row i to the totals; returns their moments. A row with masked keys is
 * packed into `packed` first. */
static struct moments add_scores(const struct rows_task *task, size_t i, size_t visible,
                                 const double *scores, double *packed, struct rows_totals *totals)
{
    size_t count = visible;
    double least;
    double largest;
    if (visible > 0 && find_ends(visible, scores, &least, &largest)) {
        add_score(least, totals);
        add_score(largest, totals);
    } else {
        count = 0;
        for (size_t j = 0; j < visible; j++) {
            if (!is_masked(task, i, j)) {
                packed[count++] = scores[j];
                add_score(scores[j], totals);
            }
        }
        scores = packed;
    }
    struct moments moments = moments_of(count, scores);
    if (count > 0) {
        totals->scores = moments_merge(totals->scores, moments);
    }
    return moments;
}

/* Copies a row of n to its matrix, NaN or 0 behind the visible keys. */
static void keep_row(size_t n, size_t i, size_t visible, const double *row, double masked,
                     double *matrix)
{
    if (matrix == NULL) {
        return;
    }
    double *out = matrix + i * n;
    memcpy(out, row, visible * sizeof *row);
    for (size_t j = visible; j < n; j++) {
        out[j] = masked;
    }
}

static void store_measures(struct head *head, const struct weighed_row *weighed, size_t at)
{
    const struct row_measures *m = &weighed->measures;
    double keys = (double)weighed->keys;
    struct buffer *rows = head->rows;
    rows[ROW_MAX].data[at] = m->row_max;
    rows[ROW_LOG_ONE_MINUS_MAX].data[at] = m->log_one_minus_row_max;
    rows[ROW_ENTROPY].data[at] = m->entropy;
    rows[ROW_ENTROPY_NORMALISED].data[at] = m->entropy / log(keys);
    rows[ROW_EFFECTIVE_KEYS].data[at] = m->effective_keys;
    rows[ROW_WEIGHT_SUM].data[at] = m->sum;
    rows[ROW_JACOBIAN_NORM].data[at] = m->jacobian_norm;
    /* A single key has no trace to compare its own with. */
    rows[ROW_JACOBIAN_TRACE].data[at] = keys > 1 ? m->jacobian_trace / (1 - 1 / keys) : (double)NAN;
}

/* Row i of the products becomes weights, in place, and its measures go to head->rows. */
static void measure_row(struct head *head, const struct rows_task *task, size_t i, double *row,
                        struct rows_totals *totals)
{
    size_t n = task->shape.tokens;
    size_t visible = score_row_visible(&task->scoring, task->queries, n, i);
    const struct weigh_space space = {head->slope.data, head->share.data, head->unshared.data,
                                      head->remainder.data, head->copy.data};
    double *cap_slopes = task->scoring.cap > 0 ? head->cap_slopes.data : NULL;
    score_row_apply(&task->scoring, visible, row, cap_slopes);
    struct moments moments = add_scores(task, i, visible, row, head->copy.data, totals);
    keep_row(n, i, visible, row, (double)NAN, task->scores);
    struct weighed_row weighed = weigh_row(&task->weighing, visible, row, cap_slopes, &space);
    /* A product that overflows to -infinity is no masked key. */
    weighed.keys = (size_t)moments.count;
    totals->undefined += weighed.state != ROW_DEFINED;
    keep_row(n, i, visible, row, 0, task->weights);
    if (weighed.keys < 2 && weighed.keys < n) {
        return; /* masked keys leave this row nothing to choose */
    }
    size_t at = totals->measured++;
    head->rows[ROW_STD].data[at] = moments_std(moments);
    store_measures(head, &weighed, at);
    head_measure_row_gradients(head, task, i, visible, &weighed.slopes, at);
    for (size_t j = 0; j < visible; j++) {
        head->columns.data[j] += row[j];
    }
}

/* Gives equal keys equal scores, as their products may round differently by their place. */
static void equalise(size_t n, const double *twins, double *row)
{
    for (size_t j = 0; j < n; j++) {
        row[j] = row[(size_t)twins[j]];
    }
}

/* The products of `count` rows from `start` on, into the block. */
static void multiply_block(const struct head *head, const struct rows_task *task, size_t start,
                           size_t count)
{
    size_t n = task->shape.tokens;
    size_t d_k = task->shape.d_k;
    if (task->given != NULL) {
        memcpy(head->block.data, task->given + start * n, count * n * sizeof(double));
    } else {
        product_multiply_strips(count, d_k, n, task->q + start * d_k, task->k_strips,
                                head->block.data, n);
    }
    for (size_t i = 0; task->twins != NULL && i < count; i++) {
        equalise(n, task->twins, head->block.data + i * n);
    }
}

static bool is_expired(const struct rows_task *task)
{
    const struct head_input *input = task->input;
    return input->expired != NULL && input->expired(input->context);
}

struct rows_totals head_measure_rows(struct head *head, const struct rows_task *task)
{
    struct rows_totals totals = {.maximum = -(double)INFINITY};
    size_t n = task->shape.tokens;
    memset(head->columns.data, 0, n * sizeof(double));
    head->waiting.block.count = 0;
    for (size_t start = 0; start < task->queries; start += ROW_BLOCK) {
        size_t rest = task->queries - start;
        size_t count = rest < ROW_BLOCK ? rest : ROW_BLOCK;
        multiply_block(head, task, start, count);
        for (size_t i = start; i < start + count; i++) {
            if (is_expired(task)) {
                return totals;
            }
            measure_row(head, task, i, head->block.data + (i - start) * n, &totals);
        }
        head_finish_gradients(head, task);
    }
    return totals;
}
