/* SPDX-License-Identifier: MIT */
/* What the files of `rowmax export` share. */
#ifndef CLI_EXPORT_INTERNAL_H
#define CLI_EXPORT_INTERNAL_H

#include "base/text.h"
#include "cli/cli_internal.h"
#include "summary/course.h"

/* Reads the index of an export, and with `whole` its pairs. */
bool load_course(const char *folder, bool whole, struct arena *arena, struct course *out,
                 struct error *err) MUST_CHECK;

/* One line a change, tab-separated under a heading; then, or with `brief` alone, a line for each
 * measure that moved and a line that sums up. */
void export_append_changes(struct text *text, const struct course_moves *moves, bool brief);

/* Writes the course data of the selection, or says with --diff what moved, or both. */
bool export_module(const struct options *options, const struct result_set *set,
                   const struct selection *selection, struct arena *arena,
                   struct error *err) MUST_CHECK;

#endif
