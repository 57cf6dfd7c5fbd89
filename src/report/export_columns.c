/* SPDX-License-Identifier: MIT */
/* The columns of an export and their values; see export.h. */
#include "report/export_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PIECE ((size_t)1 << 16) /* bytes that are handed over at once */

static const char *const own_names[] = {[EXPORT_RUN] = "run",
                                        [EXPORT_STATUS] = "status",
                                        [EXPORT_MESSAGE] = "message",
                                        [EXPORT_KEY] = "run_key"};
enum { OWN_COUNT = sizeof own_names / sizeof own_names[0] };

enum { EVERY_COUNT = OWN_COUNT + 1 + RUN_FIELD_COUNT + MEASUREMENT_FIELD_COUNT };

/* The columns there can be, in their order. A field with the name of a measure is "_requested", as
 * in the results file. */
static bool list_every(struct arena *arena, struct export_column every[EVERY_COUNT],
                       struct error *err)
{
    size_t count = 0;
    for (int i = 0; i < OWN_COUNT; i++) {
        every[count++] = (struct export_column){(enum export_part)i, 0, own_names[i]};
    }
    for (int f = 0; f < RUN_FIELD_COUNT; f++) {
        const char *name = run_fields[f].name;
        if (f == RUN_GUARD_INIT) { /* which tells where the set has a meaning */
            every[count++] = (struct export_column){EXPORT_GUARDS, f, "guards"};
        }
        if (measurement_field_find(name) != NULL) {
            name = arena_format(arena, err, "%s_requested", name);
        }
        every[count++] = (struct export_column){EXPORT_FIELD, f, name};
    }
    for (int m = 0; m < MEASUREMENT_FIELD_COUNT; m++) {
        every[count++] = (struct export_column){EXPORT_MEASURE, m, measurement_fields[m].name};
    }
    return err->code == ERROR_NONE;
}

/* Bit f: the field has a meaning for one of the rows. */
static uint64_t fields_met(const struct selection *selection)
{
    uint64_t met = 0;
    int source = -1;
    int learner = -1;
    for (size_t i = 0; i < selection->count; i++) {
        struct run values;
        const struct run *run = &values;
        result_run(selection->set, selection->rows[i], &values);
        if (run->source == source && run->learner == learner) {
            continue;
        }
        source = run->source;
        learner = run->learner;
        for (int f = 0; f < RUN_FIELD_COUNT; f++) {
            met |= run_field_applies(run, (enum run_field)f) ? UINT64_C(1) << f : 0;
        }
    }
    return met;
}

static bool is_lacking(const struct result_set *set, const struct export_column *column)
{
    return column->part == EXPORT_MEASURE && (set->lacking >> column->index & 1) != 0;
}

static bool refuse_name(const char *name, const struct export_column every[EVERY_COUNT],
                        struct error *err)
{
    const char *names[EVERY_COUNT];
    for (size_t i = 0; i < EVERY_COUNT; i++) {
        names[i] = every[i].name;
    }
    const char *nearest = text_nearest(name, names, EVERY_COUNT);
    if (nearest == NULL) {
        return error_set(err, ERROR_USAGE,
                         "--fields: no column '%s'; see 'rowmax fields', and run, status, message, "
                         "run_key, guards",
                         name);
    }
    return error_set(err, ERROR_USAGE, "--fields: no column '%s'; did you mean '%s'?", name,
                     nearest);
}

static bool choose(const struct result_set *set, const char *name,
                   const struct export_column every[EVERY_COUNT], struct export_column *columns,
                   size_t count, struct error *err)
{
    size_t place = 0;
    while (place < EVERY_COUNT && strcmp(every[place].name, name) != 0) {
        place++;
    }
    if (place == EVERY_COUNT) {
        return refuse_name(name, every, err);
    }
    for (size_t i = 0; i < count; i++) {
        if (columns[i].name == every[place].name) {
            return error_set(err, ERROR_USAGE, "--fields: '%s' is there twice", name);
        }
    }
    columns[count] = every[place];
    return !is_lacking(set, &every[place]) ||
           error_set(err, ERROR_INPUT,
                     "--fields: the results, of another version, have no measure '%s'", name);
}

static bool choose_all(const struct result_set *set, const char *names,
                       const struct export_column every[EVERY_COUNT], struct arena *arena,
                       struct export_column *columns, size_t *count, struct error *err)
{
    char *list = arena_copy_text(arena, names, err);
    bool good = list != NULL;
    while (good && list != NULL) {
        char *comma = strchr(list, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        good = choose(set, list, every, columns, *count, err);
        (*count)++;
        list = comma == NULL ? NULL : comma + 1;
    }
    return good;
}

bool export_choose_columns(const struct result_set *set, const struct selection *selection,
                           const char *names, struct arena *arena, struct export_table *out,
                           struct error *err)
{
    struct export_column every[EVERY_COUNT];
    /* One more than there can be: a name that is there twice is looked at before it is refused. */
    struct export_column *columns = arena_alloc(arena, EVERY_COUNT + 1, sizeof *columns, err);
    size_t count = 0;
    if (columns == NULL || !list_every(arena, every, err)) {
        return false;
    }
    uint64_t met = names == NULL ? fields_met(selection) : 0;
    for (size_t i = 0; names == NULL && i < EVERY_COUNT; i++) {
        bool idle = (every[i].part == EXPORT_FIELD || every[i].part == EXPORT_GUARDS) &&
                    (met >> every[i].index & 1) == 0;
        if (!idle && !is_lacking(set, &every[i])) {
            columns[count++] = every[i];
        }
    }
    if (names != NULL && !choose_all(set, names, every, arena, columns, &count, err)) {
        return false;
    }
    *out = (struct export_table){set, selection, columns, count};
    return true;
}

static void fill_real(struct cell *out, double value)
{
    out->kind = CELL_REAL;
    out->real = value;
}

static void fill_integer(struct cell *out, int64_t value)
{
    out->kind = CELL_INTEGER;
    out->integer = value;
}

static void fill_text(struct cell *out, const char *value)
{
    out->kind = value == NULL || value[0] == '\0' ? CELL_NOTHING : CELL_TEXT;
    out->text = value;
}

static void fill_field(struct cell *out, enum run_field index, const struct run *run)
{
    const struct field *field = &run_fields[index];
    char ignored[FIELD_VALUE_SIZE];
    if (!run_field_applies(run, index)) {
        return;
    }
    double number = field_value_number(field, run);
    switch (field->kind) {
    case FIELD_INTEGER:
        fill_integer(out, (int64_t)number); /* the table keeps them below 2^53 */
        break;
    case FIELD_REAL:
        fill_real(out, number);
        break;
    case FIELD_SWITCH:
        out->kind = CELL_SWITCH;
        out->on = number != 0;
        break;
    case FIELD_CHOICE:
    case FIELD_TEXT:
    case FIELD_ROWS:
    case FIELD_PATH:
        fill_text(out, field_value_text(field, run, ignored));
        break;
    }
}

static void fill_measure(struct cell *out, const struct export_table *table,
                         const struct result *row, enum measurement_field measure)
{
    double value = selection_measure(table->set, row, measure);
    if (measurement_fields[measure].kind == FIELD_INTEGER && !isnan(value)) {
        fill_integer(out, (int64_t)value);
    } else {
        fill_real(out, value);
    }
}

void export_cell(const struct export_table *table, const struct result *row,
                 const struct export_column *column, struct cell *out)
{
    out->kind = CELL_NOTHING;
    switch (column->part) {
    case EXPORT_RUN:
        fill_integer(out, row->index);
        break;
    case EXPORT_STATUS:
        fill_text(out, selection_status(row->status));
        break;
    case EXPORT_MESSAGE:
        fill_text(out, row->message);
        break;
    case EXPORT_KEY:
        snprintf(out->key, sizeof out->key, "%016" PRIx64, row->key);
        fill_text(out, out->key);
        break;
    case EXPORT_GUARDS:
        fill_text(out, run_field_applies(&row->run, RUN_GUARD_INIT)
                           ? run_guards_name(run_guards_mask(&row->run))
                           : NULL);
        break;
    case EXPORT_FIELD:
        fill_field(out, (enum run_field)column->index, &row->run);
        break;
    case EXPORT_MEASURE:
        fill_measure(out, table, row, (enum measurement_field)column->index);
        break;
    }
}

bool export_flush(struct text *text, const struct export_sink *sink, bool all, struct error *err)
{
    if (!all && text->length < PIECE && !text->failed) {
        return true;
    }
    const char *bytes = text_finish(text, err);
    if (bytes == NULL || !sink->write(sink->context, bytes, text->length, err)) {
        return false;
    }
    text->length = 0;
    return true;
}
