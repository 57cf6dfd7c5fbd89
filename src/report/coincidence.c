/* SPDX-License-Identifier: MIT */
/* Curves upon curves; see coincidence.h. */
#include "report/coincidence.h"

#include <math.h>

static const double close = 0.01; /* of the height of a panel: about the width of a line */

/* Height in a panel from 0 to 1; NaN where nothing is drawn. */
static double height_of(const struct scale *scale, double value)
{
    if (!isfinite(value) || !(scale->low < scale->high) || (scale->logarithmic && value <= 0)) {
        return (double)NAN;
    }
    /* the quotient of the limits may be beyond the largest double */
    return scale->logarithmic
               ? (log(value) - log(scale->low)) / (log(scale->high) - log(scale->low))
               : (value - scale->low) / (scale->high - scale->low);
}

static double mean_at(const struct panels *panels, const struct view_curve *curve, size_t i,
                      size_t measure)
{
    return curve->points[i].group->measures[panels->measures[measure].measure].mean;
}

/* Whether b is drawn as high as a for two thirds of the points that both may have. */
static bool lie_upon(const struct panels *panels, size_t measure, const struct view_curve *a,
                     const struct view_curve *b)
{
    const struct scale *scale = &panels->scales[measure];
    size_t drawn[2] = {0, 0};
    size_t met = 0;
    size_t j = 0;
    for (size_t i = 0; i < a->count; i++) {
        drawn[0] += isnan(height_of(scale, mean_at(panels, a, i, measure))) ? 0 : 1;
    }
    for (size_t i = 0; i < b->count; i++) {
        double height = height_of(scale, mean_at(panels, b, i, measure));
        drawn[1] += isnan(height) ? 0 : 1;
        while (j < a->count && a->points[j].x < b->points[i].x) {
            j++;
        }
        met += j < a->count && a->points[j].x == b->points[i].x &&
               fabs(height - height_of(scale, mean_at(panels, a, j, measure))) < close;
    }
    size_t fewer = drawn[0] < drawn[1] ? drawn[0] : drawn[1];
    return met > 1 && 3 * met >= 2 * fewer;
}

struct coincidence coincidence_of(const struct panels *panels, size_t measure, size_t column,
                                  size_t line)
{
    struct coincidence found = {0, 0};
    const struct view_curve *curves = panels->columns[column].curves;
    if (panels->view->scale == SCALE_CATEGORIES || panels->same[measure]) {
        return found;
    }
    for (size_t other = 0; other < panels->view->line_count; other++) {
        bool upon = other != line && lie_upon(panels, measure, &curves[line], &curves[other]);
        found.below += upon && other < line;
        found.above += upon && other > line;
    }
    return found;
}

static bool any_in_column(const struct panels *panels, size_t column)
{
    for (size_t m = 0; m < PANEL_MEASURES; m++) {
        for (size_t line = 0; line < panels->view->line_count; line++) {
            if (coincidence_of(panels, m, column, line).below > 0) {
                return true;
            }
        }
    }
    return false;
}

bool coincidence_any(const struct panels *panels)
{
    for (size_t c = 0; c < panels->column_count; c++) {
        if (any_in_column(panels, c)) {
            return true;
        }
    }
    return false;
}

const char *coincidence_dashes(size_t below)
{
    static const char *const patterns[] = {"solid", "(9,9)", "(6,12)", "(4,14)"};
    return patterns[below < 3 ? below : 3];
}

double coincidence_growth(size_t above)
{
    return above == 0 ? 1 : above == 1 ? 1.35 : 1.6;
}
