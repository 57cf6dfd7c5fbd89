/* SPDX-License-Identifier: MIT */
/* See column_write.h. */
#include "store/column_write.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

#define CHUNK_ROWS 4096

static bool write_optional_text(hid_t object, const char *name, const char *text, struct error *err)
{
    return text == NULL || text[0] == '\0' || hdf_write_text(object, name, text, err);
}

/* The CF attributes of a column of codes 0, 1, ...: their values and, parted by blanks, names. */
static bool write_flags(hid_t object, const char *const *names, struct error *err)
{
    int8_t values[INT8_MAX];
    size_t count = 0;
    struct arena arena = {NULL};
    struct text list = TEXT_INIT(&arena);
    for (; names[count] != NULL && count < INT8_MAX; count++) {
        values[count] = (int8_t)count;
        text_append_format(&list, "%s%s", count == 0 ? "" : " ", names[count]);
    }
    const char *meanings = text_finish(&list, err);
    bool good = meanings != NULL &&
                hdf_write_array(object, "flag_values", HDF_INT8, values, count, err) &&
                hdf_write_text(object, "flag_meanings", meanings, err);
    arena_release(&arena);
    return good;
}

static bool write_attributes(hid_t object, const struct column *column, struct error *err)
{
    const double missing = (double)NAN;
    static const char *const switch_names[] = {"off", "on", NULL};
    const char *const *names = column->is_switch ? switch_names : column->choices;
    /* netCDF wants the fill value of a real column as an array of one. */
    return write_optional_text(object, "long_name", column->label, err) &&
           write_optional_text(object, "units", column->unit, err) &&
           write_optional_text(object, "comment", column->help, err) &&
           (column->number != HDF_REAL ||
            hdf_write_array(object, "_FillValue", HDF_REAL, &missing, 1, err)) &&
           (!column->is_switch || hdf_write_text(object, "dtype", "bool", err)) &&
           (names == NULL || write_flags(object, names, err));
}

static struct hdf_shape line_of(size_t count)
{
    size_t chunk = count < CHUNK_ROWS ? count : CHUNK_ROWS;
    return (struct hdf_shape){.rank = 1, .size = {count}, .chunk = {chunk == 0 ? 1 : chunk}};
}

/* A chunk of a value over and over. */
static void *repeat(const struct column *column, size_t width, size_t rows, struct arena *arena,
                    struct error *err)
{
    char *values = arena_alloc(arena, rows, width, err);
    for (size_t i = 0; values != NULL && i < rows; i++) {
        memcpy(values + i * width, column->values, width);
    }
    return values;
}

static bool write_chunks(hid_t dataset, struct chunk_encoders *encoders,
                         const struct column *column, size_t rows, struct error *err)
{
    struct arena arena = {NULL};
    size_t width = hdf_width(column->number);
    struct chunk_encoder *encoder = chunk_encoders_get(encoders, width, rows, err);
    const char *values = column->values;
    size_t step = width;
    if (column->constant) {
        values = repeat(column, width, rows, &arena, err);
        step = 0;
    }
    bool good = encoder != NULL && values != NULL;
    for (hsize_t row = 0; good && row < column->count; row += rows) {
        size_t left = column->count - (size_t)row;
        bool again = column->constant && row > 0 && left >= rows;
        good =
            (again || chunk_encode(encoder, values + row * step, left < rows ? left : rows, err)) &&
            (H5Dwrite_chunk(dataset, H5P_DEFAULT, encoder->mask, &row, encoder->stored_size,
                            encoder->stored) >= 0 ||
             hdf_error(err, "cannot write the column '%s'", column->name));
    }
    arena_release(&arena);
    return good;
}

static hid_t write_column(hid_t file, struct chunk_encoders *encoders, const struct column *column,
                          struct error *err)
{
    const struct hdf_shape shape = line_of(column->count);
    hid_t dataset =
        hdf_create(file, column->name, hdf_file_type(column->number), &shape, true, err);
    if (dataset < 0) {
        return dataset;
    }
    if (!write_chunks(dataset, encoders, column, (size_t)shape.chunk[0], err) ||
        !write_attributes(dataset, column, err)) {
        H5Dclose(dataset);
        return -1;
    }
    return dataset;
}

bool column_write(hid_t file, struct chunk_encoders *encoders, hid_t scale,
                  const struct column *column, struct error *err)
{
    hid_t dataset = write_column(file, encoders, column, err);
    if (dataset < 0) {
        return false;
    }
    bool good = H5DSattach_scale(dataset, scale, 0) >= 0;
    good = H5Dclose(dataset) >= 0 && good;
    return good || hdf_error(err, "cannot finish the column '%s'", column->name);
}

hid_t column_write_scale(hid_t file, struct chunk_encoders *encoders, const struct column *column,
                         struct error *err)
{
    hid_t dataset = write_column(file, encoders, column, err);
    if (dataset >= 0 && H5DSset_scale(dataset, column->name) < 0) {
        hdf_error(err, "cannot finish the column '%s'", column->name);
        H5Dclose(dataset);
        return -1;
    }
    return dataset;
}

bool column_texts_digest(const char *const *texts, size_t count, char hex[HASH_HEX_SIZE],
                         struct error *err)
{
    struct arena arena = {NULL};
    struct text all = TEXT_INIT(&arena);
    for (size_t i = 0; i < count; i++) {
        text_append_bytes(&all, texts[i], strlen(texts[i]) + 1);
    }
    bool good = text_finish(&all, err) != NULL;
    if (good) {
        hash_bytes_hex(all.data, all.length, hex);
    }
    arena_release(&arena);
    return good;
}

/* Writes texts into a new dataset, open on return; negative on failure. */
static hid_t write_texts(hid_t file, const char *name, const char *const *texts, size_t count,
                         struct error *err)
{
    const struct hdf_shape shape = line_of(count);
    char hex[HASH_HEX_SIZE];
    hid_t type = hdf_text_type();
    hid_t how = hdf_text_transfer();
    hid_t dataset = hdf_create(file, name, type, &shape, false, err);
    bool good = dataset >= 0;
    if (good && count > 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, how, texts) < 0) {
        good = hdf_error(err, "cannot write the texts '%s'", name);
    }
    good = good && column_texts_digest(texts, count, hex, err) &&
           hdf_write_text(dataset, "sha256", hex, err);
    if (type >= 0) {
        H5Tclose(type);
    }
    H5Pclose(how);
    if (!good && dataset >= 0) {
        H5Dclose(dataset);
    }
    return good ? dataset : -1;
}

/* The second parts as a column along the open scale. */
static bool write_second(hid_t file, hid_t scale, const char *name, const struct texts *texts,
                         struct error *err)
{
    struct arena arena = {NULL};
    const char **list = arena_alloc(&arena, texts->count, sizeof *list, err);
    hid_t dataset = -1;
    bool good = false;
    if (list != NULL) {
        for (size_t i = 0; i < texts->count; i++) {
            list[i] = texts->second[i] == NULL ? "" : texts->second[i];
        }
        dataset = write_texts(file, name, list, texts->count, err);
    }
    if (dataset >= 0) {
        good = H5DSattach_scale(dataset, scale, 0) >= 0;
        good = H5Dclose(dataset) >= 0 && good;
        good = good || hdf_error(err, "cannot finish the texts '%s'", name);
    }
    arena_release(&arena);
    return good;
}

bool column_write_table(hid_t file, const char *name, const char *second, const struct texts *texts,
                        struct error *err)
{
    hid_t dataset = write_texts(file, name, texts->list, texts->count, err);
    if (dataset < 0) {
        return false;
    }
    bool good =
        H5DSset_scale(dataset, name) >= 0 || hdf_error(err, "cannot finish the texts '%s'", name);
    good = good && (second == NULL || write_second(file, dataset, second, texts, err));
    return H5Dclose(dataset) >= 0 ? good : hdf_error(err, "cannot finish the texts '%s'", name);
}

bool column_write_text(hid_t file, const char *name, const char *text, struct error *err)
{
    char hex[HASH_HEX_SIZE];
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t type = hdf_text_type();
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t how = hdf_text_transfer();
    hid_t dataset = -1;
    if (type >= 0 && space >= 0 && H5Pset_obj_track_times(list, false) >= 0) {
        dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    }
    bool good =
        dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, how, (const void *)&text) >= 0;
    good = good || hdf_error(err, "cannot write the text '%s'", name);
    good = good && column_texts_digest(&text, 1, hex, err) &&
           hdf_write_text(dataset, "sha256", hex, err);
    good = (dataset < 0 || H5Dclose(dataset) >= 0) && good;
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(how);
    H5Pclose(list);
    return good || hdf_error(err, "cannot finish the text '%s'", name);
}
