/* SPDX-License-Identifier: MIT */
/* Draws two results files over each other in a grid of panels; see changes_internal.h. */
#include "report/changes_internal.h"

#include "report/labels.h"
#include "report/wrap.h"

#include <math.h>
#include <stdio.h>

enum { TITLE_LIMIT = 76, HEADING_LINES = 2 };

static const double page_width = 2000;
static const double left_margin = 150;
static const double right_margin = 190;
static const double level_gap = 300;  /* behind the first of three panels side by side, */
static const double folded_gap = 170; /* and behind the second */
static const double heading_size = 20;
static const double heading_step = 34;

/* Where the panels stand. A single column is laid on its side. */
struct grid {
    double top, width, height, column_step, row_step;
    bool folded;
};

static struct grid grid_of(size_t columns, double top)
{
    if (columns == 1) {
        double width = (page_width - left_margin - 60 - level_gap - folded_gap) / 3;
        return (struct grid){top, width, 400, width + folded_gap, 0, true};
    }
    double gap = columns == 2 ? 70 : 50;
    double width =
        (page_width - left_margin - right_margin - gap * (double)(columns - 1)) / (double)columns;
    return (struct grid){top, width, 280, width + gap, 394, false};
}

static struct canvas_area area_of(const struct grid *grid, size_t drawn, size_t column)
{
    double across = grid->folded ? (double)drawn : (double)column;
    double down = grid->folded ? 0 : (double)drawn;
    double shift = grid->folded && drawn > 0 ? level_gap - folded_gap : 0;
    return (struct canvas_area){left_margin + shift + across * grid->column_step,
                                grid->top + down * grid->row_step, grid->width, grid->height};
}

/* Room for the names of facets, which may take two lines, and of the halves below them. */
static double headings_height(const struct overlay *overlay)
{
    const struct panels *panels = overlay->panels;
    bool named = panels->column_count > 1 && panels->columns[0].name[0] != '\0';
    return 96 + (panels->column_count > 1 ? 54 : 0) + (named ? heading_step : 0) +
           (named && panels->view->split ? 38 : 0);
}

double overlay_head_height(const struct overlay *overlay)
{
    double names = 0;
    for (size_t number = 0; number < 2; number++) {
        const char *label = overlay->differences ? "" : overlay->changes->sides[number].label;
        names += 120 + canvas_text_width(label, 19);
    }
    /* one row for the two files, two where their names are long */
    double key = names > 1800 ? 80 : 40;
    return 104 + 2 * 34 + 20 + key + labels_legend_height(overlay->panels, overlay->arena);
}

bool overlay_append_head(struct overlay *overlay, const char *name)
{
    const char *lines[2] = {
        overlay->differences ? "B less A: the mean of the differences, run by run."
                             : "Means over the runs that both files have.",
        overlay->differences
            ? "Bars or bands are 95 % intervals of that mean over seeds."
            : "A pale, dashed and with open marks; B full. What coincides shows as "
              "B alone."};
    const struct result_set *set = overlay->changes->sides[1].set;
    struct text head = TEXT_INIT(overlay->arena);
    text_append_format(&head, "What moved: %s", labels_title(set));
    const char *whole = text_finish(&head, overlay->err);
    const char *title =
        whole == NULL ? NULL : gnuplot_label(overlay->arena, whole, TITLE_LIMIT, overlay->err);
    if (title == NULL) {
        return false;
    }
    canvas_begin(&overlay->canvas, name, "What moved between two results files");
    overlay_append_blocks(overlay);
    double y = canvas_title(&overlay->canvas, title, lines, 2);
    y = overlay_append_key(overlay, y + 16);
    return labels_append_legend(&overlay->canvas, overlay->panels, y, overlay->arena, overlay->err);
}

/* Facets by name over their columns, and below it the two halves of a split view. */
static bool append_headings(struct overlay *overlay, const struct grid *grid)
{
    const struct panels *panels = overlay->panels;
    const size_t halves = panels->view->split ? 2 : 1;
    for (size_t c = 0; c < panels->column_count && panels->column_count > 1; c++) {
        const struct canvas_area area = area_of(grid, 0, c);
        const char *lines[HEADING_LINES];
        double foot = area.top - (halves == 2 ? 146 : 108);
        size_t room = wrap_room((double)halves * grid->column_step - 20, heading_size, true);
        size_t count = wrap_lines(panels->columns[c].name, room, overlay->arena, lines,
                                  HEADING_LINES, overlay->err);
        for (size_t i = 0; i < count && c % halves == 0; i++) {
            const struct canvas_text place = {
                area.left, foot - heading_step * (double)(count - 1 - i), heading_size, true, false,
                "0x0072B2"};
            canvas_write(&overlay->canvas, &place, lines[i]);
        }
        if (halves == 2) {
            const struct canvas_text place = {area.left, area.top - 108, 18,
                                              true,      false,          "0x0072B2"};
            canvas_write(&overlay->canvas, &place,
                         panels->columns[c].normalised ? "Input normalised"
                                                       : "Input not normalised");
        }
        if (count == 0) {
            return false;
        }
    }
    return true;
}

static void append_level(struct canvas *canvas, double at, const char *dash, const char *name)
{
    text_append_format(&canvas->script,
                       "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead back "
                       "dashtype %s linewidth 1.6 linecolor rgb " CANVAS_SOFT "\n",
                       at, at, dash);
    if (name != NULL) {
        text_append_format(&canvas->script,
                           "set label '%s' at graph 1, first %.9g left offset 0.7,0 font "
                           "FONT.',16' textcolor rgb " CANVAS_SOFT "\n",
                           name, at);
    }
}

static void append_row_title(struct overlay *overlay, const struct canvas_area *area, size_t drawn)
{
    const struct canvas_text title = {area->left, area->top - 57, 20, true, false, CANVAS_INK};
    const struct canvas_text small = {area->left, area->top - 28, 16, false, false, CANVAS_SOFT};
    canvas_write(&overlay->canvas, &title, overlay_title(drawn));
    canvas_write(&overlay->canvas, &small, overlay_subtitle(overlay, drawn));
}

static void append_levels(struct overlay *overlay, size_t drawn, bool named)
{
    char name[NUMBER_SIZE];
    char number[NUMBER_SIZE];
    double threshold = overlay_threshold(overlay, drawn);
    if (!isnan(threshold)) {
        snprintf(name, sizeof name, "saturated: %.60s", number_given(threshold, number));
        append_level(&overlay->canvas, threshold, "(12,8)", named ? name : NULL);
    }
    if (overlay->differences) {
        append_level(&overlay->canvas, 0, "solid", NULL);
    }
}

static bool append_panel(struct overlay *overlay, const struct grid *grid, size_t drawn,
                         size_t column)
{
    const struct panels *panels = overlay->panels;
    const struct canvas_area area = area_of(grid, drawn, column);
    struct canvas *canvas = &overlay->canvas;
    text_append_format(&canvas->script, "\n# %s, column %zu\n", overlay_title(drawn), column + 1);
    canvas_area_set(canvas, &area);
    if (column == 0) {
        append_row_title(overlay, &area, drawn);
    }
    if (!overlay_has_points(overlay, drawn, column)) {
        canvas_placeholder(canvas, "no value that can be drawn");
        canvas_clear(canvas);
        return true;
    }
    scale_append(&canvas->script, 'y', &overlay->scales[drawn], column == 0);
    bool labelled = grid->folded || drawn + 1 == CHANGES_DRAWN;
    if (!labels_append_x(canvas, panels->view, &area, labelled, overlay->arena, overlay->err)) {
        return false;
    }
    append_levels(overlay, drawn, column + 1 == panels->column_count);
    overlay_append_plot(overlay, drawn, column);
    canvas_clear(canvas);
    return true;
}

bool overlay_draw_grid(struct overlay *overlay, const char *name)
{
    const struct panels *panels = overlay->panels;
    double foot = labels_foot(panels->view);
    struct grid grid = grid_of(panels->column_count, 0);
    grid.top = overlay_head_height(overlay) + headings_height(overlay);
    overlay->canvas.width = page_width;
    overlay->canvas.height =
        grid.top + (grid.folded ? 0 : (CHANGES_DRAWN - 1) * grid.row_step) + grid.height + foot;
    if (!overlay_append_head(overlay, name) || !append_headings(overlay, &grid)) {
        return false;
    }
    for (size_t drawn = 0; drawn < CHANGES_DRAWN; drawn++) {
        for (size_t c = 0; c < panels->column_count; c++) {
            if (!append_panel(overlay, &grid, drawn, c)) {
                return false;
            }
        }
    }
    return true;
}
