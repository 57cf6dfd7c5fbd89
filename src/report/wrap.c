/* SPDX-License-Identifier: MIT */
/* Breaking labels; see wrap.h. */
#include "report/wrap.h"

#include "report/canvas.h"
#include "report/columns.h"

#include <string.h>

static const double bold_factor = 1.12; /* of the width of plain text */

size_t wrap_length(const char *any)
{
    return columns_count(any);
}

size_t wrap_room(double width, double size, bool bold)
{
    double room = width / (CANVAS_ADVANCE * size * (bold ? bold_factor : 1));
    return room < 4 ? 4 : (size_t)room;
}

/* Byte at which the characters end that take no more columns; at least one character. */
static size_t byte_of(const char *any, size_t limit)
{
    size_t at = 0;
    size_t used = 0;
    while (any[at] != '\0') {
        uint32_t code = 0;
        size_t columns = 0;
        size_t step = columns_step(any + at, &code, &columns);
        used += columns;
        if (used > limit && at > 0) {
            break;
        }
        at += step;
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
