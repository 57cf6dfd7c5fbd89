/* SPDX-License-Identifier: MIT */
/* Curves that lie upon each other in a panel, so that the lower ones can be made to show. */
#ifndef REPORT_COINCIDENCE_H
#define REPORT_COINCIDENCE_H

#include "report/panels.h"

/* How many curves before and behind this one, as they are drawn, lie upon it for two thirds of its
 * points or more. None where curves stand aside of each other or a single one is drawn for all. */
struct coincidence {
    size_t below, above;
};

struct coincidence coincidence_of(const struct panels *panels, size_t measure, size_t column,
                                  size_t line);

/* Whether any curve of these panels lies upon another. */
bool coincidence_any(const struct panels *panels);

/* The pattern of dashes for a curve on so many others, for gnuplot, and the factor by which its
 * marks are larger with so many upon it. */
const char *coincidence_dashes(size_t below);
double coincidence_growth(size_t above);

#endif
