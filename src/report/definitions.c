/* SPDX-License-Identifier: MIT */
/* The table of measures in the guide; declared in definitions.h. */
#include "report/definitions.h"

/* When a line stands in the table. */
enum shown { ALWAYS, INPUTS, LOGIT, LENGTHS, INSIDE, SUMS, UNDEFINED, GRADIENTS };

struct definition {
    enum shown shown;
    enum measurement_field measure;
    const char *name, *words, *range;
};

static const struct definition spreads[] = {
    {INPUTS, MEASURE_INPUT_STD, "input spread",
     "standard deviation of all entries of X, after the norm guard", "from 0"},
    {INPUTS, MEASURE_INPUT_RMS, "input RMS",
     "root of the mean square of X; scores grow with its square", "from 0"},
    {ALWAYS, MEASURE_SCORE_STD, "score spread", "standard deviation of all scores", "from 0"},
    {ALWAYS, MEASURE_SCORE_ROW_STD, "score spread in a row",
     "root of the mean variance within a row: all that softmax can see", "from 0"},
    {LOGIT, MEASURE_MAX_LOGIT, "max logit", "largest score with its sign, scaled and not masked",
     "any"},
    {LENGTHS, MEASURE_Q_NORM, "query length, key length",
     "mean length of qᵢ and of kⱼ, after their norm", "from 0"},
};

static const struct definition of_softmax[] = {
    {ALWAYS, MEASURE_ROW_MAX_MEAN, "mean row-max",
     "mean over rows of the largest weight of each, maxⱼ pᵢⱼ", "1/n to 1"},
    {ALWAYS, MEASURE_JACOBIAN_NORM_MEAN, "gradient magnitude",
     "mean over rows of ‖J‖_F, where J = diag(p) − p pᵀ is the derivative of the weights by the "
     "scores",
     "0 to ½; uniform attention gives √(n−1)/n"},
    {ALWAYS, MEASURE_JACOBIAN_TRACE_MEAN, "gradient left",
     "normalised trace of J, (1 − Σ p²) / (1 − 1/n), mean over rows", "0 one-hot, 1 uniform"},
};

static const struct definition of_others[] = {
    {ALWAYS, MEASURE_ROW_MAX_MEAN, "mean row-max",
     "mean over rows of the largest weight of each, maxⱼ pᵢⱼ",
     "up to 1 for weights that are shares"},
    {ALWAYS, MEASURE_JACOBIAN_NORM_MEAN, "gradient magnitude",
     "mean over rows of ‖J‖_F, where J is the derivative of the weights by the scores; diag(p) − p "
     "pᵀ for softmax",
     "from 0"},
    {ALWAYS, MEASURE_JACOBIAN_TRACE_MEAN, "gradient left",
     "trace of J over 1 − 1/n, the trace of uniform softmax, mean over rows",
     "1 uniform softmax; any for other weights"},
};

static const struct definition rest[] = {
    {SUMS, MEASURE_WEIGHT_SUM_MEAN, "sum of weights", "mean over rows of Σⱼ pᵢⱼ",
     "1 for weights that are shares"},
    {INSIDE, MEASURE_ENTROPY_MEAN, "entropy, normalised entropy",
     "−Σ p ln p, mean over rows; over ln n, its largest", "0 to ln n; 0 to 1"},
    {INSIDE, MEASURE_MAX_COLUMN_MEAN, "largest sink",
     "largest over keys of the mean weight that they receive",
     "1/n to 1, where all rows attend to one key"},
    {ALWAYS, MEASURE_SATURATED_ROWS, "saturated rows",
     "share of rows whose largest weight reaches the threshold", "0 to 1"},
    {UNDEFINED, MEASURE_UNDEFINED_ROWS, "undefined rows",
     "rows without weights: masked keys only, overflow, or 0/0", "0 to n"},
    {GRADIENTS, MEASURE_GRADIENT_WQ_RATIO, "gradient at W_Q, relative",
     "size of the gradient at W_Q over its size under uniform attention", "from 0"},
};

static bool is_shown(const struct summary *summary, const struct scope *scope, enum shown shown)
{
    switch (shown) {
    case INPUTS:
        return scope_measured(summary, MEASURE_INPUT_STD);
    case LOGIT:
        return scope_looks_inside(scope) || !scope_measured(summary, MEASURE_INPUT_STD);
    case LENGTHS:
        return scope_looks_inside(scope) && scope_measured(summary, MEASURE_Q_NORM);
    case INSIDE:
        return scope_looks_inside(scope);
    case SUMS:
        return scope_sum_is_free(scope);
    case UNDEFINED:
        return scope_undefined_runs(summary) > 0;
    case GRADIENTS:
        return scope_measured(summary, MEASURE_GRADIENT_WQ_RATIO);
    case ALWAYS:
        break;
    }
    return true;
}

static void append_lines(const struct sections *sections, const struct scope *scope,
                         const struct definition *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (scope_holds(sections->view->summary, lines[i].measure) &&
            is_shown(sections->view->summary, scope, lines[i].shown)) {
            text_append_format(sections->out, "| %s | %s | %s |\n", lines[i].name, lines[i].words,
                               lines[i].range);
        }
    }
}

void definitions_append(const struct sections *sections)
{
    const struct scope scope = scope_of(sections->view->summary);
    bool softmax = scope_softmax_only(&scope);
    text_append(sections->out, "| measure | definition | range |\n|---|---|---|\n");
    append_lines(sections, &scope, spreads, sizeof spreads / sizeof spreads[0]);
    append_lines(sections, &scope, softmax ? of_softmax : of_others,
                 sizeof of_softmax / sizeof of_softmax[0]);
    append_lines(sections, &scope, rest, sizeof rest / sizeof rest[0]);
    text_append(sections->out,
                "\nAll are pure numbers, and spreads are population standard deviations. ‖J‖_F is "
                "the root mean square gradient that reaches the scores of a row when the gradient "
                "at its weights is noise of unit variance.");
    if (scope.cap) {
        text_append(sections->out, " Where a soft cap is on, J includes its slope: a row whose "
                                   "scores press against the cap is even and has little gradient "
                                   "all the same.");
    }
    if (scope.mask) {
        text_append(
            sections->out,
            " Under the mask, masked scores are in no measure and n is a row's own number of "
            "keys; a row that sees one key has "
            "nothing to choose and is left out of the means.");
    }
}
