/* SPDX-License-Identifier: MIT */
/* See escape.h. */
#include "base/escape.h"

#include <math.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* How one character is written; NULL when it stands for itself. */
typedef const char *spelling(uint32_t code);

static void append_spelled(struct text *text, const char *value, spelling *spell)
{
    size_t size = strlen(value);
    size_t step = 0;
    for (size_t at = 0; at < size; at += step) {
        uint32_t code = 0;
        step = text_utf8_step(value + at, size - at, &code);
        const char *spelled = step == 0 ? REPLACEMENT : spell(code);
        if (spelled == NULL) {
            text_append_bytes(text, value + at, step);
        } else {
            text_append(text, spelled);
        }
        step = step == 0 ? 1 : step;
    }
}

static const char *spell_json(uint32_t code)
{
    static const char controls[32][7] = {
        "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",
        "\\b",     "\\t",     "\\n",     "\\u000B", "\\f",     "\\r",     "\\u000E", "\\u000F",
        "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017",
        "\\u0018", "\\u0019", "\\u001A", "\\u001B", "\\u001C", "\\u001D", "\\u001E", "\\u001F"};
    switch (code) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case 0x7F:
        return "\\u007F";
    default:
        return code < 0x20 ? controls[code] : NULL;
    }
}

void escape_json(struct text *text, const char *value)
{
    text_append(text, "\"");
    append_spelled(text, value, spell_json);
    text_append(text, "\"");
}

static const char *spell_json_script(uint32_t code)
{
    switch (code) {
    case '<':
        return "\\u003C";
    case '>':
        return "\\u003E";
    case '&':
        return "\\u0026";
    case 0x2028:
        return "\\u2028";
    case 0x2029:
        return "\\u2029";
    default:
        return spell_json(code);
    }
}

void escape_json_script(struct text *text, const char *value)
{
    text_append(text, "\"");
    append_spelled(text, value, spell_json_script);
    text_append(text, "\"");
}

void escape_json_number(struct text *text, double value)
{
    char number[TEXT_REAL_SIZE];
    text_append(text, isfinite(value) ? text_from_real(value, number) : "null");
}

/* White space is spelled out because an attribute would turn it into blanks. */
static const char *spell_xml(uint32_t code)
{
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

static const char *spell_github(uint32_t code)
{
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

static const char *spell_github_property(uint32_t code)
{
    if (code == ':') {
        return "%3A";
    }
    return code == ',' ? "%2C" : spell_github(code);
}

void escape_github(struct text *text, const char *value, bool property)
{
    append_spelled(text, value, property ? spell_github_property : spell_github);
}
