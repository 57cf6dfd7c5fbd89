/* SPDX-License-Identifier: MIT */
/* Private to sweep/: JSON in the making, a member or an item a line. */
#ifndef SWEEP_SCHEMA_JSON_H
#define SWEEP_SCHEMA_JSON_H

#include "base/text.h"

struct json {
    struct text text;
    size_t depth;
    bool filled; /* the innermost object or list has a member */
};

/* The line of a member, up to its value; without a name (NULL) of an item. */
void json_begin(struct json *json, const char *name);

/* A member that is an object or a list, and its end. */
void json_open(struct json *json, const char *name, const char *bracket);
void json_close(struct json *json, const char *bracket);

/* A member whose value is JSON already, a text or a number. */
void json_put(struct json *json, const char *name, const char *value);
void json_put_text(struct json *json, const char *name, const char *value);
void json_put_number(struct json *json, const char *name, double value);

#endif
