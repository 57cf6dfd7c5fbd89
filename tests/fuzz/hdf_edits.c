/* SPDX-License-Identifier: MIT */
/* See hdf_edits.h. */
#include "hdf_edits.h"

#include "fuzz.h"
#include "store/column_write.h"
#include "store/hdf.h"

#include <string.h>

#define VALUES_MAX 65536
#define TEXTS_MAX 64
#define NAME_SIZE 128

struct edit {
    hid_t file;
    char name[NAME_SIZE]; /* of the dataset */
    const uint8_t *content;
    size_t size;
    struct arena *arena;
};

static size_t value_count(hid_t dataset)
{
    hid_t space = H5Dget_space(dataset);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    return count < 0 || count > VALUES_MAX ? 0 : (size_t)count;
}

static bool is_of_texts(hid_t type)
{
    return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
}

static void edit_values(const struct edit *edit, hid_t dataset, hid_t type)
{
    struct error err = ERROR_INIT;
    size_t count = value_count(dataset);
    size_t width = H5Tget_size(type);
    uint8_t *values = arena_alloc(edit->arena, count, width, &err);
    if (is_of_texts(type) || count == 0 || values == NULL ||
        H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
        return;
    }
    memcpy(values, edit->content, edit->size < count * width ? edit->size : count * width);
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
}

static void edit_texts(const struct edit *edit, hid_t dataset, hid_t type)
{
    struct error err = ERROR_INIT;
    const char *texts[TEXTS_MAX];
    char hex[HASH_HEX_SIZE];
    size_t count = value_count(dataset);
    const char *text = arena_copy_bytes(edit->arena, edit->content, edit->size, &err);
    if (!is_of_texts(type) || count == 0 || count > TEXTS_MAX) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        texts[i] = text;
    }
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, (const void *)texts);
    if (H5Aexists(dataset, "sha256") > 0) {
        H5Adelete(dataset, "sha256");
    }
    fuzz_require(column_texts_digest(texts, count, hex, &err));
    (void)!hdf_write_text(dataset, "sha256", hex, &err);
}

/* Of one to three dimensions, or none. */
static hid_t other_space(uint8_t choice)
{
    const hsize_t size[3] = {choice % 5, 1 + choice % 3, 1 + choice % 2};
    int rank = choice / 16 % 4;
    return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, size, NULL);
}

static hid_t other_type(uint8_t choice)
{
    const hid_t plain[] = {H5T_STD_I8LE,  H5T_STD_I32LE,  H5T_STD_I64BE,
                           H5T_STD_U64LE, H5T_IEEE_F32LE, H5T_IEEE_F64LE};
    hid_t type = H5Tcopy(H5T_C_S1);
    if (choice % 8 == 6) {
        H5Tset_size(type, H5T_VARIABLE);
    } else if (choice % 8 == 7) {
        H5Tset_size(type, 3);
    } else {
        H5Tclose(type);
        type = H5Tcopy(plain[choice % 8]);
    }
    return type;
}

static void edit_kind(const struct edit *edit)
{
    struct edit values = *edit;
    if (edit->size < 2) {
        return;
    }
    values.content += 2;
    values.size -= 2;
    H5Ldelete(edit->file, edit->name, H5P_DEFAULT);
    hid_t type = other_type(edit->content[0]);
    hid_t space = other_space(edit->content[1]);
    hid_t dataset =
        H5Dcreate2(edit->file, edit->name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (dataset >= 0) {
        edit_values(&values, dataset, type);
        edit_texts(&values, dataset, type);
        H5Dclose(dataset);
    }
    H5Sclose(space);
    H5Tclose(type);
}

static void write_attribute(const struct edit *edit, hid_t attribute)
{
    struct error err = ERROR_INIT;
    hid_t type = H5Aget_type(attribute);
    const char *text = arena_copy_bytes(edit->arena, edit->content, edit->size, &err);
    char value[8] = {0};
    memcpy(value, edit->content, edit->size < sizeof value ? edit->size : sizeof value);
    if (is_of_texts(type)) {
        H5Awrite(attribute, type, (const void *)&text);
    } else if (H5Tget_class(type) == H5T_INTEGER && H5Aget_storage_size(attribute) <= 8) {
        H5Awrite(attribute, type, value);
    }
    H5Tclose(type);
}

static void edit_attribute(const struct edit *edit)
{
    struct edit value = *edit;
    H5O_info_t info;
    if (edit->size < 1) {
        return;
    }
    value.content++;
    value.size--;
    const char *object = edit->content[0] < 128 ? edit->name : ".";
    if (H5Oget_info_by_name2(edit->file, object, &info, H5O_INFO_NUM_ATTRS, H5P_DEFAULT) < 0 ||
        info.num_attrs == 0) {
        return;
    }
    hid_t attribute =
        H5Aopen_by_idx(edit->file, object, H5_INDEX_NAME, H5_ITER_INC,
                       edit->content[0] % 128 % info.num_attrs, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute >= 0) {
        write_attribute(&value, attribute);
        H5Aclose(attribute);
    }
}

static void edit_length(const struct edit *edit, hid_t dataset)
{
    /* A few rows, or more than the file can hold. From there HDF5 takes minutes to come back: it
     * looks at every chunk between. */
    const bool huge = edit->size > 1 && edit->content[1] == UINT8_MAX;
    const hsize_t most = 2000000000;
    const hsize_t length = huge ? most : edit->size == 0 ? 0 : edit->content[0];
    hsize_t before = most;
    hid_t space = H5Dget_space(dataset);
    if (H5Sget_simple_extent_ndims(space) == 1 &&
        H5Sget_simple_extent_dims(space, &before, NULL) == 1 && before < most) {
        H5Dset_extent(dataset, &length);
    }
    H5Sclose(space);
}

static void edit_dataset(const struct edit *edit, unsigned kind)
{
    hid_t dataset = H5Dopen2(edit->file, edit->name, H5P_DEFAULT);
    if (dataset < 0) {
        return;
    }
    hid_t type = H5Dget_type(dataset);
    if (kind == 0) {
        edit_values(edit, dataset, type);
    } else if (kind == 2) {
        edit_texts(edit, dataset, type);
    } else {
        edit_length(edit, dataset);
    }
    H5Tclose(type);
    H5Dclose(dataset);
}

static void apply_one(struct edit *edit, uint8_t kind, uint8_t place)
{
    H5G_info_t info;
    if (H5Gget_info(edit->file, &info) < 0 || info.nlinks == 0 ||
        H5Lget_name_by_idx(edit->file, ".", H5_INDEX_NAME, H5_ITER_INC, place % info.nlinks,
                           edit->name, sizeof edit->name, H5P_DEFAULT) < 0) {
        return;
    }
    switch (kind % 6) {
    case 1:
        H5Ldelete(edit->file, edit->name, H5P_DEFAULT);
        break;
    case 3:
        edit_kind(edit);
        break;
    case 4:
        edit_attribute(edit);
        break;
    default:
        edit_dataset(edit, kind % 6);
        break;
    }
}

static char *image_of(hid_t file, size_t *length, size_t spare, struct arena *arena)
{
    struct error err = ERROR_INIT;
    ssize_t size = H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file, NULL, 0);
    char *bytes = size <= 0 ? NULL : arena_alloc(arena, (size_t)size + spare, 1, &err);
    if (bytes == NULL || H5Fget_file_image(file, bytes, (size_t)size) != size) {
        return NULL;
    }
    *length = (size_t)size;
    return bytes;
}

char *hdf_edits_apply(const void *file, size_t *length, size_t spare, const uint8_t *edits,
                      size_t size, struct arena *arena)
{
    struct error err = ERROR_INIT;
    hdf_silence();
    char *copy = arena_copy_bytes(arena, file, *length, &err);
    struct edit edit = {.arena = arena};
    edit.file = H5LTopen_file_image(copy, *length, H5LT_FILE_IMAGE_OPEN_RW);
    fuzz_require(edit.file >= 0);
    for (size_t at = 0; at + 3 <= size;) {
        size_t rest = size - at - 3;
        edit.content = edits + at + 3;
        edit.size = edits[at + 2] < rest ? edits[at + 2] : rest;
        apply_one(&edit, edits[at], edits[at + 1]);
        at += 3 + edit.size;
    }
    char *bytes = image_of(edit.file, length, spare, arena);
    H5Fclose(edit.file);
    return bytes;
}
