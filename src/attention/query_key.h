/* SPDX-License-Identifier: MIT */
/* Between projection and product: queries and keys are normalised, then rotated by their place. */
#ifndef ATTENTION_QUERY_KEY_H
#define ATTENTION_QUERY_KEY_H

#include "run/run.h"

#include <stdbool.h>
#include <stddef.h>

struct query_key_rule {
    enum run_qk_norm norm;
    double epsilon;      /* of layer and rms: under the root */
    const double *turns; /* (places, d_k/2, 2) from query_key_turns; NULL: no rotation */
    enum run_rope_pairs pairs;
};

/* RoPE, Su et al. 2021: cosine and sine of place / base^(2i/d_k) for places from 0 and each pair i
 * of an even d_k. */
void query_key_turns(size_t places, size_t d_k, double base, double *turns);

/* Whether the rule leaves queries and keys as they are. */
bool query_key_is_plain(const struct query_key_rule *rule);

/* Applies the rule to rows (n, d_k) in place; row i stands at place first + i. divisors (n)
 * receives what each row was divided by: its length (l2, Henry et al. 2020), or the root of its
 * variance (layer) or mean square (rms) plus epsilon; 1 without a norm. A row of zeros under l2 is
 * NaN. */
void query_key_apply(const struct query_key_rule *rule, size_t n, size_t d_k, size_t first,
                     double *rows, double *divisors);

/* What a gradient at a finished row becomes at the projection it was made from: out = Nᵀ Rᵀ g, with
 * R the rotation at `place` and N the derivative of the norm. `row` is the finished row, `divisor`
 * its own. Arrays of d_k; out may not be g or row. */
void query_key_pull_back(const struct query_key_rule *rule, size_t d_k, size_t place,
                         const double *row, double divisor, const double *g, double *out);

#endif
