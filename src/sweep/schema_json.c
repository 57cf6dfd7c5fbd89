/* SPDX-License-Identifier: MIT */
/* See schema_json.h. */
#include "sweep/schema_json.h"

#include "base/escape.h"

void json_begin(struct json *json, const char *name)
{
    text_append(&json->text, json->filled ? ",\n" : json->depth == 0 ? "" : "\n");
    for (size_t i = 0; i < json->depth; i++) {
        text_append(&json->text, "  ");
    }
    if (name != NULL) {
        escape_json(&json->text, name);
        text_append(&json->text, ": ");
    }
    json->filled = true;
}

void json_open(struct json *json, const char *name, const char *bracket)
{
    json_begin(json, name);
    text_append(&json->text, bracket);
    json->depth++;
    json->filled = false;
}

void json_close(struct json *json, const char *bracket)
{
    json->depth--;
    if (json->filled) {
        text_append(&json->text, "\n");
        for (size_t i = 0; i < json->depth; i++) {
            text_append(&json->text, "  ");
        }
    }
    text_append(&json->text, bracket);
    json->filled = true;
}

void json_put(struct json *json, const char *name, const char *value)
{
    json_begin(json, name);
    text_append(&json->text, value);
}

void json_put_text(struct json *json, const char *name, const char *value)
{
    json_begin(json, name);
    escape_json(&json->text, value);
}

void json_put_number(struct json *json, const char *name, double value)
{
    json_begin(json, name);
    escape_json_number(&json->text, value);
}
