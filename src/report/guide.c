/* SPDX-License-Identifier: MIT */
/* The text that is the same in every report: definitions, limits, errata. Declared in sections.h;
 * the derivations are in docs/method.md. */
#include "report/comparison.h"
#include "report/projections.h"
#include "report/sections.h"

static const char *const reading[] = {
    "## How to read this\n\n"
    "One attention head reads n tokens, the rows of X (n × d_model). It scores every token "
    "against every other, S = c · (X W_Q)(X W_K)ᵀ, and turns each row of S into weights by "
    "softmax, pᵢⱼ = exp(sᵢⱼ) / Σₖ exp(sᵢₖ). **Saturation** means that softmax puts nearly all of "
    "a row's weight on one token. The weights then hardly move when the scores do, and no "
    "gradient is left to correct a wrong choice.\n\n",

    "| scale | c = 1 | c = 1/√d_k |\n"
    "| norm | X as it comes | each row of X normalised |\n\n",

    "With projections drawn at random with variance σ_W², and r the root mean square of X, the "
    "scores have a standard deviation of about σ_W² · d_model · r² · √d_k · c. The init guard "
    "removes d_model, the scale guard √d_k, the norm guard r². Where r grows with the corpus, only "
    "norm of the three guards acts on it.\n\n",

    "| measure | definition | range |\n|---|---|---|\n"
    "| input spread | standard deviation of all entries of X, after the norm guard | from 0 |\n"
    "| input RMS | root of the mean square of X; scores grow with its square | from 0 |\n"
    "| score spread | standard deviation of all n² scores | from 0 |\n"
    "| score spread in a row | root of the mean variance within a row: all that softmax can see | "
    "from 0 |\n"
    "| mean row-max | mean over rows of the largest weight, (1/n) Σᵢ maxⱼ pᵢⱼ | 1/n to 1 |\n"
    "| gradient magnitude | mean over rows of ‖J‖_F, where J = diag(p) − p pᵀ is the derivative of "
    "the weights by the scores | 0 to ½; uniform attention gives √(n−1)/n |\n"
    "| gradient left | normalised trace of J, (1 − Σ p²) / (1 − 1/n), mean over rows | 0 one-hot, "
    "1 uniform |\n"
    "| saturated rows | share of rows whose largest weight reaches the threshold | 0 to 1 |\n"
    "| gradient at W_Q, relative | size of the gradient at W_Q over its size under uniform "
    "attention | from 0 |\n\n",

    "All are pure numbers, and spreads are population standard deviations. ‖J‖_F is the root mean "
    "square gradient that reaches the scores of a row when the gradient at its weights is noise of "
    "unit variance."};

static const char *const limits[] = {
    "## Limits and errata\n\n"
    "What these numbers do not say:\n\n",

    "- An interval is symmetric about its mean, so a bar can reach beyond what is possible: past 1 "
    "for a share, below 0 for a spread.\n"
    "- Read the mean gradient together with the median. A few rows with two almost equal top "
    "scores keep the mean up, while the median row falls much faster.\n"
    "- ‖J‖_F does not simply fall. From uniform attention it first rises, because two competing "
    "tokens give the largest gradient, and falls only then. The normalised trace falls from start "
    "to end.\n",

    "- The raw gradient at W_Q or W_K is no measure of saturation. It carries the lengths of "
    "inputs and keys as a factor and can grow when guards are switched off; the relative one does "
    "not carry them.\n"
    "- A saturated row is not an error of arithmetic. Scores are shifted by their maximum before "
    "exp, and gradients are computed without cancellation, so that small numbers are meant.\n\n",

    "Where common course texts on this subject are imprecise:\n\n"
    "- BERT normalises the sum of its embeddings in its code; section 3 of the paper says only "
    "that the embeddings are summed.\n"
    "- A score spread of 8 (64 dimensions without the scale guard) is a standard deviation. A "
    "worked example of five words whose scores span a range of about 8 has a standard deviation of "
    "2.8, and is not that case.\n"
    "- exp(2.0), exp(1.0) and exp(0.1) add up to 11.213, not 11.212.\n",

    "- A table of four properties (not negative, sums to one, differentiable, order kept) is said "
    "to leave softmax alone because each rival fails one. Four of its cells do not hold, and "
    "softplus over its sum has all four properties, too; only softmax ignores a constant added to "
    "all scores. A sweep over `weights` shows the counter-examples.\n\n"};

/* What holds for projections that were drawn, read and divided, or read and left. */
static const char *const init_rows[] = {
    "| init | entries of W_Q and W_K have variance 1 | variance 1/d_model |\n",
    "| init | W_Q and W_K as their files hold them | both divided by √d_model |\n",
    "| init | W_Q and W_K as their files hold them | (not used in this sweep) |\n"};

/* What holds for projections that were drawn, and for those that were read. */
static const char *const origins[] = {
    "- The projections are random and untrained. The report shows where training starts, not where "
    "it leads.\n"
    "- Intervals over seeds cover the draw of W_Q and W_K only (and of X where it is drawn, too). "
    "Where X comes from a corpus, the embedding and the sentence stay the same in all runs.\n",
    "- X, W_Q and W_K were read from files. The report shows what these arrays do, not how they "
    "came about, and seeds change nothing.\n"};

static void append_all(struct text *out, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_append(out, parts[i]);
    }
}

bool guide_append_reading(const struct sections *sections, struct error *err)
{
    const size_t count = sizeof reading / sizeof reading[0];
    text_append(sections->out, reading[0]);
    text_append(sections->out, "| guard | off | on |\n|---|---|---|\n");
    text_append(sections->out, init_rows[projections_of(sections->view->summary)]);
    append_all(sections->out, reading + 1, count - 1);
    const char *spreads = comparison_sentence(sections->view->summary, sections->arena, err);
    if (spreads == NULL) {
        return false;
    }
    text_append_format(sections->out, "%s%s\n\n", *spreads == '\0' ? "" : " ", spreads);
    return true;
}

void guide_append_limits(const struct sections *sections)
{
    const size_t count = sizeof limits / sizeof limits[0];
    text_append(sections->out, limits[0]);
    bool drawn = projections_of(sections->view->summary) == PROJECTIONS_DRAWN;
    text_append(sections->out, origins[drawn ? 0 : 1]);
    append_all(sections->out, limits + 1, count - 1);
}
