/* SPDX-License-Identifier: MIT */
/* A drawn upstream of few tokens, by their products with each other. With C (n, n) what reaches the
 * scores and A∘B the sum of products of entries,
 *   |Xᵀ C K|² = (X Xᵀ C)∘(C K Kᵀ)   and   |Xᵀ Cᵀ Q|² = (C X Xᵀ)∘(Q Qᵀ C),
 * from (n, n) matrices that guards share. A sum that is small beside what it is made of is left to
 * the products themselves; see head_upstream.c. */
#include "attention/attention_internal.h"
#include "attention/gradient_internal.h"
#include "numeric/matrix.h"
#include "numeric/product.h"

#include <math.h>
#include <string.h>

/* The least square beside the sizes of what it is made of: it has nine digits fewer than they at
 * most when seen as a square, and so its root has all but four. */
#define SQUARE_SHARE 0x1p-12

_Static_assert(UPSTREAM_FEW_TOKENS <= ROW_BLOCK, "one block holds all rows");

bool head_has_grams(const struct rows_task *task)
{
    size_t n = task->shape.tokens;
    return n <= UPSTREAM_FEW_TOKENS && n <= task->shape.d_model && n <= task->shape.d_k &&
           query_key_is_plain(&task->query_key);
}

bool head_reserve_grams(struct head *head, struct head_shape shape, struct error *err)
{
    struct upstream *upstream = &head->upstream;
    size_t n = shape.tokens;
    size_t d = larger(shape.d_model, shape.d_k);
    if (n > UPSTREAM_FEW_TOKENS) {
        return true;
    }
    return head_grow(head, &head->inputs[false].grams, 2 * n * n, err) &&
           head_grow(head, &head->inputs[true].grams, 2 * n * n, err) &&
           head_grow(head, &head->projections.grams, 3 * n * n, err) &&
           head_grow(head, &upstream->moved, n * d, err) &&
           head_grow(head, &upstream->strips, product_strips_size(d, n), err) &&
           head_grow(head, &upstream->terms, 2 * n * n, err);
}

/* rows rowsᵀ, (n, d) by (d, n); less the first row where `moved`. */
static void find_gram(struct upstream *upstream, size_t n, size_t d, const double *rows, bool moved,
                      double *gram)
{
    for (size_t i = 0; moved && i < n; i++) {
        for (size_t c = 0; c < d; c++) {
            upstream->moved.data[i * d + c] = rows[i * d + c] - rows[c];
        }
    }
    const double *from = moved ? upstream->moved.data : rows;
    product_make_strips(n, d, from, upstream->strips.data);
    product_multiply_strips(n, d, n, from, upstream->strips.data, gram, n);
}

/* Those of X, of Q and of K, each behind the other: as they are, and X and K moved. */
void head_prepare_grams(struct head *head, const struct rows_task *task)
{
    struct upstream *upstream = &head->upstream;
    struct projections *projections = &head->projections;
    struct guarded *guarded = task->input_grams;
    size_t n = task->shape.tokens;
    size_t d_k = task->shape.d_k;
    if (!guarded->grams_known) {
        guarded->grams_known = true;
        for (size_t moved = 0; moved < 2; moved++) {
            find_gram(upstream, n, task->shape.d_model, guarded->x, moved == 1,
                      guarded->grams.data + moved * n * n);
        }
    }
    if (!projections->grams_known) {
        projections->grams_known = true;
        double *grams = projections->grams.data;
        find_gram(upstream, n, d_k, projections->q.data, false, grams);
        find_gram(upstream, n, d_k, projections->k.data, false, grams + n * n);
        find_gram(upstream, n, d_k, projections->k.data, true, grams + 2 * n * n);
    }
}

/* Sums over entries that tell how much is left of the sizes of a product's factors. */
struct sums {
    double product, left, right;
};

MANY_TARGETS(struct sums, add_up, (size_t count, const double *left, const double *right),
             (count, left, right))
{
    double products[LANES] = {0};
    double lefts[LANES] = {0};
    double rights[LANES] = {0};
    for (size_t i = 0; i < count; i += LANES) {
        lanes rest[2];
        const double *a = lanes_of(count - i, left + i, &rest[0]);
        const double *b = lanes_of(count - i, right + i, &rest[1]);
        EACH_LANE
        {
            products[lane] += a[lane] * b[lane];
            lefts[lane] += a[lane] * a[lane];
            rights[lane] += b[lane] * b[lane];
        }
    }
    return (struct sums){lanes_sum(products), lanes_sum(lefts), lanes_sum(rights)};
}

/* Two matrices of products, one on either side of C. */
struct sides {
    const double *outer, *inner; /* (outer C)∘(C inner) */
};

/* The root of (outer C)∘(C inner); negative where it is not certain enough. */
static double form_root(struct upstream *upstream, size_t n, struct sides sides, const double *c)
{
    double *left = upstream->terms.data;
    double *right = left + n * n;
    product_multiply(n, n, n, sides.outer, c, left);
    product_multiply(n, n, n, c, sides.inner, right);
    struct sums sums = add_up(n * n, left, right);
    struct sums sizes = add_up(n * n, sides.outer, sides.inner);
    double own = add_up(n * n, c, c).product;
    double size =
        sqrt(own) * (sqrt(sizes.left) * sqrt(sums.right) + sqrt(sums.left) * sqrt(sizes.right));
    bool certain = gradient_in_range(own) && gradient_in_range(sums.left) &&
                   gradient_in_range(sums.right) && gradient_in_range(sums.product) &&
                   sums.product >= SQUARE_SHARE * size;
    return certain ? sqrt(sums.product) : -1;
}

/* A power of two that squares of numbers up to this size need to stay in range; 0 where there is
 * nothing to square. */
static int exponent_for(double size)
{
    bool fits = (size > 0x1p-200 && size < 0x1p200) || size == 0 || !isfinite(size);
    return fits ? 0 : -ilogb(size);
}

bool head_conclude_grams(struct head *head, const struct rows_task *task, size_t f)
{
    struct upstream *upstream = &head->upstream;
    struct upstream_flow *flow = &upstream->flows[f];
    size_t n = task->shape.tokens;
    bool moved = upstream->balanced || f == 1;
    const double *x = task->input_grams->grams.data;
    const double *q = head->projections.grams.data;
    const double *k = q + n * n;
    double *c = flow->at_scores.data;
    double largest = matrix_largest(n * n, c);
    flow->exponent = exponent_for(largest);
    for (size_t i = 0; flow->exponent != 0 && i < n * n; i++) {
        c[i] = scalbn(c[i], flow->exponent);
    }
    if (largest == 0) {
        flow->at_w_q = 0;
        flow->at_w_k = 0;
        return true;
    }
    flow->at_w_q = form_root(upstream, n, (struct sides){x, moved ? k + n * n : k}, c);
    flow->at_w_k = form_root(upstream, n, (struct sides){q, moved ? x + n * n : x}, c);
    return flow->at_w_q >= 0 && flow->at_w_k >= 0;
}
