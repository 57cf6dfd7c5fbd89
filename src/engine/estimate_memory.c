/* SPDX-License-Identifier: MIT */
/* What runs have in memory; see estimate.h. */
#include "engine/estimate.h"

#include "attention/gradient_block.h"
#include "attention/gradient_outer.h"
#include "attention/head.h"
#include "attention/upstream.h"
#include "engine/engine_internal.h"

#include <math.h>

/* What gradients over n tokens of d and keys of k dimensions have in memory. */
static double gradient_numbers(double n, double d, double k)
{
    size_t tokens = (size_t)n;
    size_t largest = (size_t)fmax(d, k);
    return (double)(2 * gradient_distances_size(tokens, (size_t)d) +
                    gradient_distances_size(tokens, (size_t)k) + gradient_shares_size(tokens) +
                    gradient_scratch_size(tokens, largest));
}

/* What a drawn upstream has beside that: blocks of rows for four parts, and twice what it comes to
 * at queries and keys. */
static double upstream_numbers(const struct run *run, double n, double d, double k)
{
    double block = (double)GRADIENT_BLOCK;
    double rows = n <= (double)HEAD_ROWS_OF_ONE ? fmin(n, block) : 4 * block;
    double few = n <= (double)UPSTREAM_FEW_TOKENS ? 11 * n * n + 2 * n * fmax(d, k) : 0;
    return run->upstream == UPSTREAM_DRAWN
               ? 2 * rows * n + 6 * n * k + (rows + 128) * k + 256 * block + few
               : 0;
}

/* What gradients have where each key has a derivative of its own. */
static double outer_numbers(const struct run *run, double n, double d, double k)
{
    double gram = (double)gradient_gram_size((size_t)n);
    bool kept = run->upstream == UPSTREAM_EXPECTED && gram > 0;
    return kept ? 2 * gram + n * d + (double)gradient_outer_size((size_t)n, (size_t)k) : 0;
}

double estimate_buffers(const struct run *run, size_t tokens, size_t queries)
{
    double n = (double)tokens;
    double most = fmax(n, (double)queries);
    double block = n * fmin((double)queries, 64);
    if (run->source == SOURCE_SCORES) {
        return 8 * (block + 60 * most);
    }
    double d = (double)run->d_model;
    double k = (double)run->d_k;
    if (run->draw == DRAW_COLLAPSED) {
        double m = fmin(n, d);
        double strip = n < d ? n * fmin(d, n + fmax(n, 1024)) : 0;
        return 8 * (2 * n * d + strip + 8 * n * m + 5 * m * m + block + 66 * n + d +
                    gradient_numbers(n, m, fmin(k, m)));
    }
    /* A guard overwrites a long X that can be drawn again; what only some runs use stays untouched.
     */
    bool overwritten =
        run->source == SOURCE_GAUSSIAN && run->guard_norm && n * d > (double)ENGINE_LONG_INPUT;
    bool adjusted = run->qk_norm != QK_NORM_NONE || run->position == POSITION_ROPE;
    double inputs = (overwritten ? 1 : 2) * n * d + (adjusted ? 3 : 2) * d * k;
    double normals = run->source == SOURCE_GAUSSIAN ? fmin(n * d, (double)ENGINE_NORMALS_KEPT) : 0;
    double products = (double)head_products_size(tokens);
    return 8 * (inputs + normals + products + (adjusted ? 7 : 3) * most * k + block + 66 * most +
                gradient_numbers(n, d, k) + upstream_numbers(run, n, d, k) +
                (adjusted ? outer_numbers(run, n, d, k) : 0));
}

double estimate_hand(const struct run *run, size_t tokens)
{
    double n = (double)tokens;
    double d = fmax((double)run->d_model, (double)run->d_k);
    double drawn = run->upstream == UPSTREAM_DRAWN
                       ? 8 * (double)GRADIENT_BLOCK * n + 128 * d + 256 * (double)GRADIENT_BLOCK
                       : 0;
    return 8 * (64 * n + (double)gradient_shares_size(tokens) + 128 * d + 16 * n + drawn);
}
