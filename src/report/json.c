/* SPDX-License-Identifier: MIT */
/* See json.h. */
#include "report/json.h"

#include "base/escape.h"

void json_append_string(struct text *out, const char *value)
{
    if (value == NULL) {
        text_append(out, "null");
    } else {
        escape_json_script(out, value);
    }
}

void json_append_number(struct text *out, double value)
{
    escape_json_number(out, value);
}

void json_append_name(struct text *out, bool *first, const char *name)
{
    text_append(out, *first ? "" : ",");
    *first = false;
    json_append_string(out, name);
    text_append(out, ":");
}
