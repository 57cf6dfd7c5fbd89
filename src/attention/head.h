/* SPDX-License-Identifier: MIT */
/* One attention head: input X to measures. n tokens, d = d_model; X (n, d), Z_Q and Z_K (d, d_k)
 * unit draws, all row-major. The init guard (W = Z / sqrt(d)) and the score guard (1 / sqrt(d_k))
 * are scalar factors: Q0 = X Z_Q, K0 = X Z_K and S0 = Q0 K0ᵀ are computed once for all of them,
 * the same way always, so that sharing between runs cannot change a bit.
 * Formulas and their sources: docs/method.md. */
#ifndef ATTENTION_HEAD_H
#define ATTENTION_HEAD_H

#include "base/arena.h"
#include "run/measurement.h"
#include "run/results.h"
#include "run/run.h"

/* The sizes of one head. */
struct head_shape {
    size_t tokens, d_model, d_k;
};

/* Buffers for heads up to a size, and what the last run left in them. One per worker; opaque
 * members are the head's own. */
struct head;

/* A head whose buffers live in `arena`; NULL with `err` set when memory is short. */
struct head *head_create(struct arena *arena, struct error *err) MUST_CHECK;

/* Makes room for a shape (grows only); after it the steps below cannot fail. */
bool head_reserve(struct head *head, struct head_shape shape, struct error *err) MUST_CHECK;

/* The input before its guard, and where the unit draws come from. `x` (n, d) must stay valid and
 * unchanged while it is the head's input. `input_id` names the content of x: two calls with equal
 * non-zero ids promise equal bytes, and let the head reuse what it computed. */
struct head_input {
    struct head_shape shape;
    const double *x;
    uint64_t input_id;
    const double *z_q, *z_k; /* (d, d_k) given unit draws, or NULL: drawn from Philox by run.seed */
};

/* Runs the head for one point: input guard, projections, scores, softmax, measures. Reads seed,
 * guards, norm, norm_epsilon, weights_as_given and saturation_row_max of `run`. Fills all measures
 * but the corpus ones. `scores` and `weights` (n, n) receive the matrices where not NULL. */
void head_measure(struct head *head, const struct head_input *input, const struct run *run,
                  struct measurement *measurement, double *scores, double *weights);

#endif
