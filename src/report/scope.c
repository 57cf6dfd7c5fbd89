/* SPDX-License-Identifier: MIT */
/* What the runs of a summary have in common; see scope.h. */
#include "report/scope.h"

#include <math.h>

static void add_options(struct scope *scope, const struct run *run)
{
    scope->qk_norm = scope->qk_norm || run->qk_norm != QK_NORM_NONE;
    scope->rope = scope->rope || (run->position == POSITION_ROPE && run->source != SOURCE_SCORES);
    scope->factor = scope->factor || run->score_factor != 1;
    scope->cap = scope->cap || run->softcap > 0;
    scope->mask = scope->mask || run->mask != MASK_NONE;
    scope->rounded = scope->rounded || run->precision != PRECISION_FP64;
    scope->plain_exp = scope->plain_exp || !run->stabilise;
}

struct scope scope_of(const struct summary *summary)
{
    struct scope scope = {0};
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct run *run = summary->groups[g].sample;
        bool arrays = run->source == SOURCE_ARRAYS;
        bool products = run->source != SOURCE_SCORES;
        bool given = arrays && (run->q != NULL || (run->w_q != NULL && run->w_k != NULL));
        scope.sources |= 1U << run->source;
        scope.weights |= 1U << run->weights;
        scope.scales |= products && run->guard_scale ? 1U << run->score_scale : 0;
        scope.products = scope.products || products;
        scope.inputs = scope.inputs || (products && !(arrays && run->q != NULL));
        scope.drawn = scope.drawn || (products && !given);
        add_options(&scope, run);
    }
    return scope;
}

bool scope_softmax_only(const struct scope *scope)
{
    return (scope->weights & ~(1U << WEIGHTS_SOFTMAX)) == 0;
}

bool scope_sum_is_free(const struct scope *scope)
{
    return (scope->weights & (1U << WEIGHTS_SOFTMAX_PLUS_ONE | 1U << WEIGHTS_SIGMOID)) != 0;
}

bool scope_looks_inside(const struct scope *scope)
{
    return (scope->sources & 1U << SOURCE_ARRAYS) != 0 || scope->qk_norm || scope->cap;
}

size_t scope_undefined_runs(const struct summary *summary)
{
    size_t runs = 0;
    for (size_t g = 0; g < summary->group_count; g++) {
        runs += summary->groups[g].undefined_runs;
    }
    return runs;
}

bool scope_holds(const struct summary *summary, enum measurement_field measure)
{
    return (summary->lacking >> measure & 1) == 0;
}

bool scope_measured(const struct summary *summary, enum measurement_field measure)
{
    for (size_t g = 0; g < summary->group_count; g++) {
        if (!isnan(summary->groups[g].measures[measure].mean)) {
            return true;
        }
    }
    return false;
}

const char *scope_scale_words(const struct scope *scope)
{
    switch (scope->scales) {
    case 0:
    case 1U << SCORE_SCALE_SQRT:
        return "divided by √d_k";
    case 1U << SCORE_SCALE_LINEAR:
        return "divided by d_k";
    case 1U << SCORE_SCALE_LOG_N:
        return "multiplied by (ln n)/√d_k";
    default:
        return "scaled by score_scale";
    }
}
