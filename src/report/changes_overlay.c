/* SPDX-License-Identifier: MIT */
/* Numbers, ranges and plot commands of a figure of two results files; see changes_internal.h. */
#include "report/changes_internal.h"

#include "report/labels.h"

#include <math.h>

enum { LABEL_LIMIT = 64, MOST_BARS = 12 };

static const double legend_left = 44;
static const double legend_right = 1960;
static const double legend_row = 40;
static const char *const dashes = "(14,9)";
static const char *const pale = "60"; /* the alpha of A */
static const double moved_size = 1.35;
static const double still_size = 0.7;
static const double still_width = 1.1; /* thin, so that the mark is seen to be open */

static size_t group_of(const struct overlay *overlay, const struct view_point *point)
{
    return (size_t)(point->group - overlay->panels->view->summary->groups);
}

static bool is_share(size_t drawn)
{
    return measurement_fields[changes_measures[drawn]].maximum == 1;
}

const char *overlay_title(size_t drawn)
{
    static const char *const titles[CHANGES_DRAWN] = {"Mean row-max", "Score spread",
                                                      "Gradient magnitude"};
    return titles[drawn];
}

const char *overlay_subtitle(const struct overlay *overlay, size_t drawn)
{
    static const char *const subtitles[CHANGES_DRAWN] = {"largest weight of a row",
                                                         "standard deviation of all scores",
                                                         "mean Frobenius norm of the Jacobian"};
    if (!overlay->differences) {
        return subtitles[drawn];
    }
    return is_share(drawn) ? "B less A" : "B less A, in percent of A";
}

/* A difference and its half width as they are drawn. */
static void difference_of(const struct overlay *overlay, size_t group, size_t drawn, double *mean,
                          double *half_width)
{
    const size_t measure = (size_t)changes_measures[drawn];
    const struct estimate *difference = &changes_of(overlay->changes, group, measure)->difference;
    double before = fabs(changes_mean(overlay->changes, 0, group, measure)->mean);
    double factor = is_share(drawn) ? 1 : 100 / before;
    /* equal zeros have not changed, though that is no percentage */
    *mean = difference->mean == 0 ? 0 : difference->mean * factor;
    *half_width = difference->half_width == 0 ? 0 : difference->half_width * factor;
}

static bool is_drawn(const struct overlay *overlay, size_t group)
{
    const struct view *view = overlay->panels->view;
    return view->places[group].facet < view->facet_count;
}

static struct extent extent_of(const struct overlay *overlay, size_t drawn)
{
    const size_t measure = (size_t)changes_measures[drawn];
    struct extent extent = EXTENT_EMPTY;
    for (size_t g = 0; g < overlay->changes->summaries[1].group_count; g++) {
        double mean;
        double half_width;
        if (!is_drawn(overlay, g)) {
            continue;
        }
        if (overlay->differences) {
            difference_of(overlay, g, drawn, &mean, &half_width);
            extent_add(&extent, mean, half_width);
        } else {
            extent_add(&extent, changes_mean(overlay->changes, 0, g, measure)->mean, 0);
            extent_add(&extent, changes_mean(overlay->changes, 1, g, measure)->mean, 0);
        }
    }
    return extent;
}

void overlay_find_scales(struct overlay *overlay)
{
    for (size_t drawn = 0; drawn < CHANGES_DRAWN; drawn++) {
        struct extent extent = extent_of(overlay, drawn);
        bool unit = extent.finite == 0 || (extent.least >= 0 && extent.most <= 1 + 1e-9);
        if (overlay->differences) {
            extent_add(&extent, 0, 0);
            overlay->scales[drawn] = scale_linear(&extent);
        } else if (drawn == 0 && unit) {
            overlay->scales[drawn] = scale_unit();
        } else if (drawn == 0 || !isfinite(extent.least_positive)) {
            overlay->scales[drawn] = scale_linear(&extent);
        } else {
            overlay->scales[drawn] = scale_logarithmic(&extent);
        }
    }
}

/* Where a mark stands for a mean of 0 on a logarithmic axis, a little above its foot. */
static double zero_height(const struct scale *scale, double mean)
{
    return scale->logarithmic && mean == 0 ? exp(0.965 * log(scale->low) + 0.035 * log(scale->high))
                                           : (double)NAN;
}

static double height_of(const struct scale *scale, double mean)
{
    bool on_axis = scale->low < scale->high && (!scale->logarithmic || mean > 0);
    return isfinite(mean) && on_axis ? mean : (double)NAN;
}

void overlay_numbers(const struct overlay *overlay, const struct view_point *point, size_t drawn,
                     double out[OVERLAY_NUMBERS])
{
    const size_t group = group_of(overlay, point);
    const size_t measure = (size_t)changes_measures[drawn];
    const struct scale *scale = &overlay->scales[drawn];
    if (!overlay->differences) {
        for (int side = 0; side < 2; side++) {
            double mean = changes_mean(overlay->changes, side, group, measure)->mean;
            out[side] = height_of(scale, mean);
            out[2 + side] = zero_height(scale, mean);
        }
        return;
    }
    double mean;
    double half_width;
    difference_of(overlay, group, drawn, &mean, &half_width);
    bool around = isfinite(mean) && isfinite(half_width);
    out[0] = height_of(scale, mean);
    out[1] = around ? mean - half_width : (double)NAN;
    out[2] = around ? mean + half_width : (double)NAN;
    out[3] = changes_of(overlay->changes, group, measure)->kind == CHANGE_MOVED;
}

/* Whether lines lead from point to point. */
static bool is_joined(const struct view *view)
{
    return view->scale != SCALE_CATEGORIES && view->x != NULL;
}

/* Whether points stand so close that bars would hide each other: intervals are bands then. */
static bool is_dense(const struct view *view)
{
    return is_joined(view) && view->x->count > MOST_BARS;
}

/* Where the marks of a line stand: a little aside of each other where x counts categories, and in a
 * figure of differences, whose bars would hide each other. */
static double moved_aside(const struct overlay *overlay, double x, size_t line)
{
    const struct view *view = overlay->panels->view;
    double offset = (double)line - ((double)view->line_count - 1) / 2;
    double step = view->rows ? fmin(0.2, 0.7 / (double)view->line_count)
                             : fmin(0.09, 0.7 / (double)view->line_count);
    if (view->scale == SCALE_CATEGORIES) {
        return x + offset * step;
    }
    if (!overlay->differences || is_dense(view) || view->x_most <= view->x_least) {
        return x;
    }
    const double share = 0.007; /* of the axis */
    return view->scale == SCALE_LOG
               ? x * exp(offset * share * (log(view->x_most) - log(view->x_least)))
               : x + offset * share * (view->x_most - view->x_least);
}

static void append_block(struct overlay *overlay, size_t column, size_t line)
{
    const struct view_curve *curve = &overlay->panels->columns[column].curves[line];
    struct text *script = &overlay->canvas.script;
    text_append_format(script, "$c%zul%zu << ROWMAX_EOD\n", column, line);
    for (size_t i = 0; i < curve->count; i++) {
        double x = curve->points[i].x;
        text_append_format(script, "%.9g\t%.9g", x, moved_aside(overlay, x, line));
        for (size_t drawn = 0; drawn < CHANGES_DRAWN; drawn++) {
            double numbers[OVERLAY_NUMBERS];
            overlay_numbers(overlay, &curve->points[i], drawn, numbers);
            for (size_t n = 0; n < OVERLAY_NUMBERS; n++) {
                text_append_format(script, isfinite(numbers[n]) ? "\t%.9g" : "\tNaN", numbers[n]);
            }
        }
        text_append(script, "\n");
    }
    text_append(script, "ROWMAX_EOD\n");
}

void overlay_append_blocks(struct overlay *overlay)
{
    text_append(
        &overlay->canvas.script,
        overlay->differences
            ? "# x, x moved aside; then difference, its low and high end, 1 where it moved: "
            : "# x, x moved aside; then mean of A, of B, mark for 0 of A, of B: ");
    for (size_t drawn = 0; drawn < CHANGES_DRAWN; drawn++) {
        text_append_format(&overlay->canvas.script, "%s%s", drawn == 0 ? "" : ", ",
                           overlay_title(drawn));
    }
    text_append(&overlay->canvas.script, "\n");
    for (size_t c = 0; c < overlay->panels->column_count; c++) {
        for (size_t line = 0; line < overlay->panels->view->line_count; line++) {
            if (overlay->panels->columns[c].curves[line].count > 0) {
                append_block(overlay, c, line);
            }
        }
    }
}

/* Whether a curve has a point with this number, of those with 1 or 0 in the last one, -1 for all.
 * gnuplot fails on plots without points. */
static bool has_number(const struct overlay *overlay, size_t drawn, const struct view_curve *curve,
                       size_t number, int flag)
{
    for (size_t i = 0; i < curve->count; i++) {
        double numbers[OVERLAY_NUMBERS];
        overlay_numbers(overlay, &curve->points[i], drawn, numbers);
        bool wanted = flag < 0 || numbers[OVERLAY_NUMBERS - 1] == flag;
        if (wanted && !isnan(numbers[number])) {
            return true;
        }
    }
    return false;
}

bool overlay_has_points(const struct overlay *overlay, size_t drawn, size_t column)
{
    const size_t numbers = overlay->differences ? 1 : OVERLAY_NUMBERS;
    for (size_t line = 0; line < overlay->panels->view->line_count; line++) {
        const struct view_curve *curve = &overlay->panels->columns[column].curves[line];
        for (size_t n = 0; n < numbers; n++) {
            if (has_number(overlay, drawn, curve, n, -1)) {
                return true;
            }
        }
    }
    return false;
}

/* One curve of a panel and where its numbers stand. */
struct stroke {
    size_t column, line, first; /* the data column of its first number */
    bool rows;                  /* x is to the right */
    bool joined;                /* along a scale */
    const struct canvas_style *style;
    const char *separator;
};

static void append_using(struct text *script, struct stroke *stroke, size_t number)
{
    text_append_format(script, stroke->rows ? "%s$c%zul%zu using %zu:2" : "%s$c%zul%zu using 2:%zu",
                       stroke->separator, stroke->column, stroke->line, stroke->first + number);
    stroke->separator = ", \\\n     ";
}

/* What leads from A to B where no line leads from point to point. */
static void append_link(struct text *script, struct stroke *stroke)
{
    const size_t a = stroke->first;
    append_using(script, stroke, 0);
    text_append_format(script, stroke->rows ? ":($%zu-$%zu):(0)" : ":(0):($%zu-$%zu)", a + 1, a);
    text_append_format(
        script, " with vectors nohead linewidth 1.6 linecolor rgb 0x" CANVAS_PALE "%s notitle",
        stroke->style->colour + 2);
}

/* The marks of a file, 0 or 1. */
static void append_side(struct text *script, struct stroke *stroke, size_t side)
{
    const bool open = side == 0;
    append_using(script, stroke, side);
    text_append_format(script, " with %s", stroke->joined ? "linespoints" : "points");
    if (stroke->joined && open) {
        text_append_format(script, " dashtype %s", dashes);
    }
    text_append_format(script,
                       " linewidth %g pointtype %d pointsize %g*PS linecolor rgb 0x%s%s notitle",
                       open ? 2.0 : 2.6, stroke->style->mark - open, stroke->style->size,
                       open ? pale : "", stroke->style->colour + 2);
}

/* Open marks for A and full ones for B, which are the next of its kind; triangles for 0. */
static void append_means(struct overlay *overlay, size_t drawn, const struct view_curve *curve,
                         struct stroke *stroke)
{
    struct text *script = &overlay->canvas.script;
    const bool has[2] = {has_number(overlay, drawn, curve, 0, -1),
                         has_number(overlay, drawn, curve, 1, -1)};
    if (!stroke->joined && has[0] && has[1]) {
        append_link(script, stroke);
    }
    for (size_t side = 0; side < 2; side++) {
        if (has[side]) {
            append_side(script, stroke, side);
        }
        if (has_number(overlay, drawn, curve, 2 + side, -1)) {
            append_using(script, stroke, 2 + side);
            text_append_format(script,
                               " with points linewidth 2 pointtype 10 pointsize 1.7*PS linecolor "
                               "rgb 0x%s%s notitle",
                               side == 0 ? pale : "", stroke->style->colour + 2);
        }
    }
}

/* The interval, then full marks for what moved and small ones for what did not. */
static void append_differences(struct overlay *overlay, size_t drawn,
                               const struct view_curve *curve, struct stroke *stroke)
{
    struct text *script = &overlay->canvas.script;
    const char *colour = stroke->style->colour + 2;
    const size_t first = stroke->first;
    const bool dense = is_dense(overlay->panels->view);
    if (has_number(overlay, drawn, curve, 1, -1) && dense) {
        append_using(script, stroke, 1);
        text_append_format(script, ":%zu with filledcurves linecolor rgb 0x%s notitle", first + 2,
                           colour);
    } else if (has_number(overlay, drawn, curve, 1, -1)) {
        append_using(script, stroke, 0);
        text_append_format(script,
                           ":%zu:%zu with %serrorbars pointtype -1 linewidth 2 linecolor rgb "
                           "0x60%s notitle",
                           first + 1, first + 2, stroke->rows ? "x" : "y", colour);
    }
    if (stroke->joined && has_number(overlay, drawn, curve, 0, -1)) {
        append_using(script, stroke, 0);
        text_append_format(script,
                           " with lines linewidth %g linecolor rgb 0x" CANVAS_PALE "%s "
                           "notitle",
                           CANVAS_THIN, colour);
    }
    for (int moved = 0; moved < 2; moved++) {
        if (!has_number(overlay, drawn, curve, 0, moved)) {
            continue;
        }
        text_append_format(script, "%s$c%zul%zu using ", stroke->separator, stroke->column,
                           stroke->line);
        text_append_format(script, stroke->rows ? "($%zu==%d?$%zu:NaN):2" : "2:($%zu==%d?$%zu:NaN)",
                           first + 3, moved, first);
        text_append_format(script,
                           " with points linewidth %g pointtype %d pointsize %g*PS linecolor rgb "
                           "0x%s notitle",
                           moved == 0 ? still_width : 2.0, stroke->style->mark - (moved == 0),
                           stroke->style->size * (moved == 0 ? still_size : moved_size) *
                               (dense ? 0.6 : 1),
                           colour);
        stroke->separator = ", \\\n     ";
    }
}

void overlay_append_plot(struct overlay *overlay, size_t drawn, size_t column)
{
    const struct view *view = overlay->panels->view;
    struct stroke stroke = {.column = column,
                            .first = 3 + OVERLAY_NUMBERS * drawn,
                            .rows = view->rows,
                            .joined = is_joined(view),
                            .separator = "plot "};
    for (size_t line = 0; line < view->line_count; line++) {
        const struct view_curve *curve = &overlay->panels->columns[column].curves[line];
        stroke.line = line;
        stroke.style = canvas_style_of(view_line_style(view, line));
        if (overlay->differences) {
            append_differences(overlay, drawn, curve, &stroke);
        } else {
            append_means(overlay, drawn, curve, &stroke);
        }
    }
    text_append(&overlay->canvas.script, "\n");
}

double overlay_threshold(const struct overlay *overlay, size_t drawn)
{
    double before = labels_shared_threshold(&overlay->changes->summaries[0]);
    double now = labels_shared_threshold(&overlay->changes->summaries[1]);
    return drawn == 0 && !overlay->differences && before == now ? now : (double)NAN;
}

/* A line with its mark in grey, and its name; returns the x behind it. */
static double append_sample(struct overlay *overlay, double x, double y, size_t number,
                            const char *name)
{
    struct canvas *canvas = &overlay->canvas;
    const bool first = number == 0;
    double at = 1 - y / canvas->height;
    if (!overlay->differences && is_joined(overlay->panels->view)) {
        text_append_format(&canvas->script,
                           "set arrow from screen %.5f, screen %.5f to screen %.5f, screen %.5f "
                           "nohead dashtype %s linewidth %g linecolor rgb 0x%s404040\n",
                           x / canvas->width, at, (x + 60) / canvas->width, at,
                           first ? dashes : "solid", first ? 2.0 : 2.6, first ? "60" : "");
    }
    bool open = overlay->differences ? !first : first;
    text_append_format(&canvas->script,
                       "set label '' at screen %.5f, screen %.5f point pointtype %d pointsize "
                       "%g*PS linewidth %g linecolor rgb 0x%s404040 front\n",
                       (x + 30) / canvas->width, at, open ? 6 : 7,
                       1.5 * (!overlay->differences ? 1
                              : open                ? still_size
                                                    : moved_size),
                       overlay->differences && open ? still_width : 2.0,
                       open && !overlay->differences ? "60" : "");
    const struct canvas_text place = {x + 76, y, 19, false, false, CANVAS_INK};
    canvas_write(canvas, &place, name);
    return x + 76 + canvas_text_width(name, 19) + 44;
}

static const char *sample_name(const struct overlay *overlay, size_t number)
{
    static const char *const singles[] = {"moved beyond the tolerance", "did not"};
    static const char *const differences[] = {"moved: beyond the tolerance, interval clear of 0",
                                              "did not, or only scattered"};
    if (overlay->differences) {
        bool single = overlay->panels->view->summary->seeds < 2;
        return single ? singles[number] : differences[number];
    }
    const char *label = gnuplot_label(overlay->arena, overlay->changes->sides[number].label,
                                      LABEL_LIMIT, overlay->err);
    return label == NULL ? NULL
                         : arena_format(overlay->arena, overlay->err, "%s: %s",
                                        number == 0 ? "A" : "B", label);
}

double overlay_append_key(struct overlay *overlay, double y)
{
    double x = legend_left;
    for (size_t number = 0; number < 2; number++) {
        const char *name = sample_name(overlay, number);
        if (name == NULL) {
            return y;
        }
        double width = 76 + canvas_text_width(name, 19);
        if (x > legend_left && x + width > legend_right) {
            x = legend_left;
            y += legend_row;
        }
        x = append_sample(overlay, x, y, number, name);
    }
    return y + legend_row;
}
