/* SPDX-License-Identifier: MIT */
/* What is done to each row of X or of the projections alone, by all hands of a crew: no bit depends
 * on who does which. And equal rows, found by a table of what the rows come to. */
#include "attention/attention_internal.h"
#include "attention/normalise.h"
#include "numeric/matrix.h"
#include "numeric/product.h"
#include "numeric/statistics.h"

#include <string.h>

/* Rows of one part. */
#define ROWS_A_PART ((size_t)256)

/* One piece of work on rows. */
struct row_work {
    size_t n, d;
    const double *x; /* (n, d) */
    const struct guarded_key *key;
    const double *right; /* (d, k) */
    size_t k;
    double centre;
    double *out;
};

static size_t rows_of_part(const struct row_work *work, size_t part)
{
    size_t rest = work->n - part * ROWS_A_PART;
    return rest < ROWS_A_PART ? rest : ROWS_A_PART;
}

static void do_rows(const struct head *head, struct row_work *work, crew_part *part)
{
    crew_work(head->crew, (work->n + ROWS_A_PART - 1) / ROWS_A_PART, part, work);
}

static void normalise_part(void *task, size_t part, size_t hand)
{
    (void)hand;
    const struct row_work *work = task;
    size_t first = part * ROWS_A_PART * work->d;
    size_t rows = rows_of_part(work, part);
    if (work->key->norm == NORM_RMS) {
        normalise_rms(rows, work->d, work->key->norm_epsilon, work->x + first, work->out + first);
    } else {
        normalise_layer(rows, work->d, work->key->norm_epsilon, work->x + first, work->out + first);
    }
}

void head_normalise(const struct head *head, const struct guarded_key *key, const double *x,
                    double *out)
{
    struct row_work work = {.n = key->tokens, .d = key->d_model, .x = x, .key = key};
    work.out = out;
    do_rows(head, &work, normalise_part);
}

static void multiply_part(void *task, size_t part, size_t hand)
{
    (void)hand;
    const struct row_work *work = task;
    size_t first = part * ROWS_A_PART;
    product_multiply(rows_of_part(work, part), work->d, work->k, work->x + first * work->d,
                     work->right, work->out + first * work->k);
}

void head_multiply(const struct head *head, size_t n, size_t m, size_t k, const double *a,
                   const double *b, double *c)
{
    struct row_work work = {.n = n, .d = m, .x = a, .right = b, .k = k};
    work.out = c;
    do_rows(head, &work, multiply_part);
}

static void measure_norms_of_part(void *task, size_t part, size_t hand)
{
    (void)hand;
    const struct row_work *work = task;
    size_t first = part * ROWS_A_PART;
    matrix_row_norms(rows_of_part(work, part), work->d, work->x + first * work->d,
                     work->out + first);
}

void head_measure_norms(const struct head *head, size_t n, size_t d, const double *x, double *norms)
{
    struct row_work work = {.n = n, .d = d, .x = x};
    work.out = norms;
    do_rows(head, &work, measure_norms_of_part);
}

static void find_mean_of_part(void *task, size_t part, size_t hand)
{
    (void)hand;
    const struct row_work *work = task;
    work->out[part] =
        statistics_mean(rows_of_part(work, part) * work->d, work->x + part * ROWS_A_PART * work->d);
}

static void find_deviations_of_part(void *task, size_t part, size_t hand)
{
    (void)hand;
    const struct row_work *work = task;
    struct deviations *deviations = (struct deviations *)(void *)work->out;
    deviations[part] = deviations_from(work->centre, rows_of_part(work, part) * work->d,
                                       work->x + part * ROWS_A_PART * work->d);
}

/* The mean of all entries, as near as it can be told. */
static double find_centre(const struct head *head, struct row_work *work)
{
    double centre = 0;
    do_rows(head, work, find_mean_of_part);
    for (size_t part = 0; part * ROWS_A_PART < work->n; part++) {
        centre += work->out[part] * ((double)rows_of_part(work, part) / (double)work->n);
    }
    return centre;
}

double head_spread(const struct head *head, size_t n, size_t d, const double *x)
{
    struct deviations all = {0, 0};
    if (n <= ROWS_A_PART) {
        return moments_std(moments_of(n * d, x));
    }
    /* The scratch has room for n numbers, and so for what more than one part comes to. */
    struct row_work work = {.n = n, .d = d, .x = x, .out = head->scratch.data};
    const struct deviations *deviations = (const struct deviations *)(void *)work.out;
    work.centre = find_centre(head, &work);
    do_rows(head, &work, find_deviations_of_part);
    for (size_t part = 0; part * ROWS_A_PART < n; part++) {
        all.sum += deviations[part].sum;
        all.squares += deviations[part].squares;
    }
    double std = deviations_std(all, work.centre, (double)n * (double)d);
    return std >= 0 ? std : moments_std(moments_of(n * d, x));
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* What a row's bytes come to; four numbers side by side, as each has to wait for the one before. */
static uint64_t hash_row(size_t d, const double *row)
{
    uint64_t sides[4] = {0, 1, 2, 3};
    for (size_t c = 0; c < d; c += 4) {
        uint64_t words[4] = {0};
        memcpy(words, row + c, smaller(d - c, 4) * sizeof *words);
        for (size_t s = 0; s < 4; s++) {
            sides[s] = mix(sides[s], words[s]);
        }
    }
    return mix(mix(mix(sides[0], sides[1]), sides[2]), sides[3]);
}

static void hash_part(void *task, size_t part, size_t hand)
{
    (void)hand;
    const struct row_work *work = task;
    size_t first = part * ROWS_A_PART;
    for (size_t i = first; i < first + rows_of_part(work, part); i++) {
        uint64_t hash = hash_row(work->d, work->x + i * work->d);
        memcpy(work->out + i, &hash, sizeof hash);
    }
}

/* Equal rows have equal lengths; one that is not a number equals nothing. */
static bool are_twins(const struct guarded *guarded, size_t a, size_t b)
{
    size_t d = guarded->key.d_model;
    const double *norms = guarded->row_norms.data;
    return norms[a] == norms[b] &&
           memcmp(guarded->x + a * d, guarded->x + b * d, d * sizeof(double)) == 0;
}

void head_find_twins(struct head *head, struct guarded *guarded)
{
    size_t n = guarded->key.tokens;
    struct row_work work = {
        .n = n, .d = guarded->key.d_model, .x = guarded->x, .out = guarded->twins.data};
    do_rows(head, &work, hash_part);
    /* Twice as many slots as rows; each is empty, or holds a row's number counted from 1. */
    uint32_t *slots = (uint32_t *)(void *)head->scratch.data;
    size_t slot_count = 2 * n;
    memset(slots, 0, slot_count * sizeof *slots);
    guarded->repeats = false;
    for (size_t i = 0; i < n; i++) {
        uint64_t hash;
        memcpy(&hash, guarded->twins.data + i, sizeof hash);
        size_t slot = (size_t)((hash >> 32) * slot_count >> 32);
        while (slots[slot] != 0 && !are_twins(guarded, slots[slot] - 1, i)) {
            slot = slot + 1 < slot_count ? slot + 1 : 0;
        }
        if (slots[slot] == 0) {
            slots[slot] = (uint32_t)i + 1;
        }
        guarded->twins.data[i] = slots[slot] - 1;
        guarded->repeats = guarded->repeats || slots[slot] != i + 1;
    }
}
