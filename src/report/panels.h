/* SPDX-License-Identifier: MIT */
/* The curves of the main figure before they are drawn: columns of panels, the measures that the
 * panels show, their ranges, and the numbers as gnuplot data blocks. */
#ifndef REPORT_PANELS_H
#define REPORT_PANELS_H

#include "report/canvas.h"
#include "report/scales.h"
#include "report/view.h"

enum {
    PANEL_MEASURES = 4,
    PANEL_COLUMNS = 2 * VIEW_FACETS,
    PANEL_NUMBERS = 5 /* of a measure in a data block */
};

struct panel_measure {
    enum measurement_field measure;
    const char *title;
    const char *subtitle;
    const char *caption;                                       /* as a caption lists it */
    enum { PANEL_UNIT, PANEL_LOGARITHMIC, PANEL_EITHER } kind; /* 0 to 1 if it is; by the values */
};

/* One column: a facet, or half of it when the view is split. */
struct panel_column {
    size_t facet;
    bool normalised;
    const char *name; /* of the facet; "" when there is one only */
    struct view_curve curves[VIEW_LINES];
};

struct panels {
    const struct view *view;
    size_t measure_count; /* of at most PANEL_MEASURES: those that the results hold */
    struct panel_measure measures[PANEL_MEASURES];
    size_t column_count;
    struct panel_column columns[PANEL_COLUMNS];
    struct scale scales[PANEL_MEASURES]; /* shared by the columns of all pages */
    bool same[PANEL_MEASURES];           /* all lines of every column coincide */
    size_t lost;                         /* values that are NaN or infinite, over all panels */
    size_t zeros;                        /* values at the foot of a logarithmic axis */
    size_t reaching;                     /* intervals that hold 0 on such an axis */
    size_t skewed;                       /* intervals of shares that are not symmetric */
};

/* The input spread has a panel where runs have an input; elsewhere the normalised trace has it. */
bool panels_make(const struct view *view, size_t first, size_t count, struct arena *arena,
                 struct panels *out, struct error *err) MUST_CHECK;

/* Whether a measure has something to draw in a column, or in one line of it. */
bool panels_drawable(const struct panels *panels, size_t measure, size_t column);
bool panels_line_drawable(const struct panels *panels, size_t measure, size_t column, size_t line);
bool panels_line_zeros(const struct panels *panels, size_t measure, size_t column, size_t line);

/* Whether a line has an interval to draw: a pale one holds 0, which a logarithmic axis lacks. */
bool panels_line_interval(const struct panels *panels, size_t measure, size_t column, size_t line,
                          bool pale);

/* Appends a block "$cCOLUMNlLINE" for every curve: x, x moved aside, then for each measure its
 * mean, low and high end, the height of a mark for 0, and 1 where the interval is pale. */
void panels_append_blocks(struct text *script, const struct panels *panels);

#endif
