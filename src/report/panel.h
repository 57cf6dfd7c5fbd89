/* SPDX-License-Identifier: MIT */
/* panel.html: one page without network or framework, in which a reader flips the guards. */
#ifndef REPORT_PANEL_H
#define REPORT_PANEL_H

#include "report/view.h"

struct panel {
    const char *page; /* HTML; NULL: there is none */
    const char *lack; /* then why, and what to put in the sweep: Markdown */
};

bool panel_make(const struct result_set *set, const struct view *view, struct arena *arena,
                struct panel *out, struct error *err) MUST_CHECK;

/* The link to the panel, or the reason why there is none. */
void panel_append_link(struct text *out, const struct panel *panel);

#endif
