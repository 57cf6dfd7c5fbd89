/* SPDX-License-Identifier: MIT */
/* See table.h. */
#include "table.h"

#include "base/files.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define TABLE_SIZE_MAX ((size_t)16 << 20)

/* Tables are few and small, and are wanted until the end. */
static struct arena memory;

/* The numbers of a field; as many as its blanks allow at most. */
static void read_values(char *field, struct table_entry *entry, struct error *err)
{
    double *values = arena_alloc(&memory, strlen(field) / 2 + 1, sizeof *values, err);
    assert_ok(values != NULL, *err);
    while (*field != '\0') {
        char *end;
        values[entry->count++] = strtod(field, &end);
        ck_assert_msg(end != field && (*end == ' ' || *end == '\0'), "not a number: %.40s", field);
        field = *end == ' ' ? end + 1 : end;
    }
    entry->values = values;
}

static struct table_entry read_entry(char *line, struct error *err)
{
    char *column = strchr(line, '\t');
    char *numbers = column == NULL ? NULL : strchr(column + 1, '\t');
    ck_assert_msg(numbers != NULL, "not a table line: %.40s", line);
    *column++ = '\0';
    *numbers++ = '\0';
    struct table_entry entry = {line, column, 0, NULL};
    read_values(numbers, &entry, err);
    return entry;
}

struct table table_read(const char *path)
{
    struct error err = ERROR_INIT;
    size_t size;
    char *text = files_read(path, TABLE_SIZE_MAX, &memory, &size, &err);
    assert_ok(text != NULL, err);
    size_t lines = 0;
    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n';
    }
    struct table_entry *entries = arena_alloc(&memory, lines, sizeof *entries, &err);
    assert_ok(entries != NULL, err);
    struct table table = {0, entries};
    char *rest = text;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (line[0] != '#') {
            entries[table.count++] = read_entry(line, &err);
        }
    }
    ck_assert_msg(table.count > 0, "'%s' is empty", path);
    return table;
}

const struct table_entry *table_find(struct table table, const char *row, const char *column)
{
    for (size_t i = 0; i < table.count; i++) {
        const struct table_entry *entry = &table.entries[i];
        if (strcmp(entry->row, row) == 0 && strcmp(entry->column, column) == 0) {
            return entry;
        }
    }
    return NULL;
}

const double *table_values(struct table table, const char *row, const char *column, size_t count)
{
    const struct table_entry *entry = table_find(table, row, column);
    ck_assert_msg(entry != NULL, "no entry '%s', '%s'", row, column);
    ck_assert_msg(entry->count == count, "'%s', '%s' holds %zu numbers", row, column, entry->count);
    return entry->values;
}

double table_number(struct table table, const char *row, const char *column)
{
    return table_values(table, row, column, 1)[0];
}
