/* SPDX-License-Identifier: MIT */
/* The bytes of a results file, column by column; see writer.h and docs/results.md. */
#include "store/writer.h"

#include "run/run_list.h"
#include "store/column_check.h"
#include "store/facts.h"
#include "store/kept.h"
#include "store/reader.h"
#include "store/seal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A file being built. `scratch` is emptied after each column. */
struct book {
    hid_t file;
    hid_t run; /* the scale along which the columns lie */
    const struct result_set *set;
    struct chunk_encoders *encoders;
    double *values;                   /* room for those of a column */
    const struct column_source *back; /* NULL while writing; then the file, to be compared */
    double *found;                    /* room for what is read of it */
    struct arena scratch;
};

/* Every column and table goes through these two, to the file or, once that is written, against it.
 */
static bool put_column(const struct book *book, const struct column *column, struct error *err)
{
    return book->back == NULL ? column_write(book->file, book->encoders, book->run, column, err)
                              : column_check(book->back, column, book->found, err);
}

static bool put_table(const struct book *book, const char *name, const char *second,
                      const struct texts *texts, struct error *err)
{
    return book->back == NULL ? column_write_table(book->file, name, second, texts, err)
                              : column_check_table(book->back, name, second, texts, err);
}

const char *writer_column_name(size_t run_field, char out[WRITER_NAME_SIZE])
{
    const char *name = run_fields[run_field].name;
    bool taken = measurement_field_find(name) != NULL;
    snprintf(out, WRITER_NAME_SIZE, "%s%s", name, taken ? "_requested" : "");
    return out;
}

/* The member that all rows have, NULL where they differ, and whether it has a meaning in them. */
static const void *shared_member(const struct book *book, size_t run_field, bool *applies)
{
    const int *source = result_shared_member(book->set, RUN_SOURCE);
    const int *learner = result_shared_member(book->set, RUN_LEARNER);
    if (source == NULL || learner == NULL) {
        return NULL;
    }
    *applies = run_field_applies_to(*source, *learner, (enum run_field)run_field);
    return result_shared_member(book->set, run_field);
}

static bool applies_in(const struct book *book, size_t run_field, size_t row)
{
    const int *source = result_run_member(book->set, row, RUN_SOURCE);
    const int *learner = result_run_member(book->set, row, RUN_LEARNER);
    return run_field_applies_to(*source, *learner, (enum run_field)run_field);
}

/* A member as it lies in its column: a number, or a code of one byte. */
static void put_member(const struct field *field, const void *member, bool applies, char *to)
{
    const double missing = (double)NAN;
    int8_t code = 0;
    switch (field->kind) {
    case FIELD_INTEGER:
        memcpy(to, member, sizeof(int64_t));
        return;
    case FIELD_REAL:
        memcpy(to, applies ? member : &missing, sizeof(double));
        return;
    case FIELD_SWITCH:
        code = *(const bool *)member ? 1 : 0;
        break;
    default:
        code = (int8_t) * (const int *)member;
        break;
    }
    *to = (char)code;
}

static size_t width_of(const struct field *field)
{
    return field->kind == FIELD_INTEGER || field->kind == FIELD_REAL ? sizeof(double) : 1;
}

/* Leaves the values in `to`, of all rows or, where they are the same, one; returns whether they
 * are.
 */
static bool gather_run_field(const struct book *book, size_t run_field, char *to)
{
    const struct field *field = &run_fields[run_field];
    size_t width = width_of(field);
    bool applies = true;
    const void *shared = shared_member(book, run_field, &applies);
    if (shared != NULL) {
        put_member(field, shared, applies, to);
        return true;
    }
    for (size_t row = 0; row < book->set->count; row++) {
        applies = field->kind != FIELD_REAL || applies_in(book, run_field, row);
        put_member(field, result_run_member(book->set, row, run_field), applies, to + row * width);
    }
    return false;
}

static void gather_measure(const struct book *book, size_t measure, char *values)
{
    for (size_t row = 0; row < book->set->count; row++) {
        memcpy(values + row * sizeof(double), result_measure_member(book->set, row, measure),
               sizeof(double));
    }
}

static enum hdf_number number_of(const struct field *field)
{
    return field->kind == FIELD_INTEGER ? HDF_INT64
           : field->kind == FIELD_REAL  ? HDF_REAL
                                        : HDF_INT8;
}

static bool write_number_field(struct book *book, size_t index, const char *name, bool of_run,
                               struct error *err)
{
    const struct field *field = of_run ? &run_fields[index] : &measurement_fields[index];
    bool constant = of_run && gather_run_field(book, index, (char *)book->values);
    if (!of_run) {
        gather_measure(book, index, (char *)book->values);
    }
    const struct column column = {.name = name,
                                  .number = number_of(field),
                                  .values = book->values,
                                  .count = book->set->count,
                                  .constant = constant,
                                  .unit = field->unit,
                                  .label = field->label,
                                  .help = field->help,
                                  .choices = field->choices,
                                  .is_switch = field->kind == FIELD_SWITCH};
    return put_column(book, &column, err);
}

/* The column of places in the table `name`, then the table itself. */
static bool write_texts(struct book *book, const char *name, const struct field *field,
                        bool constant, const struct texts *texts, struct error *err)
{
    char index_name[WRITER_NAME_SIZE + 16];
    char digest_name[WRITER_NAME_SIZE + 16];
    snprintf(index_name, sizeof index_name, "%s_index", name);
    snprintf(digest_name, sizeof digest_name, "%s_sha256", name);
    const struct column column = {.name = index_name,
                                  .number = HDF_INT32,
                                  .values = book->values,
                                  .count = book->set->count,
                                  .constant = constant,
                                  .label = field == NULL ? "message" : field->label,
                                  .help = field == NULL ? "why a run failed" : field->help};
    bool digests = field != NULL && field->kind == FIELD_PATH;
    return put_column(book, &column, err) &&
           put_table(book, name, digests ? digest_name : NULL, texts, err);
}

/* The text of a row, and the digest that goes with it; NULL for none. `field` NULL stands for the
 * message. */
static const char *text_of(const struct book *book, const struct field *field, size_t row,
                           const char **digest)
{
    *digest = NULL;
    if (field == NULL) {
        const char *message = result_message(book->set, row);
        return message[0] == '\0' ? NULL : message;
    }
    size_t index = run_field_index(field);
    if (field->kind == FIELD_PATH) {
        const char *const *found =
            result_run_member(book->set, row, run_list_digest((enum run_field)index));
        *digest = *found;
    }
    const char *const *text = result_run_member(book->set, row, index);
    return applies_in(book, index, row) ? *text : NULL;
}

/* Whether all rows have one text in this field, or none. */
static bool is_shared(const struct book *book, const struct field *field)
{
    if (field == NULL) {
        return false;
    }
    bool applies = true;
    enum run_field index = run_field_index(field);
    return shared_member(book, index, &applies) != NULL &&
           (field->kind != FIELD_PATH ||
            result_shared_member(book->set, run_list_digest(index)) != NULL);
}

/* A field of texts; `field` NULL stands for the message of each row. */
static bool write_text_field(struct book *book, const struct field *field, const char *name,
                             struct error *err)
{
    struct texts texts = {.arena = &book->scratch};
    int32_t *places = (int32_t *)book->values;
    bool constant = is_shared(book, field);
    size_t rows = constant ? 1 : book->set->count;
    for (size_t row = 0; row < rows; row++) {
        const char *digest = NULL;
        const char *text = text_of(book, field, row, &digest);
        size_t number;
        places[row] = -1;
        if (text != NULL) {
            if (!texts_add(&texts, text, digest, &number, err)) {
                return false;
            }
            places[row] = (int32_t)number;
        }
    }
    return write_texts(book, name, field, constant, &texts, err);
}

static bool write_fields(struct book *book, struct error *err)
{
    char name[WRITER_NAME_SIZE];
    bool good = true;
    for (size_t i = 0; good && i < RUN_FIELD_COUNT; i++) {
        writer_column_name(i, name);
        good = field_is_text(&run_fields[i]) ? write_text_field(book, &run_fields[i], name, err)
                                             : write_number_field(book, i, name, true, err);
        arena_reset(&book->scratch);
    }
    for (size_t i = 0; good && i < MEASUREMENT_FIELD_COUNT; i++) {
        bool lacking = (book->set->lacking >> i & 1) != 0;
        good = lacking || write_number_field(book, i, measurement_fields[i].name, false, err);
        arena_reset(&book->scratch);
    }
    return good;
}

/* A column of bits, named by flag_masks and flag_meanings (CF). */
static bool write_bits(struct book *book, const struct column *column, const struct field *fields,
                       size_t count, struct error *err)
{
    int64_t masks[64];
    struct text names = TEXT_INIT(&book->scratch);
    for (size_t i = 0; i < count; i++) {
        masks[i] = (int64_t)1 << i;
        text_append_format(&names, "%s%s", i == 0 ? "" : " ", fields[i].name);
    }
    const char *meanings = text_finish(&names, err);
    if (meanings == NULL || !put_column(book, column, err)) {
        return false;
    }
    if (book->back != NULL) {
        return true;
    }
    hid_t dataset = H5Dopen2(book->file, column->name, H5P_DEFAULT);
    bool good = dataset >= 0 &&
                hdf_write_array(dataset, "flag_masks", HDF_INT64, masks, count, err) &&
                hdf_write_text(dataset, "flag_meanings", meanings, err);
    good = dataset >= 0 && H5Dclose(dataset) >= 0 && good;
    return good || hdf_error(err, "cannot finish the column '%s'", column->name);
}

/* The fields that the sweep set. */
static bool write_given(struct book *book, int64_t *values, struct error *err)
{
    const struct column column = {.name = "given",
                                  .number = HDF_INT64,
                                  .values = values,
                                  .count = book->set->count,
                                  .help = "fields that the sweep set, one bit each"};
    for (size_t row = 0; row < book->set->count; row++) {
        memcpy(&values[row], result_run_member(book->set, row, RUN_LIST_GIVEN), sizeof values[row]);
    }
    return write_bits(book, &column, run_fields, RUN_FIELD_COUNT, err);
}

/* What rows lack that others have; where there is none there is no column. */
static bool write_lacking(struct book *book, int64_t *values, struct error *err)
{
    const struct column column = {.name = "lacking",
                                  .number = HDF_INT64,
                                  .values = values,
                                  .count = book->set->count,
                                  .help = "measures that the row does not have, one bit each"};
    bool some = false;
    for (size_t row = 0; row < book->set->count; row++) {
        uint64_t lacking = result_lacking(book->set, row) & ~book->set->lacking;
        memcpy(&values[row], &lacking, sizeof values[row]);
        some = some || lacking != 0;
    }
    return !some || write_bits(book, &column, measurement_fields, MEASUREMENT_FIELD_COUNT, err);
}

static bool write_places(struct book *book, int64_t *values, struct error *err)
{
    const struct column column = {.name = "run",
                                  .number = HDF_INT64,
                                  .values = values,
                                  .count = book->set->count,
                                  .label = "run",
                                  .help = "place in the plan of the sweep, -1 outside it"};
    for (size_t row = 0; row < book->set->count; row++) {
        values[row] = result_index(book->set, row);
    }
    if (book->back != NULL) {
        return put_column(book, &column, err);
    }
    book->run = column_write_scale(book->file, book->encoders, &column, err);
    return book->run >= 0;
}

static bool write_keys(struct book *book, int64_t *values, struct error *err)
{
    const struct column column = {.name = "run_key",
                                  .number = HDF_INT64,
                                  .values = values,
                                  .count = book->set->count,
                                  .help = "identity of the run: 64 bits of SHA-256"};
    for (size_t row = 0; row < book->set->count; row++) {
        values[row] = (int64_t)result_key(book->set, row);
    }
    return put_column(book, &column, err);
}

static bool write_status(struct book *book, int8_t *values, struct error *err)
{
    static const char *const names[] = {"ok", "failed", NULL};
    const struct column column = {.name = "status",
                                  .number = HDF_INT8,
                                  .values = values,
                                  .count = book->set->count,
                                  .choices = names};
    for (size_t row = 0; row < book->set->count; row++) {
        values[row] = (int8_t)result_status(book->set, row);
    }
    return put_column(book, &column, err);
}

/* Who each row is and how it ended. */
static bool write_identity(struct book *book, struct error *err)
{
    int64_t *values = (int64_t *)book->values;
    bool good = write_places(book, values, err) && write_keys(book, values, err) &&
                write_status(book, (int8_t *)values, err) &&
                write_text_field(book, NULL, "message", err) && write_given(book, values, err) &&
                write_lacking(book, values, err);
    arena_reset(&book->scratch);
    return good;
}

static bool fill(struct book *book, struct error *err)
{
    bool good = facts_write(book->file, book->set, err) && write_identity(book, err) &&
                write_fields(book, err) &&
                kept_write(book->file, book->encoders, book->set, &book->scratch, err);
    if (book->run >= 0 && H5Dclose(book->run) < 0) {
        good = hdf_error(err, "cannot finish the results");
    }
    return good;
}

/* An HDF5 file in memory whose contents depend on nothing but what is written: no times, members in
 * the order of their making. The low bound must be EARLIEST: with a later one HDF5 1.10 gives file
 * images with a wrong checksum. */
static hid_t create_in_memory(void)
{
    const unsigned tracked = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    hid_t file = -1;
    if (H5Pset_fapl_core(access, (size_t)1 << 20, false) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_obj_track_times(creation, false) >= 0 &&
        H5Pset_link_creation_order(creation, tracked) >= 0 &&
        H5Pset_attr_creation_order(creation, tracked) >= 0) {
        file = H5Fcreate("rowmax results", H5F_ACC_TRUNC, creation, access);
    }
    H5Pclose(creation);
    H5Pclose(access);
    return file;
}

static bool take_image(hid_t file, struct arena *arena, const void **bytes, size_t *size,
                       struct error *err)
{
    /* An open handle would make HDF5 report success for what it has not written. */
    if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || H5Fget_obj_count(file, H5F_OBJ_ALL) != 1) {
        return hdf_error(err, "cannot finish the results");
    }
    ssize_t length = H5Fget_file_image(file, NULL, 0);
    if (length <= 0) {
        return hdf_error(err, "cannot finish the results");
    }
    char *image = arena_alloc(arena, (size_t)length + SEAL_SIZE, 1, err);
    if (image == NULL) {
        return false;
    }
    if (H5Fget_file_image(file, image, (size_t)length) != length) {
        return hdf_error(err, "cannot finish the results");
    }
    seal_put(image, (size_t)length);
    *bytes = image;
    *size = (size_t)length + SEAL_SIZE;
    return true;
}

bool writer_image(const struct result_set *set, struct arena *arena, const void **bytes,
                  size_t *size, struct error *err)
{
    hdf_silence();
    struct chunk_encoders encoders = {.of_1 = {.rows = 0}};
    struct book book = {.file = create_in_memory(), .run = -1, .set = set, .encoders = &encoders};
    if (book.file < 0) {
        return hdf_error(err, "cannot start the results");
    }
    struct arena values = {NULL};
    book.values = arena_alloc(&values, set->count + 1, sizeof *book.values, err);
    bool good =
        book.values != NULL && fill(&book, err) && take_image(book.file, arena, bytes, size, err);
    if (H5Fclose(book.file) < 0) {
        good = hdf_error(err, "cannot close the results");
    }
    chunk_encoders_release(&encoders);
    arena_release(&book.scratch);
    arena_release(&values);
    return good;
}

static bool check_facts(const struct book *book, struct error *err)
{
    struct result_set back = {0};
    size_t count = 0;
    return facts_read(book->back, &back, err) &&
           column_read_length(book->back, "run", &count, err) &&
           ((count == book->set->count && facts_equal(book->set, &back)) ||
            error_set(err, ERROR_FILE, "it does not read back as it was written"));
}

bool writer_check(const char *path, const struct result_set *set, struct error *err)
{
    struct arena arena = {NULL};
    struct column_source back;
    struct book book = {.set = set, .back = &back};
    if (!reader_open(path, &arena, &back, err)) {
        return false;
    }
    book.values = arena_alloc(&arena, set->count + 1, sizeof *book.values, err);
    book.found = arena_alloc(&arena, set->count + 1, sizeof *book.found, err);
    bool good = book.values != NULL && book.found != NULL && check_facts(&book, err) &&
                write_identity(&book, err) && write_fields(&book, err);
    H5Fclose(back.file);
    arena_release(&book.scratch);
    arena_release(&arena);
    return good || error_add_context(err, "cannot write '%s'", path);
}
