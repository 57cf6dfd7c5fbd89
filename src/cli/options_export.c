/* SPDX-License-Identifier: MIT */
/* Values of the options of export. */
#include "cli/options.h"

#include <assert.h>
#include <string.h>

static bool take_format(const char *value, enum export_format *out)
{
    for (int i = 0; export_names[i] != NULL; i++) {
        if (strcmp(value, export_names[i]) == 0) {
            *out = (enum export_format)(EXPORT_CSV + i);
            return true;
        }
    }
    return false;
}

static bool take_text(const char *value, const char **out)
{
    *out = value;
    return value[0] != '\0';
}

bool options_export_take(uint64_t bit, const char *value, struct export_options *out)
{
    switch (bit) {
    case OPTION_EXPORT_FORMAT:
        return take_format(value, &out->format);
    case OPTION_FIELDS:
        return take_text(value, &out->fields);
    case OPTION_WHERE:
        out->where[out->where_count++] = value;
        return value[0] != '\0';
    case OPTION_DIFF:
        return take_text(value, &out->diff) && strcmp(value, "-") != 0;
    default:
        assert(bit == OPTION_STRICT);
        out->strict = true;
        return true;
    }
}
