/* SPDX-License-Identifier: MIT */
/* A table of four properties as courses print it, held against what the search found; declared in
 * weight_properties.h. */
#include "report/weight_properties.h"

#include "attention/weights.h"

enum { PRINTED_ROWS = 4, PRINTED_COLUMNS = 4, PRINTED_CELLS = PRINTED_ROWS * PRINTED_COLUMNS };

static const enum property columns[PRINTED_COLUMNS] = {
    PROPERTY_NON_NEGATIVE, PROPERTY_SUMS_TO_ONE, PROPERTY_DIFFERENTIABLE, PROPERTY_STRICT_ORDER};
static const char *const column_names[PRINTED_COLUMNS] = {
    "not negative", "sums to one", "differentiable everywhere", "order kept"};

static const struct {
    enum run_weights weights;
    const char *name;
    bool cells[PRINTED_COLUMNS];
} printed[PRINTED_ROWS] = {{WEIGHTS_SUM, "dividing by the sum", {false, true, true, true}},
                           {WEIGHTS_ARGMAX, "hard argmax", {true, true, false, true}},
                           {WEIGHTS_SQUARE, "the square", {true, true, true, false}},
                           {WEIGHTS_SOFTMAX, "softmax", {true, true, true, true}}};

static const struct property_finding *finding_of(const struct weight_properties *properties,
                                                 size_t row, size_t column)
{
    return &properties->findings[printed[row].weights][columns[column]];
}

/* A sum of one that fails only where there is nothing to sum: the cell lacks a condition. */
static bool lacks_a_condition(const struct weight_properties *properties, size_t row, size_t column)
{
    const struct property_finding *finding = finding_of(properties, row, column);
    return columns[column] == PROPERTY_SUMS_TO_ONE && !finding->holds && !finding->defined;
}

static bool is_wrong(const struct weight_properties *properties, size_t row, size_t column)
{
    return finding_of(properties, row, column)->holds != printed[row].cells[column] &&
           !lacks_a_condition(properties, row, column);
}

/* Properties that a rival fails, as the table counts them. */
static size_t failed(const struct weight_properties *properties, size_t row)
{
    size_t count = 0;
    for (size_t c = 0; c < PRINTED_COLUMNS; c++) {
        count += !finding_of(properties, row, c)->holds && !lacks_a_condition(properties, row, c);
    }
    return count;
}

static size_t count_wrong(const struct weight_properties *properties)
{
    size_t count = 0;
    for (size_t i = 0; i < PRINTED_CELLS; i++) {
        count += is_wrong(properties, i / PRINTED_COLUMNS, i % PRINTED_COLUMNS);
    }
    return count;
}

static void append_printed(struct text *out)
{
    text_append(out, "### A table that is often printed\n\n"
                     "It asks for four properties (not negative, sums to one, differentiable "
                     "everywhere, order kept: a higher score always gets a higher weight) and "
                     "concludes that each rival of softmax fails exactly one. It reads: ");
    for (size_t r = 0; r < PRINTED_ROWS; r++) {
        text_append_format(out, "%s%s ", r == 0 ? "" : "; ", printed[r].name);
        for (size_t c = 0; c < PRINTED_COLUMNS; c++) {
            text_append_format(out, "%s%s", c == 0 ? "" : ", ", printed[r].cells[c] ? "yes" : "no");
        }
    }
    text_append(out, ".");
}

static void append_cell(struct text *out, const struct weight_properties *properties, size_t row,
                        size_t column)
{
    const struct property_finding *finding = finding_of(properties, row, column);
    text_append_format(out, "- %s, %s: printed %s, but ", printed[row].name, column_names[column],
                       printed[row].cells[column] ? "yes" : "no");
    if (finding->holds) {
        text_append(out, "no counter-example is found");
    } else {
        weight_properties_append_proof(out, columns[column], finding);
    }
    text_append(out, ".\n");
}

static void append_cells(struct text *out, const struct weight_properties *properties)
{
    for (size_t i = 0; i < PRINTED_CELLS; i++) {
        if (is_wrong(properties, i / PRINTED_COLUMNS, i % PRINTED_COLUMNS)) {
            append_cell(out, properties, i / PRINTED_COLUMNS, i % PRINTED_COLUMNS);
        }
    }
    text_append(out, "\nOthers hold on a condition that the table leaves out:\n\n");
    for (size_t i = 0; i < PRINTED_CELLS; i++) {
        if (lacks_a_condition(properties, i / PRINTED_COLUMNS, i % PRINTED_COLUMNS)) {
            append_cell(out, properties, i / PRINTED_COLUMNS, i % PRINTED_COLUMNS);
        }
    }
    text_append(out, "- hard argmax, sums to one: printed yes, which takes a rule for ties; here "
                     "equal largest scores share the weight.\n");
}

/* The order of softmax as doubles hold it, from the kernel itself. */
static void append_rounded_order(struct text *out)
{
    const double scores[3] = {0, -746, -800};
    double p[3];
    double slope[3];
    double share[3];
    double unshared[3];
    double remainder[3];
    const struct weights_row row = {p, slope, share, unshared, remainder};
    weights_alternatives[WEIGHTS_SOFTMAX].fill(3, scores, &row);
    text_append(out, "Softmax keeps the order strictly among real numbers, but only weakly in "
                     "floating point: ");
    weight_properties_append_row(out, scores, 3);
    text_append(out, " gives exactly ");
    weight_properties_append_row(out, p, 3);
    text_append(out, " in double precision.");
}

static void append_softplus(struct text *out, const struct weight_properties *properties)
{
    const struct property_finding *findings = properties->findings[WEIGHTS_SOFTPLUS];
    size_t passed = 0;
    for (size_t c = 0; c < PRINTED_COLUMNS; c++) {
        passed += findings[columns[c]].holds;
    }
    if (passed < PRINTED_COLUMNS || findings[PROPERTY_SHIFT_INVARIANT].holds) {
        return;
    }
    text_append(out, " Nor do the four properties single out softmax: softplus over its sum has "
                     "them all. What it lacks is a fifth, weights that ignore a constant added to "
                     "all scores: ");
    weight_properties_append_proof(out, PROPERTY_SHIFT_INVARIANT,
                                   &findings[PROPERTY_SHIFT_INVARIANT]);
    text_append(out, ". Among ratios g(sᵢ) / Σⱼ g(sⱼ) only softmax has the fifth as well. Outside "
                     "ratios others have it, too: sparsemax and entmax15, which lose the strict "
                     "order, and mixtures such as ½ softmax(s) + ½ softmax(2s), which have all "
                     "five.");
}

void weight_errata_append(struct text *out, const struct weight_properties *properties)
{
    bool rival = false;
    for (size_t r = 0; r < PRINTED_ROWS; r++) {
        rival = rival ||
                (printed[r].weights != WEIGHTS_SOFTMAX && properties->shown[printed[r].weights]);
    }
    if (!rival) {
        return;
    }
    append_printed(out);
    text_append_format(out, " The search refutes %zu of its %d cells:\n\n", count_wrong(properties),
                       PRINTED_CELLS);
    append_cells(out, properties);
    text_append(out, "\nSo the rivals do not fail one each: ");
    for (size_t r = 0; r + 1 < PRINTED_ROWS; r++) {
        text_append_format(out, "%s%s fails %zu", r == 0 ? "" : ", ", printed[r].name,
                           failed(properties, r));
    }
    text_append(out, ". ");
    append_rounded_order(out);
    append_softplus(out, properties);
    text_append(out, "\n\n");
}
