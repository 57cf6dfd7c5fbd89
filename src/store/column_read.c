/* SPDX-License-Identifier: MIT */
/* See column_read.h. */
#include "store/column_read.h"

#include "store/chunk.h"
#include "store/column_write.h"

#include <string.h>

/* Deflate shrinks by 1032 at most, and not even a dataset of zeros takes no space at all. */
#define SHRINK_MAX 1100
#define SMALL_BYTES 65536

/* Chunks of more values are not this program's. */
#define OWN_ROWS_MAX 65536

/* Whether the elements lie in this file, where damage to them is seen: links and external or
 * virtual storage could lead anywhere. */
static bool stored_here(hid_t dataset)
{
    hid_t list = H5Dget_create_plist(dataset);
    if (list < 0) {
        return false;
    }
    H5D_layout_t layout = H5Pget_layout(list);
    bool here = layout >= H5D_COMPACT && layout <= H5D_CHUNKED && H5Pget_external_count(list) == 0;
    H5Pclose(list);
    return here;
}

static const char *class_name(H5T_class_t class)
{
    return class == H5T_INTEGER ? "integers" : class == H5T_FLOAT ? "reals" : "texts";
}

static bool check_type(hid_t dataset, const char *name, H5T_class_t wanted, struct error *err)
{
    hid_t type = H5Dget_type(dataset);
    if (type < 0) {
        return hdf_error(err, "cannot read the column '%s'", name);
    }
    bool fits =
        H5Tget_class(type) == wanted && (wanted != H5T_STRING || H5Tis_variable_str(type) > 0);
    H5Tclose(type);
    return fits ||
           error_set(err, ERROR_FILE, "the column '%s' does not hold %s", name, class_name(wanted));
}

static bool check_shape(const struct column_source *from, hid_t dataset, const char *name, int rank,
                        hsize_t size[3], struct error *err)
{
    hid_t space = H5Dget_space(dataset);
    bool fits = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, size, NULL) == rank;
    H5Sclose(space);
    if (!fits) {
        return error_set(err, ERROR_FILE, "the column '%s' has not %d dimension%s", name, rank,
                         rank == 1 ? "" : "s");
    }
    double bytes = 8;
    for (int i = 0; i < rank; i++) {
        bytes *= (double)size[i];
    }
    return bytes <= SMALL_BYTES + SHRINK_MAX * (double)from->bytes ||
           error_set(err, ERROR_FILE, "the column '%s' claims more values than the file can hold",
                     name);
}

static bool is_hard_link(hid_t file, const char *name)
{
    H5L_info_t info;
    return H5Lget_info(file, name, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

hid_t column_open(const struct column_source *from, const char *name, int rank, H5T_class_t wanted,
                  hsize_t size[3], bool *present, struct error *err)
{
    htri_t exists = H5Lexists(from->file, name, H5P_DEFAULT);
    *present = exists != 0;
    if (exists == 0) {
        return -1;
    }
    if (exists < 0 || !is_hard_link(from->file, name)) {
        hdf_error(err, "cannot find the column '%s'", name);
        return -1;
    }
    hid_t dataset = H5Dopen2(from->file, name, H5P_DEFAULT);
    if (dataset < 0) {
        hdf_error(err, "cannot open the column '%s'", name);
        return -1;
    }
    bool good = stored_here(dataset) ||
                error_set(err, ERROR_FILE, "the column '%s' is not stored in the file", name);
    if (!good || !check_type(dataset, name, wanted, err) ||
        !check_shape(from, dataset, name, rank, size, err)) {
        H5Dclose(dataset);
        return -1;
    }
    return dataset;
}

bool column_read_length(const struct column_source *from, const char *name, size_t *count,
                        struct error *err)
{
    bool present;
    hsize_t size[3] = {0};
    hid_t dataset = column_open(from, name, 1, H5T_INTEGER, size, &present, err);
    if (dataset < 0) {
        return error_set(err, ERROR_FILE, "the column '%s' is missing", name);
    }
    H5Dclose(dataset);
    if (size[0] > COLUMN_ROWS_MAX) {
        return error_set(err, ERROR_FILE, "more than %d rows", COLUMN_ROWS_MAX);
    }
    *count = (size_t)size[0];
    return true;
}

/* The bytes of a value where the column lies in this program's chunks, whose filters it knows; 0
 * where it does not. */
static size_t own_width(hid_t dataset, hid_t list, hsize_t *rows)
{
    static const H5Z_filter_t filters[] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE,
                                           H5Z_FILTER_FLETCHER32};
    static const enum hdf_number numbers[] = {HDF_INT8, HDF_INT32, HDF_INT64, HDF_REAL};
    size_t width = 0;
    bool own = H5Pget_layout(list) == H5D_CHUNKED && H5Pget_chunk(list, 1, rows) == 1 &&
               H5Pget_nfilters(list) == 3;
    for (unsigned i = 0; own && i < 3; i++) {
        size_t none = 0;
        unsigned flags;
        unsigned config;
        own = H5Pget_filter2(list, i, &flags, &none, NULL, 0, NULL, &config) == filters[i];
    }
    hid_t type = own ? H5Dget_type(dataset) : -1;
    for (size_t i = 0; type >= 0 && i < sizeof numbers / sizeof numbers[0]; i++) {
        width = H5Tequal(type, hdf_file_type(numbers[i])) > 0 ? hdf_width(numbers[i]) : width;
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    return width;
}

/* Values of a chunk to where they go, integers as int64_t. */
static void spread(const unsigned char *from, size_t width, size_t count, unsigned char *to)
{
    for (size_t i = 0; i < count && width < 8; i++) {
        int64_t value;
        if (width == 1) {
            value = (int64_t)from[i] - (from[i] < 128 ? 0 : 256);
        } else {
            int32_t place;
            memcpy(&place, from + i * width, sizeof place);
            value = place;
        }
        memcpy(to + i * sizeof value, &value, sizeof value);
    }
    if (width == 8) {
        memcpy(to, from, count * width);
    }
}

/* Reads and decodes chunk by chunk, those that repeat once. False with *known false where a chunk
 * is none of this program's: HDF5 may know better. */
static bool read_chunks(hid_t dataset, const char *name, struct chunk_decoder *decoder,
                        size_t count, void *values, bool *known, struct error *err)
{
    const size_t limit = chunk_limit(decoder->width, decoder->rows);
    unsigned char *stored = arena_alloc(&decoder->arena, limit, 1, err);
    *known = true;
    for (hsize_t row = 0; stored != NULL && row < count; row += decoder->rows) {
        hsize_t size = 0;
        uint32_t mask = 0;
        size_t left = count - (size_t)row;
        *known = H5Dget_chunk_storage_size(dataset, &row, &size) >= 0 && size > 0 && size <= limit;
        if (!*known) {
            return false;
        }
        if (H5Dread_chunk(dataset, H5P_DEFAULT, &row, &mask, stored) < 0) {
            return hdf_error(err, "cannot read the column '%s'", name);
        }
        if (!chunk_decode(decoder, stored, (size_t)size, mask)) {
            return error_set(
                err, ERROR_FILE,
                "cannot read the column '%s': data error detected by Fletcher32 checksum", name);
        }
        spread(decoder->values, decoder->width, left < decoder->rows ? left : decoder->rows,
               (unsigned char *)values + row * 8);
    }
    return stored != NULL;
}

/* Reads a column of this program's; false with *known false where it is not. */
static bool read_own(hid_t dataset, const char *name, size_t count, void *values, bool *known,
                     struct error *err)
{
    struct chunk_decoder decoder;
    hsize_t rows = 0;
    hid_t list = H5Dget_create_plist(dataset);
    size_t width = list < 0 ? 0 : own_width(dataset, list, &rows);
    H5Pclose(list);
    *known = width > 0 && rows <= OWN_ROWS_MAX;
    if (!*known || !chunk_decode_open(&decoder, width, (size_t)rows, err)) {
        return false;
    }
    bool good = read_chunks(dataset, name, &decoder, count, values, known, err);
    chunk_decode_release(&decoder);
    return good;
}

static bool read_numbers(const struct column_source *from, const char *name, bool integers,
                         size_t count, void *values, bool *present, struct error *err)
{
    hsize_t size[3] = {0};
    hid_t dataset =
        column_open(from, name, 1, integers ? H5T_INTEGER : H5T_FLOAT, size, present, err);
    if (dataset < 0) {
        return !*present;
    }
    bool good = size[0] == count ||
                error_set(err, ERROR_FILE, "the column '%s' has %llu values where %zu belong", name,
                          (unsigned long long)size[0], count);
    hid_t type = integers ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
    bool known = true;
    if (good && !read_own(dataset, name, count, values, &known, err) && known) {
        good = false;
    }
    if (good && !known && hdf_read(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
        good = hdf_error(err, "cannot read the column '%s'", name);
    }
    H5Dclose(dataset);
    return good;
}

bool column_read_integers(const struct column_source *from, const char *name, size_t count,
                          int64_t *values, bool *present, struct error *err)
{
    return read_numbers(from, name, true, count, values, present, err);
}

bool column_read_reals(const struct column_source *from, const char *name, size_t count,
                       double *values, bool *present, struct error *err)
{
    return read_numbers(from, name, false, count, values, present, err);
}

const char *column_read_meanings(const struct column_source *from, const char *name,
                                 struct error *err)
{
    hid_t dataset = H5Dopen2(from->file, name, H5P_DEFAULT);
    if (dataset < 0) {
        hdf_error(err, "cannot open the column '%s'", name);
        return NULL;
    }
    const char *meanings = hdf_read_text(dataset, "flag_meanings", from->arena, err);
    H5Dclose(dataset);
    return meanings;
}

/* Compares with the digest kept when the texts were written. A file that lost the attribute to
 * another program is still read. */
static bool check_digest(const struct column_source *from, hid_t dataset, const char *name,
                         const char *const *texts, size_t count, struct error *err)
{
    char hex[HASH_HEX_SIZE];
    struct error trouble = ERROR_INIT;
    const char *kept = hdf_read_text(dataset, "sha256", from->arena, &trouble);
    if (kept == NULL) {
        return trouble.code == ERROR_NONE || error_set(err, trouble.code, "%s", trouble.message);
    }
    if (!column_texts_digest(texts, count, hex, err)) {
        return false;
    }
    return strcmp(hex, kept) == 0 ||
           error_set(err, ERROR_FILE, "the texts '%s' do not match their checksum", name);
}

/* HDF5 allocates texts through these two, so that they lie in the arena and damage cannot ask for
 * more than the file could hold. */
struct text_memory {
    struct arena *arena;
    uint64_t left;
    struct error *err;
};

static void *take_text_memory(size_t size, void *context)
{
    struct text_memory *memory = context;
    if (size > memory->left) {
        return NULL;
    }
    memory->left -= size;
    return arena_alloc(memory->arena, size, 1, memory->err);
}

static void keep_text_memory(void *bytes, void *context)
{
    (void)bytes;
    (void)context;
}

static bool read_texts(const struct column_source *from, hid_t dataset, const char *name,
                       size_t count, const char *const **texts, struct error *err)
{
    struct text_memory memory = {from->arena, 2 * from->bytes + SMALL_BYTES, err};
    const char **list = arena_alloc(from->arena, count, sizeof *list, err);
    hid_t type = H5Dget_type(dataset);
    hid_t list_of = hdf_text_transfer();
    bool good = list != NULL;
    if (good && count > 0 &&
        (H5Pset_vlen_mem_manager(list_of, take_text_memory, &memory, keep_text_memory, &memory) <
             0 ||
         hdf_read(dataset, type, H5S_ALL, H5S_ALL, list_of, (void *)list) < 0)) {
        good = hdf_error(err, "cannot read the texts '%s'", name);
    }
    for (size_t i = 0; good && i < count; i++) {
        list[i] = list[i] == NULL ? "" : list[i];
    }
    H5Pclose(list_of);
    H5Tclose(type);
    *texts = list;
    return good && check_digest(from, dataset, name, list, count, err);
}

bool column_read_table(const struct column_source *from, const char *name, size_t *count,
                       const char *const **texts, bool *present, struct error *err)
{
    hsize_t size[3] = {0};
    hid_t dataset = column_open(from, name, 1, H5T_STRING, size, present, err);
    if (dataset < 0) {
        return !*present;
    }
    *count = (size_t)size[0];
    bool good = read_texts(from, dataset, name, *count, texts, err);
    H5Dclose(dataset);
    return good;
}

bool column_read_text(const struct column_source *from, const char *name, const char **text,
                      struct error *err)
{
    bool present;
    hsize_t size[3] = {0};
    const char *const *texts;
    hid_t dataset = column_open(from, name, 0, H5T_STRING, size, &present, err);
    if (dataset < 0) {
        return error_set(err, ERROR_FILE, "the text '%s' is missing", name);
    }
    bool good = read_texts(from, dataset, name, 1, &texts, err);
    H5Dclose(dataset);
    if (good) {
        *text = texts[0];
    }
    return good;
}
