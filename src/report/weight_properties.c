/* SPDX-License-Identifier: MIT */
/* The table of properties and its counter-examples; see weight_properties.h. */
#include "report/weight_properties.h"

#include "attention/weights.h"
#include "report/cells.h"

#include <math.h>
#include <string.h>

enum { FEW = 4, DIGITS = 3 };

static const char *const heads[PROPERTY_COUNT + 1] = {
    "weights",
    "not negative",
    "sum to one",
    "differentiable",
    "order kept, weakly",
    "order kept, strictly",
    "unmoved by a shift",
    "unmoved by a factor",
};

bool weight_properties_find(const struct summary *summary, struct weight_properties *out)
{
    size_t count = 0;
    memset(out, 0, sizeof *out);
    for (size_t g = 0; g < summary->group_count; g++) {
        bool *shown = &out->shown[summary->groups[g].sample->weights];
        count += !*shown;
        *shown = true;
    }
    if (count == 0 || (count == 1 && out->shown[WEIGHTS_SOFTMAX])) {
        return false;
    }
    for (int w = 0; w < WEIGHTS_COUNT; w++) {
        out->shown[w] = out->shown[w] || count > FEW;
        for (int p = 0; p < PROPERTY_COUNT; p++) {
            out->findings[w][p] = property_search((enum run_weights)w, (enum property)p);
        }
    }
    return true;
}

void weight_properties_append_row(struct text *out, const double *numbers, size_t count)
{
    text_append(out, "(");
    for (size_t i = 0; i < count; i++) {
        char number[NUMBER_SIZE];
        text_append_format(out, "%s%s", i == 0 ? "" : ", ", cell_short(numbers[i], DIGITS, number));
    }
    text_append(out, ")");
}

static void append_sum(struct text *out, const struct property_finding *finding)
{
    char number[NUMBER_SIZE];
    double sum = 0;
    for (size_t i = 0; i < finding->keys; i++) {
        sum += finding->weights[i];
    }
    text_append_format(out, ", a sum of %s", cell_short(sum, DIGITS, number));
}

void weight_properties_append_proof(struct text *out, enum property property,
                                    const struct property_finding *finding)
{
    char number[NUMBER_SIZE];
    weight_properties_append_row(out, finding->scores, finding->keys);
    if (!finding->defined) {
        text_append(out, property == PROPERTY_DIFFERENTIABLE
                             ? " is divided by 0, and so has no derivative"
                             : " is divided by 0, and so has no weights");
        return;
    }
    text_append(out, " gives ");
    weight_properties_append_row(out, finding->weights, finding->keys);
    if (property == PROPERTY_SUMS_TO_ONE) {
        append_sum(out, finding);
    } else if (property == PROPERTY_DIFFERENTIABLE) {
        text_append(out, ", where a step up and a step down of a score do not agree");
    } else if (property == PROPERTY_SHIFT_INVARIANT) {
        text_append_format(out, ", and with %s added to every score ",
                           cell_short(finding->constant, DIGITS, number));
        weight_properties_append_row(out, finding->changed, finding->keys);
    } else if (property == PROPERTY_SCALE_INVARIANT) {
        text_append_format(out, ", and %s times these scores ",
                           cell_short(finding->constant, DIGITS, number));
        weight_properties_append_row(out, finding->changed, finding->keys);
    }
}

static void append_table(struct text *out, const struct weight_properties *properties)
{
    markdown_table(out, heads, PROPERTY_COUNT + 1, PROPERTY_COUNT + 1);
    for (int w = 0; w < WEIGHTS_COUNT; w++) {
        if (!properties->shown[w]) {
            continue;
        }
        text_append_format(out, "| `%s` ", weights_alternatives[w].name);
        for (int p = 0; p < PROPERTY_COUNT; p++) {
            text_append(out, properties->findings[w][p].holds ? "| yes " : "| **no** ");
        }
        text_append(out, "|\n");
    }
    text_append(out, "\n");
}

/* Whether one row refutes the weak order and the strict one. */
static bool refutes_both_orders(const struct property_finding findings[PROPERTY_COUNT])
{
    const struct property_finding *weak = &findings[PROPERTY_WEAK_ORDER];
    const struct property_finding *strict = &findings[PROPERTY_STRICT_ORDER];
    return !weak->holds && !strict->holds && weak->keys == strict->keys &&
           memcmp(weak->scores, strict->scores, weak->keys * sizeof *weak->scores) == 0;
}

static void append_counter_examples(struct text *out, enum run_weights weights,
                                    const struct property_finding findings[PROPERTY_COUNT])
{
    bool both = refutes_both_orders(findings);
    for (int p = 0; p < PROPERTY_COUNT; p++) {
        if (findings[p].holds || (p == PROPERTY_STRICT_ORDER && both)) {
            continue;
        }
        bool merged = p == PROPERTY_WEAK_ORDER && both;
        text_append_format(out, "- `%s`, %s: ", weights_alternatives[weights].name,
                           merged ? "order kept" : heads[p + 1]);
        weight_properties_append_proof(out, (enum property)p, &findings[p]);
        text_append(out, ".\n");
    }
}

bool properties_append(const struct sections *sections, struct error *err)
{
    struct weight_properties *properties = arena_alloc(sections->arena, 1, sizeof *properties, err);
    if (properties == NULL) {
        return false;
    }
    if (!weight_properties_find(sections->view->summary, properties)) {
        return true;
    }
    struct text *out = sections->out;
    text_append(out,
                "## What each way to make weights keeps\n\n"
                "Every property is put to a search for counter-examples: a catalogue of small "
                "rows, then random ones, and what is found is made smaller. **No** is certain. Yes "
                "means that none was found, which is evidence and no proof. Rounding does not "
                "count: the question is about real numbers.\n\n");
    append_table(out, properties);
    text_append(out, "The smallest counter-examples:\n\n");
    for (int w = 0; w < WEIGHTS_COUNT; w++) {
        if (properties->shown[w]) {
            append_counter_examples(out, (enum run_weights)w, properties->findings[w]);
        }
    }
    text_append(out, "\n");
    weight_errata_append(out, properties);
    return true;
}
