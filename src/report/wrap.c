/* SPDX-License-Identifier: MIT */
/* Breaking labels; see wrap.h. */
#include "report/wrap.h"

#include "report/canvas.h"

#include <string.h>

static const double bold_factor = 1.12; /* of the width of plain text */

static bool starts_character(char byte)
{
    return ((unsigned char)byte & 0xC0U) != 0x80U;
}

size_t wrap_length(const char *any)
{
    size_t characters = 0;
    for (; *any != '\0'; any++) {
        characters += starts_character(*any);
    }
    return characters;
}

size_t wrap_room(double width, double size, bool bold)
{
    double room = width / (canvas_text_width("m", size) * (bold ? bold_factor : 1));
    return room < 4 ? 4 : (size_t)room;
}

/* Byte at which the character of that number starts. */
static size_t byte_of(const char *any, size_t character)
{
    size_t at = 0;
    while (any[at] != '\0') {
        if (starts_character(any[at]) && character-- == 0) {
            break;
        }
        at++;
    }
    return at;
}

/* Byte after the first line: at the last blank that leaves it short enough, or else mid-word. */
static size_t break_of(const char *label, size_t limit)
{
    size_t end = byte_of(label, limit);
    size_t blank = end;
    while (blank > 0 && label[blank] != ' ') {
        blank--;
    }
    return blank > end / 3 ? blank : end;
}

bool wrap_label(const char *any, size_t limit, struct arena *arena, struct wrapped *out,
                struct error *err)
{
    const char *label = gnuplot_label(arena, any, SIZE_MAX, err);
    if (label == NULL) {
        return false;
    }
    *out = (struct wrapped){1, {label, NULL}};
    if (wrap_length(label) <= limit) {
        return true;
    }
    size_t end = break_of(label, limit);
    const char *rest = label + end + (label[end] == ' ');
    bool fits = wrap_length(rest) <= limit;
    out->count = 2;
    out->lines[0] = arena_format(arena, err, "%.*s", (int)end, label);
    out->lines[1] = gnuplot_label(arena, rest, fits ? limit : limit - 1, err);
    return out->lines[0] != NULL && out->lines[1] != NULL;
}

/* Byte after the last comma that leaves a line short enough, or else as for labels. */
static size_t comma_of(const char *label, size_t limit)
{
    size_t end = byte_of(label, limit);
    size_t comma = end;
    while (comma > 0 && !(label[comma - 1] == ',' && label[comma] == ' ')) {
        comma--;
    }
    return comma > end / 3 ? comma : break_of(label, limit);
}

size_t wrap_lines(const char *any, size_t limit, struct arena *arena, const char **lines,
                  size_t most, struct error *err)
{
    const char *rest = gnuplot_label(arena, any, SIZE_MAX, err);
    size_t count = 0;
    while (rest != NULL && count + 1 < most && wrap_length(rest) > limit) {
        size_t end = comma_of(rest, limit);
        lines[count] = arena_format(arena, err, "%.*s", (int)end, rest);
        if (lines[count++] == NULL) {
            return 0;
        }
        rest += end + (rest[end] == ' ');
    }
    if (rest == NULL) {
        return 0;
    }
    lines[count] = rest;
    return count + 1;
}
