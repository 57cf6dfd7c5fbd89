/* SPDX-License-Identifier: MIT */
/* Rows of a drawn upstream that are all but one-hot. Where a weight is 0 nothing reaches the score,
 * so that of such a row only the numbers at its few other keys are drawn, and each is added to its
 * query and its key by itself. */
#include "attention/attention_internal.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

/* A number by itself takes as long to draw as so many in a row. */
#define KEYS_LEAST (4 * UPSTREAM_FEW)

struct upstream_entry *head_upstream_entries(const struct head *head, size_t part)
{
    double *all = head->upstream.entries.data;
    return (struct upstream_entry *)(void *)all + part * ROW_BLOCK * UPSTREAM_FEW;
}

static struct upstream_entry *entries_of(const struct rows_part *part)
{
    return head_upstream_entries(part->head, (size_t)(part - part->head->parts));
}

bool head_take_few(struct rows_part *part, size_t row, size_t keys, const struct row_slopes *slopes)
{
    uint32_t places[UPSTREAM_FEW];
    double weights[UPSTREAM_FEW];
    double g[UPSTREAM_FEW];
    if (part->head->upstream.by_grams || isnan(slopes->others) || keys < KEYS_LEAST) {
        return false;
    }
    size_t count = upstream_few(keys, slopes->a, UPSTREAM_FEW, places);
    if (count > UPSTREAM_FEW) {
        return false;
    }
    struct row_slopes few = {weights, weights, NULL, 0, slopes->others};
    for (size_t i = 0; i < count; i++) {
        weights[i] = slopes->a[places[i]];
        few.arg_max = places[i] == slopes->arg_max ? i : few.arg_max;
        random_normals(part->task->seed, RANDOM_UPSTREAM, (uint32_t)row, places[i], 1, g + i);
    }
    upstream_row(count, &few, g);
    size_t slot = (row - part->first) % ROW_BLOCK;
    double factor = head_row_factor(part->task, keys);
    struct upstream_entry *entries = entries_of(part) + part->entries;
    for (size_t i = 0; i < count; i++) {
        entries[i] = (struct upstream_entry){(uint32_t)slot, places[i], factor * g[i]};
    }
    part->entries += count;
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
