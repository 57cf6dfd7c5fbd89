/* SPDX-License-Identifier: MIT */
/* From rows to the measures of a run. Means are over the measured rows; NaN where there are none.
 */
#include "attention/attention_internal.h"
#include "numeric/matrix.h"

#include <math.h>
#include <string.h>

static double row_mean(const struct head *head, size_t count, enum row_array array)
{
    return statistics_mean(count, head->rows[array].data);
}

static double row_median(struct head *head, size_t count, enum row_array array)
{
    memcpy(head->scratch.data, head->rows[array].data, count * sizeof(double));
    return statistics_median(count, head->scratch.data);
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
    return (double)saturated / (double)n; /* NaN without rows */
}

/* The largest mean weight that a key receives. */
static double largest_column(const struct head *head, size_t n, size_t rows)
{
    double largest = 0;
    for (size_t j = 0; j < n; j++) {
        double sum = head->columns.data[j];
        largest = sum <= largest || isnan(largest) ? largest : sum;
    }
    return largest / (double)rows;
}

static void measure_sharpness(struct head *head, size_t rows, double threshold,
                              struct measurement *m)
{
    m->row_max_mean = row_mean(head, rows, ROW_MAX);
    m->row_max_median = row_median(head, rows, ROW_MAX);
    m->log_one_minus_row_max_mean = row_mean(head, rows, ROW_LOG_ONE_MINUS_MAX);
    m->entropy_mean = row_mean(head, rows, ROW_ENTROPY);
    m->entropy_normalised_mean = row_mean(head, rows, ROW_ENTROPY_NORMALISED);
    m->effective_keys_mean = row_mean(head, rows, ROW_EFFECTIVE_KEYS);
    m->weight_sum_mean = row_mean(head, rows, ROW_WEIGHT_SUM);
    m->jacobian_norm_mean = row_mean(head, rows, ROW_JACOBIAN_NORM);
    m->jacobian_norm_median = row_median(head, rows, ROW_JACOBIAN_NORM);
    m->jacobian_rms = statistics_rms(rows, head->rows[ROW_JACOBIAN_NORM].data);
    m->jacobian_trace_mean = row_mean(head, rows, ROW_JACOBIAN_TRACE);
    m->jacobian_trace_median = row_median(head, rows, ROW_JACOBIAN_TRACE);
    m->saturated_rows = saturated_share(head, rows, threshold);
}

/* Per-row terms are lengths, and their root of squares is free of over- and underflow. Under a
 * query/key guard they hold the init guard's factor already. */
void head_summarise_gradients(const struct head *head, const struct rows_task *task,
                              const struct rows_totals *totals, struct head_factors factors,
                              struct measurement *m)
{
    size_t rows = totals->measured;
    /* The sum over no rows would be 0. */
    double wq = (double)NAN;
    double wk = (double)NAN;
    double reference_wq = (double)NAN;
    double reference_wk = (double)NAN;
    if (task->upstream_drawn) { /* nothing by rows */
        const struct upstream_flow *flows = head->upstream.flows;
        wq = flows[0].at_w_q;
        wk = flows[0].at_w_k;
        reference_wq = flows[1].at_w_q;
        reference_wk = flows[1].at_w_k;
    } else if (task->guarded != NULL && !task->input->no_gradients) {
        wq = hypot(matrix_norm(rows, head->rows[ROW_GRADIENT_WQ].data), totals->alone_wq);
        wk = hypot(matrix_norm(rows, head->rows[ROW_GRADIENT_WK].data), totals->alone_wk);
        reference_wq = matrix_norm(rows, head->rows[ROW_REFERENCE_WQ].data);
        reference_wk = matrix_norm(rows, head->rows[ROW_REFERENCE_WK].data);
    }
    double factor = factors.score * (query_key_is_plain(&task->query_key) ? factors.weight : 1);
    m->gradient_wq = fabs(factor) * wq;
    m->gradient_wk = fabs(factor) * wk;
    m->gradient_wq_ratio = wq / reference_wq;
    m->gradient_wk_ratio = wk / reference_wk;
}

/* The mean length of rows (n, d_k). */
static double mean_length(struct head *head, size_t n, size_t d_k, const double *rows)
{
    for (size_t i = 0; i < n; i++) {
        head->scratch.data[i] = matrix_norm(d_k, rows + i * d_k);
    }
    return statistics_mean(n, head->scratch.data);
}

void head_measure_sides(struct head *head, const struct guarded *raw, const struct rows_task *task,
                        struct head_factors factors, struct measurement *m)
{
    const double none = (double)NAN;
    const struct guarded *guarded = task->guarded;
    double n = (double)task->shape.tokens;
    m->raw_input_std = raw == NULL ? none : raw->std;
    m->input_std = guarded == NULL ? none : guarded->std;
    m->input_rms = guarded == NULL ? none : guarded->rms;
    /* |J X|_F of uniform weights is sqrt(sum |x_i - xbar|^2) / n. */
    m->input_token_std =
        guarded == NULL ? none : guarded->uniform * sqrt(n / (double)task->input->shape.d_model);
    m->q_norm = none;
    m->k_norm = none;
    /* What is not adjusted holds Q0 and K0, still without the factor of the init guard. */
    bool plain = query_key_is_plain(&task->query_key);
    double factor = plain ? factors.weight : 1;
    if (task->projections != NULL && plain) {
        m->q_norm = factor * statistics_mean(task->queries, task->projections->q_norms.data);
        m->k_norm = factor * statistics_mean(task->shape.tokens, task->projections->k_norms.data);
    } else if (task->q != NULL) {
        m->q_norm = factor * mean_length(head, task->queries, task->shape.d_k, task->q);
        m->k_norm = factor * mean_length(head, task->shape.tokens, task->shape.d_k, task->k);
    }
}

/* With kappa = score^2 d_k weight^4, M the mean of |x|^2 and T that of |x - xbar|^2, the variance
 * of all scores is expected to be kappa T (2 M - T), that within a row kappa M T: docs/method.md,
 * "Predicted spreads". A norm or rotation of queries and keys, a cap or a mask have no such form,
 * and projections that were given are no draw. */
void head_predict_spreads(const struct rows_task *task, const struct run *run, bool given,
                          struct head_factors factors, struct measurement *m)
{
    m->predicted_score_std = (double)NAN;
    m->predicted_score_row_std = (double)NAN;
    if (task->guarded == NULL || given || !query_key_is_plain(&task->query_key) ||
        run->softcap > 0 || run->mask != MASK_NONE) {
        return;
    }
    double n = (double)task->shape.tokens;
    double length = task->guarded->norm / sqrt(n);
    double deviation = task->guarded->uniform * sqrt(n);
    double factor = fabs(factors.both) * sqrt((double)task->input->shape.d_k) *
                    (task->scoring.log_keys ? log(n) : 1);
    /* |xbar|; rounding may leave less than nothing of it. */
    double common = length <= deviation ? 0 : sqrt(length - deviation) * sqrt(length + deviation);
    m->predicted_score_std = factor * deviation * hypot(length, common);
    m->predicted_score_row_std = factor * deviation * length;
}

void head_summarise_rows(struct head *head, const struct rows_task *task,
                         const struct rows_totals *totals, double threshold, struct measurement *m)
{
    m->score_std = moments_std(totals->scores);
    m->score_row_std = statistics_rms(totals->measured, head->rows[ROW_STD].data);
    bool none = totals->scores.count == 0; /* every key is masked */
    m->score_abs_max = none ? (double)NAN : totals->abs_max;
    m->max_logit = none ? (double)NAN : totals->maximum;
    m->nonfinite = totals->nonfinite;
    m->undefined_rows = totals->undefined;
    m->max_column_mean = task->input->no_columns
                             ? (double)NAN
                             : largest_column(head, task->shape.tokens, totals->measured);
    measure_sharpness(head, totals->measured, threshold, m);
}
