/* SPDX-License-Identifier: MIT */
/* The rows of the score matrix, a block at a time: no (n, n) matrix is held unless asked for. */
#include "attention/attention_internal.h"
#include "attention/gradient.h"
#include "attention/softmax.h"
#include "numeric/matrix.h"

#include <math.h>
#include <string.h>

static void add_scores(size_t n, double factor, double *scores, struct rows_totals *totals)
{
    for (size_t j = 0; j < n; j++) {
        double score = scores[j] * factor;
        double size = fabs(score);
        scores[j] = score;
        /* The comparison with NaN is false, so a NaN comes in and stays. */
        totals->abs_max =
            size <= totals->abs_max || isnan(totals->abs_max) ? totals->abs_max : size;
        totals->nonfinite += !isfinite(score);
    }
}

static void keep_row(size_t n, size_t i, const double *row, double *matrix)
{
    if (matrix != NULL) {
        memcpy(matrix + i * n, row, n * sizeof *row);
    }
}

/* Row i of the scores becomes weights, in place, and its measures go to head->rows. */
static void measure_row(struct head *head, const struct rows_task *task, size_t i, double *row)
{
    size_t n = task->shape.tokens;
    const struct guarded *guarded = task->guarded;
    const struct projections *projections = task->projections;
    struct buffer *rows = head->rows;
    struct row_measures m = softmax_row(n, row, row);
    rows[ROW_MAX].data[i] = m.row_max;
    rows[ROW_LOG_ONE_MINUS_MAX].data[i] = m.log_one_minus_row_max;
    rows[ROW_ENTROPY].data[i] = m.entropy;
    rows[ROW_EFFECTIVE_KEYS].data[i] = m.effective_keys;
    rows[ROW_JACOBIAN_NORM].data[i] = m.jacobian_norm;
    rows[ROW_JACOBIAN_TRACE].data[i] = m.jacobian_trace;
    rows[ROW_GRADIENT_WQ].data[i] =
        guarded->row_norms.data[i] * gradient_row(n, task->shape.d_k, row, m.arg_max, m.others,
                                                  projections->k.data, head->scratch.data);
    rows[ROW_GRADIENT_WK].data[i] =
        projections->row_norms.data[i] * gradient_row(n, task->shape.d_model, row, m.arg_max,
                                                      m.others, guarded->x, head->scratch.data);
}

struct rows_totals head_measure_rows(struct head *head, const struct rows_task *task)
{
    struct rows_totals totals = {{0}, 0, 0};
    size_t n = task->shape.tokens;
    size_t d_k = task->shape.d_k;
    const struct projections *projections = task->projections;
    for (size_t start = 0; start < n; start += ROW_BLOCK) {
        size_t count = n - start < ROW_BLOCK ? n - start : ROW_BLOCK;
        matrix_multiply_transposed(count, d_k, n, projections->q.data + start * d_k,
                                   projections->k.data, head->block.data);
        for (size_t i = start; i < start + count; i++) {
            double *row = head->block.data + (i - start) * n;
            add_scores(n, task->factor, row, &totals);
            struct moments moments = moments_of(n, row);
            totals.scores = moments_merge(totals.scores, moments);
            head->rows[ROW_STD].data[i] = moments_std(moments);
            keep_row(n, i, row, task->scores);
            measure_row(head, task, i, row);
            keep_row(n, i, row, task->weights);
        }
    }
    return totals;
}
