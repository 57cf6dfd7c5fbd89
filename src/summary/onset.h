/* SPDX-License-Identifier: MIT */
/* Where saturation sets in along a numeric axis: a curve is all groups that agree in everything but
 * that axis and the seed. Of each curve: where the mean row-max reaches the threshold
 * `saturation_row_max`, and where the mean gradient falls to `saturation_gradient`, interpolated,
 * the gradient in its logarithm, with an interval from the bootstrap over seeds. Pure: no I/O. */
#ifndef SUMMARY_ONSET_H
#define SUMMARY_ONSET_H

#include "summary/saturation.h"

enum onset_kind { ONSET_ROW_MAX, ONSET_GRADIENT, ONSET_KINDS };

enum onset_state {
    ONSET_UNKNOWN,    /* no point has a mean */
    ONSET_NOWHERE,    /* no point is beyond the threshold */
    ONSET_THROUGHOUT, /* all are: it sets in before the range, if it does */
    ONSET_WITHIN,     /* some crossing enters */
    ONSET_LEAVES,     /* the curve begins beyond the threshold, comes back and stays */
    ONSET_HIDDEN      /* it changes sides only where values are undefined */
};

struct onset {
    enum onset_state state;
    size_t count; /* crossings, all of them in order; `enters`: towards saturation */
    const struct saturation_crossing *crossings;
    double at; /* the first that enters; NaN when none does */
    /* The interval of `at`: NaN below three seeds, or when no resample enters within the range.
     * -INFINITY: the resampled curve begins beyond the threshold; INFINITY: it never gets there. */
    double low, high;
    double within; /* share of the resamples that enter within the range; NaN without resamples */
};

struct onset_curve {
    const struct summary_group *sample; /* its first group: names the curve */
    size_t count;
    const double *x; /* rising */
    const struct summary_group *const *groups;
    size_t seeds; /* distinct, of all successful runs of the curve */
    struct onset of[ONSET_KINDS];
};

struct onsets {
    const struct summary *summary;
    const struct summary_axis *axis;
    bool logarithmic;
    bool apart[RUN_FIELD_COUNT + 2]; /* whether axis a of the summary tells curves apart */
    size_t count;
    const struct onset_curve *curves; /* in the order of the plan */
    size_t longest;                   /* most points of a curve */
};

/* The curves along `axis`, one of the summary of `set`. x[g] is the place of group g, NaN for one
 * that has none; crossings are interpolated in ln x when `logarithmic`. A numeric axis that varies
 * with this one alone, as in a zip, does not tell curves apart. */
bool onsets_find(const struct result_set *set, const struct summary *summary,
                 const struct summary_axis *axis, const double *x, bool logarithmic,
                 struct arena *arena, struct onsets *out, struct error *err) MUST_CHECK;

/* The measure that a kind of onset is about, and the threshold of a curve for it. */
enum measurement_field onset_measure(enum onset_kind kind);
double onset_threshold(const struct onset_curve *curve, enum onset_kind kind);

#endif
