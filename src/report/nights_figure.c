/* SPDX-License-Identifier: MIT */
/* Draws the nights of a sweep, a panel for each measure below the verdicts; declared in nights.h.
 */
#include "report/labels.h"
#include "report/nights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TITLE_LIMIT = 76, NAME_LIMIT = 48, DATE_LIMIT = 12, MOST_DATES = 11, MOST_MARKED = 60 };

static const double page_width = 2000;
static const double left_margin = 170;
static const double panel_width = 1770;
static const double panel_height = 150;
static const double panel_step = 250;
static const double strip_height = 40;
static const double strip_step = 160;
static const double legend_step = 38;
static const double foot = 60;
static const char *const step_dashes = "(10,6)";

/* Shape and colour; regressions are drawn last, so that they lie above all others. */
static const struct canvas_style mark_styles[NIGHT_MARKS] = {
    [NIGHT_PASS] = {"0x009E73", 7, 1.2},
    [NIGHT_NOT_COMPARED] = {"0x7A7A7A", 6, 1.3},
    [NIGHT_STRICT] = {"0xE69F00", 13, 1.7},
    [NIGHT_IMPROVED] = {"0x0072B2", 9, 1.7},
    [NIGHT_REGRESSION] = {"0xD55E00", 11, 1.8}};
static const struct canvas_style host_style = {CANVAS_INK, 4, 2.5};
static const char host_name[] = "another host than the baseline's";

struct drawing {
    struct canvas canvas;
    const struct nights *nights;
    struct arena *arena;
    struct error *err;
    bool close; /* nights stand so close that full marks would hide each other */
};

/* NIGHT_MARKS is the mark of another host, which a night has beside that of its verdict. */
static bool night_has(const struct history_night *night, int mark)
{
    return mark == NIGHT_MARKS ? night->other_host : (int)nights_mark(night) == mark;
}

static bool has_mark(const struct nights *nights, int mark)
{
    for (size_t n = 0; n < nights->shown.count; n++) {
        if (night_has(&nights->shown.nights[n], mark)) {
            return true;
        }
    }
    return false;
}

/* Whether a panel shows a step. */
static bool has_step(const struct nights *nights)
{
    for (size_t s = 0; s < nights->steps.count; s++) {
        for (size_t m = 0; m < nights->measure_count; m++) {
            if (nights->steps.items[s].measure == nights->measures[m]) {
                return true;
            }
        }
    }
    return false;
}

/* "$v0": nights with a verdict, "$v5" those of another host. */
static void append_mark_blocks(struct text *script, const struct nights *nights)
{
    for (int mark = 0; mark <= NIGHT_MARKS; mark++) {
        if (!has_mark(nights, mark)) {
            continue;
        }
        text_append_format(script, "$v%d << ROWMAX_EOD\n", mark);
        for (size_t n = 0; n < nights->shown.count; n++) {
            if (night_has(&nights->shown.nights[n], mark)) {
                text_append_format(script, "%zu\n", n + 1);
            }
        }
        text_append(script, "ROWMAX_EOD\n");
    }
}

/* "$m0": a night, then the mean of each line. */
static void append_measure_blocks(struct text *script, const struct nights *nights)
{
    for (size_t m = 0; m < nights->measure_count; m++) {
        text_append_format(script, "# %s\n$m%zu << ROWMAX_EOD\n",
                           measurement_fields[nights->measures[m]].name, m);
        for (size_t n = 0; n < nights->shown.count; n++) {
            text_append_format(script, "%zu", n + 1);
            for (size_t line = 0; line < nights->line_count; line++) {
                double value = nights_value(nights, m, line, n);
                text_append_format(script, isfinite(value) ? "\t%.17g" : "\tNaN", value);
            }
            text_append(script, "\n");
        }
        text_append(script, "ROWMAX_EOD\n");
    }
}

static double place_of(const struct drawing *drawing, size_t night)
{
    return left_margin + panel_width * ((double)night + 0.5) / (double)drawing->nights->shown.count;
}

/* Nights in order; only as many dates as stand clear of each other. */
static bool append_dates(struct drawing *drawing, bool labelled)
{
    const struct history *shown = &drawing->nights->shown;
    struct text *script = &drawing->canvas.script;
    size_t step = (shown->count + MOST_DATES - 1) / MOST_DATES;
    text_append_format(script, "unset logscale x\nset xrange [0.5:%zu.5]\nset xtics (",
                       shown->count);
    for (size_t n = 0; n < shown->count; n += step) {
        const char *date =
            gnuplot_label(drawing->arena, shown->nights[n].date, DATE_LIMIT, drawing->err);
        if (date == NULL) {
            return false;
        }
        text_append(script, n == 0 ? "" : ", ");
        gnuplot_quote(script, labelled ? date : "");
        text_append_format(script, " %zu", n + 1);
    }
    text_append(script, ")\n");
    return true;
}

/* As narrow as the values, so that a small step shows; from 0 where they hardly differ. */
static struct scale range_of(const struct nights *nights, size_t measure)
{
    struct extent extent = EXTENT_EMPTY;
    for (size_t line = 0; line < nights->line_count; line++) {
        for (size_t n = 0; n < nights->shown.count; n++) {
            extent_add(&extent, nights_value(nights, measure, line, n), (double)NAN);
        }
    }
    if (extent_wide(&extent)) {
        return scale_logarithmic(&extent);
    }
    double spread = extent.most - extent.least;
    double size = fmax(fabs(extent.least), fabs(extent.most));
    if (!(spread > 1e-7 * size) || !(size < 1e300)) {
        return scale_linear(&extent);
    }
    return (struct scale){false, extent.least - 0.12 * spread, extent.most + 0.12 * spread};
}

static bool has_line(const struct nights *nights, size_t measure, size_t line)
{
    for (size_t n = 0; n < nights->shown.count; n++) {
        if (isfinite(nights_value(nights, measure, line, n))) {
            return true;
        }
    }
    return false;
}

static void append_plot(struct drawing *drawing, size_t measure)
{
    const char *separator = "plot ";
    for (size_t line = 0; line < drawing->nights->line_count; line++) {
        const struct canvas_style *style = canvas_style_of(line);
        if (!has_line(drawing->nights, measure, line)) {
            continue;
        }
        text_append_format(&drawing->canvas.script,
                           "%s$m%zu using 1:%zu with linespoints pointtype %d pointsize %g*PS "
                           "linewidth 2 linecolor rgb %s notitle",
                           separator, measure, line + 2, style->mark,
                           style->size * (drawing->close ? 0.3 : 0.8), style->colour);
        separator = ", \\\n     ";
    }
    text_append(&drawing->canvas.script, "\n");
}

/* "2026-11-04: guards=scale 0.1 → 0.3", or how many groups stepped. */
static const char *step_label(const struct drawing *drawing, const struct history_step *step,
                              size_t groups)
{
    char numbers[2][NIGHTS_NUMBER_SIZE];
    const char *date = gnuplot_label(drawing->arena, step->date, DATE_LIMIT, drawing->err);
    const char *name =
        gnuplot_label(drawing->arena, nights_group_name(step->where), NAME_LIMIT, drawing->err);
    if (date == NULL || name == NULL) {
        return NULL;
    }
    nights_numbers(step->before, step->after, numbers);
    return groups == 1 ? arena_format(drawing->arena, drawing->err, "%s: %s %s → %s", date, name,
                                      numbers[0], numbers[1])
                       : arena_format(drawing->arena, drawing->err, "%s: stepped in %zu groups",
                                      date, groups);
}

/* The line of a night and its label, if it stands clear of the one before; `free` is where that
 * ended. */
static bool append_step(struct drawing *drawing, const struct history_step *step, size_t groups,
                        double top, double *free)
{
    const char *label = step_label(drawing, step, groups);
    if (label == NULL) {
        return false;
    }
    text_append_format(&drawing->canvas.script,
                       "set arrow from first %zu, graph 0 to first %zu, graph 1.06 nohead back "
                       "dashtype %s linewidth 2 linecolor rgb " CANVAS_INK "\n",
                       step->night + 1, step->night + 1, step_dashes);
    double width = canvas_text_width(label, 16);
    double x = fmin(place_of(drawing, step->night), left_margin + panel_width - width);
    if (x >= *free) {
        const struct canvas_text place = {x, top - 22, 16, false, false, CANVAS_INK};
        canvas_write(&drawing->canvas, &place, label);
        *free = x + width + 20;
    }
    return true;
}

/* A circle around the mark of a group that stepped, which a small step alone would not show. */
static void append_circle(struct drawing *drawing, const struct history_step *step, size_t measure)
{
    const struct nights *nights = drawing->nights;
    for (size_t line = 0; line < nights->line_count; line++) {
        if (strcmp(nights->lines[line], step->where) == 0) {
            text_append_format(&drawing->canvas.script,
                               "set label '' at first %zu, first %.17g point pointtype 6 pointsize "
                               "2.6*PS linewidth 2 linecolor rgb " CANVAS_INK " front\n",
                               step->night + 1, nights_value(nights, measure, line, step->night));
        }
    }
}

/* The steps of a measure, night by night. */
static bool append_steps(struct drawing *drawing, size_t row, double top)
{
    const int measure = drawing->nights->measures[row];
    const struct history_steps *steps = &drawing->nights->steps;
    double free = 0;
    for (size_t s = steps->count; s-- > 0;) {
        const struct history_step *step = &steps->items[s];
        size_t groups = 0;
        bool first = true;
        for (size_t other = 0; other < steps->count; other++) {
            bool same =
                steps->items[other].measure == measure && steps->items[other].night == step->night;
            groups += same;
            first = first && !(same && other > s);
        }
        if (step->measure == measure) {
            append_circle(drawing, step, row);
        }
        if (step->measure == measure && first && !append_step(drawing, step, groups, top, &free)) {
            return false;
        }
    }
    return true;
}

static bool append_panel(struct drawing *drawing, size_t measure, double top)
{
    const struct nights *nights = drawing->nights;
    const struct field *field = &measurement_fields[nights->measures[measure]];
    struct canvas *canvas = &drawing->canvas;
    const struct canvas_area area = {left_margin, top, panel_width, panel_height};
    const struct canvas_text title = {area.left, top - 56, 20, true, false, CANVAS_INK};
    const struct canvas_text small = {area.left + canvas_text_width(field->name, 27) + 20,
                                      top - 56,
                                      16,
                                      false,
                                      false,
                                      CANVAS_SOFT};
    const struct scale scale = range_of(nights, measure);
    text_append_format(&canvas->script, "\n# %s\n", field->name);
    canvas_area_set(canvas, &area);
    canvas_write(canvas, &title, field->name);
    canvas_write(canvas, &small, field->label);
    scale_append(&canvas->script, 'y', &scale, true);
    if (!append_dates(drawing, measure + 1 == nights->measure_count) ||
        !append_steps(drawing, measure, top)) {
        return false;
    }
    append_plot(drawing, measure);
    canvas_clear(canvas);
    return true;
}

static const struct canvas_style *mark_style(int mark)
{
    return mark == NIGHT_MARKS ? &host_style : &mark_styles[mark];
}

/* Where nights stand close, those that pass do not hide the others. */
static double mark_scale(const struct drawing *drawing, int mark)
{
    return drawing->close ? (mark == NIGHT_PASS ? 0.3 : 0.8) : 1;
}

/* One row of marks, those of another host with a square around. */
static bool append_strip(struct drawing *drawing, double top)
{
    struct canvas *canvas = &drawing->canvas;
    const struct canvas_area area = {left_margin, top, panel_width, strip_height};
    const struct canvas_text title = {44, top + strip_height / 2, 20, true, false, CANVAS_INK};
    const char *separator = "plot ";
    text_append(&canvas->script, "\n# verdicts\n");
    canvas_area_set(canvas, &area);
    canvas_write(canvas, &title, "verdict");
    text_append(&canvas->script, "unset logscale y\nset yrange [0:1]\nset ytics ('' 0.5)\n");
    if (!append_dates(drawing, false)) {
        return false;
    }
    for (int mark = 0; mark <= NIGHT_MARKS; mark++) {
        const struct canvas_style *style = mark_style(mark);
        if (has_mark(drawing->nights, mark)) {
            text_append_format(&canvas->script,
                               "%s$v%d using 1:(0.5) with points pointtype %d pointsize %g*PS "
                               "linewidth 2 linecolor rgb %s notitle",
                               separator, mark, style->mark,
                               style->size * mark_scale(drawing, mark), style->colour);
            separator = ", \\\n     ";
        }
    }
    text_append(&canvas->script, "\n");
    canvas_clear(canvas);
    return true;
}

/* Marks that occur, in one row. */
static void append_mark_legend(struct drawing *drawing, double y)
{
    struct canvas *canvas = &drawing->canvas;
    double x = left_margin;
    for (int mark = 0; mark <= NIGHT_MARKS; mark++) {
        const struct canvas_style *style = mark_style(mark);
        const char *name = mark == NIGHT_MARKS ? host_name : night_mark_names[mark];
        if (!has_mark(drawing->nights, mark)) {
            continue;
        }
        const struct canvas_text place = {x + 34, y, 19, false, false, CANVAS_INK};
        text_append_format(&canvas->script,
                           "set label '' at screen %.5f, screen %.5f point pointtype %d pointsize "
                           "%g*PS linewidth 2 linecolor rgb %s front\n",
                           (x + 12) / canvas->width, 1 - y / canvas->height, style->mark,
                           style->size, style->colour);
        canvas_write(canvas, &place, name);
        x += 34 + canvas_text_width(name, 19) + 44;
    }
}

/* Groups in rows; returns the y below, and draws only when `drawn`. */
static bool append_lines_legend(struct drawing *drawing, double *y, bool drawn)
{
    const struct nights *nights = drawing->nights;
    double x = left_margin;
    for (size_t line = 0; line < nights->line_count; line++) {
        const char *name = gnuplot_label(drawing->arena, nights_group_name(nights->lines[line]),
                                         NAME_LIMIT, drawing->err);
        if (name == NULL) {
            return false;
        }
        double width = 76 + canvas_text_width(name, 19) + 44;
        if (x > left_margin && x + width > left_margin + panel_width) {
            x = left_margin;
            *y += legend_step;
        }
        if (drawn) {
            canvas_legend_entry(&drawing->canvas, x, *y, line, true, name);
        }
        x += width;
    }
    *y += legend_step;
    return true;
}

static bool draw(struct drawing *drawing, const struct result_set *set, const char *name)
{
    const struct nights *nights = drawing->nights;
    struct canvas *canvas = &drawing->canvas;
    const char *title = gnuplot_label(drawing->arena, labels_title(set), TITLE_LIMIT, drawing->err);
    const char *lines[] = {
        has_step(nights)
            ? "Night by night: the mean of each group of runs that differ in the seed only. "
              "Dashed: "
              "the night from which a measure has another level."
            : "Night by night: the mean of each group of runs that differ in the seed only."};
    double legend = 104 + 34 + 20;
    double below = legend;
    if (title == NULL || !append_lines_legend(drawing, &below, false)) {
        return false;
    }
    double strip = below + 70;
    double top = strip + strip_step;
    canvas->width = page_width;
    canvas->height = top + (double)(nights->measure_count - 1) * panel_step + panel_height + foot;
    canvas_begin(canvas, name, "Night by night");
    append_mark_blocks(&canvas->script, nights);
    append_measure_blocks(&canvas->script, nights);
    canvas_title(canvas, title, lines, 1);
    append_mark_legend(drawing, below + 20);
    if (!append_lines_legend(drawing, &legend, true) || !append_strip(drawing, strip)) {
        return false;
    }
    for (size_t m = 0; m < nights->measure_count; m++) {
        if (!append_panel(drawing, m, top + (double)m * panel_step)) {
            return false;
        }
    }
    return true;
}

static const char *make_caption(const struct nights *nights, struct arena *arena, struct error *err)
{
    struct text caption = TEXT_INIT(arena);
    text_append(&caption,
                "**Night by night.** Each panel is a measure and each line a group of runs that "
                "differ in the seed only: its mean in every night of the history, in the order in "
                "which they were appended, with a gap where there is none.");
    if (has_step(nights)) {
        text_append(&caption,
                    " A dashed line stands at the first night of a new level, with the group and "
                    "the medians before and from then on, and a circle around its mark; where "
                    "labels would meet, the table below has what is left out.");
    }
    text_append(&caption, " The row on top is what the check of each night found against its "
                          "baseline.");
    if (has_mark(nights, NIGHT_MARKS)) {
        text_append(&caption, " A square stands around nights on another processor, BLAS, compiler "
                              "or C library than the baseline's.");
    }
    if (nights->groups > nights->line_count) {
        text_append_format(&caption, " Of %zu groups %zu are drawn, first those that stepped last.",
                           nights->groups, nights->line_count);
    }
    text_append(&caption, " Axes are fitted to the values and need not begin at 0.");
    return text_finish(&caption, err);
}

static const char *make_data(const struct nights *nights, struct arena *arena, struct error *err)
{
    struct text data = TEXT_INIT(arena);
    text_append(&data, "night\tdate\tverdict\tother_host\tgroup");
    for (size_t m = 0; m < nights->measure_count; m++) {
        text_append_format(&data, "\t%s", measurement_fields[nights->measures[m]].name);
    }
    text_append(&data, "\n");
    for (size_t n = 0; n < nights->shown.count; n++) {
        const struct history_night *night = &nights->shown.nights[n];
        const char *date = gnuplot_label(arena, night->date, SIZE_MAX, err);
        for (size_t line = 0; date != NULL && line < nights->line_count; line++) {
            text_append_format(
                &data, "%zu\t%s\t%s\t%s\t%s", n + 1, date, night_mark_names[nights_mark(night)],
                night->other_host ? "yes" : "no", nights_group_name(nights->lines[line]));
            for (size_t m = 0; m < nights->measure_count; m++) {
                char number[TEXT_REAL_SIZE];
                text_append_format(&data, "\t%s",
                                   text_from_real(nights_value(nights, m, line, n), number));
            }
            text_append(&data, "\n");
        }
        if (date == NULL) {
            return NULL;
        }
    }
    return text_finish(&data, err);
}

bool nights_draw(const struct result_set *set, const struct nights *nights, struct arena *arena,
                 struct figure *out, struct error *err)
{
    struct drawing drawing = {.canvas = {.script = TEXT_INIT(arena)},
                              .nights = nights,
                              .arena = arena,
                              .err = err,
                              .close = nights->shown.count > MOST_MARKED};
    *out = (struct figure){.name = "nights", .title = "Means of every night of the history"};
    if (!draw(&drawing, set, out->name)) {
        return false;
    }
    out->script = canvas_end(&drawing.canvas, err);
    out->caption = make_caption(nights, arena, err);
    out->data = make_data(nights, arena, err);
    return out->script != NULL && out->caption != NULL && out->data != NULL;
}
