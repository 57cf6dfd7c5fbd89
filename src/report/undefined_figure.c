/* SPDX-License-Identifier: MIT */
/* Draws the share of undefined rows over the largest score, a panel for each number format;
 * declared in figures.h. */
#include "report/arithmetic.h"
#include "report/cells.h"
#include "report/figures.h"
#include "report/labels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TITLE_LIMIT = 76, ON_STYLE = 3, OFF_STYLE = 0 };

static const double page_width = 2000;
static const double left_margin = 150;
static const double panel_width = 1780;
static const double panel_height = 120;
static const double panel_step = 220;
static const double foot = 124;
static const double room = 1.15; /* beside the least and the largest score, as a factor */

/* A setting; `line` is its place among formats and choices of `stabilise`. */
struct point {
    size_t line;
    double score, share;
};

struct plot {
    struct arithmetic arithmetic;
    size_t panels; /* formats that occur */
    size_t count;
    struct point *points; /* by line, then by score */
    struct scale x;
    bool joined; /* a line has one setting a score */
};

static int compare_points(const void *a, const void *b)
{
    const struct point *left = a;
    const struct point *right = b;
    if (left->line != right->line) {
        return left->line < right->line ? -1 : 1;
    }
    return (left->score > right->score) - (left->score < right->score);
}

static bool collect_points(const struct summary *summary, struct plot *plot, struct arena *arena,
                           struct error *err)
{
    plot->points = arena_alloc(arena, summary->group_count, sizeof *plot->points, err);
    if (plot->points == NULL) {
        return false;
    }
    for (size_t g = 0; g < summary->group_count; g++) {
        const struct summary_group *group = &summary->groups[g];
        const struct run *run = group->sample;
        struct point point = {(size_t)run->precision * ARITHMETIC_CHOICES + run->stabilise,
                              group->measures[MEASURE_MAX_LOGIT].mean, arithmetic_share(group)};
        if (isfinite(point.score) && isfinite(point.share)) {
            plot->points[plot->count++] = point;
        }
    }
    qsort(plot->points, plot->count, sizeof *plot->points, compare_points);
    return true;
}

/* The range of the scores: logarithmic where all are positive and far apart. Empty when they do not
 * differ. */
static struct scale range_of(const struct plot *plot)
{
    struct extent extent = EXTENT_EMPTY;
    for (size_t i = 0; i < plot->count; i++) {
        extent_add(&extent, plot->points[i].score, (double)NAN);
    }
    if (extent.finite == 0 || extent.least == extent.most) {
        return (struct scale){false, 0, 0};
    }
    if (extent_wide(&extent)) {
        return (struct scale){true, extent.least / room, extent.most * room};
    }
    return scale_linear(&extent);
}

/* Whether settings of one line differ in their largest score, so that a line can join them. */
static bool is_joined(const struct plot *plot)
{
    for (size_t i = 1; i < plot->count; i++) {
        if (compare_points(&plot->points[i - 1], &plot->points[i]) == 0) {
            return false;
        }
    }
    return true;
}

static bool choose(const struct summary *summary, struct plot *plot, struct arena *arena,
                   struct error *err)
{
    for (size_t f = 0; f < ARITHMETIC_FORMATS; f++) {
        plot->panels += plot->arithmetic.formats[f];
    }
    if (!collect_points(summary, plot, arena, err)) {
        return false;
    }
    plot->x = range_of(plot);
    plot->joined = is_joined(plot);
    return true;
}

static bool has_line(const struct plot *plot, size_t line)
{
    for (size_t i = 0; i < plot->count; i++) {
        if (plot->points[i].line == line) {
            return true;
        }
    }
    return false;
}

/* The points of a line, with a blank line, over which gnuplot does not join, between two shares:
 * the share steps somewhere between their scores, and a slope there would show what nobody
 * measured. */
static void append_block(struct text *script, const struct plot *plot, size_t line)
{
    const struct point *before = NULL;
    text_append_format(script, "$u%zu << ROWMAX_EOD\n", line);
    for (size_t i = 0; i < plot->count; i++) {
        const struct point *point = &plot->points[i];
        if (point->line == line) {
            text_append(script, before != NULL && before->share != point->share ? "\n" : "");
            text_append_format(script, "%.9g\t%.9g\n", point->score, point->share);
            before = point;
        }
    }
    text_append(script, "ROWMAX_EOD\n");
}

/* "$u5": largest score, share of undefined rows. */
static void append_blocks(struct text *script, const struct plot *plot)
{
    text_append(script, "# largest score, share of undefined rows\n");
    for (size_t line = 0; line < ARITHMETIC_LINES; line++) {
        if (has_line(plot, line)) {
            append_block(script, plot, line);
        }
    }
}

/* A vertical mark where a format ends, if the panel reaches that far. */
static void append_mark(struct text *script, const struct plot *plot, double at, const char *dashes)
{
    if (at > plot->x.low && at < plot->x.high) {
        text_append_format(script,
                           "set arrow from first %.9g, graph 0 to first %.9g, graph 1.12 nohead "
                           "back dashtype %s linewidth 2 linecolor rgb " CANVAS_INK "\n",
                           at, at, dashes);
    }
}

static const char *const overflow_dashes = "(3,5)";
static const char *const largest_dashes = "(14,8)";

static void append_plot(struct text *script, const struct plot *plot, size_t format)
{
    const char *separator = "plot ";
    for (size_t choice = ARITHMETIC_CHOICES; choice-- > 0;) {
        size_t line = format * ARITHMETIC_CHOICES + choice;
        const struct canvas_style *style = canvas_style_of(choice == 1 ? ON_STYLE : OFF_STYLE);
        if (!has_line(plot, line)) {
            continue;
        }
        text_append_format(script,
                           "%s$u%zu using 1:2 with %s pointtype %d pointsize %g*PS linewidth %g "
                           "linecolor rgb %s notitle",
                           separator, line, plot->joined ? "linespoints" : "points", style->mark,
                           (choice == 1 ? 1 : 0.65) * style->size, choice == 1 ? 4.0 : 2.0,
                           style->colour);
        separator = ", \\\n     ";
    }
    text_append(script, *separator == 'p' ? "plot NaN notitle\n" : "\n");
}

static void append_panel(struct canvas *canvas, const struct plot *plot, size_t format, double top,
                         bool last)
{
    const struct format_limits limits = arithmetic_limits(format);
    const struct canvas_area area = {left_margin, top, panel_width, panel_height};
    const struct canvas_text title = {area.left, top - 46, 20, true, false, CANVAS_INK};
    const struct canvas_text small = {area.left + 170, top - 46, 16, false, false, CANVAS_SOFT};
    char numbers[2][NUMBER_SIZE];
    char note[2 * NUMBER_SIZE + 64];
    snprintf(note, sizeof note, "exp overflows from %s; the largest number is %s",
             cell_short(limits.exp_overflow, 4, numbers[0]),
             arithmetic_largest(format, numbers[1]));
    text_append_format(&canvas->script, "\n# %s\n", arithmetic_name(format));
    canvas_area_set(canvas, &area);
    canvas_write(canvas, &title, arithmetic_name(format));
    canvas_write(canvas, &small, note);
    scale_append(&canvas->script, 'x', &plot->x, last);
    text_append(&canvas->script,
                "unset logscale y\nset yrange [-0.08:1.08]\nset ytics ('0' 0, '0.5' 0.5, '1' 1)\n");
    append_mark(&canvas->script, plot, limits.exp_overflow, overflow_dashes);
    append_mark(&canvas->script, plot, limits.largest, largest_dashes);
    if (last) {
        const struct canvas_text below = {
            area.left + area.width / 2, top + panel_height + 74, 18, false, true, CANVAS_INK};
        canvas_write(canvas, &below, "largest score of the setting");
    }
    append_plot(&canvas->script, plot, format);
    canvas_clear(canvas);
}

/* A vertical mark and what it means; returns the x behind it. */
static double append_mark_entry(struct canvas *canvas, double x, double y, const char *dashes,
                                const char *name)
{
    text_append_format(&canvas->script,
                       "set arrow from screen %.5f, screen %.5f to screen %.5f, screen %.5f nohead "
                       "dashtype %s linewidth 2 linecolor rgb " CANVAS_INK "\n",
                       x / canvas->width, 1 - (y - 16) / canvas->height, x / canvas->width,
                       1 - (y + 16) / canvas->height, dashes);
    const struct canvas_text place = {x + 16, y, 19, false, false, CANVAS_INK};
    canvas_write(canvas, &place, name);
    return x + 16 + canvas_text_width(name, 19) + 44;
}

static void append_legend(struct canvas *canvas, const struct plot *plot, double y)
{
    static const char *const names[ARITHMETIC_CHOICES] = {"stabilise off", "stabilise on"};
    double x = 44;
    for (size_t choice = ARITHMETIC_CHOICES; choice-- > 0;) {
        bool any = false;
        for (size_t f = 0; f < ARITHMETIC_FORMATS; f++) {
            any = any || has_line(plot, f * ARITHMETIC_CHOICES + choice);
        }
        if (any) {
            x = canvas_legend_entry(canvas, x, y, choice == 1 ? ON_STYLE : OFF_STYLE, true,
                                    names[choice]);
        }
    }
    x = append_mark_entry(canvas, x, y, overflow_dashes, "exp overflows");
    append_mark_entry(canvas, x, y, largest_dashes, "largest number");
}

static bool draw(struct canvas *canvas, const struct result_set *set, const struct plot *plot,
                 const char *name, struct arena *arena, struct error *err)
{
    const char *title = gnuplot_label(arena, labels_title(set), TITLE_LIMIT, err);
    const char *lines[] = {"Where each number format breaks: share of rows without weights, by the "
                           "largest score of the setting."};
    if (title == NULL) {
        return false;
    }
    double top = 104 + 34 + 150;
    canvas->width = page_width;
    canvas->height = top + (double)(plot->panels - 1) * panel_step + panel_height + foot;
    canvas_begin(canvas, name, "Rows without weights");
    append_blocks(&canvas->script, plot);
    double y = canvas_title(canvas, title, lines, 1);
    append_legend(canvas, plot, y + 16);
    size_t panel = 0;
    for (size_t f = 0; f < ARITHMETIC_FORMATS; f++) {
        if (plot->arithmetic.formats[f]) {
            panel++;
            append_panel(canvas, plot, f, top + (double)(panel - 1) * panel_step,
                         panel == plot->panels);
        }
    }
    return true;
}

static const char *make_caption(const struct plot *plot, struct arena *arena, struct error *err)
{
    struct text caption = TEXT_INIT(arena);
    text_append_format(
        &caption,
        "**Where each number format breaks.** Each mark is one setting of the sweep: the share of "
        "its rows that have no weights, over its largest score, on a %s axis; a panel for each "
        "format. The dotted line is where exp of a score overflows in the format, the dashed one "
        "its largest number; what lies beyond the range of the scores is not drawn. A plain sum of "
        "exponentials can break a little before the dotted line, since it is larger than its "
        "largest term.%s",
        plot->x.logarithmic ? "logarithmic" : "linear",
        plot->joined ? " Lines join settings of one share; it changes somewhere between two that "
                       "are not joined."
                     : "");
    return text_finish(&caption, err);
}

static const char *make_data(const struct plot *plot, struct arena *arena, struct error *err)
{
    struct text data = TEXT_INIT(arena);
    text_append(&data, "precision\tstabilise\tmax_logit\tundefined_share\n");
    for (size_t i = 0; i < plot->count; i++) {
        const struct point *point = &plot->points[i];
        char score[TEXT_REAL_SIZE];
        char share[TEXT_REAL_SIZE];
        text_append_format(
            &data, "%s\t%s\t%s\t%s\n", arithmetic_name(point->line / ARITHMETIC_CHOICES),
            point->line % ARITHMETIC_CHOICES == 1 ? "on" : "off",
            text_from_real(point->score, score), text_from_real(point->share, share));
    }
    return text_finish(&data, err);
}

bool undefined_make(const struct result_set *set, const struct view *view, struct arena *arena,
                    struct figure *out, bool *made, struct error *err)
{
    struct plot plot = {.count = 0};
    struct canvas canvas = {.script = TEXT_INIT(arena)};
    *made = false;
    if (!arithmetic_find(view->summary, &plot.arithmetic)) {
        return true;
    }
    if (!choose(view->summary, &plot, arena, err)) {
        return false;
    }
    if (!(plot.x.low < plot.x.high)) {
        return true;
    }
    *made = true;
    out->name = "undefined";
    out->heading = NULL; /* it follows the text on arithmetic */
    out->title = "Share of rows without weights over the largest score";
    if (!draw(&canvas, set, &plot, out->name, arena, err)) {
        return false;
    }
    out->script = canvas_end(&canvas, err);
    out->caption = make_caption(&plot, arena, err);
    out->data = make_data(&plot, arena, err);
    return out->script != NULL && out->caption != NULL && out->data != NULL;
}
