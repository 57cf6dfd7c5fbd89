/* SPDX-License-Identifier: MIT */
/* Reading safetensors: the length of a header, the header, a JSON object that gives each tensor its
 * type, shape and place, then the numbers, little-endian in C order. Every tensor is checked, not
 * only the wanted one, and only its bytes are read. */
#include "arrays/array_internal.h"

#include "base/text.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_MAX ((uint64_t)100 * 1000 * 1000) /* as the library of the format */
#define LENGTH_SIZE 8
#define NAME_SIZE 200

/* The part of the file behind the header that a tensor takes, [begin, end). */
struct span {
    uint64_t begin, end;
    const char *name;
};

/* An open file, its header, and the tensors in it. */
struct tensors {
    const struct array_file *file;
    struct arena *scratch;
    json_t *header;
    uint64_t data_start, data_size;
    struct array_names names;
    struct span *spans; /* of those that take space */
    size_t span_count;
};

/* One tensor as the header describes it. */
struct tensor {
    const char *name;
    const char *dtype;
    struct array_shape shape;
    struct span span;
};

struct dtype {
    const char *name;
    size_t size;
    enum array_number number; /* ARRAY_NUMBER_COUNT where it is not supported */
};

/* NULL for a type that is not known, whose size nobody can check. */
static const struct dtype *find_dtype(const char *name)
{
    static const struct dtype types[] = {
        {"F64", 8, ARRAY_F64},           {"F32", 4, ARRAY_F32},
        {"F16", 2, ARRAY_F16},           {"BF16", 2, ARRAY_BF16},
        {"F8_E4M3", 1, ARRAY_F8_E4M3},   {"F8_E5M2", 1, ARRAY_F8_E5M2},
        {"BOOL", 1, ARRAY_NUMBER_COUNT}, {"U8", 1, ARRAY_NUMBER_COUNT},
        {"I8", 1, ARRAY_NUMBER_COUNT},   {"U16", 2, ARRAY_NUMBER_COUNT},
        {"I16", 2, ARRAY_NUMBER_COUNT},  {"U32", 4, ARRAY_NUMBER_COUNT},
        {"I32", 4, ARRAY_NUMBER_COUNT},  {"U64", 8, ARRAY_NUMBER_COUNT},
        {"I64", 8, ARRAY_NUMBER_COUNT},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(name, types[i].name) == 0) {
            return &types[i];
        }
    }
    return NULL;
}

static bool parse_header(struct tensors *tensors, const char *text, size_t size, struct error *err)
{
    json_error_t fault;
    char shown[JSON_ERROR_TEXT_LENGTH];
    tensors->header = json_loadb(text, size, JSON_REJECT_DUPLICATES, &fault);
    if (tensors->header == NULL) {
        return error_set(err, ERROR_INPUT, "'%s' has a header that is not JSON: %s, at byte %d",
                         tensors->file->path, text_printable(fault.text, shown, sizeof shown),
                         fault.position);
    }
    return json_is_object(tensors->header) ||
           error_set(err, ERROR_INPUT, "'%s' has a header that is not a JSON object",
                     tensors->file->path);
}

static bool read_header(struct tensors *tensors, struct error *err)
{
    const struct array_file *file = tensors->file;
    unsigned char raw[LENGTH_SIZE];
    if (!array_file_read(file, 0, raw, sizeof raw, err)) {
        return false;
    }
    const uint64_t length = array_little_endian(raw, sizeof raw);
    const uint64_t rest = file->size - LENGTH_SIZE;
    if (length > rest) {
        return error_set(err, ERROR_INPUT,
                         "'%s' claims a header of %" PRIu64 " bytes, but only %" PRIu64
                         " follow; if it is a safetensors file, copy it again",
                         file->path, length, rest);
    }
    if (length > HEADER_MAX) {
        return error_set(err, ERROR_INPUT,
                         "'%s' has a header of %" PRIu64 " bytes; the limit is %" PRIu64,
                         file->path, length, HEADER_MAX);
    }
    char *text = arena_alloc(tensors->scratch, (size_t)length, 1, err);
    tensors->data_start = LENGTH_SIZE + length;
    tensors->data_size = rest - length;
    return text != NULL && array_file_read(file, LENGTH_SIZE, text, (size_t)length, err) &&
           parse_header(tensors, text, (size_t)length, err);
}

static bool get_size(const json_t *number, uint64_t *size)
{
    if (!json_is_integer(number) || json_integer_value(number) < 0) {
        return false;
    }
    *size = (uint64_t)json_integer_value(number);
    return true;
}

/* The entry has the form {"dtype": text, "shape": [sizes], "data_offsets": [begin, end]}. */
static bool get_entry(const char *name, const json_t *entry, struct tensor *tensor)
{
    const json_t *shape = json_object_get(entry, "shape");
    const json_t *offsets = json_object_get(entry, "data_offsets");
    tensor->name = name;
    tensor->span.name = name;
    tensor->dtype = json_string_value(json_object_get(entry, "dtype"));
    tensor->shape.rank = json_array_size(shape);
    if (tensor->dtype == NULL || !json_is_array(shape) || tensor->shape.rank > ARRAY_RANK_MAX) {
        return false;
    }
    for (size_t i = 0; i < tensor->shape.rank; i++) {
        if (!get_size(json_array_get(shape, i), &tensor->shape.size[i])) {
            return false;
        }
    }
    return json_array_size(offsets) == 2 &&
           get_size(json_array_get(offsets, 0), &tensor->span.begin) &&
           get_size(json_array_get(offsets, 1), &tensor->span.end);
}

static bool check_entry(const struct tensors *tensors, const char *name, const json_t *entry,
                        struct tensor *tensor, struct error *err)
{
    const char *path = tensors->file->path;
    char shown[NAME_SIZE];
    text_printable(name, shown, sizeof shown);
    if (!get_entry(name, entry, tensor)) {
        return error_set(err, ERROR_INPUT,
                         "'%s:%s' is not described by dtype, shape and data_offsets", path, shown);
    }
    const struct span *span = &tensor->span;
    if (span->begin > span->end || span->end > tensors->data_size) {
        return error_set(err, ERROR_INPUT,
                         "'%s:%s' lies at bytes %" PRIu64 " to %" PRIu64 " of %" PRIu64
                         "; copy the file again",
                         path, shown, span->begin, span->end, tensors->data_size);
    }
    const struct dtype *dtype = find_dtype(tensor->dtype);
    uint64_t bytes = 0;
    if (dtype != NULL && (!array_shape_bytes(&tensor->shape, dtype->size, &bytes) ||
                          bytes != span->end - span->begin)) {
        char text[ARRAY_SHAPE_TEXT];
        return error_set(err, ERROR_INPUT,
                         "'%s:%s' has shape %s of %zu bytes each, but data_offsets give it "
                         "%" PRIu64 " bytes",
                         path, shown, array_shape_text(&tensor->shape, text), dtype->size,
                         span->end - span->begin);
    }
    return true;
}

static bool collect(struct tensors *tensors, struct error *err)
{
    const size_t limit = json_object_size(tensors->header);
    tensors->names.names = arena_alloc(tensors->scratch, limit, sizeof(char *), err);
    tensors->spans = arena_alloc(tensors->scratch, limit, sizeof *tensors->spans, err);
    if (tensors->names.names == NULL || tensors->spans == NULL) {
        return false;
    }
    const char *name = NULL;
    json_t *entry = NULL;
    json_object_foreach(tensors->header, name, entry)
    {
        struct tensor tensor = {.name = NULL};
        if (strcmp(name, "__metadata__") == 0) {
            continue;
        }
        if (!check_entry(tensors, name, entry, &tensor, err)) {
            return false;
        }
        if (tensor.span.begin < tensor.span.end) {
            tensors->spans[tensors->span_count++] = tensor.span;
        }
        tensors->names.names[tensors->names.count++] = name;
    }
    return true;
}

static int by_begin(const void *left, const void *right)
{
    const struct span *a = left;
    const struct span *b = right;
    if (a->begin != b->begin) {
        return a->begin < b->begin ? -1 : 1;
    }
    return a->end == b->end ? 0 : a->end < b->end ? -1 : 1;
}

static bool check_overlaps(const struct tensors *tensors, struct error *err)
{
    const size_t count = tensors->span_count;
    qsort(tensors->spans, count, sizeof *tensors->spans, by_begin);
    for (size_t i = 1; i < count; i++) {
        const struct span *before = &tensors->spans[i - 1];
        if (tensors->spans[i].begin < before->end) {
            char first[NAME_SIZE];
            char second[NAME_SIZE];
            return error_set(err, ERROR_INPUT, "'%s': the tensors '%s' and '%s' overlap",
                             tensors->file->path, text_printable(before->name, first, NAME_SIZE),
                             text_printable(tensors->spans[i].name, second, NAME_SIZE));
        }
    }
    return true;
}

/* Reads a tensor that was checked. */
static bool read_tensor(const struct tensors *tensors, const struct tensor *tensor,
                        struct arena *arena, struct array *out, struct error *err)
{
    char shown[NAME_SIZE];
    const char *name = arena_format(tensors->scratch, err, "%s:%s", tensors->file->path,
                                    text_printable(tensor->name, shown, sizeof shown));
    const struct dtype *dtype = find_dtype(tensor->dtype);
    if (name == NULL) {
        return false;
    }
    if (dtype == NULL || dtype->number == ARRAY_NUMBER_COUNT) {
        return error_set(err, ERROR_INPUT,
                         "'%s': type '%s' is not supported; save it as F64, F32, F16, BF16, "
                         "F8_E4M3 or F8_E5M2",
                         name, text_printable(tensor->dtype, shown, sizeof shown));
    }
    if (!array_shape_fold(&tensor->shape, name, out, err)) {
        return false;
    }
    const size_t size = (size_t)(tensor->span.end - tensor->span.begin);
    unsigned char *bytes = arena_alloc(tensors->scratch, size, 1, err);
    if (bytes == NULL || !array_file_read(tensors->file, tensors->data_start + tensor->span.begin,
                                          bytes, size, err)) {
        return false;
    }
    const struct array_order order = {.number = dtype->number};
    out->values = array_convert(out, &order, bytes, arena, err);
    if (out->values == NULL) {
        return false;
    }
    array_digest(out);
    return true;
}

static bool read_dataset(struct tensors *tensors, const char *dataset, struct arena *arena,
                         struct array *out, struct error *err)
{
    if (!read_header(tensors, err) || !collect(tensors, err) || !check_overlaps(tensors, err)) {
        return false;
    }
    struct tensor tensor = {.name = NULL};
    const json_t *entry = dataset == NULL ? NULL : json_object_get(tensors->header, dataset);
    if (entry == NULL || strcmp(dataset, "__metadata__") == 0) {
        return array_no_dataset(tensors->file->path, dataset, &tensors->names, tensors->scratch,
                                err);
    }
    return check_entry(tensors, dataset, entry, &tensor, err) &&
           read_tensor(tensors, &tensor, arena, out, err);
}

bool safetensors_read(const struct array_file *file, const char *dataset, struct arena *arena,
                      struct array *out, struct error *err)
{
    struct arena scratch = {NULL};
    struct tensors tensors = {.file = file, .scratch = &scratch};
    bool good = read_dataset(&tensors, dataset, arena, out, err);
    json_decref(tensors.header);
    arena_release(&scratch);
    return good;
}

const char *array_jansson_version(void)
{
    return jansson_version_str();
}
