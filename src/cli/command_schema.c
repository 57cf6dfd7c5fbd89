/* SPDX-License-Identifier: MIT */
/* rowmax schema: the JSON Schema of the sweep file. */
#include "cli/cli_internal.h"

#include <stdio.h>

bool command_schema(const struct options *options, struct arena *arena, struct error *err)
{
    (void)options;
    const char *schema = sweep_schema(arena, err);
    if (schema != NULL) {
        fputs(schema, stdout);
    }
    return schema != NULL;
}
