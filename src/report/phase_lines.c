/* SPDX-License-Identifier: MIT */
/* Lines on maps of saturation; see phase_lines.h. */
#include "report/phase_lines.h"

#include "report/numbers.h"

#include <math.h>

static const double number_rows = 0.2; /* half the height of a number with its surroundings */
static const double name_size = 14;

static bool has_onset(const struct phase *phase, size_t panel)
{
    for (size_t row = 0; row < phase->y->count; row++) {
        if (!isnan(phase->panels[panel].onset[row])) {
            return true;
        }
    }
    return false;
}

/* Points as lines of column and row; gnuplot begins a new line at an empty one. */
void phase_lines_append_blocks(struct text *script, const struct phase *phase, size_t panel)
{
    for (size_t level = 0; level < PHASE_LEVELS; level++) {
        const struct contour *contour = &phase->panels[panel].contours[level];
        if (contour->count == 0) {
            continue;
        }
        text_append_format(script, "$l%zup%zu << ROWMAX_EOD\n", level, panel);
        for (size_t i = 0; i < contour->count; i++) {
            const struct contour_point *point = &contour->points[i];
            text_append_format(script, "%s%.6g %.6g\n", i > 0 && point->starts ? "\n" : "",
                               point->x, point->y);
        }
        text_append(script, "ROWMAX_EOD\n");
    }
    text_append_format(script, "$o%zu << ROWMAX_EOD\n", panel);
    for (size_t row = 0; row < phase->y->count; row++) {
        double onset = phase->panels[panel].onset[row];
        if (isnan(onset)) {
            text_append(script, "\n");
        } else {
            text_append_format(script, "%.9g %zu\n", onset, row);
        }
    }
    text_append(script, "ROWMAX_EOD\n");
}

/* White with a dark rim, which shows on any cell; the theory is dashed. */
void phase_lines_append_plot(struct text *script, const struct phase *phase, size_t panel)
{
    for (size_t level = 0; level < PHASE_LEVELS; level++) {
        if (phase->panels[panel].contours[level].count > 0) {
            text_append_format(script,
                               ", \\\n     $l%zup%zu using 1:2 with lines linewidth 4.5 linecolor "
                               "rgb " CANVAS_INK
                               " notitle, \\\n     $l%zup%zu using 1:2 with lines "
                               "linewidth 2.4 linecolor rgb 'white' notitle",
                               level, panel, level, panel);
        }
    }
    if (has_onset(phase, panel)) {
        text_append_format(script,
                           ", \\\n     $o%zu using 1:2 with lines linewidth 4.5 linecolor rgb "
                           "" CANVAS_INK " notitle, \\\n     $o%zu using 1:2 with lines linewidth "
                           "2.4 dashtype (8,6) linecolor rgb 'white' notitle, \\\n     $o%zu using "
                           "1:2 with points pointtype 7 pointsize 0.9*PS linecolor rgb 'white' "
                           "notitle",
                           panel, panel, panel);
    }
}

/* The highest point of a contour in the uppermost row, or else the one farthest to the right, in
 * the last column; NULL when it ends in neither. */
static const struct contour_point *end_of(const struct phase *phase, const struct contour *contour,
                                          bool *above)
{
    const struct contour_point *top = NULL;
    const struct contour_point *right = NULL;
    for (size_t i = 0; i < contour->count; i++) {
        const struct contour_point *point = &contour->points[i];
        top = point->y >= (double)(phase->y->count - 1) ? point : top;
        right = point->x >= (double)(phase->x->count - 1) ? point : right;
    }
    *above = top != NULL;
    return top != NULL ? top : right;
}

void phase_lines_name(struct canvas *canvas, const struct phase *phase, size_t panel,
                      const struct canvas_area *area)
{
    const struct phase_panel *map = &phase->panels[panel];
    double last = -(double)INFINITY;
    /* the lower level first, which ends further to the left where saturation grows with x */
    for (size_t i = 0; i < PHASE_LEVELS; i++) {
        size_t level = map->levels[0] < map->levels[1] ? i : PHASE_LEVELS - 1 - i;
        bool above;
        char number[NUMBER_SIZE];
        const struct contour_point *end = end_of(phase, &map->contours[level], &above);
        if (end == NULL) {
            continue;
        }
        const char *name = number_given(map->levels[level], number);
        double width = canvas_text_width(name, name_size);
        double x = area->left + (end->x + 0.5) / (double)phase->x->count * area->width;
        double y = area->top + (1 - (end->y + 0.5) / (double)phase->y->count) * area->height;
        if (above) {
            x = fmax(x, last + width + 10);
            last = x;
            y = area->top - 18;
        } else {
            x = area->left + area->width + 8 + width / 2;
        }
        const struct canvas_text place = {x, y, name_size, false, true, CANVAS_SOFT};
        canvas_write(canvas, &place, name);
    }
}

/* A number on the map, and what the lines upon it take of the way along x. */
struct taken {
    double row, from, to;
    double low, high; /* low > high: nothing */
};

/* Adds a straight line that meets the number. */
static void take(struct taken *taken, double x, double y, double x_end, double y_end)
{
    double low = fmax(fmin(y, y_end), taken->row - number_rows);
    double high = fmin(fmax(y, y_end), taken->row + number_rows);
    if (low > high) {
        return;
    }
    double first = y_end == y ? x : x + (x_end - x) * (low - y) / (y_end - y);
    double second = y_end == y ? x_end : x + (x_end - x) * (high - y) / (y_end - y);
    double left = fmin(first, second);
    double right = fmax(first, second);
    if (left < taken->to && right > taken->from) {
        taken->low = fmin(taken->low, left);
        taken->high = fmax(taken->high, right);
    }
}

static void take_onset(struct taken *taken, const struct phase *phase, const double *onset)
{
    for (size_t row = 0; row < phase->y->count; row++) {
        bool joined = row + 1 < phase->y->count && !isnan(onset[row + 1]);
        size_t next = joined ? row + 1 : row;
        if (!isnan(onset[row])) {
            take(taken, onset[row], (double)row, onset[next], (double)next);
        }
    }
}

static void take_contour(struct taken *taken, const struct contour *contour)
{
    for (size_t i = 1; i < contour->count; i++) {
        const struct contour_point *from = &contour->points[i - 1];
        const struct contour_point *to = &contour->points[i];
        if (!to->starts) {
            take(taken, from->x, from->y, to->x, to->y);
        }
    }
}

/* The lines upon a number in the middle of a row, `half` to either side of a place along x. */
static struct taken taken_at(const struct phase *phase, size_t panel, size_t row, double at,
                             double half)
{
    const struct phase_panel *map = &phase->panels[panel];
    struct taken taken = {(double)row, at - half, at + half, (double)INFINITY, -(double)INFINITY};
    take_onset(&taken, phase, map->onset);
    for (size_t level = 0; level < PHASE_LEVELS; level++) {
        take_contour(&taken, &map->contours[level]);
    }
    return taken;
}

double phase_lines_place(const struct phase *phase, size_t panel, size_t row, size_t column,
                         double half)
{
    double middle = (double)column;
    struct taken taken = taken_at(phase, panel, row, middle, half);
    if (taken.low > taken.high) {
        return middle;
    }
    const double beside[2] = {taken.low - half, taken.high + half};
    const size_t nearer = middle - beside[0] < beside[1] - middle ? 0U : 1U;
    for (size_t i = 0; i < 2; i++) {
        double at = beside[(nearer + i) % 2];
        taken = taken_at(phase, panel, row, at, half);
        if (fabs(at - middle) + half <= 0.5 && taken.low > taken.high) {
            return at;
        }
    }
    return (double)NAN;
}

const char *phase_lines_text(const struct phase *phase, struct arena *arena, struct error *err)
{
    char numbers[PHASE_LEVELS][NUMBER_SIZE];
    const double *levels = phase->panels[0].levels;
    bool shared = true;
    for (size_t p = 1; p < phase->panel_count; p++) {
        shared = shared && phase->panels[p].levels[0] == levels[0];
    }
    bool threshold = phase_has_contour(phase, 0);
    bool half = phase_has_contour(phase, 1);
    if (!threshold && !half) {
        return "";
    }
    const char *at = shared ? number_given(levels[0], numbers[0]) : "the threshold of saturation";
    return arena_format(arena, err, "White line%s: mean row-max %s%s%s.",
                        threshold && half ? "s" : "",
                        half ? number_given(levels[1], numbers[1]) : "",
                        threshold && half ? " and " : "", threshold ? at : "");
}
