/* SPDX-License-Identifier: MIT */
/* In which fields two results sets differ. */
#ifndef REPORT_CONTRASTS_H
#define REPORT_CONTRASTS_H

#include "base/text.h"
#include "report/report.h"

/* What a field is in one file and not in the other. */
struct contrast {
    const char *name;    /* of the field, "guards", or of a key of the sweep file */
    const char *only[2]; /* values, or "" */
};

struct contrasts {
    size_t count;
    const struct contrast *items;
};

/* The fields whose values differ, whatever the wording of the sweeps. */
bool contrasts_find(const struct report_side sides[2], struct arena *arena, struct contrasts *out,
                    struct error *err) MUST_CHECK;

/* ": d_k is 4 in the first and 8 in the second; seed is 3 in the second only", of the first few
 * fields; nothing where there are none. `places` is what the sets are called, as "in the first". */
void contrasts_append(struct text *text, const struct contrasts *contrasts,
                      const char *const places[2]);

#endif
