/* SPDX-License-Identifier: MIT */
/* The parts of the panel's page, which cmake/panel.cmake makes from the files in report/panel/. */
#ifndef REPORT_PANEL_TEMPLATE_H
#define REPORT_PANEL_TEMPLATE_H

/* Texts, terminated. The page has the marks {{policy}}, {{title}}, {{style}}, {{data}} and
 * {{script}}, each once and in this order. */
extern const unsigned char panel_page[];
extern const unsigned char panel_style[];
extern const unsigned char panel_script[];

#endif
