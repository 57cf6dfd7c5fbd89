/* SPDX-License-Identifier: MIT */
/* See escape.h. */
#include "base/escape.h"

#include <math.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* How one character is written; NULL when it stands for itself. May use `out`. */
typedef const char *spelling(uint32_t code, char out[16]);

static void append_spelled(struct text *text, const char *value, spelling *spell)
{
    size_t size = strlen(value);
    size_t step = 0;
    for (size_t at = 0; at < size; at += step) {
        uint32_t code = 0;
        char out[16];
        step = text_utf8_step(value + at, size - at, &code);
        const char *spelled = step == 0 ? REPLACEMENT : spell(code, out);
        if (spelled == NULL) {
            text_append_bytes(text, value + at, step);
        } else {
            text_append(text, spelled);
        }
        step = step == 0 ? 1 : step;
    }
}

static char digit(uint32_t value)
{
    return "0123456789ABCDEF"[value & 15U];
}

static const char *spell_json(uint32_t code, char out[16])
{
    if (code == '"') {
        return "\\\"";
    }
    if (code == '\\') {
        return "\\\\";
    }
    if (code >= 0x20 && code != 0x7F) {
        return NULL;
    }
    memcpy(out, "\\u00", 4);
    out[4] = digit(code >> 4);
    out[5] = digit(code);
    out[6] = '\0';
    return out;
}

void escape_json(struct text *text, const char *value)
{
    text_append(text, "\"");
    append_spelled(text, value, spell_json);
    text_append(text, "\"");
}

void escape_json_number(struct text *text, double value)
{
    char number[TEXT_REAL_SIZE];
    text_append(text, isfinite(value) ? text_from_real(value, number) : "null");
}

/* White space is spelled out because an attribute would turn it into blanks. */
static const char *spell_xml(uint32_t code, char out[16])
{
    (void)out;
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    default:
        return code < 0x20 || code == 0xFFFE || code == 0xFFFF ? REPLACEMENT : NULL;
    }
}

void escape_xml(struct text *text, const char *value)
{
    append_spelled(text, value, spell_xml);
}

static const char *spell_github(uint32_t code, char out[16])
{
    (void)out;
    switch (code) {
    case '%':
        return "%25";
    case '\r':
        return "%0D";
    case '\n':
        return "%0A";
    default:
        return (code < 0x20 && code != '\t') || code == 0x7F ? REPLACEMENT : NULL;
    }
}

static const char *spell_github_property(uint32_t code, char out[16])
{
    if (code == ':') {
        return "%3A";
    }
    return code == ',' ? "%2C" : spell_github(code, out);
}

void escape_github(struct text *text, const char *value, bool property)
{
    append_spelled(text, value, property ? spell_github_property : spell_github);
}
