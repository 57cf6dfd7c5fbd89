/* SPDX-License-Identifier: MIT */
/* Draws settings in rows; see setting_rows.h. */
#include "report/setting_rows.h"

#include "report/numbers.h"
#include "report/wrap.h"

#include <stdio.h>
#include <string.h>

enum { NAME_LINES = 8, SUBTITLE_LINES = 4 };

static const double page_width = 2000;
static const double left_margin = 44;
static const double right_margin = 60;
static const double gap = 64;
static const double name_size = 17;
static const double name_line = 29; /* from one line of a name to the next */
static const double small_size = 14;
static const double widest_name = 640;
static const double foot = 124;
static const double least_row = 40;
static const double mark_step = 13;     /* between the marks of a row, as far as a page */
static const double most_height = 1400; /* of this height has room for them */

/* Where names and panels stand. */
struct grid {
    double top, names, panel_width, row;
    size_t count;          /* of rows drawn */
    size_t lines;          /* of the longest name */
    size_t subtitle_lines; /* of the longest subtitle */
};

static size_t name_room(void)
{
    return wrap_room(widest_name, name_size, false);
}

static bool measure_names(const struct view *view, struct grid *grid, struct arena *arena,
                          struct error *err)
{
    const char *lines[NAME_LINES];
    size_t longest = 0;
    for (size_t v = 0; v < grid->count; v++) {
        size_t count = wrap_lines(view->x->names[v], name_room(), arena, lines, NAME_LINES, err);
        for (size_t i = 0; i < count; i++) {
            longest = wrap_length(lines[i]) > longest ? wrap_length(lines[i]) : longest;
        }
        grid->lines = count > grid->lines ? count : grid->lines;
        if (count == 0) {
            return false;
        }
    }
    grid->names = CANVAS_ADVANCE * name_size * (double)longest + 30;
    return true;
}

static bool grid_make(const struct panels *panels, struct grid *grid, struct arena *arena,
                      struct error *err)
{
    const struct view *view = panels->view;
    const char *lines[SUBTITLE_LINES];
    *grid = (struct grid){.count = view->x->count < VIEW_ROWS ? view->x->count : VIEW_ROWS};
    if (!measure_names(view, grid, arena, err)) {
        return false;
    }
    double marks =
        fmin(18 + mark_step * (double)view->line_count, most_height / (double)grid->count);
    grid->row = fmax(fmax(least_row, marks), 14 + name_line * (double)grid->lines);
    grid->panel_width = (page_width - left_margin - grid->names - right_margin -
                         gap * ((double)panels->measure_count - 1)) /
                        (double)panels->measure_count;
    for (size_t m = 0; m < panels->measure_count; m++) {
        size_t room = wrap_room(grid->panel_width + gap - 24, small_size, false);
        size_t count =
            wrap_lines(panels->measures[m].subtitle, room, arena, lines, SUBTITLE_LINES, err);
        grid->subtitle_lines = count > grid->subtitle_lines ? count : grid->subtitle_lines;
        if (count == 0) {
            return false;
        }
    }
    return true;
}

static struct canvas_area area_of(const struct grid *grid, size_t measure)
{
    return (struct canvas_area){left_margin + grid->names +
                                    (double)measure * (grid->panel_width + gap),
                                grid->top, grid->panel_width, grid->row * (double)grid->count};
}

static bool append_head(struct canvas *canvas, const struct panels *panels, const struct grid *grid,
                        size_t measure, struct arena *arena, struct error *err)
{
    const struct canvas_area area = area_of(grid, measure);
    const char *lines[SUBTITLE_LINES];
    size_t room = wrap_room(grid->panel_width + gap - 24, small_size, false);
    size_t count =
        wrap_lines(panels->measures[measure].subtitle, room, arena, lines, SUBTITLE_LINES, err);
    double y = area.top - 22 - 25 * (double)(grid->subtitle_lines - 1);
    const struct canvas_text title = {area.left, y - 32, 20, true, false, CANVAS_INK};
    canvas_write(canvas, &title, panels->measures[measure].title);
    for (size_t i = 0; i < count; i++) {
        const struct canvas_text small = {area.left, y + 25 * (double)i, small_size, false,
                                          false,     CANVAS_SOFT};
        canvas_write(canvas, &small, lines[i]);
    }
    return count > 0;
}

/* The names, to the left of the first panel. */
static bool append_names(struct canvas *canvas, const struct view *view, const struct grid *grid,
                         struct arena *arena, struct error *err)
{
    const char *lines[NAME_LINES];
    for (size_t v = 0; v < grid->count; v++) {
        size_t count = wrap_lines(view->x->names[v], name_room(), arena, lines, NAME_LINES, err);
        for (size_t i = 0; i < count; i++) {
            double middle = grid->top + grid->row * ((double)v + 0.5);
            double shift = name_line * ((double)i - ((double)count - 1) / 2);
            const struct canvas_text place = {left_margin, middle + shift, name_size,
                                              false,       false,          CANVAS_INK};
            canvas_write(canvas, &place, lines[i]);
        }
        if (count == 0) {
            return false;
        }
    }
    return true;
}

static void append_separator(struct text *script, bool *first)
{
    text_append(script, *first ? "plot " : ", \\\n     ");
    *first = false;
}

/* The interval, the mark, and the mark for 0 of one line. */
static void append_line(struct text *script, const struct panels *panels, size_t measure,
                        size_t line, bool *first)
{
    const struct canvas_style *style = canvas_style_of(view_line_style(panels->view, line));
    size_t mean = 3 + PANEL_NUMBERS * measure;
    for (int pale = 0; pale < 2; pale++) {
        if (panels_line_interval(panels, measure, 0, line, pale == 1)) {
            append_separator(script, first);
            text_append_format(script,
                               "$c0l%zu using ($%zu==%d?$%zu:NaN):2:%zu:%zu with xerrorbars "
                               "pointtype -1 linewidth 2 linecolor rgb 0x%s%s notitle",
                               line, mean + 4, pale, mean, mean + 1, mean + 2,
                               pale == 1 ? "99" : "", style->colour + 2);
        }
    }
    if (panels_line_drawable(panels, measure, 0, line)) {
        append_separator(script, first);
        text_append_format(script,
                           "$c0l%zu using %zu:2 with points linewidth 2 pointtype %d pointsize "
                           "%g*PS linecolor rgb %s notitle",
                           line, mean, style->mark, style->size, style->colour);
    }
    if (panels_line_zeros(panels, measure, 0, line)) {
        append_separator(script, first);
        text_append_format(script,
                           "$c0l%zu using %zu:2 with points linewidth 2 pointtype 10 pointsize "
                           "1.7*PS linecolor rgb %s notitle",
                           line, mean + 3, style->colour);
    }
}

/* A level down the panel, its name below the axis. */
static void append_level(struct canvas *canvas, const struct canvas_area *area, double at,
                         const char *dash, const char *colour, size_t below, const char *name)
{
    text_append_format(&canvas->script,
                       "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead back "
                       "dashtype %s linewidth 1.6 linecolor rgb %s\n",
                       at, at, dash, colour);
    const struct canvas_text place = {
        area->left, area->top + area->height + 68 + 25 * (double)below, small_size, false, false,
        CANVAS_SOFT};
    canvas_write(canvas, &place, name);
}

static void append_levels(struct canvas *canvas, const struct view *view,
                          const struct canvas_area *area)
{
    char name[NUMBER_SIZE];
    char number[NUMBER_SIZE];
    double threshold = labels_shared_threshold(view->summary);
    double tokens = labels_uniform_tokens(view->summary);
    size_t below = 0;
    if (!isnan(threshold)) {
        snprintf(name, sizeof name, "dashed: saturated, %.60s", number_given(threshold, number));
        append_level(canvas, area, threshold, "(12,8)", CANVAS_SOFT, below++, name);
    }
    if (tokens > 1) {
        snprintf(name, sizeof name, "dotted: uniform, 1/%.0f", tokens);
        append_level(canvas, area, 1 / tokens, "(3,5)", CANVAS_FRAME, below, name);
    }
}

/* One tick a row, each with a pale line from its name. */
static void append_row_axis(struct text *script, const struct grid *grid)
{
    text_append_format(script, "unset logscale y\nset yrange [%.1f:-0.5]\nset ytics scale 0 (",
                       (double)grid->count - 0.5);
    for (size_t v = 0; v < grid->count; v++) {
        text_append_format(script, "%s'' %zu", v == 0 ? "" : ", ", v);
    }
    text_append(script, ")\n");
}

static bool append_panel(struct canvas *canvas, const struct panels *panels,
                         const struct grid *grid, size_t measure, struct arena *arena,
                         struct error *err)
{
    const struct canvas_area area = area_of(grid, measure);
    bool first = true;
    text_append_format(&canvas->script, "\n# %s\n", panels->measures[measure].title);
    canvas_area_set(canvas, &area);
    if (!append_head(canvas, panels, grid, measure, arena, err) ||
        (measure == 0 && !append_names(canvas, panels->view, grid, arena, err))) {
        return false;
    }
    if (!panels_drawable(panels, measure, 0)) {
        canvas_placeholder(canvas, "no value that can be drawn");
        canvas_clear(canvas);
        return true;
    }
    append_row_axis(&canvas->script, grid);
    scale_append_narrow(&canvas->script, 'x', &panels->scales[measure], grid->panel_width);
    if (panels->measures[measure].measure == MEASURE_ROW_MAX_MEAN) {
        append_levels(canvas, panels->view, &area);
    }
    for (size_t line = 0; line < panels->view->line_count; line++) {
        if (panels->columns[0].curves[line].count > 0) {
            append_line(&canvas->script, panels, measure, line, &first);
        }
    }
    text_append(&canvas->script, "\n");
    canvas_clear(canvas);
    return true;
}

bool rows_draw(struct canvas *canvas, const struct result_set *set, const struct panels *panels,
               const char *name, struct arena *arena, struct error *err)
{
    struct labels_head head;
    struct grid grid;
    if (!labels_head_make(set, panels, arena, &head, err) ||
        !grid_make(panels, &grid, arena, err)) {
        return false;
    }
    grid.top = 104 + 34 * (double)head.line_count + labels_legend_height(panels, arena) + 90 +
               25 * (double)grid.subtitle_lines;
    canvas->width = page_width;
    canvas->height = grid.top + grid.row * (double)grid.count + foot;
    canvas_begin(canvas, name, "Where attention saturates");
    text_append(&canvas->script,
                "set grid xtics ytics back linecolor rgb " CANVAS_GRID " linewidth 1 linetype 1\n");
    panels_append_blocks(&canvas->script, panels);
    double y = canvas_title(canvas, head.title, head.lines, head.line_count);
    if (!labels_append_legend(canvas, panels, y + 16, arena, err)) {
        return false;
    }
    for (size_t m = 0; m < panels->measure_count; m++) {
        if (!append_panel(canvas, panels, &grid, m, arena, err)) {
            return false;
        }
    }
    return true;
}
