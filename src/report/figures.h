/* SPDX-License-Identifier: MIT */
/* The figures of a report as scripts, data and captions; nothing is rendered here. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "report/view.h"

struct figure {
    const char *name;    /* of its files, without extension */
    const char *heading; /* of its part of the report; NULL for the main figure */
    const char *title;   /* what it shows, for people who cannot see it */
    const char *script;  /* gnuplot */
    const char *data;    /* tab-separated, with a head */
    const char *caption; /* Markdown, to be read without the text around it */
};

enum { FIGURES_LIMIT = 8 };

struct figures {
    size_t count;
    size_t curves;     /* the first of them are pages of the main figure */
    size_t arithmetic; /* those from here on belong to the part on arithmetic, */
    size_t nights;     /* and those from here on to the part on nights */
    struct figure list[FIGURES_LIMIT];
};

/* Chooses and writes all figures of a set. None when no run has a result. */
bool figures_make(const struct result_set *set, const struct view *view, struct arena *arena,
                  struct figures *out, struct error *err) MUST_CHECK;

/* The main figure, or the page of it that shows `count` facets from `first` on. */
bool curves_make(const struct result_set *set, const struct view *view, size_t first, size_t count,
                 struct arena *arena, struct figure *out, struct error *err) MUST_CHECK;

/* Measured settings over the theory of independent scores. *made is false when there is nothing to
 * compare: see comparison.h. */
bool comparison_make(const struct result_set *set, const struct view *view, struct arena *arena,
                     struct figure *out, bool *made, struct error *err) MUST_CHECK;

/* A map of the mean row-max over tokens and another axis. *made is false without two such axes: see
 * phase.h. */
bool phase_make(const struct result_set *set, const struct view *view, struct arena *arena,
                struct figure *out, bool *made, struct error *err) MUST_CHECK;

/* Attention weights of one seed. *made is false when no run kept its weights. */
bool heatmap_make(const struct result_set *set, const struct view *view, struct arena *arena,
                  struct figure *out, bool *made, struct error *err) MUST_CHECK;

/* Share of undefined rows over the largest score. *made is false when all runs are in double
 * precision and subtract the maximum, or their largest scores do not differ. */
bool undefined_make(const struct result_set *set, const struct view *view, struct arena *arena,
                    struct figure *out, bool *made, struct error *err) MUST_CHECK;

#endif
