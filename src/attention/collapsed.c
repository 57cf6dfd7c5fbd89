/* SPDX-License-Identifier: MIT */
/* Collapsed draws: queries and keys whose products have the law that independent normal weights
 * give them, from no more numbers than the tokens can tell apart (docs/method.md, "Collapsed
 * draws").
 *
 * With L (n, m), m = min(n, d), and L Lᵀ = X Xᵀ, X Z has the law of L Z', Z' standard normal of m
 * rows. Where d_k >= m, Z'_K = B O: B lower triangular, standard normal below and chi distributed
 * with d_k - i degrees of freedom at i on its diagonal, O of orthonormal rows. In the directions of
 * O, Q is L N with N (m, m) standard normal. What it has beside them, L R with R (m, d_k - m),
 * meets no key: only its length matters, and R may become a triangle in the same way where it is
 * wide. */
#include "attention/attention_internal.h"
#include "base/random.h"
#include "numeric/matrix.h"
#include "numeric/product.h"
#include "numeric/triangular.h"

#include <math.h>
#include <string.h>

struct head_shape collapsed_shape(struct head_shape shape)
{
    size_t m = smaller(shape.tokens, shape.d_model);
    return (struct head_shape){shape.tokens, m, smaller(shape.d_k, m)};
}

/* Columns of R, or of its triangle. */
static size_t rest_width(struct head_shape shape)
{
    struct head_shape small = collapsed_shape(shape);
    return smaller(shape.d_k - small.d_k, small.d_model);
}

/* Whether X is wide enough for another factor to be smaller. */
static bool is_wide(size_t n, size_t d)
{
    return n < d;
}

/* What finds a factor; a head that needs none does without. */
static bool load_lapack(struct collapsed *collapsed, struct head_shape shape, struct error *err)
{
    return !is_wide(shape.tokens, shape.d_model) || collapsed->lapack.dgeqrf != NULL ||
           lapack_load(&collapsed->lapack, err);
}

static bool is_same_shape(struct head_shape a, struct head_shape b)
{
    return a.tokens == b.tokens && a.d_model == b.d_model && a.d_k == b.d_k;
}

static bool reserve(struct head *head, struct head_shape shape, struct error *err)
{
    struct collapsed *collapsed = &head->collapsed;
    size_t n = shape.tokens;
    size_t d = shape.d_model;
    size_t m = collapsed_shape(shape).d_model;
    size_t factor = is_wide(n, d) ? n * n : 0;
    size_t workspace = is_wide(n, d) ? triangular_workspace(n, d) : 0;
    return load_lapack(collapsed, shape, err) &&
           head_reserve(head, collapsed_shape(shape), n, err) &&
           head_grow(head, &head->inputs[true].normalised, n * d, err) &&
           head_grow(head, &head->scratch, d, err) &&
           head_grow(head, &collapsed->factors[false], factor, err) &&
           head_grow(head, &collapsed->factors[true], factor, err) &&
           head_grow(head, &collapsed->workspace, workspace, err) &&
           head_grow(head, &collapsed->normals, m * m, err) &&
           head_grow(head, &collapsed->chis, m, err) &&
           head_grow(head, &collapsed->draw, m * m, err) &&
           head_grow(head, &collapsed->rest, n * m, err);
}

bool head_reserve_collapsed(struct head *head, struct head_shape shape, struct error *err)
{
    /* Buffers only grow, and most runs have the shape of the one before. */
    if (is_same_shape(head->collapsed.reserved, shape)) {
        return true;
    }
    head->collapsed.reserved = (struct head_shape){0, 0, 0};
    if (!reserve(head, shape, err)) {
        return false;
    }
    head->collapsed.reserved = shape;
    return true;
}

const struct guarded *collapsed_input(struct head *head, const struct guarded *guarded)
{
    bool guard_norm = guarded->key.guard_norm;
    size_t n = guarded->key.tokens;
    size_t d = guarded->key.d_model;
    struct guarded *input = &head->collapsed.inputs[guard_norm];
    if (!is_wide(n, d)) {
        /* The caller may hold the same bytes elsewhere by now. */
        input->x = guarded->x;
    }
    if (guarded_key_equal(&input->key, &guarded->key)) {
        return input;
    }
    input->key = guarded->key;
    input->row_norms = guarded->row_norms;
    input->repeats = guarded->repeats;
    input->twins = guarded->twins;
    input->std = guarded->std;
    input->rms = guarded->rms;
    input->norm = guarded->norm;
    input->uniform = guarded->uniform;
    if (is_wide(n, d)) {
        double *factor = head->collapsed.factors[guard_norm].data;
        triangular_factor(&head->collapsed.lapack, n, d, guarded->x, factor,
                          head->collapsed.workspace.data);
        head_equalise(guarded, n, factor);
        input->x = factor;
    }
    return input;
}

/* The triangle of a normal matrix of m rows and `degrees` >= m columns: its entries below the
 * diagonal are those of the square, or where `mirrored` those above it. */
static void make_triangle(struct collapsed *collapsed, size_t m, uint64_t seed,
                          enum random_stream lengths, size_t degrees, bool mirrored)
{
    const double *normals = collapsed->normals.data;
    double *out = collapsed->draw.data;
    random_chis(seed, lengths, degrees, m, collapsed->chis.data);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < i; j++) {
            out[i * m + j] = mirrored ? normals[j * m + i] : normals[i * m + j];
        }
        out[i * m + i] = collapsed->chis.data[i];
        memset(out + i * m + i + 1, 0, (m - i - 1) * sizeof *out);
    }
}

/* Q0 and K0, and in collapsed->rest what Q0 has beside: L times its part of the draw each. */
static void multiply_draws(struct head *head, const struct head_input *input,
                           const struct guarded *factor, uint64_t seed)
{
    struct collapsed *collapsed = &head->collapsed;
    struct projections *projections = &head->projections;
    struct head_shape small = collapsed_shape(input->shape);
    size_t n = small.tokens;
    size_t m = small.d_model;
    size_t d_k = input->shape.d_k;
    double *normals = collapsed->normals.data;
    random_normal_matrix(seed, RANDOM_COLLAPSED_QUERY, m, small.d_k, normals);
    product_multiply(n, m, small.d_k, factor->x, normals, projections->q.data);
    random_normal_matrix(seed, RANDOM_COLLAPSED_KEY, m, small.d_k, normals);
    if (d_k < m) {
        product_multiply(n, m, d_k, factor->x, normals, projections->k.data);
        return;
    }
    make_triangle(collapsed, m, seed, RANDOM_KEY_CHI, d_k, false);
    product_multiply(n, m, m, factor->x, collapsed->draw.data, projections->k.data);
    size_t beside = d_k - m;
    if (beside == 0) {
        return;
    }
    if (beside >= m) {
        make_triangle(collapsed, m, seed, RANDOM_REST_CHI, beside, true);
    } else {
        random_normal_matrix(seed, RANDOM_COLLAPSED_REST, m, beside, collapsed->draw.data);
    }
    product_multiply(n, m, smaller(beside, m), factor->x, collapsed->draw.data,
                     collapsed->rest.data);
}

const struct projections *collapsed_project(struct head *head, const struct head_input *input,
                                            const struct guarded *factor, const struct run *run)
{
    struct projections *projections = &head->projections;
    const struct head_shape *shape = &input->shape;
    struct draws_key draws = {true, DRAW_COLLAPSED, run->seed, shape->d_model, shape->d_k};
    if (guarded_key_equal(&projections->key.input, &factor->key) &&
        draws_key_equal(&projections->key.draws, &draws)) {
        return projections;
    }
    projections->key = (struct projections_key){factor->key, draws};
    size_t n = shape->tokens;
    size_t width = collapsed_shape(*shape).d_k;
    size_t rest = rest_width(*shape);
    multiply_draws(head, input, factor, (uint64_t)run->seed);
    head_equalise(factor, width, projections->q.data);
    head_equalise(factor, width, projections->k.data);
    head_equalise(factor, rest, head->collapsed.rest.data);
    head_measure_projections(head, n, width);
    double *beside = head->scratch.data;
    matrix_row_norms(n, rest, head->collapsed.rest.data, beside);
    for (size_t i = 0; i < n; i++) {
        projections->q_norms.data[i] = hypot(projections->q_norms.data[i], beside[i]);
    }
    projections->norm = matrix_norm(n, projections->q_norms.data);
    return projections;
}
