/* SPDX-License-Identifier: MIT */
/* The text that is the same in every report: definitions, limits, errata. Declared in sections.h;
 * the derivations are in docs/method.md. */
#include "report/comparison.h"
#include "report/definitions.h"
#include "report/projections.h"
#include "report/sections.h"

/* Of which sweeps a sentence holds. */
enum holds { ALWAYS, DRAWN, PRODUCTS, SOFTMAX, SHIFTED, CORPORA, SPREADS };

/* Where course texts are imprecise, and on what sweeps that matters. */
static const struct {
    enum holds holds;
    const char *words;
} errata[] = {
    {CORPORA,
     "- BERT normalises the sum of its embeddings in its code; section 3 of the paper says "
     "only that the embeddings are summed.\n"},
    {SPREADS,
     "- A score spread of 8 (64 dimensions without the scale guard) is a standard deviation. A "
     "worked example of five words whose scores span a range of about 8 has a standard deviation "
     "of "
     "2.8, and is not that case.\n"},
};

/* What the numbers do not say, where that holds. */
static const struct {
    enum holds holds;
    const char *words;
} cautions[] = {
    {DRAWN, "- The interval of a spread or a gradient is symmetric about its mean and can reach "
            "below 0, which is not possible; that of a share stays between 0 and 1.\n"},
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
    case CORPORA:
        return (scope->sources & 1U << SOURCE_CORPUS) != 0;
    case SPREADS:
        return scope->drawn || (scope->sources & 1U << SOURCE_SCORES) != 0;
    case ALWAYS:
        break;
    }
    return true;
}

static size_t count_errata(const struct scope *scope)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof errata / sizeof errata[0]; i++) {
        count += applies(scope, errata[i].holds);
    }
    return count;
}

static void append_errata(struct text *out, const struct scope *scope)
{
    text_append(out, "Where common course texts on this subject are imprecise:\n\n");
    for (size_t i = 0; i < sizeof errata / sizeof errata[0]; i++) {
        text_append(out, applies(scope, errata[i].holds) ? errata[i].words : "");
    }
    text_append(out, "\n");
}

void guide_append_limits(const struct sections *sections)
{
    struct text *out = sections->out;
    const struct scope scope = scope_of(sections->view->summary);
    const bool errs = count_errata(&scope) > 0;
    text_append(out, errs ? "## Limits and errata\n\n" : "## Limits\n\n");
    text_append(out, "What these numbers do not say:\n\n");
    text_append(out, origins[origin_of(sections->view->summary)]);
    for (size_t i = 0; i < sizeof cautions / sizeof cautions[0]; i++) {
        text_append(out, applies(&scope, cautions[i].holds) ? cautions[i].words : "");
    }
    text_append(out, "\n");
    if (errs) {
        append_errata(out, &scope);
    }
}
