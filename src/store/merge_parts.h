/* SPDX-License-Identifier: MIT */
/* What merge.c asks about the parts as wholes. */
#ifndef STORE_MERGE_PARTS_H
#define STORE_MERGE_PARTS_H

#include "store/merge.h"

/* Whether all parts are of one sweep and of that version. */
bool merge_check_same(const struct merge_part *parts, size_t count, const char *version,
                      struct error *err) MUST_CHECK;

/* Fills out->set but for its rows, out->differing and out->spellings. */
bool merge_describe(const struct merge_part *parts, size_t count, struct arena *arena,
                    struct merge_result *out, struct error *err) MUST_CHECK;

/* One line: how many of the planned runs come from no part, and the shards to run again, or, where
 * the parts are no shards of one division, the runs. NULL when memory is short. */
const char *merge_list_missing(const struct merge_part *parts, size_t count,
                               const struct merge_part *const *from, size_t planned,
                               struct arena *arena, struct error *err) MUST_CHECK;

#endif
