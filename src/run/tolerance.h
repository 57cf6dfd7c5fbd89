/* SPDX-License-Identifier: MIT */
/* How far a measure may move from its baseline, and which way is the better one. */
#ifndef RUN_TOLERANCE_H
#define RUN_TOLERANCE_H

#include "run/fields.h"

/* A value that moved stays within |now - baseline| <= atol + rtol |baseline|. */
struct tolerance {
    double atol, rtol;
};

/* `field` of a condition on the three guard switches together, and `measure` of a rule for every
 * measure. */
enum { TOLERANCE_GUARDS = RUN_FIELD_COUNT, TOLERANCE_EVERY = MEASUREMENT_FIELD_COUNT };

/* Met by a run whose value of the field is one of these. */
struct tolerance_condition {
    int field; /* enum run_field or TOLERANCE_GUARDS */
    size_t count;
    const double *numbers;    /* rising, as field_value_number; masks of guards; NULL for texts */
    const char *const *texts; /* for fields that are texts */
};

/* One rule of a tolerance file; NaN where it leaves a part to the default of the measure. */
struct tolerance_rule {
    int measure; /* enum measurement_field or TOLERANCE_EVERY */
    double atol, rtol;
    const struct tolerance_condition *conditions; /* all of them are to be met */
    size_t condition_count;
};

struct tolerance_set {
    const struct tolerance_rule *rules;
    size_t count;
};

/* What holds without a rule. Counts must be equal. Reals have rtol 1e-8, ten times what another
 * processor or BLAS kernel changes where a corpus is involved, and atol 1e-10, so that values about
 * 0 (the gradient of a saturated row) are not held to their last bit. */
struct tolerance tolerance_default(int measure);

/* Of the rules that name the measure and whose conditions the run meets, the last one; failing that
 * the last one for every measure; failing that the default. */
struct tolerance tolerance_of(const struct tolerance_set *set, int measure, const struct run *run);

/* Which way a measure is to move to be further from saturation. */
enum measure_direction { DIRECTION_NONE, DIRECTION_LOWER, DIRECTION_HIGHER };

/* DIRECTION_NONE where neither way is better in itself: spreads, lengths, counts of the input, and
 * the gradients at the projections, which grow with the input as well. */
enum measure_direction measure_direction(int measure);

/* "lower is better", "higher is better", "any change". */
const char *measure_direction_text(enum measure_direction direction);

#endif
