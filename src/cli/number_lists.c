/* SPDX-License-Identifier: MIT */
/* Lists of numbers in the form that job arrays have them: "0,3,17-19". */
#include "cli/folder.h"

#include "base/text.h"

void ranges_append(struct text *text, const bool *chosen, size_t count)
{
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        size_t start = i;
        while (i < count && chosen[i]) {
            i++;
        }
        if (i == start) {
            continue;
        }
        text_append_format(text, first ? "%zu" : ",%zu", start);
        if (i > start + 1) {
            text_append_format(text, "-%zu", i - 1);
        }
        first = false;
    }
}

/* The digits at *at as a number below `end`. */
static bool read_number(const char **at, size_t end, size_t *out)
{
    size_t number = 0;
    const char *digit = *at;
    for (; *digit >= '0' && *digit <= '9' && number < end; digit++) {
        number = 10 * number + (size_t)(*digit - '0');
    }
    bool good = digit > *at && number < end;
    *at = digit;
    *out = number;
    return good;
}

bool ranges_read(const char *text, size_t end, void (*each)(void *context, size_t place),
                 void *context)
{
    for (const char *at = text;; at++) {
        size_t first;
        size_t last;
        if (!read_number(&at, end, &first)) {
            return false;
        }
        last = first;
        if (*at == '-') {
            at++;
            if (!read_number(&at, end, &last) || last < first) {
                return false;
            }
        }
        for (size_t place = first; place <= last; place++) {
            each(context, place);
        }
        if (*at != ',') {
            return *at == '\0';
        }
    }
}
