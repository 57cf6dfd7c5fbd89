/* SPDX-License-Identifier: MIT */
/* A page in a gnuplot script: measures in pixels from the top left, one style for all figures. */
#ifndef REPORT_CANVAS_H
#define REPORT_CANVAS_H

#include "report/gnuplot.h"

#define CANVAS_INK "0x26323C"
#define CANVAS_SOFT "0x5A666F"
#define CANVAS_GRID "0xE3E7EA"
#define CANVAS_FRAME "0x8A949C"

/* Lines that only lead the eye from mark to mark: their width, and the alpha before RRGGBB. */
#define CANVAS_THIN 1.2
#define CANVAS_PALE "90"

struct canvas {
    struct text script;
    double width, height;
};

/* Colour, mark and the size at which the marks look equally large. */
struct canvas_style {
    const char *colour;
    int mark;
    double size;
};

/* One of eight styles that differ in colour (Okabe and Ito) and in mark. */
const struct canvas_style *canvas_style_of(size_t number);

/* Opens the script: terminal by FORMAT, or else by the ending of OUT; output by OUT; shared
 * settings. `head` is a comment. */
void canvas_begin(struct canvas *canvas, const char *name, const char *head);

/* Text on the page; drawn with the next plot. */
struct canvas_text {
    double x, y; /* of its left end or middle, and its vertical middle */
    double size; /* of the font */
    bool bold, centred;
    const char *colour;
};

void canvas_write(struct canvas *canvas, const struct canvas_text *place, const char *any);

/* Title and grey lines below it; returns the y under them. */
double canvas_title(struct canvas *canvas, const char *title, const char *const *lines,
                    size_t count);

/* Whether a grey line has room between the edges of a page whose width is set. */
bool canvas_line_fits(const struct canvas *canvas, const char *line);

/* The area of the next plot. */
struct canvas_area {
    double left, top, width, height;
};

void canvas_area_set(struct canvas *canvas, const struct canvas_area *area);

/* A line with its mark, and its name, at (x, y); returns the x behind the name. The line is strong
 * when points are `joined` by more than the eye. */
double canvas_legend_entry(struct canvas *canvas, double x, double y, size_t style, bool joined,
                           const char *name);

/* For heat maps: colours from 0 to 1, no borders, and @IMAGE, the way to draw cells. */
void canvas_palette(struct canvas *canvas);

/* Mean advance of DejaVu Sans over the size of the font, measured: of texts not known yet. */
#define CANVAS_ADVANCE 0.74

/* Width in pixels that a text takes. */
double canvas_text_width(const char *any, double size);

/* Forgets labels and arrows once they are drawn. */
void canvas_clear(struct canvas *canvas);

/* An empty area with a sentence in its middle: what stands where nothing can be drawn. */
void canvas_placeholder(struct canvas *canvas, const char *sentence);

/* Closes the script; NULL with `err` set when memory ran short. */
const char *canvas_end(struct canvas *canvas, struct error *err) MUST_CHECK;

#endif
