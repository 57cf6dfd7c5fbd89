/* SPDX-License-Identifier: MIT */
/* Two small pictures, one of a word and one of nothing: the same where gnuplot finds no font, of
 * which it says nothing. */
#ifndef REPORT_PROBE_H
#define REPORT_PROBE_H

#include "report/gnuplot.h"

enum { PROBE_PICTURES = 2 };

/* Writes their scripts into a folder and fills in what gnuplot_render needs. */
bool probe_prepare(const char *folder, struct picture pictures[PROBE_PICTURES], struct arena *arena,
                   struct error *err) MUST_CHECK;

/* Whether both were rendered and show the same. */
bool probe_blank(const char *folder, const struct picture pictures[PROBE_PICTURES],
                 struct arena *arena);

/* Removes scripts and pictures. */
void probe_remove(const char *folder);

/* Why no picture has letters then. */
extern const char probe_reason[];

#endif
