/* SPDX-License-Identifier: MIT */
/* What the files that tell what moved share. */
#ifndef REPORT_CHANGES_INTERNAL_H
#define REPORT_CHANGES_INTERNAL_H

#include "report/changes.h"
#include "report/numbers.h"
#include "report/panels.h"

#include <string.h>

/* Names of verdicts: "saturated", ... */
extern const char *const changes_verdicts[CHANGES_STATES];

/* "+0.123", "−4.5", "0". */
const char *changes_signed(double value, char out[NUMBER_SIZE]);

/* "+0.1 to +0.146", or "none". */
void changes_append_interval(struct text *out, const struct estimate *difference);

/* Both means of a setting, with the digits that tell them apart. */
void changes_numbers(const struct changes *changes, size_t group, size_t measure,
                     char out[2][NUMBER_SIZE]);

/* The group in which a measure moved most; the number of groups when it moved in none. */
size_t changes_largest(const struct changes *changes, size_t measure);

/* The measures that are drawn and listed before others. */
enum { CHANGES_DRAWN = 3, CHANGES_LISTED = 8 };
extern const int changes_measures[CHANGES_LISTED];

enum { OVERLAY_NUMBERS = 4 /* of a measure in a data block */ };

/* A figure of both files: their means over each other, or the differences of these. */
struct overlay {
    const struct changes *changes;
    const struct panels *panels; /* for columns and lines */
    bool differences;
    struct scale scales[CHANGES_DRAWN];
    struct canvas canvas;
    struct arena *arena;
    struct error *err;
};

/* Ranges over all pages. */
void overlay_find_scales(struct overlay *overlay);

/* What a point shows of a measure: the means of A and of B and the heights of their marks for 0; or
 * the difference, its interval, and 1 where it moved. Differences of shares are as they are, others
 * in percent of A. NaN: not drawn. */
void overlay_numbers(const struct overlay *overlay, const struct view_point *point, size_t drawn,
                     double out[OVERLAY_NUMBERS]);

/* A block "$cCOLUMNlLINE" for every curve: x, x moved aside, then these numbers of each measure. */
void overlay_append_blocks(struct overlay *overlay);

/* Whether any curve of the column has a number of the measure. */
bool overlay_has_points(const struct overlay *overlay, size_t drawn, size_t column);

/* The plot command of a panel that has points. */
void overlay_append_plot(struct overlay *overlay, size_t drawn, size_t column);

/* The title of a panel and what is below it. */
const char *overlay_title(size_t drawn);
const char *overlay_subtitle(const struct overlay *overlay, size_t drawn);

/* The threshold of both files, NaN when there is no common one or it is not to be drawn here. */
double overlay_threshold(const struct overlay *overlay, size_t drawn);

/* How the two files, or what moved and what did not, are told apart; returns the y below. */
double overlay_append_key(struct overlay *overlay, double y);

/* Title, grey lines and legends; the page has its size. */
bool overlay_append_head(struct overlay *overlay, const char *name);

/* Pixels that the head takes. */
double overlay_head_height(const struct overlay *overlay);

/* Draws the panels of a view in a grid, or one row a setting. */
bool overlay_draw_grid(struct overlay *overlay, const char *name);
bool overlay_draw_rows(struct overlay *overlay, const char *name);

#endif
