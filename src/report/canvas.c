/* SPDX-License-Identifier: MIT */
/* The page of a figure as a gnuplot script; see canvas.h. */
#include "report/canvas.h"

#include "report/columns.h"

static const double title_size = 30;
static const double line_size = 19;
static const double margin = 44;

/* In the order of guard sets: none, init, scale, init + scale, and the same with norm. */
static const struct canvas_style styles[8] = {
    {"0xD55E00", 7, 1.5},   {"0xCC79A7", 5, 1.35}, {"0x009E73", 9, 1.75}, {"0x0072B2", 13, 1.85},
    {"0x7A7A7A", 11, 1.75}, {"0x56B4E9", 5, 1.35}, {"0x404040", 9, 1.75}, {"0xE69F00", 15, 1.65},
};

const struct canvas_style *canvas_style_of(size_t number)
{
    return &styles[number % (sizeof styles / sizeof styles[0])];
}

/* Point sizes look larger in SVG; a PDF page is 10 inches wide whatever the pixels. */
static void append_terminals(struct canvas *canvas)
{
    double scale = 720 / canvas->width;
    text_append_format(
        &canvas->script,
        "PS = 1\n"
        "if (FORMAT eq 'svg') {\n"
        "  set terminal svg noenhanced size %g,%g dynamic font FONT.',20' fontscale 1.33 "
        "linewidth 1.6 background rgb 'white'\n"
        "  PS = 0.56\n"
        "} else { if (FORMAT eq 'pdf') {\n"
        "  set terminal pdfcairo noenhanced size 10in,%.3fin font FONT.',20' fontscale %.4f "
        "linewidth %.4f pointscale %.4f background rgb 'white'\n"
        "} else {\n"
        "  set terminal pngcairo noenhanced size %g,%g font FONT.',20' linewidth 1.6 "
        "background rgb 'white'\n"
        "} }\n",
        canvas->width, canvas->height, canvas->height * scale / 72, scale, 1.6 * scale, scale,
        canvas->width, canvas->height);
}

/* FORMAT as it is given, or else the ending of OUT, in small letters or capitals: what follows the
 * last dot behind the last slash; png without one. Anything else would be a PNG by a wrong name. */
static void append_format_choice(struct canvas *canvas, const char *name)
{
    text_append_format(
        &canvas->script,
        "ENDING = ''\n"
        "WORD = exists('FORMAT') ? '.'.FORMAT : exists('OUT') ? OUT : ''\n"
        "do for [k=1:strlen(WORD)] {\n"
        "  LETTER = WORD[k:k]\n"
        "  CAPITAL = strstrt('DFGNPSV', LETTER)\n"
        "  if (CAPITAL > 0) { LETTER = substr('dfgnpsv', CAPITAL, CAPITAL) }\n"
        "  ENDING = LETTER eq '.' ? '.' : LETTER eq '/' || ENDING eq '' ? '' : ENDING.LETTER\n"
        "}\n"
        "if (ENDING eq '') { ENDING = '.png' }\n"
        "if (ENDING ne '.png' && ENDING ne '.svg' && ENDING ne '.pdf') {\n"
        "  if (exists('FORMAT')) { exit error \"FORMAT='\".FORMAT.\"' is unknown; "
        "it is 'png', 'svg' or 'pdf'\" }\n"
        "  exit error \"OUT='\".OUT.\"' ends in none of .png, .svg and .pdf; name it so, or give "
        "FORMAT='png', 'svg' or 'pdf' as well\"\n"
        "}\n"
        "FORMAT = ENDING[2:*]\n"
        "if (!exists('OUT')) OUT = '%s.'.FORMAT\n",
        name);
}

void canvas_begin(struct canvas *canvas, const char *name, const char *head)
{
    text_append_format(
        &canvas->script,
        "# %s\n"
        "# Written by rowmax; to draw it again: gnuplot -d %s.gp\n"
        "# In another format: gnuplot -d -e \"FORMAT='svg'\" %s.gp (png, svg, pdf)\n"
        "# In another file: gnuplot -d -e \"OUT='copy.svg'\" %s.gp (its ending tells "
        "the format)\n",
        head, name, name, name);
    append_format_choice(canvas, name);
    text_append(&canvas->script, "FONT = 'DejaVu Sans'\nset encoding utf8\n");
    append_terminals(canvas);
    text_append(&canvas->script,
                "set output OUT\n"
                "set border 3 linecolor rgb " CANVAS_FRAME " linewidth 1\n"
                "set tics nomirror out scale 0.6 textcolor rgb " CANVAS_INK " font FONT.',17'\n"
                "set grid ytics back linecolor rgb " CANVAS_GRID " linewidth 1 linetype 1\n"
                "set style fill transparent solid 0.18 noborder\n"
                "unset key\n"
                "unset colorbox\n"
                "set multiplot\n");
}

void canvas_write(struct canvas *canvas, const struct canvas_text *place, const char *any)
{
    text_append(&canvas->script, "set label ");
    gnuplot_quote(&canvas->script, any);
    text_append_format(
        &canvas->script, " at screen %.5f, screen %.5f %s font FONT.'%s,%g' textcolor rgb %s\n",
        place->x / canvas->width, 1 - place->y / canvas->height, place->centred ? "center" : "left",
        place->bold ? " Bold" : "", place->size, place->colour);
}

double canvas_title(struct canvas *canvas, const char *title, const char *const *lines,
                    size_t count)
{
    const struct canvas_text large = {margin, 50, title_size, true, false, CANVAS_INK};
    canvas_write(canvas, &large, title);
    double y = 104;
    for (size_t i = 0; i < count; i++) {
        const struct canvas_text small = {margin, y, line_size, false, false, CANVAS_SOFT};
        canvas_write(canvas, &small, lines[i]);
        y += 34;
    }
    return y;
}

bool canvas_line_fits(const struct canvas *canvas, const char *line)
{
    return canvas_text_width(line, line_size) <= canvas->width - 2 * margin;
}

void canvas_area_set(struct canvas *canvas, const struct canvas_area *area)
{
    text_append_format(&canvas->script,
                       "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                       "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                       area->left / canvas->width, (area->left + area->width) / canvas->width,
                       1 - area->top / canvas->height,
                       1 - (area->top + area->height) / canvas->height);
}

double canvas_text_width(const char *any, double size)
{
    return size * columns_width(any);
}

double canvas_legend_entry(struct canvas *canvas, double x, double y, size_t style, bool joined,
                           const char *name)
{
    const struct canvas_style *look = canvas_style_of(style);
    double screen_y = 1 - y / canvas->height;
    text_append_format(&canvas->script,
                       "set arrow from screen %.5f, screen %.5f to screen %.5f, screen %.5f "
                       "nohead linewidth %g linecolor rgb 0x%s%s\n",
                       x / canvas->width, screen_y, (x + 60) / canvas->width, screen_y,
                       joined ? 2.6 : CANVAS_THIN, joined ? "" : CANVAS_PALE, look->colour + 2);
    text_append_format(&canvas->script,
                       "set label '' at screen %.5f, screen %.5f point pointtype %d "
                       "pointsize %g*PS linecolor rgb %s front\n",
                       (x + 30) / canvas->width, screen_y, look->mark, look->size, look->colour);
    const struct canvas_text place = {x + 76, y, 19, false, false, CANVAS_INK};
    canvas_write(canvas, &place, name);
    return x + 76 + canvas_text_width(name, 19) + 44;
}

void canvas_palette(struct canvas *canvas)
{
    /* viridis: even in lightness, and told apart by colour-blind readers */
    text_append(&canvas->script,
                "set palette defined (0 '#440154', 0.125 '#482878', 0.25 '#3E4A89', "
                "0.375 '#31688E', 0.5 '#26828E', \\\n"
                "    0.625 '#1F9E89', 0.75 '#35B779', 0.875 '#6DCD59', 1 '#FDE725')\n"
                "set cbrange [0:1]\nset border 0\nunset grid\nset style fill solid\n"
                "IMAGE = FORMAT eq 'png' ? 'image' : 'image pixels'\n");
}

void canvas_clear(struct canvas *canvas)
{
    text_append(&canvas->script, "unset label\nunset arrow\n");
}

void canvas_placeholder(struct canvas *canvas, const char *sentence)
{
    text_append(&canvas->script, "set label ");
    gnuplot_quote(&canvas->script, sentence);
    text_append(&canvas->script,
                " at graph 0.5, graph 0.5 center font FONT.',17' textcolor rgb " CANVAS_SOFT "\n"
                "unset logscale\nset xrange [0:1]\nset yrange [0:1]\n"
                "unset xtics\nunset ytics\nplot NaN notitle\n");
}

const char *canvas_end(struct canvas *canvas, struct error *err)
{
    text_append(&canvas->script, "unset multiplot\nunset output\n");
    return text_finish(&canvas->script, err);
}
