/* SPDX-License-Identifier: MIT */
/* Draws the main figure: spreads, row-max and gradient in panels with shared
 * axes; declared in figures.h. */
#include "report/bands.h"
#include "report/coincidence.h"
#include "report/figures.h"
#include "report/labels.h"
#include "report/numbers.h"
#include "report/onsets.h"
#include "report/panels.h"
#include "report/setting_rows.h"
#include "report/wrap.h"

#include <stdio.h>
#include <string.h>

enum { PALE_BANDS = 4 }; /* more lines than these have paler bands */

static const double page_width = 2000;
static const double left_margin = 150;
static const double right_margin = 190;
static const double heading_size = 20;

/* Where the panels stand. A single column is folded to two by two. */
struct grid {
    double top; /* of the first panel */
    double panel_width, panel_height;
    double column_step, row_step;
    bool folded;
};

static struct grid grid_of(size_t columns, double top, double foot, bool named)
{
    if (columns == 1) {
        /* the levels are named right of the row-max, the first panel of the second row, and where
         * onsets are looked for the gradient's right of the last panel */
        double gap = right_margin + 110;
        double width = (page_width - left_margin - (named ? right_margin - 30 : 60) - gap) / 2;
        return (struct grid){top, width, 400, width + gap, 400 + foot + 80, true};
    }
    double gap = columns == 2 ? 70 : 50;
    double width =
        (page_width - left_margin - right_margin - gap * (double)(columns - 1)) / (double)columns;
    return (struct grid){top, width, 280, width + gap, 394, false};
}

static struct canvas_area area_of(const struct grid *grid, size_t measure, size_t column)
{
    size_t across = grid->folded ? measure % 2 : column;
    size_t down = grid->folded ? measure / 2 : measure;
    return (struct canvas_area){left_margin + (double)across * grid->column_step,
                                grid->top + (double)down * grid->row_step, grid->panel_width,
                                grid->panel_height};
}

/* Separates the elements of a plot command. */
static void append_separator(struct text *script, bool *first)
{
    text_append(script, *first ? "plot " : ", \\\n     ");
    *first = false;
}

/* How one curve of a panel is drawn. */
struct stroke {
    size_t column, line;
    int x;              /* 1: as it is, 2: moved aside */
    size_t mean;        /* number of the column that holds the mean */
    const char *colour; /* "0xRRGGBB" */
    int mark;
    double size;
    const char *dashes;
};

static struct stroke stroke_of(const struct panels *panels, size_t measure, size_t column,
                               size_t line)
{
    bool alone = panels->same[measure];
    const struct canvas_style *style = canvas_style_of(view_line_style(panels->view, line));
    const struct coincidence upon = coincidence_of(panels, measure, column, line);
    return (struct stroke){column,
                           line,
                           alone ? 1 : 2,
                           3 + PANEL_NUMBERS * measure,
                           alone ? CANVAS_INK : style->colour,
                           alone ? 7 : style->mark,
                           alone ? 1.4 : style->size * coincidence_growth(upon.above),
                           coincidence_dashes(upon.below)};
}

/* Bars, full and pale: their rows are told apart by the last column, since gnuplot fails on a plot
 * without points and SVG takes no transparency from the data. */
static void append_bars(struct text *script, const struct panels *panels, size_t measure,
                        const struct stroke *stroke, bool *first)
{
    for (int pale = 0; pale < 2; pale++) {
        if (!panels_line_interval(panels, measure, stroke->column, stroke->line, pale == 1)) {
            continue;
        }
        append_separator(script, first);
        text_append_format(script,
                           "$c%zul%zu using %d:($%zu==%d?$%zu:NaN):%zu:%zu with yerrorbars "
                           "pointtype -1 linewidth 2 linecolor rgb 0x%s%s notitle",
                           stroke->column, stroke->line, stroke->x, stroke->mean + 4, pale,
                           stroke->mean, stroke->mean + 1, stroke->mean + 2, pale == 1 ? "99" : "",
                           stroke->colour + 2);
    }
}

/* Bands lie under all lines, and the paler the more there are. */
static void append_bands(struct canvas *canvas, const struct panels *panels, size_t measure,
                         size_t column, bool *first)
{
    double fill = panels->view->line_count > PALE_BANDS ? 0.1 : 0.18;
    for (size_t line = 0; line < panels->view->line_count; line++) {
        if (bands_drawn(panels, measure, column, line)) {
            const struct stroke stroke = stroke_of(panels, measure, column, line);
            append_separator(&canvas->script, first);
            text_append_format(&canvas->script,
                               "$b%zul%zum%zu using 1:2:3 with filledcurves fillstyle transparent "
                               "solid %g noborder linecolor rgb %s notitle",
                               column, line, measure, fill, stroke.colour);
            if (panels->same[measure]) {
                return;
            }
        }
    }
}

/* Marks and what joins them: a line along a scale, a pale one that only leads the eye between
 * categories, nothing between guard sets. */
static void append_marks(struct text *script, const struct view *view, const struct stroke *stroke,
                         bool *first)
{
    bool categories = view->scale == SCALE_CATEGORIES;
    if (categories && view->x != NULL && view->x->field != AXIS_GUARDS) {
        append_separator(script, first);
        text_append_format(script,
                           "$c%zul%zu using %d:%zu with lines linewidth %g linecolor rgb "
                           "0x" CANVAS_PALE "%s notitle",
                           stroke->column, stroke->line, stroke->x, stroke->mean, CANVAS_THIN,
                           stroke->colour + 2);
    }
    append_separator(script, first);
    text_append_format(script,
                       "$c%zul%zu using %d:%zu with %s linewidth 2.6 dashtype %s pointtype %d "
                       "pointsize %g*PS linecolor rgb %s notitle",
                       stroke->column, stroke->line, stroke->x, stroke->mean,
                       categories ? "points" : "linespoints", stroke->dashes, stroke->mark,
                       stroke->size, stroke->colour);
}

/* Interval, line and marks of one curve. */
static void append_curve(struct canvas *canvas, const struct panels *panels, size_t measure,
                         size_t column, size_t line, bool *first)
{
    const struct stroke stroke = stroke_of(panels, measure, column, line);
    struct text *script = &canvas->script;
    if (panels->view->scale == SCALE_CATEGORIES) {
        append_bars(script, panels, measure, &stroke, first);
    }
    if (panels_line_drawable(panels, measure, column, line)) {
        append_marks(script, panels->view, &stroke, first);
    }
    if (panels_line_zeros(panels, measure, column, line)) {
        append_separator(script, first);
        text_append_format(script,
                           "$c%zul%zu using %d:%zu with points linewidth 2 pointtype 10 "
                           "pointsize 1.7*PS linecolor rgb %s notitle",
                           column, line, stroke.x, stroke.mean + 3, stroke.colour);
    }
}

static void append_plot(struct canvas *canvas, const struct panels *panels, size_t measure,
                        size_t column)
{
    bool first = true;
    append_bands(canvas, panels, measure, column, &first);
    for (size_t line = 0; line < panels->view->line_count; line++) {
        if (panels->columns[column].curves[line].count == 0) {
            continue;
        }
        append_curve(canvas, panels, measure, column, line, &first);
        if (panels->same[measure] && !first) {
            break;
        }
    }
    text_append(&canvas->script, "\n");
}

/* A level across the panel; its name stands to the right of the last column. */
static void append_level(struct canvas *canvas, double at, const char *dash, const char *colour,
                         const char *name, bool named)
{
    text_append_format(&canvas->script,
                       "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead back "
                       "dashtype %s linewidth 1.6 linecolor rgb %s\n",
                       at, at, dash, colour);
    if (named) {
        text_append_format(&canvas->script,
                           "set label '%s' at graph 1, first %.9g left offset "
                           "0.7,0 font FONT.',16' textcolor rgb " CANVAS_SOFT "\n",
                           name, at);
    }
}

/* The threshold of saturation and the weight of uniform attention, where all runs share them. */
static void append_levels(struct canvas *canvas, const struct view *view, bool named)
{
    char name[NUMBER_SIZE];
    char number[NUMBER_SIZE];
    double threshold = labels_shared_threshold(view->summary);
    double tokens = labels_uniform_tokens(view->summary);
    if (!isnan(threshold)) {
        snprintf(name, sizeof name, "saturated: %.60s", number_given(threshold, number));
        append_level(canvas, threshold, "(12,8)", CANVAS_SOFT, name, named);
    }
    if (tokens > 1) {
        snprintf(name, sizeof name, "uniform: 1/%.0f", tokens);
        append_level(canvas, 1 / tokens, "(3,5)", CANVAS_FRAME, name, named);
    }
}

static void append_row_title(struct canvas *canvas, const struct canvas_area *area,
                             const struct panels *panels, size_t measure)
{
    const struct panel_measure *spec = &panels->measures[measure];
    char subtitle[256];
    snprintf(subtitle, sizeof subtitle, "%s%s", spec->subtitle,
             panels->same[measure] ? "; the same for all lines" : "");
    const struct canvas_text title = {area->left, area->top - 57, 20, true, false, CANVAS_INK};
    const struct canvas_text small = {area->left, area->top - 28, 16, false, false, CANVAS_SOFT};
    canvas_write(canvas, &title, spec->title);
    canvas_write(canvas, &small, subtitle);
}

static bool append_panel(struct canvas *canvas, const struct panels *panels,
                         const struct grid *grid, size_t measure, size_t column,
                         struct arena *arena, struct error *err)
{
    struct canvas_area area = area_of(grid, measure, column);
    bool last_column = grid->folded || column + 1 == panels->column_count;
    text_append_format(&canvas->script, "\n# %s, column %zu\n", panels->measures[measure].title,
                       column + 1);
    canvas_area_set(canvas, &area);
    if (column == 0) {
        append_row_title(canvas, &area, panels, measure);
    }
    if (!panels_drawable(panels, measure, column)) {
        canvas_placeholder(canvas, "no value that can be drawn");
        canvas_clear(canvas);
        return true;
    }
    scale_append(&canvas->script, 'y', &panels->scales[measure], column == 0);
    bool labelled = grid->folded || measure + 1 == panels->measure_count;
    if (!labels_append_x(canvas, panels->view, &area, labelled, arena, err)) {
        return false;
    }
    if (panels->measures[measure].measure == MEASURE_ROW_MAX_MEAN) {
        append_levels(canvas, panels->view, last_column);
    }
    onset_marks_append(canvas, panels, measure, column, last_column);
    append_plot(canvas, panels, measure, column);
    canvas_clear(canvas);
    return true;
}

/* The name of a facet, broken to the room over its columns. */
static bool wrap_facet(const struct panels *panels, const struct grid *grid, size_t column,
                       struct arena *arena, struct wrapped *out, struct error *err)
{
    double columns = panels->view->split ? 2 : 1;
    size_t limit = wrap_room(columns * grid->column_step - 20, heading_size, true);
    return wrap_label(panels->columns[column].name, limit, arena, out, err);
}

/* Lines of the longest facet name. */
static bool facet_lines(const struct panels *panels, const struct grid *grid, struct arena *arena,
                        size_t *lines, struct error *err)
{
    struct wrapped wrapped;
    *lines = 0;
    for (size_t c = 0; c < panels->column_count && panels->column_count > 1; c++) {
        if (!wrap_facet(panels, grid, c, arena, &wrapped, err)) {
            return false;
        }
        bool named = *wrapped.lines[0] != '\0';
        *lines = named && wrapped.count > *lines ? wrapped.count : *lines;
    }
    return true;
}

/* Facets by name over all their columns, and below it the two halves of a split view. */
static bool append_headings(struct canvas *canvas, const struct panels *panels,
                            const struct grid *grid, struct arena *arena, struct error *err)
{
    size_t columns = panels->view->split ? 2 : 1;
    for (size_t c = 0; c < panels->column_count && panels->column_count > 1; c++) {
        const struct panel_column *column = &panels->columns[c];
        struct canvas_area area = area_of(grid, 0, c);
        struct wrapped name;
        if (!wrap_facet(panels, grid, c, arena, &name, err)) {
            return false;
        }
        double foot = area.top - (panels->view->split ? 146 : 108);
        for (size_t i = 0; i < name.count && c % columns == 0; i++) {
            const struct canvas_text place = {
                area.left, foot - 34 * (double)(name.count - 1 - i), heading_size, true, false,
                "0x0072B2"};
            canvas_write(canvas, &place, name.lines[i]);
        }
        if (panels->view->split) {
            const struct canvas_text place = {
                area.left, area.top - 108, panels->column_count > 2 ? 18 : 22,
                true,      false,          "0x0072B2"};
            canvas_write(canvas, &place,
                         column->normalised ? "Input normalised" : "Input not normalised");
        }
    }
    return true;
}

/* All panels, row by row. */
static bool append_panels(struct canvas *canvas, const struct panels *panels,
                          const struct grid *grid, struct arena *arena, struct error *err)
{
    for (size_t m = 0; m < panels->measure_count; m++) {
        for (size_t c = 0; c < panels->column_count; c++) {
            if (!append_panel(canvas, panels, grid, m, c, arena, err)) {
                return false;
            }
        }
    }
    return true;
}

static bool draw(struct canvas *canvas, const struct result_set *set, const struct panels *panels,
                 const char *name, struct arena *arena, struct error *err)
{
    struct labels_head head;
    double foot = labels_foot(panels->view);
    struct grid grid = grid_of(panels->column_count, 0, foot, panels->view->onsets != NULL);
    size_t lines = 0;
    if (!labels_head_make(set, panels, arena, &head, err) ||
        !facet_lines(panels, &grid, arena, &lines, err)) {
        return false;
    }
    bool headed = panels->column_count > 1;
    grid.top = 104 + 34 * (double)head.line_count + labels_legend_height(panels, arena) +
               (headed ? 150 : 96) + (headed && panels->view->split && lines > 0 ? 38 : 0) +
               (lines > 1 ? 34 : 0);
    canvas->width = page_width;
    canvas->height =
        grid.top +
        (double)((grid.folded ? (panels->measure_count + 1) / 2 : panels->measure_count) - 1) *
            grid.row_step +
        grid.panel_height + foot;
    canvas_begin(canvas, name, "Where attention saturates");
    panels_append_blocks(&canvas->script, panels);
    bands_append_blocks(&canvas->script, panels);
    double y = canvas_title(canvas, head.title, head.lines, head.line_count);
    return labels_append_legend(canvas, panels, y + 16, arena, err) &&
           append_headings(canvas, panels, &grid, arena, err) &&
           append_panels(canvas, panels, &grid, arena, err);
}

bool curves_make(const struct result_set *set, const struct view *view, size_t first, size_t count,
                 struct arena *arena, struct figure *out, struct error *err)
{
    struct panels panels;
    struct canvas canvas = {.script = TEXT_INIT(arena)};
    if (!panels_make(view, first, count, arena, &panels, err) ||
        !(view->rows ? rows_draw : draw)(&canvas, set, &panels, out->name, arena, err)) {
        return false;
    }
    out->title = "Where attention saturates";
    out->script = canvas_end(&canvas, err);
    out->caption = labels_caption(&panels, arena, err);
    return out->script != NULL && out->caption != NULL;
}
