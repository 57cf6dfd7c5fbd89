/* SPDX-License-Identifier: MIT */
/* Draws two results files over each other, one row a setting; see changes_internal.h. */
#include "report/changes_internal.h"

#include "report/wrap.h"

#include <math.h>
#include <stdio.h>

enum { NAME_LINES = 8 };

static const double page_width = 2000;
static const double left_margin = 44;
static const double right_margin = 60;
static const double gap = 64;
static const double name_size = 17;
static const double name_line = 29;
static const double widest_name = 640;
static const double foot = 124;
static const double most_height = 1400; /* of a page with many lines in a row */

/* Where names and panels stand. */
struct row_grid {
    double top, names, width, row;
    size_t count; /* of rows drawn */
};

static size_t wrap_name(struct overlay *overlay, size_t value, const char *lines[NAME_LINES])
{
    return wrap_lines(overlay->panels->view->x->names[value],
                      wrap_room(widest_name, name_size, false), overlay->arena, lines, NAME_LINES,
                      overlay->err);
}

static bool grid_make(struct overlay *overlay, struct row_grid *grid)
{
    const struct view *view = overlay->panels->view;
    size_t longest = 0;
    size_t most = 1;
    *grid = (struct row_grid){.count = view->x->count < VIEW_ROWS ? view->x->count : VIEW_ROWS};
    for (size_t v = 0; v < grid->count; v++) {
        const char *lines[NAME_LINES];
        size_t count = wrap_name(overlay, v, lines);
        for (size_t i = 0; i < count; i++) {
            longest = wrap_length(lines[i]) > longest ? wrap_length(lines[i]) : longest;
        }
        most = count > most ? count : most;
        if (count == 0) {
            return false;
        }
    }
    grid->names = CANVAS_ADVANCE * name_size * (double)longest + 30;
    grid->width =
        (page_width - left_margin - grid->names - right_margin - gap * (CHANGES_DRAWN - 1)) /
        CHANGES_DRAWN;
    double marks = fmin(18 + 13 * (double)view->line_count, most_height / (double)grid->count);
    grid->row = fmax(fmax(40, marks), 14 + name_line * (double)most);
    return true;
}

static bool append_names(struct overlay *overlay, const struct row_grid *grid)
{
    for (size_t v = 0; v < grid->count; v++) {
        const char *lines[NAME_LINES];
        size_t count = wrap_name(overlay, v, lines);
        for (size_t i = 0; i < count; i++) {
            double middle = grid->top + grid->row * ((double)v + 0.5);
            const struct canvas_text place = {
                left_margin, middle + name_line * ((double)i - ((double)count - 1) / 2),
                name_size,   false,
                false,       CANVAS_INK};
            canvas_write(&overlay->canvas, &place, lines[i]);
        }
        if (count == 0) {
            return false;
        }
    }
    return true;
}

static void append_level(struct canvas *canvas, double at, const char *dash)
{
    text_append_format(&canvas->script,
                       "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead back "
                       "dashtype %s linewidth 1.6 linecolor rgb " CANVAS_SOFT "\n",
                       at, at, dash);
}

/* One tick a row, and the levels. */
static void append_axes(struct overlay *overlay, const struct row_grid *grid,
                        const struct canvas_area *area, size_t drawn)
{
    struct canvas *canvas = &overlay->canvas;
    struct text *script = &canvas->script;
    text_append_format(script, "unset logscale y\nset yrange [%.1f:-0.5]\nset ytics scale 0 (",
                       (double)grid->count - 0.5);
    for (size_t v = 0; v < grid->count; v++) {
        text_append_format(script, "%s'' %zu", v == 0 ? "" : ", ", v);
    }
    text_append(script, ")\n");
    scale_append_narrow(script, 'x', &overlay->scales[drawn], grid->width);
    double threshold = overlay_threshold(overlay, drawn);
    if (!isnan(threshold)) {
        char name[NUMBER_SIZE];
        char number[NUMBER_SIZE];
        snprintf(name, sizeof name, "dashed: saturated, %.60s", number_given(threshold, number));
        append_level(canvas, threshold, "(12,8)");
        const struct canvas_text place = {
            area->left, area->top + area->height + 68, 14, false, false, CANVAS_SOFT};
        canvas_write(canvas, &place, name);
    }
    if (overlay->differences) {
        append_level(canvas, 0, "solid");
    }
}

static bool append_panel(struct overlay *overlay, const struct row_grid *grid, size_t drawn)
{
    const struct canvas_area area = {left_margin + grid->names +
                                         (double)drawn * (grid->width + gap),
                                     grid->top, grid->width, grid->row * (double)grid->count};
    const struct canvas_text title = {area.left, area.top - 54, 20, true, false, CANVAS_INK};
    const struct canvas_text small = {area.left, area.top - 24, 14, false, false, CANVAS_SOFT};
    struct canvas *canvas = &overlay->canvas;
    text_append_format(&canvas->script, "\n# %s\n", overlay_title(drawn));
    canvas_area_set(canvas, &area);
    canvas_write(canvas, &title, overlay_title(drawn));
    canvas_write(canvas, &small, overlay_subtitle(overlay, drawn));
    if (drawn == 0 && !append_names(overlay, grid)) {
        return false;
    }
    if (!overlay_has_points(overlay, drawn, 0)) {
        canvas_placeholder(canvas, "no value that can be drawn");
    } else {
        append_axes(overlay, grid, &area, drawn);
        overlay_append_plot(overlay, drawn, 0);
    }
    canvas_clear(canvas);
    return true;
}

bool overlay_draw_rows(struct overlay *overlay, const char *name)
{
    struct row_grid grid;
    if (!grid_make(overlay, &grid)) {
        return false;
    }
    grid.top = overlay_head_height(overlay) + 100;
    overlay->canvas.width = page_width;
    overlay->canvas.height = grid.top + grid.row * (double)grid.count + foot;
    if (!overlay_append_head(overlay, name)) {
        return false;
    }
    text_append(&overlay->canvas.script,
                "set grid xtics ytics back linecolor rgb " CANVAS_GRID " linewidth 1 linetype 1\n");
    for (size_t drawn = 0; drawn < CHANGES_DRAWN; drawn++) {
        if (!append_panel(overlay, &grid, drawn)) {
            return false;
        }
    }
    return true;
}
