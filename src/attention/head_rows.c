/* SPDX-License-Identifier: MIT */
/* The rows of the score matrix, a block at a time: no (n, n) matrix is held unless asked for. */
#include "attention/attention_internal.h"
#include "numeric/lanes.h"
#include "numeric/product.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A score of -infinity that was given is a masked key, not a score. */
static bool is_masked(const struct rows_task *task, size_t i, size_t j)
{
    return task->given != NULL && task->given[i * task->shape.tokens + j] == -(double)INFINITY;
}

/* The larger of the extremes. A comparison with NaN is false, so a NaN comes in and stays. */
static void add_extremes(double abs_max, double maximum, struct rows_totals *totals)
{
    bool smaller = abs_max <= totals->abs_max || isnan(totals->abs_max);
    totals->abs_max = smaller ? totals->abs_max : abs_max;
    bool lower = maximum <= totals->maximum || isnan(totals->maximum);
    totals->maximum = lower ? totals->maximum : maximum;
}

/* Adds one score to the totals. */
static void add_score(double score, struct rows_totals *totals)
{
    add_extremes(fabs(score), score, totals);
    totals->nonfinite += !isfinite(score);
}

void head_add_scores(struct rows_part *part, struct moments scores, double least, double largest)
{
    add_score(least, &part->totals);
    add_score(largest, &part->totals);
    part->totals.scores = moments_merge(part->totals.scores, scores);
}

struct ends {
    double least, largest;
};

PART_OF_TARGETS struct ends ends_of(size_t n, const double *row)
{
    double low[LANES];
    double high[LANES];
    lanes_fill(row[0], low);
    lanes_fill(row[0], high);
    for (size_t j = 0; j + LANES <= n; j += LANES) {
        EACH_LANE
        {
            double score = row[j + lane];
            low[lane] = score < low[lane] ? score : low[lane];
            high[lane] = score > high[lane] ? score : high[lane];
        }
    }
    struct ends ends = {lanes_least(low), lanes_largest(high)};
    for (size_t j = n - n % LANES; j < n; j++) {
        ends.least = row[j] < ends.least ? row[j] : ends.least;
        ends.largest = row[j] > ends.largest ? row[j] : ends.largest;
    }
    return ends;
}

/* The ends of each of some rows of n >= 1 scores; false unless all are finite. */
MANY_TARGETS(bool, find_ends, (size_t rows, size_t n, const double *scores, struct ends *ends),
             (rows, n, scores, ends))
{
    for (size_t r = 0; r < rows; r++) {
        ends[r] = ends_of(n, scores + r * n);
    }
    return lanes_finite(rows * n, scores);
}

/* Adds the visible scores of row i, not all of them finite, to the totals; returns their moments. A
 * row with masked keys is packed into `packed` first. */
static struct moments add_scores(const struct rows_task *task, size_t i, size_t visible,
                                 const double *scores, double *packed, struct rows_totals *totals)
{
    size_t count = 0;
    for (size_t j = 0; j < visible; j++) {
        if (!is_masked(task, i, j)) {
            packed[count++] = scores[j];
            add_score(scores[j], totals);
        }
    }
    struct moments moments = moments_of(count, packed);
    if (count > 0) {
        totals->scores = moments_merge(totals->scores, moments);
    }
    return moments;
}

/* Copies a row of n to its matrix, NaN or 0 behind the visible keys. */
void head_keep_row(size_t n, size_t i, size_t visible, const double *row, double masked,
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

static void store_measures(struct buffer *rows, const struct row_measures *m, double keys,
                           double log_keys, size_t at)
{
    rows[ROW_MAX].data[at] = m->row_max;
    rows[ROW_LOG_ONE_MINUS_MAX].data[at] = m->log_one_minus_row_max;
    rows[ROW_ENTROPY].data[at] = m->entropy;
    rows[ROW_ENTROPY_NORMALISED].data[at] = m->entropy / log_keys;
    rows[ROW_EFFECTIVE_KEYS].data[at] = m->effective_keys;
    rows[ROW_WEIGHT_SUM].data[at] = m->sum;
    rows[ROW_JACOBIAN_NORM].data[at] = m->jacobian_norm;
    /* A single key has no trace to compare its own with. */
    rows[ROW_JACOBIAN_TRACE].data[at] = keys > 1 ? m->jacobian_trace / (1 - 1 / keys) : (double)NAN;
}

bool head_store_row(struct rows_part *part, struct moments scores, const struct row_measures *m,
                    double keys, size_t *at)
{
    if (keys < 2 && keys < (double)part->task->shape.tokens) {
        return false; /* masked keys leave this row nothing to choose */
    }
    if (part->keys != keys) {
        part->keys = keys;
        part->log_keys = log(keys);
    }
    *at = part->first + part->totals.measured++;
    part->head->rows[ROW_STD].data[*at] = moments_std(scores);
    store_measures(part->head->rows, m, keys, part->log_keys, *at);
    return true;
}

/* Products become scores, which are looked at and kept. Returns whether all are finite. */
static bool take_scores(struct rows_part *part, size_t i, size_t count, size_t visible,
                        double *rows, double *cap_slopes, struct moments *moments)
{
    const struct rows_task *task = part->task;
    size_t n = task->shape.tokens;
    struct ends ends[SOFTMAX_ROWS];
    for (size_t r = 0; r < count; r++) {
        score_row_apply(&task->scoring, visible, rows + r * n, cap_slopes);
    }
    bool finite = visible > 0 && find_ends(count, visible, rows, ends);
    if (finite) {
        moments_of_rows(count, visible, rows, moments);
    }
    for (size_t r = 0; r < count; r++) {
        double *row = rows + r * n;
        if (finite) {
            head_add_scores(part, moments[r], ends[r].least, ends[r].largest);
        } else {
            moments[r] =
                add_scores(task, i + r, visible, row, part->space->copy.data, &part->totals);
        }
        head_keep_row(n, i + r, visible, row, (double)NAN, task->scores);
    }
    return finite;
}

static void take_weights(struct rows_part *part, size_t i, size_t visible, const double *row,
                         struct moments moments, const struct weighed_row *weighed)
{
    const struct rows_task *task = part->task;
    part->totals.undefined += weighed->state != ROW_DEFINED;
    head_keep_row(task->shape.tokens, i, visible, row, 0, task->weights);
    size_t at;
    /* By the moments: a product that overflows to -infinity is no masked key. */
    if (head_store_row(part, moments, &weighed->measures, moments.count, &at)) {
        head_measure_row_gradients(part, i, visible, &weighed->slopes, at);
        for (size_t j = 0; j < visible; j++) {
            part->columns[j] += row[j];
        }
    } else if (moments.count == 1 && weigh_moves_alone(&task->weighing)) {
        head_add_lone_gradients(part, i, &weighed->slopes);
    }
}

/* How many rows become weights together. */
static size_t rows_at_once(const struct rows_task *task)
{
    bool plain = weigh_is_plain_softmax(&task->weighing) && task->weighing.format == FORMAT_FP64 &&
                 !(task->scoring.cap > 0) && !task->scoring.causal;
    return plain ? softmax_rows_at_once(task->shape.tokens) : 1;
}

/* Rows from i on, no more than go together: one, or all see the same keys. */
static void measure_rows(struct rows_part *part, size_t i, size_t count, double *rows)
{
    const struct rows_task *task = part->task;
    struct head_space *own = part->space;
    size_t n = task->shape.tokens;
    size_t visible = score_row_visible(&task->scoring, task->queries, n, i);
    const struct weigh_space space = {own->slope.data, own->share.data, own->unshared.data,
                                      own->remainder.data, own->copy.data};
    double *cap_slopes = task->scoring.cap > 0 ? own->cap_slopes.data : NULL;
    struct moments moments[SOFTMAX_ROWS];
    struct row_measures measures[SOFTMAX_ROWS];
    bool finite = take_scores(part, i, count, visible, rows, cap_slopes, moments);
    bool together = finite && count > 1;
    if (together) {
        softmax_rows(count, n, rows, measures);
    }
    for (size_t r = 0; r < count; r++) {
        double *row = rows + r * n;
        struct weighed_row weighed =
            together ? weigh_measured(n, row, measures[r])
                     : weigh_row(&task->weighing, visible, row, cap_slopes, &space);
        take_weights(part, i + r, visible, row, moments[r], &weighed);
    }
}

void head_measure_row(struct rows_part *part, size_t i, double *row)
{
    measure_rows(part, i, 1, row);
}

/* Gives equal keys equal scores, as their products may round differently by their place. */
static void equalise(size_t n, const double *twins, double *row)
{
    for (size_t j = 0; j < n; j++) {
        row[j] = row[(size_t)twins[j]];
    }
}

/* Rows of Q0 K0ᵀ into the block: guards only scale these, so that they stay for runs that follow.
 */
static void recall_products(const struct rows_part *part, size_t start, size_t count)
{
    const struct rows_task *task = part->task;
    struct projections *projections = &part->head->projections;
    size_t n = task->shape.tokens;
    size_t d_k = task->shape.d_k;
    double *block = part->space->block.data;
    bool own = task->k == projections->k.data && head_products_size(n) > 0;
    double *kept = own ? projections->products.data + start * n : NULL;
    if (own && start + count <= projections->products_known) {
        memcpy(block, kept, count * n * sizeof *kept);
        return;
    }
    product_multiply_strips(count, d_k, n, task->q + start * d_k, task->k_strips, block, n);
    if (own && task->input->again && start == projections->products_known) {
        memcpy(kept, block, count * n * sizeof *kept);
        projections->products_known = start + count;
    }
}

/* The products of `count` rows from `start` on, into the block. */
static void multiply_block(const struct rows_part *part, size_t start, size_t count)
{
    const struct rows_task *task = part->task;
    size_t n = task->shape.tokens;
    double *block = part->space->block.data;
    if (task->given != NULL) {
        memcpy(block, task->given + start * n, count * n * sizeof(double));
    } else {
        recall_products(part, start, count);
    }
    for (size_t i = 0; task->twins != NULL && i < count; i++) {
        equalise(n, task->twins, block + i * n);
    }
}

bool head_is_expired(const struct rows_task *task)
{
    const struct head_input *input = task->input;
    return input->expired != NULL && input->expired(input->context);
}

/* Measures rows `start` and on as a whole; false where the time is over. */
static bool measure_whole_block(struct rows_part *part, size_t start, size_t count)
{
    size_t n = part->task->shape.tokens;
    multiply_block(part, start, count);
    size_t most = rows_at_once(part->task);
    for (size_t i = 0; i < count; i += most) {
        if (head_is_expired(part->task)) {
            return false;
        }
        measure_rows(part, start + i, count - i < most ? count - i : most,
                     part->space->block.data + i * n);
    }
    head_finish_gradients(part);
    return true;
}

/* Measures rows `start` and on; false where the time is over. */
static bool measure_block(struct rows_part *part, size_t start, size_t count)
{
    bool drawn = part->task->upstream_drawn;
    if (drawn) {
        head_begin_upstream(part, start, count);
    }
    bool done = head_streams(part->task) ? head_stream_block(part, start, count)
                                         : measure_whole_block(part, start, count);
    if (drawn && done) {
        head_finish_upstream(part, start, count);
    }
    return done;
}

/* Part `place` of those in hand; see crew_part. */
static void measure_part(void *work, size_t place, size_t worker)
{
    struct head *head = work;
    struct rows_part *part = &head->parts[place];
    size_t n = part->task->shape.tokens;
    part->space = &head->spaces[worker];
    part->space->waiting.block.count = 0;
    memset(part->columns, 0, n * sizeof(double));
    size_t end = part->first + part->count;
    for (size_t start = part->first; start < end && !part->expired; start += ROW_BLOCK) {
        size_t rest = end - start;
        part->expired = !measure_block(part, start, rest < ROW_BLOCK ? rest : ROW_BLOCK);
    }
}

/* Adds what a part has to the totals, and moves its rows up to those before. */
static void merge_part(const struct rows_part *part, struct rows_totals *totals)
{
    struct head *head = part->head;
    const struct rows_totals *more = &part->totals;
    if (more->scores.count > 0) {
        add_extremes(more->abs_max, more->maximum, totals);
        totals->scores = moments_merge(totals->scores, more->scores);
    }
    totals->nonfinite += more->nonfinite;
    totals->undefined += more->undefined;
    totals->alone_wq = hypot(totals->alone_wq, more->alone_wq);
    totals->alone_wk = hypot(totals->alone_wk, more->alone_wk);
    for (int array = 0; totals->measured != part->first && array < ROW_ARRAY_COUNT; array++) {
        double *rows = head->rows[array].data;
        memmove(rows + totals->measured, rows + part->first, more->measured * sizeof *rows);
    }
    totals->measured += more->measured;
    size_t n = part->task->shape.tokens;
    for (size_t j = 0; part->columns != head->columns.data && j < n; j++) {
        head->columns.data[j] += part->columns[j];
    }
}

/* Sets up the next parts, from row `first` on; returns how many. */
static size_t make_parts(struct head *head, const struct rows_task *task, size_t first)
{
    struct crew *crew = task->input->crew;
    size_t n = task->shape.tokens;
    size_t most = PARTS_A_WORKER * (crew == NULL ? 1 : crew->hands);
    bool one = task->queries <= HEAD_ROWS_OF_ONE;
    size_t rows = one ? task->queries : ROW_BLOCK;
    size_t count = 0;
    for (; count < most && first < task->queries; count++) {
        size_t rest = task->queries - first;
        head->parts[count] = (struct rows_part){
            .head = head,
            .task = task,
            .first = first,
            .count = rest < rows ? rest : rows,
            .columns = one ? head->columns.data : head->part_columns.data + count * n,
            .totals = {.maximum = -(double)INFINITY}};
        first += head->parts[count].count;
    }
    return count;
}

/* The rows before `first` are done; under a causal mask each has one key more than the last. */
static void tell(const struct rows_task *task, size_t first)
{
    const struct head_input *input = task->input;
    double share = (double)first / (double)task->queries;
    if (input->advance != NULL && first < task->queries) {
        input->advance(input->context, task->scoring.causal ? share * share : share);
    }
}

struct rows_totals head_measure_rows(struct head *head, const struct rows_task *task)
{
    struct rows_totals totals = {.maximum = -(double)INFINITY};
    bool expired = false;
    size_t first = 0;
    assert(task->input->crew == NULL || task->input->crew->hands <= head->worker_count);
    memset(head->columns.data, 0, task->shape.tokens * sizeof(double));
    head_prepare_gradients(head, task);
    if (task->upstream_drawn) {
        head_prepare_upstream(head, task);
    }
    while (first < task->queries && !expired) {
        size_t count = make_parts(head, task, first);
        crew_work(task->input->crew, count, measure_part, head);
        for (size_t i = 0; i < count; i++) {
            merge_part(&head->parts[i], &totals);
            expired = expired || head->parts[i].expired;
            first += head->parts[i].count;
        }
        if (task->upstream_drawn && !expired) {
            head_gather_upstream(head, task, count);
        }
        if (!expired) {
            tell(task, first);
        }
    }
    if (task->upstream_drawn && !expired) {
        head_conclude_upstream(head, task);
    }
    return totals;
}
