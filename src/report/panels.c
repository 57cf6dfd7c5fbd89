/* SPDX-License-Identifier: MIT */
/* Columns, ranges and data blocks of the main figure; see panels.h. */
#include "report/panels.h"

#include "report/scope.h"
#include "summary/interval.h"

#include <string.h>

/* Axes of weights that leave 0 to 1 this far are better logarithmic. */
static const double far_above_one = 10;

static const struct panel_measure with_input[] = {
    {MEASURE_INPUT_STD, "Input spread", "standard deviation of X as the head reads it",
     "spread of the head's input", PANEL_EITHER},
    {MEASURE_SCORE_STD, "Score spread", "standard deviation of all scores", "spread of its scores",
     PANEL_LOGARITHMIC}};

static const struct panel_measure without_input[] = {
    {MEASURE_SCORE_STD, "Score spread", "standard deviation of all scores", "spread of the scores",
     PANEL_LOGARITHMIC},
    {MEASURE_JACOBIAN_TRACE_MEAN, "Gradient left",
     "normalised trace of the Jacobian; 1 is that of uniform softmax", "gradient left",
     PANEL_UNIT}};

static void choose_measures(struct panels *panels)
{
    const struct summary *summary = panels->view->summary;
    const struct scope scope = scope_of(summary);
    bool softmax = scope_softmax_only(&scope);
    bool inputs = scope_measured(summary, MEASURE_INPUT_STD);
    const struct panel_measure *first = inputs ? with_input : without_input;
    const struct panel_measure wanted[PANEL_MEASURES] = {
        first[0],
        first[1],
        {MEASURE_ROW_MAX_MEAN, "Mean row-max",
         softmax ? "largest weight of a row; 1 is one-hot" : "largest weight of a row",
         "mean over rows of the largest attention weight", PANEL_UNIT},
        {MEASURE_JACOBIAN_NORM_MEAN, "Gradient magnitude",
         softmax ? "mean Frobenius norm of the softmax Jacobian"
                 : "mean Frobenius norm of the Jacobian of the weights",
         softmax ? "mean gradient magnitude of the softmax"
                 : "mean gradient magnitude of the weights",
         PANEL_LOGARITHMIC}};
    for (size_t m = 0; m < PANEL_MEASURES; m++) {
        if (scope_holds(summary, wanted[m].measure)) {
            panels->measures[panels->measure_count++] = wanted[m];
        }
    }
}

static const struct estimate *estimate_at(const struct panels *panels,
                                          const struct view_point *point, size_t measure)
{
    return &point->group->measures[panels->measures[measure].measure];
}

/* Lines stand a little aside of each other where x counts categories. */
static double aside(const struct view *view, size_t line)
{
    if (view->scale != SCALE_CATEGORIES) {
        return 0;
    }
    if (view->rows) {
        return ((double)line - ((double)view->line_count - 1) / 2) *
               fmin(0.2, 0.7 / (double)view->line_count);
    }
    double step = view->line_count > 4 ? 0.07 : 0.09;
    return ((double)line - ((double)view->line_count - 1) / 2) * step;
}

static bool add_columns(struct panels *panels, size_t facet, struct arena *arena, struct error *err)
{
    const struct view *view = panels->view;
    const char *name = view_facet_name(view, view->facet_samples[facet], arena, err);
    if (name == NULL) {
        return false;
    }
    for (int half = 0; half <= (int)view->split; half++) {
        struct panel_column *column = &panels->columns[panels->column_count++];
        column->facet = facet;
        column->normalised = half == 1;
        column->name = name;
        for (size_t line = 0; line < view->line_count; line++) {
            if (!view_curve(view, facet, half == 1, line, arena, &column->curves[line], err)) {
                return false;
            }
        }
    }
    return true;
}

/* From 0 to 1, unless a mean leaves that: weights need not be shares. */
static struct scale scale_of_shares(const struct extent *means, const struct extent *extent)
{
    if (means->finite == 0 || (means->least >= 0 && means->most <= 1 + 1e-9)) {
        return scale_unit();
    }
    bool far = means->least > 0 && means->most > far_above_one;
    return far ? scale_logarithmic(extent) : scale_linear(extent);
}

static struct scale scale_of(const struct panel_measure *measure, const struct extent *means,
                             const struct extent *extent)
{
    switch (measure->kind) {
    case PANEL_UNIT:
        return scale_of_shares(means, extent);
    case PANEL_LOGARITHMIC:
        return scale_logarithmic(extent);
    case PANEL_EITHER:
        break;
    }
    return extent_wide(extent) ? scale_logarithmic(extent) : scale_linear(extent);
}

/* Whether an interval has no lower end on a logarithmic axis. */
static bool reaches_zero(const struct scale *scale, const struct estimate *estimate)
{
    return scale->logarithmic && estimate->mean > 0 && estimate->half_width >= estimate->mean;
}

static bool is_share(const struct panel_measure *measure)
{
    return measurement_fields[measure->measure].maximum > 0;
}

/* Ranges over all facets, so that pages can be compared. */
static void find_scales(struct panels *panels)
{
    const struct view *view = panels->view;
    for (size_t m = 0; m < panels->measure_count; m++) {
        const struct panel_measure *measure = &panels->measures[m];
        struct extent extent = EXTENT_EMPTY;
        struct extent means = EXTENT_EMPTY;
        for (size_t g = 0; g < view->summary->group_count; g++) {
            const struct estimate *estimate = &view->summary->groups[g].measures[measure->measure];
            if (view->places[g].facet < view->facet_count) {
                extent_add(&extent, estimate->mean, estimate->half_width);
                extent_add(&means, estimate->mean, 0);
            }
        }
        panels->scales[m] = scale_of(measure, &means, &extent);
        panels->lost += extent.lost;
        panels->zeros += panels->scales[m].logarithmic ? extent.zeros : 0;
        for (size_t g = 0; g < view->summary->group_count; g++) {
            const struct estimate *estimate = &view->summary->groups[g].measures[measure->measure];
            panels->reaching += reaches_zero(&panels->scales[m], estimate);
            panels->skewed += interval_is_skewed(estimate, is_share(measure));
        }
    }
}

static bool curves_coincide(const struct panels *panels, const struct view_curve *a,
                            const struct view_curve *b, size_t measure)
{
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        double left = estimate_at(panels, &a->points[i], measure)->mean;
        double right = estimate_at(panels, &b->points[i], measure)->mean;
        if (a->points[i].x != b->points[i].x || !(fabs(left - right) <= 1e-9 * fabs(left))) {
            return false;
        }
    }
    return a->count == b->count;
}

/* Whether all lines of every column lie upon each other, and there is more than one. */
static bool lines_coincide(const struct panels *panels, size_t measure)
{
    bool several = false;
    for (size_t c = 0; c < panels->column_count; c++) {
        const struct panel_column *column = &panels->columns[c];
        const struct view_curve *first = NULL;
        for (size_t line = 0; line < panels->view->line_count; line++) {
            const struct view_curve *curve = &column->curves[line];
            if (curve->count == 0) {
                continue;
            }
            if (first != NULL && !curves_coincide(panels, first, curve, measure)) {
                return false;
            }
            several = several || first != NULL;
            first = first == NULL ? curve : first;
        }
    }
    return several;
}

bool panels_make(const struct view *view, size_t first, size_t count, struct arena *arena,
                 struct panels *out, struct error *err)
{
    memset(out, 0, sizeof *out);
    out->view = view;
    choose_measures(out);
    for (size_t facet = first; facet < first + count; facet++) {
        if (!add_columns(out, facet, arena, err)) {
            return false;
        }
    }
    find_scales(out);
    for (size_t m = 0; m < out->measure_count; m++) {
        out->same[m] = lines_coincide(out, m);
    }
    return true;
}

/* Whether a mean has a height of its own on the panel's axis. */
static bool has_height(const struct scale *scale, double mean)
{
    return isfinite(mean) && scale->low < scale->high && (!scale->logarithmic || mean > 0);
}

bool panels_line_drawable(const struct panels *panels, size_t measure, size_t column, size_t line)
{
    const struct view_curve *curve = &panels->columns[column].curves[line];
    for (size_t i = 0; i < curve->count; i++) {
        if (has_height(&panels->scales[measure],
                       estimate_at(panels, &curve->points[i], measure)->mean)) {
            return true;
        }
    }
    return false;
}

bool panels_line_zeros(const struct panels *panels, size_t measure, size_t column, size_t line)
{
    const struct view_curve *curve = &panels->columns[column].curves[line];
    const struct scale *scale = &panels->scales[measure];
    for (size_t i = 0; i < curve->count; i++) {
        if (scale->logarithmic && scale->low < scale->high &&
            estimate_at(panels, &curve->points[i], measure)->mean == 0) {
            return true;
        }
    }
    return false;
}

bool panels_line_interval(const struct panels *panels, size_t measure, size_t column, size_t line,
                          bool pale)
{
    const struct view_curve *curve = &panels->columns[column].curves[line];
    const struct scale *scale = &panels->scales[measure];
    for (size_t i = 0; i < curve->count; i++) {
        const struct estimate *estimate = estimate_at(panels, &curve->points[i], measure);
        if (has_height(scale, estimate->mean) && isfinite(estimate->half_width) &&
            reaches_zero(scale, estimate) == pale) {
            return true;
        }
    }
    return false;
}

bool panels_drawable(const struct panels *panels, size_t measure, size_t column)
{
    for (size_t line = 0; line < panels->view->line_count; line++) {
        if (panels_line_drawable(panels, measure, column, line) ||
            panels_line_zeros(panels, measure, column, line)) {
            return true;
        }
    }
    return false;
}

static void append_number(struct text *script, double value)
{
    if (isfinite(value)) {
        text_append_format(script, "\t%.9g", value);
    } else {
        text_append(script, "\tNaN");
    }
}

/* Where the mark for 0 stands, a little above the foot; in logarithms, since high / low may be
 * beyond the largest double. */
static double zero_height(const struct scale *scale)
{
    return exp(0.965 * log(scale->low) + 0.035 * log(scale->high));
}

static double below_foot(const struct scale *scale)
{
    return scale->low / 2 > 0 ? scale->low / 2 : scale->low;
}

/* Mean, low and high end, and height of the mark for 0. gnuplot clips what leaves the panel; only a
 * logarithmic axis needs a low end above 0, and then one beyond its foot. */
static void append_estimate(struct text *script, const struct panels *panels, size_t measure,
                            const struct estimate *estimate)
{
    const struct scale *scale = &panels->scales[measure];
    const struct interval interval = interval_of(estimate, is_share(&panels->measures[measure]));
    static const double missing = (double)NAN;
    bool high = has_height(scale, estimate->mean);
    bool zero = scale->logarithmic && estimate->mean == 0;
    bool around = high && isfinite(estimate->half_width);
    append_number(script, high ? estimate->mean : missing);
    double low = scale->logarithmic ? fmax(interval.low, below_foot(scale)) : interval.low;
    append_number(script, around ? low : missing);
    append_number(script, around ? interval.high : missing);
    append_number(script, zero ? zero_height(scale) : missing);
    text_append(script, around && reaches_zero(scale, estimate) ? "\t1" : "\t0");
}

static void append_block(struct text *script, const struct panels *panels, size_t column,
                         size_t line)
{
    const struct view_curve *curve = &panels->columns[column].curves[line];
    text_append_format(script, "$c%zul%zu << ROWMAX_EOD\n", column, line);
    for (size_t i = 0; i < curve->count; i++) {
        text_append_format(script, "%.9g", curve->points[i].x);
        append_number(script, curve->points[i].x + aside(panels->view, line));
        for (size_t m = 0; m < panels->measure_count; m++) {
            append_estimate(script, panels, m, estimate_at(panels, &curve->points[i], m));
        }
        text_append(script, "\n");
    }
    text_append(script, "ROWMAX_EOD\n");
}

void panels_append_blocks(struct text *script, const struct panels *panels)
{
    text_append(script, "# x, x moved aside; then mean, low, high, mark for 0, pale of: ");
    for (size_t m = 0; m < panels->measure_count; m++) {
        text_append_format(script, "%s%s", m == 0 ? "" : ", ",
                           measurement_fields[panels->measures[m].measure].label);
    }
    text_append(script, "\n");
    for (size_t c = 0; c < panels->column_count; c++) {
        for (size_t line = 0; line < panels->view->line_count; line++) {
            if (panels->columns[c].curves[line].count > 0) {
                append_block(script, panels, c, line);
            }
        }
    }
}
