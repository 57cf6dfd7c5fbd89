/* SPDX-License-Identifier: MIT */
/* The bands of intervals along curves, cut where they leave a panel: gnuplot 5.4 draws parts of
 * them beside it otherwise. */
#ifndef REPORT_BANDS_H
#define REPORT_BANDS_H

#include "report/panels.h"

/* The data block "$bCOLUMNlLINEmMEASURE" of every band: x, low end, high end. */
void bands_append_blocks(struct text *script, const struct panels *panels);

/* Whether a curve has such a block. */
bool bands_drawn(const struct panels *panels, size_t measure, size_t column, size_t line);

#endif
