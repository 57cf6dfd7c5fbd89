/* SPDX-License-Identifier: MIT */
/* The text that is the same in every report: definitions, limits, errata. Declared in sections.h;
 * the derivations are in docs/method.md. */
#include "report/comparison.h"
#include "report/definitions.h"
#include "report/projections.h"
#include "report/sections.h"

static const char *const limits[] = {
    "## Limits and errata\n\n"
    "What these numbers do not say:\n\n",

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

/* What the numbers do not say, where that holds. */
enum holds { ALWAYS, DRAWN, PRODUCTS, SOFTMAX, SHIFTED };

static const struct {
    enum holds holds;
    const char *words;
} cautions[] = {
    {DRAWN, "- An interval is symmetric about its mean, so a bar can reach beyond what is "
            "possible: past 1 "
            "for a share, below 0 for a spread.\n"},
    {ALWAYS,
     "- Read the mean gradient together with the median. A few rows with two almost equal top "
     "scores keep the mean up, while the median row falls much faster.\n"},
    {SOFTMAX,
     "- ‖J‖_F does not simply fall. From uniform attention it first rises, because two competing "
     "tokens give the largest gradient, and falls only then. The normalised trace falls from start "
     "to end.\n"},
    {PRODUCTS,
     "- The raw gradient at W_Q or W_K is no measure of saturation. It carries the lengths of "
     "inputs and keys as a factor and can grow when guards are switched off; the relative one does "
     "not carry them.\n"},
    {SHIFTED,
     "- A saturated row is not an error of arithmetic. Scores are shifted by their maximum before "
     "exp, and gradients are computed without cancellation, so that small numbers are meant.\n"},
};

/* What holds for projections that were drawn, for those that were read, and without any. */
static const char *const origins[] = {
    "- The projections are random and untrained. The report shows where training starts, not where "
    "it leads.\n"
    "- Intervals over seeds cover the draw of W_Q and W_K only (and of X where it is drawn, too). "
    "Where X comes from a corpus, the embedding and the sentence stay the same in all runs.\n",
    "- X, W_Q and W_K were read from files. The report shows what these arrays do, not how they "
    "came about, and seeds change nothing.\n",
    "- Queries and keys were read from files. The report shows what these arrays do, not how they "
    "came about, and seeds change nothing.\n",
    "- The scores were given. No head made them, and seeds change nothing.\n"};

static void append_all(struct text *out, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text_append(out, parts[i]);
    }
}

bool guide_append_reading(const struct sections *sections, struct error *err)
{
    text_append(sections->out, "## How to read this\n\n");
    formula_append(sections);
    formula_append_guards(sections);
    definitions_append(sections);
    const char *spreads = comparison_sentence(sections->view->summary, sections->arena, err);
    if (spreads == NULL) {
        return false;
    }
    text_append_format(sections->out, "%s%s\n\n", *spreads == '\0' ? "" : " ", spreads);
    return true;
}

/* Which of the origins a sweep has. */
static size_t origin_of(const struct summary *summary)
{
    const struct scope scope = scope_of(summary);
    switch (projections_of(summary)) {
    case PROJECTIONS_DRAWN:
        return 0;
    case PROJECTIONS_READ:
    case PROJECTIONS_UNTOUCHED:
        return 1;
    case PROJECTIONS_NONE:
        break;
    }
    return scope.products ? 2 : 3;
}

static bool applies(const struct scope *scope, enum holds holds)
{
    switch (holds) {
    case DRAWN:
        return scope->drawn;
    case PRODUCTS:
        return scope->products;
    case SOFTMAX:
        return scope_softmax_only(scope);
    case SHIFTED:
        return !scope->plain_exp;
    case ALWAYS:
        break;
    }
    return true;
}

void guide_append_limits(const struct sections *sections)
{
    const size_t count = sizeof limits / sizeof limits[0];
    text_append(sections->out, limits[0]);
    text_append(sections->out, origins[origin_of(sections->view->summary)]);
    const struct scope scope = scope_of(sections->view->summary);
    for (size_t i = 0; i < sizeof cautions / sizeof cautions[0]; i++) {
        text_append(sections->out, applies(&scope, cautions[i].holds) ? cautions[i].words : "");
    }
    text_append(sections->out, "\n");
    append_all(sections->out, limits + 1, count - 1);
}
