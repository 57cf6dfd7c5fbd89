/* SPDX-License-Identifier: MIT */
/* One drawn upstream gradient, from the weights to W_Q and W_K by products (docs/method.md, "One
 * drawn upstream"). What reaches the scores, (n, n), is held for the parts in hand only. Queries
 * get theirs part by part. What keys get is summed over the rows in their order, all parts in hand
 * at a time: some keys each by whoever is free, so that no bit depends on who does what. */
#include "attention/attention_internal.h"
#include "base/random.h"
#include "numeric/lanes.h"
#include "numeric/matrix.h"
#include "numeric/product.h"

#include <math.h>
#include <string.h>

/* Rows of up to so many keys lie side by side. */
#define KEYS_SIDE_BY_SIDE ((size_t)1024)
/* Keys whose strips lie together. */
#define KEYS_AT_ONCE ((size_t)384)
/* Columns of a product that one hand makes, and the rows that it takes at a time: they stay in the
 * second cache. */
#define COLUMNS_A_PART ((size_t)128)
#define ROWS_AT_ONCE (2 * ROW_BLOCK)

static size_t apart_of(size_t n)
{
    return n <= KEYS_SIDE_BY_SIDE ? n : n + LANES;
}

static size_t whole_strips(size_t columns)
{
    return product_strips_size(1, columns);
}

static bool reserve_flow(struct head *head, struct upstream_flow *flow, struct head_shape shape,
                         struct error *err)
{
    size_t n = shape.tokens;
    size_t rows = PARTS_A_WORKER * head->worker_count * ROW_BLOCK;
    size_t held = n <= HEAD_ROWS_OF_ONE ? smaller(n, ROW_BLOCK) : rows;
    return head_grow(head, &flow->at_scores, held * apart_of(n), err) &&
           head_grow(head, &flow->at_q, n * shape.d_k, err) &&
           head_grow(head, &flow->at_k, shape.d_k * apart_of(n), err);
}

bool head_reserve_upstream(struct head *head, struct head_shape shape, struct error *err)
{
    struct upstream *upstream = &head->upstream;
    size_t n = shape.tokens;
    size_t d_k = shape.d_k;
    size_t rows = smaller(n, PARTS_A_WORKER * head->worker_count * ROW_BLOCK);
    return reserve_flow(head, &upstream->flows[0], shape, err) &&
           reserve_flow(head, &upstream->flows[1], shape, err) &&
           head_grow(head, &upstream->keys, n * whole_strips(d_k), err) &&
           head_grow(head, &upstream->queries, d_k * rows, err) &&
           head_grow(head, &upstream->turned, d_k * n, err) &&
           head_grow(head, &upstream->entries,
                     PARTS_A_WORKER * head->worker_count * ROW_BLOCK * UPSTREAM_FEW *
                         sizeof(struct upstream_entry) / sizeof(double),
                     err) &&
           head_grow(head, &upstream->lengths, shape.d_model / COLUMNS_A_PART + 1, err) &&
           head_grow_spaces(head, offsetof(struct head_space, strips),
                            ROWS_AT_ONCE * COLUMNS_A_PART, err) &&
           head_grow_spaces(head, offsetof(struct head_space, sums), d_k * COLUMNS_A_PART, err) &&
           head_reserve_grams(head, shape, err);
}

/* Takes eight numbers from eight. */
static void subtract(const double *numbers, double *restrict from)
{
    EACH_LANE
    {
        from[lane] -= numbers[lane];
    }
}

/* Rows of `columns` numbers, `apart` numbers from one to the next, less the origin where there is
 * one: as strips of which each has `height` rows. */
static void make_strips(size_t rows, size_t columns, const double *from, size_t apart,
                        const double *origin, size_t height, double *strips)
{
    for (size_t l = 0; l < rows; l++) {
        for (size_t c = 0; c < columns; c += LANES) {
            lanes rest[2];
            double *strip = strips + c * height + l * LANES;
            memcpy(strip, lanes_of(columns - c, from + l * apart + c, &rest[0]), sizeof(lanes));
            if (origin != NULL) {
                subtract(lanes_of(columns - c, origin + c, &rest[1]), strip);
            }
        }
    }
}

/* What the products are made of and added to. */
static void prepare_products(struct head *head, const struct rows_task *task)
{
    struct upstream *upstream = &head->upstream;
    size_t n = task->shape.tokens;
    size_t d_k = task->shape.d_k;
    for (size_t f = 0; f < upstream->flow_count; f++) {
        memset(upstream->flows[f].at_k.data, 0, d_k * upstream->apart * sizeof(double));
    }
    for (size_t first = 0; first < n; first += KEYS_AT_ONCE) {
        size_t count = smaller(n - first, KEYS_AT_ONCE);
        make_strips(count, d_k, task->k + first * d_k, d_k, upstream->balanced ? task->k : NULL,
                    count, upstream->keys.data + first * whole_strips(d_k));
    }
}

void head_prepare_upstream(struct head *head, const struct rows_task *task)
{
    struct upstream *upstream = &head->upstream;
    upstream->flow_count = task->input->no_ratios ? 1 : 2;
    upstream->apart = apart_of(task->shape.tokens);
    upstream->balanced = weigh_is_balanced(&task->weighing) && !(task->scoring.cap > 0);
    upstream->by_grams = head_has_grams(task);
    upstream->longest_key = matrix_largest(task->shape.tokens, head->projections.k_norms.data);
    upstream->longest_input = matrix_largest(task->shape.tokens, task->guarded->row_norms.data);
    for (size_t f = 0; f < 2; f++) {
        upstream->flows[f].exponent = 0;
        upstream->flows[f].at_w_q = (double)NAN;
        upstream->flows[f].at_w_k = (double)NAN;
    }
    if (upstream->by_grams) {
        head_prepare_grams(head, task);
    } else {
        prepare_products(head, task);
    }
}

/* Row `slot` of the block of a part. */
double *head_upstream_row(const struct rows_part *part, size_t flow, size_t slot)
{
    const struct head *head = part->head;
    size_t place = (size_t)(part - head->parts);
    const struct upstream *upstream = &head->upstream;
    return upstream->flows[flow].at_scores.data + (place * ROW_BLOCK + slot) * upstream->apart;
}

void head_begin_upstream(struct rows_part *part, size_t start, size_t count)
{
    const struct rows_task *task = part->task;
    memset(part->taken, 0, sizeof part->taken);
    memset(part->few, 0, sizeof part->few);
    part->taken_count = 0;
    part->few_count = 0;
    part->entries = 0;
    if (part->head->upstream.by_grams) {
        random_normal_rows(task->seed, RANDOM_UPSTREAM, (uint32_t)start, count, task->shape.tokens,
                           head_upstream_row(part, 0, 0));
    }
}

static void multiply_row(size_t n, double factor, double *row)
{
    for (size_t j = 0; factor != 1 && j < n; j++) {
        row[j] *= factor;
    }
}

void head_take_upstream(struct rows_part *part, size_t row, size_t keys,
                        const struct row_slopes *slopes)
{
    const struct rows_task *task = part->task;
    const struct upstream *upstream = &part->head->upstream;
    size_t n = task->shape.tokens;
    size_t slot = (row - part->first) % ROW_BLOCK;
    double *own = head_upstream_row(part, 0, slot);
    double factor = head_row_factor(task, keys);
    bool few = head_take_few(part, row, keys, slopes);
    part->taken[slot] = true;
    part->taken_count++;
    if (!upstream->by_grams && (!few || upstream->flow_count > 1)) {
        random_normal_rows(task->seed, RANDOM_UPSTREAM, (uint32_t)row, 1, n, own);
    }
    if (upstream->flow_count > 1) {
        double *uniform = head_upstream_row(part, 1, slot);
        upstream_row_uniform(keys, own, uniform);
        multiply_row(keys, factor, uniform);
        memset(uniform + keys, 0, (n - keys) * sizeof *uniform);
    }
    if (!few) {
        upstream_row(keys, slopes, own);
        multiply_row(keys, factor, own);
        upstream_drop_subnormal(keys, own);
        memset(own + keys, 0, (n - keys) * sizeof *own);
    }
}

/* What reaches the queries of a block: what reaches their scores, times the keys that they see. */
static void multiply_keys(const struct rows_part *part, size_t flow, size_t start, size_t count)
{
    const struct rows_task *task = part->task;
    const struct upstream *upstream = &part->head->upstream;
    size_t d_k = task->shape.d_k;
    size_t n = task->shape.tokens;
    size_t seen = task->scoring.causal ? start + count : n;
    double *out = upstream->flows[flow].at_q.data + start * d_k;
    memset(out, 0, count * d_k * sizeof *out);
    if (flow == 0 && head_is_few(part)) {
        head_multiply_few(part, out);
        return;
    }
    for (size_t first = 0; first < seen; first += KEYS_AT_ONCE) {
        product_add_strips(count, smaller(n - first, KEYS_AT_ONCE), d_k,
                           head_upstream_row(part, flow, 0) + first, upstream->apart,
                           upstream->keys.data + first * whole_strips(d_k), out, d_k);
    }
}

/* Rows whose part in what reaches the keys is added. */
struct gathering {
    struct head *head;
    const struct rows_task *task;
    size_t first, count; /* rows, side by side in the blocks from the first part on */
};

/* Rows from `row` on that one product takes: of blocks side by side that need one. */
static size_t rows_at_once(const struct gathering *gathering, size_t flow, size_t row)
{
    const struct rows_part *parts = gathering->head->parts;
    size_t end = row;
    while (end < gathering->count && end - row < ROWS_AT_ONCE &&
           !(flow == 0 && head_is_few(&parts[end / ROW_BLOCK]))) {
        end = smaller(end + ROW_BLOCK, gathering->count);
    }
    return end - row;
}

/* The keys of one part, over the rows in their order. */
static void gather_keys(void *work, size_t place, size_t hand)
{
    const struct gathering *gathering = work;
    struct head *head = gathering->head;
    const struct upstream *upstream = &head->upstream;
    const struct rows_task *task = gathering->task;
    double *strips = head->spaces[hand].strips.data;
    size_t d_k = task->shape.d_k;
    size_t key = place * COLUMNS_A_PART;
    size_t width = smaller(task->shape.tokens - key, COLUMNS_A_PART);
    for (size_t f = 0; f < upstream->flow_count; f++) {
        const struct upstream_flow *flow = &upstream->flows[f];
        size_t rows = 0;
        for (size_t row = 0; row < gathering->count; row += rows) {
            rows = rows_at_once(gathering, f, row);
            if (rows == 0) {
                head_gather_few(&head->parts[row / ROW_BLOCK],
                                task->q + (gathering->first + row) * d_k, key, width);
                rows = ROW_BLOCK;
            } else if (!task->scoring.causal || gathering->first + row + rows > key) {
                make_strips(rows, width, flow->at_scores.data + row * upstream->apart + key,
                            upstream->apart, NULL, rows, strips);
                product_add_strips(d_k, rows, width, upstream->queries.data + row, gathering->count,
                                   strips, flow->at_k.data + key, upstream->apart);
            }
        }
    }
}

static void gather(struct gathering *gathering, struct crew *crew)
{
    const struct rows_task *task = gathering->task;
    size_t n = task->shape.tokens;
    size_t d_k = task->shape.d_k;
    product_transpose(gathering->count, d_k, task->q + gathering->first * d_k,
                      gathering->head->upstream.queries.data);
    crew_work(crew, (n + COLUMNS_A_PART - 1) / COLUMNS_A_PART, gather_keys, gathering);
}

/* The products of a block that no other follows. */
static void multiply_block(struct head *head, const struct rows_task *task, size_t start,
                           size_t count)
{
    for (size_t f = 0; f < head->upstream.flow_count; f++) {
        multiply_keys(&head->parts[0], f, start, count);
    }
    struct gathering gathering = {head, task, start, count};
    gather(&gathering, NULL);
}

void head_finish_upstream(struct rows_part *part, size_t start, size_t count)
{
    const struct rows_task *task = part->task;
    const struct upstream *upstream = &part->head->upstream;
    if (!head_is_few(part)) {
        head_spread_few(part);
    }
    for (size_t f = 0; f < upstream->flow_count; f++) {
        for (size_t slot = 0; slot < count; slot++) {
            if (!part->taken[slot]) {
                memset(head_upstream_row(part, f, slot), 0, task->shape.tokens * sizeof(double));
            }
        }
        if (task->queries > HEAD_ROWS_OF_ONE) {
            multiply_keys(part, f, start, count);
        }
    }
    if (task->queries <= HEAD_ROWS_OF_ONE && !upstream->by_grams) {
        multiply_block(part->head, task, start, count);
    }
}

void head_gather_upstream(struct head *head, const struct rows_task *task, size_t parts)
{
    if (task->queries > HEAD_ROWS_OF_ONE) {
        const struct rows_part *last = &head->parts[parts - 1];
        size_t first = head->parts[0].first;
        struct gathering gathering = {head, task, first, last->first + last->count - first};
        gather(&gathering, task->input->crew);
    }
}

/* |gᵀ X|_F, with g (d_k, n) transposed. */
struct last_product {
    struct head *head;
    const struct rows_task *task;
    double *g;
    size_t apart;
    bool balanced;       /* X is moved, its first row to 0 */
    const double *first; /* what its first row takes (d_k) when it is; NULL: nothing */
};

static void multiply_input(void *work, size_t place, size_t hand)
{
    const struct last_product *product = work;
    struct head *head = product->head;
    const struct rows_task *task = product->task;
    double *strips = head->spaces[hand].strips.data;
    double *sums = head->spaces[hand].sums.data;
    size_t n = task->shape.tokens;
    size_t d = task->shape.d_model;
    size_t d_k = task->shape.d_k;
    const double *x = task->guarded->x + place * COLUMNS_A_PART;
    size_t width = smaller(d - place * COLUMNS_A_PART, COLUMNS_A_PART);
    memset(sums, 0, d_k * width * sizeof *sums);
    for (size_t row = 0; row < n; row += ROWS_AT_ONCE) {
        size_t rows = smaller(n - row, ROWS_AT_ONCE);
        make_strips(rows, width, x + row * d, d, product->balanced ? x : NULL, rows, strips);
        product_add_strips(d_k, rows, width, product->g + row, product->apart, strips, sums, width);
    }
    for (size_t c = 0; product->first != NULL && c < d_k; c++) {
        for (size_t l = 0; l < width; l++) {
            sums[c * width + l] += product->first[c] * x[l];
        }
    }
    head->upstream.lengths.data[place] = matrix_norm(d_k * width, sums);
}

static double length_at_weights(struct last_product product)
{
    size_t parts = (product.task->shape.d_model + COLUMNS_A_PART - 1) / COLUMNS_A_PART;
    upstream_drop_subnormal(product.task->shape.d_k * product.apart, product.g);
    crew_work(product.task->input->crew, parts, multiply_input, &product);
    return matrix_norm(parts, product.head->upstream.lengths.data);
}

/* Gradients at finished queries or keys become those at their projections, in place. */
static void pull_back(const struct rows_task *task, const double *finished, const double *divisors,
                      double *scratch, double *g)
{
    size_t d_k = task->shape.d_k;
    for (size_t i = 0; i < task->shape.tokens; i++) {
        query_key_pull_back(&task->query_key, d_k, i, finished + i * d_k, divisors[i], g + i * d_k,
                            scratch);
        memcpy(g + i * d_k, scratch, d_k * sizeof *g);
    }
}

/* Those at finished keys. What all of them bring to a row that they share is put into `first`: as
 * their sum is 0, it is what each becomes beside what the first key would make of it, and 0 where
 * keys are equal. */
static void pull_back_keys(struct head *head, const struct rows_task *task, double *g,
                           double *first)
{
    const struct query_key_rule *rule = &task->query_key;
    const double *divisors = head->adjusted.k_divisors.data;
    size_t d_k = task->shape.d_k;
    double *own = head->scratch.data;
    double *other = own + d_k;
    memset(first, 0, d_k * sizeof *first);
    for (size_t j = 0; j < task->shape.tokens; j++) {
        double *at = g + j * d_k;
        query_key_pull_back(rule, d_k, j, task->k + j * d_k, divisors[j], at, own);
        query_key_pull_back(rule, d_k, 0, task->k, divisors[0], at, other);
        for (size_t c = 0; c < d_k; c++) {
            first[c] += own[c] - other[c];
        }
        memcpy(at, own, d_k * sizeof *at);
    }
}

static void conclude(struct head *head, const struct rows_task *task, size_t f)
{
    struct upstream *upstream = &head->upstream;
    struct upstream_flow *flow = &upstream->flows[f];
    size_t n = task->shape.tokens;
    size_t d_k = task->shape.d_k;
    bool plain = query_key_is_plain(&task->query_key);
    bool balanced = upstream->balanced || f == 1;
    double *rows = flow->at_q.data;
    double *turned = upstream->turned.data;
    if (!plain) {
        pull_back(task, task->q, head->adjusted.q_divisors.data, head->scratch.data, rows);
    }
    product_transpose(n, d_k, rows, turned);
    flow->at_w_q = length_at_weights((struct last_product){head, task, turned, n, false, NULL});
    if (plain) {
        flow->at_w_k = length_at_weights(
            (struct last_product){head, task, flow->at_k.data, upstream->apart, balanced, NULL});
        return;
    }
    for (size_t c = 0; c < d_k; c++) {
        memcpy(turned + c * n, flow->at_k.data + c * upstream->apart, n * sizeof *turned);
    }
    product_transpose(d_k, n, turned, rows);
    double *first = balanced ? flow->at_k.data : NULL; /* which has been copied */
    if (balanced) {
        pull_back_keys(head, task, rows, first);
    } else {
        pull_back(task, task->k, head->adjusted.k_divisors.data, head->scratch.data, rows);
    }
    product_transpose(n, d_k, rows, turned);
    flow->at_w_k = length_at_weights((struct last_product){head, task, turned, n, balanced, first});
}

void head_conclude_upstream(struct head *head, const struct rows_task *task)
{
    struct upstream *upstream = &head->upstream;
    bool certain = upstream->by_grams;
    for (size_t f = 0; upstream->by_grams && f < upstream->flow_count; f++) {
        certain = head_conclude_grams(head, task, f) && certain;
    }
    if (upstream->by_grams && !certain) {
        prepare_products(head, task);
        multiply_block(head, task, 0, task->queries);
    }
    for (size_t f = 0; f < upstream->flow_count; f++) {
        struct upstream_flow *flow = &upstream->flows[f];
        if (!certain) {
            conclude(head, task, f);
        }
        flow->at_w_q = scalbn(flow->at_w_q, -flow->exponent);
        flow->at_w_k = scalbn(flow->at_w_k, -flow->exponent);
    }
}
