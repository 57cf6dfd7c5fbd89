/* SPDX-License-Identifier: MIT */
/* The first stages of the head, each remembered until its key changes: X after its guard, the unit
 * draws, and their products. A remembered result is the very bytes that computing would give. */
#include "attention/attention_internal.h"
#include "attention/gradient.h"
#include "base/random.h"
#include "numeric/matrix.h"
#include "numeric/product.h"

#include <math.h>
#include <string.h>

/* Numbers of a draw that wait for their product: half a megabyte. */
#define DRAWN_AT_ONCE ((size_t)1 << 16)

bool guarded_key_equal(const struct guarded_key *a, const struct guarded_key *b)
{
    return a->input_id != 0 && a->input_id == b->input_id && a->tokens == b->tokens &&
           a->d_model == b->d_model && a->guard_norm == b->guard_norm && a->norm == b->norm &&
           a->norm_epsilon == b->norm_epsilon;
}

bool draws_key_equal(const struct draws_key *a, const struct draws_key *b)
{
    return a->drawn && a->drawn == b->drawn && a->draw == b->draw && a->seed == b->seed &&
           a->d_model == b->d_model && a->d_k == b->d_k;
}

/* What a head needs to know of its own input. */
static void measure_input(struct head *head, struct guarded *guarded)
{
    size_t n = guarded->key.tokens;
    size_t d = guarded->key.d_model;
    const double *x = guarded->x;
    guarded->measured = true;
    guarded->norm = matrix_norm(n * d, x);
    guarded->rms = guarded->norm / sqrt((double)(n * d));
    guarded->uniform = gradient_row_uniform(n, d, x, head->scratch.data);
    head_measure_norms(head, n, d, x, guarded->row_norms.data);
    head_find_twins(head, guarded);
}

/* Whether an input is the first rows of another, or the same: a guard acts on each row alone. */
static bool guarded_holds(const struct guarded_key *held, const struct guarded_key *key)
{
    struct guarded_key same = *held;
    same.tokens = key->tokens;
    return held->tokens >= key->tokens && guarded_key_equal(&same, key);
}

static void find_input(struct head *head, struct guarded *guarded, const struct guarded_key *key,
                       const struct head_input *input)
{
    bool normalised = key->guard_norm && guarded_holds(&guarded->key, key);
    guarded->key = *key;
    guarded->measured = false;
    guarded->grams_known = false;
    guarded->gram_known = false;
    guarded->weighed.prepared = false;
    guarded->weighed.uniform_known = false;
    if (!key->guard_norm) {
        guarded->x = input->x;
    } else if (!normalised) {
        double *out = input->spare_x == NULL ? guarded->normalised.data : input->spare_x;
        head_normalise(head, key, input->x, out);
        guarded->x = out;
    }
    guarded->std = head_spread(head, key->tokens, key->d_model, guarded->x);
}

static struct guarded_key key_of(uint64_t input_id, struct head_shape shape, const struct run *run,
                                 bool guard_norm)
{
    struct guarded_key key = {input_id, shape.tokens, shape.d_model, guard_norm, 0, 0};
    if (guard_norm) {
        key.norm = run->norm;
        key.norm_epsilon = run->norm_epsilon;
    }
    return key;
}

bool head_remembers(const struct head *head, uint64_t input_id, struct head_shape shape,
                    const struct run *run)
{
    struct guarded_key raw = key_of(input_id, shape, run, false);
    struct guarded_key guarded = key_of(input_id, shape, run, true);
    return run->guard_norm && run->draw == DRAW_WEIGHTS &&
           guarded_key_equal(&head->inputs[false].key, &raw) &&
           guarded_key_equal(&head->inputs[true].key, &guarded);
}

const struct guarded *head_guard_input(struct head *head, const struct head_input *input,
                                       const struct run *run, bool guard_norm)
{
    struct guarded *guarded = &head->inputs[guard_norm];
    struct guarded_key key = key_of(input->input_id, input->shape, run, guard_norm);
    if (!guard_norm) {
        /* The caller may hold the same bytes elsewhere by now. */
        guarded->x = input->x;
    }
    if (!guarded_key_equal(&guarded->key, &key)) {
        find_input(head, guarded, &key, input);
    }
    if (guard_norm == run->guard_norm && !guarded->measured) {
        measure_input(head, guarded);
    }
    return guarded;
}

/* Keeps the `to` first of `from` columns, in place. */
static void keep_columns(size_t rows, size_t from, size_t to, double *matrix)
{
    for (size_t i = 1; i < rows && to < from; i++) {
        memmove(matrix + i * to, matrix + i * from, to * sizeof *matrix);
    }
}

/* Whether one draw is the top left corner of the other: both are functions of seed, row and column.
 */
static bool draws_hold(const struct draws_key *held, const struct draws_key *key)
{
    return held->drawn && key->drawn && held->draw == DRAW_WEIGHTS && key->draw == DRAW_WEIGHTS &&
           held->seed == key->seed && held->d_model >= key->d_model && held->d_k >= key->d_k;
}

void head_equalise(const struct guarded *guarded, size_t d_k, double *rows)
{
    for (size_t i = 0; guarded->repeats && i < guarded->key.tokens; i++) {
        size_t twin = (size_t)guarded->twins.data[i];
        if (twin != i) {
            memcpy(rows + i * d_k, rows + twin * d_k, d_k * sizeof *rows);
        }
    }
}

void head_measure_projections(struct head *head, size_t n, size_t d_k)
{
    struct projections *projections = &head->projections;
    projections->in_strips = false;
    projections->products_known = 0;
    projections->grams_known = false;
    projections->weighed.prepared = false;
    projections->weighed.uniform_known = false;
    projections->uniform_known = false;
    head_measure_norms(head, n, d_k, projections->q.data, projections->q_norms.data);
    head_measure_norms(head, n, d_k, projections->k.data, projections->k_norms.data);
    projections->norm = matrix_norm(n, projections->q_norms.data);
}

/* Whether Q0 and K0 are the first columns of those at hand: an entry is one sum over its own row
 * and column, whatever stands beside it. */
static bool projections_hold(const struct projections *projections, const struct guarded_key *input,
                             const struct draws_key *draws)
{
    return guarded_holds(&projections->key.input, input) &&
           draws_hold(&projections->key.draws, draws);
}

/* Draws a matrix and multiplies by it, some rows after the other, while they are in the cache. */
static void draw_and_multiply(const struct draws_key *key, enum random_stream stream,
                              const struct guarded *guarded, double *z, double *product)
{
    size_t rows = DRAWN_AT_ONCE / key->d_k + 1;
    struct product_steps steps = {0, 0, key->d_model};
    for (; steps.begin < steps.all; steps.begin = steps.end) {
        size_t left = steps.all - steps.begin;
        size_t count = left < rows ? left : rows;
        steps.end = steps.begin + count;
        random_normal_rows((uint64_t)key->seed, stream, (uint32_t)steps.begin, count, key->d_k,
                           z + steps.begin * key->d_k);
        product_continue(guarded->key.tokens, &steps, key->d_k, guarded->x, z, product);
    }
}

/* Makes the draws at hand those of the key: their own corner, or new ones. */
static void find_draws(struct draws *draws, const struct draws_key *key)
{
    uint64_t seed = (uint64_t)key->seed;
    if (draws_hold(&draws->key, key)) {
        keep_columns(key->d_model, draws->key.d_k, key->d_k, draws->z_q.data);
        keep_columns(key->d_model, draws->key.d_k, key->d_k, draws->z_k.data);
    } else {
        random_normal_matrix(seed, RANDOM_QUERY, key->d_model, key->d_k, draws->z_q.data);
        random_normal_matrix(seed, RANDOM_KEY, key->d_model, key->d_k, draws->z_k.data);
    }
    draws->key = *key;
}

/* Q0 and K0 from draws that are given, at hand, corners of those at hand, or new. */
static void multiply_draws(struct head *head, const struct head_input *input,
                           const struct guarded *guarded, const struct draws_key *key)
{
    struct projections *projections = &head->projections;
    struct draws *draws = &head->draws;
    if (key->drawn && head->crew == NULL && !draws_hold(&draws->key, key)) {
        draw_and_multiply(key, RANDOM_QUERY, guarded, draws->z_q.data, projections->q.data);
        draw_and_multiply(key, RANDOM_KEY, guarded, draws->z_k.data, projections->k.data);
        draws->key = *key;
        return;
    }
    if (key->drawn) {
        find_draws(draws, key);
    }
    const double *z_q = key->drawn ? draws->z_q.data : input->z_q;
    const double *z_k = key->drawn ? draws->z_k.data : input->z_k;
    size_t n = guarded->key.tokens;
    head_multiply(head, n, key->d_model, key->d_k, guarded->x, z_q, projections->q.data);
    head_multiply(head, n, key->d_model, key->d_k, guarded->x, z_k, projections->k.data);
}

const struct projections *head_project(struct head *head, const struct head_input *input,
                                       const struct guarded *guarded, const struct run *run)
{
    struct projections *projections = &head->projections;
    size_t n = input->shape.tokens;
    size_t d = input->shape.d_model;
    size_t d_k = input->shape.d_k;
    struct draws_key draws = {input->z_q == NULL, DRAW_WEIGHTS, run->seed, d, d_k};
    /* Given draws have no name that would tell whether they are still the same: their key is never
     * equal, so they are multiplied again. */
    if (guarded_key_equal(&projections->key.input, &guarded->key) &&
        draws_key_equal(&projections->key.draws, &draws)) {
        return projections;
    }
    if (projections_hold(projections, &guarded->key, &draws)) {
        keep_columns(n, projections->key.draws.d_k, d_k, projections->q.data);
        keep_columns(n, projections->key.draws.d_k, d_k, projections->k.data);
    } else {
        multiply_draws(head, input, guarded, &draws);
        head_equalise(guarded, d_k, projections->q.data);
        head_equalise(guarded, d_k, projections->k.data);
    }
    projections->key = (struct projections_key){guarded->key, draws};
    head_measure_projections(head, n, d_k);
    return projections;
}
