/* SPDX-License-Identifier: MIT */
/* Laying out the panels of the heat map; declared in weights_choice.h. */
#include "report/weights_choice.h"

#include <string.h>

enum { TELLING = 3 };

/* Guard sets worth a look, from none to all: without help, the published recipe (init and scale),
 * and the recipe on a normalised input. */
static const unsigned telling[TELLING] = {0, 3, 7};

static bool is_guards(const struct weights_choice *choice, size_t axis)
{
    return choice->summary->axes[axis].field == AXIS_GUARDS;
}

/* Whether a matrix has the values of the base on all free axes but two. */
static bool is_beside_base(const struct weights_choice *choice, const struct weights_kept *kept,
                           size_t row, size_t column)
{
    for (size_t f = 0; f < choice->free_count; f++) {
        size_t axis = choice->free_axes[f];
        if (axis != row && axis != column &&
            kept->group->place[axis] != choice->base->group->place[axis]) {
            return false;
        }
    }
    return true;
}

/* A row of panels or a column, and what is left to choose from. */
struct side {
    const struct weights_choice *choice;
    size_t axis, other; /* places in the summary */
    size_t limit;
};

static bool has_value(const struct side *side, size_t value)
{
    for (size_t i = 0; i < side->choice->count; i++) {
        const struct weights_kept *kept = &side->choice->kept[i];
        if (kept->group->place[side->axis] == value &&
            is_beside_base(side->choice, kept, side->axis, side->other)) {
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

/* Puts the base in the place of its nearest neighbour, when it is not among the values yet. */
static void include_base(const struct side *side, size_t *values, size_t count)
{
    size_t base = side->choice->base->group->place[side->axis];
    size_t at = 0;
    while (at + 1 < count && values[at] < base) {
        at++;
    }
    if (!is_among(values, count, base)) {
        values[at] = base;
    }
}

/* Up to the limit of the values that there are, evenly from the first to the last. */
static size_t choose_evenly(const struct side *side, size_t *out, size_t *there)
{
    const size_t values = side->choice->summary->axes[side->axis].count;
    size_t seen = 0;
    size_t count = 0;
    *there = 0;
    for (size_t v = 0; v < values; v++) {
        *there += has_value(side, v);
    }
    size_t shown = *there < side->limit ? *there : side->limit;
    for (size_t v = 0; v < values && count < shown; v++) {
        if (!has_value(side, v)) {
            continue;
        }
        size_t wanted = shown == 1 ? 0 : (count * (*there - 1) + (shown - 1) / 2) / (shown - 1);
        if (seen++ == wanted) {
            out[count++] = v;
        }
    }
    include_base(side, out, count);
    return count;
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

/* The telling guard sets and that of the base; evenly when there are not two of them. */
static size_t choose_guards(const struct side *side, size_t *out, size_t *there)
{
    const struct summary_axis *axis = &side->choice->summary->axes[side->axis];
    const size_t base = side->choice->base->group->place[side->axis];
    size_t chosen[TELLING + 1];
    size_t count = 0;
    size_t evenly = choose_evenly(side, out, there);
    for (size_t v = 0; v < axis->count; v++) {
        unsigned mask = run_guards_mask(axis->samples[v]);
        bool tells = mask == telling[0] || mask == telling[1] || mask == telling[2];
        if ((tells || v == base) && has_value(side, v) && count < TELLING + 1) {
            chosen[count++] = v;
        }
    }
    if (*there <= side->limit || count < 2 || count > side->limit) {
        count = evenly;
    } else {
        memcpy(out, chosen, count * sizeof *chosen);
    }
    sort_by_guards_on(axis, out, count);
    return count;
}

static size_t choose_values(const struct side *side, size_t *out, size_t *there)
{
    return is_guards(side->choice, side->axis) ? choose_guards(side, out, there)
                                               : choose_evenly(side, out, there);
}

static void set_panel(struct weights *out, size_t row, size_t column,
                      const struct weights_kept *kept)
{
    out->panels[row][column] = kept->result;
    out->groups[row][column] = kept->group;
    out->shown++;
}

/* Up to twelve panels in the order of the settings, evenly where there are more, in as few rows as
 * hold them. */
static void lay_out_list(const struct weights_choice *choice, struct weights *out)
{
    size_t shown = choice->count < WEIGHTS_LISTED ? choice->count : WEIGHTS_LISTED;
    size_t base = (size_t)(choice->base - choice->kept);
    size_t places[WEIGHTS_LISTED];
    out->listed = true;
    out->rows = (shown + WEIGHTS_THINNED - 1) / WEIGHTS_THINNED;
    out->columns = (shown + out->rows - 1) / out->rows;
    for (size_t i = 0; i < shown; i++) {
        places[i] = (i * (choice->count - 1) + (shown - 1) / 2) / (shown > 1 ? shown - 1 : 1);
    }
    if (!is_among(places, shown, base)) {
        size_t at = 0;
        while (at + 1 < shown && places[at] < base) {
            at++;
        }
        places[at] = base;
    }
    for (size_t i = 0; i < shown; i++) {
        set_panel(out, i / out->columns, i % out->columns, &choice->kept[places[i]]);
    }
    for (size_t f = 0; f < choice->free_count; f++) {
        out->parts[choice->free_axes[f]] = WEIGHTS_SHOWN;
    }
}

/* The values along one axis in columns, the most that a row holds. */
static void lay_out_row(const struct weights_choice *choice, struct weights *out)
{
    out->rows = 1;
    out->columns = choice->count;
    out->column_count = choice->count;
    if (choice->free_count > 0) {
        out->column_axis = &choice->summary->axes[choice->free_axes[0]];
        out->parts[choice->free_axes[0]] = WEIGHTS_SHOWN;
    }
    for (size_t c = 0; c < choice->count; c++) {
        out->column_values[c] =
            summary_place(choice->summary, choice->kept[c].group, out->column_axis);
        set_panel(out, 0, c, &choice->kept[c]);
    }
}

static void fill_grid(const struct weights_choice *choice, size_t row, size_t column,
                      struct weights *out)
{
    for (size_t i = 0; i < choice->count; i++) {
        const struct weights_kept *kept = &choice->kept[i];
        if (!is_beside_base(choice, kept, row, column)) {
            continue;
        }
        for (size_t p = 0; p < out->rows * out->columns; p++) {
            if (out->row_values[p / out->columns] == kept->group->place[row] &&
                out->column_values[p % out->columns] == kept->group->place[column]) {
                set_panel(out, p / out->columns, p % out->columns, kept);
            }
        }
    }
}

static void lay_out_grid(const struct weights_choice *choice, size_t row, size_t column,
                         struct weights *out)
{
    const size_t tall = choice->flat ? WEIGHTS_ROWS : WEIGHTS_TALL;
    const bool whole = choice->values[column] <= WEIGHTS_COLUMNS;
    const struct side rows = {choice, row, column, tall};
    const struct side columns = {choice, column, row, whole ? WEIGHTS_COLUMNS : WEIGHTS_THINNED};
    out->row_axis = &choice->summary->axes[row];
    out->column_axis = &choice->summary->axes[column];
    out->parts[row] = WEIGHTS_SHOWN;
    out->parts[column] = WEIGHTS_SHOWN;
    out->rows = choose_values(&rows, out->row_values, &out->row_count);
    out->columns = choose_values(&columns, out->column_values, &out->column_count);
    fill_grid(choice, row, column, out);
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

static bool fits(const struct weights_choice *choice, size_t row, size_t column)
{
    return choice->values[row] <= (choice->flat ? (size_t)WEIGHTS_ROWS : (size_t)WEIGHTS_TALL) &&
           choice->values[column] <= WEIGHTS_COLUMNS;
}

void weights_lay_out(const struct weights_choice *choice, struct weights *out)
{
    size_t column = choice->free_axes[0];
    size_t row = choice->free_axes[1];
    /* guards stand in rows, as in every report; else the axis that matters in columns */
    if (choice->free_count > 1 &&
        (is_guards(choice, column) ||
         (!is_guards(choice, row) && !fits(choice, row, column) && fits(choice, column, row)))) {
        size_t swapped = column;
        column = row;
        row = swapped;
    }
    bool full = choice->free_count == 2 &&
                choice->values[row] * choice->values[column] == choice->count &&
                fits(choice, row, column);
    if (choice->count <= WEIGHTS_THINNED && choice->free_count < 2) {
        lay_out_row(choice, out);
    } else if (!full && (choice->free_count < 2 || choice->count <= WEIGHTS_LISTED)) {
        lay_out_list(choice, out);
    } else {
        lay_out_grid(choice, row, column, out);
    }
    out->same_words = shows_same_words(out);
}
