/* SPDX-License-Identifier: MIT */
/* One row of kept scores worked out again, by the same kernels that measured it; see worked.h. */
#include "report/worked.h"

#include "attention/score_row.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* In the order of enum run_precision. */
static enum number_format format_of(const struct run *run)
{
    static const enum number_format formats[] = {FORMAT_FP64, FORMAT_FP32,     FORMAT_FP16,
                                                 FORMAT_BF16, FORMAT_FP8_E4M3, FORMAT_FP8_E5M2};
    return formats[run->precision];
}

/* Exponentials as the run formed them: rounded where it took them as they are. */
static void find_exponentials(const struct run *run, struct worked_row *row)
{
    enum number_format format = format_of(run);
    double largest = -(double)INFINITY;
    for (size_t j = 0; j < row->keys; j++) {
        largest = fmax(largest, row->scores[j]);
    }
    row->total = run->weights == WEIGHTS_SOFTMAX_PLUS_ONE ? 1 : 0;
    for (size_t j = 0; j < row->keys; j++) {
        double exact = exp(row->scores[j]);
        double rounded = format_round(format, exact);
        bool plain = !run->stabilise || !isfinite(rounded);
        row->exponentials[j] = plain ? rounded : exact;
        row->total += row->exponentials[j];
        row->shifted[j] = exp(row->scores[j] - largest);
        row->overflows = row->overflows || (!isfinite(rounded) && !isnan(row->scores[j]));
    }
    row->total = run->stabilise ? row->total : format_round(format, row->total);
}

/* 1 - b where the row has no masked key from the kernel, which loses no digits. */
static void copy_slopes(const struct weighed_row *weighed, const double *unshared,
                        struct worked_row *row)
{
    const struct row_slopes *slopes = &weighed->slopes;
    bool softmax = slopes->a == row->weights;
    for (size_t j = 0; j < row->keys; j++) {
        row->a[j] = slopes->a[j];
        row->b[j] = slopes->b[j];
        row->unshared[j] = softmax || weighed->keys < row->keys ? 1 - slopes->b[j] : unshared[j];
    }
    if (softmax && weighed->state == ROW_DEFINED) {
        row->unshared[slopes->arg_max] = slopes->others;
    }
}

void worked_row_make(const struct result *result, size_t query, struct worked_row *out)
{
    const struct run *run = &result->run;
    const struct score_rule scoring = {.causal = run->mask == MASK_CAUSAL};
    const struct weigh_rule rule = {(enum run_weights)run->weights, format_of(run), run->stabilise};
    double slope[WORKED_KEYS];
    double share[WORKED_KEYS];
    double unshared[WORKED_KEYS];
    double remainder[WORKED_KEYS];
    double copy[WORKED_KEYS];
    const struct weigh_space space = {slope, share, unshared, remainder, copy};
    memset(out, 0, sizeof *out);
    size_t n = result->kept.tokens;
    const double *scores = result->kept.scores + query * n;
    out->keys = score_row_visible(&scoring, result->kept.queries, n, query);
    while (out->keys > 0 && scores[out->keys - 1] == -(double)INFINITY) {
        out->keys--;
    }
    out->hidden = n - out->keys;
    for (size_t j = 0; j < out->keys; j++) {
        out->scores[j] = format_round(format_of(run), scores[j]);
        out->weights[j] = scores[j];
    }
    find_exponentials(run, out);
    const struct weighed_row weighed = weigh_row(&rule, out->keys, out->weights, NULL, &space);
    out->state = weighed.state;
    out->measures = weighed.measures;
    copy_slopes(&weighed, unshared, out);
}

double worked_row_jacobian(const struct worked_row *row, size_t i, size_t j)
{
    return row->a[j] * (i == j ? row->unshared[i] : -row->b[i]);
}

/* How far rounding moves a score that meets the threshold. */
static const double kink_steps = 16;

/* The support of sparsemax is J = I - 1/k among its k keys, of norm sqrt(k - 1). */
static struct worked_kink sparsemax_kink(const struct worked_row *row)
{
    struct worked_kink kink = {0};
    double largest = 0;
    double threshold = (double)NAN;
    size_t strict = 0;
    for (size_t j = 0; j < row->keys; j++) {
        largest = isfinite(row->scores[j]) ? fmax(largest, fabs(row->scores[j])) : largest;
        threshold =
            row->weights[j] == row->measures.row_max ? row->scores[j] - row->weights[j] : threshold;
    }
    for (size_t j = 0; j < row->keys; j++) {
        double above = row->scores[j] - threshold;
        kink.keys[j] = fabs(above) <= kink_steps * DBL_EPSILON * fmax(1, largest);
        kink.count += kink.keys[j];
        strict += above > 0 && !kink.keys[j];
    }
    kink.without = sqrt((double)strict - 1);
    kink.with_all = sqrt((double)(strict + kink.count) - 1);
    return kink;
}

static struct worked_kink argmax_kink(const struct worked_row *row)
{
    struct worked_kink kink = {0};
    double largest = -(double)INFINITY;
    for (size_t j = 0; j < row->keys; j++) {
        largest = fmax(largest, row->scores[j]);
    }
    for (size_t j = 0; j < row->keys; j++) {
        kink.keys[j] = row->scores[j] == largest;
        kink.count += kink.keys[j];
    }
    return kink.count > 1 ? kink : (struct worked_kink){0};
}

struct worked_kink worked_row_kink(const struct result *result, const struct worked_row *row)
{
    if (row->state == ROW_DEFINED && result->run.weights == WEIGHTS_SPARSEMAX) {
        return sparsemax_kink(row);
    }
    if (row->state == ROW_DEFINED && result->run.weights == WEIGHTS_ARGMAX) {
        return argmax_kink(row);
    }
    return (struct worked_kink){0};
}
