/* SPDX-License-Identifier: MIT */
/* Which characters the fonts of this machine have. Where none has a character, gnuplot's PNG and
 * PDF get a box many times too large, which covers the whole picture. */
#ifndef REPORT_FONTS_H
#define REPORT_FONTS_H

#include "base/arena.h"

#include <stdint.h>

struct fonts_range {
    uint32_t first, last;
};

/* The characters of all fonts together. */
struct fonts {
    size_t count;
    const struct fonts_range *ranges;
};

/* Asks fontconfig's `program` ("fc-list"). Where that is missing, the fonts are taken to have the
 * letters that all have: Latin, Greek and Cyrillic. False only when memory is short. */
bool fonts_find(const char *program, struct arena *arena, struct fonts *out,
                struct error *err) MUST_CHECK;

/* Whether a font has the character, or it is one that is not drawn. */
bool fonts_have(const struct fonts *fonts, uint32_t code);

/* Whether a text has characters for which it is worth asking. */
bool fonts_needed(const char *any);

/* The text with '□' for every character that no font has; the text itself when there is none. */
const char *fonts_replace(const struct fonts *fonts, const char *any, struct arena *arena,
                          struct error *err) MUST_CHECK;

#endif
