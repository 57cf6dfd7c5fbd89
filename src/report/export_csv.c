/* SPDX-License-Identifier: MIT */
/* Results as CSV by RFC 4180; see export.h. Texts stand as they are: a cell that begins as a
 * formula would is not changed, as a program that reads names back needs them whole. */
#include "report/export_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Bytes that are not UTF-8 become U+FFFD. */
static void append_valid(struct text *text, const char *value)
{
    size_t size = strlen(value);
    size_t step = 0;
    for (size_t at = 0; at < size; at += step) {
        uint32_t code = 0;
        step = text_utf8_step(value + at, size - at, &code);
        if (step == 0) {
            text_append(text, "\xEF\xBF\xBD");
            step = 1;
        } else {
            text_append_bytes(text, value + at, step);
            text_append(text, code == '"' ? "\"" : "");
        }
    }
}

/* Blanks at either end are quoted too: some readers cut them off. */
static bool needs_quotes(const char *value)
{
    size_t size = strlen(value);
    return strpbrk(value, "\",\r\n") != NULL ||
           (size > 0 &&
            (strchr(" \t", value[0]) != NULL || strchr(" \t", value[size - 1]) != NULL));
}

static void append_text_cell(struct text *text, const char *value)
{
    const char *quote = needs_quotes(value) ? "\"" : "";
    text_append(text, quote);
    append_valid(text, value);
    text_append(text, quote);
}

static void append_cell(struct text *text, const struct cell *cell)
{
    char number[TEXT_REAL_SIZE];
    switch (cell->kind) {
    case CELL_NOTHING:
        break;
    case CELL_INTEGER:
        text_append_format(text, "%" PRId64, cell->integer);
        break;
    case CELL_REAL:
        text_append(text, isnan(cell->real) ? "" : text_from_real(cell->real, number));
        break;
    case CELL_SWITCH:
        text_append(text, cell->on ? "true" : "false");
        break;
    case CELL_TEXT:
        append_text_cell(text, cell->text);
        break;
    }
}

static void append_row(struct text *text, const struct export_table *table,
                       const struct result *row)
{
    size_t before = text->length;
    for (size_t c = 0; c < table->column_count; c++) {
        struct cell cell;
        export_cell(table, row, &table->columns[c], &cell);
        text_append(text, c == 0 ? "" : ",");
        append_cell(text, &cell);
    }
    /* An empty line is no row to most readers. */
    text_append(text, text->length == before ? "\"\"\r\n" : "\r\n");
}

bool export_csv(const struct export_table *table, const struct export_sink *sink, struct error *err)
{
    struct arena arena = {NULL};
    struct text text = TEXT_INIT(&arena);
    for (size_t c = 0; c < table->column_count; c++) {
        text_append_format(&text, "%s%s", c == 0 ? "" : ",", table->columns[c].name);
    }
    text_append(&text, "\r\n");
    bool good = true;
    for (size_t i = 0; good && i < table->selection->count; i++) {
        struct result space;
        append_row(&text, table, result_row(table->set, table->selection->rows[i], &space));
        good = export_flush(&text, sink, false, err);
    }
    good = good && export_flush(&text, sink, true, err);
    arena_release(&arena);
    return good;
}
