/* SPDX-License-Identifier: MIT */
/* Onsets in the main figure; declared in onsets.h. */
#include "report/onsets.h"

#include <math.h>
#include <stdio.h>

enum { LINES_DROPPED = 4 /* more of them would be a fence */ };

static const double lane_step = 0.028; /* of the panel, between bars one above the other */

static bool is_onset_panel(const struct panels *panels, size_t measure, enum onset_kind *kind)
{
    for (int k = 0; k < ONSET_KINDS; k++) {
        if (panels->measures[measure].measure == onset_measure((enum onset_kind)k)) {
            *kind = (enum onset_kind)k;
            return true;
        }
    }
    return false;
}

/* The line of a panel that a curve is drawn as; false when it is drawn in none of this column. */
static bool line_of(const struct panels *panels, size_t column, const struct onset_curve *curve,
                    size_t *line)
{
    const struct view *view = panels->view;
    const struct view_place *place = &view->places[curve->sample - view->summary->groups];
    const struct panel_column *panel = &panels->columns[column];
    *line = place->line;
    return place->facet == panel->facet && place->normalised == panel->normalised &&
           place->line < view->line_count;
}

/* Whether the height of a threshold is on the axis of the panel. */
static bool has_height(const struct scale *scale, double threshold)
{
    return threshold >= scale->low && threshold <= scale->high &&
           (threshold > 0 || !scale->logarithmic);
}

static bool is_marked(const struct panels *panels, size_t measure, size_t column,
                      const struct onset_curve *curve, enum onset_kind kind, size_t *line)
{
    return onset_is_curve(curve) && curve->of[kind].state == ONSET_WITHIN &&
           line_of(panels, column, curve, line) &&
           has_height(&panels->scales[measure], onset_threshold(curve, kind));
}

static bool has_marks(const struct panels *panels)
{
    const struct view *view = panels->view;
    return view->onsets != NULL && !view->rows && view->onsets->found.axis == view->x;
}

size_t onset_marks_count(const struct panels *panels, size_t *intervals)
{
    size_t count = 0;
    *intervals = 0;
    for (size_t c = 0; has_marks(panels) && c < panels->view->onsets->found.count; c++) {
        const struct onset_curve *curve = &panels->view->onsets->found.curves[c];
        for (size_t column = 0; column < panels->column_count; column++) {
            for (size_t m = 0; m < panels->measure_count; m++) {
                enum onset_kind kind;
                size_t line;
                bool marked = is_onset_panel(panels, m, &kind) &&
                              is_marked(panels, m, column, curve, kind, &line);
                count += marked;
                *intervals += marked && !isnan(curve->of[kind].low);
            }
        }
    }
    return count;
}

/* An end of the interval: a place, or the edge of the panel when it is open. */
static void append_end(struct text *script, double end, const char *height)
{
    if (isfinite(end)) {
        text_append_format(script, "first %.9g, %s", end, height);
    } else {
        text_append_format(script, "graph %d, %s", end < 0 ? 0 : 1, height);
    }
}

static void append_bar(struct text *script, const struct onset *onset, const char *height,
                       const char *colour)
{
    if (!isnan(onset->low)) {
        text_append(script, "set arrow from ");
        append_end(script, onset->low, height);
        text_append(script, " to ");
        append_end(script, onset->high, height);
        text_append_format(script, " nohead front linewidth 6 linecolor rgb %s\n", colour);
    }
}

/* A line from the curve down to the axis, and the bar on the threshold. */
static void append_drop(struct text *script, const struct onset *onset, double threshold,
                        const char *colour)
{
    char height[64];
    snprintf(height, sizeof height, "first %.9g", threshold);
    append_bar(script, onset, height, colour);
    text_append_format(script,
                       "set arrow from first %.9g, graph 0 to first %.9g, %s nohead back linewidth "
                       "1.6 linecolor rgb %s\n",
                       onset->at, onset->at, height, colour);
}

/* A bar with a tick, one above the other at the foot of the panel. */
static void append_lane(struct text *script, const struct onset *onset, double lane,
                        const char *colour)
{
    char height[64];
    snprintf(height, sizeof height, "graph %.4g", lane);
    append_bar(script, onset, height, colour);
    text_append_format(script,
                       "set arrow from first %.9g, graph %.4g to first %.9g, graph %.4g nohead "
                       "front linewidth 2.6 linecolor rgb %s\n",
                       onset->at, lane - 0.012, onset->at, lane + 0.012,
                       isnan(onset->low) ? colour : CANVAS_INK);
}

static void append_level(struct text *script, double threshold, bool named)
{
    char number[NUMBER_SIZE];
    text_append_format(script,
                       "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead back "
                       "dashtype (12,8) linewidth 1.6 linecolor rgb " CANVAS_SOFT "\n",
                       threshold, threshold);
    if (named) {
        text_append_format(script,
                           "set label 'faded: %s' at graph 1, first %.9g left offset 0.7,0 font "
                           "FONT.',16' textcolor rgb " CANVAS_SOFT "\n",
                           number_given(threshold, number), threshold);
    }
}

void onset_marks_append(struct canvas *canvas, const struct panels *panels, size_t measure,
                        size_t column, bool last)
{
    enum onset_kind kind;
    size_t line;
    size_t marked = 0;
    if (!has_marks(panels) || !is_onset_panel(panels, measure, &kind)) {
        return;
    }
    const struct onsets *found = &panels->view->onsets->found;
    for (size_t c = 0; c < found->count; c++) {
        marked += is_marked(panels, measure, column, &found->curves[c], kind, &line);
    }
    double threshold = onset_threshold(&found->curves[0], kind);
    if (kind == ONSET_GRADIENT && has_height(&panels->scales[measure], threshold)) {
        append_level(&canvas->script, threshold, last);
    }
    size_t lane = 0;
    for (size_t c = 0; c < found->count; c++) {
        if (!is_marked(panels, measure, column, &found->curves[c], kind, &line)) {
            continue;
        }
        const struct onset *onset = &found->curves[c].of[kind];
        const char *colour = canvas_style_of(view_line_style(panels->view, line))->colour;
        if (marked <= LINES_DROPPED) {
            append_drop(&canvas->script, onset, onset_threshold(&found->curves[c], kind), colour);
        } else {
            append_lane(&canvas->script, onset, lane_step * (double)(marked - lane++), colour);
        }
    }
}
