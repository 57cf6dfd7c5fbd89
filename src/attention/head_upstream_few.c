/* SPDX-License-Identifier: MIT */
/* Rows of a drawn upstream that are all but one-hot. Where a weight is 0 nothing reaches the score,
 * and where it is small beside the others nothing that counts, so that of such a row only the
 * numbers at its few other keys are drawn, and each is added to its query and its key by itself. */
#include "attention/attention_internal.h"
#include "base/random.h"
#include "numeric/matrix.h"

#include <math.h>
#include <string.h>

/* A number by itself takes as long to draw as so many in a row. */
#define KEYS_LEAST (4 * UPSTREAM_FEW)
/* Weights are left out that are this much less than all but the largest together. What a row brings
 * must then be at least 2^57 times what they can have changed: by a drawn number less the mean of
 * others each, below 2^5, at keys no farther from the first than twice the longest is long. */
#define SHARE_MIN 0x1p-100
#define DROPPED_BOUND 0x1p-37

struct upstream_entry *head_upstream_entries(const struct head *head, size_t part)
{
    double *all = head->upstream.entries.data;
    return (struct upstream_entry *)(void *)all + part * ROW_BLOCK * UPSTREAM_FEW;
}

static struct upstream_entry *entries_of(const struct rows_part *part)
{
    return head_upstream_entries(part->head, (size_t)(part - part->head->parts));
}

/* The entries of a row. */
struct few {
    size_t keys, count;
    double others;
    uint32_t places[UPSTREAM_FEW];
    double g[UPSTREAM_FEW];
};

/* |sum g_i (v_i - v_0)| is so large that what was left out does not count. */
static bool outweighs(const struct few *few, size_t d, const double *v, double longest,
                      double *scratch)
{
    memset(scratch, 0, d * sizeof *scratch);
    for (size_t i = 0; i < few->count; i++) {
        const double *own = v + few->places[i] * d;
        double share = few->g[i] / few->others;
        for (size_t c = 0; c < d; c++) {
            scratch[c] += share * (own[c] - v[c]);
        }
    }
    return matrix_norm(d, scratch) >= DROPPED_BOUND * (double)few->keys * longest;
}

static bool are_enough(const struct rows_part *part, const struct few *few)
{
    const struct rows_task *task = part->task;
    const struct upstream *upstream = &part->head->upstream;
    double *scratch = part->space->scratch.data;
    return outweighs(few, task->shape.d_k, task->k, upstream->longest_key, scratch) &&
           outweighs(few, task->shape.d_model, task->guarded->x, upstream->longest_input, scratch);
}

/* Finds the entries of a row; false where it has more, or some of what it has not count. */
static bool find_entries(const struct rows_part *part, size_t row, const struct row_slopes *slopes,
                         struct few *few)
{
    const struct rows_task *task = part->task;
    /* A norm of keys may take away all that a row brings but what is left out. */
    double least = query_key_is_plain(&task->query_key) ? SHARE_MIN * slopes->others : 0;
    struct upstream_places found =
        upstream_few(few->keys, slopes->a, least, UPSTREAM_FEW, few->places);
    if (found.count > UPSTREAM_FEW) {
        return false;
    }
    double weights[UPSTREAM_FEW];
    struct row_slopes kept = {weights, weights, NULL, 0, slopes->others};
    few->count = found.count;
    for (size_t i = 0; i < few->count; i++) {
        uint32_t place = few->places[i];
        weights[i] = slopes->a[place];
        kept.arg_max = place == slopes->arg_max ? i : kept.arg_max;
        random_normals(task->seed, RANDOM_UPSTREAM, (uint32_t)row, place, 1, few->g + i);
    }
    upstream_row(few->count, &kept, few->g);
    return !found.dropped || are_enough(part, few);
}

bool head_take_few(struct rows_part *part, size_t row, size_t keys, const struct row_slopes *slopes)
{
    struct few few = {.keys = keys, .others = slopes->others};
    if (part->head->upstream.by_grams || isnan(slopes->others) || keys < KEYS_LEAST ||
        !find_entries(part, row, slopes, &few)) {
        return false;
    }
    size_t slot = (row - part->first) % ROW_BLOCK;
    double factor = head_row_factor(part->task, keys);
    struct upstream_entry *entries = entries_of(part) + part->entries;
    for (size_t i = 0; i < few.count; i++) {
        entries[i] = (struct upstream_entry){(uint32_t)slot, few.places[i], factor * few.g[i]};
    }
    part->entries += few.count;
    part->few[slot] = true;
    part->few_count++;
    return true;
}

bool head_is_few(const struct rows_part *part)
{
    return !part->head->upstream.by_grams && part->few_count == part->taken_count;
}

void head_multiply_few(const struct rows_part *part, double *at_q)
{
    const struct rows_task *task = part->task;
    const struct upstream_entry *entries = entries_of(part);
    size_t d_k = task->shape.d_k;
    const double *origin = task->k; /* rows sum to 0, those of softmax */
    for (size_t i = 0; i < part->entries; i++) {
        const double *key = task->k + entries[i].key * d_k;
        double *out = at_q + entries[i].slot * d_k;
        for (size_t c = 0; c < d_k; c++) {
            out[c] += entries[i].value * (key[c] - origin[c]);
        }
    }
}

void head_gather_few(const struct rows_part *part, const double *q, size_t key, size_t width)
{
    const struct upstream *upstream = &part->head->upstream;
    const struct upstream_entry *entries = entries_of(part);
    size_t d_k = part->task->shape.d_k;
    for (size_t i = 0; i < part->entries; i++) {
        if (entries[i].key < key || entries[i].key >= key + width) {
            continue;
        }
        double *out = upstream->flows[0].at_k.data + entries[i].key;
        const double *query = q + entries[i].slot * d_k;
        for (size_t c = 0; c < d_k; c++) {
            out[c * upstream->apart] += entries[i].value * query[c];
        }
    }
}

void head_spread_few(struct rows_part *part)
{
    const struct upstream_entry *entries = entries_of(part);
    for (size_t slot = 0; slot < ROW_BLOCK; slot++) {
        if (part->few[slot]) {
            memset(head_upstream_row(part, 0, slot), 0, part->task->shape.tokens * sizeof(double));
        }
    }
    for (size_t i = 0; i < part->entries; i++) {
        head_upstream_row(part, 0, entries[i].slot)[entries[i].key] = entries[i].value;
    }
}
