/* SPDX-License-Identifier: MIT */
/* The part "Onset": a table of all curves. Declared in sections.h. */
#include "report/onset_names.h"
#include "report/scope.h"
#include "summary/bootstrap.h"

#include <math.h>
#include <stdlib.h>

enum { TABLE_ROWS = 64, COLUMNS = 3 };

/* Rows of the table: all curves as planned, or those that set in first when they are too many. */
struct rows {
    size_t count, all;
    size_t *curves;
};

/* Where an onset stands among others: before the range, within, behind, nowhere to be told. */
static double rank_of(const struct onset *onset)
{
    switch (onset->state) {
    case ONSET_THROUGHOUT:
    case ONSET_LEAVES:
        return -(double)INFINITY;
    case ONSET_WITHIN:
        return onset->at;
    case ONSET_NOWHERE:
    case ONSET_HIDDEN:
    case ONSET_UNKNOWN:
        break;
    }
    return (double)INFINITY;
}

struct ranked {
    double rank;
    size_t curve;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *left = a;
    const struct ranked *right = b;
    int by_rank = (left->rank > right->rank) - (left->rank < right->rank);
    return by_rank != 0 ? by_rank : (left->curve > right->curve) - (left->curve < right->curve);
}

static bool select_rows(const struct onsets *found, struct rows *out, struct arena *arena,
                        struct error *err)
{
    struct ranked *ranked = arena_alloc(arena, found->count, sizeof *ranked, err);
    out->curves = arena_alloc(arena, found->count, sizeof *out->curves, err);
    out->all = 0;
    if (ranked == NULL || out->curves == NULL) {
        return false;
    }
    for (size_t c = 0; c < found->count; c++) {
        if (onset_is_curve(&found->curves[c])) {
            ranked[out->all++] = (struct ranked){rank_of(&found->curves[c].of[ONSET_ROW_MAX]), c};
        }
    }
    out->count = out->all;
    if (out->all > TABLE_ROWS) {
        qsort(ranked, out->all, sizeof *ranked, compare_ranked);
        out->count = TABLE_ROWS;
    }
    for (size_t i = 0; i < out->count; i++) {
        out->curves[i] = ranked[i].curve;
    }
    return true;
}

static size_t shared_seeds(const struct onsets *found)
{
    size_t most = 0;
    for (size_t c = 0; c < found->count; c++) {
        most = found->curves[c].seeds > most ? found->curves[c].seeds : most;
    }
    return most;
}

static bool has_theory(const struct onset_table *table)
{
    for (size_t c = 0; c < table->found.count; c++) {
        if (table->theory[c].state != ONSET_UNKNOWN) {
            return true;
        }
    }
    return false;
}

/* A sweep need not store it. */
static bool has_gradient(const struct onsets *found)
{
    return scope_holds(found->summary, MEASURE_JACOBIAN_NORM_MEAN);
}

static bool any_thin(const struct onsets *found)
{
    for (size_t c = 0; c < found->count; c++) {
        if (onset_is_thin(&found->curves[c])) {
            return true;
        }
    }
    return false;
}

/* How the brackets come about, or why there are none. */
static void append_seeds(const struct sections *sections, const struct onsets *found)
{
    const struct scope scope = scope_of(found->summary);
    size_t seeds = shared_seeds(found);
    char count[TEXT_COUNT_SIZE];
    char resamples[TEXT_COUNT_SIZE];
    if (!scope.drawn) {
        text_append(sections->out, " Nothing is drawn by seed, so there is no interval.");
    } else if (seeds < BOOTSTRAP_LEAST) {
        text_append_format(sections->out, " %s: too few for an interval.",
                           seeds == 2 ? "There are two seeds" : "There is one seed");
    } else {
        text_append_format(
            sections->out,
            " Brackets hold a 95 %% interval: the %s seeds are drawn again %s times with "
            "replacement, the same ones along a curve, and each time the place is found anew. "
            "\"Above\" and \"below\" stand for ends outside the range of the sweep.",
            text_from_count(seeds, count), text_from_count(BOOTSTRAP_RESAMPLES, resamples));
        text_append(sections->out,
                    seeds < 5 ? " With so few seeds it is too short: it holds the truth in 74 to "
                                "85 % of cases."
                              : "");
    }
}

static void append_lead(const struct sections *sections, const struct onset_table *table)
{
    const struct onsets *found = &table->found;
    struct text *out = sections->out;
    text_append(out, "## Onset\n\n### Where does saturation set in?\n\nWhere along ");
    markdown_text(out, view_axis_label(found->axis));
    text_append_format(
        out,
        " the mean row-max over all seeds reaches the threshold of saturation%s, "
        "interpolated between two values%s.",
        has_gradient(found) ? ", and where the mean gradient magnitude falls to its own" : "",
        found->logarithmic ? " on a logarithmic scale" : "");
    append_seeds(sections, found);
    if (has_theory(table)) {
        text_append(
            out, " The last column is where the theory of independent scores would have it: "
                 "where the measured score spread in a row, interpolated likewise, reaches the "
                 "spread at which that many independent normal scores have a mean row-max at "
                 "the threshold. The scores of a head are not independent; what that does is the "
                 "difference between the columns.");
    }
    if (any_thin(found)) {
        text_append(out, " *Spread thin*: there the gradient is small because the weights are "
                         "nearly uniform over many tokens, not because they are saturated.");
    }
    text_append(out, "\n\n");
}

/* "mean row-max reaches 0.9", or without a number when curves differ. */
static const char *head_of(const struct onsets *found, enum onset_kind kind, struct arena *arena,
                           struct error *err)
{
    char number[NUMBER_SIZE];
    double threshold = onset_threshold(&found->curves[0], kind);
    for (size_t c = 1; c < found->count; c++) {
        if (onset_threshold(&found->curves[c], kind) != threshold) {
            threshold = (double)NAN;
        }
    }
    return arena_format(arena, err, "%s%s%s",
                        kind == ONSET_ROW_MAX ? "mean row-max reaches "
                                              : "gradient magnitude falls to ",
                        isnan(threshold) ? "its threshold" : number_given(threshold, number),
                        found->axis->field == RUN_SENTENCE_LIMIT ? " (sentences)" : "");
}

static bool append_cell(const struct sections *sections, const struct onsets *found,
                        const struct onset_curve *curve, const struct onset *onset,
                        struct error *err)
{
    struct onset_words words;
    if (!onset_words(found, curve, onset, sections->arena, &words, err)) {
        return false;
    }
    text_append_format(sections->out, "| %s", words.place);
    if (*words.interval != '\0') {
        text_append_format(sections->out, " (%s)", words.interval);
    }
    if (*words.further != '\0') {
        text_append_format(sections->out, "; %s", words.further);
    }
    bool thin = onset == &curve->of[ONSET_GRADIENT] && onset_is_thin(curve);
    text_append(sections->out, thin ? ", spread thin " : " ");
    return true;
}

static bool append_row(const struct sections *sections, const struct onset_table *table, size_t c,
                       bool theory, struct error *err)
{
    const struct onset_curve *curve = &table->found.curves[c];
    const struct onset *onsets[COLUMNS] = {&curve->of[ONSET_ROW_MAX], &curve->of[ONSET_GRADIENT],
                                           &table->theory[c]};
    if (!onset_names_append_cells(sections, &table->found, curve, err)) {
        return false;
    }
    for (size_t i = 0; i < (theory ? COLUMNS : 2); i++) {
        if (i == 1 && !has_gradient(&table->found)) {
            continue;
        }
        if (i == 2 && onsets[i]->state == ONSET_UNKNOWN) {
            text_append(sections->out, "| – ");
        } else if (!append_cell(sections, &table->found, curve, onsets[i], err)) {
            return false;
        }
    }
    text_append(sections->out, "|\n");
    return true;
}

static bool append_table(const struct sections *sections, const struct onset_table *table,
                         const struct rows *rows, struct error *err)
{
    const char *heads[RUN_FIELD_COUNT + COLUMNS];
    bool theory = has_theory(table);
    size_t names = onset_names_heads(&table->found, heads);
    size_t count = names;
    for (int kind = 0; kind < (has_gradient(&table->found) ? ONSET_KINDS : 1); kind++) {
        heads[count] = head_of(&table->found, (enum onset_kind)kind, sections->arena, err);
        if (heads[count++] == NULL) {
            return false;
        }
    }
    if (theory) {
        heads[count++] = "theory: row-max";
    }
    markdown_table(sections->out, heads, count, names);
    for (size_t i = 0; i < rows->count; i++) {
        if (!append_row(sections, table, rows->curves[i], theory, err)) {
            return false;
        }
    }
    text_append(sections->out, "\n");
    return true;
}

bool onsets_append(const struct sections *sections, struct error *err)
{
    const struct onset_table *table = sections->view->onsets;
    struct rows rows;
    if (table == NULL) {
        return true;
    }
    if (!select_rows(&table->found, &rows, sections->arena, err)) {
        return false;
    }
    append_lead(sections, table);
    if (rows.count < rows.all) {
        char all[TEXT_COUNT_SIZE];
        text_append_format(sections->out, "Of %s curves the %zu that set in first:\n\n",
                           text_from_count(rows.all, all), rows.count);
    }
    return append_table(sections, table, &rows, err);
}
