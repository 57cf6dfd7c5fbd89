/* SPDX-License-Identifier: MIT */
/* UTF-8 checks and texts made safe to print; declared in text.h. */
#include "base/text.h"

#include <string.h>

size_t text_utf8_step(const char *bytes, size_t size, uint32_t *code)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)bytes[0];
    if (lead < 0x80) {
        *code = lead;
        return 1;
    }
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || length > size) {
        return 0;
    }
    uint32_t value = lead & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        unsigned char next = (unsigned char)bytes[i];
        if ((next & 0xC0) != 0x80) {
            return 0;
        }
        value = value << 6 | (next & 0x3FU);
    }
    bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    *code = value;
    return value < smallest[length] || value > 0x10FFFF || surrogate ? 0 : length;
}

size_t text_utf8_error(const char *bytes, size_t size)
{
    size_t at = 0;
    while (at < size) {
        uint32_t code;
        size_t length = text_utf8_step(bytes + at, size - at, &code);
        if (length == 0) {
            return at;
        }
        at += length;
    }
    return size;
}

static bool unprintable(uint32_t code)
{
    bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return control || direction || code == 0x2028 || code == 0x2029;
}

char *text_printable(const char *text, char *out, size_t size)
{
    size_t length = strlen(text);
    size_t used = 0;
    size_t at = 0;
    while (at < length) {
        uint32_t code = 0;
        size_t step = text_utf8_step(text + at, length - at, &code);
        bool bad = step == 0 || unprintable(code);
        size_t needed = bad ? 1 : step;
        if (used + needed + 1 > size) {
            break;
        }
        if (bad) {
            out[used] = '?';
        } else {
            memcpy(out + used, text + at, step);
        }
        used += needed;
        at += step == 0 ? 1 : step;
    }
    out[used] = '\0';
    return out;
}
