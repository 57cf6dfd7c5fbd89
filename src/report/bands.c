/* SPDX-License-Identifier: MIT */
/* Bands cut to their panels; see bands.h. */
#include "report/bands.h"

#include "base/order.h"

#include <math.h>
#include <stdlib.h>

/* One place of a band, in logarithms where an axis is logarithmic. */
struct place {
    double x, low, high;
    bool there;
};

/* The axes that a band is drawn on. */
struct frame {
    bool x_logarithmic, y_logarithmic;
    double low, high;
};

enum { CUTS = 4 };

bool bands_drawn(const struct panels *panels, size_t measure, size_t column, size_t line)
{
    return panels->view->scale != SCALE_CATEGORIES &&
           (panels_line_interval(panels, measure, column, line, false) ||
            panels_line_interval(panels, measure, column, line, true));
}

static struct frame frame_of(const struct panels *panels, size_t measure)
{
    const struct scale *scale = &panels->scales[measure];
    bool logarithmic = scale->logarithmic;
    return (struct frame){panels->view->scale == SCALE_LOG, logarithmic,
                          logarithmic ? log(scale->low) : scale->low,
                          logarithmic ? log(scale->high) : scale->high};
}

/* The interval at a point; a low end of 0 or less is half as high as a logarithmic axis begins. */
static struct place place_of(const struct frame *frame, const struct view_point *point,
                             enum measurement_field measure)
{
    const struct estimate *estimate = &point->group->measures[measure];
    double low = estimate->mean - estimate->half_width;
    double high = estimate->mean + estimate->half_width;
    if (frame->y_logarithmic) {
        low = fmax(low > 0 ? log(low) : -(double)INFINITY, frame->low - log(2));
        high = high > 0 ? log(high) : (double)NAN;
    }
    bool there = isfinite(low) && isfinite(high) && (!frame->y_logarithmic || estimate->mean > 0);
    return (struct place){frame->x_logarithmic ? log(point->x) : point->x, low, high, there};
}

static double limited(const struct frame *frame, double height)
{
    return fmin(fmax(height, frame->low), frame->high);
}

static void append_place(struct text *script, const struct frame *frame, const struct place *at)
{
    const double low = limited(frame, at->low);
    const double high = limited(frame, at->high);
    text_append_format(script, "%.9g\t%.9g\t%.9g\n", frame->x_logarithmic ? exp(at->x) : at->x,
                       frame->y_logarithmic ? exp(low) : low,
                       frame->y_logarithmic ? exp(high) : high);
}

/* Shares of the way from one place to the next at which an end meets a limit of the panel. */
static size_t find_cuts(const struct frame *frame, const struct place *from, const struct place *to,
                        double cuts[CUTS])
{
    const double ends[2][2] = {{from->low, to->low}, {from->high, to->high}};
    const double limits[2] = {frame->low, frame->high};
    size_t count = 0;
    for (size_t i = 0; i < CUTS; i++) {
        const double *end = ends[i / 2];
        double share = (limits[i % 2] - end[0]) / (end[1] - end[0]);
        if (share > 0 && share < 1) {
            cuts[count++] = share;
        }
    }
    qsort(cuts, count, sizeof *cuts, order_reals);
    return count;
}

static void append_between(struct text *script, const struct frame *frame, const struct place *from,
                           const struct place *to)
{
    double cuts[CUTS];
    size_t count = find_cuts(frame, from, to, cuts);
    for (size_t i = 0; i < count; i++) {
        double share = cuts[i];
        const struct place at = {from->x + share * (to->x - from->x),
                                 from->low + share * (to->low - from->low),
                                 from->high + share * (to->high - from->high), true};
        append_place(script, frame, &at);
    }
}

static void append_band(struct text *script, const struct panels *panels, size_t measure,
                        size_t column, size_t line)
{
    const struct view_curve *curve = &panels->columns[column].curves[line];
    const struct frame frame = frame_of(panels, measure);
    struct place last = {.there = false};
    text_append_format(script, "$b%zul%zum%zu << ROWMAX_EOD\n", column, line, measure);
    for (size_t i = 0; i < curve->count; i++) {
        struct place at = place_of(&frame, &curve->points[i], panels->measures[measure].measure);
        if (at.there && last.there) {
            append_between(script, &frame, &last, &at);
        }
        if (at.there) {
            append_place(script, &frame, &at);
        } else {
            text_append(script, "NaN\tNaN\tNaN\n");
        }
        last = at;
    }
    text_append(script, "ROWMAX_EOD\n");
}

static void append_bands(struct text *script, const struct panels *panels, size_t column,
                         size_t line)
{
    for (size_t m = 0; m < PANEL_MEASURES; m++) {
        if (bands_drawn(panels, m, column, line)) {
            append_band(script, panels, m, column, line);
        }
    }
}

void bands_append_blocks(struct text *script, const struct panels *panels)
{
    for (size_t c = 0; c < panels->column_count; c++) {
        for (size_t line = 0; line < panels->view->line_count; line++) {
            append_bands(script, panels, c, line);
        }
    }
}
