/* SPDX-License-Identifier: MIT */
/* Rows that have no weights, and weights that are no shares: what has to be said beside a verdict.
 */
#ifndef REPORT_UNDEFINED_H
#define REPORT_UNDEFINED_H

#include "report/scope.h"
#include "report/sections.h"

/* A paragraph that counts the runs with rows without weights and names their settings; nothing when
 * there are none. */
bool undefined_append(const struct sections *sections, struct error *err) MUST_CHECK;

/* A sentence for each way to make weights whose row-max cannot be read like that of softmax. */
void undefined_append_weights(struct text *out, const struct scope *scope);

#endif
