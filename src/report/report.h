/* SPDX-License-Identifier: MIT */
/* A results set as a folder that people read: report.md, figures with their gnuplot scripts and
 * data beside them. Needs nothing but the set. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/arena.h"
#include "run/results.h"
#include "summary/history.h"

enum { REPORT_PNG = 1, REPORT_SVG = 2, REPORT_PDF = 4 };

struct report_options {
    const char *folder;      /* made if missing; its figures of an older report are removed */
    unsigned formats;        /* REPORT_... */
    const char *gnuplot;     /* program, found on PATH; "gnuplot" */
    double seconds_a_figure; /* then the child is killed; 60 */
};

/* The nights of the same sweep. */
struct report_past {
    struct history history;
    struct tolerance_set tolerances; /* within which nothing steps */
};

/* Writes the report, with a part on these nights; NULL for none. ERROR_FIGURES when text and data
 * are complete but figures are missing: the report then names the reason where the figure would
 * stand. ERROR_FILE when the folder cannot be written. */
bool report_write(const struct result_set *set, const struct report_past *past,
                  const struct report_options *options, struct arena *arena,
                  struct error *err) MUST_CHECK;

/* One of two sets to be compared, and what it is called. */
struct report_side {
    const struct result_set *set;
    const char *label;
};

/* A report on what moved from the first set to the second, within `tolerances` (NULL: those that
 * hold without a rule). ERROR_INPUT, before anything is written, when they have no run in common.
 */
bool report_write_two(const struct report_side sides[2], const struct tolerance_set *tolerances,
                      const struct report_options *options, struct arena *arena,
                      struct error *err) MUST_CHECK;

/* Draws a word in `folder`, removes what it made, and tells whether the word showed. ERROR_FIGURES
 * with the reason when it did not. */
bool report_probe(const char *gnuplot, const char *folder, struct arena *arena,
                  struct error *err) MUST_CHECK;

/* Draws a line in each format in `folder` and removes what it made: the REPORT_... that cannot be
 * drawn, 0 when all can, with the reason of the first in `err`. */
unsigned report_terminals(const char *gnuplot, const char *folder, struct arena *arena,
                          struct error *err);

/* First line of `gnuplot --version`, into the arena; NULL with `err` (ERROR_FIGURES) set. */
const char *report_gnuplot_version(const char *gnuplot, struct arena *arena,
                                   struct error *err) MUST_CHECK;

#endif
