/* SPDX-License-Identifier: MIT */
/* The main figure when settings stand one below the other: a dot for each, one panel a measure. */
#ifndef REPORT_SETTING_ROWS_H
#define REPORT_SETTING_ROWS_H

#include "report/labels.h"

/* Draws the only column of the panels of a view in rows; sets the canvas' size. */
bool rows_draw(struct canvas *canvas, const struct result_set *set, const struct panels *panels,
               const char *name, struct arena *arena, struct error *err) MUST_CHECK;

#endif
