/* SPDX-License-Identifier: MIT */
/* The kept matrices of one seed and the axes they lie on, before panels are laid out. */
#ifndef REPORT_WEIGHTS_CHOICE_H
#define REPORT_WEIGHTS_CHOICE_H

#include "report/weights.h"

/* A matrix with its setting. */
struct weights_kept {
    const struct summary_group *group;
    const struct result *result;
};

struct weights_choice {
    const struct summary *summary;
    struct weights_kept *kept; /* in the order of the settings */
    size_t count;
    const struct weights_kept *base;   /* the largest mean row-max */
    size_t free_count;                 /* axes that no other one decides */
    size_t free_axes[RUN_FIELD_COUNT]; /* by falling effect on the mean row-max; places in the
                                          summary */
    size_t values[RUN_FIELD_COUNT];    /* of each axis, among the kept */
    bool flat;                         /* no matrix has more than two queries */
};

/* The matrices of the first seed that kept any; `parts` of the axes as if none were shown. */
bool weights_choice_make(const struct result_set *set, const struct summary *summary,
                         struct arena *arena, struct weights_choice *out, enum weights_part *parts,
                         struct error *err) MUST_CHECK;

/* Lays the panels out. */
void weights_lay_out(const struct weights_choice *choice, struct weights *out);

#endif
