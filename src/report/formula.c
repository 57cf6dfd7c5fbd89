/* SPDX-License-Identifier: MIT */
/* The score formula of a sweep and its guards in the guide; declared in definitions.h. */
#include "report/definitions.h"
#include "report/projections.h"

static const char *const weight_formulas[WEIGHTS_COUNT] = {
    [WEIGHTS_SOFTMAX] = "pⱼ = exp(sⱼ) / Σₖ exp(sₖ)",
    [WEIGHTS_SOFTMAX_PLUS_ONE] = "pⱼ = exp(sⱼ) / (1 + Σₖ exp(sₖ)); sums to less than 1",
    [WEIGHTS_SIGMOID] = "pⱼ = 1 / (1 + exp(−sⱼ + ln n)); the sum is free",
    [WEIGHTS_SPARSEMAX] = "the point of the simplex nearest to s",
    [WEIGHTS_ENTMAX15] = "pⱼ = max(0, sⱼ/2 − τ)², τ so that they sum to 1",
    [WEIGHTS_SOFTPLUS] = "pⱼ = g(sⱼ) / Σₖ g(sₖ), g(s) = ln(1 + exp(s))",
    [WEIGHTS_SQUARE] = "pⱼ = sⱼ² / Σₖ sₖ²",
    [WEIGHTS_SUM] = "pⱼ = sⱼ / Σₖ sₖ; not defined where the sum is 0",
    [WEIGHTS_ARGMAX] = "1 on the largest score, equal shares at a tie",
};

static void append_source(struct text *out, const struct scope *scope)
{
    if (!scope->products) {
        text_append_format(out,
                           "Rows of scores are given as they are. %sEach row of S is turned "
                           "into weights",
                           scope->factor ? "The score factor multiplies them. " : "");
        return;
    }
    text_append(out, scope->inputs
                         ? "One attention head reads n tokens, the rows of X (n × d_model). It "
                           "scores every token against every other, S = c · (X W_Q)(X W_K)ᵀ, and "
                           "turns each row of S into weights"
                         : "One attention head has queries Q and keys K as they were given. It "
                           "scores every query against every key, S = c · Q Kᵀ, and turns each "
                           "row of S into weights");
}

static void append_options(struct text *out, const struct scope *scope)
{
    const struct {
        bool on;
        const char *words;
    } options[] = {
        {scope->products && scope->factor, "the score factor multiplies every score"},
        {scope->qk_norm, "`qk_norm` normalises every query and key, to length 1 (l2), to mean "
                         "square 1 (rms) or to mean 0 and variance 1 (layer), and `qk_gain` "
                         "multiplies their products"},
        {scope->rope, "`rope` rotates queries and keys by their place and leaves their lengths"},
        {(scope->scales & 1U << SCORE_SCALE_LOG_N) != 0,
         "the n of ln n is the number of keys that a row sees"},
        {scope->cap, "a soft cap C above 0 turns a score s into C · tanh(s / C), whose slope the "
                     "gradients include"},
        {scope->mask, "under the causal mask token i sees itself and the tokens before it"},
        {scope->rounded, "scores are rounded to the format that `precision` names before they "
                         "become weights"},
        {scope->plain_exp, "with `stabilise` off the largest score is not subtracted before exp, "
                           "so that exp can overflow and leave a row without weights"},
    };
    bool first = true;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (options[i].on) {
            text_append_format(out, "%s%s", first ? "Where this sweep says so, " : "; ",
                               options[i].words);
            first = false;
        }
    }
    text_append(out, first ? "" : ".\n\n");
}

static void append_weights(struct text *out, const struct scope *scope)
{
    text_append(out, "| weights | from a row s of n scores |\n|---|---|\n");
    for (size_t w = 0; w < WEIGHTS_COUNT; w++) {
        if ((scope->weights & 1U << w) != 0) {
            text_append(out, "| ");
            markdown_text(out, run_fields[RUN_WEIGHTS].choices[w]);
            text_append_format(out, " | %s |\n", weight_formulas[w]);
        }
    }
    text_append(out, "\n");
}

void formula_append(const struct sections *sections)
{
    const struct scope scope = scope_of(sections->view->summary);
    struct text *out = sections->out;
    bool softmax = scope_softmax_only(&scope);
    append_source(out, &scope);
    text_append_format(out,
                       "%s **Saturation** means that %s nearly all of a row's weight on one token. "
                       "The weights then hardly move when the scores do, and no gradient is left "
                       "to correct a wrong choice.\n\n",
                       softmax ? " by softmax, pᵢⱼ = exp(sᵢⱼ) / Σₖ exp(sᵢₖ)." : ", as below.",
                       softmax ? "softmax puts" : "the formula puts");
    append_options(out, &scope);
    if (!softmax) {
        append_weights(out, &scope);
    }
}

/* What the scale guard makes of c. */
static const char *scaled_factor(const struct scope *scope)
{
    switch (scope->scales) {
    case 0:
    case 1U << SCORE_SCALE_SQRT:
        return "c = 1/√d_k";
    case 1U << SCORE_SCALE_LINEAR:
        return "c = 1/d_k";
    case 1U << SCORE_SCALE_LOG_N:
        return "c = (ln n)/√d_k";
    default:
        return "c = 1/√d_k (sqrt), 1/d_k (linear) or (ln n)/√d_k (log_n)";
    }
}

/* Whether the rule of thumb below holds: plain queries and keys from drawn projections. */
static bool rule_holds(const struct summary *summary, const struct scope *scope)
{
    return projections_of(summary) == PROJECTIONS_DRAWN && scope->inputs && !scope->qk_norm;
}

static void append_rule(struct text *out, const struct scope *scope)
{
    bool plain = (scope->scales & ~(1U << SCORE_SCALE_SQRT)) == 0;
    text_append_format(
        out,
        "With projections drawn at random with variance σ_W², and r the root mean square of X, the "
        "scores have a standard deviation of about σ_W² · d_model · r² · √d_k · c. The init guard "
        "removes d_model, %s, the norm guard r².%s\n\n",
        plain ? "the scale guard √d_k" : "the scale guard acts on √d_k by way of c",
        (scope->sources & 1U << SOURCE_CORPUS) != 0
            ? " Where r grows with the corpus, only norm of the three guards acts on it."
            : "");
}

void formula_append_guards(const struct sections *sections)
{
    /* projections that were drawn, read and divided, or read and left; none at all */
    static const char *const init_rows[] = {
        "| init | entries of W_Q and W_K have variance 1 | variance 1/d_model |\n",
        "| init | W_Q and W_K as their files hold them | both divided by √d_model |\n",
        "| init | W_Q and W_K as their files hold them | (not used in this sweep) |\n", ""};
    const struct summary *summary = sections->view->summary;
    const struct scope scope = scope_of(summary);
    struct text *out = sections->out;
    if (!scope.products) {
        return;
    }
    text_append(out, "| guard | off | on |\n|---|---|---|\n");
    text_append(out, init_rows[projections_of(summary)]);
    text_append_format(out, "| scale | c = 1 | %s |\n", scaled_factor(&scope));
    text_append(out,
                scope.inputs ? "| norm | X as it comes | each row of X normalised |\n\n" : "\n");
    if (rule_holds(summary, &scope)) {
        append_rule(out, &scope);
    }
}
