/* SPDX-License-Identifier: MIT */
/* See reader.h. Every column is read whole, checked, and spread over the rows. */
#include "store/reader.h"

#include "base/files.h"
#include "base/trial.h"
#include "store/column_read.h"
#include "store/facts.h"
#include "store/kept.h"
#include "store/lock.h"
#include "store/seal.h"
#include "store/column_values.h"
#include "store/writer.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A file being read. `scratch` is emptied after each column. */
struct reading {
    struct column_source from;
    size_t count;
    struct result *rows;
    uint64_t lacking; /* bit m: there is no column of measure m */
    struct arena scratch;
};

_Static_assert(MEASUREMENT_FIELD_COUNT <= 64, "a measure is a bit of lacking");

/* Columns without which a row cannot be told from another. */
static bool is_required(enum run_field field)
{
    return field == RUN_SOURCE || field == RUN_D_MODEL || field == RUN_D_K || field == RUN_SEED ||
           field == RUN_GUARD_INIT || field == RUN_GUARD_SCALE || field == RUN_GUARD_NORM;
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

static void *base_of(struct result *result, bool of_run)
{
    return of_run ? (void *)&result->run : (void *)&result->measurement;
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

static bool spread_choices(struct reading *reading, const struct field *field, const char *name,
                           const int64_t *values, bool of_run, struct error *err)
{
    int codes[CODES_MAX];
    if (!read_codes(reading, field, name, codes, err)) {
        return false;
    }
    for (size_t row = 0; row < reading->count; row++) {
        if (values[row] < 0 || values[row] >= CODES_MAX || codes[values[row]] < 0) {
            return out_of_range(name, row, err);
        }
        value_set_choice(field, base_of(&reading->rows[row], of_run), codes[values[row]]);
    }
    return true;
}

static bool spread_switches(struct reading *reading, const struct field *field, const char *name,
                            const int64_t *values, bool of_run, struct error *err)
{
    for (size_t row = 0; row < reading->count; row++) {
        if (values[row] != 0 && values[row] != 1) {
            return out_of_range(name, row, err);
        }
        value_set_switch(field, base_of(&reading->rows[row], of_run), values[row] == 1);
    }
    return true;
}

static bool read_real_field(struct reading *reading, const struct field *field, const char *name,
                            bool of_run, bool *present, struct error *err)
{
    double *values = arena_alloc(&reading->scratch, reading->count, sizeof *values, err);
    if (values == NULL ||
        !column_read_reals(&reading->from, name, reading->count, values, present, err)) {
        return false;
    }
    for (size_t row = 0; *present && row < reading->count; row++) {
        value_set_real(field, base_of(&reading->rows[row], of_run), values[row]);
    }
    return true;
}

static bool read_number_field(struct reading *reading, const struct field *field, const char *name,
                              bool of_run, bool *present, struct error *err)
{
    if (field->kind == FIELD_REAL) {
        return read_real_field(reading, field, name, of_run, present, err);
    }
    const int64_t *values = read_integers(reading, name, present, err);
    if (values == NULL || !*present) {
        return values != NULL;
    }
    if (field->kind == FIELD_CHOICE) {
        return spread_choices(reading, field, name, values, of_run, err);
    }
    if (field->kind == FIELD_SWITCH) {
        return spread_switches(reading, field, name, values, of_run, err);
    }
    for (size_t row = 0; row < reading->count; row++) {
        value_set_integer(field, base_of(&reading->rows[row], of_run), values[row]);
    }
    return true;
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

static bool read_text_field(struct reading *reading, const struct field *field, const char *name,
                            bool *present, struct error *err)
{
    struct text_column column;
    if (!read_text_column(reading, name, &column, present, err)) {
        return false;
    }
    for (size_t row = 0; *present && row < reading->count; row++) {
        struct run *run = &reading->rows[row].run;
        int64_t place = column.places[row];
        value_set_text(field, run, place < 0 ? NULL : column.texts[place]);
        if (field->kind == FIELD_PATH && place >= 0 && column.digests != NULL) {
            const char *digest = column.digests[place];
            value_set_digest(field, run, digest[0] == '\0' ? NULL : digest);
        }
    }
    return true;
}

static bool read_run_fields(struct reading *reading, struct error *err)
{
    char name[WRITER_NAME_SIZE];
    for (size_t i = 0; i < RUN_FIELD_COUNT; i++) {
        const struct field *field = &run_fields[i];
        bool is_text = field_is_text(field);
        bool present = false;
        writer_column_name(i, name);
        bool good = is_text ? read_text_field(reading, field, name, &present, err)
                            : read_number_field(reading, field, name, true, &present, err);
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

static bool read_measurement_fields(struct reading *reading, struct error *err)
{
    bool good = true;
    for (size_t i = 0; good && i < MEASUREMENT_FIELD_COUNT; i++) {
        bool present;
        good = read_number_field(reading, &measurement_fields[i], measurement_fields[i].name, false,
                                 &present, err);
        reading->lacking |= good && !present ? UINT64_C(1) << i : 0;
        arena_reset(&reading->scratch);
    }
    return good;
}

static bool read_messages(struct reading *reading, struct error *err)
{
    struct text_column column;
    bool present;
    bool good = read_text_column(reading, "message", &column, &present, err);
    for (size_t row = 0; good && present && row < reading->count; row++) {
        int64_t place = column.places[row];
        reading->rows[row].message = place < 0 ? "" : column.texts[place];
    }
    arena_reset(&reading->scratch);
    return good;
}

/* run, run_key and status of every row. */
static bool read_identity(struct reading *reading, struct error *err)
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
        struct result *result = &reading->rows[row];
        result->index = values[0][row];
        memcpy(&result->key, &values[1][row], sizeof result->key);
        if (values[2][row] != RESULT_OK && values[2][row] != RESULT_FAILED) {
            return out_of_range("status", row, err);
        }
        result->status = (int)values[2][row];
    }
    arena_reset(&reading->scratch);
    return true;
}

/* The bits of `given` as this program numbers them, from the names the file gives them. */
static bool read_given(struct reading *reading, struct error *err)
{
    bool present;
    const int64_t *values = read_integers(reading, "given", &present, err);
    if (values == NULL || !present) {
        return values != NULL;
    }
    const char *meanings = column_read_meanings(&reading->from, "given", err);
    if (meanings == NULL) {
        return error_set(err, ERROR_FILE, "the column 'given' does not say what its bits mean");
    }
    char *words = arena_copy_text(&reading->scratch, meanings, err);
    char *rest = NULL;
    if (words == NULL) {
        return false;
    }
    uint64_t masks[64] = {0};
    char *word = strtok_r(words, " ", &rest);
    for (int bit = 0; word != NULL && bit < 64; bit++) {
        const struct field *field = run_field_find(word);
        masks[bit] = field == NULL ? 0 : UINT64_C(1) << run_field_index(field);
        word = strtok_r(NULL, " ", &rest);
    }
    for (size_t row = 0; row < reading->count; row++) {
        for (uint64_t left = (uint64_t)values[row]; left != 0; left &= left - 1) {
            reading->rows[row].run.given |= masks[__builtin_ctzll(left)];
        }
    }
    arena_reset(&reading->scratch);
    return true;
}

static bool read_rows(struct reading *reading, struct error *err)
{
    const struct result empty = value_empty_result();
    if (!column_read_length(&reading->from, "run", &reading->count, err)) {
        return false;
    }
    reading->rows = arena_alloc(reading->from.arena, reading->count, sizeof *reading->rows, err);
    if (reading->rows == NULL) {
        return false;
    }
    for (size_t row = 0; row < reading->count; row++) {
        reading->rows[row] = empty;
    }
    bool good = read_identity(reading, err) && read_messages(reading, err) &&
                read_run_fields(reading, err) && read_measurement_fields(reading, err) &&
                read_given(reading, err) &&
                kept_read(&reading->from, reading->rows, reading->count, err);
    struct run_defaults last = {.known = false};
    for (size_t row = 0; good && row < reading->count; row++) {
        /* Fields without a meaning for the source are NaN and -1 in the file. */
        run_normalise_like(&reading->rows[row].run, &last);
    }
    return good;
}

/* What can be said before HDF5 sees the file, its size, and whether a checksum vouches for it,
 * which it must where the file has one and `strict` is asked for. */
static bool check_bytes(const char *path, bool strict, uint64_t *size, bool *sealed,
                        struct error *err)
{
    struct stat status;
    struct arena arena = {NULL};
    struct error trouble = ERROR_INIT;
    size_t length = 0;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return error_set(err, ERROR_FILE, "'%s' is not a file", path);
    }
    /* Its bytes are not those of either end of the writing, and would pass for damaged. */
    if (lock_is_written_elsewhere(path)) {
        return error_set(err, ERROR_FILE,
                         "'%s' is open for writing in another program; close it there", path);
    }
    const char *bytes = files_read(path, SIZE_MAX / 8, &arena, &length, &trouble);
    bool good = bytes != NULL || error_set(err, ERROR_FILE, "%s", trouble.message);
    if (good && length == 0) {
        good = error_set(err, ERROR_FILE, "'%s' is empty; it is no results file", path);
    }
    if (good && !seal_check(bytes, length, sealed, strict ? err : &trouble)) {
        *sealed = false;
        good = !strict || error_add_context(err, "cannot read '%s'", path);
    }
    *size = length;
    arena_release(&arena);
    return good;
}

static hid_t open_to_read(const char *path, struct error *err)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0) {
        file = H5Fopen(path, H5F_ACC_RDONLY, access);
    }
    if (file < 0) {
        hdf_error(err, "cannot read '%s'", path);
    }
    H5Pclose(access);
    return file;
}

/* Reads a file whose bytes were checked. */
static bool read_checked(const char *path, uint64_t size, struct arena *arena,
                         struct result_set *out, struct error *err)
{
    struct reading reading = {.from = {.arena = arena, .bytes = size}};
    reading.from.file = open_to_read(path, err);
    if (reading.from.file < 0) {
        return false;
    }
    *out = (struct result_set){0};
    bool good = facts_read(&reading.from, out, err) && read_rows(&reading, err);
    out->rows = reading.rows;
    out->count = reading.count;
    out->lacking = reading.lacking;
    H5Fclose(reading.from.file);
    arena_release(&reading.scratch);
    return good || error_add_context(err, "cannot read '%s'", path);
}

/* For the child: whether it gets through is all that matters. */
static void try_reading(const void *context)
{
    const char *path = context;
    struct arena arena = {NULL};
    struct error err = ERROR_INIT;
    struct result_set set;
    struct stat status;
    uint64_t size = stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
    (void)!read_checked(path, size, &arena, &set, &err);
    arena_release(&arena);
}

bool reader_read(const char *path, struct arena *arena, struct result_set *out, struct error *err)
{
    uint64_t size = 0;
    bool sealed = false;
    hdf_silence();
    return check_bytes(path, true, &size, &sealed, err) &&
           (sealed || trial_survived(try_reading, path, path, err)) &&
           read_checked(path, size, arena, out, err);
}

bool reader_salvage(const char *path, struct arena *arena, struct result_set *out,
                    struct error *err)
{
    uint64_t size = 0;
    bool sealed = false;
    hdf_silence();
    return check_bytes(path, false, &size, &sealed, err) &&
           (sealed || trial_survived(try_reading, path, path, err)) &&
           read_checked(path, size, arena, out, err);
}
