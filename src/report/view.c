/* SPDX-License-Identifier: MIT */
/* Choosing the layout of curves; see view.h. */
#include "report/view.h"

#include "base/order.h"
#include "report/setting_axis.h"
#include "report/wrap.h"
#include "summary/saturation.h"

#include <math.h>
#include <stdlib.h>

/* Two values make no curve when there are corpora to compare. */
enum { CURVE_VALUES = 3 };

/* Facets that are taken evenly from a longer axis: whole pages of them. */
enum { EVEN_FACETS = 8 };

static const struct summary_axis *choose_x(const struct summary *summary)
{
    const struct summary_axis *best = NULL;
    const struct summary_axis *corpus = summary_axis_find(summary, RUN_CORPUS);
    for (size_t a = 0; a < summary->axis_count; a++) {
        const struct summary_axis *axis = &summary->axes[a];
        bool usable = axis->numeric && axis->field != RUN_SATURATION_ROW_MAX &&
                      axis->field != RUN_SATURATION_GRADIENT &&
                      (corpus == NULL || axis->count >= CURVE_VALUES);
        if (usable && (best == NULL || axis->count > best->count)) {
            best = axis;
        }
    }
    const struct summary_axis *named =
        corpus != NULL ? corpus : summary_axis_find(summary, RUN_HEAD);
    if (best != NULL || named != NULL) {
        return best != NULL ? best : named;
    }
    const struct summary_axis *guards = summary_axis_find(summary, AXIS_GUARDS);
    const struct summary_axis *settings = summary_axis_find(summary, AXIS_SETTINGS);
    if (guards != NULL || settings != NULL || summary->axis_count == 0) {
        return guards != NULL ? guards : settings;
    }
    best = &summary->axes[0];
    for (size_t a = 1; a < summary->axis_count; a++) {
        best = summary->axes[a].count > best->count ? &summary->axes[a] : best;
    }
    return best;
}

/* The settings, the guards, or else the axis with the fewest values that can be told apart by
 * colour; or else the numeric one with the fewest, of which some are drawn. */
static const struct summary_axis *choose_lines(const struct summary *summary,
                                               const struct summary_axis *x)
{
    const struct summary_axis *settings = summary_axis_find(summary, AXIS_SETTINGS);
    const struct summary_axis *guards = summary_axis_find(summary, AXIS_GUARDS);
    const struct summary_axis *first = settings != NULL && settings != x ? settings : guards;
    if (first != NULL && first != x) {
        return first;
    }
    const struct summary_axis *best = NULL;
    for (size_t a = 0; a < summary->axis_count; a++) {
        const struct summary_axis *axis = &summary->axes[a];
        if (axis != x && axis->count <= VIEW_LINES && (best == NULL || axis->count < best->count)) {
            best = axis;
        }
    }
    bool any = best != NULL;
    for (size_t a = 0; a < summary->axis_count && !any; a++) {
        const struct summary_axis *axis = &summary->axes[a];
        if (axis != x && axis->numeric && (best == NULL || axis->count < best->count)) {
            best = axis;
        }
    }
    return best;
}

static bool splits(const struct summary_axis *lines)
{
    unsigned seen = 0;
    if (lines == NULL || lines->field != AXIS_GUARDS || lines->count <= 4) {
        return false;
    }
    for (size_t v = 0; v < lines->count; v++) {
        seen |= 1U << (run_guards_mask(lines->samples[v]) >> 2);
    }
    return seen == 3;
}

/* Whether x and line fix the value of an axis, as with zipped axes: then it needs no facet. */
static bool is_bound(const struct view *view, const struct summary_axis *axis, size_t *values)
{
    const struct summary *summary = view->summary;
    size_t lines = view->lines == NULL ? 1 : view->lines->count;
    size_t cells = lines * (view->x == NULL ? 1 : view->x->count);
    for (size_t c = 0; c < cells; c++) {
        values[c] = 0;
    }
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        size_t cell = summary_place(summary, group, view->x) * lines +
                      summary_place(summary, group, view->lines);
        size_t value = summary_place(summary, group, axis) + 1;
        if (values[cell] != 0 && values[cell] != value) {
            return false;
        }
        values[cell] = value;
    }
    return true;
}

static bool choose_facet_axes(struct view *view, struct arena *arena, struct error *err)
{
    const struct summary *summary = view->summary;
    size_t cells =
        (view->x == NULL ? 1 : view->x->count) * (view->lines == NULL ? 1 : view->lines->count);
    size_t *values = arena_alloc(arena, cells, sizeof *values, err);
    if (values == NULL) {
        return false;
    }
    for (size_t a = 0; a < summary->axis_count; a++) {
        const struct summary_axis *axis = &summary->axes[a];
        if (axis != view->x && axis != view->lines && !is_bound(view, axis, values)) {
            view->facet_axes[view->facet_axis_count++] = axis;
        }
    }
    return true;
}

static bool same_facet(const struct view *view, const struct summary_group *a,
                       const struct summary_group *b)
{
    for (size_t f = 0; f < view->facet_axis_count; f++) {
        if (summary_place(view->summary, a, view->facet_axes[f]) !=
            summary_place(view->summary, b, view->facet_axes[f])) {
            return false;
        }
    }
    return true;
}

static size_t facet_room(const struct view *view)
{
    return view->rows ? VIEW_ROW_FACETS : view->split ? VIEW_SPLIT_FACETS : VIEW_FACETS;
}

/* Values of a single long axis of facets are taken evenly, from the first to the last; of several
 * axes the first combinations are. */
static bool facet_is_wanted(const struct view *view, const struct summary_group *group)
{
    const struct summary_axis *axis = view->facet_axes[0];
    size_t room = facet_room(view) < EVEN_FACETS ? facet_room(view) : EVEN_FACETS;
    if (view->facet_axis_count != 1 || axis->count <= facet_room(view)) {
        return true;
    }
    for (size_t i = 0; i < room; i++) {
        if (summary_place(view->summary, group, axis) == i * (axis->count - 1) / (room - 1)) {
            return true;
        }
    }
    return false;
}

/* The facet of a group; a new one while there is room, VIEW_FACETS when there is none. */
static size_t facet_of(struct view *view, const struct summary_group *group)
{
    size_t kept = view->facet_count;
    if (!facet_is_wanted(view, group)) {
        return VIEW_FACETS;
    }
    for (size_t f = 0; f < kept; f++) {
        if (same_facet(view, view->facet_samples[f], group)) {
            return f;
        }
    }
    if (kept < facet_room(view)) {
        view->facet_samples[view->facet_count++] = group;
        return kept;
    }
    return VIEW_FACETS;
}

/* A limit of 0 sentences reads them all, so what was read stands for the limit. */
static double position_of(const struct view *view, const struct summary_group *group)
{
    if (view->x == NULL) {
        return 0;
    }
    if (!view->x->numeric) {
        return (double)summary_place(view->summary, group, view->x);
    }
    double sentences = group->measures[MEASURE_CORPUS_SENTENCES].mean;
    if (view->x->field == RUN_SENTENCE_LIMIT &&
        (sentences > 0 || group->sample->sentence_limit == 0)) {
        return sentences > 0 ? sentences : (double)NAN;
    }
    return field_value_number(&run_fields[view->x->field], group->sample);
}

static size_t line_of(const struct view *view, const struct summary_group *group)
{
    return view->split ? run_guards_mask(group->sample) & 3U
                       : summary_place(view->summary, group, view->lines) / view->line_step;
}

/* Whether the figure has room for a row and a line of the group. */
static bool has_room(const struct view *view, const struct summary_group *group)
{
    return (!view->rows || summary_place(view->summary, group, view->x) < VIEW_ROWS) &&
           summary_place(view->summary, group, view->lines) % view->line_step == 0;
}

static bool place_groups(struct view *view, struct arena *arena, struct error *err)
{
    const struct summary *summary = view->summary;
    struct view_place *places = arena_alloc(arena, summary->group_count, sizeof *places, err);
    if (places == NULL) {
        return false;
    }
    view->x_least = (double)INFINITY;
    view->x_most = -(double)INFINITY;
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        places[g].x = position_of(view, group);
        places[g].line = line_of(view, group);
        places[g].facet = has_room(view, group) ? facet_of(view, group) : VIEW_FACETS;
        view->groups_left_out += places[g].facet >= VIEW_FACETS;
        places[g].normalised = view->split && group->sample->guard_norm;
        view->x_least = fmin(view->x_least, places[g].x);
        view->x_most = fmax(view->x_most, places[g].x);
    }
    view->places = places;
    return true;
}

static bool choose_scale(struct view *view, struct arena *arena, struct error *err)
{
    size_t count = view->summary->group_count;
    double *x = arena_alloc(arena, count, sizeof *x, err);
    if (x == NULL) {
        return false;
    }
    size_t used = 0;
    for (size_t g = 0; g < count; g++) {
        if (!isnan(view->places[g].x)) {
            x[used++] = view->places[g].x;
        }
    }
    qsort(x, used, sizeof *x, order_reals);
    size_t distinct = 0;
    for (size_t i = 0; i < used; i++) {
        if (distinct == 0 || x[i] > x[distinct - 1]) {
            x[distinct++] = x[i];
        }
    }
    view->scale = saturation_geometric(distinct, x) ? SCALE_LOG : SCALE_LINEAR;
    return true;
}

/* Places the groups once x and lines are chosen; words have room for all lines. */
static bool lay_out(struct view *view, bool words, struct arena *arena, struct error *err)
{
    view->split = splits(view->lines);
    view->line_step = !words && !view->split && view->lines != NULL
                          ? (view->lines->count + VIEW_LINES - 1) / VIEW_LINES
                          : 1;
    view->line_count = view->lines == NULL ? 1
                       : view->split       ? 4
                                           : (view->lines->count - 1) / view->line_step + 1;
    if (!choose_facet_axes(view, arena, err) || !place_groups(view, arena, err)) {
        return false;
    }
    view->scale = SCALE_CATEGORIES;
    return view->x == NULL || !view->x->numeric || choose_scale(view, arena, err);
}

/* Whether a legend has room for all settings. */
static bool fit_a_legend(const struct summary_axis *settings)
{
    bool fit = settings->count <= VIEW_LINES;
    for (size_t v = 0; v < settings->count && fit; v++) {
        fit = wrap_length(settings->names[v]) <= VIEW_NAME;
    }
    return fit;
}

/* Puts the settings in rows, and what is x elsewhere into lines; words go on along that, and have
 * room for all settings. */
static bool turn(struct view *view, const struct summary_axis *settings, struct arena *arena,
                 struct error *err)
{
    struct view *told = arena_alloc(arena, 1, sizeof *told, err);
    if (told == NULL) {
        return false;
    }
    *told = *view;
    told->lines = view->x == settings ? view->lines : settings;
    if (!lay_out(told, true, arena, err)) {
        return false;
    }
    view->told = told;
    view->lines = view->x == settings ? view->lines : view->x;
    view->x = settings;
    view->rows = true;
    return true;
}

bool view_make(const struct summary *summary, struct arena *arena, struct view *out,
               struct error *err)
{
    struct view view = {.summary = summary, .measured = summary};
    struct settings *settings = arena_alloc(arena, 1, sizeof *settings, err);
    if (settings == NULL || !settings_merge(summary, arena, settings, err)) {
        return false;
    }
    if (settings->merged) {
        view.summary = &settings->summary;
        view.note = settings->note;
    }
    view.x = choose_x(view.summary);
    view.lines = choose_lines(view.summary, view.x);
    const struct summary_axis *merged = summary_axis_find(view.summary, AXIS_SETTINGS);
    bool in_rows = merged != NULL && (view.x == merged || !fit_a_legend(merged));
    if ((in_rows && !turn(&view, merged, arena, err)) || !lay_out(&view, false, arena, err)) {
        return false;
    }
    *out = view;
    return true;
}

bool view_curve(const struct view *view, size_t facet, bool normalised, size_t line,
                struct arena *arena, struct view_curve *out, struct error *err)
{
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        struct view_point *points = NULL;
        if (pass == 1) {
            points = arena_alloc(arena, count, sizeof *points, err);
            if (points == NULL) {
                return false;
            }
            out->points = points;
        }
        count = 0;
        for (size_t g = 0; g < view->summary->group_count; g++) {
            const struct view_place *place = &view->places[g];
            bool wanted = place->facet == facet && place->line == line &&
                          place->normalised == normalised && !isnan(place->x);
            if (wanted && points != NULL) {
                points[count] = (struct view_point){place->x, &view->summary->groups[g]};
            }
            count += wanted;
        }
        if (points != NULL) {
            qsort(points, count, sizeof *points, order_reals);
        }
    }
    out->count = count;
    return true;
}
