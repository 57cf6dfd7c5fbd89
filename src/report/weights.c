/* SPDX-License-Identifier: MIT */
/* Choosing panels for the heat map; see weights.h. */
#include "report/weights.h"

#include <string.h>

/* Guard sets worth a look, from none to all: without help, the published recipe (init and scale),
 * and the recipe on a normalised input. */
static const unsigned telling[WEIGHTS_ROWS] = {0, 3, 7};

static bool has_weights(const struct result *row)
{
    return row->status == RESULT_OK && row->index >= 0 && row->kept.weights != NULL &&
           row->kept.queries > 0 && row->kept.tokens > 0;
}

/* The first run in the order of the plan that has weights names the seed and the base. */
static bool find_base(const struct result_set *set, struct weights *weights)
{
    size_t first = set->count;
    for (size_t i = 0; i < set->count && first == set->count; i++) {
        first = has_weights(&set->rows[i]) ? i : first;
    }
    for (size_t g = 0; g < weights->summary->group_count && first < set->count; g++) {
        const struct summary_group *group = &weights->summary->groups[g];
        for (size_t r = 0; r < group->runs; r++) {
            if (group->rows[r] == first) {
                weights->base = group;
                weights->seed = set->rows[first].run.seed;
                return true;
            }
        }
    }
    return false;
}

/* The run of the chosen seed in a group that has weights, or NULL. */
static const struct result *kept_in(const struct result_set *set, const struct weights *weights,
                                    const struct summary_group *group)
{
    for (size_t r = 0; r < group->runs; r++) {
        const struct result *row = &set->rows[group->rows[r]];
        if (has_weights(row) && row->run.seed == weights->seed) {
            return row;
        }
    }
    return NULL;
}

/* The run at a row and a column that is nearest to the base in everything else. */
static const struct result *find_panel(const struct result_set *set, const struct weights *weights,
                                       size_t row_value, size_t column_value)
{
    const struct summary *summary = weights->summary;
    const struct result *best = NULL;
    size_t most = 0;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        const struct result *row = NULL;
        if (summary_place(summary, group, weights->row_axis) == row_value &&
            summary_place(summary, group, weights->column_axis) == column_value) {
            row = kept_in(set, weights, group);
        }
        size_t equal = 1;
        for (size_t a = 0; a < summary->axis_count && row != NULL; a++) {
            equal += group->place[a] == weights->base->place[a];
        }
        if (row != NULL && equal > most) {
            most = equal;
            best = row;
        }
    }
    return best;
}

/* Whether any kept run has this value of an axis. */
static bool value_is_kept(const struct result_set *set, const struct weights *weights,
                          const struct summary_axis *axis, size_t value)
{
    for (size_t g = 0; g < weights->summary->group_count; g++) {
        const struct summary_group *group = &weights->summary->groups[g];
        if (summary_place(weights->summary, group, axis) == value &&
            kept_in(set, weights, group) != NULL) {
            return true;
        }
    }
    return false;
}

static bool is_among(const size_t *values, size_t count, size_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (values[i] == value) {
            return true;
        }
    }
    return false;
}

static void sort_by_guards_on(const struct summary_axis *axis, size_t *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t j = i; j > 0 && view_guards_on(axis->samples[values[j]]) <
                                        view_guards_on(axis->samples[values[j - 1]]);
             j--) {
            size_t swapped = values[j];
            values[j] = values[j - 1];
            values[j - 1] = swapped;
        }
    }
}

/* Values of the guards axis: the telling sets first, then others as planned, shown in the order
 * of the number of guards that are on. Returns their number. */
static size_t choose_guards(const struct result_set *set, const struct weights *weights,
                            const struct summary_axis *axis, size_t limit, size_t *out)
{
    size_t count = 0;
    for (size_t t = 0; t < WEIGHTS_ROWS && count < limit; t++) {
        for (size_t v = 0; v < axis->count; v++) {
            if (run_guards_mask(axis->samples[v]) == telling[t] &&
                value_is_kept(set, weights, axis, v)) {
                out[count++] = v;
            }
        }
    }
    bool enough = count >= 2;
    for (size_t v = 0; v < axis->count && count < limit && !enough; v++) {
        if (!is_among(out, count, v) && value_is_kept(set, weights, axis, v)) {
            out[count++] = v;
        }
    }
    sort_by_guards_on(axis, out, count);
    return count;
}

/* Up to `limit` of the values that have weights, evenly from the first to the last. */
static size_t choose_evenly(const struct result_set *set, struct weights *weights,
                            const struct summary_axis *axis, size_t limit, size_t *out)
{
    size_t kept = 0;
    for (size_t v = 0; v < axis->count; v++) {
        kept += value_is_kept(set, weights, axis, v);
    }
    size_t shown = kept < limit ? kept : limit;
    size_t seen = 0;
    size_t count = 0;
    for (size_t v = 0; v < axis->count && count < shown; v++) {
        if (!value_is_kept(set, weights, axis, v)) {
            continue;
        }
        size_t wanted = shown == 1 ? 0 : (count * (kept - 1) + (shown - 1) / 2) / (shown - 1);
        if (seen++ == wanted) {
            out[count++] = v;
        }
    }
    weights->columns_left_out = kept - count;
    return count;
}

static void choose_axes(struct weights *weights)
{
    const struct summary *summary = weights->summary;
    weights->column_axis = summary_axis_find(summary, RUN_CORPUS);
    for (size_t a = 0; a < summary->axis_count && weights->column_axis == NULL; a++) {
        if (summary->axes[a].field != AXIS_GUARDS) {
            weights->column_axis = &summary->axes[a];
        }
    }
    weights->row_axis = summary_axis_find(summary, AXIS_GUARDS);
    if (weights->column_axis == NULL) {
        weights->column_axis = weights->row_axis;
        weights->row_axis = NULL;
    }
}

static bool shows_same_words(const struct weights *weights)
{
    const struct result *first = NULL;
    for (size_t r = 0; r < weights->rows; r++) {
        for (size_t c = 0; c < weights->columns; c++) {
            const struct result *row = weights->panels[r][c];
            first = first == NULL ? row : first;
            if (row == NULL || row == first) {
                continue;
            }
            bool worded = row->kept.words != NULL && first->kept.words != NULL;
            if (row->kept.tokens != first->kept.tokens ||
                row->kept.queries != first->kept.queries ||
                (worded && strcmp(row->kept.words, first->kept.words) != 0)) {
                return false;
            }
        }
    }
    return true;
}

bool weights_choose(const struct result_set *set, const struct summary *summary,
                    struct weights *out)
{
    memset(out, 0, sizeof *out);
    out->summary = summary;
    out->rows = 1;
    out->columns = 1;
    if (!find_base(set, out)) {
        return false;
    }
    choose_axes(out);
    if (out->row_axis != NULL) {
        out->rows = choose_guards(set, out, out->row_axis, WEIGHTS_ROWS, out->row_values);
    }
    if (out->column_axis != NULL && out->column_axis->field == AXIS_GUARDS) {
        out->columns =
            choose_guards(set, out, out->column_axis, WEIGHTS_COLUMNS, out->column_values);
    } else if (out->column_axis != NULL) {
        out->columns =
            choose_evenly(set, out, out->column_axis, WEIGHTS_COLUMNS, out->column_values);
    }
    for (size_t r = 0; r < out->rows; r++) {
        for (size_t c = 0; c < out->columns; c++) {
            out->panels[r][c] = find_panel(set, out, out->row_values[r], out->column_values[c]);
        }
    }
    out->same_words = shows_same_words(out);
    return true;
}
