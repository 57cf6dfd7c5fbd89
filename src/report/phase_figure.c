/* SPDX-License-Identifier: MIT */
/* Draws the map of saturation; declared in figures.h. */
#include "report/canvas.h"
#include "report/figures.h"
#include "report/labels.h"
#include "report/markdown.h"
#include "report/numbers.h"
#include "report/phase.h"
#include "report/phase_lines.h"
#include "report/wrap.h"
#include "summary/saturation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TITLE_LIMIT = 76, TICK_GAP = 20, LINES = 5 };

static const double page_width = 2000;
static const double left_margin = 150;
static const double right_margin = 230;
static const double gap = 60;
static const double foot = 124;
static const double heading_size = 20;
static const double number_size = 13;
static const double tick_size = 16;

/* Steps that differ by more bend what is drawn over cells of one size so that it shows. */
static const double uneven = 1.25;

struct layout {
    double top, width, height;
};

static struct layout layout_of(const struct phase *phase, double top)
{
    double columns = (double)phase->panel_count;
    double room = page_width - left_margin - right_margin - gap * (columns - 1);
    double height = 70 * (double)phase->y->count;
    return (struct layout){top, room / columns, fmin(fmax(height, 300), 640)};
}

/* Cells row by row, and the lines on them. */
static void append_blocks(struct text *script, const struct phase *phase)
{
    for (size_t p = 0; p < phase->panel_count; p++) {
        const struct phase_panel *panel = &phase->panels[p];
        text_append_format(script, "$m%zu << ROWMAX_EOD\n", p);
        for (size_t c = 0; c < phase->x->count * phase->y->count; c++) {
            const struct summary_group *group = panel->groups[c];
            double value = group == NULL ? (double)NAN : group->measures[MEASURE_ROW_MAX_MEAN].mean;
            text_append_format(script, "%zu %zu ", c % phase->x->count, c / phase->x->count);
            if (isfinite(value)) {
                text_append_format(script, "%.6g\n", value);
            } else {
                text_append(script, "NaN\n");
            }
        }
        text_append(script, "ROWMAX_EOD\n");
        phase_lines_append_blocks(script, phase, p);
    }
}

/* Whether the labels of every step-th value stand clear of each other. */
static bool is_clear(const struct summary_axis *axis, double cell, size_t step)
{
    for (size_t v = 0; v < axis->count; v += step) {
        char label[NUMBER_SIZE];
        double width = canvas_text_width(view_axis_number(axis, v, label), tick_size);
        if (width + TICK_GAP > (double)step * cell) {
            return false;
        }
    }
    return true;
}

static size_t clear_step(const struct summary_axis *axis, double cell)
{
    size_t step = 1;
    while (step < axis->count && !is_clear(axis, cell, step)) {
        step++;
    }
    return step;
}

static void append_ticks(struct text *script, char which, const struct summary_axis *axis,
                         size_t step, bool labelled)
{
    text_append_format(script, "set %ctics scale 0 font FONT.',16' (", which);
    for (size_t v = 0; v < axis->count; v += step) {
        char label[NUMBER_SIZE];
        text_append_format(script, "%s'%s' %zu", v == 0 ? "" : ", ",
                           labelled ? view_axis_number(axis, v, label) : "", v);
    }
    text_append(script, ")\n");
}

static void append_axes(struct canvas *canvas, const struct phase *phase,
                        const struct canvas_area *area, bool first)
{
    double cell = area->width / (double)phase->x->count;
    size_t step = clear_step(phase->x, cell);
    text_append_format(&canvas->script, "set xrange [-0.5:%zu.5]\nset yrange [-0.5:%zu.5]\n",
                       phase->x->count - 1, phase->y->count - 1);
    append_ticks(&canvas->script, 'x', phase->x, step, true);
    append_ticks(&canvas->script, 'y', phase->y, 1 + (phase->y->count - 1) / 20, first);
    const struct canvas_text below = {
        area->left + area->width / 2, area->top + area->height + 74, 18, false, true, CANVAS_INK};
    canvas_write(canvas, &below, view_axis_label(phase->x));
    if (first) {
        text_append_format(&canvas->script,
                           "set ylabel '%s' offset 0.5,0 font FONT.',18' textcolor rgb " CANVAS_INK
                           "\n",
                           view_axis_label(phase->y));
    } else {
        text_append(&canvas->script, "unset ylabel\n");
    }
}

static void append_colour_bar(struct canvas *canvas, const struct canvas_area *area, double left)
{
    text_append_format(
        &canvas->script,
        "set colorbox user origin screen %.5f, screen %.5f size screen %.5f, screen %.5f noborder\n"
        "set cbtics ('0' 0, '0.25' 0.25, '0.5' 0.5, '0.75' 0.75, '1' 1) scale 0.4 "
        "offset -0.6,0 font FONT.',16'\n"
        "set cblabel 'mean row-max' offset -0.6,0 font FONT.',17' textcolor rgb " CANVAS_INK "\n",
        left / canvas->width, 1 - (area->top + area->height) / canvas->height, 24 / canvas->width,
        area->height / canvas->height);
}

/* The row-max in figures, beside lines that would hide them; `cell` is a cell's width. */
static void append_numbers(struct text *script, const struct phase *phase, size_t p, double cell)
{
    const struct phase_panel *panel = &phase->panels[p];
    size_t cells = phase->x->count * phase->y->count;
    double half = (canvas_text_width("0.00", number_size) / 2 + 7) / cell;
    text_append_format(script, "$t%zu << ROWMAX_EOD\n", p);
    for (size_t c = 0; c < cells; c++) {
        size_t row = c / phase->x->count;
        const struct summary_group *group = panel->groups[c];
        double value = group == NULL ? (double)NAN : group->measures[MEASURE_ROW_MAX_MEAN].mean;
        double at = phase_lines_place(phase, p, row, c % phase->x->count, half);
        if (isfinite(value) && isfinite(at)) {
            text_append_format(script, "%.9g %zu %.2f %.6g\n", at, row, value, value);
        }
    }
    text_append(script, "ROWMAX_EOD\n");
}

/* Whether cells are large enough for numbers, and one has a number. */
static bool shows_numbers(const struct phase *phase, const struct canvas_area *area, size_t p)
{
    size_t cells = phase->x->count * phase->y->count;
    bool any = false;
    for (size_t c = 0; c < cells; c++) {
        const struct summary_group *group = phase->panels[p].groups[c];
        any = any || (c < phase->x->count && group != NULL &&
                      isfinite(group->measures[MEASURE_ROW_MAX_MEAN].mean));
    }
    return any && area->width / (double)phase->x->count >= 58 &&
           area->height / (double)phase->y->count >= 40;
}

static void append_cells(struct canvas *canvas, const struct phase *phase,
                         const struct canvas_area *area, size_t p)
{
    bool numbers = shows_numbers(phase, area, p);
    if (numbers) {
        append_numbers(&canvas->script, phase, p, area->width / (double)phase->x->count);
    }
    text_append_format(&canvas->script, "plot $m%zu using 1:2:3 with @IMAGE notitle", p);
    if (numbers) {
        text_append_format(&canvas->script,
                           ", \\\n     $t%zu using 1:2:3:(shade($4)) with labels font FONT.',13' "
                           "textcolor rgb variable notitle",
                           p);
    }
    phase_lines_append_plot(&canvas->script, phase, p);
    text_append(&canvas->script, "\n");
}

static bool append_panel(struct canvas *canvas, const struct phase *phase,
                         const struct layout *layout, size_t p, struct arena *arena,
                         struct error *err)
{
    const struct canvas_area area = {left_margin + (double)p * (layout->width + gap), layout->top,
                                     layout->width, layout->height};
    const char *name = phase_panel_name(phase, p, arena, err);
    struct wrapped wrapped;
    if (name == NULL ||
        !wrap_label(name, wrap_room(layout->width, heading_size, true), arena, &wrapped, err)) {
        return false;
    }
    text_append_format(&canvas->script, "\n# map %zu\n", p + 1);
    canvas_area_set(canvas, &area);
    for (size_t i = 0; i < wrapped.count; i++) {
        const struct canvas_text place = {
            area.left,    area.top - 60 - 34 * (double)(wrapped.count - 1 - i),
            heading_size, true,
            false,        "0x0072B2"};
        canvas_write(canvas, &place, wrapped.lines[i]);
    }
    if (p == 0) {
        double columns = (double)phase->panel_count;
        append_colour_bar(canvas, &area,
                          left_margin + columns * layout->width + (columns - 1) * gap + 54);
    }
    phase_lines_name(canvas, phase, p, &area);
    append_axes(canvas, phase, &area, p == 0);
    append_cells(canvas, phase, &area, p);
    text_append(&canvas->script, "unset colorbox\nunset cblabel\n");
    canvas_clear(canvas);
    return true;
}

/* "Columns are equally wide, whatever the step between their values (factors of 1.13 to 1.42).", or
 * "" where steps are alike. */
static const char *steps_text(const struct summary_axis *axis, const char *cells,
                              struct arena *arena, struct error *err)
{
    char numbers[2][NUMBER_SIZE];
    double least = (double)INFINITY;
    double most = 0;
    double *values = arena_alloc(arena, axis->count, sizeof *values, err);
    if (values == NULL) {
        return NULL;
    }
    for (size_t v = 0; v < axis->count; v++) {
        values[v] = field_value_number(&run_fields[axis->field], axis->samples[v]);
    }
    bool factors = saturation_geometric(axis->count, values);
    for (size_t v = 1; v < axis->count; v++) {
        double step = factors ? values[v] / values[v - 1] : values[v] - values[v - 1];
        least = fmin(least, step);
        most = fmax(most, step);
    }
    if (!(factors ? log(most) > uneven * log(least) : most > uneven * least)) {
        return "";
    }
    return arena_format(arena, err, "%s, whatever the step between their values (%s%s to %s).",
                        cells, factors ? "factors of " : "",
                        number_on_axis(least, most - least, numbers[0]),
                        number_on_axis(most, most - least, numbers[1]));
}

/* Of both axes; false when memory is short. */
static bool find_steps(const struct phase *phase, const char *texts[2], struct arena *arena,
                       struct error *err)
{
    texts[0] = steps_text(phase->x, "Columns are equally wide", arena, err);
    texts[1] = steps_text(phase->y, "Rows are equally high", arena, err);
    return texts[0] != NULL && texts[1] != NULL;
}

/* The grey lines below the title. */
static bool make_lines(const struct phase *phase, const char *lines[LINES], size_t *count,
                       struct arena *arena, struct error *err)
{
    const char *seeds = labels_seeds(phase->summary, arena, err);
    const char *contours = phase_lines_text(phase, arena, err);
    const char *steps[2];
    if (seeds == NULL || contours == NULL || !find_steps(phase, steps, arena, err)) {
        return false;
    }
    *count = 0;
    lines[(*count)++] =
        arena_format(arena, err, "Map of saturation: mean row-max (1 is one-hot), %s.", seeds);
    if (*contours != '\0') {
        lines[(*count)++] = contours;
    }
    if (phase_has_onset(phase)) {
        lines[(*count)++] = "Dashed: the theory's onset, as the measured spread of the scores in a "
                            "row reaches it.";
    }
    for (size_t i = 0; i < 2; i++) {
        if (*steps[i] != '\0') {
            lines[(*count)++] = steps[i];
        }
    }
    return lines[0] != NULL;
}

static bool draw(struct canvas *canvas, const struct result_set *set, const struct phase *phase,
                 const char *name, struct arena *arena, struct error *err)
{
    const char *title = gnuplot_label(arena, labels_title(set), TITLE_LIMIT, err);
    const char *lines[LINES];
    size_t line_count;
    if (title == NULL || !make_lines(phase, lines, &line_count, arena, err)) {
        return false;
    }
    double headings = phase->panel_count > 1 ? 84 : 0;
    struct layout layout = layout_of(phase, 104 + 34 * (double)line_count + 60 + headings);
    canvas->width = page_width;
    canvas->height = layout.top + layout.height + foot;
    canvas_begin(canvas, name, "Map of saturation");
    canvas_palette(canvas);
    text_append(&canvas->script, "shade(p) = p > 0.6 ? 0x26323C : 0xFFFFFF\n");
    append_blocks(&canvas->script, phase);
    canvas_title(canvas, title, lines, line_count);
    for (size_t p = 0; p < phase->panel_count; p++) {
        if (!append_panel(canvas, phase, &layout, p, arena, err)) {
            return false;
        }
    }
    return true;
}

static const char *make_caption(const struct phase *phase, struct arena *arena, struct error *err)
{
    struct text caption = TEXT_INIT(arena);
    const char *steps[2];
    if (!find_steps(phase, steps, arena, err)) {
        return NULL;
    }
    text_append(&caption,
                "**Map of saturation.** Mean row-max of every setting, from left to right "
                "by ");
    markdown_text(&caption, view_axis_label(phase->x));
    text_append(&caption, ", from the foot to the top by ");
    markdown_text(&caption, view_axis_label(phase->y));
    text_append(&caption, ".");
    for (size_t i = 0; i < 2; i++) {
        text_append(&caption, *steps[i] == '\0' ? "" : " ");
        markdown_text(&caption, steps[i]);
    }
    if (phase_has_contour(phase, 0) || phase_has_contour(phase, 1)) {
        text_append(&caption, " White lines run where the row-max, taken to change evenly from the "
                              "middle of a cell to the next, reaches the number beside them");
        text_append(&caption, phase_has_contour(phase, 0) ? "; the larger is the threshold of "
                                                            "saturation."
                                                          : ".");
    }
    if (phase_has_onset(phase)) {
        text_append(&caption,
                    " The dashed line is the onset of the theory of independent scores, the spread "
                    "at which 0.9 of the gradient of uniform weights is left: it runs where the "
                    "measured spread of the scores in a row reaches it, between the two settings "
                    "around it by the logarithm of their spreads.");
    }
    if (phase->settings_left_out > 0) {
        char count[TEXT_COUNT_SIZE];
        text_append_format(&caption, " %s settings of further combinations are not drawn.",
                           text_from_count(phase->settings_left_out, count));
    }
    return text_finish(&caption, err);
}

static const char *make_data(const struct phase *phase, struct arena *arena, struct error *err)
{
    struct text data = TEXT_INIT(arena);
    text_append_format(&data, "map\t%s\t%s\tscore_row_std\trow_max_mean\n", phase->x->name,
                       phase->y->name);
    size_t cells = phase->x->count * phase->y->count;
    for (size_t p = 0; p < phase->panel_count; p++) {
        for (size_t c = 0; c < cells; c++) {
            const struct summary_group *group = phase->panels[p].groups[c];
            char x[FIELD_VALUE_SIZE];
            char y[FIELD_VALUE_SIZE];
            char spread[TEXT_REAL_SIZE];
            char row_max[TEXT_REAL_SIZE];
            if (group == NULL) {
                continue;
            }
            text_append_format(&data, "%zu\t%s\t%s\t%s\t%s\n", p + 1,
                               summary_axis_value(phase->x, c % phase->x->count, x),
                               summary_axis_value(phase->y, c / phase->x->count, y),
                               text_from_real(group->measures[MEASURE_SCORE_ROW_STD].mean, spread),
                               text_from_real(group->measures[MEASURE_ROW_MAX_MEAN].mean, row_max));
        }
    }
    return text_finish(&data, err);
}

bool phase_make(const struct result_set *set, const struct view *view, struct arena *arena,
                struct figure *out, bool *made, struct error *err)
{
    struct phase phase;
    struct canvas canvas = {.script = TEXT_INIT(arena)};
    *made = false;
    if (!phase_choose(view->measured, arena, &phase, err)) {
        return false;
    }
    if (phase.x == NULL) {
        return true;
    }
    *made = true;
    out->name = "phase";
    out->heading = "Map of saturation";
    out->title = arena_format(arena, err, "Mean row-max over %s and %s", view_axis_label(phase.x),
                              view_axis_label(phase.y));
    if (out->title == NULL || !draw(&canvas, set, &phase, out->name, arena, err)) {
        return false;
    }
    out->script = canvas_end(&canvas, err);
    out->caption = make_caption(&phase, arena, err);
    out->data = make_data(&phase, arena, err);
    return out->script != NULL && out->caption != NULL && out->data != NULL;
}
