/* SPDX-License-Identifier: MIT */
/* Results as one JSON document or as JSON lines; see export.h. */
#include "report/export_internal.h"

#include "report/json.h"

#include <inttypes.h>
#include <math.h>

#define EXPORT_FORMAT 1

static void append_cell(struct text *text, const struct cell *cell)
{
    switch (cell->kind) {
    case CELL_NOTHING:
        text_append(text, "null");
        break;
    case CELL_INTEGER:
        text_append_format(text, "%" PRId64, cell->integer);
        break;
    case CELL_REAL:
        json_append_number(text, cell->real);
        break;
    case CELL_SWITCH:
        text_append(text, cell->on ? "true" : "false");
        break;
    case CELL_TEXT:
        json_append_string(text, cell->text);
        break;
    }
}

static const char *name_of_special(double value)
{
    return isnan(value) ? "nan" : value > 0 ? "infinity" : "-infinity";
}

/* `special` collects what null stands for. */
static void append_row(struct text *text, const struct export_table *table,
                       const struct result *row, struct text *special)
{
    special->length = 0;
    text_append(special, "");
    for (size_t c = 0; c < table->column_count; c++) {
        struct cell cell;
        export_cell(table, row, &table->columns[c], &cell);
        text_append(text, c == 0 ? "{\"" : ",\"");
        text_append(text, table->columns[c].name);
        text_append(text, "\":");
        append_cell(text, &cell);
        if (cell.kind == CELL_REAL && !isfinite(cell.real)) {
            text_append_format(special, "%s\"%s\":\"%s\"", special->length == 0 ? "" : ",",
                               table->columns[c].name, name_of_special(cell.real));
        }
    }
    text_append(text, ",\"not_finite\":{");
    text_append_bytes(text, special->data, special->length);
    text_append(text, "}}");
}

static bool append_rows(struct text *text, const struct export_table *table, const char *between,
                        const struct export_sink *sink, struct error *err)
{
    struct text special = TEXT_INIT(text->arena);
    bool good = true;
    for (size_t i = 0; good && i < table->selection->count; i++) {
        text_append(text, i == 0 ? "" : between);
        struct result space;
        append_row(text, table, result_row(table->set, table->selection->rows[i], &space),
                   &special);
        text->failed = text->failed || special.failed;
        good = export_flush(text, sink, false, err);
    }
    return good;
}

static void append_description(struct text *text, const char *name, const char *kind,
                               const char *label, const char *unit, const char *help)
{
    text_append_format(text, "    {\"name\":\"%s\",\"kind\":\"%s\",\"label\":", name, kind);
    json_append_string(text, label);
    text_append(text, ",\"unit\":");
    json_append_string(text, unit);
    text_append(text, ",\"description\":");
    json_append_string(text, help);
    text_append(text, "}");
}

static void append_own(struct text *text, const struct export_column *column)
{
    static const char *const kinds[] = {"integer", "text", "text", "text", "text"};
    static const char *const helps[] = {"place of the run in the sweep's plan", "ok or failed",
                                        "why a run failed",
                                        "identity of the run: 64 bits as 16 hexadecimal digits",
                                        "the guards that are on: none, init, init+scale, ..."};
    append_description(text, column->name, kinds[column->part], column->name, "",
                       helps[column->part]);
}

static void append_column(struct text *text, const struct export_column *column)
{
    static const char *const kinds[] = {"integer", "real", "switch", "text",
                                        "text",    "text", "text"};
    if (column->part != EXPORT_FIELD && column->part != EXPORT_MEASURE) {
        append_own(text, column);
        return;
    }
    const struct field *field = column->part == EXPORT_FIELD ? &run_fields[column->index]
                                                             : &measurement_fields[column->index];
    append_description(text, column->name, kinds[field->kind], field->label, field->unit,
                       field->help);
}

static void append_head(struct text *text, const struct export_table *table)
{
    const struct result_set *set = table->set;
    bool first = true;
    text_append_format(text, "{\n  \"rowmax_export\":%d,\n  \"name\":", EXPORT_FORMAT);
    json_append_string(text, set->name);
    text_append(text, ",\n  \"title\":");
    json_append_string(text, set->title);
    text_append_format(text, ",\n  \"planned_runs\":%" PRId64 ",\n  \"runs\":%zu,\n  \"facts\":{",
                       set->planned, table->selection->count);
    for (size_t i = 0; i < set->provenance_count; i++) {
        json_append_name(text, &first, set->provenance[i].name);
        json_append_string(text, set->provenance[i].value);
    }
    text_append(text, "},\n  \"sweep\":");
    json_append_string(text, set->sweep_text);
    text_append(text, ",\n  \"columns\":[\n");
    for (size_t c = 0; c < table->column_count; c++) {
        append_column(text, &table->columns[c]);
        text_append(text, c + 1 < table->column_count ? ",\n" : "\n");
    }
    text_append(text, "  ],\n  \"rows\":[\n");
}

bool export_json(const struct export_table *table, const struct export_sink *sink,
                 struct error *err)
{
    struct arena arena = {NULL};
    struct text text = TEXT_INIT(&arena);
    append_head(&text, table);
    bool good = append_rows(&text, table, ",\n", sink, err);
    text_append(&text, "\n  ]\n}\n");
    good = good && export_flush(&text, sink, true, err);
    arena_release(&arena);
    return good;
}

bool export_jsonl(const struct export_table *table, const struct export_sink *sink,
                  struct error *err)
{
    struct arena arena = {NULL};
    struct text text = TEXT_INIT(&arena);
    bool good = append_rows(&text, table, "\n", sink, err);
    text_append(&text, "\n");
    good = good && export_flush(&text, sink, true, err);
    arena_release(&arena);
    return good;
}
