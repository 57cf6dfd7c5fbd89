/* SPDX-License-Identifier: MIT */
/* Draws how many times as fast rowmax is: figure RATIOS FOLDER writes performance.gp, .svg and .png
 * there. A line of RATIOS: shape, other program, "same" or "upstream", median, lowest and highest
 * ratio, by tabs; a line that begins with '#' is a line of the picture's head. */
#include "base/files.h"
#include "report/canvas.h"
#include "report/scales.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_LIMIT = 32, PROGRAMS_LIMIT = 6, POINTS_LIMIT = 256, HEAD_LIMIT = 4, CELLS = 6 };

#define RATIOS_LIMIT ((size_t)1 << 20)
#define NAME "performance"

static const double page_width = 1980;
static const double left_margin = 920;
static const double right_margin = 60;
static const double row_height = 92;
static const double foot = 110;
static const double apart = 0.145; /* marks of one row, in rows */

struct point {
    size_t row, program;
    bool upstream;
    double median, low, high;
};

struct ratios {
    size_t row_count, program_count, point_count, head_count;
    const char *rows[ROWS_LIMIT], *programs[PROGRAMS_LIMIT], *head[HEAD_LIMIT];
    struct point points[POINTS_LIMIT];
};

/* In the order in which programs appear: told apart by colour and mark. */
static const struct canvas_style *style_of(size_t program)
{
    static const size_t order[PROGRAMS_LIMIT] = {3, 0, 2, 1, 4, 7};
    return canvas_style_of(order[program]);
}

/* The place of a name, added when it is new; `limit` when there is no room. */
static size_t place_of(const char *name, const char **names, size_t *count, size_t limit)
{
    size_t i = 0;
    while (i < *count && strcmp(names[i], name) != 0) {
        i++;
    }
    if (i == *count && i < limit) {
        names[(*count)++] = name;
    }
    return i;
}

static bool add_point(struct ratios *ratios, char *line, struct error *err)
{
    const char *cells[CELLS];
    size_t count = 0;
    char *rest = NULL;
    for (char *cell = strtok_r(line, "\t", &rest); cell != NULL && count < CELLS;
         cell = strtok_r(NULL, "\t", &rest)) {
        cells[count++] = cell;
    }
    struct point *point = &ratios->points[ratios->point_count];
    if (count < CELLS || ratios->point_count == POINTS_LIMIT ||
        !text_to_real(cells[3], &point->median) || !text_to_real(cells[4], &point->low) ||
        !text_to_real(cells[5], &point->high)) {
        return error_set(err, ERROR_INPUT,
                         "a line of ratios has not six cells, or is one too many");
    }
    point->row = place_of(cells[0], ratios->rows, &ratios->row_count, ROWS_LIMIT);
    point->program = place_of(cells[1], ratios->programs, &ratios->program_count, PROGRAMS_LIMIT);
    point->upstream = strcmp(cells[2], "upstream") == 0;
    ratios->point_count++;
    return (point->row < ROWS_LIMIT && point->program < PROGRAMS_LIMIT) ||
           error_set(err, ERROR_INPUT, "too many shapes or programs");
}

static bool ratios_read(const char *path, struct arena *arena, struct ratios *out,
                        struct error *err)
{
    size_t size;
    char *rest = NULL;
    char *bytes = files_read(path, RATIOS_LIMIT, arena, &size, err);
    for (char *line = bytes == NULL ? NULL : strtok_r(bytes, "\n", &rest);
         line != NULL && err->code == ERROR_NONE; line = strtok_r(NULL, "\n", &rest)) {
        if (line[0] != '#') {
            (void)add_point(out, line, err);
        } else if (out->head_count < HEAD_LIMIT) {
            out->head[out->head_count++] = line + 1 + strspn(line + 1, " ");
        }
    }
    return err->code == ERROR_NONE &&
           ((out->point_count > 0 && out->head_count > 0) ||
            error_set(err, ERROR_INPUT, "'%s' has no head or no ratios", path));
}

/* Marks of a row lie below each other, in the order of the file, around its middle. */
static double height_of(const struct ratios *ratios, const struct point *point)
{
    size_t before = 0;
    size_t all = 0;
    for (size_t i = 0; i < ratios->point_count; i++) {
        bool same_row = ratios->points[i].row == point->row;
        before += same_row && &ratios->points[i] < point;
        all += same_row;
    }
    return (double)point->row + 0.5 + apart * ((double)before - ((double)all - 1) / 2);
}

static void append_blocks(struct text *script, const struct ratios *ratios)
{
    for (size_t kind = 0; kind < 2 * ratios->program_count; kind++) {
        text_append_format(script, "$k%zu << ROWMAX_EOD\n", kind);
        for (size_t i = 0; i < ratios->point_count; i++) {
            const struct point *point = &ratios->points[i];
            if (2 * point->program + point->upstream == kind) {
                text_append_format(script, "%.6g\t%.4f\t%.6g\t%.6g\n", point->median,
                                   height_of(ratios, point), point->low, point->high);
            }
        }
        text_append(script, "ROWMAX_EOD\n");
    }
}

static bool has_kind(const struct ratios *ratios, size_t kind)
{
    for (size_t i = 0; i < ratios->point_count; i++) {
        if (2 * ratios->points[i].program + ratios->points[i].upstream == kind) {
            return true;
        }
    }
    return false;
}

static void append_marks(struct text *script, size_t kind, int mark, double size,
                         const char *colour)
{
    text_append_format(script,
                       ", \\\n     $k%zu using 1:2 with points pointtype %d pointsize %g*PS "
                       "linewidth 1.8 linecolor rgb %s notitle",
                       kind, mark, size, colour);
}

/* A full mark has the number behind that of the open one, which is drawn on white. */
static void append_plot(struct text *script, const struct ratios *ratios)
{
    const char *before = "plot ";
    for (size_t kind = 0; kind < 2 * ratios->program_count; kind++) {
        const struct canvas_style *style = style_of(kind / 2);
        if (!has_kind(ratios, kind)) {
            continue;
        }
        text_append_format(script,
                           "%s$k%zu using 1:2:3:4 with xerrorbars pointtype -1 linewidth 1.6 "
                           "linecolor rgb %s notitle",
                           before, kind, style->colour);
        append_marks(script, kind, style->mark, style->size,
                     kind % 2 == 1 ? "'white'" : style->colour);
        if (kind % 2 == 1) {
            append_marks(script, kind, style->mark - 1, style->size, style->colour);
        }
        before = ", \\\n     ";
    }
    text_append(script, "\n");
}

static struct scale make_scale(const struct ratios *ratios)
{
    struct extent extent = EXTENT_EMPTY;
    extent_add(&extent, 1, 0);
    for (size_t i = 0; i < ratios->point_count; i++) {
        extent_add(&extent, ratios->points[i].low, 0);
        extent_add(&extent, ratios->points[i].high, 0);
    }
    return scale_logarithmic(&extent);
}

static void append_rows(struct canvas *canvas, const struct ratios *ratios, double top)
{
    for (size_t row = 0; row < ratios->row_count; row++) {
        const struct canvas_text place = {
            44, top + ((double)row + 0.5) * row_height, 19, false, false, CANVAS_INK};
        canvas_write(canvas, &place, ratios->rows[row]);
        if (row > 0) {
            text_append_format(&canvas->script,
                               "set arrow from graph 0, first %zu to graph 1, first %zu nohead "
                               "back linewidth 1 linecolor rgb " CANVAS_GRID "\n",
                               row, row);
        }
    }
}

static double append_legend(struct canvas *canvas, const struct ratios *ratios, double y)
{
    static const size_t order[PROGRAMS_LIMIT] = {3, 0, 2, 1, 4, 7};
    double x = 44;
    for (size_t program = 0; program < ratios->program_count; program++) {
        const char *name = ratios->programs[program];
        if (x > 44 && x + 120 + canvas_text_width(name, 19) > page_width) {
            x = 44;
            y += 40;
        }
        x = canvas_legend_entry(canvas, x, y, order[program], true, name);
    }
    return y;
}

static const char *draw(const struct ratios *ratios, struct arena *arena, struct error *err)
{
    struct canvas canvas = {.script = TEXT_INIT(arena)};
    const struct scale scale = make_scale(ratios);
    const double top = 104 + 34 * (double)(ratios->head_count - 1) + 120;
    const double height = row_height * (double)ratios->row_count;
    canvas.width = page_width;
    canvas.height = top + height + foot;
    canvas_begin(&canvas, NAME, "Other programs beside rowmax");
    text_append(&canvas.script, "unset grid\nset grid xtics back linecolor rgb " CANVAS_GRID
                                " linewidth 1 linetype 1\n");
    append_blocks(&canvas.script, ratios);
    double y = canvas_title(&canvas, ratios->head[0], ratios->head + 1, ratios->head_count - 1);
    append_legend(&canvas, ratios, y + 16);
    const struct canvas_area area = {left_margin, top, page_width - left_margin - right_margin,
                                     height};
    const struct canvas_text below = {
        area.left + area.width / 2, top + height + 74, 18, false, true, CANVAS_INK};
    canvas_area_set(&canvas, &area);
    canvas_write(&canvas, &below, "times as long as rowmax");
    scale_append(&canvas.script, 'x', &scale, true);
    text_append_format(&canvas.script,
                       "set yrange [%zu:0]\nunset ytics\n"
                       "set arrow from first 1, graph 0 to first 1, graph 1 nohead back "
                       "linewidth 1.6 linecolor rgb " CANVAS_FRAME "\n",
                       ratios->row_count);
    append_rows(&canvas, ratios, top);
    append_plot(&canvas.script, ratios);
    canvas_clear(&canvas);
    return canvas_end(&canvas, err);
}

static bool render(const char *folder, const char *script, struct arena *arena, struct error *err)
{
    struct picture pictures[] = {{.name = NAME, .format = "svg"}, {.name = NAME, .format = "png"}};
    const struct report_options options = {folder, REPORT_PNG | REPORT_SVG, "gnuplot", 60};
    const char *path = files_join(arena, folder, NAME ".gp", err);
    if (path == NULL || !files_make_folders(folder, err) ||
        !files_replace(path, script, strlen(script), err) ||
        !gnuplot_render(&options, pictures, 2, arena, err)) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        if (pictures[i].reason != NULL) {
            return error_set(err, ERROR_FIGURES, "%s", pictures[i].reason);
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct error err = ERROR_INIT;
    struct arena arena = {NULL};
    static struct ratios ratios;
    if (argc != 3) {
        fprintf(stderr, "usage: figure RATIOS FOLDER\n");
        return 2;
    }
    const char *script =
        ratios_read(argv[1], &arena, &ratios, &err) ? draw(&ratios, &arena, &err) : NULL;
    if (script == NULL || !render(argv[2], script, &arena, &err)) {
        fprintf(stderr, "figure: %s\n", err.message);
    }
    arena_release(&arena);
    return error_exit_status(err.code);
}
