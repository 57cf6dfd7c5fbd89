/* SPDX-License-Identifier: MIT */
/* See column_check.h. */
#include "store/column_check.h"

#include <string.h>

static bool differs(const char *name, struct error *err)
{
    return error_set(err, ERROR_FILE, "the column '%s' does not read back as it was written", name);
}

/* A value of the column as column_read_integers gives it, or as the bytes of a real. */
static int64_t value_at(const struct column *column, size_t row)
{
    size_t at = column->constant ? 0 : row;
    int64_t value = 0;
    if (column->number == HDF_INT8) {
        const int8_t *codes = column->values;
        value = (int64_t)codes[at];
    } else if (column->number == HDF_INT32) {
        value = ((const int32_t *)column->values)[at];
    } else {
        memcpy(&value, (const char *)column->values + at * sizeof value, sizeof value);
    }
    return value;
}

/* By bytes: a NaN equals itself, and 0 differs from -0. */
static bool same_values(const struct column *column, const void *found)
{
    if (hdf_width(column->number) == sizeof(int64_t) && !column->constant) {
        return memcmp(column->values, found, column->count * sizeof(int64_t)) == 0;
    }
    const char *bytes = found;
    bool same = true;
    for (size_t row = 0; same && row < column->count; row++) {
        int64_t value;
        memcpy(&value, bytes + row * sizeof value, sizeof value);
        same = value == value_at(column, row);
    }
    return same;
}

bool column_check(const struct column_source *from, const struct column *column, void *room,
                  struct error *err)
{
    bool present = false;
    bool good = column->number == HDF_REAL
                    ? column_read_reals(from, column->name, column->count, room, &present, err)
                    : column_read_integers(from, column->name, column->count, room, &present, err);
    return good && ((present && same_values(column, room)) || differs(column->name, err));
}

static bool check_list(const struct column_source *from, const char *name, const char *const *texts,
                       size_t count, struct error *err)
{
    size_t found_count = 0;
    const char *const *found = NULL;
    bool present = false;
    if (!column_read_table(from, name, &found_count, &found, &present, err)) {
        return false;
    }
    bool same = present && found_count == count;
    for (size_t i = 0; same && i < count; i++) {
        same = strcmp(found[i], texts[i] == NULL ? "" : texts[i]) == 0;
    }
    return same || differs(name, err);
}

bool column_check_table(const struct column_source *from, const char *name, const char *second,
                        const struct texts *texts, struct error *err)
{
    return check_list(from, name, texts->list, texts->count, err) &&
           (second == NULL || check_list(from, second, texts->second, texts->count, err));
}
