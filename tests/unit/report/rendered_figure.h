/* SPDX-License-Identifier: MIT */
/* Renders a figure as gnuplot does for a report. */
#ifndef RENDERED_FIGURE_H
#define RENDERED_FIGURE_H

#include "report/figures.h"
#include "report/gnuplot.h"
#include "support.h"

#include <string.h>

/* As SVG; gnuplot must have nothing to complain about. */
static inline void expect_renders(const struct figure *figure, struct arena *arena)
{
    const struct report_options options = {support_folder(), REPORT_SVG, "gnuplot", 60};
    struct picture picture = {.name = "drawn", .format = "svg"};
    struct error err = ERROR_INIT;
    support_file("drawn.gp", figure->script, strlen(figure->script));
    assert_ok(gnuplot_render(&options, &picture, 1, arena, &err), err);
    ck_assert_msg(picture.reason == NULL, "%s: %s", figure->name, picture.reason);
}

#endif
