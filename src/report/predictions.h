/* SPDX-License-Identifier: MIT */
/* The table of predicted and measured score spreads. */
#ifndef REPORT_PREDICTIONS_H
#define REPORT_PREDICTIONS_H

#include "report/sections.h"

/* A line for every setting whose score spread has a closed form, at most 64 of them evenly from the
 * first to the last; nothing when no setting has one. */
bool predictions_append(const struct sections *sections, struct error *err) MUST_CHECK;

#endif
