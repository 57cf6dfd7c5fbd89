/* SPDX-License-Identifier: MIT */
/* Axes of a sweep that move together, as those of a zip do: what holds of a value of one may be due
 * to that of another, so that all are named. */
#ifndef REPORT_TOGETHER_H
#define REPORT_TOGETHER_H

#include "report/sections.h"

/* Whether each value of one axis comes with one of the other, and the other way round: partner[v]
 * is then the value of the other. `partner` has room for the values of the first. */
bool together_moves(const struct summary *summary, size_t axis, size_t other, size_t *partner);

/* " together with **qk_norm = l2** and **d_k = 64**": the values of all axes that move with this
 * one; nothing when none does. Of files that go together the first stands for all. */
bool together_append(const struct sections *sections, const struct summary_axis *axis, size_t value,
                     struct error *err) MUST_CHECK;

#endif
