/* SPDX-License-Identifier: MIT */
/* What the panel shows of a results set, chosen by rule, and its text as JSON. */
#ifndef REPORT_PANEL_DATA_H
#define REPORT_PANEL_DATA_H

#include "report/view.h"

enum {
    PANEL_DATA_SETTINGS = 2000,    /* more than these make a page that nobody can load */
    PANEL_DATA_TOKENS = 32,        /* rows and columns of a matrix, from the start */
    PANEL_DATA_BYTES = 1800 * 1000 /* of data: seeds that no longer fit are left out */
};

struct panel_choice {
    const struct result_set *set;
    const struct summary *summary;     /* the axes that the reader chooses from */
    const struct summary_axis *guards; /* NULL: there is no panel, for `lack` */
    const struct summary_axis *trend;  /* along which the lesson goes; NULL: none */
    const char *lack;                  /* why there is none and what the sweep needs: Markdown */
    size_t seed_count;                 /* of the seeds with kept weights, in the plan's order */
    const int64_t *seeds;
};

/* The guards, the seeds and the axis of the lesson. */
bool panel_choose(const struct result_set *set, const struct view *view, struct arena *arena,
                  struct panel_choice *out, struct error *err) MUST_CHECK;

/* One JSON object, which holds no character that ends a script element. */
bool panel_data_append(struct text *out, const struct panel_choice *choice, struct arena *arena,
                       struct error *err) MUST_CHECK;

/* The members "guards" and "steps": what each switch does, and the lesson in the order in which a
 * reader takes it. */
void panel_lesson_append(struct text *out, bool *first, const struct panel_choice *choice);

#endif
