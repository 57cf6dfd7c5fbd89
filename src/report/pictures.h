/* SPDX-License-Identifier: MIT */
/* Rendered files: is a picture complete, and putting it in its place. */
#ifndef REPORT_PICTURES_H
#define REPORT_PICTURES_H

#include "report/picture_note.h"

enum { PICTURE_FORMATS = 3 };

/* The formats in the order of preference; a whole file begins and ends as told here. */
struct picture_format {
    unsigned bit;      /* REPORT_... */
    const char *name;  /* extension */
    const char *label; /* for links */
    const char *start;
    const char *end;
    size_t start_size, end_size;
    bool space_after; /* white space may follow the end */
};

extern const struct picture_format picture_formats[PICTURE_FORMATS];

/* Whether the bytes are a whole file of that format: "png" ends in its IEND chunk, "svg" in
 * </svg>, "pdf" in %%EOF. gnuplot reports success on a full disk, so its word is not enough. */
bool picture_complete(const char *format, const char *bytes, size_t size);

/* Makes the bytes of a PDF independent of the hour: the digits of its creation date become those
 * of 1970, at the same length. */
void picture_undate(char *bytes, size_t size);

/* What is to become of a rendered file. */
struct picture_place {
    const char *folder;
    const char *temporary, *name; /* in it: from, to */
    const char *format;
    const struct picture_note *note; /* to be put into it; NULL: none */
};

/* Checks the temporary file, puts the note into it and moves it to its name; removes it in any
 * case. False with `err` (ERROR_FIGURES where it is not complete) set. */
bool picture_install(const struct picture_place *place, struct arena *arena,
                     struct error *err) MUST_CHECK;

#endif
