/* SPDX-License-Identifier: MIT */
/* Two results files of a sweep side by side: what moved from the first to the second. Means are
 * over the runs that both have. */
#ifndef REPORT_CHANGES_H
#define REPORT_CHANGES_H

#include "report/contrasts.h"
#include "report/figures.h"
#include "report/report.h"
#include "report/sections.h"
#include "run/tolerance.h"
#include "summary/pairs.h"
#include "summary/saturation.h"

enum change_kind {
    CHANGE_NONE,      /* equal in every run */
    CHANGE_WITHIN,    /* within the tolerance in every run */
    CHANGE_SCATTERED, /* beyond it, but the 95 % interval of the mean difference contains 0 */
    CHANGE_MOVED
};
enum { CHANGE_KINDS = CHANGE_MOVED + 1 };

/* A measure of a setting in both files. */
struct change {
    enum change_kind kind;
    struct estimate difference; /* second less first, run by run; NaN where one is undefined */
};

enum { CHANGES_STATES = SATURATION_YES + 1 };

struct changes {
    const struct report_side *sides; /* two, the earlier first */
    struct pairs pairs;
    size_t identical, within, moved; /* runs that succeeded in both: equal in every measure, within
                                        the tolerance, beyond it in some measure */
    size_t compared;                 /* the sum of these */
    size_t failed_in[2];             /* runs that failed in that file only */
    size_t failed_in_both;
    size_t alone[2];             /* runs that only that file has */
    size_t beyond[2];            /* rows that the plan of that file no longer holds */
    uint64_t lacking;            /* bit m: one of the two does not know measure m: not compared */
    struct result_set common[2]; /* the compared runs, row i beside row i */
    struct summary summaries[2]; /* of these; the same groups in the same order */
    struct view view;            /* of the second */
    const struct change *list;   /* of group and measure; see changes_of */
    size_t verdicts[CHANGES_STATES][CHANGES_STATES]; /* settings by both verdicts */
    size_t turned;                                   /* settings with another verdict */
};

/* Pairs the runs and compares them. ERROR_INPUT, with what tells the sweeps apart, when no run is
 * in both. */
bool changes_make(const struct report_side sides[2], const struct tolerance_set *tolerances,
                  struct arena *arena, struct changes *out, struct error *err) MUST_CHECK;

static inline const struct change *changes_of(const struct changes *changes, size_t group,
                                              size_t measure)
{
    return &changes->list[group * MEASUREMENT_FIELD_COUNT + measure];
}

static inline const struct estimate *changes_mean(const struct changes *changes, int side,
                                                  size_t group, size_t measure)
{
    return &changes->summaries[side].groups[group].measures[measure];
}

/* Whether the measure is in both files. */
bool changes_knows(const struct changes *changes, size_t measure);

/* Groups whose change in a measure is of a kind; of those that moved the ones that went up
 * (direction 1) or down (-1), with 0 all. */
size_t changes_count(const struct changes *changes, size_t measure, enum change_kind kind,
                     int direction);

/* How large a change is: of a share itself, else relative to the larger mean; infinite where one
 * side is undefined. */
double changes_size(const struct changes *changes, size_t group, size_t measure);

/* Figures, at most CHANGES_FIGURES: pages of both files overlaid, then as many of the differences,
 * which are left out when there is none. */
enum { CHANGES_PAGES = 3, CHANGES_FIGURES = 2 * CHANGES_PAGES };
bool changes_draw(const struct changes *changes, struct arena *arena, struct figures *out,
                  struct error *err) MUST_CHECK;

/* The parts of the text: verdict; tables; what else differs. */
bool changes_append_verdict(const struct sections *sections, const struct changes *changes,
                            struct error *err) MUST_CHECK;
bool changes_append_tables(const struct sections *sections, const struct changes *changes,
                           struct error *err) MUST_CHECK;
bool changes_append_record(const struct sections *sections, const struct changes *changes,
                           struct error *err) MUST_CHECK;

#endif
