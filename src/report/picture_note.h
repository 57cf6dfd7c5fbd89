/* SPDX-License-Identifier: MIT */
/* Where a picture comes from, in its own metadata. */
#ifndef REPORT_PICTURE_NOTE_H
#define REPORT_PICTURE_NOTE_H

#include "base/arena.h"
#include "run/results.h"

/* Printable text, one line each. */
struct picture_note {
    const char *title;
    const char *software;    /* "rowmax 0.1.0" */
    const char *description; /* "rowmax 0.1.0, sweep scale-guards, SHA-256 of the sweep ..." */
};

/* That of a set, without a title. */
bool picture_note_make(const struct result_set *set, struct arena *arena, struct picture_note *out,
                       struct error *err) MUST_CHECK;

/* The bytes of a whole picture with the note in them, and their number. A PNG gets text chunks
 * behind its head, an SVG its title and description, a PDF a new information dictionary at its end.
 * What has no place for the note is returned as it is. NULL when memory is short. */
const char *picture_note_add(const struct picture_note *note, const char *format, const char *bytes,
                             size_t size, struct arena *arena, size_t *new_size,
                             struct error *err) MUST_CHECK;

#endif
