/* SPDX-License-Identifier: MIT */
/* Course data as a folder of JSON files; docs/course-data.md says what they hold. */
#ifndef REPORT_COURSE_FILES_H
#define REPORT_COURSE_FILES_H

#include "summary/course.h"

#include "base/text.h"

/* The index, and the file of a pair. */
void course_append_index(struct text *text, const struct course *course);
void course_append_pair(struct text *text, const struct course *course,
                        const struct course_pair *pair);

/* What a reader is told where weights are missing; NULL when none is. */
const char *course_note(const struct course *course, struct arena *arena,
                        struct error *err) MUST_CHECK;

/* Writes all files to `folder`, which is made if missing: first under other names and synced, so
 * that a full disk leaves an earlier export whole, then each under its own, the index last. `old`,
 * the index of that earlier export or NULL, names the files that are removed then if the course has
 * them no more, and *removed tells how many did; no other file is touched. */
bool course_write(const struct course *course, const struct course *old, const char *folder,
                  size_t *removed, struct arena *arena, struct error *err) MUST_CHECK;

#endif
