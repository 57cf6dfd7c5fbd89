/* SPDX-License-Identifier: MIT */
/* Draws measured settings over the theory of independent scores; declared in figures.h. */
#include "report/comparison.h"
#include "report/figures.h"
#include "report/labels.h"
#include "report/numbers.h"
#include "summary/interval.h"

#include <stdio.h>

enum {
    TITLE_LIMIT = 76,
    NAME_LIMIT = 40,
    PANELS = 2,
    SHAPE_COLUMN = 8,
    NO_MARK = 0,
    THRESHOLDS = 3,
    MANY_POINTS = 60,
    LINES = 3
};

static const double page_width = 2000;
static const double left_margin = 150;
static const double panel_width = 650; /* room for the name of a line at its right end */
static const double panel_height = 560;
static const double panel_step = 960;
static const double foot = 124;
static const double name_gap = 8; /* over marks at the top of a panel */
static const double name_row = 30;
static const double legend_left = 44;
static const double legend_right = 1960;
static const double legend_row = 40;

/* What a panel shows. */
static const struct {
    enum measurement_field measure;
    const char *title, *subtitle;
    size_t node; /* column of the curve's block */
} panel_specs[PANELS] = {
    {MEASURE_ROW_MAX_MEAN, "Mean row-max", "largest weight of a row; 1 is one-hot", 2},
    {MEASURE_JACOBIAN_TRACE_MEAN, "Gradient left",
     "normalised trace of the softmax Jacobian; 1 is uniform", 3},
};

static void append_number(struct text *script, double value)
{
    if (isfinite(value)) {
        text_append_format(script, "\t%.9g", value);
    } else {
        text_append(script, "\tNaN");
    }
}

/* "$k2": spread, then mean, low and high end of both measures, and the shape of the mark. */
static void append_marks_block(struct text *script, const struct comparison *comparison,
                               size_t kind)
{
    text_append_format(script, "$k%zu << ROWMAX_EOD\n", kind);
    for (size_t i = 0; i < comparison->point_count; i++) {
        const struct summary_group *group = comparison->points[i].group;
        if (comparison->points[i].kind != kind) {
            continue;
        }
        text_append_format(script, "%.9g", group->measures[MEASURE_SCORE_ROW_STD].mean);
        for (size_t p = 0; p < PANELS; p++) {
            const struct estimate *estimate = &group->measures[panel_specs[p].measure];
            append_number(script, estimate->mean);
            const struct interval interval = interval_of(estimate, true);
            append_number(script, interval.low);
            append_number(script, interval.high);
        }
        text_append_format(script, "\t%zu", comparison->points[i].shape);
        text_append(script, "\n");
    }
    text_append(script, "ROWMAX_EOD\n");
}

static void append_ticks_block(struct text *script, const struct comparison *comparison, size_t s)
{
    text_append_format(script, "$t%zu << ROWMAX_EOD\n", s);
    for (size_t t = 0; t < COMPARISON_TICKS; t++) {
        const struct comparison_node *node = &comparison->ticks[s][t];
        text_append_format(script, "%.9g\t%.9g\t%.9g\n", node->spread, node->row_max,
                           node->gradient_left);
    }
    text_append(script, "ROWMAX_EOD\n");
}

static void append_blocks(struct text *script, const struct comparison *comparison)
{
    text_append(script, "# marks: score spread in a row; then mean, low, high of row-max and of "
                        "the gradient left; shape\n");
    for (size_t kind = 0; kind < COMPARISON_KINDS; kind++) {
        if (comparison_has_kind(comparison, kind)) {
            append_marks_block(script, comparison, kind);
        }
    }
    text_append(script, "# theory: score spread, row-max, gradient left\n");
    for (size_t s = 0; s < comparison->size_count; s++) {
        text_append_format(script, "$n%zu << ROWMAX_EOD\n", s);
        for (size_t i = 0; i < comparison->node_count; i++) {
            const struct comparison_node *node = &comparison->curves[s][i];
            text_append_format(script, "%.9g\t%.9g\t%.9g\n", node->spread, node->row_max,
                               node->gradient_left);
        }
        text_append(script, "ROWMAX_EOD\n");
    }
    text_append(script, "# its onset, saturated and collapsed spread: the same columns\n");
    for (size_t s = 0; s < comparison->size_count; s++) {
        append_ticks_block(script, comparison, s);
    }
}

static const char *curve_colour(const struct comparison *comparison, size_t s)
{
    return comparison_by_size(comparison) ? canvas_style_of(comparison_style(comparison, s))->colour
                                          : CANVAS_INK;
}

static bool has_interval(const struct comparison *comparison, size_t kind, size_t panel)
{
    for (size_t i = 0; i < comparison->point_count; i++) {
        const struct comparison_point *point = &comparison->points[i];
        if (point->kind == kind &&
            isfinite(point->group->measures[panel_specs[panel].measure].half_width)) {
            return true;
        }
    }
    return false;
}

static void append_marks(struct text *script, const struct comparison *comparison, size_t kind,
                         size_t panel)
{
    const struct canvas_style *style = canvas_style_of(comparison_style(comparison, kind));
    double shrink = comparison->point_count > MANY_POINTS ? 0.6 : 0.85;
    size_t mean = 2 + 3 * panel;
    if (has_interval(comparison, kind, panel)) {
        text_append_format(script,
                           ", \\\n     $k%zu using 1:%zu:%zu:%zu with yerrorbars pointtype -1 "
                           "linewidth 1.6 linecolor rgb %s notitle",
                           kind, mean, mean + 1, mean + 2, style->colour);
    }
    for (size_t shape = 0; shape < COMPARISON_SHAPES; shape++) {
        const struct canvas_style *mark =
            comparison->shapes == NULL ? style : comparison_shape(shape);
        if (comparison_has_mark(comparison, kind, shape)) {
            text_append_format(script,
                               ", \\\n     $k%zu using 1:($%d==%zu?$%zu:NaN) with points pointtype "
                               "%d pointsize %g*PS linewidth 1.6 linecolor rgb %s notitle",
                               kind, SHAPE_COLUMN, shape, mean, mark->mark, shrink * mark->size,
                               style->colour);
        }
    }
}

static void append_plot(struct canvas *canvas, const struct comparison *comparison, size_t panel)
{
    for (size_t s = 0; s < comparison->size_count; s++) {
        text_append_format(&canvas->script,
                           "%s$n%zu using 1:%zu with lines linewidth 2.2 linecolor rgb %s notitle",
                           s == 0 ? "plot " : ", \\\n     ", s, panel_specs[panel].node,
                           curve_colour(comparison, s));
    }
    for (size_t s = 0; s < comparison->size_count; s++) {
        text_append_format(&canvas->script,
                           ", \\\n     $t%zu using 1:($%zu-0.016):(0):(0.032) with vectors nohead "
                           "linewidth 2.2 linecolor rgb %s notitle",
                           s, panel_specs[panel].node, curve_colour(comparison, s));
    }
    for (size_t kind = 0; kind < COMPARISON_KINDS; kind++) {
        if (comparison_has_kind(comparison, kind)) {
            append_marks(&canvas->script, comparison, kind, panel);
        }
    }
    text_append(&canvas->script, "\n");
}

/* Dotted lines that rise above the panel, each to a row of its own: the first to the highest, so
 * that no line crosses a name, whatever the distance between them. */
static void append_thresholds(struct canvas *canvas, const struct comparison *comparison)
{
    static const char *const names[THRESHOLDS] = {"gradient −10 %", "gradient −50 %",
                                                  "gradient −90 %"};
    const double spreads[THRESHOLDS] = {comparison->thresholds.onset,
                                        comparison->thresholds.saturated,
                                        comparison->thresholds.collapsed};
    for (size_t t = 0; t < THRESHOLDS; t++) {
        char number[NUMBER_SIZE];
        double rows = (double)(THRESHOLDS - t);
        text_append_format(&canvas->script,
                           "set arrow from first %.9g, graph 0 to first %.9g, graph %.5f nohead "
                           "back dashtype (3,5) linewidth 1.6 linecolor rgb " CANVAS_SOFT "\n"
                           "set label '%s: %s' at first %.9g, graph %.5f left "
                           "offset 0.7,0 font FONT.',16' textcolor rgb " CANVAS_SOFT "\n",
                           spreads[t], spreads[t], 1 + (name_gap + rows * name_row) / panel_height,
                           names[t], number_text(spreads[t], number), spreads[t],
                           1 + (name_gap + (rows - 0.45) * name_row) / panel_height);
    }
}

static void append_panel(struct canvas *canvas, const struct comparison *comparison, size_t panel,
                         double top)
{
    const struct scale unit = scale_unit();
    const double names = name_gap + THRESHOLDS * name_row;
    const struct canvas_area area = {left_margin + (double)panel * panel_step, top, panel_width,
                                     panel_height};
    const struct canvas_text title = {area.left, top - 57 - names, 20, true, false, CANVAS_INK};
    const struct canvas_text small = {area.left, top - 28 - names, 16, false, false, CANVAS_SOFT};
    const struct canvas_text below = {
        area.left + area.width / 2, top + panel_height + 74, 18, false, true, CANVAS_INK};
    text_append_format(&canvas->script, "\n# %s\n", panel_specs[panel].title);
    canvas_area_set(canvas, &area);
    canvas_write(canvas, &title, panel_specs[panel].title);
    canvas_write(canvas, &small, panel_specs[panel].subtitle);
    canvas_write(canvas, &below, "score spread in a row");
    scale_append(&canvas->script, 'y', &unit, true);
    scale_append(&canvas->script, 'x', &comparison->x, true);
    append_thresholds(canvas, comparison);
    append_plot(canvas, comparison, panel);
    canvas_clear(canvas);
}

/* Where an entry of the legend stands. */
struct place {
    double x, y;
};

/* An entry of the legend; `style` NULL: a line without a mark, in ink; without a mark of its own:
 * the line, or else a patch, in its colour. */
static double append_entry(struct canvas *canvas, double x, double y,
                           const struct canvas_style *style, bool line, const char *name)
{
    double screen_y = 1 - y / canvas->height;
    double width = line ? 60 : 24;
    bool patch = !line && style != NULL && style->mark == NO_MARK;
    if (line || patch) {
        text_append_format(&canvas->script,
                           "set arrow from screen %.5f, screen %.5f to screen %.5f, screen %.5f "
                           "nohead linewidth %g linecolor rgb %s\n",
                           x / canvas->width, screen_y, (x + width) / canvas->width, screen_y,
                           patch ? 8.0 : 2.2, style == NULL ? CANVAS_INK : style->colour);
    }
    if (style != NULL && style->mark != NO_MARK) {
        text_append_format(&canvas->script,
                           "set label '' at screen %.5f, screen %.5f point pointtype %d "
                           "pointsize %g*PS linecolor rgb %s front\n",
                           (x + width / 2) / canvas->width, screen_y, style->mark, style->size,
                           style->colour);
    }
    const struct canvas_text place = {x + width + 16, y, 19, false, false, CANVAS_INK};
    canvas_write(canvas, &place, name);
    return x + width + 16 + canvas_text_width(name, 19) + 44;
}

/* One more entry, in a new row where the last is full. */
static void add_entry(struct canvas *canvas, struct place *place, double start,
                      const struct canvas_style *style, bool line, const char *name)
{
    if (place->x > start && place->x + 136 + canvas_text_width(name, 19) > legend_right) {
        place->x = start;
        place->y += legend_row;
    }
    place->x = append_entry(canvas, place->x, place->y, style, line, name);
}

/* Every shape of mark with its corpus, in a row of its own. */
static void append_shapes(struct canvas *canvas, const struct comparison *comparison,
                          struct place *place, struct arena *arena, struct error *err)
{
    const struct summary_axis *shapes = comparison->shapes;
    place->y += legend_row;
    if (shapes == NULL) {
        return;
    }
    const struct canvas_text heading = {legend_left, place->y, 19, false, false, CANVAS_SOFT};
    canvas_write(canvas, &heading, "Corpus:");
    const double start = legend_left + canvas_text_width("Corpus:", 19) + 30;
    place->x = start;
    for (size_t shape = 0; shape < shapes->count; shape++) {
        struct canvas_style style = *comparison_shape(shape);
        style.colour = CANVAS_INK;
        const char *name = view_value_label(shapes, shape, arena, err);
        name = name == NULL ? NULL : gnuplot_label(arena, name, NAME_LIMIT, err);
        if (name == NULL) {
            return;
        }
        add_entry(canvas, place, start, &style, false, name);
    }
    place->y += legend_row;
}

/* The curve alone where there is one, then every kind of mark and every shape; returns the height.
 */
static double append_legend(struct canvas *canvas, const struct comparison *comparison, double top,
                            struct arena *arena, struct error *err)
{
    bool by_size = comparison_by_size(comparison);
    struct place place = {legend_left, top};
    if (!by_size) {
        char name[64];
        snprintf(name, sizeof name, "theory, n = %zu", comparison->sizes[0]);
        add_entry(canvas, &place, legend_left, NULL, true, name);
    }
    double start = place.x;
    for (size_t kind = 0; kind < COMPARISON_KINDS; kind++) {
        if (!comparison_has_kind(comparison, kind)) {
            continue;
        }
        size_t limit = comparison->view->note != NULL ? VIEW_NAME : NAME_LIMIT;
        const char *name = comparison_name(comparison, kind, arena, err);
        name = name == NULL ? NULL : gnuplot_label(arena, name, limit, err);
        if (name == NULL) {
            break;
        }
        struct canvas_style style = *canvas_style_of(comparison_style(comparison, kind));
        style.mark = comparison->shapes == NULL ? style.mark : NO_MARK;
        add_entry(canvas, &place, start, &style, by_size, name);
    }
    append_shapes(canvas, comparison, &place, arena, err);
    return place.y - top;
}

/* Its height, found by writing it aside. */
static double legend_height(const struct comparison *comparison, struct arena *arena,
                            struct error *err)
{
    struct canvas aside = {.script = TEXT_INIT(arena), .width = page_width, .height = page_width};
    return append_legend(&aside, comparison, 0, arena, err);
}

static bool draw(struct canvas *canvas, const struct result_set *set,
                 const struct comparison *comparison, const char *name, struct arena *arena,
                 struct error *err)
{
    const struct summary *summary = comparison->view->summary;
    const char *title = gnuplot_label(arena, labels_title(set), TITLE_LIMIT, err);
    const char *seeds = labels_seeds(summary, arena, err);
    const char *lines[LINES] = {
        arena_format(arena, err, "Measurement and theory. Marks: settings of the sweep, %s%s.",
                     seeds == NULL ? "" : seeds,
                     summary->seeds <= 1 ? ", so no interval"
                                         : "; bars are 95 % intervals of the mean"),
        arena_format(arena, err,
                     "Curves: what rows of independent normal scores of the same spread show on "
                     "average."),
        arena_format(
            arena, err,
            "Dotted, for n = %zu: where 10, 50 and 90 %% of the gradient of uniform weights "
            "are gone%s",
            comparison->tokens,
            comparison_by_size(comparison) ? "; ticks: the same on each curve." : ".")};
    if (title == NULL || seeds == NULL || lines[0] == NULL || lines[1] == NULL ||
        lines[2] == NULL) {
        return false;
    }
    double top = 104 + LINES * 34 + legend_height(comparison, arena, err) + name_gap +
                 THRESHOLDS * name_row + 100;
    canvas->width = page_width;
    canvas->height = top + panel_height + foot;
    canvas_begin(canvas, name, "Measurement and theory");
    append_blocks(&canvas->script, comparison);
    double y = canvas_title(canvas, title, lines, LINES);
    append_legend(canvas, comparison, y + 16, arena, err);
    for (size_t panel = 0; panel < PANELS; panel++) {
        append_panel(canvas, comparison, panel, top);
    }
    return err->code == ERROR_NONE;
}

bool comparison_make(const struct result_set *set, const struct view *view, struct arena *arena,
                     struct figure *out, bool *made, struct error *err)
{
    struct comparison comparison;
    struct canvas canvas = {.script = TEXT_INIT(arena)};
    *made = false;
    if (!comparison_choose(view, arena, &comparison, err)) {
        return false;
    }
    if (comparison.point_count == 0) {
        return true;
    }
    *made = true;
    out->name = "theory";
    out->heading = "Measurement and theory";
    out->title = "Measured settings over the theory of independent scores";
    if (!draw(&canvas, set, &comparison, out->name, arena, err)) {
        return false;
    }
    out->script = canvas_end(&canvas, err);
    out->caption = comparison_caption(&comparison, arena, err);
    out->data = comparison_data(&comparison, arena, err);
    return out->script != NULL && out->caption != NULL && out->data != NULL;
}
