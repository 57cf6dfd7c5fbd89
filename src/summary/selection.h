/* SPDX-License-Identifier: MIT */
/* The rows of a set that a reader asks for: those that the sweep holds, and of them those that meet
 * every condition FIELD=VALUE. */
#ifndef SUMMARY_SELECTION_H
#define SUMMARY_SELECTION_H

#include "base/arena.h"
#include "run/fields.h"
#include "run/results.h"

struct selection {
    const struct result_set *set;
    const uint32_t *rows; /* of the set, in the order of the plan */
    size_t count;
    size_t outside; /* rows of the set that its sweep no longer holds, which are left out */
};

/* Each condition names a field of a run, `guards` or `status`, and a value as a sweep spells it. Of
 * several with one field a row meets one, of different fields all; a field without a meaning for a
 * row is not met. ERROR_USAGE for what is no condition, ERROR_INPUT when no row is left. */
bool selection_make(const struct result_set *set, const char *const *conditions, size_t count,
                    struct arena *arena, struct selection *out, struct error *err) MUST_CHECK;

/* A measure of a row; NaN where the file knows no such measure, and where a failed run left the 0
 * of a count that it did not come to. */
double selection_measure(const struct result_set *set, const struct result *row,
                         enum measurement_field measure);

/* "ok" or "failed". */
const char *selection_status(int status);

#endif
