/* SPDX-License-Identifier: MIT */
/* The nights of a sweep as a report shows them: which nights, groups and measures, and where they
 * stepped. */
#ifndef REPORT_NIGHTS_H
#define REPORT_NIGHTS_H

#include "report/figures.h"
#include "report/sections.h"
#include "summary/history.h"
#include "summary/step.h"

enum {
    NIGHTS_LIMIT = STEP_LIMIT, /* nights shown, the latest */
    NIGHTS_MEASURES = 6,
    NIGHTS_LINES = 8,
    NIGHTS_LISTED = 50, /* steps in the table */
    NIGHTS_NUMBER_SIZE = 32
};

/* What a check found in a night: its verdict, or what made it fail. */
enum night_mark { NIGHT_PASS, NIGHT_NOT_COMPARED, NIGHT_STRICT, NIGHT_IMPROVED, NIGHT_REGRESSION };
enum { NIGHT_MARKS = NIGHT_REGRESSION + 1 };
extern const char *const night_mark_names[NIGHT_MARKS];

struct nights {
    struct history shown;       /* nights of this sweep, the oldest first */
    size_t total;               /* of this sweep in the history, shown or not */
    bool current;               /* the means of the last one are those of this report */
    size_t groups;              /* of this report that the last night has, too */
    struct history_steps steps; /* of the shown nights, in all these groups; see history.h */
    size_t measure_count;       /* that are drawn; 0: there is no figure */
    int measures[NIGHTS_MEASURES];
    size_t line_count; /* groups that are drawn */
    const char *lines[NIGHTS_LINES];
    const double *values; /* of measure, line and night; see nights_value */
};

/* Follows the groups of the summary through the history. Measures that stepped and groups in which
 * they did are drawn before others. */
bool nights_make(const char *name, const struct summary *summary, const struct history *history,
                 const struct tolerance_set *tolerances, struct arena *arena, struct nights *out,
                 struct error *err) MUST_CHECK;

/* The mean of measures[measure] in a line and night; NaN where there is none. */
static inline double nights_value(const struct nights *nights, size_t measure, size_t line,
                                  size_t night)
{
    return nights->values[(measure * nights->line_count + line) * nights->shown.count + night];
}

enum night_mark nights_mark(const struct history_night *night);

/* Two numbers, with as many digits as it takes to tell them apart. */
void nights_numbers(double before, double after, char out[2][NIGHTS_NUMBER_SIZE]);

/* "guards=none", or what stands for all runs together. */
const char *nights_group_name(const char *where);

/* The figure; `nights` has measures to draw. */
bool nights_draw(const struct result_set *set, const struct nights *nights, struct arena *arena,
                 struct figure *out, struct error *err) MUST_CHECK;

/* What stands before the figure, with the heading, and behind it. */
void nights_append_lead(const struct sections *sections, const struct nights *nights);
void nights_append_steps(const struct sections *sections, const struct nights *nights);

#endif
