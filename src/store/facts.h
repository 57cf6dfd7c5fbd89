/* SPDX-License-Identifier: MIT */
/* What a results file says about its sweep as a whole: root attributes and the sweep's text. */
#ifndef STORE_FACTS_H
#define STORE_FACTS_H

#include "run/results.h"
#include "store/column_read.h"

#define FACTS_FORMAT 1

bool facts_write(hid_t file, const struct result_set *set, struct error *err) MUST_CHECK;

/* Refuses what is not a results file of this format before anything else is read. */
bool facts_read(const struct column_source *from, struct result_set *set,
                struct error *err) MUST_CHECK;

/* Whether two sets agree in all but their rows. */
bool facts_equal(const struct result_set *a, const struct result_set *b);

#endif
