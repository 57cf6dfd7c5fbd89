/* SPDX-License-Identifier: MIT */
/* See hdf.h. */
#include "store/hdf.h"

#include "store/chunk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hdf_silence(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

#define CAUSE_SIZE 512
/* 4096 texts, as many as a chunk has. */
#define TEXT_BUFFER ((size_t)1 << 16)

/* Keeps the deepest description: the others say which calls it made fail. */
static herr_t keep_deepest(unsigned level, const H5E_error2_t *entry, void *context)
{
    char *cause = context;
    if (level > 0 || entry->desc == NULL) {
        return 0;
    }
    const char *system = strstr(entry->desc, "error message = '");
    const char *text = system == NULL ? entry->desc : system + strlen("error message = '");
    size_t length = system == NULL ? strlen(text) : strcspn(text, "'");
    snprintf(cause, CAUSE_SIZE, "%.*s", (int)(length < CAUSE_SIZE ? length : CAUSE_SIZE - 1), text);
    for (char *at = cause; *at != '\0'; at++) {
        if (*at == '\n' || *at == '\r') {
            *at = ' ';
        }
    }
    return 0;
}

bool hdf_error(struct error *err, const char *format, ...)
{
    char cause[CAUSE_SIZE] = "";
    char context[1024];
    hid_t stack = H5Eget_current_stack();
    H5Ewalk2(stack, H5E_WALK_UPWARD, keep_deepest, cause);
    H5Eclose_stack(stack);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context, sizeof context, format, arguments);
    va_end(arguments);
    return error_set(err, ERROR_FILE, "%s: %s", context,
                     cause[0] == '\0' ? "HDF5 gives no reason" : cause);
}

hid_t hdf_file_type(enum hdf_number number)
{
    switch (number) {
    case HDF_INT8:
        return H5T_STD_I8LE;
    case HDF_INT32:
        return H5T_STD_I32LE;
    case HDF_INT64:
        return H5T_STD_I64LE;
    case HDF_REAL:
        break;
    }
    return H5T_IEEE_F64LE;
}

hid_t hdf_memory_type(enum hdf_number number)
{
    switch (number) {
    case HDF_INT8:
        return H5T_NATIVE_INT8;
    case HDF_INT32:
        return H5T_NATIVE_INT32;
    case HDF_INT64:
        return H5T_NATIVE_INT64;
    case HDF_REAL:
        break;
    }
    return H5T_NATIVE_DOUBLE;
}

size_t hdf_width(enum hdf_number number)
{
    switch (number) {
    case HDF_INT8:
        return 1;
    case HDF_INT32:
        return 4;
    case HDF_INT64:
    case HDF_REAL:
        break;
    }
    return 8;
}

hid_t hdf_text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 &&
        (H5Tset_size(type, H5T_VARIABLE) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

hid_t hdf_text_transfer(void)
{
    hid_t list = H5Pcreate(H5P_DATASET_XFER);
    if (list >= 0 && H5Pset_buffer(list, TEXT_BUFFER, NULL, NULL) < 0) {
        H5Pclose(list);
        return -1;
    }
    return list;
}

/* The creation list of a dataset: no times inside, so that the same data gives the same bytes. */
static hid_t creation_list(const struct hdf_shape *shape, bool filtered)
{
    const unsigned tracked = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (list < 0) {
        return list;
    }
    bool good = H5Pset_obj_track_times(list, false) >= 0 &&
                H5Pset_attr_creation_order(list, tracked) >= 0 &&
                H5Pset_chunk(list, shape->rank, shape->chunk) >= 0;
    if (filtered) {
        good = good && H5Pset_shuffle(list) >= 0 && H5Pset_deflate(list, CHUNK_LEVEL) >= 0 &&
               H5Pset_fletcher32(list) >= 0;
    }
    if (!good) {
        H5Pclose(list);
        return -1;
    }
    return list;
}

hid_t hdf_create(hid_t file, const char *name, hid_t type, const struct hdf_shape *shape,
                 bool filtered, struct error *err)
{
    hsize_t most[3] = {H5S_UNLIMITED, shape->size[1], shape->size[2]};
    hid_t list = creation_list(shape, filtered);
    hid_t space = H5Screate_simple(shape->rank, shape->size, most);
    hid_t dataset = -1;
    if (list >= 0 && space >= 0) {
        dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    }
    if (dataset < 0) {
        hdf_error(err, "cannot make the column '%s'", name);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (list >= 0) {
        H5Pclose(list);
    }
    return dataset;
}

/* One attribute from values in memory. Takes over `space`. */
static bool write_attribute(hid_t object, const char *name, const hid_t types[2], hid_t space,
                            const void *values, struct error *err)
{
    hid_t attribute = -1;
    bool good = false;
    if (space >= 0) {
        attribute = H5Acreate2(object, name, types[0], space, H5P_DEFAULT, H5P_DEFAULT);
        H5Sclose(space);
    }
    if (attribute >= 0) {
        good = H5Awrite(attribute, types[1], values) >= 0;
        good = H5Aclose(attribute) >= 0 && good;
    }
    return good || hdf_error(err, "cannot write the attribute '%s'", name);
}

bool hdf_write_text(hid_t object, const char *name, const char *text, struct error *err)
{
    hid_t type = hdf_text_type();
    if (type < 0) {
        return hdf_error(err, "cannot write the attribute '%s'", name);
    }
    const hid_t types[2] = {type, type};
    bool good = write_attribute(object, name, types, H5Screate(H5S_SCALAR), &text, err);
    H5Tclose(type);
    return good;
}

bool hdf_write_integer(hid_t object, const char *name, int64_t value, struct error *err)
{
    const hid_t types[2] = {H5T_STD_I64LE, H5T_NATIVE_INT64};
    return write_attribute(object, name, types, H5Screate(H5S_SCALAR), &value, err);
}

bool hdf_write_array(hid_t object, const char *name, enum hdf_number number, const void *values,
                     size_t count, struct error *err)
{
    const hid_t types[2] = {hdf_file_type(number), hdf_memory_type(number)};
    hsize_t size = count;
    return write_attribute(object, name, types, H5Screate_simple(1, &size, NULL), values, err);
}

/* Opens an attribute that must hold one value of the class; negative when there is none (with `err`
 * untouched) or it is another. *type is its type, to be closed with it. */
static hid_t open_attribute(hid_t object, const char *name, H5T_class_t wanted, hid_t *type,
                            struct error *err)
{
    if (H5Aexists(object, name) <= 0) {
        return -1;
    }
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) {
        hdf_error(err, "cannot read the attribute '%s'", name);
        return -1;
    }
    hid_t space = H5Aget_space(attribute);
    *type = H5Aget_type(attribute);
    bool fits = *type >= 0 && space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Tget_class(*type) == wanted &&
                (wanted != H5T_STRING || H5Tis_variable_str(*type) > 0);
    H5Sclose(space);
    if (!fits) {
        H5Tclose(*type);
        H5Aclose(attribute);
        error_set(err, ERROR_FILE, "the attribute '%s' is not %s", name,
                  wanted == H5T_STRING ? "a text of variable length" : "one integer");
        return -1;
    }
    return attribute;
}

const char *hdf_read_text(hid_t object, const char *name, struct arena *arena, struct error *err)
{
    hid_t type;
    hid_t attribute = open_attribute(object, name, H5T_STRING, &type, err);
    if (attribute < 0) {
        return NULL;
    }
    char *text = NULL;
    const char *copy = NULL;
    if (H5Aread(attribute, type, (void *)&text) < 0) {
        hdf_error(err, "cannot read the attribute '%s'", name);
    } else {
        copy = arena_copy_text(arena, text == NULL ? "" : text, err);
        H5free_memory(text);
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return copy;
}

bool hdf_read_integer(hid_t object, const char *name, int64_t *value, struct error *err)
{
    hid_t type;
    hid_t attribute = open_attribute(object, name, H5T_INTEGER, &type, err);
    if (attribute < 0) {
        return false;
    }
    bool good = H5Aread(attribute, H5T_NATIVE_INT64, value) >= 0 ||
                hdf_error(err, "cannot read the attribute '%s'", name);
    H5Tclose(type);
    H5Aclose(attribute);
    return good;
}
