/* SPDX-License-Identifier: MIT */
/* Columns of a results file to the rows of a table; declared in reader_internal.h. Every column is
 * read whole and checked; of one whose values are all the same, one is kept. */
#include "store/reader_internal.h"

#include "store/column_values.h"
#include "store/writer.h"

#include <stdio.h>
#include <string.h>

/* Columns without which a row cannot be told from another. */
static bool is_required(enum run_field field)
{
    return field == RUN_SOURCE || field == RUN_D_MODEL || field == RUN_D_K || field == RUN_SEED ||
           run_field_is_guard((int)field);
}

static bool missing(const char *name, struct error *err)
{
    return error_set(err, ERROR_FILE, "the column '%s' is missing", name);
}

static bool out_of_range(const char *name, size_t row, struct error *err)
{
    return error_set(err, ERROR_FILE, "the column '%s' has a value in row %zu that means nothing",
                     name, row);
}

static int64_t *read_integers(struct reading *reading, const char *name, bool *present,
                              struct error *err)
{
    int64_t *values = arena_alloc(&reading->scratch, reading->count, sizeof *values, err);
    if (values == NULL ||
        !column_read_integers(&reading->from, name, reading->count, values, present, err)) {
        return NULL;
    }
    return values;
}

#define CODES_MAX 128

/* What each code of a column stands for here: the file names its choices, and their order may have
 * changed since. -1 for one that is not known. */
static bool read_codes(struct reading *reading, const struct field *field, const char *name,
                       int codes[CODES_MAX], struct error *err)
{
    const char *meanings = column_read_meanings(&reading->from, name, err);
    if (meanings == NULL) {
        return error_set(err, ERROR_FILE, "the column '%s' does not say what its codes mean", name);
    }
    char *words = arena_copy_text(&reading->scratch, meanings, err);
    char *rest = NULL;
    if (words == NULL) {
        return false;
    }
    for (int i = 0; i < CODES_MAX; i++) {
        codes[i] = -1;
    }
    char *word = strtok_r(words, " ", &rest);
    for (int i = 0; word != NULL && i < CODES_MAX; i++) {
        codes[i] = value_choice_find(field, word);
        word = strtok_r(NULL, " ", &rest);
    }
    return true;
}

/* Puts cells into a column of the runs. */
static bool put_cells(struct reading *reading, size_t column, const union run_cell *cells,
                      struct error *err)
{
    struct run_list *runs = &reading->table->runs;
    size_t same = 1;
    while (same < reading->count &&
           memcmp((const void *)&cells[same], (const void *)&cells[0], sizeof *cells) == 0) {
        same++;
    }
    if (same >= reading->count) {
        if (reading->count > 0) {
            run_list_share(runs, column, &cells[0]);
        }
        return true;
    }
    union run_cell *to = run_list_column(runs, column, err);
    if (to != NULL) {
        memcpy((void *)to, (const void *)cells, reading->count * sizeof *cells);
    }
    return to != NULL;
}

static bool take_choices(struct reading *reading, const struct field *field, const char *name,
                         union run_cell *cells, struct error *err)
{
    int codes[CODES_MAX];
    if (!read_codes(reading, field, name, codes, err)) {
        return false;
    }
    for (size_t row = 0; row < reading->count; row++) {
        int64_t value = cells[row].integer;
        if (value < 0 || value >= CODES_MAX || codes[value] < 0) {
            return out_of_range(name, row, err);
        }
        cells[row] = (union run_cell){0};
        cells[row].choice = codes[value];
    }
    return true;
}

static bool take_switches(struct reading *reading, const char *name, union run_cell *cells,
                          struct error *err)
{
    for (size_t row = 0; row < reading->count; row++) {
        int64_t value = cells[row].integer;
        if (value != 0 && value != 1) {
            return out_of_range(name, row, err);
        }
        cells[row] = (union run_cell){0};
        cells[row].on = value == 1;
    }
    return true;
}

static union run_cell *read_cells(struct reading *reading, const char *name, bool real,
                                  bool *present, struct error *err)
{
    union run_cell *cells = arena_alloc(&reading->scratch, reading->count, sizeof *cells, err);
    if (cells == NULL) {
        return NULL;
    }
    bool good =
        real ? column_read_reals(&reading->from, name, reading->count, &cells->real, present, err)
             : column_read_integers(&reading->from, name, reading->count, &cells->integer, present,
                                    err);
    return good ? cells : NULL;
}

static bool read_number_field(struct reading *reading, size_t index, const char *name,
                              bool *present, struct error *err)
{
    const struct field *field = &run_fields[index];
    union run_cell *cells = read_cells(reading, name, field->kind == FIELD_REAL, present, err);
    if (cells == NULL || !*present) {
        return cells != NULL;
    }
    bool good = field->kind == FIELD_CHOICE   ? take_choices(reading, field, name, cells, err)
                : field->kind == FIELD_SWITCH ? take_switches(reading, name, cells, err)
                                              : true;
    return good && put_cells(reading, index, cells, err);
}

/* A text column as it lies in the file: a place for each row in a table of texts. */
struct text_column {
    const int64_t *places;
    size_t count;
    const char *const *texts;
    const char *const *digests; /* NULL where there is no such table */
};

static bool read_digests(struct reading *reading, const char *name, struct text_column *column,
                         struct error *err)
{
    char digest_name[WRITER_NAME_SIZE + 16];
    size_t count = 0;
    bool present;
    snprintf(digest_name, sizeof digest_name, "%s_sha256", name);
    if (!column_read_table(&reading->from, digest_name, &count, &column->digests, &present, err)) {
        return false;
    }
    if (!present) {
        column->digests = NULL;
        return true;
    }
    return count == column->count ||
           error_set(err, ERROR_FILE, "the texts '%s' are not as many as '%s'", digest_name, name);
}

static bool read_text_column(struct reading *reading, const char *name, struct text_column *column,
                             bool *present, struct error *err)
{
    char index_name[WRITER_NAME_SIZE + 16];
    bool table;
    snprintf(index_name, sizeof index_name, "%s_index", name);
    column->places = read_integers(reading, index_name, present, err);
    if (column->places == NULL || !*present) {
        return column->places != NULL;
    }
    if (!column_read_table(&reading->from, name, &column->count, &column->texts, &table, err)) {
        return false;
    }
    if (!table) {
        return missing(name, err);
    }
    for (size_t row = 0; row < reading->count; row++) {
        int64_t place = column->places[row];
        if (place < -1 || place >= (int64_t)column->count) {
            return out_of_range(index_name, row, err);
        }
    }
    return read_digests(reading, name, column, err);
}

/* The texts of a column; `digests` for those behind its files. */
static bool put_texts(struct reading *reading, size_t index, const struct text_column *column,
                      bool digests, struct error *err)
{
    union run_cell *cells = arena_alloc(&reading->scratch, reading->count, sizeof *cells, err);
    for (size_t row = 0; cells != NULL && row < reading->count; row++) {
        int64_t place = column->places[row];
        const char *text = place < 0 ? NULL : (digests ? column->digests : column->texts)[place];
        cells[row].text = digests && text != NULL && text[0] == '\0' ? NULL : text;
    }
    return cells != NULL && put_cells(reading, index, cells, err);
}

static bool read_text_field(struct reading *reading, size_t index, const char *name, bool *present,
                            struct error *err)
{
    struct text_column column;
    if (!read_text_column(reading, name, &column, present, err)) {
        return false;
    }
    bool digests = run_fields[index].kind == FIELD_PATH && *present && column.digests != NULL;
    return !*present || (put_texts(reading, index, &column, false, err) &&
                         (!digests || put_texts(reading, run_list_digest((enum run_field)index),
                                                &column, true, err)));
}

bool reader_take_runs(struct reading *reading, struct error *err)
{
    char name[WRITER_NAME_SIZE];
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        bool is_text = field_is_text(&run_fields[i]);
        bool present = false;
        writer_column_name(i, name);
        bool good = is_text ? read_text_field(reading, i, name, &present, err)
                            : read_number_field(reading, i, name, &present, err);
        arena_reset(&reading->scratch);
        if (!good) {
            return false;
        }
        if (!present && is_required((enum run_field)i)) {
            return missing(name, err);
        }
    }
    return true;
}

static void put_measure(struct reading *reading, size_t measure, const union run_cell *cells)
{
    for (size_t start = 0; start < reading->count; start += RESULT_BLOCK_ROWS) {
        struct result_block *block = result_table_block(reading->table, start);
        size_t left = reading->count - start;
        size_t count = left < RESULT_BLOCK_ROWS ? left : RESULT_BLOCK_ROWS;
        memcpy((void *)block->cells[measure], (const void *)(cells + start), count * sizeof *cells);
    }
}

bool reader_take_measures(struct reading *reading, struct error *err)
{
    bool good = result_table_add_measures(reading->table, err);
    for (size_t i = 0; good && i < MEASUREMENT_FIELD_COUNT; i++) {
        bool present = false;
        const union run_cell *cells =
            read_cells(reading, measurement_fields[i].name,
                       measurement_fields[i].kind == FIELD_REAL, &present, err);
        good = cells != NULL;
        if (good && present) {
            put_measure(reading, i, cells);
        }
        arena_reset(&reading->scratch);
    }
    return good;
}

bool reader_take_messages(struct reading *reading, struct error *err)
{
    struct text_column column;
    bool present;
    bool good = read_text_column(reading, "message", &column, &present, err);
    for (size_t row = 0; good && present && row < reading->count; row++) {
        int64_t place = column.places[row];
        struct result_block *block = result_table_block(reading->table, row);
        bool silent = place < 0 || column.texts[place][0] == '\0';
        block->message[result_table_at(row)] = silent ? NULL : column.texts[place];
    }
    arena_reset(&reading->scratch);
    return good;
}

/* run, run_key and status of every row. */
bool reader_take_identity(struct reading *reading, struct error *err)
{
    static const char *const names[] = {"run", "run_key", "status"};
    const int64_t *values[3];
    for (size_t i = 0; i < 3; i++) {
        bool present;
        values[i] = read_integers(reading, names[i], &present, err);
        if (values[i] == NULL) {
            return false;
        }
        if (!present) {
            return missing(names[i], err);
        }
    }
    for (size_t row = 0; row < reading->count; row++) {
        struct result_block *block = result_table_block(reading->table, row);
        size_t at = result_table_at(row);
        block->index[at] = values[0][row];
        memcpy(&block->key[at], &values[1][row], sizeof block->key[at]);
        if (values[2][row] != RESULT_OK && values[2][row] != RESULT_FAILED) {
            return out_of_range("status", row, err);
        }
        block->status[at] = (unsigned char)values[2][row];
    }
    arena_reset(&reading->scratch);
    return true;
}

/* The bits of a column as this program numbers them, from the names the file gives them. */
static bool read_masks(struct reading *reading, const char *name, bool of_run, uint64_t masks[64],
                       struct error *err)
{
    const char *meanings = column_read_meanings(&reading->from, name, err);
    if (meanings == NULL) {
        return error_set(err, ERROR_FILE, "the column '%s' does not say what its bits mean", name);
    }
    char *words = arena_copy_text(&reading->scratch, meanings, err);
    char *rest = NULL;
    if (words == NULL) {
        return false;
    }
    char *word = strtok_r(words, " ", &rest);
    for (int bit = 0; bit < 64; bit++) {
        const struct field *field = NULL;
        if (word != NULL) {
            field = of_run ? run_field_find(word) : measurement_field_find(word);
            word = strtok_r(NULL, " ", &rest);
        }
        const struct field *first = of_run ? run_fields : measurement_fields;
        masks[bit] = field == NULL ? 0 : UINT64_C(1) << (field - first);
    }
    return true;
}

static uint64_t translate(uint64_t bits, const uint64_t masks[64])
{
    uint64_t result = 0;
    for (; bits != 0; bits &= bits - 1) {
        result |= masks[__builtin_ctzll(bits)];
    }
    return result;
}

/* What single rows lack, where they differ. */
static bool take_lacking(struct reading *reading, struct error *err)
{
    bool present;
    uint64_t masks[64];
    const int64_t *values = read_integers(reading, "lacking", &present, err);
    if (values == NULL || !present) {
        return values != NULL;
    }
    if (!read_masks(reading, "lacking", false, masks, err)) {
        return false;
    }
    for (size_t row = 0; row < reading->count; row++) {
        result_table_block(reading->table, row)->lacking[result_table_at(row)] |=
            translate((uint64_t)values[row], masks);
    }
    arena_reset(&reading->scratch);
    return true;
}

bool reader_take_given(struct reading *reading, struct error *err)
{
    bool present;
    uint64_t masks[64];
    const int64_t *values = read_integers(reading, "given", &present, err);
    if (values == NULL || !present) {
        return values != NULL;
    }
    if (!read_masks(reading, "given", true, masks, err)) {
        return false;
    }
    union run_cell *cells = arena_alloc(&reading->scratch, reading->count, sizeof *cells, err);
    for (size_t row = 0; cells != NULL && row < reading->count; row++) {
        cells[row].given = translate((uint64_t)values[row], masks);
    }
    bool good = cells != NULL && put_cells(reading, RUN_LIST_GIVEN, cells, err);
    arena_reset(&reading->scratch);
    return good;
}

bool reader_find_measures(struct reading *reading, struct error *err)
{
    for (size_t i = 0; i < MEASUREMENT_FIELD_COUNT; i++) {
        htri_t there = H5Lexists(reading->from.file, measurement_fields[i].name, H5P_DEFAULT);
        if (there < 0) {
            return hdf_error(err, "cannot find the column '%s'", measurement_fields[i].name);
        }
        reading->lacking |= there == 0 ? UINT64_C(1) << i : 0;
    }
    for (size_t row = 0; row < reading->count; row++) {
        result_table_block(reading->table, row)->lacking[result_table_at(row)] = reading->lacking;
    }
    return take_lacking(reading, err);
}
